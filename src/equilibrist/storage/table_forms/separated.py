"""Tables as text: with commas, semicolons, tabs or bars, and what their columns are called.

Spreadsheets whose decimals have commas separate columns by semicolons; printed tables have bars or
tabs, and call their columns as people do.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.storage.table_forms.markup import lines_of_markup

_SEPARATORS: Final = (",", ";", "\t", "|")
KEY_NAMES: Final = (
    "infoset", "information set", "info set", "info_set", "infostate", "history", "state", "key",
    "node",
)  # fmt: skip
"""What the column with the infosets may be called, in any case of letters."""
_RULE: Final = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")
"""The line below the header of a printed table."""
_MOST_LETTERS: Final = 10_000_000
"""Longer texts are taken for columns with separators."""
_GRID: Final = re.compile(r"\+[+=-]*")
"""A line of a box that is drawn with signs."""
_SHARE: Final = re.compile(r"\d*\.?\d+(?:[eE]-\d+)?|\d+\.", re.ASCII)
_RATIO: Final = re.compile(r"\s*(\d{1,9})\s*/\s*0*([1-9]\d{0,8})\s*", re.ASCII)
_PERCENT: Final = re.compile(r"\s*[(\[]?%[)\]]?")
_EMPHASIS: Final = "*`"
"""What makes a cell of Markdown bold, or code."""
_PROBABILITY_OF: Final = re.compile(
    r"(?:p|pr|prob\.?|probability|frequency)\s*(?:of|\()\s*(?P<after>.+?)\s*\)?|"
    r"(?P<before>.+?)\s+(?:probability|prob\.?|frequency|freq\.?)",
    re.IGNORECASE,
)
_NAMED: Final = ("player", "action", "probability")


def separator_of(text: str, columns: Sequence[Collection[str]] = ()) -> str:
    """Find what separates the columns of a table, by its header; by default a comma.

    Args:
        text: The text.
        columns: As of `TableText`.
    """
    return next((mark for mark in _SEPARATORS if _is_header(text, mark, columns)), ",")


def is_strategy_table(text: str) -> bool:
    """Whether the first line of a text is the header of a table of a strategy."""
    try:
        return has_header(text) or has_header(separated_text(text))
    except csv.Error:
        return False


def check_cells(row: dict[str, Any]) -> None:
    """Refuse a row of `TableText` with more or fewer cells than columns.

    Args:
        row: The row.

    Raises:
        ConfigError: It has.
    """
    if None in row:
        raise ConfigError(
            "there are more cells than columns", option="cells", remedy="quote cells with commas"
        )
    if None in row.values():
        raise ConfigError(
            "there are fewer cells than columns", option="cells", remedy="fill them in"
        )


def has_header(text: str) -> bool:
    """Whether the first line names columns, of which one has the infosets; raises csv.Error."""
    return any(_is_header(text, mark) for mark in _SEPARATORS)


def separated_text(text: str) -> str:
    """The text, in which cells of LaTeX, wikis, HTML, drawn boxes and aligned columns have tabs.

    Lines keep their numbers, but for the header, which is the first, and several rows of one line.
    """
    if has_header(text) or len(text) > _MOST_LETTERS:
        return text
    lines = lines_of_markup(text)
    if lines is None and (first := _first_line(text)).startswith("+") and _GRID.fullmatch(first):
        lines = [
            (number, line)
            for number, line in enumerate(text.splitlines(), start=1)
            if not _GRID.fullmatch(line.strip())
        ]
    if lines is None:
        lines = _aligned(text)
    if not lines:
        return text
    written = [lines[0][1]]
    for number, line in lines[1:]:
        written += [""] * (number - len(written) - 1)
        written.append(line)
    return "\n".join(written) + "\n"


def _aligned(text: str) -> list[tuple[int, str]] | None:
    """The lines of columns with blanks between them; None for a text of another form.

    As pandas prints, the header may lack the name of the infosets, or have it in a line below.
    """
    rows = [
        (number, line.split())
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
        if line.strip()
    ]
    if len(rows) < 2 or any(mark in text for mark in _SEPARATORS):
        return None
    (number, header), body = rows[0], rows[1:]
    if len(body[0][1]) == 1 and len(body) > 1:
        body = body[1:]
    if any(len(row) != len(body[0][1]) for _, row in body):
        return None
    if len(header) == len(body[0][1]) - 1:
        header = ["infoset", *header]
    is_table = (
        len(header) == len(body[0][1]) > 2
        and header[0].lower() in KEY_NAMES
        and all(_SHARE.fullmatch(cell) for _, row in body for cell in row[1:])
        and all(0.97 < sum(float(cell) for cell in row[1:]) < 1.03 for _, row in body)
    )
    return [(n, "\t".join(row)) for n, row in [(number, header), *body]] if is_table else None


class TableText:
    """The rows of a table in a text, as `csv.DictReader` gives them, under canonical names.

    Args:
        text: The text, with a header.
        columns: Sets of columns in lower case, all of one of which the header of a table has; none
            for a table of a strategy by infosets.
    """

    def __init__(self, text: str, columns: Sequence[Collection[str]] = ()) -> None:
        """Read the header; raises csv.Error."""
        text = text if columns else separated_text(text)
        self.separator = separator_of(text, columns)
        has_bars = self.separator == "|"
        header = _cells(_first_line(text), self.separator)
        self.is_spaced = has_bars or any(name != name.strip() for name in header)
        lines: Iterable[str] = io.StringIO(text, newline="")
        self._reader: csv.DictReader[str] = csv.DictReader(
            _without_bars(lines) if has_bars else lines,
            delimiter=self.separator,
            skipinitialspace=self.is_spaced,
        )
        names = [name.strip() if self.is_spaced else name for name in self._reader.fieldnames or ()]
        self.fieldnames = _lower(names) if columns else _canonical(names)
        self._reader.fieldnames = self.fieldnames

    @property
    def line_num(self) -> int:
        """The line that was read last, from 1 on."""
        return self._reader.line_num

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self._reader:
            if not self.is_spaced or None in row:
                yield row
                continue
            cells = {name: cell and self._plain(cell) for name, cell in row.items()}
            if self.separator != "|" or not all(map(_RULE.fullmatch, filter(None, cells.values()))):
                yield cells

    def _plain(self, cell: str) -> str:
        cell = cell.strip()
        return cell.strip(_EMPHASIS).strip() if self.separator == "|" else cell

    def number(self, written: str) -> str:
        """A cell with a number, with a decimal point; of a percentage, the share."""
        if (ratio := _RATIO.fullmatch(written)) is not None:
            return repr(int(ratio[1]) / int(ratio[2]))
        if self.separator != "," and "." not in written:
            written = written.replace(",", ".")
        if written.strip().endswith("%"):
            with suppress(InvalidOperation):  # which its reader refuses
                return format(Decimal(written.strip().removesuffix("%").strip()).scaleb(-2), "f")
        return written


def _without_bars(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a printed table without the bars at both ends."""
    for line in lines:
        yield line.strip().removeprefix("|").removesuffix("|") + "\n"


