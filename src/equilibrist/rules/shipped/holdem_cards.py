"""The deck of `rules:holdem`, and how its cards are dealt."""

from equilibrist.rules.shipped.holdem_state import (
    BOARD,
    BOARD_CARDS,
    CARDS,
    DEALT,
    HOLE_CARDS,
    LOWEST_RANK,
    SEATS,
    SUITS,
)


def num_cards(g):
    return (13 - g[LOWEST_RANK]) * g[SUITS]


def card_at(g, k):
    """The k-th card of the deck, 4 * rank + suit."""
    return 4 * (g[LOWEST_RANK] + k // g[SUITS]) + 4 - g[SUITS] + k % g[SUITS]


def deal_size(g, s):
    if s[DEALT] < g[SEATS]:
        return g[HOLE_CARDS]
    return g[BOARD + s[DEALT] - g[SEATS] + 1]


def board_size(g, s):
    """How many cards are on the board."""
    cards = 0
    for k in range(s[DEALT] - g[SEATS]):
        cards += g[BOARD + 1 + k]
    return cards


def cards_left(g, s):
    return cards_beside(g, s, board_size(g, s))


def cards_beside(g, s, on_board):
    """How many cards are left beside those of the seats and so many on the board."""
    return num_cards(g) - min(s[DEALT], g[SEATS]) * g[HOLE_CARDS] - on_board


def ways(n, k):
    """N over k."""
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def dealt_bits(g, s, on_board):
    """The cards that are dealt, one bit each."""
    bits = 0
    for p in range(min(s[DEALT], g[SEATS])):
        for k in range(g[HOLE_CARDS]):
            bits |= 1 << s[CARDS + 2 * p + k]
    for k in range(on_board):
        bits |= 1 << s[BOARD_CARDS + k]
    return bits


def put_cards(g, s, a):
    """Deal the combination with number a, of those in lexicographic order."""
    on_board = board_size(g, s)
    taken = dealt_bits(g, s, on_board)
    place = CARDS + 2 * s[DEALT] if s[DEALT] < g[SEATS] else BOARD_CARDS + on_board
    left = cards_beside(g, s, on_board)
    wanted = deal_size(g, s)
    c = 0
    while wanted > 0:
        card = card_at(g, c)
        c += 1
        if (taken >> card) & 1:
            continue
        left -= 1
        with_card = ways(left, wanted - 1)
        if a < with_card:
            s[place] = card
            place += 1
            wanted -= 1
        else:
            a -= with_card
    s[DEALT] += 1
