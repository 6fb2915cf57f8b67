"""What a search for the best mixture of a team ends with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray

TOLERANCE = 1e-7
"""A search ends when no joint plan earns more than this share of what play meets more."""
DROPPED = 1e-9
"""Weights in mixtures up to this are rounding."""


class Secured(NamedTuple):
    """The mixtures of both sides, and the bounds between which the team value lies.

    `met` is the largest payoff times the probability with which play meets it.
    `weights[k]` is that of the joint plan `plans[k]`, bool[Q]. `answers` are the weights and
    strategies of the other side, float64[Q], of which only their own infosets count. A search that
    was `interrupted` ends with the best mixtures so far, and with bounds that are not the best.
    """

    met: float
    value: float
    bound: float
    weights: FloatArray
    plans: list[BoolArray]
    answers: list[tuple[float, FloatArray]]
    columns: int
    iterations: int
    proofs: int
    interrupted: bool = False


def payoff_met(paid: FloatArray, table: FloatArray, own: FloatArray, other: FloatArray) -> float:
    """The largest payoff times the probability with which play meets it.

    It is no less than the least payoff of the game: where play meets nothing but zeros, what is
    earned elsewhere still counts.

    Args:
        paid: float64[Z], what the team earns at each terminal history, times chance.
        table: float64[K, N], what it earns by its own and the other side's plans.
        own: float64[K], the weights of its plans.
        other: float64[N], those of the other side's.
    """
    met = float((np.abs(table) * own[:, None] * other).max(initial=0.0))
    sizes = np.abs(paid[paid != 0.0])
    return max(met, float(sizes.min())) if len(sizes) else met


def most_if_informed(tree: GameTree, team: tuple[int, ...], worth: FloatArray) -> float:
    """Bound what joint plans earn by a team whose members know the whole history.

    Args:
        tree: The game.
        team: The members.
        worth: float64[Z], what each terminal history is worth if all members allow it, times the
            probability that chance and the others do.
    """
    walk = tree.walk
    of_node = walk.infoset.astype(np.int64)
    inner = of_node >= 0
    chosen = np.zeros(len(of_node), dtype=np.bool_)
    chosen[inner] = np.isin(tree.infoset_player[tree.public_of_walk[of_node[inner]]], team)
    value = np.where(chosen, -np.inf, 0.0)
    value[of_node == TERMINAL_MARK] = worth
    total, largest, parent = value.tolist(), chosen.tolist(), walk.parent.tolist()
    for node in range(len(total) - 1, 0, -1):  # children come after their parents
        above = parent[node]
        if largest[above]:
            total[above] = max(total[above], total[node])
        else:
            total[above] += total[node]
    return float(total[0])
