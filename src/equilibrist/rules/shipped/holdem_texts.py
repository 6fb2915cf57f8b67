"""What `rules:holdem` shows to people: names of infosets and of actions."""

from equilibrist.rules.shipped.holdem_betting import next_total
from equilibrist.rules.shipped.holdem_cards import board_size, deal_size, put_cards
from equilibrist.rules.shipped.holdem_keys import moves_replayed
from equilibrist.rules.shipped.holdem_state import (
    BETS,
    BOARD,
    BOARD_CARDS,
    CARDS,
    CHANCE,
    DEALT,
    HOLE_CARDS,
    MOVER,
    PER_CHIP,
    SEATS,
    STREET,
    behind,
    covering,
    facing,
    highest_bet,
    pot_size,
)


def label(g, s, a):
    if s[DEALT] < g[SEATS] or s[MOVER] == CHANCE:
        after = s.copy()
        place = CARDS + 2 * s[DEALT] if s[DEALT] < g[SEATS] else BOARD_CARDS + board_size(g, s)
        put_cards(g, after, a)
        return cards_text(after[place : place + deal_size(g, s)])
    return action_text(g, s, a)


def action_text(g, s, a):
    """The code of an action in a line: `F`, `X`, `C`, `B50`, `R250`, `A1000`."""
    to_call = facing(g, s)
    if to_call > 0 and a == 0:
        return "F"
    if a == (1 if to_call > 0 else 0):
        return "C" if to_call > 0 else "X"
    total = 0
    for _ in range(a - (1 if to_call > 0 else 0)):
        total = next_total(g, s, total)
    own = s[BETS + s[MOVER]] + behind(g, s, s[MOVER])
    letter = "R" if highest_bet(g, s) else "B"
    if total >= min(own, covering(g, s)):
        letter = "A"
    chips = total / g[PER_CHIP]
    return letter + (str(int(chips)) if chips == int(chips) else str(float(chips)))


def cards_text(cards):
    """Names of cards, the highest first."""
    return "".join("23456789TJQKA"[c >> 2] + "cdhs"[c & 3] for c in sorted(cards)[::-1])


def text(g, s):
    """The infoset as `poker.hands.game` names it: `AhKh:R250-C|Td9d6h|X`."""
    own = CARDS + 2 * s[MOVER]
    return cards_text(s[own : own + g[HOLE_CARDS]]) + ":" + line_text(g, s)


def line_text(g, s):
    """The line of a state at which a seat acts, from its moves and its board."""
    played = [[] for _ in range(s[STREET] + 1)]
    for shown, a in moves_replayed(g, s):
        if a is not None:
            played[shown[STREET]].append(action_text(g, shown, a))
    line = ["-".join(played[0])]
    for street, codes in enumerate(played[1:], start=1):
        first = BOARD_CARDS + sum(g[BOARD + 1 : BOARD + street])
        cards = cards_text(s[first : first + g[BOARD + street]])
        line.append("|".join([cards, *["-".join(codes)] * bool(codes)]))
    return "|".join(line)


def describe(g, s):
    own = CARDS + 2 * s[MOVER]
    facts = [("your cards", cards_text(s[own : own + g[HOLE_CARDS]]))]
    on_board = board_size(g, s)
    if on_board:
        facts.append(("board", cards_text(s[BOARD_CARDS : BOARD_CARDS + on_board])))
    pot, to_call = pot_size(g, s) / g[PER_CHIP], facing(g, s) / g[PER_CHIP]
    return [*facts, ("line", line_text(g, s)), ("pot", f"{pot:g}"), ("to call", f"{to_call:g}")]
