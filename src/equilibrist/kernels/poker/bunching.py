"""Equity behind folded hands: deals of the players left, weighed by one or two folded ranges.

A deal and a board weigh as much as the folded hands that they leave. With t[c, d] the weight of a
folded hand of the cards c and d, s[c] the sum of t[c], and T that of all hands, all without the
cards H of the deal and the board, one folded range leaves T. Two leave T1 T2, less the pairs of
folded hands that share a card: the sum over c of s1[c] s2[c], less that of t1 t2, the hands that
share both and are counted twice. Of a player's last hand (a, b) these change by what the arrays say
about a and b alone, so that a pair of hands costs a dozen numbers in place of all folded hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.equity import images, next_choice, on_board, scratch_for
from equilibrist.kernels.poker.hand_strength import combo_strengths
from equilibrist.kernels.poker.multiway import count_up, draw_hands
from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.typing import FloatArray, Int64Array

_CARDS = 52
_ROUNDING = 1e-12
"""Part of the weight of all folded hands below which nothing is left."""


class Left(NamedTuple):
    """What the cards taken so far leave of folded ranges: L = 1 or 3 tables.

    Tables are those of the folded ranges and, of two, that of their products t1 t2.
    """

    table: FloatArray  # [L, 52, 52]: weights of hands, without the board; symmetric
    total: FloatArray  # [n + 1, L]: the weight of the hands left, by players who have a hand
    card: FloatArray  # [n + 1, L, 52]: that of those with a card, 0 for cards taken
    paths: FloatArray  # [52, 52]: of the board: sum over c of t1[c, i] t2[c, j] + t1[c, j] t2[c, i]
    cross: FloatArray  # [52, 52]: the same without the players' cards
    shared: FloatArray  # [52]: what a taken card i removes of the sum of s1[c] s2[c], c left
    taken: Int64Array  # [2 n]: cards of the players, two each


@inner_kernel
def add_paths(one, two, c, sign, cross):
    """Add sign times t1[c, i] t2[c, j] + t1[c, j] t2[c, i] to cross[i, j]."""
    for i in range(_CARDS):
        to_one, to_two = sign * one[c, i], sign * two[c, i]
        for j in range(_CARDS):
            cross[i, j] += to_one * two[c, j] + to_two * one[c, j]


@inner_kernel
def begin_board(whole, whole_paths, board, left):
    """Take the cards of a board away from all.

    whole: float64[L, 52, 52]. whole_paths: float64[52, 52], as `Left.paths`, with all cards.
    """
    if whole.shape[0] > 1:
        left.paths[:] = whole_paths
        for card in board:
            add_paths(whole[0], whole[1], card, -1.0, left.paths)
    left.table[:] = whole
    for card in board:
        left.table[:, card, :] = 0
        left.table[:, :, card] = 0
    for layer in range(whole.shape[0]):
        left.card[0, layer, :] = 0
        for c in range(_CARDS):
            for d in range(_CARDS):
                left.card[0, layer, d] += left.table[layer, c, d]
        left.total[0, layer] = 0.5 * left.card[0, layer].sum()


@inner_kernel
def take(left, k, a, b):
    """Take away the cards of player k's hand."""
    left.taken[2 * k], left.taken[2 * k + 1] = a, b
    for layer in range(left.table.shape[0]):
        table, before, after = left.table[layer], left.card[k, layer], left.card[k + 1, layer]
        left.total[k + 1, layer] = left.total[k, layer] - before[a] - before[b] + table[a, b]
        for c in range(_CARDS):
            after[c] = before[c] - table[a, c] - table[b, c]
        for c in left.taken[: 2 * k + 2]:
            after[c] = 0


