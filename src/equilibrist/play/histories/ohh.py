"""The Open Hand History format: a JSON object for each hand, read and written.

What a raise's amount is differs between programs: the total on the street, or what is added. Of the
two that one is taken with which more hands of the file follow the rules and their pots add up;
likewise, hand by hand, whether an uncalled bet is part of what the winner gets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import islice
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from equilibrist.errors import FileFormatError
from equilibrist.formatting.escaping import json_text
from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.course import LATE, Course, course_of
from equilibrist.play.histories.documents import date_of, number
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.played import (
    ADDED,
    BOARDS,
    HOLE_CARDS,
    UNKNOWN,
    Collector,
    PlayedHand,
    ReadHands,
    distinct_names,
    seats_of,
)
from equilibrist.play.histories.pokerstars import cards_of
from equilibrist.play.histories.site_hand import (
    ANTE,
    BETS,
    BIG,
    CALLS,
    CHECKS,
    DEAD,
    DEALS,
    FOLDS,
    RAISES,
    SMALL,
    STRADDLE,
    Event,
    Post,
    SiteHand,
    site_history,
    uncalled,
)

FORM: Final = "ohh"
VERSION: Final = "1.4.7"
_POSTS: Final = {
    "post ante": ANTE,
    "post sb": SMALL,
    "post bb": BIG,
    "straddle": STRADDLE,
    "post straddle": STRADDLE,
    "post dead": DEAD,
    "post extra blind": BIG,
}
_ACTIONS: Final = {
    "fold": FOLDS,
    "check": CHECKS,
    "call": CALLS,
    "bet": BETS,
    "raise": RAISES,
}
_GAMES: Final = {
    ("holdem", "NL"): "NT",
    ("holdem", "FL"): "FT",
    ("omaha", "PL"): "PO",
}
_LIMITS: Final = {"NO LIMIT": "NL", "POT LIMIT": "PL", "FIXED LIMIT": "FL", "LIMIT": "FL"}
"""Long names of limits."""
_WRITTEN_GAMES: Final = {
    "NT": ("Holdem", "NL"),
    "FT": ("Holdem", "FL"),
    "PO": ("Omaha", "PL"),
}
_BOARD: Final = (("Flop", 0, 3), ("Turn", 3, 4), ("River", 4, 5))
"""The streets with public cards: which of the board's they deal."""
_CARDS_BEFORE: Final = {name.lower(): begin for name, begin, _ in _BOARD}
_FINEST, _NOISE, _LARGEST = Decimal("0.000001"), Decimal("1e-9"), Decimal("1e15")
"""Programs write 0.30000000000000004, where they add up binary fractions."""
_WRITTEN_POSTS: Final = {
    DEAD: "Post Dead",
    ANTE: "Post Ante",
    SMALL: "Post SB",
    BIG: "Post BB",
    STRADDLE: "Straddle",
    LATE: "Post Extra Blind",
}
_WRITTEN_ACTIONS: Final = {words: name.capitalize() for name, words in _ACTIONS.items()}
_STREETS: Final = ("preflop", "flop", "turn", "river")
_ASKED: Final = 20
"""Hands by which the meaning of the amounts of raises is told."""
_DATE: Final = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?"
    r"(?:\.\d+)?\s*(?:(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2}))?"
)


