"""Payoffs on the screen: six significant digits, whatever the unit of a player."""

from __future__ import annotations

import pytest

from equilibrist.cli.text.wording import game_wording


@pytest.mark.parametrize(
    ("ranges", "payoffs", "texts"),
    [
        ((4.0, 4.0), (-2.0,), ["-2.000000"]),
        ((4.0, 4.0), (0.0,), ["+0.000000"]),
        ((1e-4, 1e6), (1.23456e-5, -1.23456e-6), ["+1.23456e-05", "-1.23456e-06"]),
        ((1e-4, 1e6), (123456.5, 0.0), ["+123,456.50", "+0.000000"]),
        ((0.0, 1e-9), (1.23456e-10,), ["+1.23456e-10"]),
        ((), (1.23456e-10, 3.5e-10), ["+1.23456e-10", "+3.5e-10"]),
        ((), (0.0,), ["+0.000000"]),
    ],
)
def test_figures_that_belong_together(
    ranges: tuple[float, ...], payoffs: tuple[float, ...], texts: list[str]
) -> None:
    assert game_wording(ranges).figures(*payoffs) == texts
