"""When the command started, from which `--time` counts, and what its stages took."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from equilibrist.cli.text.quantities import seconds_text

STARTED: Final = time.perf_counter() - time.process_time()
"""In seconds of `time.perf_counter`: the process has hardly waited for anything so far."""


def stages_text(stages: Mapping[str, float]) -> str:
    """The seconds of a run and of its stages, which add up to them.

    Args:
        stages: Seconds by stage, such as `Result.stages`.
    """
    parts = ", ".join(f"{name} {seconds_text(spent)}" for name, spent in stages.items())
    return f"{seconds_text(sum(stages.values()))} since the command started: {parts}"
