"""What a spot needs to be solved, all of it: size, memory, time, and what would make it fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from equilibrist.parsing.threads import thread_count
from equilibrist.poker.postflop.estimate.reductions import Reduction, smaller_spots
from equilibrist.poker.postflop.estimate.runtime import EstimatedRun
from equilibrist.poker.postflop.estimate.size import SpotSize, estimate
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.spot import Spot
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
        reductions: What makes it fit, where it does not.
    """

    spot: Spot
    size: SpotSize
    run: EstimatedRun
    target: str
    threads: int
    storage: Storage
    limit: int
    reductions: tuple[Reduction, ...]

    @property
    def memory_bytes(self) -> dict[Storage, int]:
        """The bytes that it takes in each storage."""
        return {name: self.size.memory_bytes(name, threads=self.threads) for name in STORAGES}

    @property
    def disk_bytes(self) -> int:
        """The most that a run with a checkpoint writes at a time.

        A checkpoint holds regrets and strategy sums; the one before is kept until it is whole. The
        solution has a number of 4 bytes per entry. A megabyte is for headers.
        """
        state = sum(street.solver_state_bytes(self.storage) for street in self.size.streets)
        return state + max(state, 4 * self.size.entries) + _HEADER_BYTES

    @property
    def fits(self) -> bool:
        """Whether it fits into the limit."""
        return self.memory_bytes[self.storage] <= self.limit

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
            "fits": self.fits,
        }


def spot_needs(
    spot: Spot,
    *,
    target: str | None = None,
    storage: Storage | None = None,
    threads: int | None = None,
    memory: int | None = None,
    reduce: Callable[[Iterable[Reduction]], Iterable[Reduction]] = tuple,
) -> SpotNeeds:
    """Count nodes and bytes, estimate seconds, and look for reductions where it does not fit.

    Args:
        spot: The spot.
        target: The exploitability to reach, by default 0.3 % of the pot.
        storage: How regrets and strategies are stored, by default float32.
        threads: Threads of the run, by default one for each processor.
        memory: The most bytes, by default half of the machine's memory.
        reduce: Goes through the reductions, which takes a while, and returns them.

    Raises:
        ConfigError: An argument is wrong.
    """
    stored: Storage = storage or "float32"
    count = thread_count(threads)
    limit = default_memory() if memory is None else memory
    size = estimate(spot)
    run = size.estimate_run(target, threads=count)
    reductions: tuple[Reduction, ...] = ()
    if size.memory_bytes(stored, threads=count) > limit:
        reductions = tuple(reduce(smaller_spots(spot, limit, stored, threads=count)))
    return SpotNeeds(
        spot=spot,
        size=size,
        run=run,
        target=target or DEFAULT_TARGET,
        threads=count,
        storage=stored,
        limit=limit,
        reductions=reductions,
    )
