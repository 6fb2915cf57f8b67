"""Match logs: a line `STATE:hand:betting:cards:values:names` a hand, and `SCORE:values:names`.

Values and names are in the order of positions; those of the score in the order of players. Lines
that begin with `#` are comments.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.play.appended_file import AppendedFile, WholeLines
from equilibrist.protocols.acpc.betting import Betting
from equilibrist.protocols.acpc.match_state import Deal
from equilibrist.protocols.acpc.rules import AcpcRules
from equilibrist.protocols.acpc.values import read_value, value_text, values
from equilibrist.storage.archive import check_writable
from equilibrist.storage.plain_file import first_line, lines_of, read_text_file

STATE: Final = "STATE"
SCORE: Final = "SCORE"
_FORBIDDEN: Final = ":|\r\n"
_MOST_NAME: Final = 200
_MOST_HEAD: Final = 10_000
_HEAD: Final = re.compile(r"# ?name/game/hands/seed (?P<rest>.+) \d+ \d+(?: duplicate)?$")
_FOLDERS: Final = re.compile(r".*[/\\]")
"""What stands before the name of a file."""
_LINE: Final = re.compile(rf"#.*|{SCORE}:.*|{STATE}:[0-9]+(:[^:]*){{4}}")


class LoggedHand(NamedTuple):
    """A hand of a match log.

    Attributes:
        hand: Its number.
        betting: The betting.
        cards: The cards; the board as far as it is out.
        values: What each position won.
        names: Who had each position.
    """

    hand: int
    betting: Betting
    cards: Deal
    values: tuple[Fraction, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, hand: int, betting: Betting, cards: Deal, names: Sequence[str]) -> LoggedHand:
        """Settle a hand that is over.

        Args:
            hand: Its number.
            betting: Its betting.
            cards: All its cards.
            names: Who had each position.

        Returns:
            The hand.
        """
        out = cards._replace(board=cards.board[: betting.board_cards])
        return cls(hand, betting, out, values(betting, cards), tuple(names))

    def __str__(self) -> str:
        cards = self.cards.text(self.betting.rules, self.betting.board_cards)
        won = "|".join(map(value_text, self.values))
        return f"{STATE}:{self.hand}:{self.betting.text}:{cards}:{won}:{'|'.join(self.names)}"

    @classmethod
    def parse(cls, rules: AcpcRules, line: str) -> LoggedHand:
        """Read the line of a hand.

        Args:
            rules: The rules.
            line: The line.

        Returns:
            The hand.

        Raises:
            ConfigError: The line has another form, or the hand is not over.
            LineSyntaxError: The rules do not allow its betting; CardSyntaxError of its cards.
        """
        parts = line.split(":")
        if len(parts) != 6 or parts[0] != STATE or not parts[1].isdecimal():
            raise ConfigError(option=STATE, given=line, expected=f"{STATE}:hand:betting:cards:...")
        betting = Betting.parse(rules, parts[2])
        if not betting.is_over:
            raise ConfigError(option="betting", given=parts[2], expected="that of a whole hand")
        cards = Deal.parse(rules, parts[3])
        won = [read_value(text) for text in parts[4].split("|")]
        names = tuple(parts[5].split("|"))
        for option, listed in (("values", won), ("names", names)):
            if len(listed) != rules.seats or None in listed:
                raise ConfigError(option=option, given=line, expected=f"{rules.seats} of them")
        return cls(int(parts[1]), betting, cards, tuple(v for v in won if v is not None), names)


def score_line(scores: Sequence[Fraction], names: Sequence[str]) -> str:
    """Write the last line of a log.

    Args:
        scores: What each player won in all.
        names: The players.

    Returns:
        Such as `SCORE:-50|50:Alice|Bob`.
    """
    return f"{SCORE}:{'|'.join(map(value_text, scores))}:{'|'.join(names)}"


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Check the names of players; ConfigError for one that a log cannot hold, or that comes twice.

    Args:
        names: The names.

    Returns:
        The names.
    """
    checked = tuple(names)
    for name in checked:
        bad = not name.isprintable() or not name or len(name) > _MOST_NAME
        if bad or any(sign in name for sign in _FORBIDDEN) or checked.count(name) > 1:
            raise ConfigError(
                option="names",
                given=name,
                expected="distinct names without : and |, at most 200 characters each",
            )
    return checked


