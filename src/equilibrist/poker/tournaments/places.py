"""The probabilities of places by the independent chip model, for fields of any size.

The model's order of finish is that of independent exponential times, one for each player with the
stack as rate, the earliest first: the first is player i with the probability of their share of the
chips, and so on among the others (R. D. Luce, Individual choice behavior, 1959; R. L. Plackett, The
analysis of permutations, JRSS C 1975). Player i finishes in place k where i's time is t and k - 1
of the others have earlier ones, so that the probability is one integral over t, of i's density
times a Poisson binomial probability, in place of a sum over sets of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import Final

import numpy as np

from equilibrist.typing import FloatArray

MOST_PRODUCTS: Final = 4e9
"""The most products of two numbers that `place_probabilities` is asked for: some ten seconds."""
_NODES: Final = 256
"""Nodes that are worked on at once, so that a product stays in the cache."""
_EARLIEST: Final = 1e-18
_LATEST: Final = 45.0
_STEPS: Final = (0.25, 0.125, 0.0625, 0.03125, 0.015625)
"""Distances of nodes on the logarithm of time, each half of that before, whose nodes it keeps."""
_ACCURACY: Final = 1e-13


def products(players: int, paid: int) -> float:
    """The products of two numbers that `place_probabilities` takes, roughly."""
    return players * (1 + log2(players)) * paid * 2000


def place_probabilities(stacks: FloatArray, paid: int) -> FloatArray:
    """The probability of each player to finish in each of the first places.

    Args:
        stacks: float64[n], all above 0.
        paid: The number of places, 1 to n.

    Returns:
        float64[n, paid], exact but for rounding.
    """
    rates = stacks / stacks.sum()
    order = np.argsort(rates, kind="stable")
    rates = rates[order]
    begin, end = np.log(_EARLIEST), np.log(_LATEST / rates[0])
    sums = np.zeros((len(rates), paid))
    before = sums
    for number, step in enumerate(_STEPS):
        nodes = np.arange(begin, end, step)
        new = nodes if number == 0 else nodes[1::2]
        for first in range(0, len(new), _NODES):
            _add_nodes(rates, np.exp(new[first : first + _NODES]), sums)
        probabilities = sums * step
        if np.abs(probabilities - before).max() < _ACCURACY:
            break
        before = probabilities
    by_player = np.empty_like(sums)
    by_player[order] = probabilities
    return by_player


def _add_nodes(rates: FloatArray, times: FloatArray, sums: FloatArray) -> None:
    """Add the integrand at some times, by the logarithm of time, to `sums`, [n, places]."""
    later = np.exp(-np.outer(rates, times))
    earlier = -np.expm1(-np.outer(rates, times))
    density = rates[:, None] * times * later
    first = np.zeros((sums.shape[1], len(times)))
    first[0] = 1.0
    for player, others in _without_each(later, earlier, 0, len(rates), first, 1):
        sums[player, : len(others)] += others @ density[player]


def _without_each(
    later: FloatArray, earlier: FloatArray, begin: int, end: int, before: FloatArray, size: int
) -> Iterator[tuple[int, FloatArray]]:
    """Yield each player of a slice, and how many of all others are earlier.

    `before` is that of all players outside the slice, [places, nodes], of which `size` rows can be
    above 0. Half of the slice is multiplied in for the other half: n log n products in place of n².
    """
    if end - begin == 1:
        yield begin, before[:size]
        return
    middle = (begin + end) // 2
    for low, high, added in (
        (begin, middle, range(middle, end)),
        (middle, end, range(begin, middle)),
    ):
        row, length = before.copy(), size
        for player in added:
            length = min(length + 1, len(row))
            moved = row[: length - 1] * earlier[player]
            row[:length] *= later[player]
            row[1:length] += moved
        yield from _without_each(later, earlier, low, high, row, length)


def sampled_worth(
    stacks: FloatArray, payouts: FloatArray, samples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """What stacks are worth by drawn orders of finish.

    Args:
        stacks: float64[n], all above 0.
        payouts: float64[k], of the first k places, k <= n.
        samples: The orders that are drawn, at least 2.
        seed: Seed of the draws.

    Returns:
        The mean payout of each player, float64[n], and its standard error.
    """
    players, paid = len(stacks), len(payouts)
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    total, squares = np.zeros(players), np.zeros(players)
    at_once = max(1, 2_000_000 // players)
    for begin in range(0, samples, at_once):
        times = generator.exponential(size=(min(at_once, samples - begin), players)) / stacks
        if paid < players:
            first = np.argpartition(times, paid - 1, axis=1)[:, :paid]
            within = np.argsort(np.take_along_axis(times, first, axis=1), axis=1)
            finished = np.take_along_axis(first, within, axis=1)
        else:
            finished = np.argsort(times, axis=1)
        won = np.broadcast_to(payouts, finished.shape).ravel()
        total += np.bincount(finished.ravel(), won, players)
        squares += np.bincount(finished.ravel(), won * won, players)
    mean = total / samples
    variance = np.maximum(squares / samples - mean * mean, 0.0) * samples / (samples - 1)
    return mean, np.sqrt(variance / samples)
