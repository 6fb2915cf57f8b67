"""Hands of our own logs (`play --log hands.jsonl`) in PHH.

Hands of spots and whole hands of hold'em have a form in PHH; those of other games are left out.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Final

from equilibrist.errors import EquilibristError
from equilibrist.play.hand_log import read_log
from equilibrist.play.hands.game import HandGame
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.hands import what_phh_lacks, whole_hand_history
from equilibrist.play.histories.notation import CALL, ActionCodes, plain, replayed, shown
from equilibrist.play.histories.played import PERSON, Collector, ReadHands
from equilibrist.play.histories.spots import spot_variant
from equilibrist.play.logged_hands import LoggedHand, LoggedSession
from equilibrist.play.session import HandRecord
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.hands.hand import Hand

FORM: Final = "jsonl"
_SPOT: Final = re.compile(
    r"holdem\(board=([^,()]*),pot=([\d.e+]+),stack=([\d.e+]+)(?:,deck=([\w-]+))?\)"
)
_SPOT_OF_THREE: Final = re.compile(r"holdem\(board=[^,()]*,pot=[\d.e+]+,stacks=")
_STREETS: Final = ((0, 3), (3, 4), (4, 5))
"""The board cards of flop, turn and river."""
_BETS: Final = ("Bet", "Raise", "All-in")


def read_own_log(path: Any, most: int | None = None) -> ReadHands:
    """Read a log of ours as histories.

    Args:
        path: The log.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, and those of games that PHH does not have.

    Raises:
        TooManyHandsError: It has more.
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is no log; has the line.
    """
    collector = Collector(FORM, most)
    for session, lines in zip(*_sessions(path), strict=True):
        game = _game(session.game)
        hero = session.seats.index(PERSON) if session.seats.count(PERSON) == 1 else None
        for hand, line in zip(session.hands, lines, strict=True):
            read = partial(_history, session, game, hand, hero)
            collector.add(line, str(hand.hand), read)
    return collector.result()


def _sessions(path: Any) -> tuple[tuple[LoggedSession, ...], list[list[int]]]:
    """The sessions, and the line of each of their hands."""
    sessions = read_log(path)
    lines: list[list[int]] = []
    with open(path, "rb") as file:  # noqa: PTH123 - a path of any kind
        for number, line in enumerate(file, 1):
            if b'"format"' in line[:20]:
                lines.append([])
            elif line.strip() and lines:
                lines[-1].append(number)
    for session, numbers in zip(sessions, lines, strict=True):
        del numbers[len(session.hands) :]  # a line that was cut off
    return sessions, lines


def _game(name: str) -> HandGame | re.Match[str] | HandError:
    """The game of a session: a whole hand, or the name of a spot; else why there is none."""
    if (spot := _SPOT.fullmatch(name)) is not None:
        return HandError("phh-short-deck") if spot_variant(_deck(spot)) is None else spot
    if _SPOT_OF_THREE.match(name):
        return HandError("phh-three")
    try:
        game = HandGame(Hand.named(name))
    except EquilibristError:
        return HandError("no-hand-game", game=name)
    return what_phh_lacks(game) or game


def _history(
    session: LoggedSession,
    game: HandGame | re.Match[str] | HandError,
    hand: LoggedHand,
    hero: int | None,
) -> tuple[Any, int | None]:
    if isinstance(game, HandError):
        raise game
    if isinstance(game, HandGame):
        table = hand.replay(game)
        record = HandRecord(hand.hand, hand.seats, table.moves, hand.payoffs)
        history = whole_hand_history(game, record, session.seats)
        order = game.rules.order
    else:
        history = _spot_history(game, session, hand)
        order = (0, 1)
    of_hero = next((p for p, seat in enumerate(order) if hand.seats[seat] == hero), None)
    return history, of_hero


def _deck(spot: re.Match[str]) -> Deck:
    """The deck of a spot, by its name."""
    return FULL_DECK if spot[4] is None else read_deck(spot[4])


def _spot_history(spot: re.Match[str], session: LoggedSession, hand: LoggedHand) -> Any:
    pot, stack = Decimal(spot[2]), Decimal(spot[3])
    half = _whole(pot / 2)
    bets = [_bet(action) for _, _, action in hand.moves]
    sizes = [amount for amount in bets if amount is not None]
    final = [_whole(stack + Decimal(f"{won:.10g}")) for won in hand.payoffs]
    about: dict[str, Any] = {
        "variant": spot_variant(_deck(spot)),
        "antes": [half] * 2,
        "blinds_or_straddles": [0, 0],
        "min_bet": _whole(min(Decimal(1), *sizes)) if sizes else 1,
        "starting_stacks": [_whole(stack + pot / 2)] * 2,
        "players": [plain(session.seats[seat]) for seat in hand.seats],
        "hand": hand.hand,
        "finishing_stacks": final,
        "user_defined_fields": {"_game": plain(session.game)},
    }
    return replayed(about, lambda state: _codes(spot[1], hand, state))


def _codes(board: str, hand: LoggedHand, state: Any) -> ActionCodes:
    combos: list[int] = []
    cards = parse_cards(board)
    for player, _, action in hand.moves:
        word, _, rest = action.partition(" ")
        if word in ("OOP", "IP"):
            combos.append(parse_combo(rest))
            yield f"d dh p{len(combos)} {rest}"
            if len(combos) == 2:
                for begin, end in _STREETS:
                    if cards[begin:end]:
                        yield from ("p1 cc", "p2 cc", f"d db {card_names(cards[begin:end])}")
        elif player < 0:
            yield from shown(state, combos)
            yield f"d db {rest}"
        elif word == "Fold":
            yield f"p{player + 1} f"
        elif (amount := _bet(action)) is not None:
            yield f"p{player + 1} cbr {_whole(amount)}"
        elif word in ("Check", "Call"):
            yield f"p{player + 1} {CALL}"
        else:
            raise HandError("no-spot-action", action=action)
    yield from shown(state, combos)


def _bet(action: str) -> Decimal | None:
    """The amount of a bet, which is the total on the street; None for all else."""
    word, _, amount = action.partition(" ")
    if word not in _BETS or not amount:
        return None
    try:
        return Decimal(amount)
    except InvalidOperation:
        raise HandError("no-spot-action", action=action) from None


def _whole(amount: Decimal) -> int | Decimal:
    return int(amount) if amount == int(amount) else amount.normalize()
