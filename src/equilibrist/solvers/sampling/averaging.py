"""Averages with traversals of their own: for any sampler, any number of players.

Each is taken every so many iterations, by their number alone, from the strategy that is about to
be played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

import numpy as np

from equilibrist.solvers.sampling.sampler import histories_for
from equilibrist.solvers.sampling.samplers import Sampler, Tables
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array

SHARE: Final = 2.0
"""By default sampling gets twice the time of averaging: averaging costs a third."""
WALK_EVERY: Final = 64
"""Walks are taken in one call per so many iterations, to hide what a call costs."""
_SNAPSHOTS: Final = 32
"""Snapshots are taken so many times less often than full traversals."""
_CALL_COST: Final = 300.0
_SEQUENCE_COST: Final = 0.3
"""What a full traversal costs, in visited nodes of a trajectory: the call, and each sequence."""
TRIAL: Final = 64
"""Iterations whose nodes are counted to know the usual cost of one."""
TRIAL_NODES: Final = 100_000


class SeparateAverage(Protocol):
    """An average with a traversal of its own."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @property
    def every(self) -> int:
        """Iterations from one time that it is taken to the next."""
        ...

    def take(self, tables: Tables, iteration: int, weight: float) -> None:
        """Add the present strategy to `tables.strategy_sum`, as `iteration` begins."""
        ...


@dataclass(frozen=True)
class Walk:
    """`walks` trajectories per player on which that player plays, and all others draw."""

    name: ClassVar[str] = "walk"
    summary: ClassVar[str] = (
        "separate trajectories, on which one player follows the strategy and the others sample "
        "uniformly; unbiased for any number of players"
    )
    every: int
    walks: int
    key: np.uint64

    @classmethod
    def fit(cls, tree: GameTree, sampler: Sampler, key: np.uint64, every: int | None) -> Walk:
        """Choose so many walks that they take a third of the time."""
        every = WALK_EVERY if every is None else every
        trial = Tables(tree.history_tree, key, *_two_zeros(tree))
        single = cls(1, 1, key)
        for t in range(1, TRIAL + 1):
            single.take(trial, t, 1.0)
        per_walk = max(1.0, int(trial.touched[0]) / TRIAL)
        budget = every * nodes_per_iteration(tree, sampler) / SHARE
        return cls(every, max(1, round(budget / per_walk)), key)

    def take(self, tables: Tables, iteration: int, weight: float) -> None:
        """Add, in expectation, a constant times own reach times strategy, by trajectories."""
        from equilibrist.kernels.sampling.averaging import WalkSetup, walk_average

        play = tables.play()
        setup = WalkSetup(weight, play.traversals)
        play = play._replace(traversals=self.walks * play.traversals)
        progress = np.array([iteration, 0, 0, 0], dtype=np.int64)
        walk_average(setup, play, iteration, self.key, progress)
        tables.touched[0] += progress[3]


@dataclass(frozen=True, eq=False)
class Full:
    """A pass over all infosets; RecallError where own reach is not a property of the infoset."""

    name: ClassVar[str] = "full"
    summary: ClassVar[str] = "a full traversal every few iterations; exact, without variance"
    every: int
    first_action: Int64Array
    parent: Int64Array
    sequence: Int64Array
    num_sequences: int
    """The last of the arguments of `add_own_reach`, kept as arrays: other processes can take it."""

    @classmethod
    def of(cls, tree: GameTree, every: int) -> Full:
        """The pass over that game; raises RecallError."""
        form = tree.sequence_form
        return cls(
            every,
            tree.action_offset,
            form.public_parent,
            form.sequence_of_public,
            form.num_sequences,
        )

    def take(self, tables: Tables, iteration: int, weight: float) -> None:
        """Add weight times own reach times strategy at every infoset."""
        from equilibrist.kernels.sampling.averaging import add_own_reach

        add_own_reach(
            self.first_action,
            self.parent,
            self.sequence,
            weight,
            tables.regret,
            tables.strategy_sum,
            tables.once("reach", lambda: np.ones(self.num_sequences)),
            tables.once("strategy", lambda: np.zeros(max(tables.tree.max_actions, 1))),
        )


class Snapshots(Full):
    """A pass over all infosets that is taken rarely."""

    name: ClassVar[str] = "snapshots"
    summary: ClassVar[str] = "the same traversal, less often: very cheap, and coarser"


SEPARATE_AVERAGES: Final[dict[str, str]] = {
    cls.name: cls.summary for cls in (Walk, Full, Snapshots)
}
"""Name to what it does."""


def separate_average(
    name: str, tree: GameTree, sampler: Sampler, key: np.uint64, every: int | None
) -> SeparateAverage:
    """The average of that name (one of SEPARATE_AVERAGES), by default at a third of the time."""
    if name == Walk.name:
        return Walk.fit(tree, sampler, key, every)
    kind = Full if name == Full.name else Snapshots
    if every is None:
        size = int(tree.action_offset[-1])
        cost = (_CALL_COST + _SEQUENCE_COST * size) * SHARE / nodes_per_iteration(tree, sampler)
        every = max(1, round(cost)) * (1 if kind is Full else _SNAPSHOTS)
    return kind.of(tree, every)


def nodes_per_iteration(tree: GameTree, sampler: Sampler) -> float:
    """Histories that an iteration of `sampler` visits at the beginning, from one fixed seed."""
    trial = Tables(histories_for(tree, sampler), np.uint64(1), *_two_zeros(tree))
    done = 0
    while done < TRIAL and trial.touched[0] < TRIAL_NODES:
        count = max(1, done)
        sampler.run(trial, done + 1, count, sampler.averagings[0], 0.0)
        done += count
    return max(1.0, int(trial.touched[0]) / done)


def _two_zeros(tree: GameTree) -> tuple[np.ndarray, np.ndarray]:
    size = int(tree.action_offset[-1])
    return np.zeros(size), np.zeros(size)
