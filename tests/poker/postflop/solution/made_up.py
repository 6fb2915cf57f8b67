"""Solutions with figures that are made up, for tests of what shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.poker.betting.public_tree import public_tree
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, without_cards
from equilibrist.poker.postflop.solution.node_aggregates import Evaluate, NodeValues
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray

DISJOINT = (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
"""bool[1326, 1326]: which hands can meet."""


def made_up_solution(**keys: Any) -> PostflopResult:
    """A solution whose nodes have the ranges of the spot, halved by every action of the player,
    and otherwise figures drawn for the node and the cards."""
    spot = Spot(**keys)
    tree = public_tree(spot.rules())

    def evaluate(node: int, runout: tuple[int, ...]) -> NodeValues:
        free = without_cards(card_mask((*spot.cards, *runout)))
        paths = [0, 0]
        above = node
        while tree.parent[above] >= 0:
            above = int(tree.parent[above])
            if tree.kind[above] == ACTION:
                paths[tree.player[above]] += 1
        weight = np.array([np.where(free, held.weights, 0.0) for held in spot.ranges])
        weight /= np.exp2(paths)[:, None]
        return made_up_values(weight, int(tree.num_children[node] * (tree.kind[node] == ACTION)))

    return result_of(
        spot, evaluate, iterations=300, seconds=1.5, mean_gain=0.27, stopped_by="target", target=0.3
    )


def result_of(spot: Spot, evaluate: Evaluate, **figures: Any) -> PostflopResult:
    """A result with these figures at the nodes; what is not given is made up."""
    told: dict[str, Any] = {
        "algorithm": "dcfr",
        "iterations": 1,
        "seconds": 0.0,
        "stopped_by": "iterations",
        "storage": "float32",
        "mean_gain": 0.0,
        "memory_bytes": 1_000_000,
    }
    return PostflopResult(spot=spot, evaluate=evaluate, **(told | figures))


def made_up_values(weight: FloatArray, actions: int) -> NodeValues:
    """Figures of all hands, float64[2, 1326] weights given; the strategy is of either player."""
    drawn = np.random.default_rng([actions, int(weight.sum() * 64)])
    matchups = np.array([DISJOINT @ weight[1], DISJOINT @ weight[0]])
    held = (weight > 0) & (matchups > 0)
    equity = np.where(held, drawn.uniform(size=(2, 1326)), np.nan)
    ev = np.where(held, 300 * drawn.uniform(size=(2, 1326)), np.nan)
    strategy = drawn.dirichlet(np.full(max(actions, 1), 0.7), 1326).T[:actions]
    action_ev = np.where(held.any(axis=0), 300 * drawn.uniform(size=(actions, 1326)), np.nan)
    return NodeValues(weight, matchups, ev, equity, strategy, action_ev)
