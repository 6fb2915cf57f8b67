"""Payoffs far from all others that nobody avoids, that others meet, or that nobody equals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

from equilibrist.equilibria import correlated
from equilibrist.equilibria.selection import select_against, select_by_entropy
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.response import evaluate
from equilibrist.exploitation import restricted_nash_response, safe_best_response
from equilibrist.game_loading import compile_game
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.small_games import Written


def pay(amount: float) -> tuple[float, float]:
    return (amount, -amount)


def pennies(ruin: float, chance: float = 0.1) -> GameTree:
    """Matching pennies for 2, -1, -1 and 1, unless chance ruins player 0."""
    tails = {"heads": pay(-1.0), "tails": pay(1.0)}
    calls = {
        "heads": (1, "call", {"heads": pay(2.0), "tails": pay(-1.0)}),
        "tails": (1, "call", tails),
    }
    branches = {("sun", 1.0 - chance): (0, "coin", calls), ("ruin", chance): pay(-ruin)}
    return compile_game(Written(("chance", branches), 2))


def tolls(toll: float) -> GameTree:
    """The same, but player 0 pays a toll one time in ten, after each action."""

    def behind(call: Any) -> Any:
        return ("chance", {("free", 0.9): call, ("toll", 0.1): pay(-toll)})

    calls = {
        "heads": behind((1, "call", {"heads": pay(2.0), "tails": pay(-1.0)})),
        "tails": behind((1, "call", {"heads": pay(-1.0), "tails": pay(1.0)})),
    }
    return compile_game(Written((0, "coin", calls), 2))


@pytest.mark.parametrize("penalty", [30.0, 1e7, 1e9, 1e11])
@pytest.mark.parametrize("game", [pennies, tolls])
def test_what_nobody_avoids_hides_nothing(game: Any, penalty: float) -> None:
    """Player 0 plays heads 2/5 and earns 1/5 where chance lets them play."""
    tree = game(penalty)
    value = 0.9 * 0.2 - 0.1 * penalty
    tolerance = 1e-8 + 1e-15 * penalty
    uniform = Strategy.uniform(tree)
    solved = solve_lp(tree)
    assert solved.value == pytest.approx(value, abs=tolerance)
    for strategy in (solved.strategy, select_by_entropy(tree).strategy):
        assert evaluate(strategy).nash_conv <= tolerance
        assert strategy["coin"]["heads"] == pytest.approx(0.4, abs=1e-6)
    wins = select_against(uniform).wins
    assert wins is not None
    assert wins[0] == pytest.approx(value, abs=tolerance)
    safe = safe_best_response(uniform, 0, 0.09)
    assert safe.game_value == pytest.approx(value, abs=tolerance)
    assert safe.guarantee == pytest.approx(value - 0.09, abs=tolerance)
    # Heads x earn 0.9 (3 x - 1) against heads and 0.9 (1 - 2 x) against tails.
    assert safe.win == pytest.approx(0.9 * (0.45 * 0.5) - 0.1 * penalty, abs=tolerance)
    rnr = restricted_nash_response(uniform, 0, 0.5)
    best = max(
        0.5 * 0.9 * 0.5 * heads + 0.5 * 0.9 * min(3 * heads - 1, 1 - 2 * heads)
        for heads in (0.0, 0.4, 1.0)
    )
    met = 0.5 * (rnr.win + rnr.guarantee) + 0.1 * penalty
    assert met == pytest.approx(best, abs=tolerance)


@pytest.mark.parametrize("stake", [1e7, 1e9, 1e11])
def test_what_the_other_player_turns_round_hides_nothing(stake: float) -> None:
    """A dare wins the stake half the time, and else the other player takes three times as much."""
    calls = {
        "heads": (1, "call", {"heads": pay(2.0), "tails": pay(-1.0)}),
        "tails": (1, "call", {"heads": pay(-1.0), "tails": pay(1.0)}),
    }
    answer = (1, "answer", {"take": pay(-3.0 * stake), "leave": pay(0.0)})
    ends = {
        "dare": ("chance", {("win", 0.5): pay(stake), ("lose", 0.5): answer}),
        "play": (0, "coin", calls),
    }
    tree = compile_game(Written((0, "choice", ends), 2))
    found = solve_lp(tree)
    assert found.value == pytest.approx(0.2, abs=1e-9)
    assert found.met <= 10.0
    for strategy in (found.strategy, select_by_entropy(tree).strategy):
        assert evaluate(strategy).nash_conv <= 1e-8


def test_no_gain_hides_beside_what_another_player_pays() -> None:
    """Player 0 chooses among 0, 3 and 1, where player 1 is paid 2, 3 and 5, or loses 1e9."""
    ends: dict[str, Any] = {
        "a": (2, "a", {"x": (4.0, -1e9, -5.0), "y": (0.0, 2.0, -2.0), "z": (-4.0, 1.0, -5.0)}),
        "b": (2, "b", {"x": (3.0, 3.0, 1.0), "y": (-1e9, -3.0, -5.0)}),
        "c": (2, "c", {"x": (1.0, 5.0, 1.0), "y": (1.0, -3.0, -3.0)}),
    }
    tree = compile_game(Written((0, "choice", ends), 3))
    found = correlated(tree, "efcce", objective="min:1")
    # Who is to take `a` twice in three times gains nothing: `c` pays 1, and so does following.
    assert found.optimum == pytest.approx(2.0 + 1.0 / 3.0, abs=1e-6)
    assert max(found.gap.players) <= 1e-6


def test_selected_equilibria_give_nothing_away_for_blunders_of_the_opponent() -> None:
    """Row 1 wins 5e8 against uniform play, and guarantees 0 where row 0 guarantees 1."""
    tree = compile_game("matrix(payoffs=[[1,1],[0,1000000000]])")
    found = select_against(Strategy.uniform(tree))
    assert found.wins is not None
    assert found.wins[0] == pytest.approx(1.0, abs=0.1)
    assert found.evaluation.nash_conv <= 1e-9


def test_interior_points_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of HiGHS, that method alone may go on for ever on an ill-conditioned programme."""
    asked = []
    real = optimize.linprog

    def linprog(*args: Any, **named: Any) -> Any:
        asked.append(named["options"])
        return real(*args, **named)

    monkeypatch.setattr(optimize, "linprog", linprog)
    one = np.ones((1, 1))
    found = minimise(np.ones(1), -one, np.zeros(1), one, np.ones(1), [(0.0, None)], "highs-ipm")
    assert found.status == 0
    assert 0 < asked[0]["maxiter"] < 10_000


