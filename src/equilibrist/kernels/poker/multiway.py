"""Equity of several ranges: every deal on all boards, or deals drawn at random.

A deal gives each player a hand of their range, no card twice; its weight is the product of the
weights of the hands. The players who hold the best hand share the pot: with up to six players a
share is a whole number of sixtieths, so that sums over deals of weight 1 are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.equity import images, next_choice
from equilibrist.kernels.poker.hand_strength import combo_strengths
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.typing import FloatArray, Int64Array, UInt64Array

POT = 60
"""The pot in the unit of shares, the least common multiple of 1 to 6."""


class Ranges(NamedTuple):
    """The hands of n players, those of one player after the other."""

    begin: Int64Array  # [n + 1]: where the hands of each player begin
    mask: UInt64Array  # [hands]: the two cards, one bit each
    weight: FloatArray  # [hands]
    held: Int64Array  # [hands]: the index of the hand in `first` and `second`
    first: UInt64Array  # [combos]: the cards of all combos that any player holds, as uintp
    second: UInt64Array  # [combos]


class Choices(NamedTuple):
    """What deals are drawn from: groups of players whose hands are drawn together."""

    begin: Int64Array  # [groups + 1]: where the choices of each group begin
    mask: UInt64Array  # [choices]: the cards of all hands of a choice
    cumulative: FloatArray  # [choices]: the share of the choices of a group up to this one
    player: Int64Array  # [groups + 1]: the first player of each group
    first: UInt64Array  # [choices, players of the largest group]: the cards of their hands, uintp
    second: UInt64Array


@inner_kernel
def count_up(strength, at, last, top, above, equal, below, sums):
    """Add the deals that differ in the last player's hand only.

    `above`, `equal` and `below` are the weights of the deals in which the last player's hand is
    better than the best of the others, `top`, as good, and worse.
    """
    sharing = 0
    for k in range(last):
        sharing += strength[at[k]] == top
    for k in range(last):
        if strength[at[k]] == top:
            if sharing == 1:
                sums[0, k] += below
            else:
                sums[1, k] += below
                sums[2, k] += below * (POT // sharing)
            sums[1, k] += equal
            sums[2, k] += equal * (POT // (sharing + 1))
    sums[0, last] += above
    sums[1, last] += equal
    sums[2, last] += equal * (POT // (sharing + 1))
    sums[3, 0] += above + equal + below


@inner_kernel
def every_deal(begin, stop, mask, weight, strength, times, sums):
    """Add all deals on a board, which counts `times`; hands are at begin[k]:stop[k] of player k."""
    last = begin.shape[0] - 1
    at = begin.copy()
    used = np.zeros(last + 1, np.uint64)
    product = np.empty(last + 1)
    best = np.zeros(last + 1, np.int64)
    product[0] = times
    k = 0
    while k >= 0:
        i = at[k]
        if i == stop[k]:
            k -= 1
            at[k] += k >= 0
            continue
        if used[k] & mask[i]:
            at[k] += 1
            continue
        used[k + 1] = used[k] | mask[i]
        product[k + 1] = product[k] * weight[i]
        best[k + 1] = max(best[k], strength[i])
        if k + 1 < last:
            k += 1
            at[k] = begin[k]
            continue
        taken, top = used[last], best[last]
        above, equal, below = 0.0, 0.0, 0.0
        for j in range(begin[last], stop[last]):
            own = 0.0 if taken & mask[j] else weight[j]
            above += own if strength[j] > top else 0.0
            equal += own if strength[j] == top else 0.0
            below += own if strength[j] < top else 0.0
        weight_each = product[last]
        count_up(
            strength,
            at,
            last,
            top,
            weight_each * above,
            weight_each * equal,
            weight_each * below,
            sums,
        )
        at[k] += 1


@kernel
def all_deals(tables, ranges, board, dealt, deck, suits, places, choices, sums):
    """Add all deals on boards that are enumerated as by `kernels.poker.equity.all_boards`.

    Adds to sums, float64[4, n]: for each player the weight of the deals won alone, that of those
    tied, and the shares of the ties in sixtieths; then the weight of all and the number of boards.

    tables: StrengthTables. ranges: of all players. board: int64[5], `dealt` cards filled in. deck:
    the cards that can come. suits: the group of permutations. places: the combination out of the
    deck to go on from. choices: combinations to go through.
    """
    players = ranges.begin.shape[0] - 1
    hands = ranges.mask.shape[0]
    ranks = np.empty(4, np.uint64)
    strength = np.empty(ranges.first.shape[0], np.uint16)
    begin, stop = ranges.begin[:players].copy(), np.empty(players, np.int64)
    free_mask, free_weight = np.empty(hands, np.uint64), np.empty(hands)
    free_strength = np.empty(hands, np.int64)
    for _ in range(choices):
        for k in range(places.shape[0]):
            board[dealt + k] = deck[places[k]]
        times = images(board, suits, ranks)
        if times:
            combo_strengths(tables, board, ranges.first, ranges.second, strength)
            for k in range(players):
                end = begin[k]
                for i in range(begin[k], ranges.begin[k + 1]):
                    rank = strength[ranges.held[i]]
                    if rank:
                        free_mask[end] = ranges.mask[i]
                        free_weight[end] = ranges.weight[i]
                        free_strength[end] = rank
                        end += 1
                stop[k] = end
            every_deal(begin, stop, free_mask, free_weight, free_strength, times, sums)
            sums[3, 1] += 1.0
        next_choice(places, deck.shape[0])


@inner_kernel
def chosen(cumulative, begin, stop, number):
    """The first choice whose cumulative share is above a number in [0, 1)."""
    low, high = begin, stop - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > number:
            high = middle
        else:
            low = middle + 1
    return low


@inner_kernel
def draw_hands(choices, state, tries, first, second):
    """Draw all hands until no card comes twice: the state after it and the cards as a set.

    The set is 0 if so many tries fail.
    """
    groups = choices.begin.shape[0] - 1
    for _ in range(tries):
        used = np.uint64(0)
        g = 0
        while g < groups:
            state = advance(state)
            i = chosen(choices.cumulative, choices.begin[g], choices.begin[g + 1], uniform(state))
            if used & choices.mask[i]:
                break
            used |= choices.mask[i]
            for k in range(choices.player[g], choices.player[g + 1]):
                first[k] = choices.first[i, k - choices.player[g]]
                second[k] = choices.second[i, k - choices.player[g]]
            g += 1
        if g == groups:
            return state, used
    return state, np.uint64(0)


@kernel
def drawn_deals(tables, choices, shows, board, dealt, deck, key, begin, end, tries, sums):
    """Add drawn deals number `begin` to `end`, each with a board; each depends on its number only.

    Adds to sums, int64[4, n]: for each player the deals won alone, those tied, the shares of the
    ties in sixtieths, and the squares of all shares. Returns -1, or the number of the deal for
    which no hands were found in so many tries.

    tables: StrengthTables. shows: bool[n], whether the hand of a player takes part in the showdown;
    those of others are dealt alone. board: int64[5], `dealt` cards filled in. deck: the cards that
    can come. key: uint64, the stream of random numbers.
    """
    players = sums.shape[1]
    first, second = np.empty(players, np.uintp), np.empty(players, np.uintp)
    strength = np.empty(players, np.uint16)
    for sample in range(begin, end):
        state = stream(key, np.uint64(sample))
        state, taken = draw_hands(choices, state, tries, first, second)
        if not taken:
            return sample
        k = dealt
        while k < board.shape[0]:
            state = advance(state)
            card = deck[int(uniform(state) * deck.shape[0])]
            bit = np.uint64(1) << np.uint64(card)
            if not taken & bit:
                taken |= bit
                board[k] = card
                k += 1
        combo_strengths(tables, board, first, second, strength)
        best, sharing = np.uint16(0), 0
        for k in range(players):
            if not shows[k]:
                strength[k] = 0
            if strength[k] > best:
                best, sharing = strength[k], 0
            sharing += strength[k] == best
        share = POT // sharing
        for k in range(players):
            if strength[k] == best:
                if sharing == 1:
                    sums[0, k] += 1
                else:
                    sums[1, k] += 1
                    sums[2, k] += share
                sums[3, k] += share * share
    return -1
