"""The options of a session of `play`, and how it runs, whatever is played."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.stored.names import player_called
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY, Option
from equilibrist.parsing.arguments import whole_number

if TYPE_CHECKING:
    from equilibrist.cli.text.wording import Wording
    from equilibrist.play import Agent, Person, Session

PLAYERS: Final = "Players"
_SESSION: Final = "Session"
_AGENTS_ONLY_HANDS: Final = 10
"""Hands where no person plays and none are asked for."""
SESSION_OPTIONS: Final = {
    "seats": Option(
        "text",
        PLAYERS,
        "Who plays: human, ai, uniform, or a file.",
        metavar="A,B,...",
        default_text="human, and ai for all others",
    ),
    "seat": Option(
        "choice",
        PLAYERS,
        "In a solved spot, your seat in every hand, against the solution.",
        default_text="both in turn, oop first",
        choices=("oop", "ip"),
    ),
    "drill": Option(
        "text",
        _SESSION,
        "Drill one decision with random hands: the line of a spot (root, X-B50), or the infosets "
        "of a game, with * and ?.",
        metavar="LINE",
    ),
    "fixed_seats": Option("switch", PLAYERS, "Keep the seats: the first one is always player 0."),
    "hands": Option(
        "count",
        _SESSION,
        "Stop after this many, or so many questions of a drill.",
        default_text=f"{_AGENTS_ONLY_HANDS} if no person plays, else unlimited",
    ),
    "seed": Option(
        "whole number",
        _SESSION,
        "Seed of deals and of strategies' actions.",
        default_text="a new one each time",
    ),
    "log": Option(
        "file",
        _SESSION,
        "Append every hand to this file: JSON lines, or PHH for a spot, if it ends in .phhs.",
    ),
    "show_ai": Option(
        "switch",
        DISPLAY,
        "After the hand, show the probabilities at each strategy's moves, the action it drew in "
        "brackets.",
    ),
    "coach": Option("switch", DISPLAY, "Show the EV loss of each choice of a person."),
    "quiet": Option(
        "switch",
        DISPLAY,
        "Show no hands of strategies, only the score.",
        flags=("--quiet", "-q"),
    ),
}
"""By the names of the fields of `SessionOptions`."""


@dataclass(frozen=True)
class SessionOptions:
    """What was typed, apart from the game and the strategies; None for what was not given."""

    seats: str | None
    seat: str | None
    drill: str | None
    fixed_seats: bool
    hands: int | None
    seed: int
    log: Path | None
    show_ai: bool
    coach: bool
    quiet: bool

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> SessionOptions:
        """From the values of SESSION_OPTIONS; refuses now a log that cannot be written."""
        from equilibrist.play.hand_log import check_log
        from equilibrist.play.spots.histories import SUFFIX, check_phh_log

        seed, log = given["seed"], given["log"]
        seed = secrets.randbits(32) if seed is None else whole_number("seed", seed, 0)
        if log is not None:
            (check_phh_log if log.suffix == SUFFIX else check_log)(log)
        return cls(**{**given, "seed": seed})

    def check_drill(self) -> None:
        """Raise ConfigError for options that a drill has no use for."""
        given = {
            "--seats": self.seats,
            "--seat": self.seat,
            "--fixed-seats": self.fixed_seats or None,
            "--log": self.log,
            "--show-ai": self.show_ai or None,
        }
        for option, value in given.items():
            if value is not None:
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

    def check_coach(self, seats: Sequence[Person | Agent]) -> None:
        """Raise ConfigError where there is nobody to coach."""
        if self.coach and not has_people(seats):
            raise ConfigError(
                "--coach judges the choices of people, and no seat is human", option="--coach"
            )

    def run(self, session: Session, wording: Wording | None = None) -> None:
        """Play on the screen, and write the log."""
        from equilibrist.cli.text.playing.screen import Screen
        from equilibrist.play import HandLog, PhhLog
        from equilibrist.play.spots.histories import SUFFIX

        count = self.hands
        if count is None and not has_people(session.seats):
            count = _AGENTS_ONLY_HANDS
        screen = Screen(session, show_ai=self.show_ai, quiet=self.quiet, wording=wording)
        if self.log is None:
            screen.run(count)
            return
        with PhhLog(self.log) if self.log.suffix == SUFFIX else HandLog(self.log) as screen.log:
            screen.log.begin(session)
            screen.run(count)


def has_people(seats: Sequence[Person | Agent]) -> bool:
    """Whether a person has a seat."""
    from equilibrist.play import Person

    return any(isinstance(seat, Person) for seat in seats)
