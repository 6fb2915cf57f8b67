"""Liar's dice, one round, highest face wild: the rules of `games.library.liars_dice` over integers.

State: who moves, the last bid (-1: none), dice rolled so far, bids made (one bit each), whether
the last bid was true (-1 while nobody has called), who called, then the dice as rolled.
"""

import numpy as np

PARAMETERS = {"players": 2, "dice": 1, "sides": 6}
PLAYERS, DICE, SIDES = 0, 1, 2
MOVER, LAST, ROLLED, BIDS, TRUTH, CALLER, FACES = 0, 1, 2, 3, 4, 5, 6


def state_size(g):
    return FACES + g[PLAYERS] * g[DICE]


def num_players(g):
    return g[PLAYERS]


def max_actions(g):
    return g[PLAYERS] * g[DICE] * g[SIDES] + 1


def max_moves(g):
    return g[PLAYERS] * g[DICE] * (g[SIDES] + 1) + 1


def fits(g):
    """Bids take one bit each, a die six."""
    sensible = 2 <= g[PLAYERS] <= 10 and g[DICE] >= 1 and g[SIDES] >= 2
    return sensible and g[PLAYERS] * g[DICE] * g[SIDES] <= 62 and g[DICE] <= 8


def start(g, s):
    s[:] = 0
    s[MOVER] = -1
    s[LAST] = -1
    s[TRUTH] = -1


def player(g, s):
    return s[MOVER]


def num_actions(g, s):
    if s[MOVER] == -1:
        return g[SIDES]
    bids = g[PLAYERS] * g[DICE] * g[SIDES]
    return bids - s[LAST] - 1 + (s[LAST] >= 0)


def apply(g, s, a):
    bids = g[PLAYERS] * g[DICE] * g[SIDES]
    if s[MOVER] == -1:
        s[FACES + s[ROLLED]] = a
        s[ROLLED] += 1
        if s[ROLLED] == g[PLAYERS] * g[DICE]:
            s[MOVER] = 0
    elif s[LAST] + 1 + a == bids:
        s[TRUTH] = is_true(g, s)
        s[CALLER] = s[MOVER]
        s[MOVER] = -2
    else:
        s[LAST] += 1 + a
        s[BIDS] |= 1 << s[LAST]
        s[MOVER] = (s[MOVER] + 1) % g[PLAYERS]


def is_true(g, s):
    quantity = s[LAST] // g[SIDES] + 1
    face = s[LAST] % g[SIDES]
    for k in range(g[PLAYERS] * g[DICE]):
        quantity -= s[FACES + k] == face or s[FACES + k] == g[SIDES] - 1
    return 1 if quantity <= 0 else 0


def payoff(g, s, p):
    caller = s[CALLER]
    bidder = (caller - 1) % g[PLAYERS]
    right = 1.0 if s[TRUTH] == 1 else -1.0
    if p == bidder:
        return right
    return -right if p == caller else 0.0


def key(g, s, out):
    """Bids, then the dice in rising order, then the player."""
    out[0] = np.uint64(s[BIDS])
    hand = np.uint64(0)
    first = FACES + s[MOVER] * g[DICE]
    for face in range(g[SIDES]):
        for k in range(g[DICE]):
            if s[first + k] == face:
                hand = hand * np.uint64(64) + np.uint64(face)
    out[1] = hand * np.uint64(16) + np.uint64(s[MOVER])


def public_state(g, s, out):
    """Bids, whether somebody has called, and how many dice are rolled."""
    out[0] = np.uint64(s[BIDS])
    out[1] = np.uint64(s[ROLLED] * 2 + (s[MOVER] == -2))


def label(g, s, a):
    if s[MOVER] == -1:
        return str(a + 1)
    bid = s[LAST] + 1 + a
    return "liar" if bid == g[PLAYERS] * g[DICE] * g[SIDES] else bid_text(g, bid)


def text(g, s):
    """The key of `games.library.liars_dice`."""
    dice = ("" if g[SIDES] < 10 else ".").join(own_dice(g, s))
    return dice + "".join("/" + bid for bid in bids_made(g, s))


def describe(g, s):
    everywhere = g[PLAYERS] * g[DICE]
    return [
        ("your dice", " ".join(own_dice(g, s))),
        ("bids", ", ".join(bids_made(g, s)) or "none yet"),
        ("all dice", f"{everywhere}; {g[SIDES]} is wild: it counts as any face"),
    ]


def own_dice(g, s):
    first = FACES + s[MOVER] * g[DICE]
    return [str(face + 1) for face in sorted(s[first : first + g[DICE]])]


def bids_made(g, s):
    made = [k for k in range(g[PLAYERS] * g[DICE] * g[SIDES]) if (s[BIDS] >> k) & 1]
    return [bid_text(g, bid) for bid in made]


def bid_text(g, bid):
    return f"{bid // g[SIDES] + 1}-{bid % g[SIDES] + 1}"
