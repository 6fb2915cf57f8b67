"""Optimal correlation in poker beside payoffs that dwarf all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from equilibrist.equilibria import correlated
from equilibrist.equilibria.optimal import programme
from equilibrist.equilibria.optimal.programme import _scales
from equilibrist.errors import UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.solvers.matrix import highs
from equilibrist.solvers.matrix.sifting import minimise_wide
from tests.altered_games import Forbidding, WithOnePayoff
from tests.refusals import check_error, refuses
from tests.small_games import Written

KUHN = -1.0 / 18.0
"""What Kuhn poker is worth to player 0, in each of its correlated equilibria."""


@pytest.mark.parametrize("concept", ["cce", "efce", "efcce"])
@pytest.mark.parametrize("objective", ["player:0", "fair"])
@pytest.mark.parametrize("penalty", [1e3, 1e8, 1e10])
@pytest.mark.by_default(3)
def test_what_is_forbidden_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, concept: str, objective: str, penalty: float
) -> None:
    """Of 91,125 joint plans few are ever in one programme, which solvers soon come to an end with.

    With constant sum no correlation gives anybody more or less than the value of the game.
    """
    widths = []
    linprog = highs._linprog

    def counted(solved: Any, *arguments: Any, **keywords: Any) -> Any:
        widths.append(len(solved.cost))
        return linprog(solved, *arguments, **keywords)

    monkeypatch.setattr(highs, "_linprog", counted)
    tree = compile_game(Forbidding(load_game("kuhn"), penalty))
    optimum = correlated(tree, concept, objective=objective)
    assert optimum.optimum == pytest.approx(KUHN, abs=1e-9)
    assert max(optimum.gap.players) <= 1e-9
    assert optimum.columns > 91_125
    assert max(widths) <= 9_000


@pytest.mark.parametrize("end", [3, 12, 22, 29])
@pytest.mark.parametrize("penalty", [1e6, 1e8, 1e9, 1e12])
@pytest.mark.by_default(8)
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


def test_what_multiplies_a_threat_does_not_hide_the_objective() -> None:
    """Both earn a ninth more than was found; the figures are those of rational numbers."""
    far = 1e9
    after_a = {
        "l": (0, "then a", {"x": (3.0, -3.0), "y": (-2.0, far)}),
        "r": (0, "then a", {"x": (-3.0, -1.0), "y": (-far, 1.0)}),
    }
    after_b = {
        "l": (0, "then b", {"x": (-3.0, 1.0), "y": (-3.0, 3.0)}),
        "r": (0, "then b", {"x": (-1.0, -2.0), "y": (-far, -1.0)}),
    }
    root = (0, "first", {"a": (1, "answer", after_a), "b": (1, "answer", after_b)})
    tree = compile_game(Written(root, 2))
    best = correlated(tree, "cce", objective="welfare")
    assert best.optimum == pytest.approx(119_999_997.06, rel=1e-9)
    try:
        best = correlated(tree, "cce", objective="player:1")
    except UnsupportedError as refusal:
        check_error(refusal, UnsupportedError, option="payoffs", given=[-far, far])
    else:
        assert best.optimum == pytest.approx(119_999_998.56, rel=1e-9)


@pytest.mark.parametrize("far", [1e8, 1e9])
def test_what_deviations_are_worth_may_be_enormous_where_it_is_0_in_a_solution(far: float) -> None:
    """Player 0 earns 0.25 at best; -2 was called proven, as multipliers were off by 3e-9."""
    known = {
        "u": (1, "u", {"x": (1.0, -2.0), "y": (-far, -2.0)}),
        "v": (1, "v", {"x": (-2.0, -far), "y": (-far, 3.0)}),
    }
    likely = {
        "u": (1, "u", {"x": (-3.0, 2.0), "y": (-2.0, -1.0)}),
        "v": (1, "v", {"x": (0.0, far), "y": (1.0, 1.0)}),
    }
    root = ("chance", {("a", 0.25): (0, "a", known), ("b", 0.75): (0, "b", likely)})
    try:
        optimum = correlated(compile_game(Written(root, 2)), "cce", objective="player:0").optimum
    except UnsupportedError as refusal:
        check_error(refusal, UnsupportedError, option="payoffs", given=[-far, far])
        optimum = 0.25 if far >= 1e9 else np.nan
    assert optimum == pytest.approx(0.25, abs=1e-6)


@pytest.mark.parametrize("second", [4, None])
def test_a_second_minimum_that_is_none_does_not_replace_the_first(
    monkeypatch: pytest.MonkeyPatch, second: int | None
) -> None:

    def failing(*arguments: Any, proven: float, **keywords: Any) -> Any:
        if proven > 0.0:
            return minimise_wide(*arguments, proven=proven, **keywords)
        if second is None:
            raise UnsupportedError("refused")
        return OptimizeResult(status=second, x=None, message="none")

    offs = iter([1.0, 1.0])
    monkeypatch.setattr(programme, "minimise_wide", failing)
    monkeypatch.setattr(programme, "_off", lambda *_arguments: next(offs, 0.0))
    monkeypatch.setattr(programme, "_HIDDEN", 2.0)
    tree = compile_game(load_game("kuhn"))
    assert correlated(tree, "efce", objective="player:0").optimum == pytest.approx(KUHN, abs=1e-9)


FAR = 1e7
LOUD = [
    [[0.0, FAR, 3.0], [0.0, FAR, -2.0], [-2.0, FAR, 0.0]],
    [[2.0, 3.0, 1.0], [1.0, 2.0, FAR], [-2.0, -3.0, 0.0]],
]
"""Player 0 earns 1e7, beside which a gain of 5e-10 is rounding; it was worth 1e-3 to player 1."""


def test_gains_that_rounding_of_what_is_earned_hides_are_refused() -> None:
    """Where both know what they do before they deviate, nothing is hidden."""
    tree = compile_game(MatrixGame.from_tables(LOUD))
    with refuses(UnsupportedError, option="payoffs", given=[-3.0, FAR]):
        correlated(tree, "cce", objective="fair")
    assert correlated(tree, "efce", objective="fair").optimum == pytest.approx(3.0, abs=1e-6)


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
