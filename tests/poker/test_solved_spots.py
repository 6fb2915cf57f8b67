"""Solved spots as their reader sees them: what holds at every node."""

from __future__ import annotations

from functools import cache

import pytest

from equilibrist.poker.solution import Solution
from equilibrist.poker.spot import Spot
from tests.poker.spots import FLOP

RANGES = {"oop": "AA,QQ,JTs,87s", "ip": "KK,98s,TT:0.5,A5s", "rake": 0.05, "rake_cap": 30}
LINES = {
    "": 10,
    "X-X": 10,
    "X-X|2s": 10,
    "X-X|2c|X-X|2s|B120": 10,
    "B120": 10,
    "B120-F": 10,
    "B120-R300-A": 30,
    "B120-R300-A-F": 30,
    "B120-R300-A-C": 30,
    "B120-R300-A-C|2c": 30,
    "B120-R300-A-C|2c|3s": 30,
}
"""Lines, and the least rake that is taken after them; the most is 30."""


@cache
def solved() -> Solution:
    return Spot(**FLOP | RANGES).solve(iterations=20)


@pytest.mark.parametrize(("line", "least_rake"), LINES.items())
def test_figures_add_up(line: str, least_rake: int) -> None:
    node = solved().at(line)
    assert sum(node.totals.equity) == pytest.approx(1)
    assert node.pot - 30 - 1e-3 <= sum(node.totals.ev) <= node.pot - least_rake + 1e-3
    assert sum(node.frequency.values()) == pytest.approx(1 if node.actions else 0, abs=1e-5)
    for figures in node.to_dict()["hands"].values():
        assert 0 <= figures["equity"] <= 1
        assert -900 <= figures["ev"] <= node.pot + 900
        assert sum(figures["strategy"]) == pytest.approx(1 if node.actions else 0, abs=1e-5)


def test_suits_that_change_places() -> None:
    """On Td9d6h clubs and spades are alike."""
    ours, image = solved().at("X-X|Kc|X-X|Ac|B120"), solved().at("X-X|Ks|X-X|As|B120")
    swap = str.maketrans("cs", "sc")
    hands = image.to_dict()["hands"]
    assert {"KhKc", "KsKh"} & {*hands} == {"KhKc"}
    assert "KsKh" in ours.to_dict()["hands"]
    assert ours.frequency == pytest.approx(image.frequency)
    for hand, figures in ours.to_dict()["hands"].items():
        one, other = (hand.translate(swap)[k : k + 2] for k in (0, 2))
        twin = hands.get(one + other) or hands[other + one]
        assert figures["strategy"] == pytest.approx(twin["strategy"])
        assert figures["ev"] == pytest.approx(twin["ev"])
