"""Rows of sampled trajectories add up to what the kernels of the samplers do to their tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pytest

from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms.dream_and_escher import valued_regrets
from equilibrist.learned.trajectories import (
    EVERYBODY,
    RegretRows,
    TreeNodes,
    VisitRows,
    corrected_regrets,
    expected_sarsa,
    returns,
    sample_ends,
    transitions,
)
from equilibrist.solvers.run.state import in_proportion
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.learned.existing_samplers import escher_walks, outcome_walks

KEY = np.uint64(0x1234567)
EPSILON = 0.5
WALKS = 40
GAMES = ("kuhn", "leduc", "random_tree(seed=2,depth=5,branching=3)")
PLAYERS = (0, 1)

compiled = lru_cache(compile_game)


def frozen(tree: GameTree) -> tuple[FloatArray, FloatArray]:
    """Some regrets, at some infosets none positive, and the strategy that they say."""
    generator = np.random.default_rng(3)
    regret = generator.normal(size=int(tree.action_offset[-1]))
    return regret, in_proportion(np.maximum(regret, 0.0), tree.action_offset)


def guesses(nodes: TreeNodes) -> FloatArray:
    """History values for player 0 that are far from right."""
    return np.random.default_rng(4).normal(size=len(nodes.parent))


def total(walks: Iterator[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    """What all walks add to regrets and to strategy sums."""
    gains, sums = zip(*walks, strict=True)
    return np.sum(gains, axis=0), np.sum(sums, axis=0)


def added(tree: GameTree, rows: RegretRows) -> FloatArray:
    """The weighted sum of regrets, by infoset and action."""
    sums = np.zeros((tree.num_infosets, tree.history_tree.max_actions))
    np.add.at(sums, rows.infoset, rows.target * rows.weight[:, None])
    counts = np.diff(tree.action_offset)
    return sums[np.arange(sums.shape[1]) < counts[:, None]]


def averaged(tree: GameTree, visits: VisitRows, strategy: FloatArray) -> FloatArray:
    """The weighted sum of strategies, by infoset and action."""
    weight = np.bincount(visits.infoset, weights=visits.weight, minlength=tree.num_infosets)
    return np.repeat(weight, np.diff(tree.action_offset)) * strategy


def evenly_reached(nodes: TreeNodes, player: int) -> FloatArray:
    """float64[I]: the player's part of uniform sampling above each of that player's infosets."""
    above = np.ones(len(nodes.parent))
    reach = np.ones(int(nodes.infoset.max()) + 1)
    for node in range(1, len(nodes.parent)):
        parent = nodes.parent[node]
        own = nodes.player[parent] == player
        above[node] = above[parent] / (nodes.children[parent] if own else 1)
        if nodes.player[node] == player:
            reach[nodes.infoset[node]] = above[node]
    return reach


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_corrected_rows_are_outcome_sampling_with_a_fixed_baseline(game: str, player: int) -> None:
    tree = compiled(game)
    nodes = TreeNodes.of(tree)
    regret, strategy = frozen(tree)
    value = guesses(nodes)

    walks = outcome_walks(
        tree, regret, player, range(1, WALKS + 1), KEY, epsilon=EPSILON, value=value
    )
    gained, sums = total(walks)
    ends, _ = sample_ends(
        nodes, regret, player=player, epsilon=EPSILON, key=KEY, start=1, count=WALKS
    )
    rows, visits = corrected_regrets(
        nodes, ends, strategy, player=player, epsilon=EPSILON, value=value
    )
    assert len(rows.infoset) > 0
    # The sampler has 1 over the sampling above, rows have uniform sampling over it.
    rows = rows._replace(weight=rows.weight / evenly_reached(nodes, player)[rows.infoset])
    np.testing.assert_allclose(added(tree, rows), gained, rtol=0, atol=1e-11)
    np.testing.assert_allclose(averaged(tree, visits, strategy), sums, rtol=0, atol=1e-11)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_rows_of_uniform_exploring_weigh_alike(game: str, player: int) -> None:
    tree = compiled(game)
    nodes = TreeNodes.of(tree)
    regret, strategy = frozen(tree)
    ends, _ = sample_ends(nodes, regret, player=player, epsilon=1.0, key=KEY, start=1, count=WALKS)
    rows, _ = corrected_regrets(
        nodes, ends, strategy, player=player, epsilon=1.0, value=guesses(nodes)
    )
    np.testing.assert_allclose(rows.weight, 1.0, rtol=1e-12)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_rows_by_exact_values_are_the_tabular_escher(game: str, player: int) -> None:
    tree = compiled(game)
    nodes = TreeNodes.of(tree)
    regret, strategy = frozen(tree)
    value = nodes.values(strategy)

    gained, sums = total(escher_walks(tree, regret, player, range(1, WALKS + 1), KEY))
    ends, _ = sample_ends(nodes, regret, player=player, epsilon=1.0, key=KEY, start=1, count=WALKS)
    rows, visits = valued_regrets(nodes, ends, strategy, player=player, value=value)
    np.testing.assert_allclose(added(tree, rows), gained, rtol=0, atol=1e-12)
    np.testing.assert_allclose(averaged(tree, visits, strategy), sums, rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_values_of_histories_are_fixed_points_of_their_targets(game: str) -> None:
    tree = compiled(game)
    nodes = TreeNodes.of(tree)
    regret, strategy = frozen(tree)
    value = nodes.values(strategy)
    profile = Strategy(tree, strategy)
    assert value[0] == pytest.approx(evaluate(profile).values[0], abs=1e-12)
    ends, _ = sample_ends(
        nodes, regret, player=EVERYBODY, epsilon=EPSILON, key=KEY, start=1, count=WALKS
    )
    moves = transitions(nodes, ends)
    expected = nodes.expected_children(nodes.probabilities(strategy), value)
    target = expected_sarsa(nodes, moves, expected)
    # Where no chance lies between a move and what came next, its target is its value.
    direct = moves.next == moves.node
    assert direct.any()
    np.testing.assert_allclose(target[direct], value[moves.node[direct]], rtol=0, atol=1e-12)
    met = returns(nodes, ends)
    assert (met.node == 0).sum() == WALKS
    assert sorted(met.value[met.node == 0]) == sorted(nodes.payoff[ends])
