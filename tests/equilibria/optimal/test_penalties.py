"""Optimal correlation in poker beside payoffs that dwarf all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.equilibria import correlated
from equilibrist.equilibria.optimal.programme import _scales
from equilibrist.errors import UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.solvers.matrix import highs
from tests.altered_games import Forbidding, WithOnePayoff
from tests.refusals import check_error
from tests.small_games import Written

KUHN = -1.0 / 18.0
"""What Kuhn poker is worth to player 0, in each of its correlated equilibria."""


@pytest.mark.parametrize("concept", ["efce", "efcce", "cce"])
@pytest.mark.parametrize("objective", ["player:0", "fair"])
@pytest.mark.parametrize("penalty", [1e3, 1e8, 1e10])
def test_what_is_forbidden_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, concept: str, objective: str, penalty: float
) -> None:
    """Of 91,125 joint plans few are ever in one programme, which solvers soon come to an end with.

    With constant sum no correlation gives anybody more or less than the value of the game.
    """
    widths = []
    linprog = highs._linprog

    def counted(programme: Any, *arguments: Any, **keywords: Any) -> Any:
        widths.append(len(programme.cost))
        return linprog(programme, *arguments, **keywords)

    monkeypatch.setattr(highs, "_linprog", counted)
    tree = compile_game(Forbidding(load_game("kuhn"), penalty))
    optimum = correlated(tree, concept, objective=objective)
    assert optimum.optimum == pytest.approx(KUHN, abs=1e-9)
    assert max(optimum.gap.players) <= 1e-9
    assert optimum.columns > 91_125
    assert max(widths) <= 9_000


@pytest.mark.parametrize("end", [3, 12, 22, 29])
@pytest.mark.parametrize("penalty", [1e6, 1e8, 1e9, 1e12])
def test_threats_are_kept(end: int, penalty: float) -> None:
    """A punishment of the other that costs oneself is no threat, however small its probability.

    Player 0 would gain by it, if what they are told with a probability of 1e-9 might be ignored.
    """
    tree = compile_game(WithOnePayoff(load_game("kuhn"), end, 1, -penalty))
    try:
        optimum = correlated(tree, "efce", objective="player:0").optimum
    except UnsupportedError as refusal:
        check_error(refusal, UnsupportedError, option="payoffs")
        optimum = KUHN if penalty >= 1e9 else np.nan
    assert optimum == pytest.approx(KUHN, abs=1e-6)


@pytest.mark.parametrize(
    ("objective", "exact"), [("welfare", 3.499998250015375), ("player:0", 1.500002250003375)]
)
def test_what_threats_multiply_is_no_rounding(objective: str, exact: float) -> None:
    """A gap of 1e-10 earns 1e-10 times the threat; `exact` are the values in rational numbers."""
    far = 1e6
    tables = [
        [[0.0, far, -far], [2.0, 3.0, 0.0], [-1.0, -1.0, 0.0]],
        [[-far, -2.0, 2.0], [-3.0, far, 1.0], [-2.0, far, 0.0]],
    ]
    optimum = correlated(
        compile_game(MatrixGame.from_tables(tables)), "cce", objective=objective
    ).optimum
    assert optimum == pytest.approx(exact, rel=1e-9)


def test_payoffs_that_chance_never_lets_be_reached_set_no_unit() -> None:
    """Neither in what is solved nor in what the gap is held against."""
    coins = {"h": (1.0, -1.0), "t": (-1.0, 1.0)}
    other = {"h": (-1.0, 1.0), "t": (1.0, -1.0)}
    both = {"h": (1, "guess", coins), "t": (1, "guess", other)}
    never = {"h": (1e12, -1e12), "t": (3e12, -3e12)}
    root: dict[tuple[str, float], Any] = {("always", 1.0): (0, "hide", both)}
    for k in range(10):  # most ends, so that they are no exception
        root[f"never {k}", 0.0] = (0, "hide", never)
    tree = compile_game(Written(("chance", root), 2))
    assert _scales(tree).tolist() == [2.0, 2.0]
    for concept in ("ce", "efce", "efcce", "cce"):
        optimum = correlated(tree, concept, objective="fair")
        assert optimum.optimum == pytest.approx(0.0, abs=1e-12)
        assert max(optimum.gap.players) <= 1e-12