def read_ohh(text: str, path: object = "", most: int | None = None) -> ReadHands:
    """Read the hands of an Open Hand History file.

    Args:
        text: The content: an object for each hand, one after the other or in a list.
        path: The file, for errors.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, each replayed by PokerKit, and those that were left out.

    Raises:
        TooManyHandsError: It has more.
        ConfigError: PokerKit is not installed.
        FileFormatError: There is no such hand in it; has the line.
    """
    collector = Collector(FORM, most)
    objects = islice(_objects(text), None if most is None else most + 1)
    parsed = [(line, _name(document), _parsed(document, line)) for line, document in objects]
    hands = [hand for _, _, hand in parsed if isinstance(hand, SiteHand)]
    adds = _follow(hands, adds=True) > _follow(hands, adds=False)
    for line, name, hand in parsed:
        collector.add(line, name, partial(_read, hand, adds=adds))
    if not collector.hands and not collector.left_out:
        raise FileFormatError(
            f"{path or 'the text'} has no hand of the Open Hand History format",
            path,
            option="hands",
            given="no object with the key ohh",
            expected='{"ohh": {...}}',
            remedy="give a file of that format",
        )
    return collector.result()


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    """The line and the content of each hand; an error in the place of one that is no JSON."""
    decoder = json.JSONDecoder(parse_float=Decimal)
    at = 0
    while (begin := text.find("{", at)) >= 0:
        line = text.count("\n", 0, begin) + 1
        try:
            document, at = decoder.raw_decode(text, begin)
        except (json.JSONDecodeError, RecursionError) as error:
            where = getattr(error, "lineno", line)
            yield line, HandError("json", where, detail=getattr(error, "msg", error))
            head = "ohh" if '"ohh"' in text else "spec_version"
            following = re.compile(rf'\{{\s*"{head}"').search(text, begin + 1)
            if following is None:
                return
            at = following.start()
            continue
        hands = document.get("hands") if isinstance(document, dict) else None
        for hand in hands if isinstance(hands, list) else [document]:
            yield line, hand.get("ohh", hand) if isinstance(hand, dict) else hand


def _name(document: Any) -> str:
    return str(document.get("game_number", "")) if isinstance(document, dict) else ""


def _parsed(document: Any, line: int) -> SiteHand | HandError:
    """A hand as the file has it, or why it is none."""
    if isinstance(document, HandError):
        return document
    try:
        return _site_hand(document, line)
    except HandError as error:
        return error
    except KeyError as error:
        return HandError("key-missing", key=error.args[0])
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        return HandError("value-kind")


def _follow(hands: Sequence[SiteHand], *, adds: bool) -> int:
    """How many of the first hands follow the rules with this meaning of raises."""
    count = 0
    for hand in hands[:_ASKED]:
        with suppress(HandError):
            _read(hand, adds=adds, is_sure=True)
            count += 1
    return count


def _read(
    hand: SiteHand | HandError, *, adds: bool, is_sure: bool = False
) -> tuple[Any, int | None]:
    """Play a hand, with this meaning of raises first and, unless it is sure, with the other."""
    if isinstance(hand, HandError):
        raise hand
    first: HandError | None = None
    for meaning in (adds,) if is_sure else (adds, not adds):
        for gives_back in (True, False):
            try:
                return site_history(_interpreted(hand, adds=meaning, gives_back=gives_back))
            except HandError as error:
                first = first or error
    assert first is not None
    raise first


def _interpreted(hand: SiteHand, *, adds: bool, gives_back: bool) -> SiteHand:
    """The hand with amounts of raises as totals, and with the uncalled bet returned or not."""
    given = deepcopy(hand)
    if adds:
        live: dict[str, Decimal] = {}
        for post in given.posts:
            if post.kind not in (ANTE, DEAD):
                live[post.player] = live.get(post.player, Decimal(0)) + post.amount
        events = []
        for added in given.events:
            event = added
            before = live.get(event.player, Decimal(0))
            if event.kind == DEALS:
                live = {}
            elif event.kind in (BETS, RAISES):
                event = replace(added, amount=before + added.amount)
                live[event.player] = event.amount
            elif event.kind == CALLS:
                live[event.player] = before + event.amount
            events.append(event)
        given.events = events
    if gives_back:
        given.returned = uncalled(given)
    return given


