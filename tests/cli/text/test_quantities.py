"""Amounts as people write them."""

from __future__ import annotations

import pytest

from equilibrist.cli.text.quantities import read_count
from equilibrist.errors import ConfigError
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("5000", 5000),
        ("10_000", 10_000),
        ("10,000", 10_000),
        ("1e6", 10**6),
        ("1.5e3", 1500),
        ("9007199254740993", 2**53 + 1),
        ("99999999999999999999", 10**20 - 1),
    ],
)
def test_counts_are_exact(text: str, count: int) -> None:
    assert read_count(text) == count


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "1e-3", "x", "", "1e999999999", "9" * 4000])
def test_what_is_no_count(text: str) -> None:
    with refuses(ConfigError, option="iterations", given=text):
        read_count(text, "iterations")
