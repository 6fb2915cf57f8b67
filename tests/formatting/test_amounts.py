"""Numbers of things as text."""

from __future__ import annotations

import pytest

from equilibrist.formatting.amounts import (
    bytes_text,
    chips,
    counted,
    measure_text,
    seconds_text,
    significant,
    value_text,
)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 boards"), (1, "1 board"), (2, "2 boards"), (1755, "1,755 boards")]
)
def test_one_thing_has_no_plural(count: int, text: str) -> None:
    assert counted(count, "board") == text


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


def test_amounts_are_written() -> None:
    assert [bytes_text(n) for n in (0, 999, 1000, 1_500_000, 2 * 10**9)] == [
        "0 bytes", "999 bytes", "1.0 kB", "1.5 MB", "2.0 GB"
    ]  # fmt: skip
    assert [seconds_text(s) for s in (0.0123, 12.345, 125, 3725, 360_000, 1e7, 8e13)] == [
        "0.0123 s", "12.3 s", "2:05", "1:02:05", "4 days", "116 days", "over 999 days"
    ]  # fmt: skip
    assert [measure_text(x) for x in (0.0, 1.234567e-5, 0.2777777, 12.0)] == [
        "0", "1.23e-05", "0.2778", "12"
    ]  # fmt: skip
    assert [value_text(x) for x in (-1 / 18, -0.0, -1e-9, 12345.678)] == [
        "-0.055556", "0.000000", "0.000000", "12,345.68"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("amount", "pot", "text"),
    [
        (4.321591, None, "4.32"),
        (4.321591, 6.5, "4.32"),
        (-1e-9, 6.5, "0.00"),
        (float("nan"), 0.01, "-"),
        (0.4321591, 0.5, "0.432159"),
        (0.004321591, 0.01, "0.00432159"),
        (-1e-12, 0.01, "0"),
        (12.5, 0.01, "12.50000000"),
    ],
)
def test_chips_have_more_digits_where_the_pot_is_less_than_one(
    amount: float, pot: float | None, text: str
) -> None:
    assert chips(amount, pot) == text


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [(304.2, 2, "300"), (0.974, 2, "0.97"), (1200.0, 3, "1,200"), (0.004213, 2, "0.0042")],
)
def test_large_numbers_have_no_exponent(number: float, digits: int, text: str) -> None:
    assert significant(number, digits) == text
