"""The rows of tables of frequencies, whatever their columns.

Three forms are read, by their columns: a row for each action of a hand (line, hand, action, share);
a row for each hand as `postflop export` writes it; or a row for each hand with a column for each
action, such as `hand,Check,Bet 30`. A column `board`, and one with the `ev` of the hand, may stand
in each; the line may be left out where there is one decision.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.errors import EquilibristError, FileFormatError
from equilibrist.formatting.escaping import repr_short
from equilibrist.storage.table_forms.separated import TableText, check_cells

_LONG: Final = ("hand", "action", "share")
_EXPORTED: Final = ("line", "player", "acts", "hand", "action1", "share1")
_NO_ACTIONS: Final = (
    "hand", "line", "board", "ev", "weight", "equity", "eqr", "player", "acts", "street", "pot",
    "runouts", "combos", "hands", "cards", "hole cards", "class", "note", "notes", "comment",
    "reach", "count",
)  # fmt: skip
"""Columns of notes that are no actions."""
_OF_ACTION: Final = re.compile(
    r"(?P<name>.+?)(?:\s+(?:freq\.?|frequency|share|prob\.?|probability)|(?<=\D)\s*%)?"
)
_CALLED: Final = {
    "hand": ("hands", "combo", "combos", "holding", "hole cards", "cards"),
    "line": ("node", "decision", "path"),
    "action": ("move",),
    "share": ("frequency", "freq", "probability", "prob", "strategy"),
}
"""What else columns may be called."""
_ROOTS: Final = ("root", "flop", "turn", "river")
"""What a line may be called that has no action."""
_EV_OF_ACTION: Final = re.compile(r".+\s+ev")


class FrequencyRow(NamedTuple):
    """A row of a table, texts without blanks around them.

    Attributes:
        number: Its line in the file.
        board: The public cards; empty where the table has none.
        line: The decision; empty for the root, by whatever name.
        hand: The hand or hands.
        shares: By the name of the action, as it is written: a number with a decimal point.
        ev: The EV, such a number; None where the table has none.
    """

    number: int
    board: str
    line: str
    hand: str
    shares: dict[str, str]
    ev: str | None


class _Cells(NamedTuple):
    """What one row says."""

    hand: str
    shares: dict[str, str]
    ev: str | None


class FrequencyRows:
    """The rows of a table that say anything; FileFormatError with the line for others.

    Args:
        file: The file, for errors.
        text: What it holds; remarks (#) may stand before its header.

    Attributes:
        is_exported: Whether it is what `postflop export` writes.

    Raises:
        FileFormatError: Its columns are none of these forms.
    """

    def __init__(self, file: Path, text: str) -> None:
        """Read the header; the class describes the arguments."""
        self._file = file
        self._before, table = _without_remarks(text)
        forms = (_EXPORTED, *({name} for name in ("hand", *_CALLED["hand"])))
        try:
            self._table = TableText(table, forms)
            self._columns = _canonical(self._table.fieldnames)
        except csv.Error as error:
            raise self._unreadable(error) from None
        self._of_row = self._form()
        self.is_exported = self._of_row is _exported_row

    def __iter__(self) -> Iterator[FrequencyRow]:
        """Go through the rows."""
        rows = iter(self._table)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                raise self._unreadable(error) from None
            number = self._before + self._table.line_num
            with self.place(number):
                check_cells(row)
                read = self._read({self._columns[name]: row[name] for name in row}, number)
            if read is not None:
                yield read

    def _read(self, row: dict[str, Any], number: int) -> FrequencyRow | None:
        cells = self._of_row(row)
        if cells is None or not cells.shares:
            return None
        line = (row.get("line") or "").strip()
        ev = cells.ev
        return FrequencyRow(
            number=number,
            board=(row.get("board") or "").strip(),
            line="" if line.lower() in _ROOTS else line,
            hand=cells.hand.strip(),
            shares={name.strip(): self._number(text) for name, text in cells.shares.items()},
            ev=None if ev is None or not ev.strip() else self._number(ev),
        )

    def _number(self, text: str) -> str:
        """A number with a decimal point, also of a quoted cell with a decimal comma."""
        number = self._table.number(text.strip())
        return number.replace(",", ".") if "." not in number else number

    def _unreadable(self, error: csv.Error) -> FileFormatError:
        return FileFormatError(f"{self._file} is no table: {error}", self._file, option="table")

    def _form(self) -> Callable[[dict[str, Any]], _Cells | None]:
        """What reads a row, by the columns."""
        columns = [*self._columns.values()]
        place = f"{self._file}, line {self._before + 1}"
        if "hand" in columns and len(columns) < len(self._table.fieldnames):
            names = self._table.fieldnames
            twice = next(name for name in names if names.count(name) > 1)
            raise FileFormatError(
                f"{self._file} has the column {twice} twice",
                self._file,
                option="columns",
                given=twice,
                place=place,
                remedy="keep one of them",
            )
        if {*_EXPORTED} <= {*columns}:
            return _exported_row
        if {*_LONG} <= {*columns}:
            return _long_row
        actions = {
            name: _OF_ACTION.fullmatch(name)["name"]  # type: ignore[index] # it matches all
            for name in columns
            if name and name not in _NO_ACTIONS and not _EV_OF_ACTION.fullmatch(name)
        }
        if "hand" not in columns or not actions:
            raise FileFormatError(
                f"{self._file} has the columns {repr_short(columns)}, not hand and those of "
                "actions, or hand, action and share",
                self._file,
                option="columns",
                given=", ".join(columns),
                expected="hand, and a column for each action, such as Check and Bet 30",
                place=place,
                remedy="name the columns so in the first line",
            )

        def notes_row(row: dict[str, Any]) -> _Cells:
            shares = {action: row[name] for name, action in actions.items() if row[name].strip()}
            return _Cells(row["hand"], shares, row.get("ev"))

        return notes_row

    @contextmanager
    def place(self, number: int) -> Iterator[None]:
        """Turn errors of ours into errors of the file, with the line."""
        try:
            yield
        except EquilibristError as error:
            place = f"{self._file}, line {number}"
            raise FileFormatError(
                f"{place}: {error.problem}",
                self._file,
                option=error.option,
                given=error.given,
                expected=error.expected,
                place=place,
                remedy=error.remedy,
            ) from None


def _without_remarks(text: str) -> tuple[int, str]:
    """The table without blank lines and remarks (#) before its header, and how many there are."""
    lines = text.lstrip("\ufeff").splitlines(keepends=True)
    before = 0
    while before < len(lines) and (not lines[before].strip() or lines[before].startswith("#")):
        before += 1
    return before, "".join(lines[before:])


def _canonical(columns: list[str]) -> dict[str, str]:
    """By name of a column: what it is called here."""
    named = {}
    for column in columns:
        name = column.strip()
        canon = next((canon for canon, others in _CALLED.items() if name in others), name)
        named[column] = name if canon in columns else canon
    return named


def _long_row(row: dict[str, Any]) -> _Cells:
    return _Cells(row["hand"], {row["action"]: row["share"]}, row.get("ev"))


def _exported_row(row: dict[str, Any]) -> _Cells | None:
    """A row of `postflop export`; None for the player who does not act, and for all hands."""
    if row["player"] != row["acts"] or row["hand"] == "all":
        return None
    return _Cells(row["hand"], dict(_exported_shares(row)), row.get("ev"))


def _exported_shares(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for number in range(1, len(row)):
        name = row.get(f"action{number}")
        if not name:
            return
        yield name, row[f"share{number}"]
