"""Writing hands as PokerStars does."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, ClassVar, Final

from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.course import LATE, Step, course_of
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.played import (
    ADDED,
    BOARDS,
    PlayedHand,
    distinct_names,
    seats_of,
)
from equilibrist.play.histories.site_hand import (
    ANTE,
    BETS,
    BIG,
    CALLS,
    DEAD,
    RAISES,
    SMALL,
    STRADDLE,
)

_GAMES: Final = {"NT": "Hold'em No Limit", "FT": "Hold'em Limit", "PO": "Omaha Pot Limit"}
_POSTS: Final = {
    ANTE: "posts the ante",
    SMALL: "posts small blind",
    BIG: "posts big blind",
    STRADDLE: "posts straddle",
    LATE: "posts big blind",
    DEAD: "posts dead blind",
}
_WHICH: Final = ("FIRST ", "SECOND ", "THIRD ", "FOURTH ")
_SYMBOLS: Final = {"USD": "$", "EUR": "\u20ac", "GBP": "\u00a3"}
_ROMAN: Final = {
    "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1
}  # fmt: skip


def pokerstars_text(hand: PlayedHand) -> str:
    """A hand in the words of PokerStars.

    Args:
        hand: The hand.

    Returns:
        The text, with empty lines at its end.

    Raises:
        HandError: It is another game, or not over.
    """
    return SiteWriter(hand).text()


class SiteWriter:
    """The lines of a hand in the words of PokerStars, which other sites share but for a few.

    Args:
        hand: The hand.

    Raises:
        HandError: It is another game, or not over.
    """

    venue = "PokerStars"
    showdown = "*** SHOW DOWN ***"
    has_drops = False
    """Whether the text has a line for what the house adds to the pot."""
    posts: ClassVar = _POSTS
    """The words of each post."""

    def __init__(self, hand: PlayedHand) -> None:
        """Go through a hand; the class describes the argument."""
        history, course = hand.history, course_of(hand)
        if history.variant not in _GAMES:
            raise HandError("not-written", venue=self.venue, variant=history.variant)
        if not course.is_over:
            raise HandError("not-over")
        if not all(exact(stack).is_finite() for stack in history.starting_stacks):
            raise HandError("stacks-endless")
        self.added = exact(history.user_defined_fields.get(ADDED) or 0)
        self.rake = course.rake + self.added
        if self.rake < 0 or (self.added and not self.has_drops):
            raise HandError("collected-more")
        self.hand, self.course = hand, course
        self.history = hand.history
        self.names = distinct_names(hand)
        self.seats = seats_of(hand)
        self.cards = hand.cards
        self.symbol = self._symbol()
        self.has_showdown = len(self.names) - len(course.folded) > 1
        self.at_showdown = {player for player, _ in course.shown}

    def text(self) -> str:
        """The whole hand, with empty lines at its end."""
        return "\n".join(self.lines()) + "\n\n\n"

    def lines(self) -> list[str]:
        """All lines."""
        return [
            self._head(),
            self._table(),
            *self._stacks(),
            *self._posted(),
            "*** HOLE CARDS ***",
            *self._dealt(),
            *self._streets(),
            *self._ending(),
            *self._summary(),
        ]

    def _symbol(self) -> str:
        given = self.history.currency_symbol
        return str(given or _SYMBOLS.get(str(self.history.currency), ""))

    def _money(self, amount: Any) -> str:
        value = exact(amount)
        if value == value.to_integral_value():
            return f"{self.symbol}{int(value)}"
        in_cents = value.quantize(Decimal("0.01"))
        return f"{self.symbol}{in_cents if in_cents == value else value.normalize()}"

    @property
    def game(self) -> str:
        """The name of the game."""
        return _GAMES[self.history.variant]

    def _head(self) -> str:
        history = self.history
        digits = re.sub(r"\D", "", self.hand.name) or str(self.hand.number)
        small, big = self._stakes()
        tournament = history.user_defined_fields.get("_tournament")
        code = f" {history.currency}" if self.symbol and history.currency else ""
        level = _roman(history.level) if isinstance(history.level, int) else "I"
        about = (
            f"{self.game} ({small}/{big}{code})"
            if tournament is None
            else f"Tournament #{tournament}, {self.game} - Level {level} ({small}/{big})"
        )
        return f"PokerStars Hand #{digits}:  {about}{self._date()}"

    def _stakes(self) -> tuple[str, str]:
        history = self.history
        if history.variant == "FT":
            return self._money(history.small_bet), self._money(history.big_bet)
        big = history.user_defined_fields.get("_min_bet", history.min_bet)
        blinds = [abs(blind) for blind in (history.blinds_or_straddles or ())[:2]]
        small = blinds[0] if len(blinds) == 2 and 0 < blinds[0] <= blinds[1] else None
        if len(blinds) == 2 and blinds[1]:
            big = blinds[1] if small else big
        return self._money(small or exact(big) / 2), self._money(big)

    def _date(self) -> str:
        history = self.history
        parts = (history.year, history.month, history.day)
        if not all(isinstance(part, int) for part in parts):
            return ""
        day = "{:04d}/{:02d}/{:02d}".format(*parts)
        moment = history.time.strftime("%H:%M:%S") if hasattr(history.time, "strftime") else ""
        zones = {"America/New_York": "ET", "Etc/GMT": "GMT"}
        zone = zones.get(str(history.time_zone), str(history.time_zone or ""))
        zone = zone if re.fullmatch("[A-Z]{2,5}", zone) and moment else ""
        return f" - {' '.join(filter(None, (day, moment, zone)))}"

    def _table(self) -> str:
        most = max(self.history.seat_count or 0, *self.seats)
        name = "Equilibrist" if self.history.table is None else str(self.history.table)
        return f"Table '{name}' {most}-max Seat #{self.seats[-1]} is the button"

    def _stacks(self) -> list[str]:
        order = sorted(range(len(self.names)), key=lambda k: self.seats[k])
        return [
            f"Seat {self.seats[k]}: {self.names[k]} "
            f"({self._money(self.history.starting_stacks[k])} in chips)"
            for k in order
        ]

    def _posted(self) -> list[str]:
        posts = self.course.posts
        lines = []
        for place, (player, kind, amount) in enumerate(posts):
            is_last = all(later != player for later, _, _ in posts[place + 1 :])
            all_in = " and is all-in" if is_last and player in self.course.all_in_posts else ""
            lines.append(f"{self.names[player]}: {self.posts[kind]} {self._money(amount)}{all_in}")
        return lines

    def _dealt(self) -> list[str]:
        hero = self.hand.hero
        return [
            f"Dealt to {self.names[player]} [{spaced(cards)}]"
            for player, cards in enumerate(self.hand.dealt)
            if cards and hero in (None, player)
        ]

    def _streets(self) -> list[str]:
        lines: list[str] = []
        before: list[str] = []
        last = max((k for k, street in enumerate(self.course.streets) if street.steps), default=0)
        for place, street in enumerate(self.course.streets):
            if place:
                earlier = f" [{' '.join(before)}]" if before else ""
                lines.append(f"*** {street.name.upper()} ***{earlier} [{spaced(street.cards)}]")
                before += spaced(street.cards).split()
            lines += [self._step(step) for step in street.steps]
            if place == last:
                lines += [
                    f"Uncalled bet ({self._money(amount)}) returned to {self.names[player]}"
                    for player, amount in self.course.returned.items()
                ]
        return lines

    def _step(self, step: Step) -> str:
        text = f"{self.names[step.player]}: {step.kind}"
        if step.kind == RAISES:
            text += f" {self._money(step.more)} to {self._money(step.amount)}"
        elif step.kind in (BETS, CALLS):
            text += f" {self._money(step.amount)}"
        elif step.kind == "folds":
            known = self._known_late(step.player)
            text += f" [{known}]" if known else " "
        else:
            text += " "
        return text + (" and is all-in" if step.is_all_in else "")

    def _known_late(self, player: int) -> str:
        """Cards of somebody other than the hero that are known without a showdown."""
        is_dealt = self.hand.hero in (None, player) and self.hand.dealt[player]
        return "" if is_dealt or player in self.at_showdown else spaced(self.cards[player])

    def _ending(self) -> list[str]:
        lines = []
        if self.has_showdown:
            lines.append(self.showdown)
            for player, cards in self.course.shown:
                known = cards or self.cards[player]
                if known:
                    lines.append(
                        f"{self.names[player]}: shows [{spaced(known)}] ({self._value(known)})"
                    )
            lines += [f"{self.names[player]}: mucks hand " for player in self.course.mucked]
        for player, won in enumerate(self.course.won):
            if won > 0:
                lines.append(f"{self.names[player]} collected {self._money(won)} from pot")
                if not self.has_showdown:
                    known = self._known_late(player)
                    text = f"shows [{known}]" if known else "doesn't show hand "
                    lines.append(f"{self.names[player]}: {text}")
        return lines

    def _value(self, cards: str) -> str:
        """The value of a hand in words."""
        if "?" in cards or len(self.course.board) != 10 or self.history.variant == "PO":
            return "a hand"
        kind = self.history.game_type.hand_types[0]
        return str(kind.from_game(cards, self.course.board).entry.label.value).lower()

    def _summary(self) -> list[str]:
        pot = sum(self.course.won, Decimal(0)) + self.rake
        lines = ["*** SUMMARY ***"]
        rake = f"Rake {self._money(self.rake)}{self._fees()}"
        lines.append(f"Total pot {self._money(pot)} | {rake} ")
        if self.course.board:
            boards = self.history.user_defined_fields.get(BOARDS) or [self.course.board]
            if len(boards) > 1:
                times = "twice" if len(boards) == 2 else f"{len(boards)} times"
                lines.append(f"Hand was run {times}")
            for which, board in zip(_WHICH if len(boards) > 1 else ("",), boards, strict=False):
                lines.append(f"{which}Board [{spaced(board)}]")
        order = sorted(range(len(self.names)), key=lambda k: self.seats[k])
        return lines + [f"Seat {self.seats[k]}: {self.names[k]}{self._fate(k)}" for k in order]

    def _fees(self) -> str:
        """What else the house takes."""
        return ""

    def _fate(self, player: int) -> str:
        posted = [kind for k, kind, _ in self.course.posts if k == player]
        role = " (button)" if player == len(self.names) - 1 else ""
        role += "".join(f" ({kind})" for kind in (SMALL, BIG) if kind in posted)
        won, cards = self.course.won[player], self.cards[player]
        if player in self.course.folded:
            street = self.course.folded[player]
            where = "before Flop" if street == "preflop" else f"on the {street.capitalize()}"
            return f"{role} folded {where}"
        if not self.has_showdown:
            return f"{role} collected ({self._money(won)})"
        if player in self.at_showdown and cards:
            end = f"and won ({self._money(won)})" if won > 0 else "and lost"
            return f"{role} showed [{spaced(cards)}] {end}"
        if won > 0:
            return f"{role} collected ({self._money(won)})"
        known = f" [{spaced(cards)}]" if cards and "?" not in cards else ""
        return f"{role} mucked{known}"


def spaced(cards: str) -> str:
    """Cards with spaces between them, those that are not known left out."""
    names = [cards[k : k + 2] for k in range(0, len(cards), 2)]
    return " ".join(name for name in names if "?" not in name)


def _roman(number: int) -> str:
    text = ""
    for sign, value in _ROMAN.items():
        while number >= value:
            text += sign
            number -= value
    return text or "I"
