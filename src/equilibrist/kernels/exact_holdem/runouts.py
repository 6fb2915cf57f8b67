"""Matrices of won less lost showdowns between the rows of a board, over all cards to come.

Strengths are below 32,767. In `below` hands that a board blocks have 32,767, in `above` 0, so that
two comparisons without branches count neither.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.hand_strength import combo_strengths

_NONE, _OFF = np.int16(0), np.int16(-1)
_BIT = np.uint64(1)
_NEVER = np.int16(32767)


@inner_kernel
def count_wins(below, above, runouts, hands, first, rows, of_row, blockers, won, out, place):
    """out[place + r * rows + c] = wins less losses of a hand of row r against those of row c.

    below, above: int16[runouts, N], strengths of all hands.
    hands: int16, the hand that stands for each row, from `first` on.
    of_row: int16[N], the row of each hand, -1 of those that the board blocks.
    blockers: uint64[N], the cards of each hand.
    won: int16[N], scratch.
    """
    count = won.shape[0]
    for r in range(rows):
        hand = np.uintp(hands[first + np.uintp(r)])
        for h in range(count):
            won[h] = _NONE
        for k in range(runouts):
            own = above[k, hand]
            if own == _NONE:
                continue
            low, high = below[k], above[k]
            for h in range(count):
                won[h] = won[h] + np.int16(low[h] < own) - np.int16(high[h] > own)
        start = place + np.uintp(r) * np.uintp(rows)
        for c in range(rows):
            out[start + np.uintp(c)] = _NONE
        cards = blockers[hand]
        for h in range(count):
            if of_row[h] >= 0 and not cards & blockers[h]:
                out[start + np.uintp(of_row[h])] += won[h]


@inner_kernel
def spread(strength, k, below, above):
    """Fill in row k of `below` and `above`."""
    for h in range(strength.shape[0]):
        own = np.int16(strength[h])
        above[k, h] = own
        below[k, h] = own or _NEVER


@inner_kernel
def count_board(runouts, board, first, rows):
    """Fill in runouts.matrix for a board with one card to come."""
    size = runouts.cards.shape[1]
    whole, of_row = runouts.board, runouts.of_row
    taken = np.uint64(0)
    for k in range(size):
        whole[k] = runouts.cards[board, k]
        taken |= _BIT << np.uint64(whole[k])
    for h in range(of_row.shape[0]):
        of_row[h] = _OFF
    for r in range(rows):
        of_row[runouts.hands[first + np.uintp(r)]] = np.int16(r)
    lowest = runouts.lowest[runouts.group[board]]
    count = 0
    for k in range(runouts.deck.shape[0]):
        card = runouts.deck[k]
        if not taken >> np.uint64(card) & _BIT:
            whole[size] = card
            combo_strengths(runouts.tables, whole, runouts.first, runouts.second, runouts.strength)
            spread(runouts.strength, count, runouts.below, runouts.above)
            count += 1
    # Hands stand for themselves by now; from the last on, since the lowest comes first.
    for back in range(of_row.shape[0]):
        h = of_row.shape[0] - 1 - back
        of_row[h] = of_row[lowest[h]] if not runouts.blockers[h] & taken else _OFF
    count_wins(
        runouts.below, runouts.above, count, runouts.hands, first, rows, of_row, runouts.blockers,
        runouts.won, runouts.matrix, np.uintp(0),
    )  # fmt: skip


@kernel
def pairs_from_cards(
    tables, boards, first, second, hands, of_row, blockers, strength, below, above, won, out, place
):  # fmt: skip
    """Fill in the matrix of a board whose runouts have five to seven cards with a hand.

    tables: for hands of that many cards, see `kernels.poker.strength_tables`.
    boards: uint8[R, cards], the whole board of each runout.
    strength: uint16[N]; below, above: int16[R, N]; won: int16[N]: scratch.

    first, second: int32[N], the cards of each hand. hands: int16[R], the hand that stands for each
    row. of_row: int16[N], the row of each hand, -1 for none. blockers: uint64[N], the cards as
    sets. out: int16, written from `place` on.
    """
    for k in range(boards.shape[0]):
        combo_strengths(tables, boards[k], first, second, strength)
        spread(strength, k, below, above)
    count_wins(
        below, above, boards.shape[0], hands, np.uintp(0), hands.shape[0], of_row, blockers, won,
        out, np.uintp(place),
    )  # fmt: skip


@kernel
def pairs_from_strengths(strengths, hands, of_row, blockers, below, above, won, out, place):
    """Count the pairs of rows from strengths, int32[R, N], 0 for hands that a runout blocks.

    hands: int16[R], the hand that stands for each row. of_row: int16[N], the row of each hand, -1
    for none. blockers: uint64[N], the cards as sets. below, above: int16[R, N]; won: int16[N]:
    scratch. out: int16, written from `place` on.
    """
    for k in range(strengths.shape[0]):
        spread(strengths[k], k, below, above)
    count_wins(
        below, above, strengths.shape[0], hands, np.uintp(0), hands.shape[0], of_row, blockers,
        won, out, np.uintp(place),
    )  # fmt: skip
