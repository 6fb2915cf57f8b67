"""What each seat wins in `rules:holdem`: pots, and who shares them."""

from equilibrist.rules.shipped.holdem_state import (
    LIVE,
    PER_CHIP,
    SEATS,
    STAKES,
    STRENGTH,
    dead_ante,
    first_left,
)
from equilibrist.rules.shipped.holdem_strengths import ones


def payoff(g, s, p):
    """The pots from the smallest stake up; layers that the same winners contest are one pot."""
    if not (s[LIVE] >> p) & 1:
        return -1.0 * s[STAKES + p] / g[PER_CHIP]
    winning = winners_of_all(g, s)
    won = -s[STAKES + p]
    pot = 0
    for q in range(g[SEATS]):
        pot += dead_ante(g, q)
    seats = able_at(g, s, 0) & winning
    below = 0
    while True:
        level = next_level(g, s, below)
        able = able_at(g, s, level) & winning if level > 0 else 0
        if able != seats:
            won += share(g, s, p, seats, pot)
            pot = 0
            seats = able
        if level == 0:
            return 1.0 * won / g[PER_CHIP]
        for q in range(g[SEATS]):
            if s[STAKES + q] - dead_ante(g, q) >= level:
                pot += level - below
        below = level


def next_level(g, s, above):
    """The smallest stake above another, dead antes not counted; 0 if there is none."""
    level = 0
    for q in range(g[SEATS]):
        paid = s[STAKES + q] - dead_ante(g, q)
        if paid > above and (level == 0 or paid < level):
            level = paid
    return level


def able_at(g, s, level):
    """The live seats with stakes up there, one bit each."""
    bits = 0
    for q in range(g[SEATS]):
        if (s[LIVE] >> q) & 1 and s[STAKES + q] - dead_ante(g, q) >= level:
            bits |= 1 << q
    return bits


def best_of(g, s, seats):
    """Those of some seats that have the best hand, one bit each."""
    best = -1
    bits = 0
    for q in range(g[SEATS]):
        if (seats >> q) & 1 and s[STRENGTH + q] >= best:
            if s[STRENGTH + q] > best:
                bits = 0
            best = s[STRENGTH + q]
            bits |= 1 << q
    return bits


def winners_of_all(g, s):
    """The seats that win any pot."""
    bits = 0
    level = 0
    while True:
        bits |= best_of(g, s, able_at(g, s, level))
        level = next_level(g, s, level)
        if level == 0:
            return bits


def share(g, s, p, seats, pot):
    """What a seat wins of a pot; what is left over goes to the first from the button's left."""
    best = best_of(g, s, seats)
    if pot == 0 or not (best >> p) & 1:
        return 0
    q = first_left(g)
    while not (best >> q) & 1:
        q = (q + 1) % g[SEATS]
    count = ones(best)
    return pot // count + (pot % count if p == q else 0)
