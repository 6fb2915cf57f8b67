"""Where arrays begin in memory."""

from __future__ import annotations

import numpy as np

from equilibrist.storage.alignment import aligned, side_by_side


def test_aligned_arrays_begin_a_cache_line() -> None:
    for size in (1, 7, 1000):
        array = aligned(size)
        assert array.ctypes.data % 64 == 0
        assert array.tolist() == [0.0] * size


def test_arrays_side_by_side_are_staggered_copies() -> None:
    given = [np.arange(float(n)) for n in (3, 1000, 5, 8, 2)]
    copies = side_by_side(given)
    assert [a.tolist() for a in copies] == [a.tolist() for a in given]
    assert [a.ctypes.data % 4096 for a in copies] == [0, 512, 1024, 1536, 2048]
    copies[1][0] = -1.0
    assert given[1][0] == 0.0
