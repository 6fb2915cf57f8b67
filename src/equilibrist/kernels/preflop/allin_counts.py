"""Showdowns of the 169 hand classes against each other, one board after the other.

On a board the hands are sorted by strength, those of a class together. Going up, `below` counts the
hands of each class that are weaker than the hands at hand, so that one row of 169 sums takes all
showdowns of a class at that strength. It counts hands that share a card, too: two different hands
share at most one, so that the weaker hands with the one and with the other card are subtracted.
Only the 25 classes with the rank of a card have hands with that card, so these rows are short.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.hand_strength import combo_strengths
from equilibrist.typing import Int64Array, UInt64Array

_DIGIT = 7
_MASK = (1 << _DIGIT) - 1
_BUCKETS = 1 << _DIGIT


class HandsByClass(NamedTuple):
    """The 1,326 hands, those of a class one after the other."""

    first: UInt64Array  # [1326]: a card of each, as uintp
    second: UInt64Array  # [1326]: its other card
    hand_class: Int64Array  # [1326]
    first_place: Int64Array  # [1326]: the place of its class among those with the rank of `first`
    second_place: Int64Array  # [1326]: the same for `second`


@inner_kernel
def counting_pass(strength, shift, source, count, begin, target):
    """Sort hands stably by one digit of their strengths."""
    begin[:] = 0
    for k in range(count):
        begin[((strength[source[k]] >> shift) & _MASK) + 1] += 1
    for digit in range(_BUCKETS):
        begin[digit + 1] += begin[digit]
    for k in range(count):
        digit = (strength[source[k]] >> shift) & _MASK
        target[begin[digit]] = source[k]
        begin[digit] += 1


@kernel
def count_wins(tables, hands, boards, copies, wins, shared):
    """Count the showdowns that a hand of one class wins against a hand of another.

    Boards are uint8[n, 3 to 5], with tables for hands of two cards more; each counts `copies`,
    int32[n], times. Adds to wins, uint32[169, at least 169], also the pairs of hands that share a
    card; these alone to shared, uint32[13, 25, at least 25]: by the rank of the shared card, and by
    the places of the classes among those with that rank. A row may be longer than needed, so that
    it fills vectors. 2^32 suffices: the largest sum over all boards is below 2^28.
    """
    count_all = hands.first.shape[0]
    strength = np.empty(count_all, np.uint16)
    order, spare = np.empty(count_all, np.int64), np.empty(count_all, np.int64)
    begin = np.empty(_BUCKETS + 1, np.int64)
    board = np.empty(boards.shape[1], np.uintp)
    below = np.empty(wins.shape[1], np.uint32)
    with_card = np.empty((52, shared.shape[2]), np.uint32)
    for b in range(boards.shape[0]):
        for k in range(board.shape[0]):
            board[k] = boards[b, k]
        combo_strengths(tables, board, hands.first, hands.second, strength)
        count = 0
        for h in range(count_all):
            order[count] = h
            count += strength[h] != 0
        counting_pass(strength, 0, order, count, begin, spare)
        counting_pass(strength, _DIGIT, spare, count, begin, order)
        below[:] = 0
        with_card[:] = 0
        times = np.uint32(copies[b])
        k = 0
        while k < count:
            level = strength[order[k]]
            start = k
            while k < count and strength[order[k]] == level:
                own = hands.hand_class[order[k]]
                number = np.uint32(0)
                while k < count:
                    h = order[k]
                    if strength[h] != level or hands.hand_class[h] != own:
                        break
                    first, second = hands.first[h], hands.second[h]
                    row = shared[first >> np.uintp(2), hands.first_place[h]]
                    other = shared[second >> np.uintp(2), hands.second_place[h]]
                    for j in range(row.shape[0]):
                        row[j] += with_card[first, j]
                    for j in range(other.shape[0]):
                        other[j] += with_card[second, j]
                    number += np.uint32(1)
                    k += 1
                for j in range(wins.shape[1]):
                    wins[own, j] += number * below[j]
            for i in range(start, k):
                h = order[i]
                below[hands.hand_class[h]] += times
                with_card[hands.first[h], hands.first_place[h]] += times
                with_card[hands.second[h], hands.second_place[h]] += times
