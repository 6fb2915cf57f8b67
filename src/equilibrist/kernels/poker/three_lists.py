"""What the board and three lists of hands fix once and for all in values of three players.

`kernels.poker.three_ranges` visits hands by rank, from the weakest to the strongest, and reads the
lists of this module once for ENDS lines of betting. H are the hands of a range, n those of the own
seat, G their different strengths; j and k are the opponents. Cards are numbered from 0 without
those of the board, on the river to 46, on the flop to 48. A hand that a range lacks is its row of
zeros, the last of its lanes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel

CARDS = 49
"""Rows per card in all sums: the cards that are not on a flop; on a river there are 47."""
END, J_LOW, J_HIGH, K_LOW, K_HIGH, BOTH_LOW, BOTH_HIGH = range(7)
"""Columns of the levels: the own hand after the last of the level; for j, k and the combos that
both hold, how many are weaker, and how many weaker or equal."""
J_WEAK, J_TIED, K_WEAK, K_TIED = range(4)
"""Columns of the card counts: hands of j and k with the card that are weaker, and equal."""
ALL, HALF, THIRD = range(3)
"""Shares of the pot: 1 if no hand ties, 1/2 if one does, 1/3 if both do."""
_ONE, _TWO, _FOUR = np.uintp(1), np.uintp(2), np.uintp(4)
_CARDS = np.uintp(CARDS)


class RangeLists(NamedTuple):
    """The hands of one seat."""

    card_a: Any  # uint8[H]: first card of each hand, hands by rank
    card_b: Any  # uint8[H]: second card
    rank: Any  # int16[width]: by the order in which they are given; of the padding, its own index
    row: Any  # uint16[CARDS * CARDS]: the rank of the hand of two cards; the row of zeros if none
    begin: Any  # int64[CARDS + 1]: where the hands of each card begin in `item` and `other`
    by_card: Any  # uint16[H]: ranks of the hands by their first card
    item: Any  # uint16[2 H]: ranks of the hands with a card, from the weakest
    other: Any  # uint8[2 H]: the other card of each


class SeatLists(NamedTuple):
    """What a seat meets: its hands and those of its opponents j and k."""

    own: RangeLists
    j: RangeLists
    k: RangeLists
    twin_j: Any  # uint16[n]: the rank of j's hand of the same two cards; the row of zeros if none
    twin_k: Any  # uint16[n]: that of k's
    j_in_k: Any  # uint16[H]: for the hands of j, the rank of k's hand of the same two cards
    k_in_j: Any  # uint16[H]: for the hands of k, that of j's
    both_j: Any  # uint16[B]: ranks of j's hands of the combos that both hold, from the weakest
    both_k: Any  # uint16[B]: ranks of k's hands of those
    level: Any  # int64[G, 7]: END ... BOTH_HIGH
    level_begin: Any  # int64[G + 1]: where the cards of each level begin in `card` and `count`
    card: Any  # uint8[M]: the cards of the own hands of a level
    count: Any  # uint8[M, 4]: J_WEAK ... K_TIED
    tied: Any  # uint8[...]: the cards of the hands that tie, of each level: k's | both's | j's
    tied_begin: Any  # int64[3 G + 1]: where those of k alone, of both, of j alone begin; the end
    paths: Any  # Paths[2 n + 1 bounds]: both hands weaker or equal | others
    paths_j: Any  # Paths[n + 1]: j's hand weaker or equal, k's any
    paths_k: Any  # Paths[n + 1]: k's hand weaker or equal, j's any


class Paths(NamedTuple):
    """Pairs of opponents' hands {a, c} and {b, c} for each own hand {a, b}, by class."""

    bound: Any  # int64[classes * n + 1]: where each class of each hand begins, then the end
    first: Any  # uint16[pairs]: rank of the hand of j; of k in `paths_k`
    second: Any  # uint16[pairs]: rank of the other's hand
    share: Any  # uint8[pairs]: ALL, HALF or THIRD: the own hand's share against both


