"""The live line of a solve, on standard error: a spinner on terminals, sparse lines elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from equilibrist.cli.output import note
from equilibrist.cli.quantities import measure_text, seconds_text, value_text

if TYPE_CHECKING:
    from equilibrist.solving import Progress

_FIRST_LINE = 2.0
_LONGEST_GAP = 60.0
"""Seconds between lines where there is no terminal: 2 at first, then twice as many, at most 60."""


class LiveLine:
    """Shows what a solve is doing; a context manager. With `quiet` it shows nothing."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet or sys.stderr is None
        self._status: Any = None
        self._next_line = monotonic() + _FIRST_LINE
        self._gap = _FIRST_LINE
        self._stage = ""

    def __enter__(self) -> Self:
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.status import Status

            self._status = Status("", console=Console(stderr=True, highlight=False))
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            note("interrupted before there was anything to show")

    def stage(self, text: str, *, aloud: bool = True) -> None:
        """Say what is going on now; unless `aloud`, not where every line stays to be seen."""
        self._stage = text
        if self._status is not None:
            self._update(text)
        elif aloud and not self.quiet:
            note(text)

    def walked(self, histories: int) -> None:
        """Say how many histories the walk has seen so far."""
        self._say(f"{self._stage}: {histories:,} histories")

    def progress(self, progress: Progress) -> None:
        """Show where the iterations stand."""
        if self._status is not None or monotonic() >= self._next_line:
            self._say(progress_text(progress))

    def _say(self, text: str) -> None:
        if self._status is not None:
            self._update(text)
        elif not self.quiet and monotonic() >= self._next_line:
            note(text)
            self._gap = min(2 * self._gap, _LONGEST_GAP)
            self._next_line = monotonic() + self._gap

    def _update(self, text: str) -> None:
        from rich.text import Text

        self._status.update(Text(text, no_wrap=True, overflow="ellipsis"))


def progress_text(progress: Progress) -> str:
    """One line: iteration, the measure and which it is, values, speed, time to go."""
    evaluation = progress.evaluation
    parts = [
        f"iteration {progress.iteration:,}",
        f"{evaluation.measure_name} {measure_text(evaluation.measure)}"
        + (f" (target {measure_text(progress.target)})" if progress.target is not None else ""),
        "values " + " ".join(value_text(v) for v in evaluation.values),
        f"{progress.iterations_per_second:,.0f} it/s",
    ]
    if progress.eta_seconds is not None:
        parts.append(f"ETA {seconds_text(progress.eta_seconds)}")
    return "  ".join(parts)
