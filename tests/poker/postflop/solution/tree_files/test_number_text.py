"""Numbers as text by array operations, held against Python's own."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.postflop.solution.tree_files.number_text import (
    Form,
    decimals,
    joined,
    six_digits,
    words,
    written,
)
from equilibrist.typing import FloatArray, UInt64Array

RANDOM = np.random.default_rng(0)
DRAWN = RANDOM.normal(size=5000) * 10.0 ** RANDOM.integers(-9, 5, 5000)
ROUND = np.concatenate([np.arange(-300, 300) / 1e6, np.arange(-100, 100) / 1000, np.arange(40) / 8])
ODD = np.array([0.0, -0.0, -1e-9, 9999.9999999, 10000, -12345.678, 123456789.123456, 2e9, 1e300])
TIES = (RANDOM.integers(0, 10**7, 3000) + 0.5) / 10**7


def texts(rows: UInt64Array) -> list[str]:
    """The text of each number."""
    return written(joined((len(rows),), [rows, " "])).decode().split(" ")[:-1]


@pytest.mark.parametrize("values", [
    DRAWN, DRAWN[np.abs(DRAWN) < 9000], ROUND, ODD, TIES, np.array([np.nan, 1, np.nan]),
    np.array([]),
])  # fmt: skip
def test_six_decimals(values: FloatArray) -> None:
    rounded = (np.round(values, 6) + 0.0).tolist()
    as_json = ["null" if value != value else repr(value) for value in rounded]
    assert texts(decimals(values, Form.JSON)) == as_json
    plain = [f"{value:.6f}".rstrip("0").rstrip(".") if value == value else "" for value in rounded]
    assert texts(decimals(values, Form.CSV)) == plain
    assert texts(decimals(values, Form.CSV, ",")) == [f"{text}," for text in plain]


@pytest.mark.parametrize("values", [
    np.abs(DRAWN), np.abs(ROUND), np.abs(ODD), TIES,
    np.array([5e-5, 1e-300, 9.999995e-5, 1e-4, 0.00099999951, 999999.5, 0.1, 1.0]),
])  # fmt: skip
def test_six_significant_digits(values: FloatArray) -> None:
    rounded = [f"{value:.6g}" for value in values.tolist()]
    assert texts(six_digits(values, Form.CSV)) == rounded
    assert texts(six_digits(values, Form.CSV, ",")) == [f"{text}," for text in rounded]
    assert texts(six_digits(values, Form.JSON)) == [repr(float(text)) for text in rounded]


def test_pieces_are_joined_for_every_row() -> None:
    names = words(["a", "longer than a word", ""])
    rows = joined((2, 3), ["<", names, ">", words(["x", "y"])[:, None], "\n"])
    assert written(rows) == b"<a>x\n<longer than a word>x\n<>x\n<a>y\n<longer than a word>y\n<>y\n"
