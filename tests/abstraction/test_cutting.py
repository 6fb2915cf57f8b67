"""Cutting improbable paths: the tree that is left, what is lifted, and the bound on the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.abstraction import cut_improbable
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.reference.game_walk import Node, walk
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses, unchecked
from tests.small_games import Written

LEDUC = "leduc(suit_isomorphism=true)"


def cut_by_recursion(node: Node, below: float, reach: float = 1.0) -> tuple[object, int]:
    """What is left of a history where chance alone counts, and how many histories that is."""
    if node.player == TERMINAL:
        return tuple(node.payoffs), 1
    if reach < below:
        return tuple(uniform_worth(node)), 1
    parts = [
        cut_by_recursion(child, below, reach * (node.chance[k] if node.chance else 1.0))
        for k, child in enumerate(node.children)
    ]
    return (node.player, node.infoset, [part for part, _ in parts]), 1 + sum(n for _, n in parts)


def uniform_worth(node: Node) -> np.ndarray:
    if node.player == TERMINAL:
        return np.array(node.payoffs)
    odds = node.chance or [1.0 / len(node.children)] * len(node.children)
    worths = [p * uniform_worth(child) for p, child in zip(odds, node.children, strict=True)]
    return np.sum(worths, axis=0)


def as_nested(tree: GameTree) -> object:
    """A compiled game as `cut_by_recursion` gives it."""
    first, base, count, player = tree.history_tree.arrays.node.T.tolist()
    payoff = tree.history_tree.arrays.payoff
    keys = {int(tree.action_offset[i]): key for i, key in enumerate(tree.infoset_keys)}

    def nested(node: int) -> object:
        if player[node] == TERMINAL:
            return tuple(payoff[base[node]])
        key = "" if player[node] == CHANCE else keys[base[node]]
        below = [nested(first[node] + k) for k in range(count[node])]
        return player[node], key, below

    return nested(0)


def decides(nested: object) -> bool:
    """Whether anybody has a decision left."""
    if isinstance(nested, tuple) and len(nested) == 3 and isinstance(nested[2], list):
        return nested[0] >= 0 or any(map(decides, nested[2]))
    return False


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and len(one) == 3 and isinstance(one[2], list):
        same = one[:2] == other[:2] and len(one[2]) == len(other[2])
        return same and all(alike(a, b) for a, b in zip(one[2], other[2], strict=True))
    return other == pytest.approx(one, abs=1e-12)


@pytest.mark.parametrize("below", [0.2, 0.04, 0.01])
@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)", LEDUC, "random_tree(seed=5,depth=6)"])
def test_the_tree_that_is_left(name: str, below: float) -> None:
    tree = compile_game(name)
    wanted, count = cut_by_recursion(walk(tree.game).root, below)
    if not decides(wanted):
        with refuses(ConfigError, option="drop_below", given=below):
            cut_improbable(tree, below)
        return
    found = cut_improbable(tree, below)
    assert found.small.num_nodes == count
    assert alike(wanted, as_nested(found.small))
    found.small.sequence_form  # noqa: B018 - perfect recall is kept
    if name == LEDUC and below == 0.04:
        assert (found.paths, found.small.num_infosets) == (90, 198)
        assert found.small.history_tree.public_chance is not None


def test_the_loss_is_below_the_bound() -> None:
    tree = compile_game(LEDUC)
    found = cut_improbable(tree, 0.04)
    small = solve_lp(found.small).strategy
    lifted = evaluate(found.lift(small))
    assert found.loss_bound is not None
    assert evaluate(small).nash_conv < 1e-9
    assert 1e-3 < lifted.nash_conv <= found.loss_bound
    assert found.restrict(found.lift(small)).probabilities == pytest.approx(small.probabilities)


def coin(weight: float) -> GameTree:
    """Chance is almost always heads; on tails player 1 may lose ten by a wrong guess."""
    guess = {"left": (-10.0, 10.0), "right": (10.0, -10.0)}
    usual = {"take": (1.0, -1.0), "leave": (0.0, 0.0)}
    root = (
        "chance",
        {("heads", 1.0 - weight): (0, "h", usual), ("tails", weight): (1, "t", guess)},
    )
    return compile_game(Written(root, 2, "coin"))


def test_a_loss_by_hand() -> None:
    """What is cut is worth 0 there; uniform play there loses ten times the weight."""
    tree = coin(0.01)
    found = cut_improbable(tree, 0.05)
    assert (found.paths, found.by) == (1, "chance")
    assert found.mass == pytest.approx(0.01)
    assert found.small.num_nodes == tree.num_nodes - 2
    assert found.loss_bound == pytest.approx(2 * 0.01 * 40)
    best = solve_lp(found.small)
    assert evaluate(best.strategy).values[0] == pytest.approx(0.99)
    lifted = evaluate(found.lift(best.strategy))
    assert lifted.nash_conv == pytest.approx(0.1)
    assert lifted.gains == pytest.approx([0.0, 0.1])
    knows = found.tree.index("t")
    values = np.full(4, 0.5)
    values[tree.actions_of(knows)] = [1.0, 0.0]
    by = cut_improbable(tree, 0.05, Strategy(tree, values))
    assert evaluate(solve_lp(by.small).strategy).values[0] == pytest.approx(0.99 - 0.1)
    assert by.loss_bound is None


def test_players_reach_counts_under_play() -> None:
    tree = compile_game("kuhn")
    always_bet = np.zeros(int(tree.action_offset[-1]))
    for infoset in range(tree.num_infosets):
        always_bet[tree.actions_of(infoset)] = [0.0, 1.0]
    by = Strategy(tree, always_bet)
    found = cut_improbable(tree, 1e-6, by)
    assert set(found.small.infoset_keys) == {"1", "2", "3", "1b", "2b", "3b"}
    assert found.mass == 0.0
    uniform = cut_improbable(tree, 0.1, "uniform")
    assert set(uniform.small.infoset_keys) == {"1", "2", "3"}
    assert uniform.mass == pytest.approx(1.0)
    assert evaluate(by).values[0] == pytest.approx(
        evaluate(found.restrict(by)).values[0], abs=1e-12
    )


@given(seed=st.integers(0, 10_000), below=st.floats(0.01, 0.5))
def test_the_bound_holds_for_all_play(seed: int, below: float) -> None:
    tree = compile_game(f"random_tree(seed={seed % 300},depth=5,branching=2,chance=0.5)")
    try:
        found = cut_improbable(tree, below)
    except ConfigError:
        return
    rng = np.random.default_rng(seed)
    rows = [rng.dirichlet(np.ones(len(legal))) for legal in found.small.action_labels]
    played = Strategy(found.small, np.concatenate(rows))
    bound = found.loss_bound
    assert bound is not None
    small, full = evaluate(played), evaluate(found.lift(played))
    assert full.nash_conv <= small.nash_conv + bound + 1e-12
    spread = tree.max_payoff - tree.min_payoff
    off = np.abs(np.array(full.values) - np.array(small.values))
    assert (off <= found.mass * spread + 1e-12).all()


def test_what_is_refused() -> None:
    tree = compile_game("kuhn")
    for wrong in (0.0, 1.0, -0.1, 2, "much", None, True, float("nan")):
        with refuses(ConfigError, option="drop_below", given=wrong):
            cut_improbable(tree, unchecked(wrong))
    with refuses(ConfigError, option="drop_below", given=0.9):
        cut_improbable(tree, 0.9)
    with refuses(ConfigError, option="drop_play", given="best"):
        cut_improbable(tree, 0.1, "best")
    with refuses(MismatchError, option="drop_play"):
        cut_improbable(tree, 0.1, Strategy.uniform(compile_game("rps")))
    with refuses(MismatchError, option="strategy"):
        cut_improbable(tree, 0.1, "uniform").lift(Strategy.uniform(tree))
