"""Whole hands of hold'em in a process of its own: charts, exact hands, buckets, blueprints."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.web.workers.order import SAVE, Events, SolveOrder, folder_of
from equilibrist.web.workers.solving import Commands, Reports, StoppedEarlyError, alone

if TYPE_CHECKING:
    from equilibrist.progress import Progress

_TOLD_TO_END: Final = ("callback", "interrupted")
"""What ends a run that has not come to its end."""
_CUT_SHORT: Final = (*_TOLD_TO_END, "seconds")
"""What ends a run whose time says nothing of others."""
_PARTS: Final = re.compile(r"([\d,]+) of ([\d,]+)", re.ASCII)
"""How far a stage is, as runs on the command line say it: `3 of 1,755 boards`."""
_EXACT: Final = "exact"
"""What ends a run that has no limits."""


def solve_hands(order: SolveOrder, events: Events) -> None:
    """Solve, save the solution, and send how the run ended.

    Args:
        order: The solve.
        events: Where progress is sent.

    Raises:
        CheckpointError: Another process runs the same job.
        EquilibristError: What the solve raises.
    """
    from equilibrist._jit.first_run import CompilingCount
    from equilibrist.progress import Callbacks, timed
    from equilibrist.web.holdem.kind import Working
    from equilibrist.web.holdem.kinds import hand_run

    assert order.keys is not None
    files = {name: Path(file) for name, file in (order.files or {}).items()}
    commands = Commands(SAVE if order.save_only else None)
    with alone(folder_of(order)):
        run = hand_run(order.kind, order.keys, order.options, files)
        checkpoint = Path(order.checkpoint)
        reports = HandReports(events, commands, has_begun=checkpoint.exists())
        callbacks = timed(Callbacks(reports.on_progress, reports.on_stage))
        is_new, begun = not checkpoint.exists(), time.perf_counter()
        compiled = CompilingCount(lambda _done, _of: None)
        try:
            solution = run.solve(
                Working(
                    callbacks,
                    checkpoint,
                    Path(order.solution),
                    order.spent,
                    tell=reports.tell,
                    is_told_to_end=lambda: commands.received is not None,
                )
            )
        except (StoppedEarlyError, KeyboardInterrupt):
            events.send(
                "end", command=commands.received, stopped_by=None, is_saved=False, note=None
            )
            return
        finally:
            compiled.stop()
        if is_new and not compiled.functions and solution.stopped_by not in _CUT_SHORT:
            run.note(reports.newest, time.perf_counter() - begun)
        reports.send_measure(solution)
        events.send("stage", text="saving")
        path = Path(order.solution)
        os.makedirs(path.parent, exist_ok=True)  # noqa: PTH103 - as the folder may have been removed
        solution.save(path)
        failure = getattr(solution, "failure", None)
        if failure is not None:  # its checkpoint could not be written; the solution is
            events.send("saved")
            raise failure
        is_told = solution.stopped_by in _TOLD_TO_END
        events.send(
            "end",
            command=commands.received if is_told else None,
            stopped_by=solution.stopped_by or _EXACT,
            is_saved=True,
            note=None,
        )


class HandReports(Reports):
    """What a run on whole hands sends of itself: its measurement may come when it has ended."""

    def on_stage(self, text: str) -> None:
        """Send what the run does; before there is anything to save, a run that is told to ends."""
        if self.commands.received is not None and not self.has_begun and self.newest is None:
            raise StoppedEarlyError
        match = _PARTS.search(text)
        done, total = (int(n.replace(",", "")) for n in match.groups()) if match else (None, None)
        self.send_stage(text, done, total)

    def tell(self, text: str, done: int | None, total: int | None) -> None:
        """Send what the run does, and how far that is; a run that is told to ends.

        Args:
            text: What it does.
            done: How many parts of that are done.
            total: Of how many, where that is known.
        """
        if self.commands.received is not None:
            raise StoppedEarlyError
        self.send_stage(text, done, total)

    def send_measure(self, solution: Any) -> None:
        """Send what was measured of a solution, where the run itself measured nothing.

        Args:
            solution: The solution.
        """
        from equilibrist.progress import Progress

        measure = getattr(solution, "nash_conv", None)
        newest: Progress | None = self.newest
        if measure is None or (newest is not None and newest.measure is not None):
            return
        iteration = solution.iterations
        if newest is None:
            newest = Progress(
                algorithm=solution.method,
                iteration=iteration,
                seconds=0.0,
                iterations_per_second=0.0,
            )
        found = {"measure": measure, "measure_name": "NashConv", "measured_at": iteration}
        self.send(replace(newest, **found))
