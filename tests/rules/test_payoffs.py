"""Ranges of payoffs that random playouts show."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from equilibrist.rules.game import payoff_ranges
from equilibrist.rules.module import load_rules
from tests.rules.own_rules import write_rules


@pytest.mark.parametrize(
    ("game", "ranges"),
    [
        ("liars_dice(dice=2)", (2.0, 2.0)),
        ("liars_dice(players=3)", (2.0, 2.0, 2.0)),
        ("leduc", (26.0, 26.0)),
        ("goofspiel", (2.0, 2.0)),
    ],
)
def test_ranges_of_the_included_rules(game: str, ranges: tuple[float, ...]) -> None:
    assert payoff_ranges(load_rules(game)) == ranges


def test_weighted_chance_and_long_games(tmp_path: Path) -> None:
    path = write_rules(tmp_path)
    path.write_text(
        path.read_text("utf-8") + "\n\ndef probability(g, s, a):\n    return 1.0 - a\n", "utf-8"
    )
    assert payoff_ranges(load_rules(path, rounds=2)) == (2.0, 2.0)
    # 20,000 moves are one playout, which has one payoff.
    assert payoff_ranges(load_rules(path, rounds=30_000)) == (0.0, 0.0)


def test_rules_that_raise_bound_nothing(tmp_path: Path) -> None:
    path = write_rules(tmp_path)
    path.write_text(path.read_text("utf-8").replace("value = s[1]", "value = s[99]"), "utf-8")
    assert payoff_ranges(load_rules(path)) == (math.inf, math.inf)
