"""Payoff tables as text: with commas, semicolons, tabs, bars or blanks between the cells.

A cell is a payoff of the player who picks the row, whose opponent gets the opposite, or the payoffs
of both, such as `(3, 3)`. Two tables with an empty line between them are those of the two players.
Rows and columns may have labels. A table with the columns `plan 0`, `plan 1`, ..., `payoff 0`, ...
has a line per joint action, for any number of players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby, product, zip_longest
from math import gcd
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from equilibrist.errors import FileFormatError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.escaping import unguard_cell
from equilibrist.storage.table_forms.markup import lines_of_markup

_MARKS: Final = ("\t", "|", ";", ",", " ")
"""What separates cells, tried in this order."""
_ESCAPED: Final = "\ue000"
"""Stands for a mark that a backslash makes part of a cell."""
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_RULE: Final = re.compile(r"[\s|:+=-]*--[\s|:+=-]*|\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?")
"""The line below the header of a printed table."""
_COMMENT: Final = re.compile(
    r"\s*(?:#(?!N/A|DIV/0!|NAME\?|(?:REF|VALUE|NUM|NULL|SPILL|CALC)!)|//|%)"
)
"""What a remark begins with; spreadsheets have errors with the same sign."""
_OPEN: Final = re.compile(r'(?:^|[,;\t])[ \t]*"(?:[^"]|"")*\Z')
"""A line that ends within a cell in quotes."""
_MOST_LINES: Final = 20
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_UNITS: Final = re.compile(
    r"(?P<sign>[+-]?)[$\u00a3\u00a5\u20ac] ?(?P<first>[+-]?[\d.]+)|"
    r"(?P<last>[+-]?[\d.]+) ?(?P<unit>[$%\u00a3\u00a5\u20ac])"
)
"""A number with a currency or a percent sign."""
_FRACTION: Final = re.compile(r"[+-]?\d+/0*[1-9]\d*", re.ASCII)
_WITH_COMMA: Final = re.compile(r"[+-]?(?P<whole>\d*),(?P<rest>\d+)", re.ASCII)
"""A decimal with a comma, or two whole payoffs."""
_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+)", re.ASCII)
"""A number with a mark between thousands, unless these are two payoffs."""
_NO_PAIR: Final = re.compile(r"[+-]?[\d.]+,0\d[\d.]*", re.ASCII)
"""As two payoffs the second one would begin with a 0, which nobody writes: a number."""
_NO_NUMBER: Final = re.compile(
    r"[+-]?(?:nan|inf|infinity)|n/?a|#[a-z/0!?]+|[+-]?\d{1,3}(?:['\u2019_]\d{3})+(?:\.\d+)?"
    r"|[+-]?\d*[\u00bc-\u00be\u2150-\u215e]|[+-]?[\d.]+\s*(?:#|//).*",
    re.IGNORECASE | re.ASCII,
)
"""What programs and people write for a number, and no payoff is; as a label nobody means it."""
_SIGNS: Final = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\u00a0": " ", "\u202f": " "}
    | dict.fromkeys("\u2502\u2503\u2551", "|")
    | dict.fromkeys(map(chr, (0x2500, 0x2501, *range(0x250C, 0x2551), *range(0x2552, 0x2580))), "-")
)
"""Other signs for a minus and a blank, and the lines of drawn boxes."""
_SLASHED: Final = re.compile(r"(?P<first>[+-]?[\d.]+)\s*/\s*(?P<second>[+-]?[\d.]+)", re.ASCII)
"""Two payoffs, or a fraction."""
_OF_R: Final = re.compile(r"\[(?:(\d+),|,(\d+))\]")
"""The number of a row or a column as R prints it."""
_NAME_ABOVE: Final = re.compile(
    r"(?:Diagonal|Permutation) Matrix|"
    r"(?=.*[^\W\d_])[^,;\t|]*[:=]|\s*\d+\s*[x\u00d7]\s*\d+\s[^,;|]*:"
)
"""A line with what is called so below it."""
_HAND: Final = re.compile("[2-9]{2}")
"""A number that is also a hand of hold'em."""
_PAYOFF: Final = re.compile(r"\b(?:payoffs?|utility|u)(?:\b|[ _]?\d)", re.IGNORECASE)
"""What the column of somebody's payoffs has in its name."""
_OTHER_TABLES: Final = frozenset(
    (
        "board", "combos", "equity", "ev", "exploitability", "flop", "frequency", "hand", "infoset",
        "iteration", "iterations", "line", "nash_conv", "nashconv", "probability", "reach",
        "seconds", "time", "weight",
    )
)  # fmt: skip
"""Columns, in lower case, that no payoff table has."""
_MOST_LABELS: Final = 0.02
"""Rows of a strategy add up to 1 within this."""
_PAIRS_OR_DECIMALS: Final = "write two payoffs as (3, 3), and decimals with a point, 3.3"
_PAYOFF_TEXT: Final = (
    "give a number, such as -1, 0.5 or 1/3, or both players' payoffs, such as (3, 3)"
)


