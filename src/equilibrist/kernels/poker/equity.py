"""Equity of two ranges: showdowns on all boards, or on sampled boards.

A showdown sweeps the hands from the weakest to the strongest and keeps the weight met so far, in
total and per card. The weight that a hand beats is that sum without the hands that share one of its
cards (card removal by inclusion and exclusion), so a board costs a sort and a sweep instead of a
comparison of all pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.hand_strength import combo_strengths
from equilibrist.kernels.poker.strength_tables import ALL
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.typing import FloatArray, UInt16Array, UInt64Array

_SUIT_WIDTH = np.uint64(13)
_DIGIT = np.uint16(7)
_DIGITS = 128  # two of them hold any strength
_FEW = 40  # hands up to which insertion is faster than two passes by digits


class Scratch(NamedTuple):
    """Working memory for one board."""

    strength: UInt16Array  # [n]
    order: UInt64Array  # [n]: hands from the weakest up, as uintp
    spare: UInt64Array  # [n]
    starts: UInt64Array  # [_DIGITS + 1]
    below: FloatArray  # [2, ALL + 1]: each player's weight met so far, per card and in all


@inner_kernel
def scratch_for(size):
    """Scratch for so many hands."""
    return Scratch(
        np.empty(size, np.uint16),
        np.empty(size, np.uintp),
        np.empty(size, np.uintp),
        np.empty(_DIGITS + 1, np.uintp),
        np.empty((2, ALL + 1)),
    )


@inner_kernel
def by_digit(source, count, strength, shift, starts, target):
    """Write `count` hands to target in the order of one digit of their strengths, stably."""
    starts[:] = 0
    for i in range(count):
        starts[((strength[source[i]] >> shift) & np.uint16(_DIGITS - 1)) + 1] += 1
    for digit in range(_DIGITS):
        starts[digit + 1] += starts[digit]
    for i in range(count):
        digit = np.uintp((strength[source[i]] >> shift) & np.uint16(_DIGITS - 1))
        target[starts[digit]] = source[i]
        starts[digit] += np.uintp(1)


@inner_kernel
def by_insertion(order, count, strength):
    """Sort a few hands by their strengths."""
    for i in range(1, count):
        h = order[i]
        k = i
        while k and strength[order[k - 1]] > strength[h]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = h


@inner_kernel
def unblocked(sums, a, b):
    """The weight of the hands in `sums` that contain neither card: unblocked opponent reach."""
    return sums[ALL] - sums[a] - sums[b]


@inner_kernel
def add(sums, a, b, weight):
    """Add a hand to sums of all and per card."""
    sums[a] += weight
    sums[b] += weight
    sums[ALL] += weight


@inner_kernel
def showdown(hands, scratch, count, times):
    """Add a board that counts `times` to won and met; `scratch.order` is from the weakest hand up.

    Returns the weight of the matchups that player 0 wins, that of those tied, and that of all.
    """
    first, second = hands.first, hands.second
    weight0, weight1 = hands.weight[0], hands.weight[1]
    won0, won1, met0, met1 = hands.won[0], hands.won[1], hands.met[0], hands.met[1]
    strength, order = scratch.strength, scratch.order
    sums0, sums1 = scratch.below[0], scratch.below[1]
    sums0[:] = 0
    sums1[:] = 0
    half = 0.5 * times
    won, beaten, met = 0.0, 0.0, 0.0
    begin = 0
    while begin < count:
        level = strength[order[begin]]
        end = begin
        while end < count and strength[order[end]] == level:
            h = order[end]
            a, b = first[h], second[h]
            below = unblocked(sums1, a, b)
            beaten += weight0[h] * below
            won += 0.5 * weight0[h] * below
            won0[h] += half * below
            won1[h] += half * unblocked(sums0, a, b)
            end += 1
        for i in range(begin, end):
            h = order[i]
            add(sums0, first[h], second[h], weight0[h])
            add(sums1, first[h], second[h], weight1[h])
        for i in range(begin, end):  # a hand itself was taken off twice
            h = order[i]
            a, b = first[h], second[h]
            below = unblocked(sums1, a, b) + weight1[h]
            won += 0.5 * weight0[h] * below
            won0[h] += half * below
            won1[h] += half * (unblocked(sums0, a, b) + weight0[h])
        begin = end
    for i in range(count):
        h = order[i]
        a, b = first[h], second[h]
        against = unblocked(sums1, a, b) + weight1[h]
        met += weight0[h] * against
        met0[h] += times * against
        met1[h] += times * (unblocked(sums0, a, b) + weight0[h])
    return won, 2.0 * (won - beaten), met


@inner_kernel
def ordered(tables, hands, board, scratch):
    """Put the hands that a board leaves into `scratch.order`, the weakest first; their number."""
    strength, order, spare, starts, _ = scratch
    combo_strengths(tables, board, hands.first, hands.second, strength)
    count = 0
    for h in range(strength.shape[0]):
        if strength[h]:
            order[count] = h
            count += 1
    if count <= _FEW:
        by_insertion(order, count, strength)
    else:
        by_digit(order, count, strength, np.uint16(0), starts, spare)
        by_digit(spare, count, strength, _DIGIT, starts, order)
    return count


@inner_kernel
def on_board(tables, hands, board, times, scratch):
    """The showdown on a board of five cards; returns what `showdown` does."""
    return showdown(hands, scratch, ordered(tables, hands, board, scratch), times)


@inner_kernel
def images(board, suits, ranks):
    """The number of suit images of a board, 0 if it is not the first of them.

    suits, uint64[n, 4], is a group; ranks, uint64[4], is scratch.
    """
    ranks[:] = 0
    for card in board:
        ranks[card & 3] |= np.uint64(1) << np.uint64(card >> 2)
    own = np.uint64(0)
    for suit in range(4):
        own |= ranks[suit] << (_SUIT_WIDTH * np.uint64(suit))
    same = 0
    for g in range(suits.shape[0]):
        image = np.uint64(0)
        for suit in range(4):
            image |= ranks[suit] << (_SUIT_WIDTH * suits[g, suit])
        if image < own:
            return 0
        same += image == own
    return suits.shape[0] // same


@inner_kernel
def next_choice(places, among):
    """Turn ascending places into the next choice of as many out of `among`; the last one stays."""
    size = places.shape[0]
    k = size - 1
    while k >= 0 and places[k] == among - size + k:
        k -= 1
    if k >= 0:
        places[k] += 1
        for i in range(k + 1, size):
            places[i] = places[i - 1] + 1


@kernel
def all_boards(tables, hands, board, dealt, deck, suits, places, choices, sums):
    """Add boards whose first `dealt` cards are given and the others from the deck, one by one.

    Continues from `places`, a combination out of the deck, through that many combinations. Boards
    that are images of each other under the group `suits` are enumerated once. Adds to sums,
    float64[4], the weight of the matchups that player 0 wins, half of the ties included, that of
    all, the number of boards enumerated, and the weight of the ties.

    tables: StrengthTables. hands: of both players. board: int64[5], `dealt` cards filled in. deck:
    the cards that can come. suits: the group of permutations. choices: combinations to go through.
    """
    scratch = scratch_for(hands.first.shape[0])
    ranks = np.empty(4, np.uint64)
    for _ in range(choices):
        for k in range(places.shape[0]):
            board[dealt + k] = deck[places[k]]
        times = images(board, suits, ranks)
        if times:
            won, tied, met = on_board(tables, hands, board, times, scratch)
            sums[0] += times * won
            sums[1] += times * met
            sums[2] += 1.0
            sums[3] += times * tied
        next_choice(places, deck.shape[0])


@kernel
def drawn_boards(tables, hands, board, dealt, deck, key, begin, end, sums):
    """Add drawn boards number `begin` to `end`, the first `dealt` cards given, others of the deck.

    Adds to sums, float64[6]: of the weight w of the matchups that player 0 wins on a board, t of
    those tied, and m of all, w, m, w * w, w * m, m * m and t.

    tables: StrengthTables. hands: of both players. board: int64[5], `dealt` cards filled in. key:
    uint64, the stream of random numbers.
    """
    scratch = scratch_for(hands.first.shape[0])
    for sample in range(begin, end):
        state = stream(key, np.uint64(sample))
        taken = np.uint64(0)
        k = dealt
        while k < board.shape[0]:
            state = advance(state)
            card = deck[int(uniform(state) * deck.shape[0])]
            bit = np.uint64(1) << np.uint64(card)
            if not taken & bit:
                taken |= bit
                board[k] = card
                k += 1
        won, tied, met = on_board(tables, hands, board, 1, scratch)
        sums[0] += won
        sums[1] += met
        sums[2] += won * won
        sums[3] += won * met
        sums[4] += met * met
        sums[5] += tied