def _site_hand(document: dict[str, Any], line: int) -> SiteHand:
    bet_limit = document.get("bet_limit") or {}
    game = str(document["game_type"]).lower().replace("'", "").replace(" ", "")
    limit = str(bet_limit.get("bet_type", "NL")).upper()
    limit = _LIMITS.get(limit, limit)
    variant = _GAMES.get((game.removeprefix("texas"), limit))
    if variant is None:
        raise HandError("game-not-read", game=f"{document['game_type']} {limit}")
    if exact(bet_limit.get("bet_cap") or 0) > 0:
        raise HandError("cap")
    flags = [str(flag).lower() for flag in document.get("flags") or ()]
    hand = SiteHand(
        line, str(document.get("site_name") or ""), str(document.get("game_number") or ""), variant
    )
    blinds = [document.get(f"{size}_blind_amount") for size in ("small", "big")]
    if None not in blinds and variant != "FT":
        hand.blinds = (_chips(blinds[0]), _chips(blinds[1]))
    names = _seats(hand, document)
    hand.button = int(document["dealer_seat"])
    hand.is_run_again = "run_it_twice" in flags
    streets: list[str] = []
    rounds = document["rounds"]
    if not isinstance(rounds, list):
        raise HandError("rounds")
    for round_ in rounds:
        street = str(round_.get("street", "")).lower()
        cards = _joined(round_.get("cards"), line)
        is_again = cards and street in streets and street in _CARDS_BEFORE
        streets.append(street)
        if is_again:
            _again(hand, streets, cards)
        elif street in _STREETS[1:] and cards:
            dealt = cards[-2:] if street != "flop" else cards
            hand.events.append(Event(line, DEALS, cards=dealt))
        for action in round_.get("actions") or ():
            _action(hand, action, names, line)
    _pots(hand, document, names)
    named = names.get(document.get("hero_player_id"), "")
    known = [name for name, cards in hand.dealt.items() if cards]
    if named in known or len(known) == 1:
        hand.hero = named if named in known else known[0]
    _fields(hand, document)
    return hand


def _again(hand: SiteHand, streets: Sequence[str], cards: str) -> None:
    """Take down a street of another board, which begins where the first one was run again."""
    hand.is_run_again = True
    street = streets[-1]
    name = f"board {streets.count(street)}"
    first = "".join(event.cards for event in hand.events if event.kind == DEALS)
    begin = hand.boards.get(name, first[: 2 * _CARDS_BEFORE[street]])
    hand.boards[name] = begin + (cards if street == "flop" else cards[-2:])


def _seats(hand: SiteHand, document: dict[str, Any]) -> dict[Any, str]:
    """Take the seats, and return the names by the numbers of the players."""
    names: dict[Any, str] = {}
    for player in document["players"]:
        name = str(player.get("name") or player.get("display") or f"player {player['id']}")
        if name in hand.seats:
            name = f"{name} ({player['id']})"
        names[player["id"]] = name
        hand.seats[name] = int(player["seat"]), _chips(player["starting_stack"])
        if player.get("cards"):
            hand.dealt[name] = _joined(player["cards"], hand.line)
    return names


