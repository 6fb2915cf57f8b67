"""Reports of batches: a row for each board, as `equilibrist postflop batch` writes them."""

from __future__ import annotations

import csv
import io
import os
import shutil
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.poker.postflop.files.batch import ALL_BOARDS
from equilibrist.poker.postflop.files.batch_folder import (
    SOLUTION_SUFFIX,
    is_batch,
    is_examination,
)
from equilibrist.storage.atomic import failures
from equilibrist.web.errors import ConflictError, NotFoundError, TooLargeError
from equilibrist.web.jobs.job import ACTIVE
from equilibrist.web.jobs.manager import REPORT
from equilibrist.web.reports.answers import BatchReport, ReportRun, ReportTable
from equilibrist.web.services import Services
from equilibrist.web.store.folders import existing_path, fitting_name, shown_name

Document = dict[str, Any]
_TEXTS: Final = ("board", "line", "acts")
_LARGEST: Final = 20_000_000
_MOST_LISTED: Final = 500


def reports(services: Services) -> list[BatchReport]:
    """The batches of the data folder by name; `is_done` says whether the report is there.

    Examinations keep their boards likewise; they are no batches.

    Args:
        services: The services of the server.
    """
    folder = services.folders.batches
    runs: dict[str, ReportRun] = {
        job.report: {"job": job.id, "state": job.state} for job in services.jobs.all() if job.report
    }
    found = (path.parent for path in folder.glob("*/batch.json") if path.is_file())
    batches = [batch for batch in found if not batch.is_symlink() and not is_examination(batch)]
    return [
        {
            "name": shown_name(batch.name),
            "is_done": (batch / REPORT).is_file(),
            "run": runs.get(batch.name),
        }
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
        "kept": sorted(file.stem for file in path.parent.glob(f"*{SOLUTION_SUFFIX}")),
        "columns": columns,
        "rows": [row for row in rows if row[board] != ALL_BOARDS],
        "together": [row for row in rows if row[board] == ALL_BOARDS],
    }


def open_board(services: Services, name: str, board: str) -> str:
    """Put the solution of a board that a batch keeps into the library, unless it is there.

    Args:
        services: The services of the server.
        name: The name of the batch.
        board: The board, its cards in any order.

    Returns:
        The name of the solution.

    Raises:
        NotFoundError: There is no such batch.
        FileFormatError: The batch keeps no solutions.
        ConfigError: It keeps none of this board.
        OutputError: The library cannot be written.
    """
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards

    folder = existing_path(services.folders.batches, name)
    if not folder.is_dir():
        raise NotFoundError(f"there is no report {name!r}", option="name", given=name)
    file = KeptBoards.open(folder).file(board)
    library = services.library
    stem = fitting_name(f"{name}-{file.stem}", "solution")
    path = library.new_path(stem)
    with failures(path):
        if path.is_file() and _state(path) == _state(file):
            return stem
    called = library.free_name(stem, services.jobs.solutions())
    path = library.new_path(called)
    with failures(path):
        try:
            os.link(file, path)  # neither changes: solutions are replaced as a whole
        except OSError:  # a disk without links
            shutil.copy2(file, path)
    return called


def delete_report(services: Services, name: str) -> None:
    """Remove a batch with its boards; solutions of its boards that are in the library stay.

    Args:
        services: The services of the server.
        name: The name of the batch.

    Raises:
        NotFoundError: There is no such batch.
        ConflictError: A run is making it.
        OutputError: It cannot be removed.
    """
    folder = existing_path(services.folders.batches, name)
    if not is_batch(folder):
        raise NotFoundError(f"there is no report {name!r}", option="name", given=name)
    for job in services.jobs.all():
        if job.report == folder.name and job.state in ACTIVE:
            raise ConflictError(
                f"the run {job.id} is making this report",
                option="name",
                given=name,
                remedy="stop the run first",
            )
    with failures(folder):
        shutil.rmtree(folder)


def _state(file: Path) -> tuple[int, int]:
    """What a link and a copy of a file have as it has."""
    status = file.stat()
    return status.st_size, status.st_mtime_ns


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
