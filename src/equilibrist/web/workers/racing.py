"""A race in a process of its own: the command line's `compare`, which says how far it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from equilibrist.web.workers.order import SolveOrder, Voice, folder_of
from equilibrist.web.workers.solving import Ear, StoppedEarlyError, alone, progress_facts

if TYPE_CHECKING:
    from equilibrist.progress import Callbacks, Progress
    from equilibrist.results.comparison import Comparison

_EVERY = 0.2
"""Seconds between two reports without a new measurement."""


def race(order: SolveOrder, voice: Voice) -> None:
    """Run the entries, and say how each is doing and how it ended.

    When told to stop it ends the runs at hand; those that have not begun are not run.

    Args:
        order: The race.
        voice: Where it is said.

    Raises:
        EquilibristError: What `compare` raises.
    """
    from equilibrist.cli.inputs.parameters import read_all
    from equilibrist.options.compare_options import COMPARE_RUNS
    from equilibrist.options.solve_options import SOLVE_OPTIONS
    from equilibrist.solving.comparison import compare as compare_algorithms

    ear = Ear()
    options = {**SOLVE_OPTIONS, **COMPARE_RUNS}
    given: dict[str, Any] = {name: order.options.get(name) for name in options}
    for name, text in order.options.items():
        if options[name].kind == "switch":
            given[name] = text == "true"
    values = {n: v for n, v in read_all(options, given).items() if n in order.options}
    with alone(folder_of(order)):
        try:
            found = compare_algorithms(
                order.game,
                list(order.algorithms),
                **values,
                callbacks=_callbacks(voice, ear),
                progress=False,
            )
        except StoppedEarlyError:
            voice.say("end", heard=ear.heard, stopped_by=None, is_saved=False, note=None)
            return
    voice.say(
        "end",
        heard=ear.heard,
        stopped_by=None,
        is_saved=False,
        note=None,
        comparison=_document(found),
    )


def _document(found: Comparison) -> dict[str, Any]:
    """The document of the race without the traces, which have been told before."""
    document = found.to_dict()
    for run in document["algorithms"]:
        del run["trace"]
    finite: dict[str, Any] = _finite(document)
    return finite


def _finite(value: Any) -> Any:
    """The same with null for infinities, which JSON does not know."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, float) and value - value != 0.0:
        return None
    return value


def _callbacks(voice: Voice, ear: Ear) -> Callbacks:
    from equilibrist.progress import Callbacks

    began = time.monotonic()
    told_at = 0.0
    told: dict[tuple[str, int | None], int | None] = {}

    def on_progress(progress: Progress) -> bool:
        nonlocal told_at
        now, stops = time.monotonic(), ear.heard is not None
        name = progress.algorithm, progress.run
        if told.get(name, -1) != progress.measured_at or stops or now - told_at >= _EVERY:
            told_at, told[name] = now, progress.measured_at
            facts = progress_facts(progress)
            voice.say("progress", **facts, run=progress.run, elapsed=now - began)
        return not stops

    def on_stage(text: str) -> None:
        if ear.heard is not None:  # between two runs
            raise StoppedEarlyError
        voice.say("stage", text=text)

    def on_walk(_histories: int) -> None:
        if ear.heard is not None:
            raise StoppedEarlyError

    return Callbacks(on_progress, on_stage, on_walk)
