"""Leduc hold'em: the rules of `games.library.leduc` over integers. `ranks` 0 means players + 1.

State: who moves, the round of bets, raises in it, how many must still act, cards dealt, players
still in (one bit each), the moves of both rounds (base 4: 1 fold, 2 call, 3 raise), everybody's
chips in the pot, then the cards: one each, and the board.
"""

import numpy as np

PARAMETERS = {
    "players": 2, "ranks": 0, "suits": 2, "ante": 1, "bet": 2, "second_bet": 4, "raise_cap": 2
}  # fmt: skip
PLAYERS, RANKS, SUITS, ANTE, BET, SECOND_BET, RAISE_CAP = 0, 1, 2, 3, 4, 5, 6
MOVER, ROUND, RAISES, TO_ACT, DEALT, LIVE, MOVES, PAID = 0, 1, 2, 3, 4, 5, 6, 8
FOLD, CALL, RAISE = 1, 2, 3


def state_size(g):
    return PAID + 2 * g[PLAYERS] + 1


def num_players(g):
    return g[PLAYERS]


def max_actions(g):
    return 3


def max_moves(g):
    return g[PLAYERS] + 1 + 2 * longest_round(g)


def longest_round(g):
    return g[PLAYERS] + g[RAISE_CAP] * (g[PLAYERS] - 1)


def num_cards(g):
    return (g[RANKS] if g[RANKS] > 0 else g[PLAYERS] + 1) * g[SUITS]


def fits(g):
    """A move takes two bits, a card six."""
    cards = num_cards(g)
    deck = 1 <= g[SUITS] <= 4 and cards <= 13 * g[SUITS]
    bets = g[BET] > 0 and g[SECOND_BET] > 0 and min(g) >= 0
    if not (bets and deck and 2 <= g[PLAYERS] <= 10):
        return False
    return g[PLAYERS] < cards <= 63 and longest_round(g) <= 29


def start(g, s):
    s[:] = 0
    s[MOVER] = -1
    s[LIVE] = (1 << g[PLAYERS]) - 1
    for p in range(g[PLAYERS]):
        s[PAID + p] = g[ANTE]


def player(g, s):
    return s[MOVER]


def num_actions(g, s):
    if s[MOVER] == -1:
        return num_cards(g) - s[DEALT]
    return 1 + faces_raise(g, s) + (s[RAISES] < g[RAISE_CAP])


def faces_raise(g, s):
    return 1 if s[PAID + s[MOVER]] < highest(g, s) else 0


def highest(g, s):
    chips = 0
    for p in range(g[PLAYERS]):
        chips = max(chips, s[PAID + p])
    return chips


def still_in(g, s):
    count = 0
    for p in range(g[PLAYERS]):
        count += (s[LIVE] >> p) & 1
    return count


def next_live(g, s, p):
    while not (s[LIVE] >> p % g[PLAYERS]) & 1:
        p += 1
    return p % g[PLAYERS]


def undealt(g, s, a):
    """The card with number `a` of those not dealt."""
    cards = PAID + g[PLAYERS]
    c = 0
    while True:
        dealt = False
        for k in range(s[DEALT]):
            dealt |= s[cards + k] == c
        if not dealt:
            if a == 0:
                return c
            a -= 1
        c += 1


def apply(g, s, a):
    if s[MOVER] == -1:
        s[PAID + g[PLAYERS] + s[DEALT]] = undealt(g, s, a)
        s[DEALT] += 1
        if s[DEALT] >= g[PLAYERS]:
            s[ROUND] = s[DEALT] - g[PLAYERS]
            s[RAISES] = 0
            s[TO_ACT] = still_in(g, s)
            s[MOVER] = next_live(g, s, 0)
        return
    move = a + (FOLD if faces_raise(g, s) else CALL)
    s[MOVES + s[ROUND]] = s[MOVES + s[ROUND]] * 4 + move
    s[TO_ACT] -= 1
    if move == FOLD:
        s[LIVE] &= ~(1 << s[MOVER])
    else:
        s[PAID + s[MOVER]] = highest(g, s)
    if move == RAISE:
        s[PAID + s[MOVER]] += g[BET + s[ROUND]]
        s[RAISES] += 1
        s[TO_ACT] = still_in(g, s) - 1
    if still_in(g, s) == 1:
        s[MOVER] = -2
    elif s[TO_ACT] == 0:
        s[MOVER] = -2 if s[ROUND] == 1 else -1
    else:
        s[MOVER] = next_live(g, s, s[MOVER] + 1)


