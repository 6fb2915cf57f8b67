"""A race in a process of its own: `equilibrist compare`, with its progress sent to the server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from equilibrist.web.workers.order import Events, SolveOrder, folder_of
from equilibrist.web.workers.solving import (
    Commands,
    StoppedEarlyError,
    alone,
    problem_of,
    progress_facts,
)

if TYPE_CHECKING:
    from equilibrist.progress import Callbacks, Progress
    from equilibrist.results.comparison import Comparison

_EVERY = 0.2
"""Seconds between two reports without a new measurement."""


def race(order: SolveOrder, events: Events) -> None:
    """Run the entries, and send their progress and how the race ended.

    When told to stop it ends the runs at hand; those that have not begun are not run.

    Args:
        order: The race.
        events: Where its progress is sent.

    Raises:
        EquilibristError: What `compare` raises.
    """
    from equilibrist.options.reading import read_texts
    from equilibrist.options.solve_options import COMPARE_RUNS, SOLVE_OPTIONS
    from equilibrist.solving.comparison import run_comparison

    commands = Commands()
    values = read_texts({**SOLVE_OPTIONS, **COMPARE_RUNS}, order.options)
    runs = {name: values[name] for name in COMPARE_RUNS if name in values}
    with alone(folder_of(order)):
        try:
            comparison = run_comparison(
                problem_of(order),
                list(order.algorithms),
                values,
                **runs,
                callbacks=_callbacks(events, commands),
            )
        except StoppedEarlyError:
            events.send(
                "end", command=commands.received, stopped_by=None, is_saved=False, note=None
            )
            return
    events.send(
        "end",
        command=commands.received,
        stopped_by=None,
        is_saved=False,
        note=None,
        comparison=_document(comparison),
    )


def _document(comparison: Comparison) -> dict[str, Any]:
    """The document of the race without the traces, which have been told before."""
    document = comparison.to_dict()
    for run in document["algorithms"]:
        del run["trace"]
    finite: dict[str, Any] = _finite(document)
    return finite


def _finite(value: Any) -> Any:
    """Replace infinities by null in plain values, as JSON has none."""
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    if isinstance(value, float) and value - value != 0.0:
        return None
    return value


def _callbacks(events: Events, commands: Commands) -> Callbacks:
    from equilibrist.progress import Callbacks

    began = time.monotonic()
    told_at = 0.0
    reported: dict[tuple[str, int | None], int | None] = {}

    def on_progress(progress: Progress) -> bool:
        nonlocal told_at
        now, stops = time.monotonic(), commands.received is not None
        name = progress.algorithm, progress.run
        if reported.get(name, -1) != progress.measured_at or stops or now - told_at >= _EVERY:
            told_at, reported[name] = now, progress.measured_at
            facts = progress_facts(progress)
            events.send("progress", **facts, run=progress.run, elapsed=now - began)
        return not stops

    def on_stage(text: str) -> None:
        if commands.received is not None:  # between two runs
            raise StoppedEarlyError
        events.send("stage", text=text)

    def on_walk(_histories: int) -> None:
        if commands.received is not None:
            raise StoppedEarlyError

    return Callbacks(on_progress, on_stage, on_walk)
