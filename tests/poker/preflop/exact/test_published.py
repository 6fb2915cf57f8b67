"""Figures that others have published, reached on all hands and all boards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solver import ExactSolver
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

FLOP_HOLDEM = Hand(stack=100, limit="limit", fixed_bets="1/1", board="3")


@dataclass(frozen=True)
class After:
    """Iterates up to `start` do not count, later ones count 1, 2, 3 ..."""

    start: int
    needs_horizon = False

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatArray, float]:
        since = t - self.start
        return np.where(since > 1, (since - 1) / np.maximum(since, 1), 0.0), 1.0


def one_pot_bet(board: tuple[int, ...], lowest: str = "2") -> ExactSolver:
    """81 big blinds, one bet of the pot a street, CFR+ that averages from iteration 100 on."""
    caps = (1, *[0] * len(board))
    hand = Hand(
        stack=162, blinds="1/2", bets="100%", raises="100%", raise_cap=caps, board=board,
        deck=lowest,
    )  # fmt: skip
    cfr_plus = get_variant("cfr+")
    variant = Variant("cfr+ from 100", cfr_plus.discount, After(100), floor=0.0)
    return ExactSolver(ExactGame.of(hand), variant)


def gap_mbb(solver: ExactSolver) -> float:
    exploitability = solver.measure().exploitability
    assert exploitability is not None
    return 1000 * exploitability


def test_no_board() -> None:
    solver = one_pot_bet(()).run(200)
    assert gap_mbb(solver) <= 0.605
    assert 1000 * solver.measure().values[0] == pytest.approx(22.3, abs=0.7)


def test_a_flop_of_one_card() -> None:
    assert gap_mbb(one_pot_bet((1,)).run(200)) <= 2.865


def test_two_streets_of_one_card() -> None:
    assert gap_mbb(one_pot_bet((1, 1), "T").run(200)) <= 7.995


@pytest.mark.slow
def test_a_flop_of_three_cards() -> None:
    assert gap_mbb(one_pot_bet((3,)).run(200)) <= 1.435


@pytest.mark.slow
def test_flop_holdem_with_limit_betting() -> None:
    solver = ExactSolver(ExactGame.of(FLOP_HOLDEM), "lcfr")
    for iteration, published in ((5, 975.65), (20, 115.28), (50, 31.84)):
        solver.run(iteration - solver.iteration)
        assert 1000 * solver.measure().nash_conv == pytest.approx(published, rel=0.03)
