"""What every next card does at a node of a solution."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, cast

from equilibrist.web.errors import ConflictError
from equilibrist.web.solutions.documents import spot_of
from equilibrist.web.store.library import Library
from equilibrist.web.study.answers import RunoutReport

_PAUSE: Final = 0.001
"""Seconds between two cards, in which others may look at the solution."""


def runouts_document(
    library: Library, name: str, line: str, is_wanted: Callable[[], bool] = lambda: True
) -> RunoutReport:
    """The document of `equilibrist postflop report --json`.

    The solution is left to others after each card: they wait for one, not for all of them.

    Args:
        library: The library.
        name: The name of a solution.
        line: A line after which a card is dealt.
        is_wanted: Asked after each card: whether anybody still waits for the answer.

    Returns:
        The facts of the solution, the line, and `runouts`, a row for each card.

    Raises:
        LineSyntaxError: The line cannot be read or played.
        ConfigError: No card is dealt after it.
        ConflictError: Nobody waits for the answer.
    """
    from equilibrist.poker.postflop.files.runout_report import (
        distinct_runouts,
        plain,
        rows_of_runouts,
    )

    with library.opened(name) as result:
        solution = spot_of(name, result)
        coming = distinct_runouts(solution, line)
    rows = []
    while True:
        with library.opened(name):
            row = next(coming, None)
        if row is None:
            break
        rows.append(row)
        if not is_wanted():
            raise ConflictError("nobody waits for the answer", option="line", given=line)
        time.sleep(_PAUSE)
    with library.opened(name):
        runouts = [plain(row) for row in rows_of_runouts(solution, line, rows)]
    return report_document(library, name, line, runouts)


def report_document(library: Library, name: str, line: str, rows: list[Any]) -> RunoutReport:
    """The facts of the solution with the rows of a report on the cards after a line.

    Args:
        library: The library.
        name: The name of the solution.
        line: The line.
        rows: A row for each card, as plain values.
    """
    with library.opened(name) as result:
        document = {**spot_of(name, result).facts(), "line": line, "runouts": rows}
        return cast("RunoutReport", document)