@inner_kernel
def prepare_last(left, k):
    """Fill `cross` and `shared` for the hands of the last player, number k, of two folded ranges.

    Returns the sum over the cards c left of s1[c] s2[c].
    """
    one, two = left.table[0], left.table[1]
    sums_one, sums_two = left.card[k, 0], left.card[k, 1]
    left.cross[:] = left.paths
    for c in left.taken[: 2 * k]:
        add_paths(one, two, c, -1.0, left.cross)
    left.shared[:] = 0
    whole = 0.0
    for c in range(_CARDS):
        whole += sums_one[c] * sums_two[c]
        for i in range(_CARDS):
            left.shared[i] += sums_one[c] * two[c, i] + sums_two[c] * one[c, i]
    for i in range(_CARDS):
        left.shared[i] -= 0.5 * left.cross[i, i]
    return whole


@inner_kernel
def without(left, k, layer, a, b):
    """The weight of hands left when the last player, number k, holds a hand."""
    card = left.card[k, layer]
    return left.total[k, layer] - card[a] - card[b] + left.table[layer, a, b]


@inner_kernel
def weight_left(left, k, whole, a, b):
    """The weight of the folded hands when the last player, number k, holds a hand.

    `whole` is what `prepare_last` returned.
    """
    weight = without(left, k, 0, a, b)
    least = left.total[0, 0]
    if left.table.shape[0] > 1:
        own_one, own_two = left.table[0, a, b], left.table[1, a, b]
        shared = whole - left.shared[a] - left.shared[b] + left.cross[a, b]
        # The cards of the hand itself are no cards left.
        shared -= (left.card[k, 0, a] - own_one) * (left.card[k, 1, a] - own_two)
        shared -= (left.card[k, 0, b] - own_one) * (left.card[k, 1, b] - own_two)
        weight = weight * without(left, k, 1, a, b) - shared + without(left, k, 2, a, b)
        least *= left.total[0, 1]
    return weight if weight > _ROUNDING * least else 0.0


class Free(NamedTuple):
    """The hands of n players that a board leaves, those of player k at begin[k]:stop[k]."""

    begin: Int64Array  # [n]
    stop: Int64Array  # [n]
    hand: Int64Array  # [hands]: the place in `Ranges.mask`
    strength: Int64Array  # [hands]


@inner_kernel
def every_deal(ranges, free, left, times, sums, won, met):
    """Add all deals on a board, which counts `times`."""
    players = free.begin.shape[0]
    last = players - 1
    at = free.begin.copy()
    strengths_at = np.zeros(players, np.int64)
    used = np.zeros(players, np.uint64)
    product = np.empty(players)
    best = np.zeros(players, np.int64)
    numbers = np.arange(players)
    product[0] = times
    k = 0
    while k >= 0:
        i = at[k]
        if i == free.stop[k]:
            k -= 1
            at[k] += k >= 0
            continue
        hand = free.hand[i]
        if used[k] & ranges.mask[hand]:
            at[k] += 1
            continue
        held = ranges.held[hand]
        used[k + 1] = used[k] | ranges.mask[hand]
        product[k + 1] = product[k] * ranges.weight[hand]
        best[k + 1] = max(best[k], free.strength[i])
        strengths_at[k] = free.strength[i]
        take(left, k, ranges.first[held], ranges.second[held])
        if k + 1 < last:
            k += 1
            at[k] = free.begin[k]
            continue
        top = best[last]
        whole = prepare_last(left, last) if left.table.shape[0] > 1 else 0.0
        sharing = 0
        for p in range(last):
            sharing += strengths_at[p] == top
        above, equal, below = 0.0, 0.0, 0.0
        for j in range(free.begin[last], free.stop[last]):
            other = free.hand[j]
            if used[last] & ranges.mask[other]:
                continue
            held = ranges.held[other]
            weight = product[last] * ranges.weight[other]
            weight *= weight_left(left, last, whole, ranges.first[held], ranges.second[held])
            met[other] += weight
            if free.strength[j] > top:
                above += weight
                won[other] += weight
            elif free.strength[j] == top:
                equal += weight
                won[other] += weight / (sharing + 1)
            else:
                below += weight
        count_up(strengths_at, numbers, last, top, above, equal, below, sums)
        for p in range(last):
            hand = free.hand[at[p]]
            met[hand] += above + equal + below
            if strengths_at[p] == top:
                won[hand] += below / sharing + equal / (sharing + 1)
        at[k] += 1