def _is_header(text: str, separator: str, columns: Sequence[Collection[str]] = ()) -> bool:
    cells = _cells(_first_line(text), separator)
    if columns:
        return any({*wanted} <= {*_lower(cells)} for wanted in columns)
    names = _canonical(cells)
    return len(names) > 1 and "infoset" in names


def _first_line(text: str) -> str:
    return re.split("[\r\n]", text.lstrip("\ufeff\r\n"), maxsplit=1)[0].strip()


def _cells(line: str, separator: str) -> list[str]:
    if separator == "|":
        line = line.removeprefix("|").removesuffix("|")
    return next(csv.reader([line], delimiter=separator), [])


def _lower(names: list[str]) -> list[str]:
    return [name.strip().lower() for name in names]


def _canonical(names: list[str]) -> list[str]:
    """The names of columns; where none is called infoset, the first by whatever else it may be.

    `Check Probability` and `P(check)` are columns of actions.
    """
    if "infoset" in names:
        is_long = {"action", "probability"} & {*names}
        return names if is_long else [_action(name) for name in names]
    plain = [name.strip() for name in names]
    lower = [name.lower() for name in plain]
    key = next((lower.index(name) for name in KEY_NAMES if name in lower), None)
    if key is None:
        return names
    canonical = [name.lower() if name.lower() in _NAMED else name for name in plain]
    canonical[key] = "infoset"
    if {"action", "probability"} & {*canonical}:
        return canonical
    return [_action(name) for name in canonical]


def _action(name: str) -> str:
    name = _PERCENT.sub("", name) or name
    match = _PROBABILITY_OF.fullmatch(name)
    return name if match is None else match["after"] or match["before"]
