"""The folder of a batch: its settings, a file per finished board, and perhaps its solution."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock, Timeout

from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.poker.postflop.solution.spot_file import KEEPS, Keep
from equilibrist.storage.atomic import check_folder_of, not_a_folder, write_bytes
from equilibrist.storage.frames import is_parquet_with
from equilibrist.storage.replaceable import foreign_file

REPORT: Final = "report.csv"
FRAME: Final = "report.parquet"
"""What is written of all boards; the second where pandas is installed."""
_SETTINGS: Final = "batch.json"
_FORMAT: Final = "equilibrist-batch-1"
_CHECKSUM: Final = "checksum"
_KEEP: Final = "keep"
_LINES: Final = "lines"
_PLAN: Final = "plan"
_LOCK: Final = "batch.lock"
_PATIENCE: Final = 2.0
"""Seconds in which whoever only looks whether a batch runs has let go of it."""
SOLUTION_SUFFIX: Final = ".spot"
"""How the name of the file of a kept solution ends."""


class BatchPlan(NamedTuple):
    """What a batch was asked for last, so that any program can resume it.

    Attributes:
        spot: The spot as the text of a spot file.
        boards: The boards with their weights.
        lines: The lines of the report.
        hands: The hands with columns.
    """

    spot: str
    boards: tuple[tuple[str, float], ...]
    lines: tuple[str, ...]
    hands: tuple[str, ...]

    @property
    def entry(self) -> dict[str, Any]:
        """The plan as it stands in the file of settings, with a checksum."""
        return {**self._asdict(), _CHECKSUM: _digest([_FORMAT, *self])}

    @classmethod
    def read(cls, entry: object, file: Path) -> BatchPlan:
        """The plan of a file of settings; raises FileFormatError where it is damaged.

        Args:
            entry: What stands there.
            file: The file.
        """
        try:
            spot, boards, lines, hands = (entry[name] for name in cls._fields)  # type: ignore[index]
            plan = cls(
                str(spot),
                tuple((str(board), float(weight)) for board, weight in boards),
                tuple(map(str, lines)),
                tuple(map(str, hands)),
            )
            is_sound = entry == json.loads(json.dumps(plan.entry))
        except (KeyError, TypeError, ValueError):
            is_sound = False
        if not is_sound:
            raise _unreadable(file, "its plan is damaged")
        return plan


class BatchFolder:
    """The output of a batch; nothing is created before `prepare`.

    The checksum of a board's file covers the settings, the board and its results, so that files
    that were changed, renamed or copied from another batch are rejected.

    Attributes:
        folder: Where all is written.
        settings: What determines how boards are solved, and the lines of the first report.
        keep: The streets that solutions of boards keep; None where no solutions are kept. That of
            a folder counts where none was given.
        plan: What was asked for last; None where that is not known, as of earlier versions.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        *,
        keep: Keep | None = None,
        plan: BatchPlan | None = None,
    ) -> None:
        self.folder = folder
        self.settings = dict(settings)
        self.keep = keep
        self.plan = plan

    def has(self, board: str) -> bool:
        """Whether the board is finished."""
        return self._file(board).exists()

    def check(self, *, resume: bool) -> None:
        """Check whether the batch can start or resume in the folder; creates nothing.

        Takes over what the folder keeps, and the lines of its first report. Raises
        FileFormatError, ConfigError for an existing batch without `resume` or with other settings,
        and OutputError if the path cannot be a folder, or holds another report.
        """
        file = self.folder / _SETTINGS
        with self._failures():
            if self.folder.exists() and not self.folder.is_dir():
                raise not_a_folder(self.folder)
            if not file.exists():
                self._check_reports()
                return
        if not resume:
            raise ConfigError(
                f"{self.folder} already contains a batch",
                option="folder",
                given=self.folder,
                remedy="resume it, or use another folder",
            )
        before = _read(file)
        if (entry := before.pop(_PLAN, None)) is not None:
            BatchPlan.read(entry, file)
        self._take_keep(before.pop(_KEEP, None), file)
        if _LINES in self.settings and _LINES in before:
            self.settings[_LINES] = before[_LINES]
        for key in {**self.settings, **before}:
            if self.settings.get(key) != before.get(key):
                raise ConfigError(
                    f"the batch in {self.folder} has {key} {_setting_text(before, key)}, but now "
                    f"it is {_setting_text(self.settings, key)}",
                    option=key,
                    given=self.settings.get(key),
                    expected=before.get(key),
                    remedy="use the same settings, or another folder",
                )

    def prepare(self) -> None:
        """Create the folder and write the settings if missing; raises OutputError."""
        file = self.folder / _SETTINGS
        self._create()
        entries = dict(self.settings)
        if self.keep is not None:
            entries[_KEEP] = self.keep
        if self.plan is not None:
            entries[_PLAN] = json.loads(json.dumps(self.plan.entry))
        before = _read(file) if file.exists() else {}
        is_same = self.plan is None or before.get(_PLAN) == entries[_PLAN]
        if not before or (_KEEP in entries and _KEEP not in before) or not is_same:
            write_bytes(file, json.dumps(entries, indent=1).encode())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, which is created if missing: one process at a time solves its boards.

        Raises:
            ConfigError: Another process solves them.
            OutputError: The folder cannot be written.
        """
        file = self.folder / _LOCK
        self._create()
        with self._failures():
            try:
                lock = FileLock(file).acquire(timeout=_PATIENCE)
            except Timeout:
                raise ConfigError(
                    f"another program is solving the batch in {self.folder}",
                    option="folder",
                    given=self.folder,
                    remedy="wait for it, or end it there with Ctrl-C and resume the batch then",
                ) from None
        with lock:
            yield

    @property
    def is_held(self) -> bool:
        """Whether a process is solving the boards now."""
        file = self.folder / _LOCK
        if not file.exists():
            return False
        try:
            with FileLock(file).acquire(blocking=False):
                return False
        except (Timeout, OSError):
            return True

    @property
    def num_finished(self) -> int:
        """How many boards are finished."""
        return sum(file.stem != Path(_SETTINGS).stem for file in self.folder.glob("*.json"))

    def read(self, board: str) -> dict[str, Any]:
        """The results that `write` stored; raises FileFormatError."""
        file = self._file(board)
        results = _read(file)
        checksum = results.pop(_CHECKSUM, None)
        if checksum != self._checksum(board, results):
            raise _unreadable(file, "it is damaged, or belongs to another batch")
        return results

    def write(self, board: str, results: Mapping[str, Any]) -> None:
        """Write the results of a board atomically; raises OutputError."""
        content = {**results, _CHECKSUM: self._checksum(board, results)}
        write_bytes(self._file(board), json.dumps(content, allow_nan=False).encode())

    def solution(self, board: str) -> Path:
        """The file of the solution of a board, whether it is kept or not."""
        return self.folder / f"{board}{SOLUTION_SUFFIX}"

    def boards(self) -> list[str]:
        """The boards that are finished or kept, in the order of the alphabet."""
        finished = {file.stem for file in self.folder.glob("*.json")} - {Path(_SETTINGS).stem}
        kept = {file.stem for file in self.folder.glob(f"*{SOLUTION_SUFFIX}")}
        return sorted(finished | kept)

    def keeps(self, board: str) -> bool:
        """Whether the solution of a board is kept."""
        return self.solution(board).exists()

    def _take_keep(self, kept: Any, file: Path) -> None:
        """Take over the streets that a folder keeps; ConfigError if others are asked for."""
        if kept is None:
            return
        if kept not in KEEPS:
            raise _unreadable(file, f"it says that boards keep {kept!r}")
        if self.keep not in (None, kept):
            raise ConfigError(
                f"the batch in {self.folder} keeps {kept} of its boards, but now it is {self.keep}",
                option=_KEEP,
                given=self.keep,
                expected=kept,
                remedy=f"keep {kept}, or use another folder",
            )
        self.keep = kept

    @classmethod
    def found(cls, folder: Path) -> BatchFolder:
        """The folder of a batch with the settings that it has; raises FileFormatError.

        Args:
            folder: The folder.
        """
        settings = _read(folder / _SETTINGS)
        entry, keep = settings.pop(_PLAN, None), settings.pop(_KEEP, None)
        plan = None if entry is None else BatchPlan.read(entry, folder / _SETTINGS)
        return cls(folder, settings, keep=keep, plan=plan)

    def _create(self) -> None:
        with self._failures():
            self.folder.mkdir(parents=True, exist_ok=True)
        check_folder_of(self.folder / _SETTINGS)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise OutputError(
                f"cannot write {self.folder}: {reason}", self.folder, option="folder", given=reason
            ) from None

    def _check_reports(self) -> None:
        """Refuse to replace what is no report of a batch, in a folder without settings."""
        text, frame = self.folder / REPORT, self.folder / FRAME
        header = b"board,weight,"
        if text.exists() and not (text.read_bytes() or header).startswith(header):
            raise foreign_file(text, "the report of a batch", "folder")
        if frame.exists() and not is_parquet_with(frame, {"board", "weight"}):
            raise foreign_file(frame, "the report of a batch", "folder")

    def _file(self, board: str) -> Path:
        return self.folder / f"{board}.json"

    def _checksum(self, board: str, results: Mapping[str, Any]) -> str:
        return _digest([_FORMAT, self.settings, board, results])


def _digest(content: list[Any]) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def is_batch(folder: Path) -> bool:
    """Whether a folder is that of a batch: it has a file of settings."""
    return (folder / _SETTINGS).is_file()


def is_examination(folder: Path) -> bool:
    """Whether a folder of boards is that of an examination, whose settings name a strategy."""
    try:
        settings = _read(folder / _SETTINGS)
    except FileFormatError:
        return False
    return {"strategy", "seats"} <= settings.keys()


def _setting_text(settings: Mapping[str, Any], key: str) -> str:
    return repr(settings[key]) if key in settings else "not given"


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_bytes())
        json.dumps(content)  # also fails if it is nested too deep
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, f"{error}") from None
    if not isinstance(content, dict):
        raise _unreadable(file, "it was not written by a batch")
    return content


def _unreadable(file: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"cannot read {file}: {reason}",
        file,
        option="file",
        given=reason,
        remedy="remove it and resume the batch",
    )