def hand_value(g, s, p):
    """A pair with the board beats all ranks; a player who folded has nothing."""
    if not (s[LIVE] >> p) & 1:
        return -1
    if still_in(g, s) == 1:
        return 0
    cards = PAID + g[PLAYERS]
    rank = s[cards + p] // g[SUITS]
    return 100 if rank == s[cards + g[PLAYERS]] // g[SUITS] else rank


def payoff(g, s, p):
    best = 0
    winners = 0
    pot = 0
    for q in range(g[PLAYERS]):
        pot += s[PAID + q]
        value = hand_value(g, s, q)
        if value > best:
            best = value
            winners = 0
        winners += value == best
    won = pot / winners if hand_value(g, s, p) == best else 0.0
    return won - s[PAID + p]


def key(g, s, out):
    """The first round and the own card; the second and the board. Who moves follows from these."""
    cards = PAID + g[PLAYERS]
    board = s[cards + g[PLAYERS]] + 1 if s[ROUND] == 1 else 0
    out[0] = np.uint64(s[MOVES]) * np.uint64(64) + np.uint64(s[cards + s[MOVER]])
    out[1] = np.uint64(s[MOVES + 1]) * np.uint64(64) + np.uint64(board)


def public_state(g, s, out):
    """The moves of both rounds, how many have a card, and the board."""
    board = s[PAID + 2 * g[PLAYERS]] + 1 if s[DEALT] > g[PLAYERS] else 0
    out[0] = np.uint64(s[MOVES]) * np.uint64(64) + np.uint64(min(s[DEALT], g[PLAYERS]))
    out[1] = np.uint64(s[MOVES + 1]) * np.uint64(64) + np.uint64(board)


def label(g, s, a):
    if s[MOVER] == -1:
        return card_text(g, undealt(g, s, a))
    return ("fold", "call", "raise")[a + (0 if faces_raise(g, s) else 1)]


def text(g, s):
    """The key of `games.library.leduc`."""
    cards = PAID + g[PLAYERS]
    found = card_text(g, s[cards + s[MOVER]]) + moves_text(s[MOVES])
    if s[ROUND] == 0:
        return found
    return found + "/" + card_text(g, s[cards + g[PLAYERS]]) + moves_text(s[MOVES + 1])


def describe(g, s):
    cards = PAID + g[PLAYERS]
    chips = s[PAID : PAID + g[PLAYERS]]
    facts = [("your card", card_text(g, s[cards + s[MOVER]])), ("round 1", spelt(s[MOVES]))]
    if s[ROUND] == 1:
        board = card_text(g, s[cards + g[PLAYERS]])
        facts += [("board", board), ("round 2", spelt(s[MOVES + 1]))]
    return [*facts, ("pot", str(sum(chips))), ("to call", str(max(chips) - chips[s[MOVER]]))]


def spelt(moves):
    """The moves of a round; a call of nothing is a check, the first raise is a bet."""
    words = []
    bet = False
    for letter in moves_text(moves)[1:]:
        words.append(
            {"f": "fold", "c": "call", "r": "raise"}[letter]
            if bet
            else {"c": "check", "r": "bet"}[letter]
        )
        bet |= letter == "r"
    return ", ".join(words) or "none yet"


def card_text(g, c):
    ranks = num_cards(g) // g[SUITS]
    top = 13 - (ranks < 13)  # short decks end with the king
    return "23456789TJQKA"[top - ranks + c // g[SUITS]] + "shdc"[c % g[SUITS]]


def moves_text(moves):
    letters = ""
    while moves > 0:
        letters = "?fcr"[moves % 4] + letters
        moves //= 4
    return ":" + letters if letters else ""
