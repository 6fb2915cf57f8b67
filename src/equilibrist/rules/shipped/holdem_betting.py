"""The betting of `rules:holdem`: what a seat may do, and who acts next."""

from equilibrist.rules.shipped.holdem_state import (
    ACTED,
    BET,
    BETS,
    BLIND,
    CAP,
    CHANCE,
    END,
    FIXED_LIMIT,
    LAST_RAISE,
    LAST_STREET,
    LIMIT,
    LIVE,
    MOVER,
    PENDING,
    POT_LIMIT,
    RAISE_CAP,
    REOPENS,
    SEATS,
    SIZES,
    SIZES_EACH,
    STACK,
    STAKES,
    STREET,
    WAGERS,
    behind,
    blinds_are_bets,
    covering,
    facing,
    first_left,
    highest_bet,
    opens_with_bet,
    posted_ante,
    pot_size,
)

ALL_IN, MILLION = -1, 1_000_000
ALL_CHIPS = 1 << 62
"""More than any total."""
ALWAYS, AFTER_FULL_BETS = 1, 2
"""When a short all-in reopens the betting, besides by default: see `REOPENS`."""


def start(g, s):
    s[:] = 0
    s[LIVE] = (1 << g[SEATS]) - 1
    s[PENDING] = s[LIVE]
    opener = first_left(g)
    largest = 0
    for p in range(g[SEATS]):
        ante = posted_ante(g, p)
        blind = min(g[BLIND + p], g[STACK + p] - ante)
        s[STAKES + p] = blind + ante
        s[BETS + p] = blind
        if g[BLIND + p] > 0 and g[BLIND + p] >= largest:
            largest = g[BLIND + p]
            opener = (p + 1) % g[SEATS]
    s[MOVER] = CHANCE
    turn(g, s, opener)


def may_raise(g, s):
    p = s[MOVER]
    high = highest_bet(g, s)
    to_call = high - s[BETS + p]
    if behind(g, s, p) <= to_call or covering(g, s) <= high:
        return False
    most = g[RAISE_CAP] - 1 + opens_with_bet(g, s[STREET])
    if g[LIMIT] == FIXED_LIMIT and g[RAISE_CAP] > 0 and s[WAGERS] >= most:
        return False
    reopening = s[LAST_RAISE]
    if g[REOPENS] == AFTER_FULL_BETS and (s[ACTED] >> p) & 1:
        reopening = max(reopening, g[BET + s[STREET]])
    return to_call >= reopening or g[REOPENS] == ALWAYS


def next_total(g, s, above):
    """The smallest total on the street that is offered above another; -1 if there is none."""
    high = highest_bet(g, s)
    own = s[BETS + s[MOVER]]
    most = own + behind(g, s, s[MOVER])
    least = min(high + max(s[LAST_RAISE], g[BET + s[STREET]]), most)
    if g[LIMIT] == FIXED_LIMIT:
        return least if least > above else -1
    pot = pot_size(g, s) + high - own  # after a call
    if g[LIMIT] == POT_LIMIT:
        most = min(most, max(least, high + pot))
    most = min(most, max(least, covering(g, s)))  # what another seat can call
    row = s[STREET] * 2 + (1 if s[WAGERS] > 0 else 0)
    found = -1
    for k in range(SIZES_EACH):
        total = size_total(g, s, g[SIZES + row * SIZES_EACH + k], high, pot)
        if total >= 0:
            total = min(max(total, least), most)
            if total > above and (found < 0 or total < found):
                found = total
    return found


def size_total(g, s, size, high, pot):
    """The total of a size, before limits; -1 where the size does not apply."""
    if size == ALL_IN:
        return ALL_CHIPS
    cap = g[CAP + s[STREET]]
    if size == 0 or (cap > 0 and s[WAGERS] >= cap - 1 + opens_with_bet(g, s[STREET])):
        return -1
    if size > 0:
        product = high * MILLION + size * pot
    else:
        multiplied = high  # of a blind that the antes left nobody a chip for, the smallest bet
        if high == 0 and s[STREET] == 0 and blinds_are_bets(g) == 1:
            multiplied = g[BET]
        if multiplied == 0:
            return -1
        product = multiplied * -size
    return (2 * product + MILLION) // (2 * MILLION)


def act(g, s, a):
    """Play an action of a seat, which passes the turn: the seat."""
    p = s[MOVER]
    to_call = facing(g, s)
    s[ACTED] |= 1 << p
    if to_call > 0 and a == 0:
        s[LIVE] &= ~(1 << p)
        s[PENDING] &= ~(1 << p)
    elif a == (1 if to_call > 0 else 0):
        pay(s, p, min(to_call, behind(g, s, p)))
        s[PENDING] &= ~(1 << p)
    else:
        wanted = a - (1 if to_call > 0 else 0)
        total = 0
        for _ in range(wanted):
            total = next_total(g, s, total)
        s[LAST_RAISE] = max(s[LAST_RAISE], total - highest_bet(g, s))
        pay(s, p, total - s[BETS + p])
        s[WAGERS] += 1
        s[PENDING] = s[LIVE] & ~(1 << p)
    return p


def pay(s, p, chips):
    s[STAKES + p] += chips
    s[BETS + p] += chips


def begin_street(g, s):
    """Begin the next street's betting: the seat to which the turn passes."""
    s[STREET] += 1
    for p in range(g[SEATS]):
        s[BETS + p] = 0
    s[LAST_RAISE] = 0
    s[WAGERS] = 0
    s[ACTED] = 0
    s[PENDING] = s[LIVE]
    return first_left(g)


def turn(g, s, p):
    """Pass the turn to the next seat from p on, or end the street; PENDING is -1 at a showdown."""
    able = 0
    for q in range(g[SEATS]):
        if (s[LIVE] >> q) & 1 and behind(g, s, q) > 0:
            able |= 1 << q
    s[PENDING] &= able
    won = s[LIVE] & (s[LIVE] - 1) == 0
    alone = able & (able - 1) == 0
    if s[PENDING] > 0 and not won:
        while not (s[PENDING] >> p) & 1:
            p = (p + 1) % g[SEATS]
        if not (alone and s[BETS + p] >= highest_bet(g, s)):
            s[MOVER] = p
            return
    return_uncalled(g, s)
    s[PENDING] = -1 if not won and (alone or s[STREET] == g[LAST_STREET]) else 0
    s[MOVER] = END if won else CHANCE


def return_uncalled(g, s):
    high = highest_bet(g, s)
    second = 0
    count = 0
    seat = 0
    for p in range(g[SEATS]):
        if s[BETS + p] == high:
            count += 1
            seat = p
        else:
            second = max(second, s[BETS + p])
    if count == 1:
        pay(s, seat, second - high)
