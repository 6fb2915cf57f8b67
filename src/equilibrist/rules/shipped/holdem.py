"""Hold'em for 2 to 10 seats: the rules of `poker.hands` over integers.

`poker.hands.compiled.compiled_rules` writes the parameters; by hand only those of limit hold'em
are worth the trouble. Seats are in the order of posting. Amounts are whole units. A size is 0 for
none, -1 for all-in, a share of the pot in millionths, or a multiple of the bet in millionths,
negative. A cap is one more than the raises that are allowed, 0 for no cap. `reopens` is 1 where
every short all-in reopens the betting, and 2 where the first one of a street does not either. Of
each ante `layered_ante` is contested like a bet, where a seat is short of what all post.

`__all__` has what a rules module defines; the modules `holdem_*` hold parts of it. Samplers have a
copy of these functions wherever one is called, so that the larger ones are called in one place.
"""

from equilibrist.rules.shipped.holdem_betting import (
    act,
    begin_street,
    may_raise,
    next_total,
    start,
    turn,
)
from equilibrist.rules.shipped.holdem_cards import cards_left, deal_size, num_cards, put_cards, ways
from equilibrist.rules.shipped.holdem_keys import (
    FIRST_BITS,
    SECOND_BITS,
    digits,
    key,
    max_actions,
    most_actions,
    note_move,
    public_state,
    unpack,
)
from equilibrist.rules.shipped.holdem_pots import payoff
from equilibrist.rules.shipped.holdem_state import (
    ACTED,
    ANTE,
    BET,
    BLIND,
    BOARD,
    CHANCE,
    DEALT,
    END,
    HOLE_CARDS,
    LAST_STREET,
    LIMIT,
    LIVE,
    LOWEST_RANK,
    MOVER,
    PARAMETERS,
    PENDING,
    SEATS,
    SIZES,
    SIZES_EACH,
    STACK,
    STRENGTH,
    SUITS,
    facing,
    num_streets,
)
from equilibrist.rules.shipped.holdem_strengths import strength
from equilibrist.rules.shipped.holdem_texts import describe, label, text

__all__ = [
    "PARAMETERS",
    "apply",
    "describe",
    "fits",
    "key",
    "label",
    "max_actions",
    "max_moves",
    "num_actions",
    "num_players",
    "payoff",
    "player",
    "public_state",
    "start",
    "state_size",
    "text",
    "unpack",
]


def state_size(g):
    return ACTED + 1


def num_players(g):
    return g[SEATS]


def max_moves(g):
    return g[SEATS] + num_streets(g) - 1 + most_actions(g)


def fits(g):
    """Ranges, and whether all moves of a hand and the cards fit into a key of 128 bits."""
    seats = g[SEATS]
    streets = num_streets(g)
    fine = 2 <= seats <= 10 and 0 <= g[LIMIT] <= 2 and 0 <= g[LAST_STREET] < streets
    fine = fine and 1 <= g[HOLE_CARDS] <= 2 and 1 <= g[SUITS] <= 4 and 0 <= g[LOWEST_RANK] <= 12
    if not fine:
        return False
    cards = g[HOLE_CARDS]
    for street in range(1, streets):
        cards += g[BOARD + street]
    if cards > 7 or num_cards(g) < cards + (seats - 1) * g[HOLE_CARDS]:
        return False
    largest = 1
    for p in range(seats):
        if min(g[BLIND + p], g[ANTE + p]) < 0 or g[STACK + p] < 1:
            return False
        largest = max(largest, g[STACK + p])
    for street in range(streets):
        if g[BET + street] < 1:
            return False
    for k in range(SIZES, SIZES + 8 * SIZES_EACH):
        # A size times twice the pot must fit into an integer.
        if abs(g[k]) * 2.0 * largest * (seats + 1) >= 2.0**62:
            return False
    base = max_actions(g) + 1
    return most_actions(g) <= digits(FIRST_BITS, base) + digits(SECOND_BITS, base)


def player(g, s):
    if s[DEALT] < g[SEATS]:
        return CHANCE
    return s[MOVER]


def num_actions(g, s):
    if s[DEALT] < g[SEATS] or s[MOVER] == CHANCE:
        return ways(cards_left(g, s), deal_size(g, s))
    count = 2 if facing(g, s) > 0 else 1
    total = 0 if may_raise(g, s) else -1
    while total >= 0:
        total = next_total(g, s, total)
        if total > 0:
            count += 1
    return count


def apply(g, s, a):
    turn_to = -1  # the seat from which on the next one acts, where the turn passes
    if player(g, s) == CHANCE:
        opens = s[DEALT] >= g[SEATS] and s[PENDING] >= 0
        put_cards(g, s, a)
        if opens:
            turn_to = begin_street(g, s)
    else:
        note_move(g, s, a)
        turn_to = act(g, s, a)
    if turn_to >= 0:
        turn(g, s, turn_to)
    end_if_complete(g, s)


def end_if_complete(g, s):
    """Compare the hands once the betting is over and the board is complete."""
    if s[MOVER] == CHANCE and s[PENDING] < 0 and s[DEALT] == g[SEATS] + num_streets(g) - 1:
        s[MOVER] = END
        for p in range(g[SEATS]):
            if (s[LIVE] >> p) & 1:
                s[STRENGTH + p] = strength(g, s, p)
