"""The exact equilibrium: known values, agreement with CFR, and refusals."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import EquilibristError, RecallError, UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix import lp
from equilibrist.solvers.matrix.lp import LinearSolution, solve_lp
from equilibrist.solvers.matrix.payoffs import what_differs
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered, Repaid, Reseated, WithImpossibleChances
from tests.refusals import refuses

VALUES = {
    "kuhn": -1 / 18,
    "leduc": -0.085606424078,
    "liars_dice(sides=3)": 1 / 9,
    "liars_dice(sides=4)": 1 / 16,
    "liars_dice(sides=5)": 1 / 125,
    "goofspiel(cards=4,imp_info=true,points_order=descending)": 0.0,
    "goofspiel(cards=4,imp_info=true)": 0.0,
    "goofspiel(cards=4)": 0.0,
    "rock_paper_scissors": 0.0,
    "biased_rock_paper_scissors": 0.0,
    "matching_pennies": 0.0,
    "matrix(payoffs=[[3,1],[0,2]])": 1.5,
}


@cache
def tree_of(spec: str) -> GameTree:
    return compile_game(load_game(spec))


def check_equilibrium(tree: GameTree, solution: LinearSolution, scale: float = 1.0) -> None:
    evaluation = evaluate(solution.strategy)
    assert evaluation.nash_conv == pytest.approx(0.0, abs=1e-9 * scale)
    assert evaluation.values == pytest.approx(solution.values, abs=1e-9 * scale)
    assert solution.value == solution.values[0]
    assert sum(solution.values) == pytest.approx(tree.constant_sum, abs=1e-12 * scale)
    assert solution.duality_gap < 1e-9 * scale


@pytest.mark.by_default(3)
@pytest.mark.parametrize("method", ["simplex", "interior-point"])
@pytest.mark.parametrize("spec", VALUES)
def test_known_values(spec: str, method) -> None:
    solution = solve_lp(tree_of(spec), method=method)
    assert solution.value == pytest.approx(VALUES[spec], abs=1e-11)
    check_equilibrium(tree_of(spec), solution)
    assert solution.method == method


@pytest.mark.slow
def test_liars_dice_with_six_sides() -> None:
    """24,576 infosets; the value lies in a bracket proven by best responses, and is -7/258."""
    tree = tree_of("liars_dice(sides=6)")
    assert (tree.num_infosets, tree.num_sequences) == (24576, 49142)
    solution = solve_lp(tree)
    assert -0.027503 < solution.value < -0.026136
    assert solution.value == pytest.approx(-7 / 258, abs=1e-10)
    check_equilibrium(tree, solution)


def test_the_equilibrium_of_biased_rock_paper_scissors_is_the_only_one() -> None:
    solution = solve_lp(tree_of("biased_rock_paper_scissors"))
    for row in solution.strategy.to_dict().values():
        assert list(row.values()) == pytest.approx([1 / 16, 5 / 8, 5 / 16], abs=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_have_the_value_that_cfr_finds(seed: int) -> None:
    game = load_game(f"random_tree(seed={seed},depth=6,branching=4)")
    tree = compile_game(Jittered(game, zero_sum=True))
    solution = solve_lp(tree)
    check_equilibrium(tree, solution)
    found = evaluate(CFR(tree, "pdcfr+").run(3000).average_strategy())
    assert found.exploitability < 1e-3
    assert found.values[0] == pytest.approx(solution.value, abs=2 * found.exploitability + 1e-12)


def test_constant_sums_other_than_zero() -> None:
    game = Repaid(load_game("kuhn"), 3.0, [10.0, -2.0])
    tree = compile_game(game)
    solution = solve_lp(tree)
    assert solution.values == pytest.approx((10 - 3 / 18, -2 + 3 / 18), abs=1e-10)
    check_equilibrium(tree, solution, scale=10.0)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale: float) -> None:
    tree = compile_game(Repaid(load_game("leduc"), scale))
    solution = solve_lp(tree)
    assert solution.value == pytest.approx(-0.085606424078 * scale, rel=1e-10)
    check_equilibrium(tree, solution, scale)


def test_other_seats_and_impossible_chances() -> None:
    tree = compile_game(WithImpossibleChances(Reseated(load_game("kuhn"), [1, 0])))
    solution = solve_lp(tree)
    assert solution.value == pytest.approx(1 / 18, abs=1e-12)
    check_equilibrium(tree, solution)


def test_unreached_infosets_are_uniform() -> None:
    """The row player's second row is dominated, and so what follows it is never reached."""

    class Branch:
        name, num_players = "branch", 2

        def initial_state(self):
            return ""

        def player(self, s, /):
            return {"": 0, "b": 0, "bx": 1, "by": 1}.get(s, -2)

        def actions(self, s, /):
            return {"": ("a", "b"), "b": ("x", "y")}.get(s, ("l", "r"))

        def chance(self, s, /):
            return ()

        def next(self, s, a, /):
            return s + self.actions(s)[a]

        def payoffs(self, s, /):
            u = 1.0 if s == "a" else {"bxl": -1.0, "byr": -2.0}.get(s, -3.0)
            return (u, -u)

        def infoset(self, s, /):
            return {"": "root", "b": "second"}.get(s, "other")

    solution = solve_lp(compile_game(Branch()))
    assert solution.value == pytest.approx(1.0)
    assert solution.strategy["root"] == pytest.approx({"a": 1.0, "b": 0.0})
    assert solution.strategy["second"] == {"x": 0.5, "y": 0.5}


