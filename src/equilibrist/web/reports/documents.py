"""Reports of batches: a row for each board, as `equilibrist postflop batch` writes them."""

from __future__ import annotations

import csv
import io
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from equilibrist.errors import FileFormatError
from equilibrist.poker.postflop.files.batch import ALL_BOARDS
from equilibrist.poker.postflop.files.batch_folder import (
    SOLUTION_SUFFIX,
    BatchFolder,
    BatchPlan,
    is_batch,
    is_examination,
)
from equilibrist.poker.postflop.spot.fields import SPOT_OPTIONS
from equilibrist.storage.atomic import failures
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.api.orders import Value
from equilibrist.web.errors import ConflictError, NotFoundError, TooLargeError
from equilibrist.web.hands.documents import HandInput, hand_job, spot_text
from equilibrist.web.holdem.flops import FlopsRun
from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.jobs.manager import REPORT
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.reports.answers import BatchReport, ReportRun, ReportTable
from equilibrist.web.services import Services
from equilibrist.web.setup.sources import plan_of
from equilibrist.web.solutions.listing import title_of
from equilibrist.web.store.folders import existing_path, fitting_name, shown_name
from equilibrist.web.store.titles import title_facts

Document = dict[str, Any]
_TEXTS: Final = ("board", "line", "acts")
_LARGEST: Final = 20_000_000
_MOST_LISTED: Final = 500
Status = Literal["done", "own", "elsewhere", "resumable", "unknown"]
_AGAIN: Final = "resume it where it was begun: the same command, with --resume"
_REFUSED: Final[Mapping[Status, tuple[str, str]]] = {
    "done": ("the report is done already", "open it"),
    "own": ("a run of this server makes the report", "resume that run"),
    "elsewhere": (
        "another program is solving the boards of this report",
        "wait for it, or end it there with Ctrl-C",
    ),
    "unknown": ("the folder does not say which boards the report is to have", _AGAIN),
}
"""Why a batch is not resumed, or deleted, and what to do."""


def reports(services: Services, of: str | None = None) -> list[BatchReport]:
    """The batches of the data folder by name; `is_done` says whether the report is there.

    Examinations keep their boards likewise; they are no batches.

    Args:
        services: The services of the server.
        of: A spot, as `HandInput` names one; None for none.

    Raises:
        EquilibristError: There is no such spot.
    """
    folder = services.folders.batches
    runs: dict[str, ReportRun] = {
        job.report: {"job": job.id, "state": job.state}
        for job in reversed(services.jobs.all())  # the newest counts
        if job.report
    }
    wanted = None if of is None else _settings_of(services, of)
    found = (path.parent for path in folder.glob("*/batch.json") if path.is_file())
    batches = [batch for batch in found if not batch.is_symlink() and not is_examination(batch)]
    return [
        _batch_document(batch, runs.get(batch.name), wanted)
        for batch in sorted(batches)[:_MOST_LISTED]
    ]


def _settings_of(services: Services, of: str) -> Document:
    """What batches of a spot say of it."""
    from equilibrist.poker.postflop.files.batch import spot_settings
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    load_engine()
    return spot_settings(spot_from_text(spot_text(services, of)))


def _batch_document(batch: Path, run: ReportRun | None, wanted: Document | None) -> BatchReport:
    try:
        place = BatchFolder.found(batch)
    except FileFormatError:  # listed all the same, so that it can be deleted
        place = BatchFolder(batch, {})
    plan, is_done = place.plan, (batch / REPORT).is_file()
    own = {name: value for name, value in place.settings.items() if name in SPOT_OPTIONS}
    facts = None if plan is None else {**title_facts(SPOT_SOLUTION, plan.spot), "board": None}
    return {
        "name": shown_name(batch.name),
        "is_done": is_done,
        "run": run,
        "boards": None if plan is None else len(plan.boards),
        "finished": place.num_finished,
        "status": _status(place, run, is_done=is_done),
        "title": None if facts is None else title_of("flops", batch.name, facts),
        "is_of": wanted is not None and own == wanted,
    }


def _status(place: BatchFolder, run: ReportRun | None, *, is_done: bool) -> Status:
    """What can be done with a batch."""
    if is_done:
        return "done"
    if run is not None and run["state"] != "done":
        return "own"
    if place.is_held:
        return "elsewhere"
    return "unknown" if place.plan is None else "resumable"


def resumed_report(services: Services, name: str) -> Job:
    """Make the job that goes on with a batch which was begun elsewhere.

    Takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        name: The name of the batch.

    Returns:
        The job, which is not queued yet.

    Raises:
        NotFoundError: There is no such batch.
        ConflictError: It is done, has a run, or another program solves it; or it does not say its
            boards.
        EquilibristError: What a new run on its spot raises.
    """
    folder = existing_path(services.folders.batches, name)
    if not is_batch(folder) or is_examination(folder):
        raise NotFoundError(f"there is no report {name!r}", option="name", given=name)
    place = BatchFolder.found(folder)
    runs = (job for job in services.jobs.all() if job.report == folder.name)
    run = next((job for job in runs if job.state != "done"), None)
    document: ReportRun | None = None if run is None else {"job": run.id, "state": run.state}
    status = _status(place, document, is_done=(folder / REPORT).is_file())
    if status != "resumable" or place.plan is None:
        sentence, remedy = _REFUSED[status]
        raise ConflictError(sentence, option="name", given=name, remedy=remedy)
    job = hand_job(services, *_asked(place, place.plan))
    job.report = folder.name
    return job


def queue_resumed(services: Services, job: Job) -> Job:
    """Queue a job that goes on with a batch, unless another request has done so meanwhile.

    Args:
        services: The services of the server.
        job: That of `resumed_report`.

    Returns:
        The job.

    Raises:
        ConflictError: The batch has a run.
        LimitError: The queue is full.
    """
    if any(one.report == job.report and one.state != "done" for one in services.jobs.all()):
        sentence, remedy = _REFUSED["own"]
        raise ConflictError(sentence, option="name", given=job.report, remedy=remedy)
    return services.jobs.add(job, job.game)


def _asked(place: BatchFolder, plan: BatchPlan) -> tuple[HandInput, dict[str, Value | None]]:
    """What a request says for a batch: its spot and boards, and how they are solved."""
    if "" not in plan.lines:
        raise ConflictError(
            "the batch leaves out the root, which reports of the browser have",
            option="lines",
            given=list(plan.lines),
            remedy=_AGAIN,
        )
    texts = {
        "spot": plan.spot,
        "boards": ",".join(f"{board}:{weight!r}" for board, weight in plan.boards),
        "lines": ",".join(filter(None, plan.lines)),
        "hands": ",".join(plan.hands),
        "keep": place.keep or "",
    }
    named = {"algorithm": "variant"}  # as the settings of folders call it
    settings = place.settings
    options = {
        name: settings[named.get(name, name)]
        for name in FlopsRun.OPTIONS
        if named.get(name, name) in settings
    }
    keys: dict[str, Value | None] = {name: text for name, text in texts.items() if text}
    return HandInput(kind="flops", keys=keys), options


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
        "has_spot": plan_of(path.parent) is not None,
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
        ConflictError: A run is making it, or another program.
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
    if BatchFolder(folder, {}).is_held:
        sentence, remedy = _REFUSED["elsewhere"]
        raise ConflictError(sentence, option="name", given=name, remedy=remedy)
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
