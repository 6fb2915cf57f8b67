"""Goofspiel: the rules of `games.library.goofspiel` over integers.

`order` of the prizes: -1 descending, 0 random, 1 ascending. With `imp_info` 1 bids stay secret and
only winners are announced. `returns`: 0 win or loss, 1 points less the average, 2 points.

State: who moves, rounds played, prizes left (one bit per card), then everybody's hand (one bit per
card) and points, and for every round the bids, the winner (-1: a tie) and the prize.
"""

import numpy as np

PARAMETERS = {"cards": 4, "players": 2, "imp_info": 1, "order": -1, "returns": 0}
CARDS, PLAYERS, IMP_INFO, ORDER, RETURNS = 0, 1, 2, 3, 4
MOVER, ROUND, PRIZES, HANDS = 0, 1, 2, 3


def state_size(g):
    return history(g) + g[CARDS] * (g[PLAYERS] + 2)


def num_players(g):
    return g[PLAYERS]


def max_actions(g):
    return g[CARDS]


def max_moves(g):
    return g[CARDS] * (g[PLAYERS] + 1)


def fits(g):
    """Keys are numbers whose digits are rounds."""
    own, public = (int(base) for base in digit_bases(g))
    sensible = 0 <= g[IMP_INFO] <= 1 and -1 <= g[ORDER] <= 1 and 0 <= g[RETURNS] <= 2
    if not (sensible and 2 <= g[CARDS] <= 62 and 2 <= g[PLAYERS] <= 10):
        return False
    return own ** int(g[CARDS] - 2) * int(g[PLAYERS]) <= 2**64 >= public ** int(g[CARDS] - 1)


def digit_bases(g):
    """How many values a round can have for its own bidder, and for all."""
    own = (g[CARDS] + 1) * (g[PLAYERS] + 1 if g[IMP_INFO] else 1)
    public = g[CARDS] + 1 if g[ORDER] == 0 else 1
    if not g[IMP_INFO]:
        public *= (g[CARDS] + 1) ** (g[PLAYERS] - 1)
    return own, public


def history(g):
    """Where the rounds begin: the bids of each, its winner, its prize."""
    return HANDS + 2 * g[PLAYERS]


def start(g, s):
    s[:] = 0
    s[PRIZES] = (1 << (g[CARDS] + 1)) - 2
    for p in range(g[PLAYERS]):
        s[HANDS + p] = s[PRIZES]
    next_prize(g, s)


def next_prize(g, s):
    s[MOVER] = -1
    if g[ORDER] != 0:
        show(g, s, 0 if g[ORDER] > 0 else g[CARDS] - s[ROUND] - 1)


def show(g, s, a):
    prize = card(s[PRIZES], a)
    s[PRIZES] &= ~(1 << prize)
    s[history(g) + s[ROUND] * (g[PLAYERS] + 2) + g[PLAYERS] + 1] = prize
    s[MOVER] = 0


def card(cards, a):
    """The card with number `a` of a set."""
    k = 0
    while a >= 0:
        k += 1
        a -= (cards >> k) & 1
    return k


def player(g, s):
    return s[MOVER]


def num_actions(g, s):
    return g[CARDS] - s[ROUND]


def apply(g, s, a):
    if s[MOVER] == -1:
        show(g, s, a)
        return
    s[history(g) + s[ROUND] * (g[PLAYERS] + 2) + s[MOVER]] = card(s[HANDS + s[MOVER]], a)
    s[MOVER] += 1
    if s[MOVER] == g[PLAYERS]:
        score(g, s)
        if s[ROUND] < g[CARDS] - 1:
            next_prize(g, s)
        else:  # nobody has a choice in the last round
            show(g, s, 0)
            for p in range(g[PLAYERS]):
                s[history(g) + s[ROUND] * (g[PLAYERS] + 2) + p] = card(s[HANDS + p], 0)
            score(g, s)
            s[MOVER] = -2


