"""Payoffs as cells: vectors of eight neighbouring own sequences, in small integers if exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import UnsupportedError
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt32Array

if TYPE_CHECKING:
    from equilibrist.tree.layout import Linked

LANES = 8
"""Own sequences in a cell (as in `equilibrist.kernels.lanes`, which needs Numba to import)."""
EXACT = 1e-13
"""Relative error up to which a payoff counts as a multiple of the game's payoff unit."""
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 30, 60)

Cells = tuple[
    Int64Array,
    UInt32Array,
    UInt32Array,
    UInt32Array,
    UInt32Array,
    UInt32Array,
    NDArray[Any],
    FloatArray,
]  # the payoff fields of SequenceArrays, in their order


class _Part(NamedTuple):
    """One player's payoffs; pointers count from this player's first run and cell."""

    first: UInt32Array
    tile_pointer: UInt32Array
    outer: UInt32Array
    pointer: UInt32Array
    other: UInt32Array
    value: NDArray[Any]
    scale: float


def pack_payoffs(
    payoff: FloatArray, linked: Linked, sequence_offset: Int64Array, tile: UInt32Array
) -> Cells:
    """Lay out every player's payoffs; see `SequenceArrays` for the shapes.

    `linked.leaf_sequence` holds engine sequences; `tile`, uint32[S], the first sequence of the
    tile that holds each sequence.
    """
    leaves, players = payoff.shape
    if leaves * players >= 2**31:
        raise UnsupportedError(f"{leaves:,} terminals are more than 32-bit indices can number")
    parts = []
    for player in range(players):
        order = _sorted_leaves(linked.leaf_sequence, player, sequence_offset, tile)
        parts.append(_cells_of(payoff, linked, player, tile, order))
    return _joined(parts)


def _sorted_leaves(
    leaf_sequence: Int32Array, player: int, sequence_offset: Int64Array, tile: UInt32Array
) -> Int32Array:
    """Leaves sorted by own tile, then by the others' sequences from the first on."""
    from equilibrist.kernels import build

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
    payoff: FloatArray, linked: Linked, player: int, tile: UInt32Array, order: Int32Array
) -> _Part:
    from equilibrist.kernels import build

    players = payoff.shape[1]
    last_other = max((p for p in range(players) if p != player), default=player)
    size = np.zeros(3, dtype=np.int64)
    for count_only in (True, False):
        tiles, runs, cells = (int(n) for n in size)
        first = np.empty(tiles, dtype=np.uint32)
        tile_pointer = np.empty(tiles + 1, dtype=np.uint32)
        outer = np.empty((max(players - 2, 0), runs), dtype=np.uint32)
        pointer = np.empty(runs + 1, dtype=np.uint32)
        other = np.empty(cells, dtype=np.uint32)
        value = np.zeros(LANES * cells)
        build.pack_cells(
            linked.leaf_sequence,
            linked.leaf_probability,
            payoff,
            player,
            last_other,
            tile,
            order,
            count_only,
            first,
            tile_pointer,
            outer,
            pointer,
            other,
            value,
            size,
        )
    packed, scale = _as_small_integers(value)
    return _Part(first, tile_pointer, outer, pointer, other, packed, scale)


def _as_small_integers(value: FloatArray) -> tuple[NDArray[Any], float]:
    """int8 multiples of one unit and that unit, where exact; else the values and 1."""
    magnitude = np.abs(value)
    greatest = float(magnitude.max(initial=0.0))
    if greatest == 0.0:
        return np.zeros(len(value), dtype=np.int8), 1.0
    magnitude[magnitude == 0.0] = np.inf
    least = float(magnitude.min())
    del magnitude
    for divisor in _DIVISORS:
        unit = least / divisor
        if greatest / unit > 127.5:
            break
        multiple = value / unit
        rounded = np.rint(multiple)
        np.subtract(multiple, rounded, out=multiple)
        np.abs(multiple, out=multiple)
        if np.all(multiple <= EXACT * np.abs(rounded)):
            return rounded.astype(np.int8), unit
    return value, 1.0


def _joined(parts: list[_Part]) -> Cells:
    """All players' payoffs one after the other, of one dtype."""
    small = all(part.value.dtype == np.int8 for part in parts)
    offset = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part.first) for part in parts], out=offset[1:])
    runs = np.cumsum([0] + [len(part.pointer) - 1 for part in parts])
    cells = np.cumsum([0] + [len(part.other) for part in parts])
    tile_pointers = [p.tile_pointer[:-1] + np.uint32(n) for p, n in zip(parts, runs, strict=False)]
    pointers = [p.pointer[:-1] + np.uint32(n) for p, n in zip(parts, cells, strict=False)]
    values = [part.value if small else part.value * part.scale for part in parts]
    return (
        offset,
        np.concatenate([part.first for part in parts]),
        np.concatenate([*tile_pointers, runs[-1:].astype(np.uint32)]),
        np.ascontiguousarray(np.concatenate([part.outer for part in parts], axis=1)),
        np.concatenate([*pointers, cells[-1:].astype(np.uint32)]),
        np.concatenate([part.other for part in parts]),
        np.concatenate(values),
        np.array([part.scale if small else 1.0 for part in parts]),
    )
