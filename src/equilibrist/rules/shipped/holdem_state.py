"""Where `rules:holdem` keeps its parameters and its state, and what is read from them.

State: who moves, the street, seats still in (one bit each), seats that must act, the largest raise
of the street, its bets and raises, how often cards were dealt, the moves of the hand (two numbers,
base `max_actions` + 1, and how many), then by seat the chips of the hand, those of the street and
the strength at the showdown, the cards: two for each seat, and the board, and the seats that have
acted on the street (one bit each).
"""

SIZES_EACH = 4
"""The most sizes of bets, and of raises, on a street."""
PARAMETERS = {
    "seats": 2, "limit": 2, "raise_cap": 4, "reopens": 0, "last_street": 3, "hole_cards": 2,
    "lowest_rank": 0, "suits": 4, "per_chip": 1,
    "flop": 3, "turn": 1, "river": 1,
    "bet_0": 100, "bet_1": 100, "bet_2": 200, "bet_3": 200,
    "cap_0": 0, "cap_1": 0, "cap_2": 0, "cap_3": 0,
    **{f"stack_{seat}": 10000 * (seat < 2) for seat in range(10)},
    **{f"blind_{seat}": (50, 100, 0)[min(seat, 2)] for seat in range(10)},
    **{f"ante_{seat}": 0 for seat in range(10)},
    **{f"size_{k}": 0 for k in range(8 * SIZES_EACH)},
    "layered_ante": 0,
}  # fmt: skip
SEATS, LIMIT, RAISE_CAP, REOPENS, LAST_STREET, HOLE_CARDS = 0, 1, 2, 3, 4, 5
LOWEST_RANK, SUITS, PER_CHIP, BOARD, BET, CAP = 6, 7, 8, 8, 12, 16
STACK, BLIND, ANTE, SIZES, LAYERED_ANTE = 20, 30, 40, 50, 50 + 8 * SIZES_EACH
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = 0, 1, 2
MOVER, STREET, LIVE, PENDING, LAST_RAISE, WAGERS, DEALT, MOVES, COUNT = 0, 1, 2, 3, 4, 5, 6, 7, 9
STAKES, BETS, STRENGTH, CARDS = 10, 20, 30, 40
BOARD_CARDS = CARDS + 20
ACTED = BOARD_CARDS + 5
CHANCE, END = -1, -2


def num_streets(g):
    streets = 1
    while streets < 4 and g[BOARD + streets] > 0:
        streets += 1
    return streets


def blinds_are_bets(g):
    for p in range(g[SEATS]):
        if g[BLIND + p] > 0:
            return 1
    return 0


def opens_with_bet(g, street):
    return 1 if street > 0 or blinds_are_bets(g) == 0 else 0


def posted_ante(g, p):
    return min(g[ANTE + p], g[STACK + p])


def dead_ante(g, p):
    """What of a seat's ante every live seat can win; the rest is layered like a bet."""
    return max(0, posted_ante(g, p) - g[LAYERED_ANTE])


def first_left(g):
    """The seat to the left of the button: with two seats and blinds the second."""
    return 1 if g[SEATS] == 2 and blinds_are_bets(g) == 1 else 0


def behind(g, s, p):
    return g[STACK + p] - s[STAKES + p]


def highest_bet(g, s):
    chips = 0
    for p in range(g[SEATS]):
        chips = max(chips, s[BETS + p])
    return chips


def covering(g, s):
    """The largest total on the street that another seat can match."""
    most = 0
    for p in range(g[SEATS]):
        if p != s[MOVER] and (s[LIVE] >> p) & 1:
            most = max(most, s[BETS + p] + behind(g, s, p))
    return most


def facing(g, s):
    return highest_bet(g, s) - s[BETS + s[MOVER]]


def pot_size(g, s):
    pot = 0
    for p in range(g[SEATS]):
        pot += s[STAKES + p]
    return pot
