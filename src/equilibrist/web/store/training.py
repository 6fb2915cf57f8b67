"""Sessions of the trainer: a file for each, to which every question and answer is added."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.play.appended_file import AppendedFile, WholeLines
from equilibrist.storage.atomic import failures
from equilibrist.web.errors import LimitError, NotFoundError
from equilibrist.web.security.sessions import Role
from equilibrist.web.store.folders import own_files, path_in

_SUFFIX: Final = ".jsonl"
_MOST: Final = 500
"""Sessions that are kept."""
_MOST_OF_GUESTS: Final = 100
_IDLE: Final = 2 * 3600.0
"""Seconds after which a session of a guest makes room for others."""
_LEFT: Final = 600.0
"""Seconds without a request after which no solutions are held in memory for a session."""
_OPEN: Final = 50
"""Sessions that stay in memory."""
_MOST_LINES: Final = 10_000
"""Of a file: questions, answers, and questions that are asked again with a new clock."""
_KEPT: Final = "sessions of the trainer"
Record = dict[str, Any]


@dataclass
class TrainingSession:
    """A session. Used by one thread at a time: hold `lock`.

    Attributes:
        path: Its file.
        id: Its name, which cannot be guessed: who knows it may go on with it.
        created: When it was begun, in seconds since 1970.
        role: Who has begun it.
        settings: What is asked, and how.
        asked: The newest question of each table: `number`, `at` and what was asked.
        answers: All answers.
        ended: Whether it was ended before its last question.
        num_lines: The lines of its file behind the first.
        held: What grades the open questions, by table, as long as the session stays in memory.
        drawn: The question that comes next, where it was drawn while nobody waited for it: its
            number, what is kept of it, and what grades it.
        used: When it was asked for last, by the monotonic clock.
        lock: Held while it is used.
    """

    path: Path
    id: str
    created: float
    role: Role | None
    settings: Record
    asked: dict[int, Record] = field(default_factory=dict)
    answers: list[Record] = field(default_factory=list)
    ended: bool = False
    num_lines: int = 0
    held: dict[int, Any] = field(default_factory=dict)
    drawn: tuple[int, Record, Any] | None = None
    used: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def release(self) -> None:
        """Let go of the solutions that are held in memory for it."""
        self.held.clear()
        self.drawn = None

    @property
    def count(self) -> int:
        """How many questions were asked."""
        return max((question["number"] for question in self.asked.values()), default=0)

    def pending(self, table: int) -> Record | None:
        """The question of a table that waits for its answer.

        Args:
            table: The number of the table, from 0.
        """
        question, answer = self.asked.get(table), self.answer_of(table)
        is_answered = answer is not None and question is not None
        if is_answered and answer["number"] == question["number"]:  # type: ignore[index]
            return None
        return question

    def answer_of(self, table: int) -> Record | None:
        """The newest answer at a table.

        Args:
            table: The number of the table.
        """
        return next((one for one in reversed(self.answers) if one["table"] == table), None)

    def ask(self, question: Record) -> None:
        """Keep a question, in place of the one that its table had; raises as `end`.

        Args:
            question: It, with `table`, `number` and `at`.
        """
        self._add({"asked": question})

    def answer(self, answer: Record) -> None:
        """Keep an answer; raises as `end`.

        Args:
            answer: It, with `table` and `number`.
        """
        self._add({"answered": answer})

    def end(self) -> None:
        """Ask nothing more.

        Raises:
            NotFoundError: The session was deleted meanwhile.
            LimitError: Its file has as many lines as may be.
            OutputError: It cannot be written.
        """
        self._add({"ended": True})

    def take(self, line: Record) -> None:
        """Take in a line of the file.

        Args:
            line: What happened.
        """
        self.num_lines += 1
        if "asked" in line:
            self.asked[line["asked"]["table"]] = line["asked"]
        elif "answered" in line:
            self.answers.append(line["answered"])
        elif "ended" in line:
            self.ended = True

    def _add(self, line: Record) -> None:
        if not self.path.exists():  # a file that began here would be none of a session
            raise _unknown(self.id)
        if self.num_lines >= _MOST_LINES:
            raise _full("questions and answers of a session", self.num_lines, _MOST_LINES)
        text = json.dumps(line, allow_nan=False, separators=(",", ":"))
        with AppendedFile(self.path) as file:  # on the disk before anybody is told
            file.append(f"{text}\n")
        self.take(line)


class TrainingSessions:
    """The sessions of a server.

    Args:
        folder: Where their files lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._open: OrderedDict[str, TrainingSession] = OrderedDict()

    def create(self, settings: Record, role: Role | None) -> TrainingSession:
        """Begin a session.

        Args:
            settings: What is asked, and how.
            role: Who begins it.

        Raises:
            LimitError: As many are kept as may be.
            OutputError: It cannot be written.
        """
        self._check_room(role)
        name, created = secrets.token_hex(8), time.time()
        path = path_in(self._folder, name, _SUFFIX)
        head = {"session": {"created": created, "role": role, "settings": settings}}
        with AppendedFile(path) as file:
            file.append(f"{json.dumps(head, allow_nan=False)}\n")
        session = TrainingSession(path, name, created, role, settings)
        self._keep(session)
        return session

    def get(self, name: str, role: Role | None) -> TrainingSession:
        """A session; NotFoundError if there is none, or a guest asks for one of an owner.

        Args:
            name: Its name.
            role: Who asks.
        """
        session = self._found(name)
        if session is None or (session.role == "owner" and role != "owner"):
            raise _unknown(name)
        return session

    def all(self, most: int) -> list[TrainingSession]:
        """The sessions of owners, the newest first.

        Args:
            most: How many at most.
        """
        files = sorted(self._files(), key=_changed, reverse=True)
        found = (self._found(path.name.removesuffix(_SUFFIX)) for path in files)
        own = (session for session in found if session is not None and session.role == "owner")
        return sorted(islice(own, most), key=lambda session: session.created, reverse=True)

    def delete(self, name: str, role: Role | None) -> None:
        """Remove a session; NotFoundError as of `get`.

        Args:
            name: Its name.
            role: Who asks.
        """
        session = self.get(name, role)
        with session.lock:  # not while a question or an answer is written
            with self._lock:
                self._open.pop(name, None)
            session.release()
            with failures(session.path):
                session.path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return own_files(self._folder, _SUFFIX)

    def _found(self, name: str) -> TrainingSession | None:
        with self._lock:
            session = self._open.get(name)
        if session is not None and session.path.exists():
            return self._keep(session)
        with suppress(NotFoundError):
            session = _read(path_in(self._folder, name, _SUFFIX), name)
            return None if session is None else self._keep(session)
        return None

    def _keep(self, session: TrainingSession) -> TrainingSession:
        """Keep a session in memory, unless another thread has read it meanwhile."""
        with self._lock:
            kept = self._open.setdefault(session.id, session)
            self._open.move_to_end(session.id)
            self._release_others(kept)
            for name in list(self._open)[:-_OPEN]:
                if not self._open[name].lock.locked():
                    del self._open[name]
        return kept

    def _release_others(self, session: TrainingSession) -> None:
        """Let go of what is held for sessions that somebody has left; solutions are large."""
        now = session.used = time.monotonic()
        for other in self._open.values():
            if now - other.used > _LEFT and not other.lock.locked():
                other.release()

    def _check_room(self, role: Role | None) -> None:
        files = self._files()
        if role != "owner":
            sessions = [self._found(path.name.removesuffix(_SUFFIX)) for path in files]
            guests = [one for one in sessions if one is not None and one.role != "owner"]
            for session in guests:
                if time.time() - _changed(session.path) > _IDLE:
                    self.delete(session.id, session.role)
            guests = [session for session in guests if session.path.exists()]
            files = self._files()
            if len(guests) >= _MOST_OF_GUESTS:
                raise _full(_KEPT, len(guests), _MOST_OF_GUESTS)
        if len(files) >= _MOST:
            raise _full(_KEPT, len(files), _MOST)


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _read(path: Path, name: str) -> TrainingSession | None:
    """The session of a file, up to its last whole line; None of one that is none."""
    try:
        whole = WholeLines.read(path, "session")
        head, *lines = [json.loads(line) for line in whole.lines]
        session = TrainingSession(path, name, **head["session"])
        for line in lines:
            session.take(line)
    except (FileFormatError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    whole.cut(path)  # what was being written when a server ended
    return session


def _full(what: str, count: int, most: int) -> LimitError:
    return LimitError(
        f"{count:,} {what} are kept, which is the limit",
        option="sessions",
        given=count,
        expected=most,
        remedy="delete some sessions",
    )


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(
        "there is no such session of the trainer",
        option="session",
        given=name[:40],
        remedy="begin another one",
    )
