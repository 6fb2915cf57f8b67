"""Amounts as people write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from equilibrist.errors import ConfigError
from equilibrist.parsing import quantities
from equilibrist.parsing.quantities import read_count
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
    ("reader", "text", "amount"),
    [
        (quantities.read_bytes, "2GB", 2 * 10**9),
        (quantities.read_bytes, "500mb", 500 * 10**6),
        (quantities.read_bytes, "1.5 GiB", 3 * 2**29),
        (quantities.read_bytes, "4096", 4096),
        (quantities.read_bytes, "2G", 2 * 2**30),
        (quantities.read_seconds, "0", 0),
        (quantities.read_seconds, "90", 90),
        (quantities.read_seconds, ".5s", 0.5),
        (quantities.read_seconds, "10m", 600),
        (quantities.read_seconds, "1.5h", 5400),
        (quantities.read_count, "10_000", 10_000),
        (quantities.read_count, "10,000", 10_000),
        (quantities.read_count, "1e6", 10**6),
        (quantities.read_positive, "1e-3", 1e-3),
    ],
)
def test_amounts_are_read(reader: Callable[[str], float], text: str, amount: float) -> None:
    assert reader(text) == amount


AMOUNTS = {
    quantities.read_bytes: "memory",
    quantities.read_seconds: "time",
    quantities.read_count: "count",
    quantities.read_positive: "number",
    quantities.read_whole: "number",
}


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        *[(quantities.read_bytes, t) for t in ("", "0", "-1", "lots", "2 XB", "1e999", "nan")],
        *[(quantities.read_seconds, t) for t in ("", "-5", "5x", "inf", "1:30")],
        *[(quantities.read_count, t) for t in ("", "0", "-5", "1.5", "5s", "1e-3", "x", "_")],
        *[(quantities.read_positive, t) for t in ("", "0", "-1", "nan", "inf", "1%")],
        *[(quantities.read_whole, t) for t in ("", "x", "1.5", "1e3", "9" * 5000)],
    ],
)
def test_what_is_no_amount_is_refused(reader: Callable[..., float], text: str) -> None:
    with refuses(ConfigError, option=AMOUNTS[reader], given=text):
        reader(text)
    with refuses(ConfigError, option="limit", given=text):
        reader(text, "limit")