@kernel
def all_deals_behind(
    tables, ranges, folded, board, dealt, deck, suits, places, choices, sums, won, met
):
    """Add all deals behind one or two folded ranges, as `kernels.poker.multiway.all_deals` does.

    Adds to sums what that adds, and to won and met, float64[hands], by hand of a player, the share
    of the pot won and the weight of the deals, both in units of sums[3, 0].

    folded: float64[L, 52, 52], as in `Left.table` with all cards. The others as there.
    """
    players = ranges.begin.shape[0] - 1
    hands, layers = ranges.mask.shape[0], folded.shape[0]
    ranks = np.empty(4, np.uint64)
    strength = np.empty(ranges.first.shape[0], np.uint16)
    free = Free(
        ranges.begin[:players].copy(),
        np.empty(players, np.int64),
        np.empty(hands, np.int64),
        np.empty(hands, np.int64),
    )
    left = Left(
        np.empty((layers, _CARDS, _CARDS)),
        np.empty((players + 1, layers)),
        np.empty((players + 1, layers, _CARDS)),
        np.empty((_CARDS, _CARDS)),
        np.empty((_CARDS, _CARDS)),
        np.empty(_CARDS),
        np.empty(2 * players, np.int64),
    )
    whole_paths = np.zeros((_CARDS, _CARDS))
    if layers > 1:
        for c in range(_CARDS):
            add_paths(folded[0], folded[1], c, 1.0, whole_paths)
    for _ in range(choices):
        for k in range(places.shape[0]):
            board[dealt + k] = deck[places[k]]
        times = images(board, suits, ranks)
        if times:
            combo_strengths(tables, board, ranges.first, ranges.second, strength)
            for k in range(players):
                end = free.begin[k]
                for i in range(ranges.begin[k], ranges.begin[k + 1]):
                    if strength[ranges.held[i]]:
                        free.hand[end] = i
                        free.strength[end] = strength[ranges.held[i]]
                        end += 1
                free.stop[k] = end
            begin_board(folded, whole_paths, board, left)
            every_deal(ranges, free, left, times, sums, won, met)
            sums[3, 1] += 1.0
        next_choice(places, deck.shape[0])


@kernel
def drawn_boards_behind(tables, hands, choices, board, dealt, deck, key, begin, end, tries, sums):
    """Add boards drawn behind drawn folded hands, as `kernels.poker.equity.drawn_boards` does.

    Each sample draws the folded hands, no card twice, then a board, and compares all hands of two
    players that these leave.

    choices: of the folded hands. tries: draws of folded hands until no card comes twice. The others
    as there. Returns -1, or the number of the sample for which no folded hands were found.
    """
    folded = choices.player[choices.player.shape[0] - 1]
    first, second = np.empty(folded, np.uintp), np.empty(folded, np.uintp)
    scratch = scratch_for(hands.first.shape[0])
    weight = np.empty(hands.weight.shape)
    behind = Hands(hands.first, hands.second, weight, hands.won, hands.met)
    one = np.uint64(1)
    for sample in range(begin, end):
        state = stream(key, np.uint64(sample))
        state, gone = draw_hands(choices, state, tries, first, second)
        if not gone:
            return sample
        taken = gone
        k = dealt
        while k < board.shape[0]:
            state = advance(state)
            card = deck[int(uniform(state) * deck.shape[0])]
            bit = one << np.uint64(card)
            if not taken & bit:
                taken |= bit
                board[k] = card
                k += 1
        for h in range(hands.first.shape[0]):
            own = one << np.uint64(hands.first[h]) | one << np.uint64(hands.second[h])
            for player in range(2):
                weight[player, h] = 0.0 if own & gone else hands.weight[player, h]
        won, tied, met = on_board(tables, behind, board, 1, scratch)
        sums[0] += won
        sums[1] += met
        sums[2] += won * won
        sums[3] += won * met
        sums[4] += met * met
        sums[5] += tied
    return -1
