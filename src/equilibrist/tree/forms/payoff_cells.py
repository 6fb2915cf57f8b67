"""Payoffs as cells: vectors of eight neighbouring own sequences, in small integers if exact."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import UnsupportedError
from equilibrist.kernels import LANES
from equilibrist.storage.alignment import aligned
from equilibrist.tree.forms.link import Linked
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt32Array, UInt64Array

EXACT = 1e-13
"""Relative error up to which a payoff counts as a multiple of the game's payoff unit."""
NARROW = 1 << 16
"""Shapes, and sequences, up to which a cell has 32 bits: half the bytes to stream through."""
_BLOCK = 1 << 16
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 30, 60)

_DWARFED: Final = 1024.0
"""An offset is taken out of payoffs if it is more than this many times their range."""


class PayoffCells(NamedTuple):
    """The payoff fields of `SequenceArrays`, which says what they mean."""

    tile_offset: Int64Array
    tile_first: UInt32Array
    tile_pointer: UInt32Array
    outer_index: UInt32Array
    outer_pointer: UInt32Array
    cell: UInt32Array | UInt64Array
    shape_value: FloatArray
    scale: FloatArray


class _Part(NamedTuple):
    """One player's payoffs; pointers count from this player's first run and cell."""

    first: UInt32Array
    tile_pointer: UInt32Array
    outer: UInt32Array
    pointer: UInt32Array
    other: UInt32Array
    shape: UInt32Array
    value: FloatArray
    scale: float


def common_offset(least: FloatArray, most: FloatArray) -> FloatArray:
    """The part that all payoffs of a player share, if it dwarfs their differences, else 0.

    Regrets and gains are differences, which rounding would hide behind a large offset; that of
    neighbouring numbers is exact.

    Args:
        least: float64[P], the least payoff of each player.
        most: float64[P], the greatest.

    Returns:
        float64[P].
    """
    dwarfs = np.minimum(np.abs(least), np.abs(most)) > _DWARFED * (most - least)
    return np.where(dwarfs & (most > least) & (np.sign(least) == np.sign(most)), least, 0.0)


def pack_payoffs(
    payoff: FloatArray, linked: Linked, sequence_offset: Int64Array, tile: UInt32Array
) -> PayoffCells:
    """Lay out every player's payoffs; see `SequenceArrays` for the shapes.

    `linked.leaf_sequence` holds engine sequences, and the leaf arrays are emptied in the end;
    `tile`, uint32[S], holds the first sequence of each sequence's tile.
    """
    leaves, players = payoff.shape
    if leaves * players >= 2**31:
        raise UnsupportedError(
            f"{leaves:,} terminals are more than 32-bit indices can number",
            option="terminals",
            given=leaves,
        )
    payoff = payoff.view()
    payoff.flags.writeable = False  # as that of a walk: one compiled kernel for both
    parts = []
    for player in range(players):
        order = _sorted_leaves(linked.leaf_sequence, player, sequence_offset, tile)
        sequences = slice(int(sequence_offset[player]), int(sequence_offset[player + 1]))
        parts.append(_cells_of(payoff, linked, player, tile, order, sequences))
        del order
    for leaf_array in (linked.leaf_sequence, linked.leaf_probability):
        leaf_array.resize(0, refcheck=False)  # read for the last time: lowers the peak by a fifth
    return _joined(parts)


def _sorted_leaves(
    leaf_sequence: Int32Array, player: int, sequence_offset: Int64Array, tile: UInt32Array
) -> Int32Array:
    """Leaves sorted by own tile, then by the others' sequences from the first on."""
    from equilibrist.kernels.tree import build

    order = np.arange(len(leaf_sequence), dtype=np.int32)
    spare = np.empty_like(order)
    same = np.arange(len(tile), dtype=np.uint32)
    others = [p for p in range(leaf_sequence.shape[1] - 1, -1, -1) if p != player]
    for p in [*others, player]:
        low, high = int(sequence_offset[p]), int(sequence_offset[p + 1])
        counts = np.empty(high - low + 1, dtype=np.int64)
        table = tile if p == player else same
        build.counting_sort(leaf_sequence, p, table, low, order, counts, spare)
        order, spare = spare, order
    return order


def _cells_of(
    payoff: FloatArray,
    linked: Linked,
    player: int,
    tile: UInt32Array,
    order: Int32Array,
    sequences: slice,
) -> _Part:
    """One player's payoffs, in int8 if they are small multiples of one unit."""
    unit = _payoff_unit(payoff, linked, player)
    if unit:
        part = _packed(payoff, linked, player, tile, order, sequences, unit, np.dtype(np.int8))
        if part is not None:
            return part
    part = _packed(payoff, linked, player, tile, order, sequences, 0.0, np.dtype(np.float64))
    assert part is not None  # only int8 can overflow
    return part


