"""One step of mirror descent: the closed form, its programme, and what a step does to a trunk."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import rel_entr

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.search import OnlineSearch, gadget_game, get_search_method, resolve
from tests.search.trunks import DICE, LEDUC, ROOTS, subgames, trunk


def values_by_walking(strategy: eq.Strategy, seat: int) -> dict[str, list[float]]:
    """What every action of a seat earns on average at its infosets, both playing the strategy."""
    tree, game = strategy.tree, strategy.tree.game
    earned: dict[str, Any] = defaultdict(float)
    reach: dict[str, float] = defaultdict(float)

    def walk(state: Any, others: float) -> float:
        player = game.player(state)
        if player == TERMINAL:
            return float(game.payoffs(state)[seat])
        if player == CHANCE:
            shares = np.array(game.chance(state))
        else:
            key = game.infoset(state)
            shares = strategy.probabilities[tree.actions_of(tree.index(key))]
        theirs = [1.0] * len(shares) if player == seat else shares
        worth = np.array(
            [walk(game.next(state, a), others * theirs[a]) for a in range(len(shares))]
        )
        if player == seat:
            earned[key] = earned[key] + others * worth
            reach[key] += others
        return float(shares @ worth)

    walk(game.initial_state(), 1.0)
    return {key: list(earned[key] / reach[key]) for key in earned if reach[key] > 0.0}


@pytest.mark.parametrize("game", ["kuhn", DICE])
@pytest.mark.parametrize(("alpha", "beta"), [(0.3, 0.5), (0.0, 1.0), (0.2, 0.0)])
def test_the_step_is_the_closed_form(game: str, alpha: float, beta: float) -> None:
    strategy = trunk(game, "random 1")
    tree = strategy.tree
    found = resolve(
        strategy, roots="", method=f"one-step(alpha={alpha},beta={beta})", completion=False
    )
    for seat in range(2):
        for key, q in values_by_walking(strategy, seat).items():
            at = tree.actions_of(tree.index(key))
            played = strategy.probabilities[at]
            share = (np.exp(q) * (1.0 / len(q)) ** alpha * played**beta) ** (1 / (alpha + beta))
            wanted = share / share.sum()
            np.testing.assert_allclose(found.strategy.probabilities[at], wanted, atol=1e-12)


def test_no_other_play_has_a_larger_value_of_the_programme() -> None:
    strategy, alpha, beta = trunk("kuhn", "random 2"), 0.2, 0.4
    tree = strategy.tree
    found = resolve(strategy, roots="", method="one-step(alpha=0.2,beta=0.4)", completion=False)
    for key, values in values_by_walking(strategy, 0).items():
        q, at = np.array(values), tree.actions_of(tree.index(key))
        played = strategy.probabilities[at]

        def loss(x: np.ndarray[Any, Any], q: Any = q, played: Any = played) -> float:
            uniform = np.full(len(q), 1.0 / len(q))
            costs = alpha * rel_entr(x, uniform).sum() + beta * rel_entr(x, played).sum()
            return float(costs - x @ q)

        best = minimize(
            loss,
            np.full(len(q), 1.0 / len(q)),
            bounds=[(1e-9, 1.0)] * len(q),
            constraints={"type": "eq", "fun": lambda x: x.sum() - 1.0},
            options={"ftol": 1e-14},
        )
        reached = found.strategy.probabilities[at]
        np.testing.assert_allclose(reached, best.x, atol=1e-5)
        assert loss(reached) <= best.fun + 1e-12


@pytest.mark.parametrize("roots", ["five", "one bid"])
@pytest.mark.parametrize("kind", ["noise 0.2", "random 1", "cfr+ 100"])
def test_without_a_magnet_a_step_never_earns_less_against_the_trunk(roots: str, kind: str) -> None:
    """Each infoset gains by the trunk's values, and gains add up (performance difference)."""
    strategy = trunk(ROOTS[roots][0], kind)
    value = eq.evaluate(strategy).values
    for seat in range(2):
        found = resolve(
            strategy,
            roots=subgames(roots),
            method="one-step(alpha=0,beta=0.1)",
            seats=[seat],
            completion=False,
        )
        assert found.evaluation.values[seat] > value[seat]


@pytest.mark.parametrize(("kind", "share"), [("cfr+ 10", 0.95), ("noise 0.2", 0.7)])
def test_a_small_step_helps_and_one_without_the_present_play_harms(kind: str, share: float) -> None:
    strategy = trunk(LEDUC, kind)
    before, small, free = (
        sum(figures)
        for figures in (
            resolve(strategy, roots=subgames("five"), method="one-step", completion=False).before,
            resolve(strategy, roots=subgames("five"), method="one-step", completion=False).after,
            resolve(
                strategy, roots=subgames("five"), method="one-step(beta=0)", completion=False
            ).after,
        )
    )
    assert small < share * before
    assert free > before


def test_what_the_trunk_never_does_stays_so_but_for_the_magnet_alone() -> None:
    strategy = trunk(LEDUC, "pure")
    kept = resolve(strategy, roots=subgames("five"), method="one-step", completion=False)
    np.testing.assert_array_equal(kept.strategy.probabilities, strategy.probabilities)
    free = resolve(strategy, roots=subgames("five"), method="one-step(beta=0)", completion=False)
    changed = (free.strategy.probabilities > 0.0) & (strategy.probabilities == 0.0)
    assert changed.any()


def test_there_is_no_bound_no_gadget_and_no_algorithm() -> None:
    strategy = trunk(LEDUC, "cfr+ 100")
    found = resolve(strategy, roots=subgames("five"), method="one-step", completion=False)
    assert found.bound == (None, None)
    assert found.algorithm == "closed form"
    assert {step.objective for step in found.steps} == {None}
    for options, option in (
        ({"algorithm": "cfr+"}, "algorithm"),
        ({"nested": True}, "nested"),
        ({"leaves": "after chance"}, "leaves"),
        ({"alternatives": lambda values: values.weight}, "alternatives"),
    ):
        with pytest.raises(ConfigError) as refused:
            resolve(strategy, roots=subgames("five"), method="one-step", **options)
        assert refused.value.option == option
    with pytest.raises(ConfigError) as refused:
        gadget_game(strategy, "??:cc", 0, method="one-step")
    assert refused.value.option == "method"


def test_a_tiny_weight_leaves_the_best_actions_alone() -> None:
    strategy = trunk("kuhn", "random 1")
    found = resolve(strategy, roots="", method="one-step(alpha=1e-309,beta=0)", completion=False)
    for key, q in values_by_walking(strategy, 1).items():  # who moves once
        row = found.strategy.probabilities[strategy.tree.actions_of(strategy.tree.index(key))]
        np.testing.assert_array_equal(row, np.array(q) == max(q))


@pytest.mark.parametrize(
    ("spec", "option"),
    [
        ("one-step(alpha=0,beta=0)", "beta"),
        ("one-step(alpha=-1)", "alpha"),
        ("one-step(beta=x)", "beta"),
    ],
)
def test_wrong_weights(spec: str, option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        get_search_method(spec)
    assert refused.value.option == option


def test_online_play_has_the_bits_of_offline_play() -> None:
    strategy = trunk(DICE, "noise 0.2")
    offline = OnlineSearch.of(strategy, roots="after move 1", method="one-step").offline()
    online = OnlineSearch.of(strategy, roots="after move 1", method="one-step")
    tree = strategy.tree
    for infoset in range(0, tree.num_infosets, 5):
        row = offline.strategy.probabilities[tree.actions_of(infoset)]
        np.testing.assert_array_equal(online.play(infoset), row)
