"""What a strategy means at each infoset: how often play gets there, and what each action earns.

Plain NumPy over the histories of a compiled game, level by level, so that looking at a small
game needs no compiled kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.levels import Levels
from equilibrist.tree.payoff_scale import PayoffScale, PayoffUnits
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class InfosetValues:
    """Reach and values of I infosets and Q actions (public order) under a strategy of all players.

    Attributes:
        reach: float64[I], the probability that play comes through the infoset.
        counterfactual_reach: float64[I], the same if its player did everything to get there.
        cf_value: float64[I], the counterfactual value in payoff units: the sum over the infoset's
            histories of counterfactual reach times what the player earns from there on.
        cf_action_value: float64[Q], the same if the action is always taken there.
        histories: int64[I], how many histories the infoset holds.
        units: By how much payoffs differ, which their digits are counted by.
    """

    reach: FloatArray
    counterfactual_reach: FloatArray
    cf_value: FloatArray
    cf_action_value: FloatArray
    histories: Int64Array
    units: PayoffUnits

    def __repr__(self) -> str:
        return brief_repr(self)

    def expected(self, infoset: int) -> float | None:
        """Average what the player of an infoset earns once play is there.

        Args:
            infoset: Its public number.

        Returns:
            The average in payoff units; None if the others never play there.
        """
        reach = float(self.counterfactual_reach[infoset])
        return float(self.cf_value[infoset]) / reach if reach > 0.0 else None

    def expected_actions(self, infoset: int, actions: slice) -> list[float] | None:
        """Average what each action of an infoset earns once play is there.

        Args:
            infoset: Its public number.
            actions: Its slice of flat action arrays (`GameTree.actions_of`).

        Returns:
            One number per action, in payoff units; None if the others never play there.
        """
        reach = float(self.counterfactual_reach[infoset])
        if reach <= 0.0:
            return None
        values: list[float] = (self.cf_action_value[actions] / reach).tolist()
        return values


def infoset_reach(strategy: Strategy) -> FloatArray:
    """The probability that play under `strategy` comes through each infoset.

    Args:
        strategy: A profile.

    Returns:
        float64[I], in public order.

    Raises:
        RecallError: If the game has imperfect recall.
    """
    tree = checked_strategy(strategy).tree
    levels = Levels.of(tree)
    reach = np.ones(len(levels.node))
    edge = levels.edge_probability(strategy.probabilities)
    for low, high in levels.ranges:
        reach[low:high] = reach[levels.parent[low:high]] * edge[low:high]
    return _summed(levels, reach, tree.num_infosets)


def infoset_values(strategy: Strategy) -> InfosetValues:
    """Reach and counterfactual values of every infoset under `strategy`.

    Args:
        strategy: A profile.

    Returns:
        Arrays over infosets and over actions, in public order.

    Raises:
        RecallError: If the game has imperfect recall.
    """
    tree = checked_strategy(strategy).tree
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
    for player in range(players + 1):  # all reach but that of the player who moves
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
        units=PayoffScale(tree).units(),
    )


def _summed(levels: Levels, weights: FloatArray, num_infosets: int) -> FloatArray:
    inner = levels.infoset >= 0
    return _counted(levels.infoset[inner], weights[inner], num_infosets)


def _counted(index: Int64Array, weights: FloatArray, size: int) -> FloatArray:
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)
