"""Logs of hands as JSON lines: a header per session, then one line per hand.

Every line is one JSON object. A header holds `format`, `version`, `game`, `seats` (names),
`alternate`, `seed` (null where it is kept secret), `started` (UTC) and `versions`. A hand holds
`hand`, `seats` (the seat of each player), `moves` and `payoffs` (by player). A move holds `player`
(-1: chance), `infoset` (null for chance), `action`, `index`, `probabilities` (null where a person
chose, and for chance with more than 40 outcomes, whose probabilities the rules give) and `ev_loss`
(null without a coach).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from equilibrist.errors import FileFormatError
from equilibrist.formatting.escaping import json_text
from equilibrist.game import CHANCE
from equilibrist.parsing.arguments import file_name
from equilibrist.play.appended_file import AppendedFile
from equilibrist.play.logged_hands import LoggedHand, LoggedSession
from equilibrist.play.session import HandRecord, Session
from equilibrist.play.table import Move
from equilibrist.storage.archive import check_writable
from equilibrist.storage.plain_file import cannot_read
from equilibrist.storage.versions import versions

FORMAT = "equilibrist-hands"
VERSION = 2
_READABLE = (1, 2)
"""Version 1 has `given_up` for `ev_loss`."""


_MOST_OUTCOMES = 40
"""Outcomes of chance whose probabilities are written; cards and hands of a range have more."""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Header(_Line):
    format: str
    version: int
    game: str
    seats: list[str]
    alternate: bool
    seed: int | None
    started: str
    versions: dict[str, str]


class _Move(_Line):
    player: int = Field(ge=-1)
    infoset: str | None
    action: str
    index: int = Field(ge=0)
    probabilities: list[float] | None
    ev_loss: float | None = Field(validation_alias=AliasChoices("ev_loss", "given_up"))


class _Hand(_Line):
    hand: int = Field(ge=1)
    seats: list[int]
    moves: list[_Move]
    payoffs: list[float]


class HandLog(AppendedFile):
    """Appends the hands of a session to a file; a context manager.

    Every hand is one write to the end of the file, made when the hand is over: written hands
    survive a crash of the program. An existing log is added to, any other file refused before
    anything is written.

    Args:
        path: The log.

    Raises:
        FileFormatError: If the file is not a log.
        OutputError: If the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        torn = check_log(path)
        super().__init__(path)
        if torn:  # end the line that was cut off
            self.append("\n")

    def begin(self, session: Session) -> None:
        """Write the header of a session.

        Args:
            session: The session, before its first hand.
        """
        self.append(_text(_header(session)))

    def add(self, record: HandRecord) -> None:
        """Write a hand.

        Args:
            record: A hand of the session.
        """
        self.append(_text(_hand(record)))


def log_text(session: Session, records: Iterable[HandRecord], *, names_seed: bool = True) -> str:
    """Hands of a session as the text of a log.

    Args:
        session: The session.
        records: Hands of it.
        names_seed: False to leave out the seed, from which the hands to come could be worked out.

    Returns:
        JSON lines, the header first.
    """
    header = _header(session)
    if not names_seed:
        header = header.model_copy(update={"seed": None})
    return _text(header) + "".join(_text(_hand(record)) for record in records)


def _text(line: _Line) -> str:
    return json_text(line.model_dump()) + "\n"


def _header(session: Session) -> _Header:
    return _Header(
        format=FORMAT,
        version=VERSION,
        game=session.game.name,
        seats=[seat.name for seat in session.seats],
        alternate=session.alternate,
        seed=session.seed,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
    )


def _hand(record: HandRecord) -> _Hand:
    return _Hand(
        hand=record.hand,
        seats=list(record.seats),
        moves=[_written(move) for move in record.moves],
        payoffs=list(record.payoffs),
    )


def check_log(path: str | os.PathLike[str]) -> bool:
    """Check that a `HandLog` can extend or create a file.

    Args:
        path: The file.

    Returns:
        Whether its last line was cut off.

    Raises:
        OutputError: The file cannot be written.
        FileFormatError: The file is not a log.
    """
    path = file_name("log", path)
    check_writable(path)
    if not path.is_file() or not path.stat().st_size:
        return False
    _read(path)
    return not path.read_bytes().endswith(b"\n")


def read_log(path: str | os.PathLike[str]) -> tuple[LoggedSession, ...]:
    """The sessions of a log.

    A last line that was cut off (by a crash) is ignored.

    Args:
        path: The log.

    Returns:
        The sessions in order.

    Raises:
        FileFormatError: If the file is not a log; it names the line.
    """
    sessions = []
    for header, hands in _read(file_name("path", path)):
        done = tuple(
            LoggedHand(
                hand.hand,
                tuple(hand.seats),
                tuple((move.player, move.index, move.action) for move in hand.moves),
                tuple(hand.payoffs),
            )
            for hand in hands
        )
        sessions.append(
            LoggedSession(
                header.game,
                tuple(header.seats),
                header.alternate,
                header.seed,
                header.started,
                done,
            )
        )
    return tuple(sessions)


def _written(move: Move) -> _Move:
    drawn = move.probabilities
    if drawn is not None and move.player == CHANCE and len(drawn) > _MOST_OUTCOMES:
        drawn = None
    return _Move(
        player=move.player,
        infoset=move.infoset,
        action=move.action,
        index=move.index,
        probabilities=None if drawn is None else list(drawn),
        ev_loss=move.ev_loss,
    )


def _read(path: Path) -> list[tuple[_Header, list[_Hand]]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, "log") from None
    sessions: list[tuple[_Header, list[_Hand]]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            if sessions and _ends_a_session(lines[number:]):
                continue
            raise _refused(path, number, "not valid JSON") from None
        try:
            if isinstance(document, dict) and "format" in document:
                sessions.append((_checked(_Header.model_validate(document), path), []))
            elif not sessions:
                raise _refused(path, number, "expected a header")
            else:
                sessions[-1][1].append(_Hand.model_validate(document))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the line"
            why = f"{place}: {first['msg']}"
            raise _refused(path, number, why, option=place, given=first["input"]) from None
    return sessions


def _ends_a_session(rest: Sequence[bytes]) -> bool:
    """Whether the next line is a header, or there is none."""
    following = next((line for line in rest if line.strip()), None)
    return following is None or following.startswith(b'{"format"')


def _checked(header: _Header, path: Path) -> _Header:
    if header.format != FORMAT or header.version not in _READABLE:
        raise FileFormatError(
            f"{path} is a log of format {header.format!r}, version {header.version}; this program "
            f"reads {FORMAT!r}, versions 1 and 2",
            path,
            option="format" if header.format != FORMAT else "version",
            given=header.format if header.format != FORMAT else header.version,
            expected=FORMAT if header.format != FORMAT else VERSION,
        )
    return header


def _refused(
    path: Path, number: int, why: str, *, option: str = "line", given: object = None
) -> FileFormatError:
    return FileFormatError(
        f"{path} is not a log of hands: line {number}: {why}",
        path,
        option=option,
        given=given,
        place=f"{path}, line {number}",
        remedy="name a log, or a new file",
    )
