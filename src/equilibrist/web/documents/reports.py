"""Reports of batches: a row for each board, as `equilibrist postflop batch` writes them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.poker.postflop.files.batch import ALL_BOARDS
from equilibrist.poker.postflop.files.batch_folder import is_examination
from equilibrist.web.answers.holdem import BatchReport, ReportTable
from equilibrist.web.errors import NotFoundError, TooLargeError
from equilibrist.web.jobs.manager import REPORT
from equilibrist.web.store.folders import existing_path, shown_name

Document = dict[str, Any]
_TEXTS: Final = ("board", "line", "acts")
_LARGEST: Final = 20_000_000
_MOST_LISTED: Final = 500


def reports(folder: Path) -> list[BatchReport]:
    """The batches of a folder by name; `is_done` says whether the report is there.

    Examinations keep their boards likewise; they are no batches.
    """
    found = (path.parent for path in folder.glob("*/batch.json") if path.is_file())
    batches = [batch for batch in found if not batch.is_symlink() and not is_examination(batch)]
    return [
        {"name": shown_name(batch.name), "is_done": (batch / REPORT).is_file()}
        for batch in sorted(batches)[:_MOST_LISTED]
    ]


def report(folder: Path, name: str) -> ReportTable:
    """The rows of a batch, without the row of all boards, which is `together`.

    Args:
        folder: Where batches lie.
        name: The name of one.

    Returns:
        `columns`, `rows`, a list for each, and `together`, a list by line. Numbers are those of
        the file, None where it is empty.

    Raises:
        NotFoundError: There is no such batch, or it has no report yet.
        TooLargeError: The report is too large to be shown.
        FileFormatError: It is none.
    """
    path = existing_path(folder, name) / REPORT
    if not path.is_file():
        raise NotFoundError(
            f"there is no report {name!r}",
            option="name",
            given=name,
            remedy="a batch writes it when all its boards are solved",
        )
    if path.stat().st_size > _LARGEST:
        raise TooLargeError(
            f"the report has more than {_LARGEST:,} bytes", option="name", expected=_LARGEST
        )
    columns, rows = read_report(path.read_text(encoding="utf-8", errors="replace"), name)
    board = columns.index("board")
    return {
        "name": name,
        "columns": columns,
        "rows": [row for row in rows if row[board] != ALL_BOARDS],
        "together": [row for row in rows if row[board] == ALL_BOARDS],
    }


def read_report(text: str, name: str) -> tuple[list[str], list[list[Any]]]:
    """Read a report.csv.

    Args:
        text: Its content.
        name: The name of the batch, for the error.

    Returns:
        The columns, and the rows: numbers, texts, and None where the file is empty.

    Raises:
        FileFormatError: It is not the report of a batch.
    """
    lines = csv.reader(io.StringIO(text))
    try:
        columns = next(lines, [])
        if not {"board", "line", "frequency", "pot"} <= set(columns):
            raise ValueError("columns are missing")
        is_text = [column in _TEXTS for column in columns]
        rows = []
        for line in lines:
            if len(line) != len(columns):
                raise ValueError(f"line {lines.line_num} has {len(line)} of {len(columns)} columns")
            cells = zip(line, is_text, strict=True)
            rows.append([cell if text else float(cell) if cell else None for cell, text in cells])
    except (ValueError, csv.Error) as error:
        raise FileFormatError(
            f"{name} is not a report of a batch: {error}",
            name,
            option="file",
            given=name,
            remedy="a batch writes report.csv into its folder",
        ) from None
    return columns, rows