def _action(hand: SiteHand, action: dict[str, Any], names: dict[Any, str], line: int) -> None:
    kind = str(action.get("action", action.get("type", ""))).lower()
    amount = _chips(action.get("amount") or 0)
    if kind == "added to pot":
        hand.added += amount
        return
    name = _player(action.get("player_id"), names)
    cards = _joined(action.get("cards"), line)
    whole = cards if len(cards) == 2 * HOLE_CARDS[hand.variant] else ""
    if kind in _POSTS:
        is_all_in = bool(action.get("is_allin"))
        hand.posts.append(Post(line, name, _POSTS[kind], amount, is_all_in))
    elif kind in _ACTIONS:
        all_in = kind in ("call", "bet", "raise") and bool(action.get("is_allin"))
        hand.events.append(Event(line, _ACTIONS[kind], name, amount, is_all_in=all_in))
    elif kind in ("dealt cards", "dealt card"):
        hand.dealt[name] = whole or hand.dealt.get(name, "")
    elif kind == "shows cards" and cards:
        hand.shown[name] = cards + "??" * (HOLE_CARDS[hand.variant] - len(cards) // 2)
    elif kind == "mucks cards" and whole:
        hand.mucked[name] = whole


def _player(number: Any, names: dict[Any, str]) -> str:
    """The name of a player by the number in the file; HandError if nobody has it."""
    if number not in names:
        raise HandError("player-unknown", value=repr(number))
    return names[number]


def _pots(hand: SiteHand, document: dict[str, Any], names: dict[Any, str]) -> None:
    in_pots, rake, has_amounts = Decimal(0), Decimal(0), True
    for pot in document.get("pots") or ():
        has_amounts &= pot.get("amount") is not None
        in_pots += _chips(pot.get("amount") or 0)
        rake += _chips(pot.get("rake") or 0) + _chips(pot.get("jackpot") or 0)
        for win in pot.get("player_wins") or ():
            name = _player(win.get("player_id"), names)
            won = hand.collected.get(name, Decimal(0)) + _chips(win["win_amount"])
            hand.collected[name] = won
    out = sum(hand.collected.values(), Decimal(0))
    hand.fees = in_pots - out if has_amounts and in_pots >= out else rake
    if not hand.collected:
        raise HandError("winners-missing")


def _fields(hand: SiteHand, document: dict[str, Any]) -> None:
    fields = hand.fields
    if document.get("table_name"):
        fields["table"] = str(document["table_name"])
    if document.get("table_size"):
        fields["seat_count"] = int(document["table_size"])
    about = document.get("tournament_info") or {}
    if document.get("tournament"):
        named = about.get("tournament_number") or about.get("name") or ""
        fields["event"] = f"Tournament {named}".strip()
        hand.notes["_tournament"] = str(named)
    elif document.get("currency"):
        fields["currency"] = str(document["currency"])
    date = _DATE.match(str(document.get("start_date_utc") or ""))
    if date is not None:
        parts = [int(part or 0) for part in date.groups()[:6]]
        try:
            moment = datetime(*parts)  # type: ignore[arg-type] # noqa: DTZ001
        except ValueError:
            raise HandError("date-unknown", text=date[0]) from None
        if date["sign"]:
            ahead = timedelta(hours=int(date["hours"]), minutes=int(date["minutes"]))
            moment += ahead if date["sign"] == "-" else -ahead
        fields |= {"year": moment.year, "month": moment.month, "day": moment.day}
        if date[4]:
            fields |= {"time": moment.time(), "time_zone": "UTC"}


def _joined(cards: Any, line: int) -> str:
    if not cards:
        return ""
    text = cards if isinstance(cards, str) else " ".join(str(card) for card in cards)
    if isinstance(cards, str) and " " not in cards and "," not in cards:
        text = " ".join(cards[k : k + 2] for k in range(0, len(cards), 2))
    known = (card for card in text.replace(",", " ").split() if set(card.upper()) - {"?", "X"})
    return cards_of(" ".join(known), line)


def _chips(amount: Any) -> Decimal:
    try:
        value = exact(amount)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or isinstance(amount, bool):
        raise HandError("chips-unknown", value=repr(amount))
    in_digits = value.quantize(_FINEST) if abs(value) < _LARGEST else value
    return in_digits if 0 < abs(in_digits - value) < _NOISE else value


def ohh_text(hand: PlayedHand) -> str:
    """A hand as an object of the Open Hand History format; raises are totals on the street.

    Args:
        hand: The hand.

    Returns:
        The object, in a line.

    Raises:
        HandError: The format has no such hand, or it is not over.
    """
    history, course = hand.history, course_of(hand)
    if history.variant not in _WRITTEN_GAMES:
        raise HandError("not-written-ohh", variant=history.variant)
    if not course.is_over:
        raise HandError("not-over")
    if not all(exact(stack).is_finite() for stack in history.starting_stacks):
        raise HandError("stacks-endless")
    names = distinct_names(hand)
    game, limit = _WRITTEN_GAMES[history.variant]
    seats = seats_of(hand)
    big = history.user_defined_fields.get("_min_bet", history.min_bet or history.small_bet)
    amounts = [amount for _, kind, amount in course.posts if kind == SMALL]
    antes = [amount for _, kind, amount in course.posts if kind == ANTE]
    boards = history.user_defined_fields.get(BOARDS) or []
    added = exact(history.user_defined_fields.get(ADDED) or 0)
    rake = course.rake + added
    date = _start(history)
    document: dict[str, Any] = {
        "spec_version": VERSION,
        "site_name": history.venue or "Equilibrist",
        "network_name": history.venue or "Equilibrist",
        "internal_version": VERSION,
        "tournament": "_tournament" in history.user_defined_fields,
        "game_number": hand.name,
        **({"start_date_utc": date} if date else {}),
        "table_name": "" if history.table is None else str(history.table),
        "game_type": game,
        "bet_limit": {"bet_type": limit, "bet_cap": 0},
        "table_size": max(history.seat_count or 0, len(names), *seats),
        "currency": history.currency or "",
        "dealer_seat": seats[-1],
        "small_blind_amount": number(max(amounts, default=Decimal(0))),
        "big_blind_amount": number(big or 0),
        "ante_amount": number(max(antes, default=Decimal(0))),
        "flags": ["Run_It_Twice"] if boards else [],
        "players": [
            {
                "id": k,
                "seat": seats[k],
                "name": names[k],
                "display": names[k],
                "starting_stack": number(history.starting_stacks[k]),
            }
            for k in range(len(names))
        ],
        "rounds": _rounds(course, hand.dealt, boards, added),
        "pots": [
            {
                "number": 0,
                "amount": number(sum(course.won, Decimal(0)) + max(rake, Decimal(0))),
                "rake": number(rake),
                "jackpot": 0,
                "player_wins": [
                    {"player_id": k, "win_amount": number(won)}
                    for k, won in enumerate(course.won)
                    if won > 0
                ],
            }
        ],
    }
    if hand.hero is not None:
        document["hero_player_id"] = hand.hero
    if document["tournament"]:
        named = str(history.user_defined_fields["_tournament"])
        document["tournament_info"] = {"tournament_number": named}
    return json_text({"ohh": document}) + "\n"


def _start(history: Any) -> str | None:
    """When a hand began, in UTC; by the clock of its place where the time zone is not known."""
    date = date_of(history)
    if date is None or "T" not in date or not history.time_zone:
        return date
    try:
        zone = ZoneInfo(str(history.time_zone))
        moment = datetime.fromisoformat(date).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError, ZoneInfoNotFoundError):
        return date
    return f"{moment.replace(tzinfo=None).isoformat()}Z"


