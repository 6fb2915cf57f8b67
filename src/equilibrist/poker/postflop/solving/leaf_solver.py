"""Solving one street of a spot over leaf values: the solver, and its run."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Self

from equilibrist.errors import MemoryBudgetError, UnsupportedError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.cards.decks import FULL_DECK
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.leaf_engine import LeafEngine
from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues, checked_leaf_values
from equilibrist.poker.postflop.engine.snapshot import Arrays, digest_of, query_arrays
from equilibrist.poker.postflop.solution.result import (
    ESTIMATED_GAIN,
    EstimatedPoint,
    estimated_trace,
)
from equilibrist.poker.postflop.solution.street_strategy import (
    StreetStrategy,
    strategy_of_arena,
)
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.progress import Callbacks, progress_of
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.stopping import StopReason, StopRule, checked_iterations
from equilibrist.solvers.run.trace import HasMeasure, Schedule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.walk.budget import default_memory

LEAF_ITERATIONS: Final = 200
"""The iterations of a street over leaf values, unless a limit is given."""


class LeafSolver:
    """Discounted CFR on the first street of a spot, whose later streets are values of leaves.

    Attributes:
        spot: The spot.
        variant: The variant of CFR.
        engine: The engine of the street.
    """

    def __init__(
        self,
        spot: Spot,
        leaf_values: HoldemLeafValues,
        algorithm: Variant | str | None = None,
        *,
        isomorphism: bool = True,
        memory: int | None = None,
    ) -> None:
        """Prepare to solve a street.

        Args:
            spot: The spot, from the flop or the turn on, without rake, locked frequencies, and
                locks on later streets.
            leaf_values: What says what leaves are worth.
            algorithm: As in `poker.solve`.
            isomorphism: Whether cards that are alike but for the names of suits are valued once.
            memory: The most bytes that solving may take, by default half of the machine's memory.

        Raises:
            ConfigError: An argument is wrong.
            MemoryBudgetError: More is needed.
            MismatchError: The values are of another street.
            UnsupportedError: The spot has rake, no later street, locks there, or locked
                frequencies.
        """
        check_over_values(checked_spot(spot))
        checked_leaf_values(leaf_values)
        self.spot = spot
        self.variant = spot_variant(algorithm)
        self.leaf_values = leaf_values
        self._game = holdem_game(spot, isomorphism=isomorphism)
        self.engine = LeafEngine(spot, self._game, leaf_values, predicts=self.variant.predicts)
        self._check_fits(memory)
        self.engine.load()

    def _check_fits(self, memory: int | None) -> None:
        """Refuse a street that takes more memory than it may, before its leaves are valued."""
        limit = default_memory() if memory is None else whole_number("memory", memory, 1)
        needed = self.memory_bytes
        if needed > limit:
            raise MemoryBudgetError(
                f"the street on {self.spot.board} needs {bytes_text(needed)} over the values of "
                f"{self.leaf_values.name}, which exceeds the limit of {bytes_text(limit)}",
                int(self.engine.num_leaves),
                remedy="Give smaller ranges, fewer sizes, or more memory",
                option="memory",
                given=limit,
                expected=needed,
            )

    @property
    def iteration(self) -> int:
        """Iterations so far."""
        return self.engine.iteration

    @property
    def memory_bytes(self) -> int:
        """Bytes of the solver state, of ranges and values of leaves, and of what they keep."""
        return self.engine.memory_bytes

    def run(self, iterations: int, /) -> Self:
        """Run more iterations.

        Args:
            iterations: How many to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: `iterations` is not a whole number from 0.
        """
        count = checked_iterations(iterations)
        if count:
            self.engine.run(self.variant.table(self.iteration + 1, count))
        return self

    def estimated_gain(self) -> float:
        """In chips, what responses on the street gain against leaves as they are valued now.

        Returns:
            The mean of both players. It is no bound: to responses leaves would be worth other
            values.
        """
        return self.engine.estimated_gain() / self.spot.rules().scale.per_chip

    def parts(self, streets: int, /) -> tuple[dict[str, Any], Arrays]:
        """Give what a file needs to answer for nodes of the street, as `SpotSolver.parts`.

        Args:
            streets: How many streets; 1.

        Returns:
            Entries of a header, and arrays by name.
        """
        layout = self.engine.layout
        header = {
            "storage": "float64",
            "variant": self.variant.name,
            "layout": digest_of(self._game, layout.betting),
        }
        return header, query_arrays(self.engine, streets)


def check_over_values(spot: Spot) -> None:
    """Refuse spots that cannot be solved over leaf values.

    Args:
        spot: The spot.

    Raises:
        UnsupportedError: It has rake, another deck, folded ranges, no later street, locks
            there, or locked frequencies.
    """
    refuse_prizes(spot, "a solution over leaf values")
    if spot.is_raked:
        raise UnsupportedError(
            "leaf values know no rake",
            option="rake",
            given=spot.rake,
            remedy="leave out the rake, or solve the spot to the end",
        )
    if spot.whole_deck != FULL_DECK:
        raise UnsupportedError(
            "leaf values are those of 52 cards",
            option="deck",
            given=spot.deck,
            expected=FULL_DECK.name,
            remedy="leave out the deck, or solve the spot to the end",
        )
    if spot.folded:
        raise UnsupportedError(
            "leaf values know no folded ranges",
            option="folded",
            given=len(spot.folded),
            remedy="leave out the folded ranges, or solve the spot to the end",
        )
    if len(spot.cards) == 5:
        raise UnsupportedError(
            f"the spot on {spot.board} has no later street whose values could be used",
            option="values",
            given=spot.board,
            remedy="solve the river without values: it takes less time than they would",
        )
    later = [line_text(node.line) for node in spot.locked_nodes if len(node.line) > 1]
    if later:
        raise UnsupportedError(
            f"the lock at {later[0]} is on a later street, which leaf values replace",
            option="locks",
            given=later[0],
            place=f"the lock at {later[0]}",
            remedy="leave it out, or solve the spot to the end",
        )
    if any(lock.frequency for lock in spot.locks):
        raise UnsupportedError(
            "locked frequencies need the whole spot",
            option="locks",
            remedy="lock hands, or solve the spot to the end",
        )


class LeafRun(NamedTuple):
    """How a run over leaf values ended."""

    estimated_gain: float
    """In chips."""
    trace: tuple[EstimatedPoint, ...]
    seconds: float
    stopped_by: StopReason


def run_over_values(
    solver: LeafSolver,
    stop: StopRule,
    callbacks: Callbacks = Callbacks(),  # noqa: B008 - frozen
) -> LeafRun:
    """Run a solver until a limit or an interrupt (Ctrl-C) stops it.

    Args:
        solver: The solver.
        stop: When the run ends; a target is not one of its limits.
        callbacks: Receive its progress.

    Returns:
        How it ended.
    """
    spot, tell = solver.spot, callbacks.on_progress

    def report(event: ProgressEvent[_Estimate]) -> Answer:
        assert tell is not None
        return tell(progress_of(event, solver.variant.name, ESTIMATED_GAIN, pot=spot.pot))

    loop = Loop(
        solver,
        lambda: _Estimate(solver.estimated_gain()),
        stop,
        report=report if tell else None,
        schedule=_SCHEDULE,
    )
    outcome = loop.run()
    return LeafRun(
        estimated_gain=outcome.measured.measure,
        trace=estimated_trace(outcome.trace),
        seconds=outcome.seconds,
        stopped_by=outcome.stopped_by,
    )


class _Estimate(HasMeasure):
    """An estimated gain as what the loop around solvers measures."""

    values: tuple[float, ...] = ()
    exploitability = None

    def __init__(self, gain: float) -> None:
        self.nash_conv = 2 * gain  # what the loop keeps; `estimated_trace` gives it its name
        self._gain = gain

    @property
    def measure(self) -> float:
        """The estimate, in chips."""
        return self._gain


class _EveryFiftieth(Schedule):
    """Every 50th iteration: a measurement costs two iterations."""

    def next(self, iteration: int) -> int:
        return (iteration // 50 + 1) * 50


_SCHEDULE: Final = _EveryFiftieth()


def street_strategy(solver: LeafSolver) -> StreetStrategy:
    """The average strategies of a solver on its street, for an examination.

    Args:
        solver: The solver, which may run on.

    Returns:
        What is played after a line; None after lines that it lacks.
    """
    return strategy_of_arena(solver.spot, solver.engine.layout, solver.engine.arena)
