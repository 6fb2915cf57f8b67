"""The options of a session of `play`, and how it runs, whatever is played."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.cli.inputs.options import QUIET
from equilibrist.cli.inputs.parameters import player_called
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY, by_flag, declare, shared

if TYPE_CHECKING:
    from equilibrist.cli.text.wording import Wording
    from equilibrist.play import Agent, Person, Session
    from equilibrist.play.range_mixtures import Ranges

PLAYERS: Final = "Players"
_SESSION: Final = "Session"
_AGENTS_ONLY_HANDS: Final = 10
"""Hands where no person plays and none are asked for."""


@dataclass(frozen=True)
class SessionOptions:
    """What was typed, apart from the game and the strategies."""

    seats: str | None = declare(
        "text",
        PLAYERS,
        "Who plays: human, ai, uniform, a fixed opponent, or a file.",
        metavar="A,B,...",
        default_text="human, and ai for all others",
    )
    seat: str | None = declare(
        "choice",
        PLAYERS,
        "In a solved spot, your seat in every hand, against the solution; mid is the second of "
        "three.",
        default_text="all in turn, oop first",
        choices=("oop", "mid", "ip"),
    )
    drill: str | None = declare(
        "text",
        _SESSION,
        "Drill one decision with random hands: the line of a spot (root, X-B50), or the infosets "
        "of a game, with * and ?.",
        metavar="LINE",
    )
    fixed_seats: bool = declare(
        "switch", PLAYERS, "Keep the seats: the first one is always player 0."
    )
    hands: int | None = declare(
        "count",
        _SESSION,
        "Stop after this many, or so many questions of a drill.",
        default_text=f"{_AGENTS_ONLY_HANDS} if no person plays, else unlimited",
    )
    seed: int = declare(
        "whole number",
        _SESSION,
        "Seed of deals and of strategies' actions.",
        default_text="a new one each time",
        make_default=lambda: secrets.randbits(32),
        least=0,
    )
    log: Path | None = declare(
        "file",
        _SESSION,
        "Append every hand to this file: .jsonl for JSON lines, .phhs for PHH of hold'em.",
    )
    show_ai: bool = declare(
        "switch",
        DISPLAY,
        "After the hand, show the probabilities at each strategy's moves, the action it drew in "
        "brackets.",
    )
    open: bool = declare(
        "switch",
        DISPLAY,
        "For teaching: at each turn of a person, show all cards and what strategies drew from.",
    )
    coach: bool = declare("switch", DISPLAY, "Show the EV loss of each choice of a person.")
    quiet: bool = shared(QUIET, help="Show no hands of strategies, only the score.")

    def check_log(self) -> None:
        """Refuse now a log that cannot be written."""
        from equilibrist.play.hand_log import check_log
        from equilibrist.play.histories.log import check_phh_log, is_phh_log

        if self.log is not None:
            (check_phh_log if is_phh_log(self.log) else check_log)(self.log)

    def check_drill(self) -> None:
        """Raise ConfigError for options that a drill has no use for."""
        of_hands = by_flag(self, "seats", "seat", "fixed_seats", "log", "show_ai", "open")
        for option, value in of_hands.items():
            if value is not None and value is not False:
                raise ConfigError(
                    f"{option} is an option of hands, and --drill asks for single decisions",
                    option=option,
                    given=value,
                    remedy=f"leave out {option} or --drill",
                )

    def words(self, players: int) -> list[str]:
        """The words of --seats; by default a person first, strategies in all other seats."""
        if self.seats is None:
            return ["human", *["ai"] * (players - 1)]
        return [player_called(word.strip()) for word in self.seats.split(",")]

    def words_of(self, seats: Sequence[str]) -> tuple[list[str], bool]:
        """The words of the seats of a spot, by --seats or --seat.

        Args:
            seats: Their names, in the order of acting.

        Returns:
            A word for each seat, and whether the players keep them.

        Raises:
            ConfigError: Both options are given, or the spot has no such seat.
        """
        names = [seat.lower() for seat in seats]
        if self.seat is None:
            return self.words(len(names)), self.fixed_seats
        if self.seats is not None:
            raise ConfigError(
                "--seat is the seat of a person against the solution, --seats names all players",
                option="--seat",
                given=self.seat,
                remedy="give one of them",
            )
        if self.seat not in names:
            raise ConfigError(
                f"this spot has no seat {self.seat}",
                option="--seat",
                given=self.seat,
                expected=", ".join(names),
                remedy=f"give --seat {' or --seat '.join(names)}",
            )
        return ["human" if self.seat == name else "ai" for name in names], True

    def check_coach(self, seats: Sequence[Person | Agent]) -> None:
        """Raise ConfigError where there is nobody to coach."""
        if self.coach and not has_people(seats):
            raise ConfigError(
                "--coach judges the choices of people, and no seat is human", option="--coach"
            )

    def check_open(self, seats: Sequence[Person | Agent]) -> None:
        """Raise ConfigError where nobody looks, or where others are to be hidden from."""
        people = count_people(seats)
        if self.open and people != 1:
            raise ConfigError(
                f"--open shows all cards to the one person who plays, and {people} seats are human",
                option="--open",
                given=people,
                expected=1,
                remedy="leave out --open, or give one seat to a person",
            )

    def run(
        self,
        session: Session,
        wording: Wording | None = None,
        ranges: Callable[[], Ranges] | None = None,
    ) -> None:
        """Play on the screen, and write the log.

        `ranges` makes what knows the ranges of the opponents, if only people and ai play.
        """
        from equilibrist.cli.text.playing.screen import Screen
        from equilibrist.play import HandLog, PhhLog
        from equilibrist.play.histories.log import is_phh_log

        count = self.hands
        if count is None and not has_people(session.seats):
            count = _AGENTS_ONLY_HANDS
        self.check_open(session.seats)
        is_alone = count_people(session.seats) == 1
        screen = Screen(
            session,
            show_ai=self.show_ai,
            quiet=self.quiet,
            wording=wording,
            ranges=ranges() if ranges is not None and is_alone else None,
            is_open=self.open,
        )
        if self.log is None:
            screen.run(count)
            return
        with PhhLog(self.log) if is_phh_log(self.log) else HandLog(self.log) as screen.log:
            screen.log.begin(session)
            screen.run(count)


def count_people(seats: Sequence[Person | Agent]) -> int:
    """Count the seats that are a person's."""
    from equilibrist.play import Person

    return sum(isinstance(seat, Person) for seat in seats)


def has_people(seats: Sequence[Person | Agent]) -> bool:
    """Whether a person has a seat."""
    return count_people(seats) > 0


def all_play(seats: Sequence[Person | Agent], plays: Callable[[Agent], bool]) -> bool:
    """Whether strategies have seats, and `plays` is true of every one of them."""
    from equilibrist.play import Person

    strategies = [seat for seat in seats if not isinstance(seat, Person)]
    return bool(strategies) and all(map(plays, strategies))
