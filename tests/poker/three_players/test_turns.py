"""Turns with three players: against plain recursion over rivers, and against other solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.solver import ThreeSolver, Valuer, widened
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.solvers.variants.registry import get_variant
from tests.poker.three_players.turn_recursion import Strategies, TurnRecursion

FEW: dict[str, Any] = {
    "board": "Qs9h5d3c",
    "oop": "AhQd,KsTs:0.5",
    "middle": "AcQh,8s8h:0.25",
    "ip": "AhQh,7s6s:0.75",
    "pot": 60,
    "bets": "a",
}
SPOTS: dict[str, dict[str, Any]] = {
    "equal stacks": {"stack": 100},
    "unequal stacks": {"stacks": [100, 40, 250]},
    "one all-in already": {"stacks": [0, 90, 50], "bets": "50%, a", "raises": "a"},
    "rake": {"stacks": [40, 250, 70], "rake": "5%", "rake_cap": 4},
    "bets that are called go on": {"stacks": [90, 90, 30], "bets": "40c|40c|a"},
}


def measured(laid_out: HandsAndGames, strategies: Strategies, threads: int = 1) -> Measure:
    valuer = Valuer(laid_out, threads)
    played = [
        widened(rows, width)
        for rows, width in zip(strategies.first, valuer.tables.widths, strict=True)
    ]
    return valuer.measure(played, strategies.later)


@pytest.mark.parametrize("changes", SPOTS.values(), ids=SPOTS)
def test_values_and_best_responses_are_those_of_all_deals_and_rivers(
    changes: dict[str, Any],
) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**(FEW | changes)))
    oracle, strategies = TurnRecursion(laid_out), Strategies.random(laid_out, 4)
    mine, values = measured(laid_out, strategies), oracle.values_of(strategies)
    assert mine.values == pytest.approx(values, abs=1e-12 * 300)
    for seat in range(3):
        gain = oracle.best_value_of(seat, strategies) - values[seat]
        assert mine.gains[seat] == pytest.approx(gain, abs=1e-12 * 300)