@kernel
def list_cards(card_a, card_b, row, begin, by_card, item, other):
    """Fill the lists of a range from `row` on, which holds the row of zeros before."""
    for i in range(begin.shape[0]):
        begin[i] = 0
    for r in range(card_a.shape[0]):
        a, b = np.uintp(card_a[r]), np.uintp(card_b[r])
        row[a * _CARDS + b] = r
        row[b * _CARDS + a] = r
        begin[a + _ONE] += 1
        begin[b + _ONE] += 1
    for c in range(CARDS):
        begin[c + 1] += begin[c]
    for r in range(card_a.shape[0]):
        a, b = np.uintp(card_a[r]), np.uintp(card_b[r])
        item[begin[a]] = r
        other[begin[a]] = b
        begin[a] += 1
        item[begin[b]] = r
        other[begin[b]] = a
        begin[b] += 1
    for c in range(CARDS, 0, -1):  # each is now where the next card begins
        begin[c] = begin[c - 1]
    begin[0] = 0
    place = 0
    for c in range(CARDS):
        for i in range(begin[c], begin[c + 1]):
            if card_a[item[i]] == c:
                by_card[place] = item[i]
                place += 1


@inner_kernel
def _weaker_and_equal(lists, card, low, high):
    """How many hands with a card are below `low`, and from there below `high`."""
    weak, tied = 0, 0
    for i in range(lists.begin[card], lists.begin[card + 1]):
        weak += lists.item[i] < low
        tied += low <= lists.item[i] < high
    return weak, tied


@inner_kernel
def _mark_tied(lists, low, high, mark, seen):
    """Mark the cards of the hands from low to high."""
    for h in range(low, high):
        seen[lists.card_a[h]] |= mark
        seen[lists.card_b[h]] |= mark


@kernel
def list_levels(own, j, k, level, level_begin, card, count, tied_begin, tied, seen, ties):
    """List the cards of the hands of each level: of the seat, and of j and k where they tie.

    Fills all arrays from level_begin on; returns how many of `card` and of `tied` are used.
    seen, ties: int64[CARDS], zeros, scratch.
    """
    place, end, hand = 0, 0, 0
    for g in range(level.shape[0]):
        level_begin[g] = place
        while hand < level[g, END]:
            for held in (np.uintp(own.card_a[hand]), np.uintp(own.card_b[hand])):
                if seen[held] == g + 1:
                    continue
                seen[held] = g + 1
                card[place] = held
                weak, tied_hands = _weaker_and_equal(j, held, level[g, J_LOW], level[g, J_HIGH])
                count[place, J_WEAK], count[place, J_TIED] = weak, tied_hands
                weak, tied_hands = _weaker_and_equal(k, held, level[g, K_LOW], level[g, K_HIGH])
                count[place, K_WEAK], count[place, K_TIED] = weak, tied_hands
                place += 1
            hand += 1
        _mark_tied(j, level[g, J_LOW], level[g, J_HIGH], 1, ties)
        _mark_tied(k, level[g, K_LOW], level[g, K_HIGH], 2, ties)
        for n in range(3):
            mark = 2 + n if n < 2 else 1
            tied_begin[3 * g + n] = end
            for c in range(CARDS):
                if ties[c] == mark:
                    tied[end] = c
                    end += 1
        for c in range(CARDS):
            ties[c] = 0
    level_begin[level.shape[0]] = place
    tied_begin[3 * level.shape[0]] = end
    return place, end


@inner_kernel
def _note(paths, at, slot, p, q, share, fill):
    """Count a pair in a class of a hand, or write it where the class goes on."""
    if fill:
        paths.first[at[slot]] = p
        paths.second[at[slot]] = q
        paths.share[at[slot]] = share
    at[slot] += 1


@kernel
def list_paths(own, j, k, level, paths, paths_j, paths_k, at, at_j, at_k, fill):
    """Count the pairs of hands on paths a - c - b in at, at_j and at_k, or with `fill` write them.

    Written they are from at, at_j and at_k on, which count up.
    """
    none = k.row[0]  # of two equal cards
    hand = 0
    for g in range(level.shape[0]):
        j_low, j_high = level[g, J_LOW], level[g, J_HIGH]
        k_low, k_high = level[g, K_LOW], level[g, K_HIGH]
        while hand < level[g, END]:
            a, b = np.uintp(own.card_a[hand]), np.uintp(own.card_b[hand])
            for _turn in range(2):
                for i in range(j.begin[a], j.begin[a + _ONE]):
                    q = k.row[b * _CARDS + np.uintp(j.other[i])]
                    if q == none:
                        continue
                    p = j.item[i]
                    tied_p, tied_q = p >= j_low, q >= k_low
                    if p < j_high:
                        _note(paths_j, at_j, hand, p, q, tied_p, fill)
                    if q < k_high:
                        _note(paths_k, at_k, hand, q, p, tied_q, fill)
                    others = p >= j_high or q >= k_high
                    _note(paths, at, 2 * hand + others, p, q, tied_p + tied_q, fill)
                a, b = b, a
            hand += 1