def _packed(
    payoff: FloatArray,
    linked: Linked,
    player: int,
    tile: UInt32Array,
    order: Int32Array,
    sequences: slice,
    unit: float,
    dtype: np.dtype[Any],
) -> _Part | None:
    """Count, then fill; None if a sum of leaves does not fit into int8."""
    from equilibrist.kernels.tree import build

    players = payoff.shape[1]
    last_other = max((p for p in range(players) if p != player), default=player)
    size = np.zeros(4, dtype=np.int64)
    for count_only in (True, False):
        tiles, runs, cells = (int(n) for n in size[:3])
        first = np.empty(tiles, dtype=np.uint32)
        tile_pointer = np.empty(tiles + 1, dtype=np.uint32)
        outer = np.empty((max(players - 2, 0), runs), dtype=np.uint32)
        pointer = np.empty(runs + 1, dtype=np.uint32)
        other = np.empty(cells, dtype=np.uint32)
        value = np.zeros(LANES * cells, dtype=dtype)
        build.pack_cells(
            linked.leaf_sequence,
            linked.leaf_probability,
            payoff,
            player,
            last_other,
            tile,
            order,
            unit,
            count_only,
            first,
            tile_pointer,
            outer,
            pointer,
            other,
            value,
            size,
        )
    if size[3]:
        return None
    # Tiles without terminals get an empty run, so that a push writes every sequence.
    starts = np.unique(tile[sequences])
    position = np.searchsorted(first, starts)
    if players <= 2:
        pointer = np.append(pointer[position], pointer[-1])
        tile_pointer = np.arange(len(starts) + 1, dtype=np.uint32)
    else:
        tile_pointer = np.append(tile_pointer[position], tile_pointer[-1])
    shape, distinct = _shapes(value)
    return _Part(
        first=starts,
        tile_pointer=tile_pointer,
        outer=outer,
        pointer=pointer,
        other=other,
        shape=shape,
        value=distinct,
        scale=unit or 1.0,
    )


def _shapes(value: NDArray[Any]) -> tuple[UInt32Array, FloatArray]:
    """Number the distinct cells: poker has a few hundred, however many lines it has.

    They stay in the first-level cache and need no conversion, where the cells themselves would be
    read from further away. Payoffs in float64 rarely repeat, and keep one shape per cell.
    """
    if value.dtype != np.int8:
        return np.arange(len(value) // LANES, dtype=np.uint32), value
    distinct, shape = np.unique(value.view(np.uint64), return_inverse=True)
    return shape.astype(np.uint32), distinct.view(np.int8).astype(np.float64)


def _payoff_unit(payoff: FloatArray, linked: Linked, player: int) -> float:
    """The unit of which all of a player's chance-weighted payoffs are small multiples, or 0."""
    blocks = [slice(k, k + _BLOCK) for k in range(0, len(payoff), _BLOCK)]

    def values(block: slice) -> FloatArray:
        return np.abs(linked.leaf_probability[block] * payoff[block, player])

    least, greatest = np.inf, 0.0
    for block in blocks:  # in blocks, so that no temporary is as large as the game
        magnitude = values(block)
        greatest = max(greatest, float(magnitude.max()))
        magnitude[magnitude == 0.0] = np.inf
        least = min(least, float(magnitude.min()))
    if greatest == 0.0:
        return 1.0
    for divisor in _DIVISORS:
        unit = least / divisor
        if greatest / unit > 127.5:
            break
        if all(_is_multiple(values(block), unit) for block in blocks):
            return unit
    return 0.0


def _is_multiple(block: FloatArray, unit: float) -> bool:
    multiple = block / unit
    rounded = np.rint(multiple)
    return bool(np.all(np.abs(multiple - rounded) <= EXACT * rounded))


def _joined(parts: list[_Part]) -> PayoffCells:
    """All players' payoffs one after the other."""
    offset = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part.first) for part in parts], out=offset[1:])
    runs = np.cumsum([0] + [len(part.pointer) - 1 for part in parts])
    cells = np.cumsum([0] + [len(part.other) for part in parts])
    shapes = np.cumsum([0] + [len(part.value) // LANES for part in parts])
    tile_pointers = [p.tile_pointer[:-1] + np.uint32(n) for p, n in zip(parts, runs, strict=False)]
    pointers = [p.pointer[:-1] + np.uint32(n) for p, n in zip(parts, cells, strict=False)]
    small = max(shapes[-1], *(p.other.max(initial=0) + 1 for p in parts)) <= NARROW
    kind = np.dtype(np.uint32 if small else np.uint64)
    numbered = [
        (p.shape + np.uint32(n)).astype(kind) << 4 * kind.itemsize | p.other
        for p, n in zip(parts, shapes, strict=False)
    ]
    outer = np.ascontiguousarray(np.concatenate([part.outer for part in parts], axis=1))
    shape_value = aligned(int(shapes[-1]) * LANES)
    np.concatenate([part.value for part in parts], out=shape_value)
    return PayoffCells(
        tile_offset=offset,
        tile_first=np.concatenate([part.first for part in parts]),
        tile_pointer=np.concatenate([*tile_pointers, runs[-1:].astype(np.uint32)]),
        outer_index=outer if len(outer) else np.zeros(0, dtype=np.uint32),
        outer_pointer=np.concatenate([*pointers, cells[-1:].astype(np.uint32)]),
        cell=np.concatenate(numbered),
        shape_value=shape_value,
        scale=np.array([part.scale for part in parts]),
    )
