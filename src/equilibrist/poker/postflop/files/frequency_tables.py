"""Tables of frequencies, hand by hand: notes of one's own, or what another program exported.

`frequency_rows` reads their rows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.postflop.files.frequency_rows import FrequencyRow, FrequencyRows
from equilibrist.poker.ranges.parser import listed_combos
from equilibrist.poker.text_span import read_share
from equilibrist.storage.archive import file_kind
from equilibrist.storage.frames import read_parquet
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

WANTED: Final = "a table of frequencies in CSV, such as hand,Check,Bet 30"
_SUM_ROUNDING: Final = 0.01 + 1e-9
"""How far from 1 the shares of a hand may add up: they are rounded. As in examinations."""
_PERCENT: Final = 100.0
_MOST_ROWS: Final = 10_000_000
"""Rows of a table in Parquet."""


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


def read_frequencies(path: str | os.PathLike[str]) -> list[NotedHand]:
    """Read a table of frequencies.

    Shares are probabilities or percent: `0.25`, `25%`, or `25` where all of the table's are such.
    Those of a hand that add up to 1 within 0.01 are scaled to 1; hands without any are left out.

    Args:
        path: The file: text, or Parquet by the end of its name.

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
    text = _text_of(file)
    if begins_literal(text):
        raise another_kind(file, kind or TEXT, WANTED, option="table")
    return _Reader(file, text).hands()


def _text_of(file: Path) -> str:
    """The text of a table; of one in Parquet that of the same table in CSV."""
    if file.suffix.lower() != ".parquet":
        return read_text_file(file)
    return str(read_parquet(file, _MOST_ROWS).to_csv(index=False))


class _Reader:
    """Reads the rows of a table; raises FileFormatError with the line."""

    def __init__(self, file: Path, text: str) -> None:
        self._file, self._rows = file, FrequencyRows(file, text)
        self._groups: dict[str, tuple[int, ...]] = {}
        self._said: dict[tuple[str, str], np.ndarray] = {}

    def hands(self) -> list[NotedHand]:
        """All hands."""
        drafts: dict[tuple[str, str, str], NotedHand] = {}
        for row in self._rows:
            with self._rows.place(row.number):
                self._add(drafts, row)
        if not drafts:
            raise _no_table(self._file, "it has no rows")
        largest = max(max(draft.shares.values()) for draft in drafts.values())
        unit = 1.0 if largest <= 1 + _SUM_ROUNDING else _PERCENT
        return [hand for draft in drafts.values() if (hand := self._finished(draft, unit))]

    def _add(self, drafts: dict[tuple[str, str, str], NotedHand], row: FrequencyRow) -> None:
        number, line, hand = row.number, row.line, row.hand
        parse_line(line)
        board = card_names(parse_board(row.board)) if row.board else ""
        if hand not in self._groups:
            self._groups[hand] = tuple(listed_combos(hand))
        shares = {name: self._share(text) for name, text in row.shares.items()}
        ev = self._ev(row.ev)
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
            share = _share_of(text)
        except ValueError:
            share = float("nan")
        if not 0 <= share <= _PERCENT + 1:
            raise bad_argument("share", text, "a share from 0 to 1, or in percent, such as 25%")
        return share

    def _ev(self, text: str | None) -> float | None:
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not abs(value) < float("inf"):
            raise bad_argument("ev", text, "a number of chips")
        return value

    def _finished(self, draft: NotedHand, unit: float) -> NotedHand | None:
        """The hand with shares that add up to 1; None for a hand without any."""
        total = sum(draft.shares.values())
        if not total:
            return None
        if abs(total / unit - 1) > _SUM_ROUNDING:
            remedy = f"give all actions of the hand; rounding explains up to {0.01 * unit:g}"
            if unit == _PERCENT and abs(total - 1) <= _SUM_ROUNDING:
                remedy = "write them in percent, as those of other rows, which are above 1"
            with self._rows.place(draft.number):
                raise ConfigError(
                    f"the shares of {draft.hand} add up to {total:.6g}, not {unit:g}",
                    option="share",
                    given=total,
                    expected=unit,
                    remedy=remedy,
                )
        return draft._replace(shares={name: part / total for name, part in draft.shares.items()})


def _no_table(file: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"{file} is not {WANTED}: {reason}", file, option="table", expected=WANTED
    )


def _share_of(text: str) -> float:
    """A share as it is written, perhaps as a fraction; ValueError for anything else."""
    above, slash, below = text.partition("/")
    if not slash:
        return read_share(text)
    try:
        return float(Fraction(int(above), int(below)))
    except ZeroDivisionError:
        raise ValueError(text) from None
