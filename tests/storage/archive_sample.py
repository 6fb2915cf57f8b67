"""One archive with every type of array, and how to see that it is still whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from equilibrist.storage.archive import read_archive

HEADER = {"game": "kuhn", "iterations": 100, "values": [-1 / 18, 1 / 18], "none": None, "é": "ß\n"}
ARRAYS = {
    "a": np.arange(24.0).reshape(2, 3, 4),
    "bytes": np.array([0, 255, 7], dtype=np.uint8),
    "counts": np.array([-(2**60), 2**60]),
    "empty": np.zeros(0),
    "ids": np.array([1, -1], dtype=np.int32),
    "players": np.array([0, 1, 0], dtype=np.int8),
    "scalar": np.float64(0.1) * np.ones(()),
}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Equal names, dtypes, shapes and bits."""
    return one.keys() == other.keys() and all(
        one[k].dtype == other[k].dtype
        and one[k].shape == other[k].shape
        and one[k].tobytes() == other[k].tobytes()
        for k in one
    )


def unharmed(path: Path) -> None:
    """The file still is what the fixture wrote, and nothing else lies beside it."""
    header, arrays = read_archive(path, "solution")
    assert header == HEADER
    assert same(arrays, ARRAYS)
    assert [p.name for p in path.parent.iterdir()] == [path.name]
