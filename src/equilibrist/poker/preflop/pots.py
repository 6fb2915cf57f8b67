"""Pots and side pots of players who are all-in, for every order of their hands."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from equilibrist.typing import BoolArray, FloatArray, Int64Array


@cache
def weak_orders(players: int) -> Int64Array:
    """int64[orders, players]: all orders of hands with ties, as ranks from 0 (best) without gaps.

    There are 1, 3, 13, 75, 541 and 4,683 for one to six players.
    """
    ranks = np.array(list(product(range(players), repeat=players)))
    present = (ranks[:, :, None] == np.arange(players)).any(axis=1)
    without_gaps = present.sum(axis=1) == ranks.max(axis=1) + 1
    orders: Int64Array = ranks[without_gaps]
    orders.flags.writeable = False
    return orders


def winnings(live: FloatArray, dead: FloatArray, contenders: BoolArray) -> FloatArray:
    """Pay each player at the end of a hand, for every order of the contenders' hands.

    The smallest stake that remains is peeled off repeatedly: it makes a pot of the players who put
    in as much, which the best of the contenders among them win. What nobody matches goes back.

    Args:
        live: float64[n], the chips that each player put in, which the others must match.
        dead: float64[n], antes, which lie in the first pot.
        contenders: bool[n], who has not folded.

    Returns:
        float64[orders, n]: chips gained or lost, in the order of `weak_orders` of the contenders;
        the rows add up to 0.
    """
    places = np.flatnonzero(contenders)
    ranks = weak_orders(len(places))
    most = live[places].max()
    put_in = np.minimum(live, most)  # a larger blind of a player who folded is not matched either
    won = np.zeros((len(ranks), len(live)))
    below, pot = 0.0, float(dead.sum())
    for level in np.unique(live[places]):
        pot += float((np.minimum(put_in, level) - np.minimum(put_in, below)).sum())
        eligible = live[places] >= level
        in_pot = np.where(eligible, ranks, len(places))
        best = in_pot == in_pot.min(axis=1, keepdims=True)
        won[:, places] += pot * best / best.sum(axis=1, keepdims=True)
        below, pot = float(level), 0.0
    gains: FloatArray = won - put_in - dead
    return gains
