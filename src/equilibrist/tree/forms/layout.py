"""Numbering of infosets and sequences in engine order, and the build of the sequence form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels import LANES
from equilibrist.tree.forms.link import Linked
from equilibrist.tree.forms.payoff_cells import common_offset, pack_payoffs
from equilibrist.tree.forms.sequence_form import SequenceArrays, SequenceForm
from equilibrist.tree.walk.histories import Walk
from equilibrist.typing import FloatArray, Int8Array, Int32Array, Int64Array, UInt32Array

GROUP_LIMIT = 2048
"""Most sequences in a group: its columns then stay in the first-level cache."""
FILLED_FROM = 16
"""Infosets from which a group is filled up to whole vectors, and begins where a cache line does."""


class _Folded(NamedTuple):
    effective: Int32Array  # [Q + P]: the unforced sequence that stands for each; Q + p is empty
    parent: Int32Array  # [I]: effective sequence above each infoset
    parent_infoset: Int32Array  # [I]: infoset of that sequence, or -1
    depth: Int32Array  # [I]: own unforced infosets above
    counts: Int32Array  # [I]: actions


class _Groups(NamedTuple):
    first_sequence: UInt32Array  # [G]
    first_infoset: UInt32Array  # [G]
    size: UInt32Array  # [G]: infosets, with those that fill up
    actions: UInt32Array  # [G]


class _Numbering(NamedTuple):
    sequence_offset: Int64Array
    group_offset: Int64Array
    groups: _Groups
    parent_sequence: UInt32Array
    engine: Int32Array  # [Q + P]: engine number of each effective sequence, through `effective`
    tile: UInt32Array  # [S]


def build_sequence_form(walk: Walk, linked: Linked, public_of_walk: Int64Array) -> SequenceForm:
    """Number sequences for the engine, then lay out each player's payoffs in cells.

    `public_of_walk`, int64[I], is the public number of each infoset of the walk.
    The leaf arrays of `linked` are used up.
    """
    from equilibrist.kernels.tree import build

    folded = _fold(walk, linked)
    num_raw = int(linked.offset[-1])
    build.translate(linked.leaf_sequence, folded.effective, num_raw)
    label = _labels(walk.owner, linked, folded)
    numbering = _number(walk.owner, walk.num_players, linked, folded, label)
    build.translate(linked.leaf_sequence, numbering.engine, num_raw)
    offset = common_offset(walk.payoff.min(axis=0), walk.payoff.max(axis=0))
    payoff = walk.payoff - offset if offset.any() else walk.payoff
    cells = pack_payoffs(payoff, linked, numbering.sequence_offset, numbering.tile)
    arrays = SequenceArrays(
        sequence_offset=numbering.sequence_offset,
        group_offset=numbering.group_offset,
        group_first_sequence=numbering.groups.first_sequence,
        group_first_infoset=numbering.groups.first_infoset,
        group_size=numbering.groups.size,
        group_actions=numbering.groups.actions,
        parent_sequence=numbering.parent_sequence,
        tile_offset=cells.tile_offset,
        tile_first=cells.tile_first,
        tile_pointer=cells.tile_pointer,
        outer_index=cells.outer_index,
        outer_pointer=cells.outer_pointer,
        cell=cells.cell,
        shape_value=cells.shape_value,
        scale=cells.scale,
    )
    for array in arrays:
        array.flags.writeable = False
    return _with_public_order(arrays, numbering, linked, folded, public_of_walk, offset)


def _fold(walk: Walk, linked: Linked) -> _Folded:
    from equilibrist.kernels.tree import build

    counts = np.diff(linked.offset)
    num_raw = int(linked.offset[-1])
    sequence_infoset = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    effective = np.empty(num_raw, dtype=np.int32)
    depth = np.empty(len(counts), dtype=np.int32)
    build.fold_forced(
        linked.parent_sequence, linked.offset, walk.owner, sequence_infoset, effective, depth
    )
    empty = np.arange(num_raw, num_raw + walk.num_players, dtype=np.int32)
    effective = np.concatenate([effective, empty])
    raw_parent = linked.parent_sequence
    parent = effective[np.where(raw_parent < 0, num_raw + walk.owner.astype(np.int32), raw_parent)]
    infoset_of = np.concatenate([sequence_infoset, np.full(walk.num_players, -1, dtype=np.int32)])
    return _Folded(effective, parent, infoset_of[parent], depth, counts)


def _labels(owner: Int8Array, linked: Linked, folded: _Folded) -> Int32Array:
    """Label of each infoset: alike infosets of one player and depth share theirs."""
    from equilibrist.kernels.tree import build

    free = np.flatnonzero(folded.counts > 1).astype(np.int32)
    order = free[np.lexsort((-folded.depth[free], owner[free]))]
    key = owner[order].astype(np.int64) << 32 | folded.depth[order]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(key)) + 1, [len(order)]))
    label = np.arange(len(owner), dtype=np.int32)
    if len(order):
        build.public_labels(
            linked.leaf_sequence,
            linked.offset,
            folded.parent_infoset,
            order,
            starts.astype(np.int64),
            np.empty(len(folded.effective), dtype=np.int32),
            np.empty(2 * len(owner) + len(folded.effective), dtype=np.int32),
            label,
        )
    return label


def _number(
    owner: Int8Array, players: int, linked: Linked, folded: _Folded, label: Int32Array
) -> _Numbering:
    """Group unforced infosets by (player, depth, actions) and number their sequences.

    A large group is filled up to whole vectors with infosets that no play reaches, below the empty
    sequence; the numbers skipped before it belong to no infoset.
    """
    counts = folded.counts
    num_raw = int(linked.offset[-1])
    free = np.flatnonzero(counts > 1)
    keys = (free, label[free], counts[free], folded.depth[free], owner[free])
    order = free[np.lexsort(keys)]
    engine = np.zeros(num_raw + players, dtype=np.int32)
    sequence_offset = np.zeros(players + 1, dtype=np.int64)
    group_offset = np.zeros(players + 1, dtype=np.int64)
    groups: list[tuple[int, int, int, int]] = []
    tiles: list[UInt32Array] = []
    parents = [np.zeros(0, dtype=np.int32)]
    position = infosets = 0
    blocks = _blocks(owner, folded, label, order)
    for player in range(players):
        sequence_offset[player] = position
        group_offset[player] = len(groups)
        engine[num_raw + player] = position
        tiles.append(np.array([position], dtype=np.uint32))
        position += 1
        while blocks and owner[order[blocks[-1][0]]] == player:
            low, high = blocks.pop()
            part = order[low:high]
            size, width = high - low, int(counts[part[0]])
            column, first = size, position
            if size >= FILLED_FROM:
                column, first = (-(-n // LANES) * LANES for n in (size, position))
                tiles.append(np.full(first - position, position, dtype=np.uint32))
            spare = np.full(column - size, num_raw + player, dtype=np.int32)
            parents += [folded.parent[part], spare]
            groups.append((first, infosets, column, width))
            starts = _tile_starts(np.append(label[part], np.repeat(label[part[-1]], len(spare))))
            for a in range(width):
                engine[linked.offset[part] + a] = np.arange(size) + (first + a * column)
                tiles.append((starts + (first + a * column)).astype(np.uint32))
            position = first + column * width
            infosets += column
    sequence_offset[players] = position
    group_offset[players] = len(groups)
    engine = engine[folded.effective]  # forced sequences answer with the one above them
    table = np.array(groups, dtype=np.uint32).reshape(-1, 4)
    return _Numbering(
        sequence_offset=sequence_offset,
        group_offset=group_offset,
        groups=_Groups(*(np.ascontiguousarray(column) for column in table.T)),
        parent_sequence=engine[np.concatenate(parents)].astype(np.uint32),
        engine=engine,
        tile=np.concatenate(tiles),
    )


def _blocks(
    owner: Int8Array, folded: _Folded, label: Int32Array, order: Int64Array
) -> list[tuple[int, int]]:
    """Split `order` into groups, the last one first; large groups where a label ends."""
    if not len(order):
        return []
    key = np.stack([owner[order], folded.depth[order], folded.counts[order]])
    breaks = np.flatnonzero(np.any(key[:, 1:] != key[:, :-1], axis=0)) + 1
    bounds = [0, *breaks.tolist(), len(order)]
    label_starts = np.flatnonzero(np.diff(label[order])) + 1
    blocks = []
    for low, high in zip(bounds, bounds[1:], strict=False):
        limit = max(2 * LANES, GROUP_LIMIT // int(folded.counts[order[low]]))
        start = low
        while start < high:
            end = min(start + limit, high)
            if end < high:
                k = int(np.searchsorted(label_starts, end, side="right")) - 1
                if k >= 0 and label_starts[k] > start:
                    end = int(label_starts[k])
            blocks.append((start, end))
            start = end
    blocks.reverse()
    return blocks


def _tile_starts(label: Int32Array) -> Int64Array:
    """For each infoset of a group the first of its tile: at most eight, labels kept together.

    A label of more than eight infosets fills tiles of its own; small ones share a tile.
    """
    fresh = np.concatenate(([True], label[1:] != label[:-1]))
    bounds = np.append(np.flatnonzero(fresh), len(label)).tolist()
    starts: list[int] = []
    start = 0
    for low, high in zip(bounds, bounds[1:], strict=False):
        if high - start > LANES:
            starts.extend(range(low, high, LANES))
            start = starts[-1]
        elif not starts:
            starts.append(low)
    lengths = np.diff(np.append(starts, len(label)))
    return np.repeat(np.array(starts, dtype=np.int64), lengths)


def _with_public_order(
    arrays: SequenceArrays,
    numbering: _Numbering,
    linked: Linked,
    folded: _Folded,
    public_of_walk: Int64Array,
    payoff_offset: FloatArray,
) -> SequenceForm:
    walk_of_public = np.argsort(public_of_walk)
    counts = folded.counts[walk_of_public]
    starts = linked.offset[walk_of_public].astype(np.int64)
    offset = np.concatenate(([0], np.cumsum(counts)))
    within = np.arange(offset[-1]) - np.repeat(offset[:-1], counts)
    raw = np.repeat(starts, counts) + within
    sequence = numbering.engine[raw].astype(np.int64)
    forced = np.repeat(counts == 1, counts)
    parent = numbering.engine[folded.parent[walk_of_public]].astype(np.int64)
    for array in (sequence, forced, parent, payoff_offset):
        array.flags.writeable = False
    return SequenceForm(arrays, sequence, forced, parent, payoff_offset)
