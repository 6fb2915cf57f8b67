"""Equities of all hands on boards of five cards, against a uniform opponent.

A board costs a sort and a sweep from the weakest hand to the strongest, as in
`kernels.poker.equity`. All sums are whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.poker.equity import ordered, scratch_for
from equilibrist.kernels.poker.strength_tables import ALL
from equilibrist.typing import UInt64Array


class DeckHands(NamedTuple):
    """The hands of a deck."""

    first: UInt64Array  # [n], as uintp: the cards
    second: UInt64Array  # [n]
    combo: UInt64Array  # [n]: the number of each among the 1,326


@kernel
def river_equities(tables, hands, boards, blocked, out):
    """Twice the hands beaten and once the hands tied with, out of all that share no card.

    boards: uint8[B, 5]. out: uint16[B, 1326]; `blocked` where a hand is not dealt on the board.
    """
    scratch = scratch_for(hands.first.shape[0])
    first, second, combo = hands
    strength, order = scratch.strength, scratch.order
    below = np.empty(ALL + 1, np.int32)
    for b in range(boards.shape[0]):
        row = out[b]
        row[:] = blocked
        count = ordered(tables, hands, boards[b], scratch)
        below[:] = 0
        begin = 0
        while begin < count:
            level = strength[order[begin]]
            end = begin
            while end < count and strength[order[end]] == level:
                h = order[end]
                row[combo[h]] = below[ALL] - below[first[h]] - below[second[h]]
                end += 1
            for i in range(begin, end):
                h = order[i]
                below[first[h]] += 1
                below[second[h]] += 1
            below[ALL] += end - begin
            for i in range(begin, end):  # a hand itself was taken off twice
                h = order[i]
                row[combo[h]] += below[ALL] - below[first[h]] - below[second[h]] + 1
            begin = end


@kernel
def group_equities(tables, hands, boards, group, wanted, starts, whole, out):
    """Equities of hands against groups of opponents, 0 to `whole`, on boards of five cards.

    group: uint8[n], of each hand of the deck. wanted: uint16[m], hands of board b in the slice
    from starts[b] to starts[b + 1]. out: uint16[m, G]. Against a group of which no hand is left it
    is the equity against all.
    """
    num_groups = out.shape[1]
    scratch = scratch_for(hands.first.shape[0])
    first, second, combo = hands
    strength, order = scratch.strength, scratch.order
    below = np.empty((ALL + 1, num_groups), np.int32)
    won = np.empty((1326, num_groups), np.int32)
    met = np.empty((1326, num_groups), np.int32)
    for b in range(boards.shape[0]):
        count = ordered(tables, hands, boards[b], scratch)
        below[:] = 0
        begin = 0
        while begin < count:
            level = strength[order[begin]]
            end = begin
            while end < count and strength[order[end]] == level:
                h = order[end]
                c, x, y = combo[h], first[h], second[h]
                for g in range(num_groups):
                    won[c, g] = below[ALL, g] - below[x, g] - below[y, g]
                end += 1
            for i in range(begin, end):
                h = order[i]
                g = np.uintp(group[h])
                below[first[h], g] += 1
                below[second[h], g] += 1
                below[ALL, g] += 1
            for i in range(begin, end):
                h = order[i]
                c, x, y = combo[h], first[h], second[h]
                for g in range(num_groups):
                    won[c, g] += below[ALL, g] - below[x, g] - below[y, g]
                won[c, np.uintp(group[h])] += 1
            begin = end
        for i in range(count):
            h = order[i]
            c, x, y = combo[h], first[h], second[h]
            for g in range(num_groups):
                met[c, g] = below[ALL, g] - below[x, g] - below[y, g]
            met[c, np.uintp(group[h])] += 1
        for k in range(starts[b], starts[b + 1]):
            c = np.uintp(wanted[k])
            all_won, all_met = 0, 0
            for g in range(num_groups):
                all_won += won[c, g]
                all_met += met[c, g]
            for g in range(num_groups):
                wins, hands_met = won[c, g], met[c, g]
                if hands_met == 0:
                    wins, hands_met = all_won, all_met
                out[k, g] = (wins * whole + hands_met) // (2 * hands_met)
