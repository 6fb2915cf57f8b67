"""Selection of equilibria: figures of Kuhn poker, perfection, entropy, and wins without risk."""

from __future__ import annotations

from functools import cache
from math import log
from typing import Any, get_args

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria import entropy as entropies
from equilibrist.equilibria import (
    most_entropic_equilibrium,
    select_against,
    select_by_entropy,
    select_by_trembles,
    trembling_gap,
)
from equilibrist.equilibria.trembles import Kind
from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import expected_values
from equilibrist.exploitation import safe_best_response
from equilibrist.games import CHANCE, TERMINAL
from equilibrist.solvers import CFR
from equilibrist.solvers.matrix.worst_case import Duel, Restriction
from tests.refusals import refuses, unchecked
from tests.strategy.random_strategies import random_strategy

LEDUC = "leduc(suit_isomorphism=true)"
RANDOM = [f"random_tree(seed={seed},depth=5)" for seed in range(1, 7)]


class GuessTheAce:
    """Miltersen and Sorensen: a dealer may let player 1 bet on whether the top card is the ace."""

    name, num_players = "guess_the_ace", 2

    def initial_state(self) -> str:
        return ""

    def player(self, state: str, /) -> int:
        if state in ("", "p"):
            return {"": 0, "p": CHANCE}[state]
        return 1 if state in ("pA", "px") else TERMINAL

    def actions(self, state: str, /) -> tuple[str, ...]:
        if state == "":
            return ("stop", "play")
        return ("A", "x") if state == "p" else ("ace", "other")

    def chance(self, _state: str, /) -> tuple[float, ...]:
        return (1 / 52, 51 / 52)

    def next(self, state: str, action_index: int, /) -> str:
        return state + {"": "sp", "p": "Ax", "pA": "ao", "px": "ao"}[state][action_index]

    def payoffs(self, state: str, /) -> tuple[float, ...]:
        won = 1000.0 if state in ("pAa", "pxo") else 0.0
        return (-won, won)

    def infoset(self, state: str, /) -> str:
        return "deal" if state == "" else "guess"


@cache
def tree_of(name: str) -> eq.GameTree:
    return eq.compile_game(name)


def dilated_entropy(strategy: eq.Strategy, player: int) -> float:
    """The sum over infosets of own reach times entropy, by the plan."""
    duel = Duel(strategy.tree)
    plan = duel.plan(strategy, player)
    total = 0.0
    for parent, own in duel.infosets(player):
        for s in own:
            if plan[s] > 0.0:
                total -= plan[s] * log(plan[s] / plan[parent])
    return total


@pytest.mark.parametrize("epsilon", [1e-2, 1e-3, 1e-4])
def test_trembles_select_one_third_in_kuhn(epsilon: float) -> None:
    found = select_by_trembles(tree_of("kuhn"), epsilon)
    assert found.strategy["1"]["bet"] == pytest.approx((1 - epsilon) / 3, abs=1e-9)
    assert found.strategy["2pb"]["bet"] == pytest.approx((2 - epsilon) / 3, abs=2 * epsilon**1.5)
    if epsilon == 1e-3:
        assert found.perturbed_value == pytest.approx(-0.055278, abs=6e-7)
        assert found.evaluation.values[0] == pytest.approx(-0.055278, abs=6e-7)
    assert min(found.strategy.probabilities) >= epsilon * (1 - 1e-6)
    assert trembling_gap(found.strategy, epsilon) == pytest.approx(0.0, abs=1e-9)
    assert found.evaluation.exploitability == pytest.approx(epsilon / 3, rel=0.02)


@pytest.mark.parametrize("name", [LEDUC, *RANDOM])
def test_trembling_equilibria_leave_no_gain_in_their_game(name: str) -> None:
    found = select_by_trembles(tree_of(name), 0.02)
    assert trembling_gap(found.strategy, 0.02) == pytest.approx(0.0, abs=1e-7)
    assert min(found.strategy.probabilities) >= 0.02 * (1 - 1e-5)


def test_trembles_are_by_default_as_small_as_they_may_be() -> None:
    assert select_by_trembles(tree_of("kuhn")).method == "tremble(0.001)"
    found = select_by_trembles(tree_of(LEDUC))
    assert found.method == "tremble(0.01)"
    assert trembling_gap(found.strategy, 0.01) == pytest.approx(0.0, abs=1e-7)
    with refuses(UnsupportedError, option="epsilon", given=0.002):
        select_by_trembles(tree_of(LEDUC), 0.002)


def test_guess_the_ace() -> None:
    """An equilibrium may guess anything, as nobody lets it; a perfect one guesses right."""
    tree = eq.compile_game(GuessTheAce())
    for epsilon in (1e-2, 1e-3, 1e-4):
        for kind in get_args(Kind):
            found = select_by_trembles(tree, epsilon, kind=kind).strategy
            assert found["guess"]["other"] == pytest.approx(1 - epsilon, abs=1e-9)
            assert found["deal"]["play"] == pytest.approx(epsilon, abs=1e-9)
    silly = {"deal": {"stop": 1.0}, "guess": {"ace": 1.0}}
    assert eq.nash_conv(eq.Strategy.from_dict(tree, silly)) == 0.0


