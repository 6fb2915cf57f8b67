"""The walk of a game before it is solved: who is told of it, and when it takes too long."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from equilibrist.errors import EquilibristError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.progress import Callbacks, walked_text
from equilibrist.solvers.run.stopping import allowed_overrun
from equilibrist.solving.config import SolveConfig


def walk_listener(config: SolveConfig, callbacks: Callbacks) -> Callable[[int], None] | None:
    """What a walk tells how far it is, and what ends it where the seconds of the run are over.

    Args:
        config: The options of the run: its seconds.
        callbacks: Who is told; their clock says whether the seconds count yet.

    Returns:
        The callback of the walk; None where there is nobody to tell, and nothing to end. It raises
        EquilibristError.
    """
    tell, clock, seconds = callbacks.on_walk, callbacks.clock, config.seconds
    if seconds is None or clock.counts_from is None:
        return tell
    began: float | None = None

    def told(histories: int) -> None:
        nonlocal began
        if tell is not None:
            tell(histories)
        now = perf_counter() - clock.paused
        if began is None:
            began = now  # kernels may have been compiled before, which ends no small game
        if now > began + seconds + allowed_overrun(seconds):
            raise EquilibristError(
                f"the {seconds_text(seconds)} of the run were over after {walked_text(histories)}: "
                "the tree was not built, and nothing was solved",
                option="seconds",
                given=seconds,
                remedy="give it more time, or take a smaller game",
            )

    return told
