"""What a strategy means at each infoset: how often play gets there, and what each action earns.

Plain NumPy over the histories of a compiled game, level by level, so that looking at a small
game needs no compiled kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.strategy import Strategy
from equilibrist.tree.levels import Levels
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class InfosetValues:
    """Per infoset (public order, I of them) and action (Q), under one strategy of all players.

    reach: float64[I], the probability that play comes through the infoset.
    counterfactual_reach: float64[I], the same if its player did everything to get there.
    cf_value: float64[I], counterfactual value: the sum over the infoset's histories of
    counterfactual reach times what the player earns from there on.
    cf_action_value: float64[Q], the same if the action is always taken there.
    histories: int64[I], how many histories the infoset holds.
    Values are in the game's payoff units.
    """

    reach: FloatArray
    counterfactual_reach: FloatArray
    cf_value: FloatArray
    cf_action_value: FloatArray
    histories: Int64Array

    def expected(self, infoset: int) -> float | None:
        """What the player earns on average once there; None if the others never go there."""
        reach = float(self.counterfactual_reach[infoset])
        return float(self.cf_value[infoset]) / reach if reach > 0.0 else None

    def expected_actions(self, infoset: int, actions: slice) -> list[float] | None:
        """The same for each action of the infoset, `actions` being its slice."""
        reach = float(self.counterfactual_reach[infoset])
        if reach <= 0.0:
            return None
        values: list[float] = (self.cf_action_value[actions] / reach).tolist()
        return values


def infoset_reach(strategy: Strategy) -> FloatArray:
    """The probability that play under `strategy` comes through each infoset, float64[I]."""
    tree = strategy.tree
    levels = Levels.of(tree)
    reach = np.ones(len(levels.node))
    edge = levels.edge_probability(strategy.probabilities)
    for low, high in levels.ranges:
        reach[low:high] = reach[levels.parent[low:high]] * edge[low:high]
    return _summed(levels, reach, tree.num_infosets)


def infoset_values(strategy: Strategy) -> InfosetValues:
    """Reach and counterfactual values of every infoset under `strategy`."""
    tree = strategy.tree
    levels = Levels.of(tree)
    count, players = len(levels.node), tree.num_players
    edge = levels.edge_probability(strategy.probabilities)
    above = levels.infoset[levels.parent]
    mover = np.full(count, players)
    mover[above >= 0] = tree.infoset_player[above[above >= 0]]
    reach = np.ones((count, players + 1))  # own reach per player, then chance
    for low, high in levels.ranges:
        reach[low:high] = reach[levels.parent[low:high]]
        reach[np.arange(low, high), mover[low:high]] *= edge[low:high]
    value = levels.values(edge)
    inner = levels.infoset >= 0
    owner = np.zeros(count, dtype=np.int64)
    owner[inner] = tree.infoset_player[levels.infoset[inner]]
    counterfactual = np.ones(count)
    for player in range(players + 1):
        counterfactual *= np.where(owner == player, 1.0, reach[:, player])
    own_value = np.take_along_axis(value, owner[:, None], axis=1)[:, 0]
    below = levels.sequence >= 0
    earner = owner[levels.parent]
    edge_value = counterfactual[levels.parent] * np.take_along_axis(value, earner[:, None], 1)[:, 0]
    return InfosetValues(
        reach=_summed(levels, reach.prod(axis=1), tree.num_infosets),
        counterfactual_reach=_summed(levels, counterfactual, tree.num_infosets),
        cf_value=_summed(levels, counterfactual * own_value, tree.num_infosets),
        cf_action_value=_counted(
            levels.sequence[below], edge_value[below], int(tree.action_offset[-1])
        ),
        histories=np.bincount(levels.infoset[inner], minlength=tree.num_infosets),
    )


def _summed(levels: Levels, weights: FloatArray, num_infosets: int) -> FloatArray:
    inner = levels.infoset >= 0
    return _counted(levels.infoset[inner], weights[inner], num_infosets)


def _counted(index: Int64Array, weights: FloatArray, size: int) -> FloatArray:
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)
