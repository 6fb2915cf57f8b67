"""How many drawn sets of folded cards leave each pair of hands.

A pair of hands (a, b) and (c, d) is left by the sets that hold none of the four cards. By inclusion
and exclusion that is the number of all sets, less those with one of the cards, plus those with two
of them, and so on, so that the sets are gone through once for all pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.typing import Int32Array

_CARDS = 52


class Held(NamedTuple):
    """How many sets hold some cards, by the rank of these among all sets of as many cards."""

    one: Int32Array  # [52]
    two: Int32Array  # [1,326]
    three: Int32Array  # [22,100]
    four: Int32Array  # [270,725]


@inner_kernel
def _rank_two(a, b):
    """The rank of {a, b}, a < b, in colexicographic order."""
    return b * (b - 1) // 2 + a


@inner_kernel
def _rank_three(a, b, c):
    """The rank of {a, b, c}, a < b < c."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@inner_kernel
def _rank_four(a, b, c, d):
    """The rank of {a, b, c, d}, a < b < c < d."""
    return d * (d - 1) * (d - 2) * (d - 3) // 24 + _rank_three(a, b, c)


@kernel
def count_held(sets, taken, held):
    """Count the sets with none of the cards that are taken: by the cards that they hold.

    Args:
        sets: uint8[n, k], cards in ascending order.
        taken: bool[52], the cards of a board.
        held: `Held` of zeros; the counts are added to it.

    Returns:
        How many sets have none of these cards.
    """
    left, size = 0, sets.shape[1]
    for row in range(sets.shape[0]):
        is_blocked = False
        for i in range(size):
            is_blocked |= taken[sets[row, i]]
        if is_blocked:
            continue
        left += 1
        for i in range(size):
            d = np.int64(sets[row, i])
            held.one[d] += 1
            for j in range(i):
                c = np.int64(sets[row, j])
                held.two[_rank_two(c, d)] += 1
                for k in range(j):
                    b = np.int64(sets[row, k])
                    held.three[_rank_three(b, c, d)] += 1
                    for m in range(k):
                        held.four[_rank_four(np.int64(sets[row, m]), b, c, d)] += 1
    return left


@inner_kernel
def _three(held, a, c, d):
    """How many sets hold a, c and d, c < d."""
    if a < c:
        return held.three[_rank_three(a, c, d)]
    if a < d:
        return held.three[_rank_three(c, a, d)]
    return held.three[_rank_three(c, d, a)]


@inner_kernel
def _four(held, a, b, c, d):
    """How many sets hold a < b and c < d."""
    inner, outer = max(a, c), min(b, d)
    rank = _rank_four(min(a, c), min(inner, outer), max(inner, outer), max(b, d))
    return held.four[rank]


@kernel
def count_left(own, other, held, left, counts):
    """Count the sets that leave both hands of each pair.

    Args:
        own: int64[n, 2], the cards of one player's hands, the lower one first.
        other: int64[m, 2], those of the other player's.
        held: The counts of `count_held`.
        left: What `count_held` returned.
        counts: int64[n, m], written; 0 where the two hands share a card.
    """
    single = np.zeros(_CARDS, np.int64)
    for i in range(own.shape[0]):
        a, b = own[i, 0], own[i, 1]
        base = left - held.one[a] - held.one[b] + held.two[_rank_two(a, b)]
        for c in range(_CARDS):  # sets that leave the own hand, and hold c
            if c not in (a, b):
                with_a = held.two[_rank_two(min(a, c), max(a, c))]
                with_b = held.two[_rank_two(min(b, c), max(b, c))]
                single[c] = held.one[c] - with_a - with_b + _three(held, c, a, b)
        for j in range(other.shape[0]):
            c, d = other[j, 0], other[j, 1]
            if c in (a, b) or d in (a, b):
                counts[i, j] = 0
                continue
            both = held.two[_rank_two(c, d)] - _three(held, a, c, d) - _three(held, b, c, d)
            counts[i, j] = base - single[c] - single[d] + both + _four(held, a, b, c, d)