FAR = """EFG 2 R "far" { "A" "B" }
p "" 2 1 "h1" { "a0" "a1" "a2" } 0
p "" 2 2 "h2" { "a0" "a1" } 0
p "" 1 3 "h3" { "a0" "a1" } 0
t "" 1 "" { 1002 -2 }
t "" 2 "" { 1004 -4 }
p "" 1 3 "h3" { "a0" "a1" } 0
t "" 3 "" { 997 3 }
t "" 4 "" { 1002 -2 }
p "" 2 4 "h4" { "a0" "a1" "a2" } 0
t "" 5 "" { 999 1 }
p "" 1 3 "h3" { "a0" "a1" } 0
t "" 6 "" { 1002 -2 }
t "" 7 "" { -999999005 1000000005 }
p "" 1 3 "h3" { "a0" "a1" } 0
t "" 8 "" { 998 2 }
t "" 9 "" { 1003 -3 }
p "" 1 3 "h3" { "a0" "a1" } 0
t "" 10 "" { 998 2 }
p "" 1 5 "h5" { "a0" "a1" } 0
t "" 11 "" { 1003 -3 }
t "" 12 "" { 1001 -1 }
"""


@pytest.mark.slow
def test_entropy_beyond_double_precision_is_refused_without_warnings(tmp_path: Any) -> None:
    (tmp_path / "far.efg").write_text(FAR)
    with refuses(UnsupportedError, option="payoffs"):
        select_by_entropy(compile_game(str(tmp_path / "far.efg")))
