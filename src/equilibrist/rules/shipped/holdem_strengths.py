"""The strength of a hand at the showdown of `rules:holdem`."""

from equilibrist.rules.shipped.holdem_cards import board_size
from equilibrist.rules.shipped.holdem_state import BOARD_CARDS, CARDS, HOLE_CARDS


def strength(g, s, p):
    """The value of a hand with the board, the higher the better."""
    cards = g[HOLE_CARDS] + board_size(g, s)
    by_rank = 0  # four bits a rank
    by_suit = 0  # thirteen bits a suit
    for k in range(cards):
        c = s[CARDS + 2 * p + k] if k < g[HOLE_CARDS] else s[BOARD_CARDS + k - g[HOLE_CARDS]]
        by_rank += 1 << 4 * (c >> 2)
        by_suit |= 1 << (13 * (c & 3) + (c >> 2))
    if cards < 5:
        return few_cards_value(by_rank)
    return five_cards_value(by_rank, by_suit)


def few_cards_value(by_rank):
    """One to four cards: no straights and flushes."""
    value = 0
    for count in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if (by_rank >> 4 * rank) & 15 == count:
                value = value * 64 + count * 13 + rank + 1
    for _ in range(4):  # digits that are missing stand for no card
        if value < 64**3:
            value *= 64
    return value


def five_cards_value(by_rank, by_suit):
    """The best five of five to seven cards: category, then ranks in the order of importance."""
    ranks = 0
    for rank in range(13):
        if (by_rank >> 4 * rank) & 15:
            ranks |= 1 << rank
    flush = 0
    for suit in range(4):
        of_suit = (by_suit >> 13 * suit) & 0x1FFF
        if ones(of_suit) >= 5:
            flush = of_suit
    if flush and straight_top(flush) > 0:
        return (8 << 20) + straight_top(flush)
    quads = highest_with(by_rank, 4, -1)
    trips = highest_with(by_rank, 3, -1)
    if quads >= 0:
        return (7 << 20) + quads * 16 + top_ranks(ranks & ~(1 << quads), 1)
    if trips >= 0:
        full = max(highest_with(by_rank, 3, trips), highest_with(by_rank, 2, -1))
        if full >= 0:
            return (6 << 20) + trips * 16 + full
    if flush:
        return (5 << 20) + top_ranks(flush, 5)
    if straight_top(ranks) > 0:
        return (4 << 20) + straight_top(ranks)
    if trips >= 0:
        return (3 << 20) + trips * 256 + top_ranks(ranks & ~(1 << trips), 2)
    pair = highest_with(by_rank, 2, -1)
    if pair < 0:
        return top_ranks(ranks, 5)
    second = highest_with(by_rank, 2, pair)
    if second >= 0:
        kicker = top_ranks(ranks & ~(1 << pair) & ~(1 << second), 1)
        return (2 << 20) + pair * 256 + second * 16 + kicker
    return (1 << 20) + pair * 4096 + top_ranks(ranks & ~(1 << pair), 3)


def ones(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def straight_top(ranks):
    """The rank of the highest straight, 3 for the wheel; 0 for none."""
    for top in range(12, 3, -1):
        if (ranks >> (top - 4)) & 31 == 31:
            return top
    return 3 if ranks & 0x100F == 0x100F else 0


def highest_with(by_rank, count, other):
    """The highest rank with so many cards, but for one; -1 if there is none."""
    for rank in range(12, -1, -1):
        if rank != other and (by_rank >> 4 * rank) & 15 == count:
            return rank
    return -1


def top_ranks(ranks, count):
    """The highest ranks as digits of base 16."""
    value = 0
    for rank in range(12, -1, -1):
        if count > 0 and (ranks >> rank) & 1:
            value = value * 16 + rank
            count -= 1
    return value