def score(g, s):
    """Play the cards that were bid, give the prize to the highest, go to the next round."""
    first = history(g) + s[ROUND] * (g[PLAYERS] + 2)
    best = 0
    winner = -1
    for p in range(g[PLAYERS]):
        bid = s[first + p]
        s[HANDS + p] &= ~(1 << bid)
        if bid > best:
            best = bid
            winner = p
        elif bid == best:
            winner = -1
    s[first + g[PLAYERS]] = winner
    if winner >= 0:
        s[HANDS + g[PLAYERS] + winner] += s[first + g[PLAYERS] + 1]
    s[ROUND] += 1


def payoff(g, s, p):
    points = HANDS + g[PLAYERS]
    best = 0
    total = 0
    for q in range(g[PLAYERS]):
        best = max(best, s[points + q])
        total += s[points + q]
    if g[RETURNS] == 2:
        return float(s[points + p])
    if g[RETURNS] == 1:
        return s[points + p] - total / g[PLAYERS]
    winners = 0
    for q in range(g[PLAYERS]):
        winners += s[points + q] == best
    if winners == g[PLAYERS]:
        return 0.0
    return 1.0 / winners if s[points + p] == best else -1.0 / (g[PLAYERS] - winners)


def key(g, s, out):
    """Own bids with their outcomes and the player; prizes, and the others' bids where open."""
    own_base, public_base = digit_bases(g)
    own = np.uint64(0)
    public = np.uint64(0)
    for r in range(s[ROUND] + 1):
        first = history(g) + r * (g[PLAYERS] + 2)
        digit = s[first + g[PLAYERS] + 1] if g[ORDER] == 0 else 0
        if r < s[ROUND]:
            mine = s[first + s[MOVER]]
            if g[IMP_INFO]:
                mine = mine * (g[PLAYERS] + 1) + s[first + g[PLAYERS]] + 1
            own = own * np.uint64(own_base) + np.uint64(mine)
        if not g[IMP_INFO]:
            for p in range(g[PLAYERS]):
                if p != s[MOVER]:
                    digit = digit * (g[CARDS] + 1) + (s[first + p] if r < s[ROUND] else 0)
        public = public * np.uint64(public_base) + np.uint64(digit)
    out[0] = own * np.uint64(g[PLAYERS]) + np.uint64(s[MOVER])
    out[1] = public


def label(g, s, a):
    return str(card(s[PRIZES] if s[MOVER] == -1 else s[HANDS + s[MOVER]], a))


def text(g, s):
    """The key of `games.library.goofspiel`."""
    found = str(s[MOVER])
    for r in range(s[ROUND] + 1):
        first = history(g) + r * (g[PLAYERS] + 2)
        *bids, winner, prize = s[first : first + g[PLAYERS] + 2]
        shown = f"/{prize}:" if g[ORDER] == 0 else "/"
        if r == s[ROUND]:
            return found + (shown if g[ORDER] == 0 else "")
        sign = "=" if winner < 0 else "+" if winner == s[MOVER] else "-"
        if sign == "-" and g[PLAYERS] > 2:
            sign += str(winner)
        found += shown + (f"{bids[s[MOVER]]}{sign}" if g[IMP_INFO] else ",".join(map(str, bids)))
    return found


def describe(g, s):
    me = s[MOVER]
    rounds = []
    for r in range(s[ROUND]):
        first = history(g) + r * (g[PLAYERS] + 2)
        *bids, winner, prize = s[first : first + g[PLAYERS] + 2]
        result = "tied" if winner < 0 else "you won" if winner == me else f"player {winner} won"
        shown = bids[me] if g[IMP_INFO] else " ".join(map(str, bids))
        rounds.append(f"{prize}: {shown} ({result})")
    told = "you bid" if g[IMP_INFO] else "all bid, in order of players"
    return [
        ("you are", f"player {me}"),
        ("prize", str(s[history(g) + s[ROUND] * (g[PLAYERS] + 2) + g[PLAYERS] + 1])),
        ("your cards", " ".join(str(k) for k in range(1, g[CARDS] + 1) if s[HANDS + me] >> k & 1)),
        (f"so far, what {told}", "; ".join(rounds) or "nothing"),
    ]
