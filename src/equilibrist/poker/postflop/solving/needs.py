"""What a spot needs to be solved, all of it: size, memory, time, and what would make it fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from equilibrist.poker.postflop.estimate.reductions import Reduction, smaller_spots
from equilibrist.poker.postflop.estimate.runtime import EstimatedRun
from equilibrist.poker.postflop.estimate.size import SpotSize, estimate
from equilibrist.poker.postflop.solving.perturbed import Cost, LogitResponses, perturbation_of
from equilibrist.poker.postflop.solving.variants import checked_run
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.walk.budget import default_memory

DEFAULT_TARGET: Final = "0.3%"
_HEADER_BYTES: Final = 1_000_000
"""What headers of files take besides their numbers, at most."""


@dataclass(frozen=True)
class SpotNeeds:
    """What a spot needs.

    Attributes:
        spot: The spot.
        size: Its nodes and entries.
        run: Iterations and seconds to the target, roughly.
        target: The exploitability that the run is to reach, as a text.
        threads: Threads of the run.
        storage: How regrets and strategies are stored.
        limit: The bytes that it may take.
        cost: What the run keeps beside regrets and strategy sums.
        reductions: What makes it fit, where it does not.
    """

    spot: Spot
    size: SpotSize
    run: EstimatedRun
    target: str
    threads: int
    storage: Storage
    limit: int
    cost: Cost
    reductions: tuple[Reduction, ...]

    @property
    def memory_bytes(self) -> dict[Storage, int]:
        """The bytes that it takes in each storage."""
        predicts, threads = self.cost.predicts, self.threads
        return {
            name: self.size.memory_bytes(name, predicts=predicts, threads=threads)
            for name in STORAGES
        }

    @property
    def most_bytes(self) -> int:
        """The bytes that `solve` compares with its limit, if iterations are not limited."""
        return self.size.most_bytes(self.storage, predicts=self.cost.predicts, threads=self.threads)

    @property
    def disk_bytes(self) -> int:
        """The most that a run with a checkpoint writes at a time.

        A checkpoint holds regrets and strategy sums, and what is matched beside them; the one
        before is kept until it is whole. The solution has a number of 4 bytes per entry. A megabyte
        is for headers.
        """
        state = sum(
            street.solver_state_bytes(self.storage, predicts=self.cost.predicts)
            for street in self.size.streets
        )
        return state + max(state, 4 * self.size.entries) + _HEADER_BYTES

    @property
    def fits(self) -> bool:
        """Whether it fits into the limit, as `solve` has it."""
        return self.most_bytes <= self.limit

    def to_dict(self) -> dict[str, Any]:
        """The document of `equilibrist postflop estimate --json`."""
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "hands": self.size.hands,
            "symmetries": self.size.symmetries,
            "action_nodes": self.size.action_nodes,
            "entries": self.size.entries,
            "float32_bytes": self.size.float32_bytes,
            "int16_bytes": self.size.int16_bytes,
            "streets": [
                asdict(street) | {"float32_bytes": street.float32_bytes}
                for street in self.size.streets
            ],
            "limit_bytes": self.limit,
            "reductions": [reduction.to_dict() for reduction in self.reductions],
            "target": self.target,
            "threads": self.threads,
            "storage": self.storage,
            **asdict(self.run),
            "memory_bytes": self.memory_bytes,
            "most_bytes": self.most_bytes,
            "predicts": self.cost.predicts,
            "responds": self.cost.responds,
            "fits": self.fits,
        }


def spot_needs(
    spot: Spot,
    *,
    target: str | None = None,
    algorithm: Variant | str | None = None,
    tremble: float | None = None,
    quantal: float | None = None,
    storage: Storage | None = None,
    threads: int | None = None,
    memory: int | None = None,
    reduce: Callable[[Iterable[Reduction]], Iterable[Reduction]] = tuple,
) -> SpotNeeds:
    """Count nodes and bytes, estimate seconds, and look for reductions where it does not fit.

    Args:
        spot: The spot.
        target: The exploitability to reach, by default 0.3 % of the pot.
        algorithm: The variant of CFR, as in `solve`.
        tremble: The least probability of every action, as in `solve`.
        quantal: The temperature of logit responses, as in `solve`.
        storage: How regrets and strategies are stored, by default float32.
        threads: Threads of the run, by default one for each processor.
        memory: The most bytes, by default half of the machine's memory.
        reduce: Goes through the reductions, which takes a while, and returns them.

    Raises:
        ConfigError: An argument is wrong.
        UnsupportedError: The spot has what quantal runs do not solve.
    """
    checked_spot(spot)
    stored: Storage = "float32" if storage is None else storage
    perturbation_of(spot, tremble, quantal, stored, algorithm)
    count, variant = checked_run(stored, threads, algorithm)
    cost = Cost.of(variant, tremble, quantal)
    limit = default_memory() if memory is None else memory
    size = estimate(spot, responds=cost.responds)
    cooling = 1 if quantal is None else LogitResponses(temperature=quantal).iterations_to_cool
    run = size.estimate_run(target, threads=count, slower=cost.slower, least=cooling)
    reductions: tuple[Reduction, ...] = ()
    if size.most_bytes(stored, predicts=cost.predicts, threads=count) > limit:
        smaller = smaller_spots(
            spot,
            limit,
            stored,
            predicts=cost.predicts,
            threads=count,
            responds=cost.responds,
            iterations=None,
        )
        reductions = tuple(reduce(smaller))
    return SpotNeeds(
        spot=spot,
        size=size,
        run=run,
        target=target or DEFAULT_TARGET,
        threads=count,
        storage=stored,
        limit=limit,
        cost=cost,
        reductions=reductions,
    )
