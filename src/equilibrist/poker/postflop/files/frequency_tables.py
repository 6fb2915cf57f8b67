"""Tables of frequencies, hand by hand: notes of one's own, or what another program exported.

Three forms are read, by their columns: a row for each action of a hand (line, hand, action, share);
a row for each hand as `postflop export` writes it; or a row for each hand with a column for each
action, such as `hand,Check,Bet 30`. A column `board`, and one with the `ev` of the hand, may stand
in each; the line may be left out where there is one decision.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.ranges.parser import listed_combos
from equilibrist.poker.text_span import read_share
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    CSV,
    SPOT_TREE,
    TABLE,
    TEXT,
    another_kind,
)
from equilibrist.storage.plain_file import read_text_file
from equilibrist.storage.table_forms.documents import begins_literal
from equilibrist.storage.table_forms.separated import TableText, check_cells

WANTED: Final = "a table of frequencies in CSV, such as hand,Check,Bet 30"
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
_SUM_ROUNDING: Final = 0.01 + 1e-9
"""How far from 1 the shares of a hand may add up: they are rounded. As in examinations."""
_PERCENT: Final = 100.0


class NotedHand(NamedTuple):
    """What a table says of one hand at one decision.

    Attributes:
        number: The first line of the file that speaks of it.
        board: The public cards, in their order; empty where the table has none.
        line: The decision, as the table has it.
        hand: The hand as it is written, such as AKs.
        combos: The numbers of its combos.
        shares: By the name of the action, as it is written: a probability.
        ev: The EV in chips, None where the table has none.
    """

    number: int
    board: str
    line: str
    hand: str
    combos: tuple[int, ...]
    shares: Mapping[str, float]
    ev: float | None


class _Cells(NamedTuple):
    """What one row says."""

    hand: str
    shares: dict[str, str]
    ev: str | None


def read_frequencies(path: str | os.PathLike[str]) -> list[NotedHand]:
    """Read a table of frequencies.

    Shares are probabilities or percent: `0.25`, `25%`, or `25` where all of the table's are such.
    Those of a hand that add up to 1 within 0.01 are scaled to 1; hands without any are left out.

    Args:
        path: The file.

    Returns:
        The hands in the order of the file.

    Raises:
        FileFormatError: It is no such table; the error has the line.
        ConfigError: `path` is not the name of a file.
    """
    file = file_name("table", path)
    kind = file_kind(file)
    if kind not in (CSV, SPOT_TREE, TEXT, TABLE, None):
        raise another_kind(file, kind or BINARY, WANTED, option="table")
    text = read_text_file(file)
    if begins_literal(text):
        raise another_kind(file, kind or TEXT, WANTED, option="table")
    before, table = _without_remarks(text)
    forms = (_EXPORTED, *({name} for name in ("hand", *_CALLED["hand"])))
    try:
        return _Reader(file, TableText(table, forms), before).hands()
    except csv.Error as error:
        raise _no_table(file, f"{error}") from None


class _Reader:
    """Reads the rows of a table; raises FileFormatError with the line."""

    def __init__(self, file: Path, table: TableText, before: int) -> None:
        self._file, self._table, self._before = file, table, before
        self._columns = _canonical(table.fieldnames)
        self._of_row = self._form()
        self._groups: dict[str, tuple[int, ...]] = {}
        self._said: dict[tuple[str, str], np.ndarray] = {}

    def hands(self) -> list[NotedHand]:
        """All hands."""
        drafts: dict[tuple[str, str, str], NotedHand] = {}
        for row in self._table:
            number = self._before + self._table.line_num
            with self._place(number):
                check_cells(row)
                self._add(drafts, {self._columns[name]: row[name] for name in row}, number)
        if not drafts:
            raise _no_table(self._file, "it has no rows")
        largest = max(max(draft.shares.values()) for draft in drafts.values())
        unit = 1.0 if largest <= 1 + _SUM_ROUNDING else _PERCENT
        return [hand for draft in drafts.values() if (hand := self._finished(draft, unit))]

    def _form(self) -> Callable[[dict[str, Any]], _Cells | None]:
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

    def _add(
        self, drafts: dict[tuple[str, str, str], NotedHand], row: dict[str, Any], number: int
    ) -> None:
        cells = self._of_row(row)
        if cells is None or not cells.shares:
            return
        line = (row.get("line") or "").strip()
        line = "" if line.lower() in _ROOTS else line
        parse_line(line)
        board = (row.get("board") or "").strip()
        board = card_names(parse_board(board)) if board else ""
        hand = cells.hand.strip()
        if hand not in self._groups:
            self._groups[hand] = tuple(listed_combos(hand))
        shares = {name.strip(): self._share(text) for name, text in cells.shares.items()}
        ev = self._ev(cells.ev)
        key = (board, line, hand)
        before = drafts.get(key)
        if before is None:
            self._check_new(key, number)
            drafts[key] = NotedHand(number, board, line, hand, self._groups[hand], shares, ev)
            return
        again = next((name for name in shares if name in before.shares), None)
        if again is not None:
            raise ConfigError(
                f"the share of {again} of {hand} stands here and in line {before.number} on",
                option="action",
                given=again,
                remedy="keep one of them",
            )
        merged = {**before.shares, **shares}
        drafts[key] = before._replace(shares=merged, ev=before.ev if ev is None else ev)

    def _check_new(self, key: tuple[str, str, str], number: int) -> None:
        """Raise ConfigError if another hand of the decision has some of the same combos."""
        board, line, hand = key
        said = self._said.setdefault((board, line), np.zeros(1326, np.int64))
        combos = [*self._groups[hand]]
        if said[combos].any():
            raise ConfigError(
                f"combos of {hand} stand here and in line {said[combos].max()}",
                option="hand",
                given=hand,
                remedy="let each combo stand in one row of a decision",
            )
        said[combos] = number

    def _share(self, text: str) -> float:
        try:
            share = _share_of(self._number(text))
        except ValueError:
            share = float("nan")
        if not 0 <= share <= _PERCENT + 1:
            raise bad_argument("share", text, "a share from 0 to 1, or in percent, such as 25%")
        return share

    def _ev(self, text: str | None) -> float | None:
        if text is None or not text.strip():
            return None
        try:
            value = float(self._number(text))
        except ValueError:
            value = float("nan")
        if not abs(value) < float("inf"):
            raise bad_argument("ev", text, "a number of chips")
        return value

    def _number(self, text: str) -> str:
        """A number with a decimal point, also of a quoted cell with a decimal comma."""
        number = self._table.number(text.strip())
        return number.replace(",", ".") if "." not in number else number

    def _finished(self, draft: NotedHand, unit: float) -> NotedHand | None:
        """The hand with shares that add up to 1; None for a hand without any."""
        total = sum(draft.shares.values())
        if not total:
            return None
        if abs(total / unit - 1) > _SUM_ROUNDING:
            with self._place(draft.number):
                raise ConfigError(
                    f"the shares of {draft.hand} add up to {total:.6g}, not {unit:g}",
                    option="share",
                    given=total,
                    expected=unit,
                    remedy=f"give all actions of the hand, to {0.01 * unit:g} together",
                )
        return draft._replace(shares={name: part / total for name, part in draft.shares.items()})

    @contextmanager
    def _place(self, number: int) -> Iterator[None]:
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


def _no_table(file: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"{file} is not {WANTED}: {reason}", file, option="table", expected=WANTED
    )


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


def _share_of(text: str) -> float:
    """A share as it is written, perhaps as a fraction; ValueError for anything else."""
    above, slash, below = text.partition("/")
    if not slash:
        return read_share(text)
    try:
        return float(Fraction(int(above), int(below)))
    except ZeroDivisionError:
        raise ValueError(text) from None


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
