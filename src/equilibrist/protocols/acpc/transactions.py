"""Transaction logs: every action with the times of the question and of the answer.

A line is `action hand sent received`, times in seconds of the system's clock. A match that was
broken off goes on from its transactions: the cards follow from the seed, the actions from the file.
"""

from __future__ import annotations

import os
import re
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist.errors import FileFormatError
from equilibrist.play.appended_file import AppendedFile, WholeLines
from equilibrist.protocols.acpc.betting import AcpcAction
from equilibrist.protocols.acpc.log import refuse_existing
from equilibrist.storage.archive import check_writable

_LINE: Final = re.compile(
    r"([fcr]\d{0,18}) (\d{1,10}) (\d{1,12}\.\d{6}) (\d{1,12}\.\d{6})", re.ASCII
)
_CUT_OFF: Final = re.compile(rb"([fcr][0-9. ]*)?")
_MOST: Final = 200


class Transaction(NamedTuple):
    """An action of a match.

    Attributes:
        action: The action as it was played.
        hand: The number of the hand.
        sent: When the position was asked.
        received: When it answered.
    """

    action: AcpcAction
    hand: int
    sent: float
    received: float

    def __str__(self) -> str:
        return f"{self.action} {self.hand} {self.sent:.6f} {self.received:.6f}"


class TransactionLog(AppendedFile):
    """The transactions of a match, a line an action; a context manager.

    Args:
        path: The file.
        appends: Whether it may exist; its transactions are then `past`.

    Attributes:
        past: What was played before, the first action first.

    Raises:
        ConfigError: The file exists, and `appends` is False.
        FileFormatError: A line is none of a transaction.
        OutputError: It cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str], *, appends: bool = False) -> None:
        super().__init__(path)
        check_writable(Path(path))
        self.past: deque[Transaction] = deque()
        if appends:
            found = WholeLines.read(Path(path), "transactions")
            for number, line in enumerate(found.lines, 1):
                self.past.append(_read(line, f"{path}, line {number}", path))
            if not found.lines and not _CUT_OFF.fullmatch(found.rest):
                raise _none(found.rest[:_MOST].decode("utf-8", "replace"), f"{path}, line 1", path)
            found.cut(Path(path))
        else:
            refuse_existing(Path(path), "transactions")

    def add(self, transaction: Transaction) -> None:
        """Write a transaction.

        Args:
            transaction: The transaction.

        Raises:
            OutputError: It cannot be written.
        """
        self.append(f"{transaction}\n")


def _read(line: str, place: str, path: str | os.PathLike[str]) -> Transaction:
    match = _LINE.fullmatch(line)
    action = None if match is None else AcpcAction.parse(match[1])
    if match is None or action is None:
        raise _none(line, place, path)
    return Transaction(action, int(match[2]), float(match[3]), float(match[4]))


def _none(line: str, place: str, path: str | os.PathLike[str]) -> FileFormatError:
    return FileFormatError(
        f"{place}: {line!r} is no transaction",
        path,
        option="transactions",
        given=line,
        expected="action hand sent received, as c 17 1700000000.000000 1700000001.000000",
        place=place,
    )
