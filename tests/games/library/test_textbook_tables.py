"""Tables that follow from a rule: payoffs as their sources have them, and known equilibria."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria import nash_equilibria
from equilibrist.errors import GameSpecError
from equilibrist.games import load_game
from equilibrist.solvers import solve_lp
from tests.games.walking import play
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("spec", "moves", "payoffs"),
    [
        ("colonel_blotto", ("6-0-0", "2-2-2"), (-1, 1)),
        ("colonel_blotto", ("3-3-0", "2-2-2"), (1, -1)),
        ("colonel_blotto(returns_type=point_difference)", ("3-3-0", "2-2-2"), (1, -1)),
        ("colonel_blotto(returns_type=point_difference)", ("4-1-1", "0-0-6"), (1, -1)),
        ("colonel_blotto(soldiers=3,enemies=2,fields=2)", ("2-1", "1-1"), (1, -1)),
        ("morra", ("1-guess-2", "2-guess-2"), (3, -3)),
        ("morra", ("1-guess-2", "2-guess-1"), (0, 0)),
        ("morra(fingers=3)", ("3-guess-3", "3-guess-1"), (6, -6)),
        ("travelers_dilemma", ("100", "100"), (100, 100)),
        ("travelers_dilemma", ("99", "100"), (101, 97)),
        ("travelers_dilemma(bonus=0.5,highest=10)", ("9", "4"), (3.5, 4.5)),
        ("volunteers_dilemma", ("volunteer", "wait", "volunteer"), (1, 2, 1)),
        ("volunteers_dilemma", ("wait", "wait", "wait"), (0, 0, 0)),
        ("beauty_contest", ("2", "2", "8"), (0.5, 0.5, 0)),
        ("beauty_contest", ("1", "2", "10"), (0, 1, 0)),
        ("beauty_contest(players=2)", ("0", "10"), (1, 0)),
        ("beauty_contest(fraction=1)", ("0", "5", "10"), (0, 1, 0)),
        ("centipede", ("take",), (4, 1)),
        ("centipede", ("pass", "take"), (2, 8)),
        ("centipede", ("pass", "pass", "pass", "pass"), (64, 16)),
        ("centipede(moves=1)", ("pass",), (2, 8)),
        ("entry_deterrence", ("out",), (1, 5)),
        ("entry_deterrence", ("enter", "fight"), (0, 0)),
        ("ultimatum", ("3", "accept"), (7, 3)),
        ("ultimatum(pie=2)", ("0", "reject"), (0, 0)),
    ],
)
def test_payoffs(spec: str, moves: tuple[str, ...], payoffs: tuple[float, ...]) -> None:
    game = load_game(spec)
    assert game.payoffs(play(game, *moves)) == payoffs


def test_as_many_soldiers_have_the_value_zero() -> None:
    for spec in ("colonel_blotto(soldiers=4)", "morra(fingers=3)"):
        exact = solve_lp(eq.compile_game(spec))
        assert exact.value == pytest.approx(0, abs=1e-9)
    ahead = solve_lp(eq.compile_game("colonel_blotto(soldiers=5,enemies=3)"))
    assert ahead.value > 0.1


def test_penalty_kicks_are_mixed_as_in_the_paper() -> None:
    exact = solve_lp(eq.compile_game("penalty_kick"))
    assert exact.strategy["row"]["left"] == pytest.approx(0.3855, abs=5e-5)
    assert exact.strategy["column"]["left"] == pytest.approx(0.4198, abs=5e-5)
    assert exact.value == pytest.approx(79.58, abs=5e-3)


@pytest.mark.slow  # QuantEcon compiles its enumeration
@pytest.mark.parametrize(
    ("spec", "first"),
    [
        ("pd", [0]),
        ("stag_hunt", [0, 3 / 4, 1]),
        ("hawk_dove", [0, 1 / 2, 1]),
        ("coordination", [0, 1 / 2, 1]),
        ("travelers_dilemma(highest=6)", [1]),
        ("centipede(moves=2)", [1]),
    ],
)
def test_equilibria(spec: str, first: list[float]) -> None:
    """Probabilities of the row player's first action over all equilibria."""
    found = nash_equilibria(eq.compile_game(spec))
    probabilities = {round(float(one.strategy.probabilities[0]), 6) for one in found.equilibria}
    assert np.allclose(sorted(probabilities), first)


@pytest.mark.parametrize(
    ("spec", "option"),
    [
        ("colonel_blotto(soldiers=200)", "soldiers"),
        ("colonel_blotto(soldiers=1,enemies=500,fields=10)", "enemies"),
        ("travelers_dilemma(lowest=5,highest=5)", "lowest"),
        ("travelers_dilemma(highest=10000)", "highest"),
        ("beauty_contest(players=10)", "highest"),
        ("volunteers_dilemma(players=1)", "players"),
        ("centipede(moves=0)", "moves"),
        ("ultimatum(pie=0.5)", "pie"),
        ("morra(fingers=1)", "fingers"),
    ],
)
def test_refused(spec: str, option: str) -> None:
    with refuses(GameSpecError, option=option):
        load_game(spec)
