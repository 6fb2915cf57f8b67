"""Played hands on the screen: seats, cards, what was done street by street, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from equilibrist.cli.text.output import heading, show_facts, show_table
from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.course import (
    Course,
    Step,
    big_blind,
    blinds_of,
    course_of,
    positions,
)
from equilibrist.play.histories.documents import GAMES, date_of
from equilibrist.play.histories.played import BOARDS, PlayedHand
from equilibrist.play.histories.site_hand import (
    ANTE,
    BETS,
    CALLS,
    FOLDS,
    RAISES,
)

_VERBS: Final = {BETS: "bets", CALLS: "calls", RAISES: "raises to"}


def show_hand(hand: PlayedHand) -> None:
    """Print a hand."""
    course = course_of(hand)
    history = hand.history
    seats = positions(history)
    heading(f"hand {hand.name}, line {hand.line}: {_about(history)}")
    show_table(
        ("", "player", "stack", "cards", "won"),
        [
            (
                seats[k] + ("*" if k == hand.hero else ""),
                name,
                _amount(history.starting_stacks[k]),
                hand.cards[k],
                _signed(course.net[k]) if course.is_over else "",
            )
            for k, name in enumerate(hand.players)
        ],
        ("left", "left", "right", "left", "right"),
    )
    boards = history.user_defined_fields.get(BOARDS) or []
    show_facts(_course_facts(course, seats, boards))


def _about(history: Any) -> str:
    asked = dict(zip(positions(history), blinds_of(history), strict=True))
    blinds = [asked[name] for name in ("SB", "BB") if asked.get(name, 0) > 0]
    if "BB" not in asked:
        blinds.append(big_blind(history))
    stakes = "/".join(map(_amount, blinds))
    parts = [
        GAMES.get(history.variant, history.variant),
        f"{stakes} {history.currency or ''}".strip(),
        history.venue,
        history.event,
        f"table {history.table}" if history.table not in (None, "") else None,
        (date_of(history) or "").replace("T", " "),
    ]
    return ", ".join(str(part) for part in parts if part)


def _course_facts(
    course: Course, seats: tuple[str, ...], boards: Sequence[str]
) -> list[tuple[str, str]]:
    facts = []
    antes = [amount for _, kind, amount in course.posts if kind == ANTE]
    if antes:
        same = len(set(antes)) == 1
        text = f"{len(antes)} x {_amount(antes[0])}" if same else _amount(sum(antes, Decimal(0)))
        facts.append(("antes", text))
    odd = [
        post for post in course.posts[len(antes) :] if post[1] not in ("small blind", "big blind")
    ]
    if odd:
        text = ", ".join(f"{seats[k]} {kind} {_amount(amount)}" for k, kind, amount in odd)
        facts.append(("posts", text))
    for street in course.streets:
        steps = ", ".join(f"{seats[step.player]} {_step(step)}" for step in street.steps)
        name = f"{street.name} {street.cards}".strip()
        facts.append((f"{name} ({_amount(street.pot)})", steps or "no action"))
    facts += [("another board", board) for board in boards[1:]]
    shown = ", ".join(f"{seats[k]} {cards or '??'}" for k, cards in course.shown)
    if course.mucked:
        mucked = ", ".join(f"{seats[k]} mucks" for k in course.mucked)
        shown = f"{shown}, {mucked}" if shown else mucked
    facts.append(("showdown", shown))
    if course.is_over:
        won = ", ".join(f"{seats[k]} {_amount(won)}" for k, won in enumerate(course.won) if won > 0)
        rake = f"; rake {_amount(course.rake)}" if course.rake > 0 else ""
        rake += f"; added to the pot {_amount(-course.rake)}" if course.rake < 0 else ""
        facts.append(("collected", f"{won}{rake}"))
    else:
        facts.append(("end", "it is not played to its end"))
    return facts


def _step(step: Step) -> str:
    if step.kind not in _VERBS:
        return "folds" if step.kind == FOLDS else "checks"
    all_in = " (all-in)" if step.is_all_in else ""
    return f"{_VERBS[step.kind]} {_amount(step.amount)}{all_in}"


def _amount(amount: Any) -> str:
    value = exact(amount)
    if not value.is_finite():
        return "unlimited"
    value = value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
    return f"{value:,f}"


def _signed(amount: Decimal) -> str:
    text = _amount(abs(amount))
    return text if not amount else f"{'+' if amount > 0 else '-'}{text}"