class MatchLog(AppendedFile):
    """The log of a match, which grows by a line a hand; a context manager.

    Args:
        path: The file.
        appends: Whether it may exist; what it has stays, but for a line that a crash cut off.
        heading: Comments that say which match it is, of which the first line is compared with that
            of a file that exists; empty to compare none.

    Attributes:
        first_hand: The number of hands that it has already.
        heading: The first line that it has; empty if it has none.

    Raises:
        ConfigError: The file exists, and `appends` is False, or its match is over.
        FileFormatError: The file is no log, or that of another match; it stays as it is.
        OutputError: It cannot be written.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, appends: bool = False, heading: str = ""
    ) -> None:
        super().__init__(path)
        check_writable(Path(path))
        if not appends:
            refuse_existing(Path(path), "log")
        found = WholeLines.read(Path(path), "log")
        lines = found.lines
        _check_lines(Path(path), found, heading.partition("\n")[0])
        if any(line.startswith(f"{SCORE}:") for line in lines):
            raise ConfigError(
                f"the match in {path} is over",
                option="log",
                given=str(path),
                remedy="name another match",
            )
        self.first_hand = sum(line.startswith(f"{STATE}:") for line in lines)
        self.heading = lines[0] if lines else ""
        found.cut(Path(path))

    def add(self, text: object) -> None:
        """Write a line.

        Args:
            text: The line.

        Raises:
            OutputError: It cannot be written.
        """
        self.append(f"{text}\n")


def _check_lines(path: Path, found: WholeLines, heading: str) -> None:
    """Check that a file is a log, and that of the match with this heading; FileFormatError."""
    for number, line in enumerate(found.lines, 1):
        if line and not _LINE.fullmatch(line):
            raise _no_log(path, line, number)
    if heading and found.lines and found.lines[0] != heading:
        raise FileFormatError(
            f"{path} begins with {found.lines[0]!r}, and this match is another",
            path,
            option="log",
            given=found.lines[0],
            expected=heading,
            remedy="give the game, the players and the options with which the match began, or name "
            "a new file",
        )
    begun = (heading, f"{STATE}:")
    if not found.lines and not any(_begins(found.rest, text.encode()) for text in begun):
        raise _no_log(path, found.rest[:_MOST_NAME].decode("utf-8", "replace"), 1)


def _begins(rest: bytes, text: bytes) -> bool:
    """Whether a line that was cut off may be the beginning of one that begins with a text."""
    return text.startswith(rest) or (bool(text) and rest.startswith(text))


def _no_log(path: Path, line: str, number: int) -> FileFormatError:
    return FileFormatError(
        f"{path} is no log of a match: {line[:_MOST_NAME]!r}",
        path,
        option="log",
        given=line[:_MOST_NAME],
        expected=f"{STATE}:hand:betting:cards:values:names",
        place=f"{path}, line {number}",
        remedy="name a new file",
    )


def refuse_existing(path: Path, option: str) -> None:
    """Refuse a file that has a content; ConfigError.

    Args:
        path: The file.
        option: The option that names it.
    """
    if path.is_file() and path.stat().st_size:
        raise ConfigError(
            f"{path} has a match already",
            option=option,
            given=str(path),
            remedy="go on with it by --append, or name another match",
        )


class MatchRecord(NamedTuple):
    """What a match log holds.

    Attributes:
        hands: The hands, in their order.
        score: The line of the score; empty where the match did not end.
        comments: The comments, without their sign.
    """

    hands: tuple[LoggedHand, ...]
    score: str
    comments: tuple[str, ...]


def named_game(path: Path) -> str:
    """The name of the game definition in the head of a match log; empty if it names none.

    Args:
        path: The log. Dealers begin it with a line `# name/game/hands/seed` and these four.

    Returns:
        Without folders, so that the log of somebody else does not have files elsewhere read.
    """
    head = _HEAD.match(first_line(path, _MOST_HEAD, option="log").rstrip())
    words = head["rest"].split(" ") if head else []
    names = [_FOLDERS.sub("", " ".join(words[k:])) for k in range(1, len(words))]
    there = (name for name in names if os.path.isfile(path.parent / name))  # noqa: PTH113 - no error
    return next(there, names[-1] if names else "")


def read_log(path: str | os.PathLike[str], rules: AcpcRules) -> MatchRecord:
    """Read a match log.

    Args:
        path: The file.
        rules: The rules of its game.

    Returns:
        What it holds.

    Raises:
        FileFormatError: It cannot be read, or a line is none of this game; has the line.
    """
    hands, comments, score = [], [], ""
    for number, line in _lines(Path(path)):
        if line.startswith("#"):
            comments.append(line[1:].strip())
        elif line.startswith(f"{SCORE}:"):
            score = line
        else:
            try:
                hands.append(LoggedHand.parse(rules, line))
            except EquilibristError as error:
                wrong = error.as_kind(FileFormatError)
                wrong.path = str(path)
                wrong.add_place(f"{path}, line {number}")
                raise wrong from None
    return MatchRecord(tuple(hands), score, tuple(comments))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    text = read_text_file(path, most=None, option="log")
    for number, line in enumerate(lines_of(text), 1):
        if line.strip():
            yield number, line.strip()
