"""Threads that share the full traversals of one game, and how they share them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from equilibrist.kernels import LANES
from equilibrist.solvers.full_traversal.pace import Pace
from equilibrist.tree.forms.sequence_form import SequenceArrays, SequenceForm
from equilibrist.typing import FloatArray, Int64Array, UInt32Array

if TYPE_CHECKING:
    from equilibrist.kernels.sequence_form.shared import Shares, Team

TOGETHER: Final = "together-"
"""What the kernel of a run is compiled for that several threads share."""
_SEQUENCE_WORK: Final = 6
"""The time an iteration takes for a sequence, in that for a cell of payoffs; measured on games from
three-player Kuhn to liar's dice with 8 sides."""
_LEAST_WORK: Final = 300_000
"""The work of a thread, in cells, below which meeting the others costs more than it gains: an
iteration of 0.15 ms."""
_LEAST_STEP: Final = 2_000
"""Sequences of a step below which one thread is faster than several that meet after it."""
_RISE_WORK: Final = 3
"""The time to add the value of an infoset to its parent, in that to update a sequence."""
_CHUNKS: Final = 8
"""Chunks of tiles per thread and player, so that no thread waits long for another."""
_RUN_WORK: Final = 4
"""The time for a run of cells, and for a tile, in that for a cell."""