def _rounds(
    course: Course, dealt: tuple[str, ...], boards: Sequence[str], added: Decimal
) -> list[dict[str, Any]]:
    count = 0

    def action(player: int | None, name: str, **more: Any) -> dict[str, Any]:
        nonlocal count
        count += 1
        return {"action_number": count, "player_id": player, "action": name, **more}

    rounds: list[dict[str, Any]] = []
    for street in course.streets:
        actions = []
        if not rounds:
            for player, kind, amount in course.posts:
                posted = {"amount": number(amount), "is_allin": player in course.all_in_posts}
                actions.append(action(player, _WRITTEN_POSTS[kind], **posted))
            if added:
                actions.append(action(None, "Added To Pot", amount=number(added)))
            for player, held in enumerate(dealt):
                if held:
                    actions.append(action(player, "Dealt Cards", cards=_listed(held)))
        for step in street.steps:
            moved = {"amount": number(step.amount)} if step.amount else {}
            name = _WRITTEN_ACTIONS[step.kind]
            actions.append(action(step.player, name, **moved, is_allin=step.is_all_in))
        rounds.append(
            {
                "id": len(rounds),
                "street": street.name.capitalize(),
                "cards": _listed(street.cards),
                "actions": actions,
            }
        )
    for board in boards[1:]:
        for name, begin, end in _BOARD:
            if board[2 * begin : 2 * end] != course.board[2 * begin : 2 * end]:
                cards = _listed(board[2 * begin : 2 * end])
                rounds.append({"id": len(rounds), "street": name, "cards": cards, "actions": []})
    shown = [
        action(player, "Shows Cards", cards=_listed(held)) for player, held in course.shown if held
    ]
    shown += [action(player, "Mucks Cards") for player in course.mucked]
    if shown:
        rounds.append({"id": len(rounds), "street": "Showdown", "cards": [], "actions": shown})
    return rounds


def _listed(cards: str) -> list[str]:
    """The cards that are known."""
    return [cards[k : k + 2] for k in range(0, len(cards), 2) if UNKNOWN not in cards[k : k + 2]]
