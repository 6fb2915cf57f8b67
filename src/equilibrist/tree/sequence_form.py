"""The sequence form of a compiled game: the arrays that full passes of CFR stream through.

Per player the infosets are grouped by (own depth, number of actions) and sequences are numbered
action-major inside a group (sequence = first + action * size + infoset), so that regret
matching runs down contiguous columns. Infosets with one action are folded into the sequence
above them. Payoffs stand once per updating player as a push: for each tuple of the others'
sequences a run of (own sequence, chance probability * payoff).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.tree.walk import Walk
from equilibrist.typing import FloatArray, Int8Array, Int32Array, Int64Array, UInt32Array

GROUP_LIMIT = 2048
"""Largest number of sequences in a group: its columns then stay in the first-level cache."""
MAX_ENTRIES = 2**32 - 1


class SequenceArrays(NamedTuple):
    """What kernels read; all arrays read-only. P players, G groups, S sequences, I infosets.

    Infosets and sequences are in engine order; infosets with one action do not occur.
    """

    sequence_offset: Int64Array  # [P + 1]; a player's first sequence is the empty one
    group_offset: Int64Array  # [P + 1]
    group_first_sequence: UInt32Array  # [G]
    group_first_infoset: UInt32Array  # [G]
    group_size: UInt32Array  # [G] infosets
    group_actions: UInt32Array  # [G]
    parent_sequence: UInt32Array  # [I]
    tuple_offset: Int64Array  # [P + 1]
    tuple_columns: UInt32Array  # [P - 1, C]
    tuple_pointer: UInt32Array  # [C + 1]
    entry_row: UInt32Array  # [E] own sequence
    entry_value: FloatArray  # [E] chance probability * payoff


@dataclass(frozen=True)
class SequenceForm:
    """A game of perfect recall in sequence form, with the way back to public order.

    `sequence_of_public`, int64[Q], gives for each public (infoset, action) its engine sequence;
    for an infoset with one action that is the sequence above it. `public_forced`, bool[Q], marks
    those.
    """

    arrays: SequenceArrays
    sequence_of_public: Int64Array
    public_forced: np.ndarray[tuple[int], np.dtype[np.bool_]]
    public_parent: Int64Array  # [infosets] engine sequence above each public infoset

    @property
    def num_players(self) -> int:
        """Number of players P."""
        return len(self.arrays.sequence_offset) - 1

    @property
    def num_sequences(self) -> int:
        """Engine sequences S: one empty one per player, none for forced infosets."""
        return int(self.arrays.sequence_offset[-1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        own = self.sequence_of_public.nbytes + self.public_forced.nbytes + self.public_parent.nbytes
        return own + sum(a.nbytes for a in self.arrays)

    def to_engine(self, public: FloatArray) -> FloatArray:
        """float64[Q] per (infoset, action) in public order -> float64[S]; empty sequences 1."""
        engine = np.ones(self.num_sequences)
        keep = ~self.public_forced
        engine[self.sequence_of_public[keep]] = public[keep]
        return engine

    def to_public(self, engine: FloatArray) -> FloatArray:
        """float64[S] -> float64[Q] in public order; actions of forced infosets get 1."""
        public = np.where(self.public_forced, 1.0, engine[self.sequence_of_public])
        return np.asarray(public, dtype=np.float64)

    def uniform(self) -> FloatArray:
        """The uniform behavioural strategy of all players, float64[S]."""
        behaviour = np.ones(self.num_sequences)
        a = self.arrays
        for first, size, actions in zip(
            a.group_first_sequence.tolist(),
            a.group_size.tolist(),
            a.group_actions.tolist(),
            strict=True,
        ):
            behaviour[first : first + size * actions] = 1.0 / actions
        return behaviour

    def reach(self, behaviour: FloatArray) -> FloatArray:
        """Realization plan: own reach of each engine sequence under a behaviour, float64[S]."""
        from equilibrist.kernels.passes import all_reach

        reach = np.ones(self.num_sequences)
        all_reach(self.arrays, np.ascontiguousarray(behaviour), reach)
        return reach

    def payoff_entries(self) -> tuple[Int64Array, Int64Array, FloatArray]:
        """Two players: player 0's payoff matrix as (rows, columns, values) over sequences.

        Rows are player 0's engine sequences, columns player 1's, both counted from 0; values
        are payoff times chance probability.
        """
        if self.num_players != 2:
            raise UnsupportedError(
                f"a payoff matrix needs two players; this game has {self.num_players}"
            )
        a = self.arrays
        low, high = int(a.tuple_offset[0]), int(a.tuple_offset[1])
        runs = np.diff(a.tuple_pointer[low : high + 1].astype(np.int64))
        columns = np.repeat(a.tuple_columns[0, low:high].astype(np.int64), runs)
        first, last = int(a.tuple_pointer[low]), int(a.tuple_pointer[high])
        rows = a.entry_row[first:last].astype(np.int64)
        return rows, columns - int(a.sequence_offset[1]), a.entry_value[first:last]

    def infosets_of(self, player: int) -> list[tuple[int, list[int]]]:
        """Per unforced infoset of `player`: its parent sequence and its action sequences."""
        a = self.arrays
        found = []
        for g in range(int(a.group_offset[player]), int(a.group_offset[player + 1])):
            first, size = int(a.group_first_sequence[g]), int(a.group_size[g])
            base = int(a.group_first_infoset[g])
            for i in range(size):
                own = [first + k * size + i for k in range(int(a.group_actions[g]))]
                found.append((int(a.parent_sequence[base + i]), own))
        return found


class Linked(NamedTuple):
    """What the preorder pass over a walk found (raw sequences, order of first visit)."""

    offset: Int32Array  # [I + 1]
    parent_sequence: Int32Array  # [I]
    leaf_sequence: Int32Array  # [L, P]
    leaf_probability: FloatArray  # [L]
    depth: int
    bad_node: int  # -1, or a node where perfect recall fails


def link_walk(walk: Walk) -> Linked:
    """Run the preorder pass; imperfect recall is reported in `bad_node`, not raised."""
    from equilibrist.kernels import build

    counts = np.array([len(legal) for legal in walk.labels], dtype=np.int32)
    offset = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=offset[1:])
    leaves = len(walk.payoff)
    parent_sequence = np.empty(len(counts), dtype=np.int32)
    leaf_sequence = np.empty((leaves, walk.num_players), dtype=np.int32)
    leaf_probability = np.empty(leaves)
    shape = np.zeros(2, dtype=np.int64)
    levels = 64
    while True:
        parent_sequence[:] = -2
        status = int(
            build.link(
                walk.parent,
                walk.infoset,
                walk.owner,
                offset,
                walk.chance_count,
                walk.chance_probability,
                np.empty(levels, dtype=np.int32),
                np.empty(levels, dtype=np.int32),
                np.empty(levels, dtype=np.int64),
                np.empty(levels),
                np.empty((levels, walk.num_players), dtype=np.int32),
                parent_sequence,
                leaf_sequence,
                leaf_probability,
                shape,
            )
        )
        if status == build.OK:
            break
        levels *= 4
    return Linked(offset, parent_sequence, leaf_sequence, leaf_probability, int(shape[0]), int(shape[1]))


def build_sequence_form(walk: Walk, linked: Linked, public_of_walk: Int64Array) -> SequenceForm:
    """Number sequences for the engine, then lay out each player's payoffs as a push.

    `public_of_walk`, int64[I], is the public number of each infoset of the walk.
    `linked.leaf_sequence` is overwritten.
    """
    from equilibrist.kernels import build

    counts = np.diff(linked.offset)
    num_raw = int(linked.offset[-1])
    sequence_infoset = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    effective = np.empty(num_raw, dtype=np.int32)
    own_depth = np.empty(len(counts), dtype=np.int32)
    build.fold_forced(
        linked.parent_sequence, linked.offset, sequence_infoset, effective, own_depth
    )
    layout = _lay_out(walk.owner, counts, own_depth, linked.parent_sequence, effective, linked)
    build.translate(
        linked.leaf_sequence,
        layout.engine_of_raw,
        layout.sequence_offset[:-1].astype(np.int32),
    )
    tuples = _tuples(walk, linked, layout.sequence_offset)
    arrays = SequenceArrays(
        layout.sequence_offset,
        layout.group_offset,
        *layout.groups,
        layout.parent_sequence,
        *tuples,
    )
    for array in arrays:
        array.flags.writeable = False
    return _with_public_order(arrays, layout, linked, counts, walk.owner, public_of_walk)


class _Layout(NamedTuple):
    sequence_offset: Int64Array
    group_offset: Int64Array
    groups: tuple[UInt32Array, UInt32Array, UInt32Array, UInt32Array]
    parent_sequence: UInt32Array
    engine_of_raw: Int32Array
    effective: Int32Array


def _lay_out(
    owner: Int8Array,
    counts: Int32Array,
    own_depth: Int32Array,
    raw_parent: Int32Array,
    effective: Int32Array,
    linked: Linked,
) -> _Layout:
    """Group unforced infosets by (player, depth, actions) and number their sequences."""
    players = linked.leaf_sequence.shape[1]
    free = np.flatnonzero(counts > 1)
    order = free[np.lexsort((free, counts[free], own_depth[free], owner[free]))]
    key = np.stack([owner[order], own_depth[order], counts[order]])
    breaks = np.flatnonzero(np.any(key[:, 1:] != key[:, :-1], axis=0)) + 1
    bounds = [0, *breaks.tolist(), len(order)] if len(order) else [0]
    engine_of_raw = np.full(len(effective), -1, dtype=np.int32)
    firsts: list[int] = []
    infosets: list[int] = []
    sizes: list[int] = []
    actions: list[int] = []
    sequence_offset = np.zeros(players + 1, dtype=np.int64)
    group_offset = np.zeros(players + 1, dtype=np.int64)
    parent_sequence = np.empty(len(order), dtype=np.uint32)
    next_sequence = 0
    player = -1
    for low, high in zip(bounds, bounds[1:], strict=False):
        while player < owner[order[low]]:  # the empty sequences of this player and any between
            player += 1
            sequence_offset[player] = next_sequence
            group_offset[player] = len(firsts)
            next_sequence += 1
        width = int(counts[order[low]])
        block = max(16, GROUP_LIMIT // width)
        for start in range(low, high, block):
            part = order[start : min(start + block, high)]
            size = len(part)
            firsts.append(next_sequence)
            infosets.append(start)
            sizes.append(size)
            actions.append(width)
            raw_first = linked.offset[part]
            for a in range(width):
                engine_of_raw[raw_first + a] = np.arange(size) + next_sequence + a * size
            above = raw_parent[part]
            above = np.where(above < 0, -1, effective[above])
            parent_sequence[start : start + size] = np.where(
                above < 0, sequence_offset[player], engine_of_raw[above]
            )
            next_sequence += size * width
    while player < players - 1:  # players without a choice
        player += 1
        sequence_offset[player] = next_sequence
        group_offset[player] = len(firsts)
        next_sequence += 1
    sequence_offset[players] = next_sequence
    group_offset[players] = len(firsts)
    if len(effective):  # raw sequences of forced infosets: the sequence above, or the empty one
        raw_owner = np.repeat(owner, counts)
        stands_for = np.where(
            effective < 0, sequence_offset[raw_owner], engine_of_raw[effective]
        )
        engine_of_raw = stands_for.astype(np.int32)
    groups = (
        np.array(firsts, dtype=np.uint32),
        np.array(infosets, dtype=np.uint32),
        np.array(sizes, dtype=np.uint32),
        np.array(actions, dtype=np.uint32),
    )
    return _Layout(
        sequence_offset, group_offset, groups, parent_sequence, engine_of_raw, effective
    )


def _tuples(
    walk: Walk, linked: Linked, sequence_offset: Int64Array
) -> tuple[Int64Array, UInt32Array, UInt32Array, UInt32Array, FloatArray]:
    from equilibrist.kernels import build

    players, leaves = walk.num_players, len(walk.payoff)
    if leaves * players > MAX_ENTRIES:
        raise UnsupportedError(f"{leaves:,} terminals pass what 32-bit payoff rows can number")
    widths = np.diff(sequence_offset)
    order = np.empty(leaves, dtype=np.int32)
    spare = np.empty(leaves, dtype=np.int32)
    columns: list[UInt32Array] = []
    pointers: list[UInt32Array] = []
    rows: list[UInt32Array] = []
    values: list[FloatArray] = []
    tuple_offset = np.zeros(players + 1, dtype=np.int64)
    size = np.zeros(2, dtype=np.int64)
    start_entry = 0
    for player in range(players):
        order[:] = np.arange(leaves, dtype=np.int32)
        others = [p for p in range(players) if p != player]
        for p in [player, *reversed(others)]:
            counts = np.empty(int(widths[p]) + 1, dtype=np.int64)
            low = int(sequence_offset[p])
            build.counting_sort(linked.leaf_sequence, p, low, order, counts, spare)
            order, spare = spare, order
        for count_only in (True, False):
            c, e = (0, 0) if count_only else (int(size[0]), int(size[1]))
            cols = np.empty((players - 1, c), dtype=np.uint32)
            pointer = np.empty(c + 1, dtype=np.uint32)
            row = np.empty(e, dtype=np.uint32)
            value = np.empty(e)
            build.merge_leaves(
                linked.leaf_sequence,
                linked.leaf_probability,
                walk.payoff,
                player,
                order,
                count_only,
                cols,
                pointer,
                row,
                value,
                size,
            )
        pointer[:-1] += np.uint32(start_entry)
        start_entry += int(size[1])
        columns.append(cols)
        pointers.append(pointer[:-1])
        rows.append(row)
        values.append(value)
        tuple_offset[player + 1] = tuple_offset[player] + int(size[0])
    del order, spare
    pointers.append(np.array([start_entry], dtype=np.uint32))
    return (
        tuple_offset,
        np.ascontiguousarray(np.concatenate(columns, axis=1)),
        np.concatenate(pointers),
        _joined(rows),
        _joined(values),
    )


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """Concatenate, freeing each part as it is copied, to keep the peak low."""
    out = np.empty(sum(len(p) for p in parts), dtype=parts[0].dtype)
    position = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        out[position : position + len(part)] = part
        position += len(part)
    return out


def _with_public_order(
    arrays: SequenceArrays,
    layout: _Layout,
    linked: Linked,
    counts: Int32Array,
    owner: Int8Array,
    public_of_walk: Int64Array,
) -> SequenceForm:
    walk_of_public = np.argsort(public_of_walk)
    public_counts = counts[walk_of_public]
    starts = linked.offset[walk_of_public].astype(np.int64)
    public_offset = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(public_counts, out=public_offset[1:])
    within = np.arange(public_offset[-1]) - np.repeat(public_offset[:-1], public_counts)
    raw_of_public = np.repeat(starts, public_counts) + within
    forced = np.repeat(public_counts == 1, public_counts)
    above = linked.parent_sequence[walk_of_public]
    empty = arrays.sequence_offset[owner[walk_of_public]]
    if len(layout.engine_of_raw):
        parent = np.where(above < 0, empty, layout.engine_of_raw[above])
        sequence = layout.engine_of_raw[raw_of_public].astype(np.int64)
    else:
        parent, sequence = empty, np.zeros(0, dtype=np.int64)
    for array in (sequence, forced, parent):
        array.flags.writeable = False
    return SequenceForm(arrays, sequence, forced, parent.astype(np.int64))
