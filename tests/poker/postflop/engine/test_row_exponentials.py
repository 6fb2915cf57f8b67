"""Exponentials of rows, against those of NumPy in higher precision."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from equilibrist.kernels import TILE
from equilibrist.kernels.poker.tiles import exp_row, load_row, store_row


@numba.njit
def exponentials(numbers: Any, out: Any) -> None:
    for i in range(0, numbers.shape[0], TILE):
        row: Any = exp_row(load_row(numbers, np.uintp(i)))  # type: ignore[call-arg]
        store_row(out, np.uintp(i), row)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_they_are_right_to_the_last_bit_but_one(dtype: Any) -> None:
    numbers = np.linspace(-80.0, 80.0, 100 * TILE).astype(dtype)
    numbers[0], numbers[1] = np.nan, 0.0
    out = np.empty_like(numbers)
    exponentials(numbers, out)
    wanted = np.exp(numbers.astype(np.longdouble))
    assert np.isnan(out[0])
    assert out[1] == 1.0
    assert np.abs(out[1:] / wanted[1:] - 1.0).max() < np.finfo(dtype).eps
