"""Solved spots as their reader sees them: what holds at every node."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from equilibrist.poker import solve
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from tests.poker.postflop.solving.test_truth import after
from tests.poker.postflop.spot.spots import FLOP

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
def solved() -> PostflopResult:
    return solve(Spot(**FLOP | RANGES), iterations=20)


@pytest.mark.by_default(1)
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


@pytest.mark.slow
def test_suits_that_change_places() -> None:
    """On Td9d6h clubs and spades are alike; each board of a turn and a river played out says so."""
    spot = solved().spot
    together, apart = (after(spot, 2, isomorphism=on) for on in (True, False))
    for line in ("B120-C|3s", "X-X|Kc|X-X|Ac|B120", "X-X|Ks|X-X|As|B120", "X-X|Ah|X-X|8s"):
        ours, alone = together.at(line).to_dict(), apart.at(line).to_dict()
        assert ours["frequency"] == pytest.approx(alone["frequency"], abs=1e-5)
        assert ours["ev"] == pytest.approx(alone["ev"], abs=1e-3)
        assert list(ours["hands"]) == list(alone["hands"])
        for hand, figures in alone["hands"].items():
            found = ours["hands"][hand]
            assert found["strategy"] == pytest.approx(figures["strategy"], abs=1e-5)
            assert found["ev"] == pytest.approx(figures["ev"], abs=1e-3)


def test_hands_that_face_next_to_nothing() -> None:
    """Nearly all that the other player brings there holds a card of 7d4d."""
    spot = Spot(
        board="QdTsKd4h2d", oop="A8s,74s", ip="Q7o,KQo", pot=100, stack=100, bets="50%, a",
        raises="a",
    )  # fmt: skip
    node = solve(spot, target="0.05%").at("B50-A100")
    hand = node.hands_of(0).loc["7d4d"]
    [combo] = np.flatnonzero(Range("7d4d").weights)
    assert 0 < node.values.matchups[0, combo] < 1e-4
    assert hand["ev"] == pytest.approx(250, abs=0.01)
    assert hand["equity"] == 1


@pytest.mark.slow
def test_threads_may_ask_at_once() -> None:
    """Figures are those that one thread finds, to the last bit."""
    spot = Spot(board="Ts5s2h8c", oop="AA,KQs,76s", ip="KK,AQs,98s", pot=60, stack=90, bets="50%")
    solution = solve(spot, iterations=20)
    lines = ["", "X", "B30", "X-X|9s", "X-X|9s|B30", "B30-C|Kd"] * 20
    expected = [solution.at(line).totals for line in lines]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda line: solution.at(line).totals, lines))
    finally:
        sys.setswitchinterval(before)
    assert found == expected
