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
    for place in range(51, -1, -1):  # four of a rank before three, high ranks before low ones
        if (by_rank >> 4 * (place % 13)) & 15 == place // 13 + 1:
            value = value * 64 + place + 14
    for _ in range(4):  # digits that are missing stand for no card
        if value < 64**3:
            value *= 64
    return value


def five_cards_value(by_rank, by_suit):
    """The best five of five to seven cards: category, then ranks in the order of importance."""
    ranks, pairs, trips, quads = 0, 0, 0, 0  # one bit a rank
    for rank in range(13):
        count = (by_rank >> 4 * rank) & 15
        ranks |= (count > 0) << rank
        pairs |= (count == 2) << rank
        trips |= (count == 3) << rank
        quads |= (count == 4) << rank
    flush = 0
    for suit in range(4):
        of_suit = (by_suit >> 13 * suit) & 0x1FFF
        if ones(of_suit) >= 5:
            flush = of_suit
    straight = straight_top(flush)
    if straight > 0:
        return (8 << 20) + straight
    straight = straight_top(ranks)
    category, lead, kickers = 0, 0, 5
    if quads:
        category, lead, kickers = 7, top_rank(quads), 1
        ranks &= ~(1 << lead)
    elif trips:
        lead = top_rank(trips)
        full = (trips & ~(1 << lead)) | pairs
        if full:
            return (6 << 20) + lead * 16 + top_rank(full)
        category, kickers = 3, 2
    if category < 5 and flush:
        category, lead, kickers, ranks = 5, 0, 5, flush
    elif category < 5 and straight > 0:
        return (4 << 20) + straight
    elif category == 3:
        ranks &= ~(1 << lead)
    elif pairs and not quads:
        category, lead, kickers = 1, top_rank(pairs), 3
        ranks &= ~(1 << lead)
        second = top_rank(pairs & ~(1 << lead))
        if second >= 0:
            category, lead, kickers = 2, lead * 16 + second, 1
            ranks &= ~(1 << second)
    return (category << 20) + (lead << 4 * kickers) + top_ranks(ranks, kickers)


def ones(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def straight_top(ranks):
    """The rank of the highest straight, 3 for the wheel; 0 for none."""
    ranks = (ranks << 1) | (ranks >> 12)  # the ace stands below the two as well
    pairs = ranks & (ranks >> 1)
    begins = pairs & (pairs >> 2) & (ranks >> 4)
    return top_rank(begins) + 3 if begins else 0


def top_rank(ranks):
    """The highest of some ranks; -1 if there is none."""
    rank = -1
    while ranks:
        ranks >>= 1
        rank += 1
    return rank


def top_ranks(ranks, count):
    """The highest ranks as digits of base 16."""
    value = 0
    while count > 0 and ranks:
        rank = top_rank(ranks)
        ranks &= ~(1 << rank)
        value = value * 16 + rank
        count -= 1
    return value
