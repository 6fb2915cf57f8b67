"""Working memory of a thread: rows of reach and values, and the terminal nodes of a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import ENDS, TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import SUMS, Lanes, Scratch
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram

_CACHE_LINE: Final = 64


def numbers(size: int, dtype: Any) -> NDArray[Any]:
    """Zeros aligned to a cache line, for faster vector loads."""
    raw = np.zeros(size + _CACHE_LINE // np.dtype(dtype).itemsize, dtype)
    shift = -raw.ctypes.data % _CACHE_LINE // raw.itemsize
    return raw[shift : shift + size]


def working_memory(
    betting: BettingProgram,
    root: Sequence[NDArray[Any]],
    out: NDArray[Any],
    dtype: Any,
    *,
    apart: bool,
    exact: bool = False,
    responds: bool = False,
) -> Scratch:
    """Allocate the working memory of a thread.

    While a player is updated, the opponent's reach and the player's values are needed and share a
    block of memory. `apart`: the player's own reach is needed too, and overlaps with neither.
    `exact`: terminal nodes are evaluated in float64. `responds`: strategies are logit responses.
    """
    wide = len(root[0]), len(root[1])
    widest, actions = max(wide), betting.most_actions
    most_entries = int(np.diff(betting.program.entries).max())
    places = filled_up(max(actions, 2 * most_entries), 8)  # no false sharing with other threads
    reach = [rows * width for rows, width in zip(betting.reach_rows, wide, strict=True)]
    value = [rows * width for rows, width in zip(betting.value_rows, wide, strict=True)]
    starts = [TILE, TILE + reach[0]] if apart else [TILE, TILE]
    begins = [TILE + length for length in ([sum(reach)] * 2 if apart else reach[::-1])]
    size = max(begin + length for begin, length in zip(begins, value, strict=True))
    block = numbers(size + TILE, dtype)  # kernels read up to TILE numbers beyond either end
    shares = np.ones(actions + 1)
    shares[1:] /= np.arange(1, actions + 1)
    return Scratch(
        root=(root[0], root[1]),
        won=(numbers(wide[0], dtype), numbers(wide[1], dtype)),
        reach=(_piece(block, starts[0], reach[0]), _piece(block, starts[1], reach[1])),
        value=(_piece(block, begins[0], value[0]), _piece(block, begins[1], value[1])),
        rows=numbers(3 * actions * widest, dtype),
        at=numbers(places, np.uintp),
        lanes=_lanes(0 if exact else widest, dtype),
        exact=_lanes(widest if exact else 0, np.float64),
        shares=shares.astype(dtype),
        met=numbers(ENDS * widest if responds else 0, dtype),
        out=out,
    )


def bytes_of(scratch: Scratch) -> int:
    """Bytes of a thread's own arrays, without `root` and `out`."""
    block = scratch.reach[0].base
    arrays = [scratch.rows, scratch.at, scratch.shares, scratch.met, *scratch.won]
    arrays += [*scratch.lanes, *scratch.exact]
    return int(block.nbytes) + sum(int(array.nbytes) for array in arrays)


def _lanes(widest: int, dtype: Any) -> Lanes:
    """Arrays for the terminal nodes of a board; empty for width 0."""
    size = widest * ENDS
    return Lanes(
        numbers(size + ENDS if size else 0, dtype),
        numbers(size, dtype),
        numbers(size, dtype),
        numbers(SUMS if size else 0, dtype),
    )


def _piece(block: NDArray[Any], start: int, size: int) -> NDArray[Any]:
    return block[start : start + size]
