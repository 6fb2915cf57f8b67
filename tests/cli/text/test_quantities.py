"""Amounts as people write them."""

from __future__ import annotations

import pytest

from equilibrist.cli.text.quantities import read_count, value_text
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


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (-1 / 18, None, "-0.055556"),
        (-1 / 18, 4.0, "-0.055556"),
        (-1e-17, 4.0, "0.000000"),
        (-1e-17 / 18, 4e-17, "-5.55556e-19"),
        (-1e-3 / 18, 4e-3, "-5.55556e-05"),
        (-1e-29, 4e-17, "0"),
        (1234.5678, None, "1,234.57"),
        (1234.5678, 4000.0, "1,234.57"),
        (1e6 - 1 / 18, 4.0, "999,999.944444"),
        (1 - 1e-6 / 18, 4e-6, "0.999999944444"),
    ],
)
def test_values_have_six_digits_that_tell_them_apart(
    value: float, unit: float | None, text: str
) -> None:
    assert value_text(value, unit) == text
