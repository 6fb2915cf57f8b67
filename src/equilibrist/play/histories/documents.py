"""Hands as documents: what `hands show --json` prints, and a line each of a JSON lines file.

A document has the hand in words and amounts, and under `phh` its fields in PHH, from which it is
read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import time
from decimal import Decimal
from typing import Any, Final

from equilibrist.formatting.escaping import json_text
from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.course import Step, course_of, positions
from equilibrist.play.histories.faults import HandError, LeftOut
from equilibrist.play.histories.notation import import_notation
from equilibrist.play.histories.phh import history_of
from equilibrist.play.histories.played import (
    Collector,
    PlayedHand,
    ReadHands,
)
from equilibrist.play.histories.site_hand import CHECKS, FOLDS
from equilibrist.storage.plain_file import lines_of

FORM: Final = "histories"
FORMAT: Final = "equilibrist-histories"
VERSION: Final = 1
GAMES: Final = {
    "NT": "no-limit hold'em",
    "FT": "limit hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
}
"""The games of PHH that sites' texts are read of, by their codes, and short deck."""


def hands_document(read: ReadHands, hands: Iterable[PlayedHand] | None = None) -> dict[str, Any]:
    """The document of a file of hands.

    Args:
        read: What was read.
        hands: Some of its hands; None for all.

    Returns:
        Values that JSON has.
    """
    return {
        "form": read.form,
        "hands": [hand_document(hand) for hand in (read.hands if hands is None else hands)],
        "left_out": [left_out_document(out) for out in read.left_out],
    }


def left_out_document(out: LeftOut) -> dict[str, Any]:
    """The document of a hand that was left out."""
    return out._asdict()


def hand_document(hand: PlayedHand) -> dict[str, Any]:
    """The document of a hand.

    Args:
        hand: The hand.

    Returns:
        Values that JSON has: amounts are numbers in the unit of the history, players are called by
        their names.
    """
    history = hand.history
    course = course_of(hand)
    players, cards = hand.players, hand.cards
    seats = positions(history)
    folded = course.folded
    return {
        "number": hand.number,
        "line": hand.line,
        "name": hand.name,
        "game": GAMES.get(history.variant, history.variant),
        "venue": history.venue,
        "event": history.event,
        "table": None if history.table is None else str(history.table),
        "date": date_of(history),
        "currency": history.currency,
        "hero": None if hand.hero is None else players[hand.hero],
        "players": [
            {
                "player": f"p{k + 1}",
                "name": players[k],
                "position": seats[k],
                "seat": history.seats[k] if len(history.seats or ()) == len(players) else None,
                "stack": number(history.starting_stacks[k]),
                "cards": cards[k] or None,
                "folded": folded.get(k),
                "paid": number(course.paid[k]),
                "collected": number(course.won[k]),
                "won": number(course.net[k]),
            }
            for k in range(len(players))
        ],
        "posts": [
            {"player": players[k], "post": kind, "amount": number(amount)}
            for k, kind, amount in course.posts
        ],
        "streets": [
            {
                "street": street.name,
                "cards": street.cards or None,
                "pot": number(street.pot),
                "actions": [_step_document(step, players) for step in street.steps],
            }
            for street in course.streets
        ],
        "showdown": [{"player": players[k], "cards": shown} for k, shown in course.shown],
        "board": course.board or None,
        "rake": number(course.rake),
        "is_over": course.is_over,
        "phh": phh_fields(history),
    }


def _step_document(step: Step, players: tuple[str, ...]) -> dict[str, Any]:
    document: dict[str, Any] = {"player": players[step.player], "action": step.kind}
    if step.kind not in (FOLDS, CHECKS):
        document["amount"] = number(step.amount)
        document["all_in"] = step.is_all_in
    return document


def date_of(history: Any) -> str | None:
    """When a hand was played, as ISO 8601 writes it, as far as it is known."""
    parts = (history.year, history.month, history.day)
    if not all(isinstance(part, int) for part in parts):
        return None
    day = "{:04d}-{:02d}-{:02d}".format(*parts)
    return f"{day}T{history.time.isoformat()}" if isinstance(history.time, time) else day


def number(amount: Any) -> int | float | None:
    """An amount as JSON has it; None for one without an end."""
    value = exact(amount)
    if not value.is_finite():
        return None
    return int(value) if value == int(value) else float(value)


def phh_fields(history: Any) -> dict[str, Any]:
    """The fields of a history as JSON has them."""
    names = (*history.required_field_names[history.variant], *history.optional_field_names)
    fields = {name: getattr(history, name) for name in names}
    fields |= history.user_defined_fields
    return {name: _plain(value) for name, value in fields.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, Decimal | float):
        finite = number(value)
        return "inf" if finite is None else finite
    if isinstance(value, bool | int | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def history_line(hand: PlayedHand) -> str:
    """A hand as a line of a file of JSON lines, its end included."""
    return json_text({"format": FORMAT, "version": VERSION, **hand_document(hand)}) + "\n"


def read_history_lines(text: str, most: int | None = None) -> ReadHands:
    """Read a file of `history_line`s.

    Args:
        text: The content.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, each replayed by PokerKit, and those that were left out.

    Raises:
        TooManyHandsError: It has more.
        ConfigError: PokerKit is not installed.
    """
    notation = import_notation()
    collector = Collector(FORM, most)
    for row, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue

        def read(line: str = line) -> tuple[Any, int | None]:
            try:
                document = json.loads(line, parse_float=notation.parse_value)
            except (ValueError, RecursionError) as error:
                raise HandError("json", detail=error) from None
            if not isinstance(document, dict) or not isinstance(document.get("phh"), dict):
                raise HandError("no-phh")
            if document.get("version") != VERSION:
                given = repr(document.get("version"))
                raise HandError("version", version=given, known=VERSION)
            fields = dict(document["phh"])
            try:
                if isinstance(fields.get("time"), str):
                    fields["time"] = time.fromisoformat(fields["time"])
            except ValueError as error:
                raise HandError("time-wrong", detail=error) from None
            for name in ("starting_stacks", "finishing_stacks"):
                if isinstance(fields.get(name), list):
                    fields[name] = [
                        Decimal("inf") if value == "inf" else value for value in fields[name]
                    ]
            return history_of(fields, notation)

        collector.add(row, "", read)
    return collector.result()
