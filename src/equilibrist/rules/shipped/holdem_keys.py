"""How `rules:holdem` packs the moves of a hand and the cards into keys, and reads them back."""

import numpy as np

from equilibrist.rules.shipped.holdem_betting import act, begin_street, start, turn
from equilibrist.rules.shipped.holdem_cards import board_size
from equilibrist.rules.shipped.holdem_state import (
    BET,
    BOARD_CARDS,
    CAP,
    CARDS,
    CHANCE,
    COUNT,
    DEALT,
    FIXED_LIMIT,
    HOLE_CARDS,
    LAST_STREET,
    LIMIT,
    MOVER,
    MOVES,
    PENDING,
    RAISE_CAP,
    SEATS,
    SIZES,
    SIZES_EACH,
    STACK,
    opens_with_bet,
)

FIRST_BITS, SECOND_BITS = 62, 22
"""What the two numbers of the moves may take in a key, beside 42 bits of cards."""


def max_actions(g):
    if g[LIMIT] == FIXED_LIMIT:
        return 3
    most = 0
    for row in range(8):
        found = 0
        for k in range(SIZES_EACH):
            found += g[SIZES + row * SIZES_EACH + k] != 0
        most = max(most, found)
    return 2 + most


def most_actions(g):
    """The most actions of a hand: every bet or raise lets all others act again."""
    total = 0
    for street in range(g[LAST_STREET] + 1):
        most = 0
        for p in range(g[SEATS]):
            most = max(most, g[STACK + p])
        wagers = most // max(1, g[BET + street]) + 1
        cap = g[RAISE_CAP] if g[LIMIT] == FIXED_LIMIT else g[CAP + street]
        if cap > 0:
            # After the cap of a menu every seat may still go all-in once.
            beyond = 0 if g[LIMIT] == FIXED_LIMIT else g[SEATS]
            wagers = min(wagers, cap - 1 + opens_with_bet(g, street) + beyond)
        total += g[SEATS] + wagers * (g[SEATS] - 1)
    return total


def digits(bits, base):
    """How many digits of a base fit into so many bits."""
    found = 0
    room = 1 << bits
    while room >= base:
        room //= base
        found += 1
    return found


def note_move(g, s, a):
    base = max_actions(g) + 1
    word = MOVES if s[COUNT] < digits(FIRST_BITS, base) else MOVES + 1
    s[word] = s[word] * base + a + 1
    s[COUNT] += 1


def moves_made(g, s):
    """The numbers of the actions so far, from the first."""
    base = max_actions(g) + 1
    made = []
    for word in (MOVES + 1, MOVES):
        rest = int(s[word])
        while rest > 0:
            rest, digit = divmod(rest, base)
            made.append(digit - 1)
    return made[::-1]


def key(g, s, out):
    """The own cards and the board with the later moves; the earlier moves."""
    cards = s[CARDS + 2 * s[MOVER]] * 64
    if g[HOLE_CARDS] == 2:
        cards += s[CARDS + 2 * s[MOVER] + 1]
    pack(g, s, cards, out)


def public_state(g, s, out):
    """As a key, with the number of seats that have cards in place of the own ones."""
    pack(g, s, min(s[DEALT], g[SEATS]), out)
    out[0] |= np.uint64(1) << np.uint64(63)


def pack(g, s, cards, out):
    on_board = board_size(g, s)
    for k in range(5):
        cards = cards * 64 + (s[BOARD_CARDS + k] + 1 if k < on_board else 0)
    out[0] = (np.uint64(cards) << np.uint64(SECOND_BITS)) | np.uint64(s[MOVES + 1])
    out[1] = np.uint64(s[MOVES])


def unpack(g, key, s):
    """The state with a key; the others' cards are left out."""
    s[:] = 0
    s[MOVES], s[MOVES + 1] = int(key[1]), int(key[0]) & ((1 << SECOND_BITS) - 1)
    cards = int(key[0]) >> SECOND_BITS
    *_, (shown, _) = moves_replayed(g, s)
    s[:] = shown
    for k in range(4, -1, -1):
        s[BOARD_CARDS + k] = max(0, cards % 64 - 1)
        cards //= 64
    own = CARDS + 2 * s[MOVER]
    if g[HOLE_CARDS] == 2:
        s[own + 1] = cards % 64
        cards //= 64
    s[own] = cards


def moves_replayed(g, s):
    """The actions so far, each with the state before it; None with the last. No cards are dealt."""
    shown = np.zeros_like(s)
    start(g, shown)
    shown[DEALT] = g[SEATS]  # the cards do not matter for who may do what
    for a in [*moves_made(g, s), None]:
        while shown[MOVER] == CHANCE and shown[PENDING] >= 0:
            turn(g, shown, begin_street(g, shown))
            shown[DEALT] += 1
        if shown[MOVER] < 0:
            raise ValueError("no seat acts after these moves")
        yield shown, a
        if a is not None:
            note_move(g, shown, a)
            turn(g, shown, act(g, shown, a))
