"""What stacks of a tournament are worth: the independent chip model of Malmuth and Harville.

A player finishes first with the probability of their share of the chips; the second place is given
likewise among the others, and so on. D. A. Harville, Assigning probabilities to the outcomes of
multi-entry competitions (JASA 1973); M. Malmuth, Gambling theory and other topics (1987).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from equilibrist.typing import BoolArray, FloatArray


def icm(stacks: FloatArray, payouts: FloatArray, before: FloatArray | None = None) -> FloatArray:
    """The expected payout of each player.

    Players without chips take the last places; of several the one who began the hand with more
    chips is placed higher, and equals share.

    Args:
        stacks: float64[m, n], m distributions of chips over n players, not negative.
        payouts: float64[k], the payouts of the first k places, k <= n.
        before: float64[n], the stacks at the start of the hand.

    Returns:
        float64[m, n], in the unit of the payouts; a row adds up to the sum of the payouts.
    """
    players = stacks.shape[1]
    places = np.zeros(players)
    places[: len(payouts)] = payouts
    alive = stacks > 0
    worth = np.zeros_like(stacks)
    patterns, of = np.unique(alive, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(of.reshape(-1) == number)
        left = np.flatnonzero(pattern)
        worth[np.ix_(rows, left)] = _harville(stacks[np.ix_(rows, left)], places[: len(left)])
        if len(left) < players:
            started = np.ones(players) if before is None else before
            worth[np.ix_(rows, np.flatnonzero(~pattern))] = _of_the_busted(
                started, pattern, places[len(left) :]
            )
    return worth


def number_of_steps(players: int, paid: int) -> int:
    """The sets of players of which `icm` enumerates who took the places so far."""
    from math import comb

    return sum(comb(players, taken) for taken in range(min(paid, players)))


def _harville(stacks: FloatArray, places: FloatArray) -> FloatArray:
    """The same where everyone has chips and there is a payout, perhaps 0, for each."""
    rows, players = stacks.shape
    paid = int(np.flatnonzero(places).max(initial=-1)) + 1
    total = stacks.sum(axis=1)
    worth = np.zeros_like(stacks)
    # The probability that these players, in any order, took the places so far.
    taken = {(): np.ones(rows)}
    for place in range(paid):
        following: dict[tuple[int, ...], FloatArray] = {
            who: np.zeros(rows) for who in combinations(range(players), place + 1)
        }
        for who, probability in taken.items():
            rest = total - stacks[:, list(who)].sum(axis=1)
            for player in range(players):
                if player not in who:
                    share = probability * stacks[:, player] / rest
                    worth[:, player] += places[place] * share
                    following[tuple(sorted((*who, player)))] += share
        taken = following
    return worth


def _of_the_busted(before: FloatArray, alive: BoolArray, places: FloatArray) -> FloatArray:
    """The payouts of those who lost all their chips in this hand."""
    began = before[~alive]
    order = np.argsort(-began, kind="stable")
    payouts = np.empty(len(began))
    for stack in np.unique(began):
        same = began[order] == stack
        payouts[order[same]] = places[same].mean()
    return payouts