@pytest.mark.parametrize(
    "spec",
    [
        "random_tree(depth=0)",
        "random_tree(seed=1,depth=6,forced=1)",
        "random_tree(seed=2,depth=6,chance=1)",
    ],
)
def test_games_without_choices(spec: str) -> None:
    tree = tree_of(spec)
    solution = solve_lp(tree)
    check_equilibrium(tree, solution)
    assert solution.values == pytest.approx(evaluate(solution.strategy).values, abs=1e-12)


def test_payoffs_that_are_all_the_same() -> None:
    tree = compile_game(Repaid(load_game("kuhn"), 0.0, [2.0, 3.0]))
    solution = solve_lp(tree)
    assert solution.values == pytest.approx((2.0, 3.0))


@pytest.mark.parametrize(
    ("spec", "option", "given"),
    [
        ("kuhn(players=3)", "num_players", 3),
        ("random_tree(players=1)", "num_players", 1),
        ("shapley", "payoffs", "shapley"),
    ],
)
def test_other_games_are_refused(spec: str, option: str, given: object) -> None:
    with refuses(UnsupportedError, option=option, given=given):
        solve_lp(tree_of(spec))


def test_imperfect_recall_is_refused() -> None:
    with pytest.raises(RecallError):
        solve_lp(tree_of("random_tree(seed=3,depth=6,imperfect_recall=true)"))


def test_a_programme_without_solution_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    class Failed:
        status, x, message = 1, None, "Iteration limit reached."

    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: Failed())
    with refuses(EquilibristError, option="method", given="simplex"):
        solve_lp(tree_of("kuhn"))


def test_figures_that_look_alike_are_told_by_what_is_missing() -> None:
    alike = what_differs(5e17 - 128e6, 5e17)
    assert alike == "5e+17 was promised, and 1.28e+08 is missing"
    assert what_differs(2.0, 3.0) == "2 was measured where 3 was promised"


def test_sizes_are_reported() -> None:
    """One variable per sequence of player 0 and per infoset of player 1, and the roots."""
    solution = solve_lp(tree_of("kuhn"))
    assert solution.variables == 13 + 7
    assert solution.constraints == 13 + 7
    assert solution.iterations > 0
    assert "optimal" in solution.status.lower()


class RareDeals:
    """A random zero-sum game with deals whose probabilities differ by up to eight digits."""

    num_players = 2

    def __init__(self, seed: int, unit: float, spread: float = 0.0) -> None:
        self.seed, self.unit, self.spread = seed, unit, spread
        self.name = f"rare({seed}, {unit}, {spread})"
        weights = 10.0 ** np.random.default_rng(seed).uniform(-8.0, 0.0, 5)
        self.deals = (weights / weights.sum()).tolist()

    def initial_state(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return CHANCE if not state else TERMINAL if len(state) == 5 else (len(state) - 1) % 2

    def actions(self, state: tuple[int, ...]) -> tuple[str, ...]:
        return ("a", "b", "c") if state else ("1", "2", "3", "4", "5")

    def chance(self, state: tuple[int, ...]) -> list[float]:
        return self.deals

    def next(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, float]:
        random = np.random.default_rng([self.seed, *state])
        won = random.uniform(-1.0, 1.0) * 10.0 ** random.uniform(-self.spread, 0.0) * self.unit
        return won, -won

    def infoset(self, state: tuple[int, ...]) -> str:
        player = self.player(state)
        return f"{player}: {state[0] % 2 if player else state[0] // 2} {state[1:]}"


@pytest.mark.parametrize("method", ["simplex", "interior-point"])
@pytest.mark.parametrize("unit", [1.0, 1e18])
@pytest.mark.parametrize("seed", [5, 19, 26])
def test_rare_deals_are_solved_up_to_rounding(seed: int, unit: float, method: Any) -> None:
    """HiGHS leaves some 1e-10 of the largest payoff, which is all of what a rare deal is worth."""
    tree = compile_game(RareDeals(seed, unit))
    solution = solve_lp(tree, method=method)
    assert evaluate(solution.strategy).nash_conv <= tree.rounding


@pytest.mark.parametrize("is_refined", [True, False])
def test_what_is_off_by_more_than_rounding_is_not_called_an_equilibrium(
    monkeypatch: pytest.MonkeyPatch, is_refined: bool
) -> None:
    """There are games in which refinement does not reach rounding; here it is left out."""
    if not is_refined:
        monkeypatch.setattr(lp, "_PROVEN", np.inf)
    tree = compile_game(RareDeals(19, 1e18))
    result = eq.solve(tree, "lp")
    assert (result.nash_conv <= 16.0 * tree.rounding) == is_refined
    assert ("An equilibrium up to floating point" in result.guarantee) == is_refined
    assert ("more than rounding" in result.guarantee) != is_refined