def test_quasi_perfect_trembles_are_of_whole_sequences() -> None:
    epsilon = 1e-3
    tree = tree_of("kuhn")
    found = select_by_trembles(tree, epsilon, kind="quasi-perfect")
    assert found.strategy["1"]["bet"] == pytest.approx((1 - epsilon) / 3, abs=1e-9)
    duel = Duel(tree)
    plans = [duel.plan(found.strategy, player) for player in (0, 1)]
    lower = []
    for player in (0, 1):
        depth = np.zeros(duel.size(player))
        for parent, own in duel.infosets(player):
            depth[own] = depth[parent] + 1
        bound = np.where(depth > 0, epsilon**depth, 0.0)
        assert (plans[player][depth > 0] >= bound[depth > 0] * (1 - 1e-6)).all()
        lower.append(Restriction(np.zeros(len(bound)), bound))
    # Neither player earns more by any other plan that trembles so.
    for seat in (0, 1):
        against = plans[1 - seat]
        best = duel.best_plan(seat, against=against, share=1.0, own=lower[seat])
        worth = duel.worth(seat, plans[seat], against)
        assert best.objective == pytest.approx(worth, abs=1e-9)


def test_the_most_entropic_equilibrium_of_kuhn() -> None:
    found = select_by_entropy(tree_of("kuhn"))
    alpha = found.strategy["1"]["bet"]
    assert alpha == pytest.approx(0.200761, abs=6e-7)
    root = log((1 - alpha) / alpha) + 3 * log((1 - 3 * alpha) / (3 * alpha))
    root += log((2 / 3 - alpha) / (alpha + 1 / 3))
    assert root == pytest.approx(0.0, abs=1e-6)
    assert found.strategy["3"]["bet"] == pytest.approx(3 * alpha, abs=1e-7)
    assert found.evaluation.exploitability == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RANDOM, "matching_pennies", "biased_rock_paper_scissors"])
def test_no_other_equilibrium_has_more_entropy(name: str) -> None:
    tree = tree_of(name)
    most = most_entropic_equilibrium(tree)
    assert eq.nash_conv(most) == pytest.approx(0.0, abs=1e-7)
    for seed in range(6):
        other = select_against(random_strategy(tree, seed)).strategy
        for weight in (0.0, 0.01, 0.3):
            mixed = other if weight == 0.0 else most.mix(other, weight)
            for player in (0, 1):
                most_here = dilated_entropy(most, player)
                assert dilated_entropy(mixed, player) <= most_here + 1e-6


def test_quantal_responses_approach_it() -> None:
    near = CFR("kuhn", "qre(alpha=0.005)").run(60_000).average_strategy()
    assert near["1"]["bet"] == pytest.approx(0.1947, abs=6e-5)


@pytest.mark.parametrize("name", ["kuhn", LEDUC, *RANDOM])
def test_equilibria_that_win_most_risk_nothing(name: str) -> None:
    tree = tree_of(name)
    opponent = random_strategy(tree, 7)
    found = select_against(opponent)
    assert eq.nash_conv(found.strategy) == pytest.approx(0.0, abs=1e-7)
    assert found.wins is not None
    for seat, win in enumerate(found.wins):
        met = expected_values(opponent.replace(seat, found.strategy))[seat]
        assert met == pytest.approx(win, abs=1e-7)
        # A safe response may guarantee 1e-9 less, for which it wins up to thousands of times more.
        safe = safe_best_response(opponent, seat, 0.0).win
        assert win - 1e-8 <= safe <= win + 1e-5


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        (lambda t: select_by_trembles(t, 0.5), dict(option="epsilon", given=0.5)),
        (lambda t: select_by_trembles(t, 0.0), dict(option="epsilon", given=0.0)),
        (
            lambda t: select_by_trembles(t, kind=unchecked("proper")),
            dict(option="kind", given="proper"),
        ),
        (lambda _: select_against(unchecked("uniform")), dict(option="strategy", given="uniform")),
    ],
)
def test_bad_arguments(call: Any, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        call(tree_of("kuhn"))


def test_what_cannot_be_done_is_refused_with_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with refuses(UnsupportedError, option="epsilon", given=1e-4):
        select_by_trembles(tree_of("goofspiel(cards=4)"), 1e-4)
    monkeypatch.setattr(entropies, "LARGEST", 10)
    with refuses(UnsupportedError, option="game", expected=10):
        most_entropic_equilibrium(tree_of("kuhn"))
    three = tree_of("kuhn(players=3)")
    for call in (select_by_trembles, select_by_entropy, most_entropic_equilibrium):
        with refuses(UnsupportedError, option="num_players", given=3):
            call(three)


def test_a_game_in_which_one_player_has_no_choice() -> None:
    tree = tree_of("matrix(payoffs=[[1],[0]])")
    found = most_entropic_equilibrium(tree)
    assert found.probabilities.tolist() == [1.0, 0.0, 1.0]