class PayoffTable(NamedTuple):
    """What a payoff table holds.

    Attributes:
        tables: Player 0's table of a game with zero sum alone, or a table per player, nested by the
            players' actions in order.
        labels: Names of each player's actions; none where the table names none.
    """

    tables: tuple[Any, ...]
    labels: tuple[tuple[str, ...], ...] = ()


class _Cell(NamedTuple):
    """What stands in a cell, and where: line and column from 1 on."""

    text: str
    line: int
    column: int


_Row = list[_Cell]


class _FaultError(Exception):
    """A cell that does not fit, why, and what to do."""

    def __init__(self, cell: _Cell, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.cell = cell
        self.problem = problem
        self.remedy = remedy


class _Block(NamedTuple):
    """Rows of payoffs with their labels, if any."""

    rows: list[_Row]
    row_labels: tuple[_Cell, ...]
    column_labels: tuple[_Cell, ...]


def read_payoffs(text: str, path: Path) -> PayoffTable:
    """Read a payoff table.

    Args:
        text: The table.
        path: Where it stands, for errors.

    Returns:
        The payoffs.

    Raises:
        FileFormatError: It is none; the error has line and column.
    """
    lines = _lines(text)
    if not lines:
        raise FileFormatError(
            f"{path} holds no payoffs",
            path,
            option="payoffs",
            given=text[:60],
            remedy="write a row of numbers for each action of the player who picks the row",
        )
    fault = None
    for mark in _marks(lines):
        try:
            return _read(lines, mark)
        except _FaultError as error:
            fault = fault or error
    assert fault is not None
    place = f"{path}, line {fault.cell.line}, column {fault.cell.column}"
    raise FileFormatError(
        f"{place}: {fault.problem}",
        path,
        option="payoffs",
        given=fault.cell.text,
        place=place,
        remedy=fault.remedy,
    ) from None


def is_payoff_text(text: str, *, may_be_strategy: bool = False) -> bool:
    """Whether a text is meant as a payoff table: rows of cells, of which most are payoffs.

    Args:
        text: The text, or its beginning.
        may_be_strategy: Whether this holds also of a table with labels whose rows add up to 1, as
            those of strategies do.
    """
    lines = _lines(text)
    for mark in _marks(lines):
        rows = [_split(line, number, mark) for number, line in lines]
        if not rows or not rows[0]:
            continue
        if _is_long([cell.text for cell in rows[0]]):
            return True
        names = {cell.text.lower() for cell in rows[0]}
        if not names.isdisjoint(_OTHER_TABLES):
            return False
        if len(rows) < 2 or not _is_grid(rows):
            continue
        blocks = []
        with suppress(_FaultError):  # of which the reader says where
            blocks = [_block(rows) for rows in _blocks(lines, mark) if rows]
        grid = [row for block in blocks for row in block.rows] or [row for row in rows if row]
        cells = [cell.text for row in grid for cell in row]
        payoffs = [cell for cell in cells if _is_payoff(cell) or _NO_NUMBER.fullmatch(cell)]
        if 2 * len(payoffs) <= len(cells) or max(map(len, grid)) < 2:
            continue
        if all(map(_HAND.fullmatch, cells)) and not any(b.column_labels for b in blocks):
            return False  # pairs and other hands, which make a range
        return may_be_strategy or not any(map(_is_strategy, blocks))
    return False


def read_number(text: str) -> float | None:
    """A payoff as it is written in a cell, such as -1, 1/3, $2 or 5%; None for other texts."""
    text = text.translate(_SIGNS).strip()
    return _number(text) if _is_number(text) else None


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are no comments, and their numbers; empty ones between others are kept."""
    text = text.removeprefix("\ufeff").translate(_SIGNS)
    written = lines_of_markup(text) or _joined(text.splitlines())
    numbered = [
        (number, _OF_R.sub(r"\1\2", line).rstrip(" \r"))
        for number, line in written
        if not _COMMENT.match(line) and not _RULE.fullmatch(line.strip())
    ]
    while numbered and not numbered[-1][1].strip(" \t;,|"):
        numbered.pop()
    while numbered and not numbered[0][1].strip(" \t;,|"):
        numbered.pop(0)
    return numbered


def _joined(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines with their numbers; those of a cell in quotes with ends of lines are one."""
    joined: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        whole, end = lines[at], at + 1
        while _OPEN.search(whole) and end < min(len(lines), at + _MOST_LINES):
            whole, end = f"{whole}\n{lines[end]}", end + 1
        if _OPEN.search(whole):  # these quotes are none
            whole, end = lines[at], at + 1
        joined.append((at + 1, whole))
        at = end
    return joined


def _marks(lines: Sequence[tuple[int, str]]) -> list[str]:
    """What may separate the cells, the likeliest first."""
    filled = [line.strip(" ") for _, line in lines if line.strip()]
    usual = [mark for mark in _MARKS if sum(mark in line for line in filled) * 2 > len(filled)]
    return usual or [","]


def _split(line: str, number: int, mark: str) -> _Row:
    """The cells of a line; marks in quotes and in brackets separate none."""
    if mark == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    if mark == " ":
        line = line.strip()
        if _NAME_ABOVE.fullmatch(line):
            return [_Cell(line, number, 1)]
    line = line.replace(f"\\{mark}", _ESCAPED)
    texts, begin, depth, is_quoted = [], 0, 0, False
    for at, letter in enumerate(line):
        if letter == '"':
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth = max(depth - 1, 0)
        elif letter == mark and not depth:
            texts.append(line[begin:at])
            begin = at + 1
    texts.append(line[begin:])
    cells = [text.strip().strip('"').replace('""', '"').strip() for text in texts]
    if mark == "|":
        cells = [cell.strip("*_`") for cell in cells]
    if mark == " ":
        cells = [cell for cell in cells if cell]
    cells = [cell.replace(_ESCAPED, mark) for cell in cells]
    return [_Cell(cell, number, column) for column, cell in enumerate(cells, start=1)]


def _is_grid(rows: Sequence[_Row]) -> bool:
    """Whether most rows are as long as the longest one."""
    widths = [len(row) for row in rows if any(cell.text for cell in row)]
    return max(widths, default=0) > 1 and 2 * sum(width == max(widths) for width in widths) >= len(
        widths
    )


def _read(lines: Sequence[tuple[int, str]], mark: str) -> PayoffTable:
    header = _split(lines[0][1], lines[0][0], mark)
    if _is_long([cell.text for cell in header]):
        filled = [line for line in lines if line[1].strip()]
        return _read_long([_split(line, number, mark) for number, line in filled])
    titled = [(title, rows) for title, rows in _titled_blocks(lines, mark) if rows]
    if not titled:
        raise _FaultError(
            _Cell("", lines[0][0], 1),
            "no payoffs are here",
            "write a row of numbers for each action of the player who picks the row",
        )
    blocks = [_block(rows) for _, rows in titled]
    first = blocks[0]
    for block in blocks[1:]:
        _check_alike(first, block)
    cells = [cell for block in blocks for row in block.rows for cell in row]
    most = 3 if len(blocks) > 1 and len(_parts(cells[0].text)) == 3 else 2
    parts = _payoffs(cells, mark, most)
    labels = _labels(next((b for b in blocks if b.row_labels or b.column_labels), first))
    count = len(parts[cells[0]])
    if count == 3 and len(blocks) > 1:
        return _of_three(titled, blocks, parts, labels)
    if count > 1 and len(blocks) > 1:
        raise _FaultError(
            blocks[1].rows[0][0],
            "a second table begins here, though cells hold the payoffs of all players",
            "give one table with all payoffs, or one of single payoffs per player",
        )
    if count > 1:
        tables = [_nested(first, parts, player) for player in range(count)]
    else:
        tables = [_nested(block, parts, 0) for block in blocks]
    return PayoffTable(tuple(tables), labels)


def _of_three(
    titled: list[tuple[str, list[_Row]]],
    blocks: list[_Block],
    parts: dict[_Cell, tuple[float, ...]],
    labels: tuple[tuple[str, ...], ...],
) -> PayoffTable:
    """A table for each action of a third player, with the payoffs of all three in its cells."""
    size = len(blocks[0].rows), len(blocks[0].rows[0])
    tables = tuple(
        tuple(
            tuple(
                tuple(parts[block.rows[row][column]][player] for block in blocks)
                for column in range(size[1])
            )
            for row in range(size[0])
        )
        for player in range(3)
    )
    corners = [
        rows[0][0].text if block.column_labels else ""
        for (_, rows), block in zip(titled, blocks, strict=True)
    ]
    choices = (tuple(title for title, _ in titled), tuple(corners))
    names = next((n for n in choices if all(n) and len(set(n)) == len(n)), None)
    if names is None and not labels:
        return PayoffTable(tables)
    own = labels or tuple(tuple(map(str, range(count))) for count in size)
    return PayoffTable(tables, (*own, names or tuple(map(str, range(len(blocks))))))


def _nested(block: _Block, parts: dict[_Cell, tuple[float, ...]], player: int) -> tuple[Any, ...]:
    return tuple(tuple(parts[cell][player] for cell in row) for row in block.rows)


def _blocks(lines: Sequence[tuple[int, str]], mark: str) -> list[list[_Row]]:
    """The tables of a text, which empty lines separate; only those of one size count as such."""
    return [rows for _, rows in _titled_blocks(lines, mark)]


def _titled_blocks(lines: Sequence[tuple[int, str]], mark: str) -> list[tuple[str, list[_Row]]]:
    """The tables of a text, and the last line above each that has only a name."""
    rows = [_split(line, number, mark) for number, line in lines]
    groups: list[tuple[str, list[_Row]]] = []
    above = ""
    for is_filled, group in groupby(rows, lambda row: any(cell.text for cell in row)):
        if not is_filled:
            continue
        for part in _parted(list(group)):
            title, table = _untitled(part)
            above = title or above
            if table:
                groups.append((above, table))
                above = ""
    if len(groups) > 1 and _is_size(groups[0][1], groups[1][1]):
        groups = groups[1:]
    sizes = {len(table) for _, table in groups}
    is_of_more = any(len(_parts(cell.text)) == 3 for _, table in groups for cell in table[-1])
    are_named = sizes == {1} and all(title for title, _ in groups)
    if len(groups) == 2 and sizes == {1} and not are_named:
        _refuse_two_rows([table[0] for _, table in groups])
    # Of tables of unequal sizes is said where they are read.
    are_two = len(groups) == 2 and (1 not in sizes or are_named)
    if are_two or (len(sizes) == 1 and sizes != {1} and is_of_more):
        return [(title, _trimmed(table)) for title, table in groups]
    return [("", _trimmed([row for _, table in groups for row in table]))]


def _refuse_two_rows(rows: Sequence[_Row]) -> None:
    """Refuse two rows apart that may be those of one table, or a table of each player."""
    if all(_is_payoff(cell.text) and len(_parts(cell.text)) == 1 for row in rows for cell in row):
        raise _FaultError(
            rows[1][0],
            "a row after an empty line may be the second row of the table, or the other player's "
            "table",
            "leave out the empty line, or give both payoffs in each cell, such as (3, 3)",
        )


def _is_size(rows: list[_Row], table: list[_Row]) -> bool:
    """Whether a line above a table says how many rows and columns it has."""
    texts = [cell.text for cell in rows[0] if cell.text]
    size = [str(len(table)), str(max(map(len, table)))]
    return len(rows) == 1 and texts == size and len(table) > 1


def _parted(rows: list[_Row]) -> list[list[_Row]]:
    """The rows as they stand below lines that have only a name, and no mark."""
    parts: list[list[_Row]] = [[]]
    for row, after in zip_longest(rows, rows[1:]):
        is_name = len(row) == 1 and not _is_payoff(row[0].text)
        if is_name and parts[-1] and after is not None and len(after) > 1:
            parts.append([])
        parts[-1].append(row)
    return parts


def _untitled(rows: list[_Row]) -> tuple[str, list[_Row]]:
    """The last line on top that has only a name, and the rows below.

    Such is the name of a table, or of the player of the columns.
    """
    title = ""
    while rows:
        texts = [cell.text for cell in rows[0] if cell.text]
        is_alone = len(rows) == 1 and (len(rows[0]) > 1 or " " in texts[0] or texts[0][-1] in ":=")
        is_name = len(texts) == 1 and not _is_payoff(texts[0])
        is_above = len(rows) > 2 and (
            len(rows[1]) != 2
            or texts[0][-1] in ":="
            or (len(rows[0]) == 1 and all(_is_payoff(row[0].text) for row in rows[1:]))
        )
        if not is_name or not (is_alone or is_above):
            break
        title, rows = texts[0], rows[1:]
    return title, rows


def _trimmed(rows: list[_Row]) -> list[_Row]:
    """The rows without columns that are empty, or have only the name of the player of the rows."""
    width = max(map(len, rows), default=0)
    texts = [[row[k].text for row in rows if len(row) > k and row[k].text] for k in range(width)]
    filled = [k for k in range(width) if texts[k]]
    if not filled:
        return []
    first, last = min(filled), max(filled)
    is_name = len(rows) > 2 and len(texts[first]) == 1 and not _is_payoff(texts[first][0])
    if is_name and last - first > 1 and any(not _is_payoff(text) for text in texts[first + 1]):
        first += 1
    # A row that ends before the first column keeps a cell, at which it is said to be too short.
    return [row[first : last + 1] or row[-1:] for row in rows]


def _block(rows: list[_Row]) -> _Block:
    """Take labels and payoffs apart; raises _FaultError for rows of unequal length."""
    first, others = rows[0], rows[1:]
    is_short = bool(others) and all(len(row) == len(first) + 1 for row in others)
    has_corner = bool(others) and not is_short and len(first) > 1 and not first[0].text
    names = first if is_short else first[1:]
    corner_is_text = not is_short and len(first) > 1 and not _is_payoff(first[0].text)
    has_header = (
        is_short
        or has_corner
        or (bool(others) and any(not _is_payoff(cell.text) for cell in names))
        or (bool(others) and corner_is_text and any(_is_payoff(row[0].text) for row in others))
    )
    body = others if has_header else rows
    has_names = is_short or has_corner or any(not _is_payoff(row[0].text) for row in body)
    if has_header and corner_is_text and all(_is_payoff(cell.text) for cell in first[1:]):
        has_names = True
    row_labels = tuple(row[0] for row in body) if has_names else ()
    columns = first if not has_names or is_short else first[1:]
    column_labels = tuple(columns) if has_header else ()
    if not has_corner and not (row_labels and column_labels):
        _check_labels(row_labels or column_labels)
    elif corner_is_text:
        _check_labels([first[0], *row_labels, *column_labels])
    payoffs = [row[1:] if has_names else row for row in body]
    width = len(column_labels) if has_header else len(payoffs[0])
    for row, whole in zip(payoffs, body, strict=True):
        if len(row) != width or not row:
            raise _FaultError(
                whole[-1],
                f"this row has {counted(len(row), 'payoff')}; expected {max(width, 1)}, as in the "
                "first line",
                "give every row as many",
            )
    return _Block(payoffs, row_labels, column_labels)


def _check_labels(labels: Sequence[_Cell]) -> None:
    """Raise _FaultError for a payoff that is no number, with which others were taken for labels."""
    unread = [cell for cell in labels if _NO_NUMBER.fullmatch(cell.text)]
    if unread and all(cell in unread or _is_payoff(cell.text) for cell in labels):
        raise _FaultError(unread[0], f"{unread[0].text!r} is not a payoff", _PAYOFF_TEXT)


def _labels(block: _Block) -> tuple[tuple[str, ...], ...]:
    """The labels of rows and columns; numbers from 0 on where only the others have names."""
    size = len(block.rows), len(block.rows[0])
    labels = []
    for cells, count in zip((block.row_labels, block.column_labels), size, strict=True):
        seen: set[str] = set()
        for cell in cells:
            if not cell.text:
                raise _FaultError(cell, "this label is empty", "name the action")
            if cell.text in seen:
                raise _FaultError(
                    cell, f"the label {cell.text!r} stands here twice", "name each differently"
                )
            seen.add(cell.text)
        labels.append(
            tuple(unguard_cell(cell.text) for cell in cells) or tuple(map(str, range(count)))
        )
    return tuple(labels) if block.row_labels or block.column_labels else ()


def _check_alike(first: _Block, other: _Block) -> None:
    place = other.rows[0][0]
    if len(first.rows) != len(other.rows) or len(first.rows[0]) != len(other.rows[0]):
        raise _FaultError(
            place,
            f"this table has {len(other.rows)} rows and {len(other.rows[0])} columns, the one "
            f"above {len(first.rows)} and {len(first.rows[0])}",
            "give both players' payoffs for the same actions",
        )
    for mine, theirs in (
        (first.row_labels, other.row_labels),
        (first.column_labels, other.column_labels),
    ):
        if mine and theirs and [c.text for c in mine] != [c.text for c in theirs]:
            raise _FaultError(
                theirs[0],
                "the labels of this table differ from those of the one above",
                "give both players' payoffs for the same actions in the same order",
            )


def _payoffs(cells: Iterable[_Cell], mark: str, expected: int) -> dict[_Cell, tuple[float, ...]]:
    """The payoffs in each cell: one in all of them, or those of the players in all of them."""
    cells = list(cells)
    commas = [cell for cell in cells if _WITH_COMMA.fullmatch(cell.text)]
    if commas and all(cell in commas or _is_number(cell.text) for cell in cells):
        if _are_decimals(cells, commas, mark):
            return {cell: (_number(cell.text.replace(",", ".")),) for cell in cells}
    elif _are_slashed_pairs(cells):
        matches = {cell: _SLASHED.fullmatch(cell.text) for cell in cells}
        return {cell: tuple(map(_number, m.groups())) for cell, m in matches.items() if m}
    elif all(_is_number(cell.text) for cell in cells):
        return {cell: (_number(cell.text),) for cell in cells}
    _check_pairs(cells)
    payoffs = {}
    is_single = sum(_is_number(cell.text) for cell in cells) * 2 > len(cells)
    for cell in cells:
        parts = _parts(cell.text)
        if not cell.text:
            raise _FaultError(cell, "there is no payoff", "write 0 where nobody is paid")
        if not all(map(_is_number, parts)) or (is_single and len(parts) != 1):
            raise _FaultError(
                cell,
                f"{cell.text!r} is not a payoff",
                _PAYOFF_TEXT,
            )
        if not is_single and len(parts) != expected:
            raise _FaultError(
                cell,
                f"{cell.text!r} holds {counted(len(parts), 'payoff')}; expected those of "
                f"{expected} players",
                "a third player has a table for each action, with an empty line between them; "
                "games of any number of players have a line per joint action, with the columns "
                "plan 0, plan 1, ..., payoff 0, payoff 1, ...",
            )
        payoffs[cell] = tuple(map(_number, parts))
    return payoffs


def _check_pairs(cells: Sequence[_Cell]) -> None:
    """Raise _FaultError for 1,000 or 1,05 in quotes, which would be read as two payoffs."""
    grouped = [cell for cell in cells if _GROUPED.fullmatch(cell.text)]
    doubtful = [cell for cell in cells if _NO_PAIR.fullmatch(cell.text)]
    if len(grouped) == len(cells):
        doubtful = doubtful or grouped
    if doubtful:
        raise _FaultError(
            doubtful[0],
            f"{doubtful[0].text} may be a number with a comma or two payoffs",
            f"write numbers without marks between thousands, 1000; {_PAIRS_OR_DECIMALS}",
        )


def _are_slashed_pairs(cells: Sequence[_Cell]) -> bool:
    """Whether all cells are such as 3/0, of which some are no fraction in lowest terms."""
    matches = [_SLASHED.fullmatch(cell.text) for cell in cells]
    pairs = [match.groups() for match in matches if match is not None]
    if not pairs or len(pairs) < len(cells) or not all(_is_number(x) for p in pairs for x in p):
        return False
    return any(
        not above.lstrip("+-").isdigit()
        or not below.isdigit()
        or int(below) < 2
        or gcd(int(above), int(below)) > 1
        for above, below in pairs
    )


def _are_decimals(cells: list[_Cell], commas: list[_Cell], mark: str) -> bool:
    """Whether 1,5 means one and a half; _FaultError where it may as well mean 1 and 5."""
    if mark == ",":  # which stand in quotes
        return False
    parts = [(match["whole"], match["rest"]) for match in map(_match_comma, commas)]
    if len(commas) < len(cells):
        if all(_THOUSANDS.fullmatch(cell.text) for cell in commas):
            raise _FaultError(
                commas[0],
                f"{commas[0].text} may be a thousand or a decimal",
                "write numbers without commas, 1000 or 1.000",
            )
        return True
    if all(whole in ("", "0") for whole, _ in parts):
        return True
    if mark == ";" or (len({len(rest) for _, rest in parts}) == 1 and len(parts[0][1]) > 1):
        raise _FaultError(
            commas[0], f"{commas[0].text} may be two payoffs or a decimal", _PAIRS_OR_DECIMALS
        )
    return False


def _match_comma(cell: _Cell) -> re.Match[str]:
    match = _WITH_COMMA.fullmatch(cell.text)
    assert match is not None
    return match


def _parts(text: str) -> list[str]:
    """The payoffs in a cell as texts: `(3, 3)`, `3,3`, `3; 3`, `3 3`."""
    inner = text.strip()
    if inner[:1] in tuple(_OPENING) and inner[-1:] in tuple(_CLOSING):
        inner = inner[1:-1].strip()
    for mark in (";", "|", ","):
        if mark in inner:
            parts = [part.strip() for part in inner.split(mark)]
            return [part.replace(",", ".") for part in parts] if mark == ";" else parts
    return inner.split() or [""]


def _is_payoff(text: str) -> bool:
    if (slashed := _SLASHED.fullmatch(text)) is not None:
        return all(map(_is_number, slashed.groups()))
    if _UNITS.fullmatch(text) is not None:
        return _is_number(text)
    return bool(text) and all(map(_is_number, _parts(text)))


def _is_number(text: str) -> bool:
    if (match := _UNITS.fullmatch(text)) is not None:
        text = match["first"] or match["last"]
    return bool(_NUMBER.fullmatch(text) or _FRACTION.fullmatch(text))


def _number(text: str) -> float:
    """The value of a number as it is written, percent as shares; whole numbers stay so."""
    if (match := _UNITS.fullmatch(text)) is not None:
        if match["unit"] == "%":
            return float(Fraction(match["last"]) / 100)
        return _number((match["sign"] or "") + match["first"] if match["first"] else match["last"])
    if "/" in text:
        return float(Fraction(text))
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _is_strategy(block: _Block) -> bool:
    """Whether a table with names for rows and columns has rows of probabilities."""
    if not block.row_labels or not block.column_labels:
        return False
    sums = []
    for row in block.rows:
        if not all(_is_number(cell.text) for cell in row):
            return False
        values = [_number(cell.text) for cell in row]
        sums.append(sum(values) if min(values) >= 0 else -1.0)
    return all(abs(total - 1) <= _MOST_LABELS for total in sums)


def _is_long(names: Sequence[str]) -> bool:
    """Whether the columns are those of a table with a line per joint action."""
    payoffs = [name for name in names if _PAYOFF.search(name)]
    return len(payoffs) > 1 and len(names) == 2 * len(payoffs) and not any(map(_is_payoff, names))


def _read_long(rows: list[_Row]) -> PayoffTable:
    header, *lines = rows
    order = sorted(
        range(len(header)),
        key=lambda k: (_PAYOFF.search(header[k].text) is not None, _digits(header[k].text)),
    )
    players = len(header) // 2
    labels: list[dict[str, int]] = [{} for _ in range(players)]
    paid: dict[tuple[str, ...], tuple[float, ...]] = {}
    for row in lines:
        if len(row) != len(header):
            _fail_long(
                row[-1], f"this line has {counted(len(row), 'cell')}; expected {len(header)}"
            )
        cells = [row[k] for k in order]
        plans = tuple(unguard_cell(cell.text) for cell in cells[:players])
        for player, plan in enumerate(plans):
            labels[player].setdefault(plan, len(labels[player]))
        if plans in paid:
            _fail_long(cells[0], f"the actions {', '.join(plans)} stand here twice")
        for cell in cells[players:]:
            if not _is_number(cell.text):
                _fail_long(cell, f"{cell.text!r} is not a payoff")
        paid[plans] = tuple(_number(cell.text) for cell in cells[players:])
    for plans in product(*labels):
        if plans not in paid:
            _fail_long(rows[-1][0], f"the actions {', '.join(plans)} are missing")
    names = tuple(map(tuple, labels))
    tables = tuple(_table(names, (), player, paid) for player in range(players))
    return PayoffTable(tables, names)


def _table(
    names: Sequence[Sequence[str]],
    plans: tuple[str, ...],
    player: int,
    paid: dict[tuple[str, ...], tuple[float, ...]],
) -> Any:
    if len(plans) == len(names):
        return paid[plans][player]
    return tuple(_table(names, (*plans, name), player, paid) for name in names[len(plans)])


def _digits(name: str) -> int:
    return int("".join(letter for letter in name if letter in "0123456789") or 0)


def _fail_long(cell: _Cell, problem: str) -> NoReturn:
    raise _FaultError(
        cell, problem, "give one line for each joint action, with every player's payoff"
    )
