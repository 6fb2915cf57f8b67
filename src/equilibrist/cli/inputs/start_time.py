"""When the command started, from which `--time` counts, and what its stages took."""

from __future__ import annotations

import time
from collections.abc import Mapping

from equilibrist.formatting.amounts import seconds_text

STARTED = time.perf_counter() - time.process_time()
"""In seconds of `time.perf_counter`: the process has hardly waited for anything so far."""


def note_overrun(seconds: float | None, iterations: int) -> None:
    """Say why a run ended long after `--time`; for when it has just ended.

    Args:
        seconds: The limit of the run; None for no limit.
        iterations: How many iterations the run has.
    """
    from equilibrist.cli.text.output import note
    from equilibrist.solvers.run.stopping import allowed_overrun

    if seconds is None:
        return
    over = time.perf_counter() - STARTED - seconds
    if over <= allowed_overrun(seconds):
        return
    if iterations == 0:
        last = "the first iteration, which takes longer, was left unfinished,"
    elif iterations == 1:
        last = "one iteration is made"
    else:
        last = "an iteration that has begun is finished"
    note(
        f"--time {seconds_text(seconds)} was over {seconds_text(over)} before the run ended: the "
        f"game is prepared, {last} and the result is measured in any case"
    )


def stages_text(stages: Mapping[str, float]) -> str:
    """The seconds of a run and of its stages, which add up to them.

    Args:
        stages: Seconds by stage, such as `Result.stages`.
    """
    parts = ", ".join(f"{name} {seconds_text(spent)}" for name, spent in stages.items())
    return f"{seconds_text(sum(stages.values()))} since the command started: {parts}"
