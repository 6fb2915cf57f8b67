"""The ladder: what search with a value network is worth, between none and a full solve.

Uniform play; search whose leaves are even; with the network; with exact leaves, which are solved
for every question; and one solve of the whole game by the same algorithm. All are written down
and measured by true best responses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.evaluation.response import evaluate
from equilibrist.learned.values.network import ValueNetwork
from equilibrist.learned.values.region import Region
from equilibrist.learned.values.solver import RegionValues, SolvedBelow, no_values
from equilibrist.learned.values.stitched import ValuesFor, stitched
from equilibrist.parsing.arguments import whole_number
from equilibrist.search import SearchGame
from equilibrist.solvers.variants.families import lcfr
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy

TABLES: Final = 64
"""Tables of drawn iterates, the mean of whose plans is measured."""
EXACT_ITERATIONS: Final = 100
"""Iterations of the solve below a leaf that stands for exact values."""
RUNGS: Final = ("uniform", "zero leaves", "net", "exact leaves", "full solve")


@dataclass(frozen=True)
class Rung:
    """One way to play, measured.

    Attributes:
        name: What it is.
        exploitability: Half of what best responses of both players gain together, in payoff units;
            where iterates are drawn an upper bound, in expectation, of what their mean loses.
        seconds: What finding it took.
        strategy: The play.
    """

    name: str
    exploitability: float
    seconds: float
    strategy: Strategy


@dataclass(frozen=True)
class Ladder:
    """The rungs in their order.

    Attributes:
        rungs: The rungs.
        depth: How many public nodes with decisions each solve looked ahead.
        iterations: The iterations of each solve, each of which updates one player.
        tables: How many tables of drawn iterates were averaged; 0 where averages are played.
        seed: The seed of the draws.
        interrupted: Whether a KeyboardInterrupt came before the last rung; those before it stand.
    """

    rungs: tuple[Rung, ...]
    depth: int
    iterations: int
    tables: int
    seed: int
    interrupted: bool = False

    def __getitem__(self, name: str) -> Rung:
        return next(rung for rung in self.rungs if rung.name == name)

    @property
    def gap(self) -> float | None:
        """(net - exact) / (zero - exact): 0 as good as exact leaves, 1 as bad as none.

        None where a rung is missing, or exact leaves are no better than even ones.
        """
        found = {rung.name: rung.exploitability for rung in self.rungs}
        if not {"net", "zero leaves", "exact leaves"} <= found.keys():
            return None
        room = found["zero leaves"] - found["exact leaves"]
        return (found["net"] - found["exact leaves"]) / room if room > 0.0 else None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON can hold them."""
        return {
            "depth": self.depth,
            "iterations": self.iterations,
            "tables": self.tables,
            "seed": self.seed,
            "gap": self.gap,
            "rungs": [
                {
                    "name": rung.name,
                    "exploitability": rung.exploitability,
                    "seconds": rung.seconds,
                }
                for rung in self.rungs
            ],
        }


def climb(
    search: SearchGame,
    network: ValueNetwork | None = None,
    *,
    depth: int = 2,
    iterations: int = 1024,
    tables: int = TABLES,
    exact: int = EXACT_ITERATIONS,
    seed: int = 0,
    variant: Variant | None = None,
    tell: Callable[[str], object] | None = None,
) -> Ladder:
    """Measure all rungs.

    Args:
        search: The game.
        network: The network; None to leave out its rung.
        depth: How many public nodes with decisions each solve looks ahead; 0 until chance shows
            something.
        iterations: The iterations of each solve, each of which updates one player.
        tables: How many tables of drawn iterates are averaged; 0 to play averages, which no theory
            holds for.
        exact: The iterations of the solve below a leaf that stands for exact values; 0 to leave
            out that rung.
        seed: The seed of the draws.
        variant: The variant of CFR; None for linear CFR, as in ReBeL.
        tell: Called with the name of each rung that is begun.

    Returns:
        The ladder; after a KeyboardInterrupt with the rungs so far.

    Raises:
        ConfigError: A number is out of range.
        KeyboardInterrupt: Before there was a rung.
        MismatchError: The network is of another game.
    """
    whole_number("depth", depth, 0)
    whole_number("iterations", iterations, 1)
    for name, value in (("tables", tables), ("exact", exact), ("seed", seed)):
        whole_number(name, value, 0)
    chosen = lcfr() if variant is None else variant

    def exactly(region: Region, lanes: int) -> RegionValues:
        return SolvedBelow.of(region, lanes, chosen, exact, alternating=True)

    def searched(leaves: ValuesFor, looks: int, drawn: int) -> Callable[[], Strategy]:
        return lambda: stitched(
            search,
            leaves,
            depth=looks,
            iterations=iterations,
            variant=chosen,
            tables=drawn,
            seed=seed,
        )

    whole = len(search.public)
    plays: dict[str, Callable[[], Strategy]] = {
        "uniform": lambda: Strategy.uniform(search.tree),
        "zero leaves": searched(_even, depth, tables),
    }
    if network is not None:
        network.check_game(search)
        plays["net"] = searched(network.on, depth, tables)
    if exact:
        plays["exact leaves"] = searched(exactly, depth, tables)
    plays["full solve"] = searched(_even, whole, 0)
    rungs: list[Rung] = []
    try:
        for name, play in plays.items():
            if tell is not None:
                tell(name)
            began = time.perf_counter()
            strategy = play()
            seconds = time.perf_counter() - began
            rungs.append(Rung(name, evaluate(strategy).nash_conv / 2.0, seconds, strategy))
    except KeyboardInterrupt:
        if not rungs:
            raise
    return Ladder(
        rungs=tuple(rungs),
        depth=depth,
        iterations=iterations,
        tables=tables,
        seed=seed,
        interrupted=len(rungs) < len(plays),
    )


def _even(_region: Region, _lanes: int) -> RegionValues:
    return no_values