def useful_threads(form: SequenceForm, threads: int) -> int:
    """The number of threads, up to `threads`, with which a traversal of this game is fastest."""
    work = len(form.arrays.cell) + _SEQUENCE_WORK * form.num_sequences
    return max(1, min(threads, work // _LEAST_WORK))


class Crew:
    """Up to `threads` threads that run the kernels of one game together."""

    def __init__(self, form: SequenceForm, threads: int) -> None:
        from equilibrist.solvers.run.threads import ThreadTeam

        self.threads = threads
        self.pace = Pace()
        self._form = form
        self.team = ThreadTeam(threads)

    @cached_property
    def shares(self) -> Shares:
        """Who does what."""
        return shares_of(self._form.arrays, self.threads)

    @cached_property
    def _alone(self) -> Shares:
        """Who does what when one thread runs all iterations by itself."""
        return shares_of(self._form.arrays, 1, self.shares)

    def counters(self) -> Int64Array:
        """int64, zeros: the counters that threads share in one call of a kernel, see `barrier`."""
        from equilibrist.kernels.primitives.barrier import APART, COUNTERS

        queues = self._form.num_players * self.threads
        return np.zeros(COUNTERS + APART * queues, dtype=np.int64)

    def scratch(self) -> tuple[FloatArray, FloatArray]:
        """Working memory of kernels: float64[I], and float64[threads, largest group]."""
        arrays = self._form.arrays
        widest = int(arrays.group_size.max(initial=1))
        return np.zeros(len(arrays.parent_sequence)), np.zeros((self.threads, widest))

    def run(self, part: Callable[[Team], None], counters: Any) -> None:
        """Call `part` in every thread, or in one; returns when all have done theirs."""
        from equilibrist.kernels.sequence_form.shared import Team

        together = self.pace.together
        shares, threads = (self.shares, self.threads) if together else (self._alone, 1)

        def work(thread: int) -> None:
            part(Team(shares, thread, threads, counters))

        self.team.run(work, threads, counters)


def shares_of(arrays: SequenceArrays, threads: int, of: Shares | None = None) -> Shares:
    """Share out the groups and the tiles of a game among threads by their work.

    `of` are the shares of another number of threads, which have something in common.
    """
    from equilibrist.kernels.sequence_form.shared import Shares

    parent = _parent_groups(arrays)
    chunk_offset, chunk_tile = _chunks(arrays, threads)
    if of is None:
        rising = _rising(arrays, parent)
    else:
        rising = _Rising(of.rising_offset, of.rising_infoset, of.rising_parent)
    steps = _steps(arrays, _depths(arrays, parent), rising.offset, threads)
    return Shares(
        step_offset=steps.offset,
        step_group=steps.group,
        reach_group=steps.reach_group,
        chunk_offset=chunk_offset,
        chunk_tile=chunk_tile,
        rising_offset=rising.offset,
        rising_infoset=rising.infoset,
        rising_parent=rising.parent,
    )


class _Steps(NamedTuple):
    """The depths of the players in which groups are shared out; T threads."""

    offset: Int64Array  # [P + 1]: first step of each player
    group: Int64Array  # [steps, T + 1]: bounds of the threads' groups when they update
    reach_group: Int64Array  # [steps, T + 1]: their bounds when own reach is carried down


class _Rising(NamedTuple):
    """In which order the values of infosets are added to the sequences above."""

    offset: Int64Array  # [G + P + 1]: where the infosets below a group, or a player's root, begin
    infoset: UInt32Array  # [I]
    parent: UInt32Array  # [I]: the sequence above each of them


def _parent_groups(arrays: SequenceArrays) -> Int64Array:
    """int64[I]: the group of each infoset's parent; G + p of those below p's empty sequence."""
    groups = len(arrays.group_size)
    parents = arrays.parent_sequence.astype(np.int64)
    group = np.searchsorted(arrays.group_first_sequence, parents, side="right") - 1
    empty = arrays.sequence_offset[:-1]
    owner = np.minimum(np.searchsorted(empty, parents), len(empty) - 1)
    return np.where(empty[owner] == parents, groups + owner, group)


def _depths(arrays: SequenceArrays, parent: Int64Array) -> list[int]:
    """The depth of each group: those above it come before it."""
    depths: list[int] = []
    for above in parent[arrays.group_first_infoset.astype(np.int64)].tolist():
        depths.append(depths[above] + 1 if above < len(depths) else 0)
    return depths


def _steps(
    arrays: SequenceArrays, depths: list[int], rising_offset: Int64Array, threads: int
) -> _Steps:
    """Share out the depths of each player among threads, neighbours that are small as one."""
    work = arrays.group_size.astype(np.int64) * arrays.group_actions
    total = np.concatenate(([0], np.cumsum(work)))
    updates = total + _RISE_WORK * rising_offset[: len(total)]
    offset = [0]
    rows: list[list[int]] = []
    reach_rows: list[list[int]] = []
    for first, end in _pairs(arrays.group_offset):
        begins = [g for g in range(first, end) if g == first or depths[g] != depths[g - 1]]
        small_before = False
        for low, high in _pairs([*begins, end]):
            small = bool(total[high] - total[low] < _LEAST_STEP)
            if small and small_before:
                rows[-1][1:] = reach_rows[-1][1:] = [high] * threads
            elif small:
                rows.append([low] + [high] * threads)
                reach_rows.append([low] + [high] * threads)
            else:
                rows.append(_split(updates, low, high, threads))
                reach_rows.append(_split(total, low, high, threads))
            small_before = small
        offset.append(len(rows))
    tables = (np.array(starts, np.int64).reshape(-1, threads + 1) for starts in (rows, reach_rows))
    updated, reached = tables
    return _Steps(np.array(offset, dtype=np.int64), updated, reached)


def _split(total: Int64Array, low: int, high: int, parts: int) -> list[int]:
    """low, the bounds that part low .. high as evenly as `total` allows, and high."""
    wanted = total[low] + (total[high] - total[low]) * np.arange(1, parts) / parts
    bounds = np.clip(np.searchsorted(total, wanted), low, high)
    before = np.maximum(bounds - 1, low)
    nearer = wanted - total[before] < total[bounds] - wanted
    return [low, *np.where(nearer, before, bounds).tolist(), high]


def _chunks(arrays: SequenceArrays, threads: int) -> tuple[Int64Array, Int64Array]:
    """Cut the tiles of each player into chunks where a tile has a whole vector to itself.

    Returns the first chunk of each queue, and the first tile of each chunk, see `Shares`.
    """
    if arrays.outer_index.ndim == 1:
        runs = np.arange(len(arrays.tile_first) + 1)
    else:
        runs = arrays.tile_pointer.astype(np.int64)
    total = arrays.outer_pointer[runs] + _RUN_WORK * (runs + np.arange(len(runs)))
    gaps = np.diff(arrays.tile_first.astype(np.int64), prepend=-LANES)
    offset, bounds = [0], [0]
    for first, end in _pairs(arrays.tile_offset):
        # store_lanes writes LANES numbers: only here can a chunk not spill into another thread's.
        fit = first + 1 + np.flatnonzero(gaps[first + 1 : end] >= LANES)
        count = _CHUNKS * threads
        wanted = total[first] + (total[end] - total[first]) * np.arange(1, count) / count
        places = np.searchsorted(total[fit], wanted)
        inner = np.unique(fit[places[places < len(fit)]])
        begins = np.concatenate(([first], inner))
        share = (total[begins] - total[first]) * threads // max(int(total[end] - total[first]), 1)
        offset += (len(bounds) - 1 + np.searchsorted(share, np.arange(1, threads + 1))).tolist()
        bounds += [*inner.tolist(), end]
    return np.array(offset, dtype=np.int64), np.array(bounds, dtype=np.int64)


def _rising(arrays: SequenceArrays, parent: Int64Array) -> _Rising:
    """Sort infosets by the group of their parent, in the order in which one thread adds them."""
    first = arrays.group_first_infoset.astype(np.int64)
    size = arrays.group_size.astype(np.int64)
    backwards = np.concatenate(
        [np.arange(b, b + n) for b, n in zip(first[::-1], size[::-1], strict=True)]
        or [np.zeros(0, dtype=np.int64)]
    )
    # Stable: additions come in the order of one thread, last groups first, hence with its bits.
    order = backwards[np.argsort(parent[backwards], kind="stable")].astype(np.uint32)
    num_parents = len(first) + len(arrays.group_offset) - 1
    offset = np.concatenate(([0], np.cumsum(np.bincount(parent, minlength=num_parents))))
    return _Rising(offset.astype(np.int64), order, arrays.parent_sequence[order])


def _pairs(bounds: Any) -> Iterator[tuple[int, int]]:
    """Neighbours in a list of bounds."""
    numbers = [int(bound) for bound in bounds]
    return zip(numbers, numbers[1:], strict=False)
