"""The live line of a solve, on standard error: a spinner on terminals, sparse lines elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, cast

from equilibrist._jit.first_run import CompilingCount, CompilingText, functions_text
from equilibrist.cli.text.output import is_quiet, note
from equilibrist.formatting.amounts import (
    bytes_text,
    measure_text,
    seconds_text,
    speed_text,
    value_text,
)
from equilibrist.progress import walked_text

if TYPE_CHECKING:
    from equilibrist.evaluation import Evaluation
    from equilibrist.progress import Progress
    from equilibrist.tree.payoff_scale import PayoffUnits

_FIRST_LINE = 1.5
_LONGEST_GAP = 60.0
"""Seconds to the first line and between lines where there is no terminal: the gap doubles."""

_BESIDE = 3
"""Columns that the text leaves free: the spinner, the space after it, and the last one."""


_THREADS: Final = Path("/proc/self/task")
"""Where Linux has a folder for each thread of this process."""
_BUSY_FOR = 5.0
_BUSY: Final = 1.5
"""Seconds after which a run says that the processors are busy, and how slow it must be by that."""

_FAR_AFTER = 10.0
_FAR: Final = 86_400.0
"""Seconds after which a run says that its target is far, and how many it must be away."""


class ProcessorWait:
    """How long this process waits for processors that others use, from now on.

    Its threads may be the others, if there are more of them than processors.
    """

    def __init__(self) -> None:
        self._before = _run_and_waited()
        self._began = 0.0 if self._before is None else monotonic()

    @property
    def is_known(self) -> bool:
        """Whether this machine counts it."""
        return self._before is not None

    def slowdown(self, after: float) -> float | None:
        """How many times as long everything takes because of it.

        Args:
            after: Seconds that must have passed for it to be known.

        Returns:
            1 or more; None where it is not known, as elsewhere than on Linux.
        """
        if self._before is None or monotonic() - self._began < max(after, 0.1):
            return None
        now = _run_and_waited()
        if now is None:
            return None
        ran, waited = (max(0, new - old) for new, old in zip(now, self._before, strict=True))
        return (ran + waited) / ran if ran else None

    def text(self, after: float, what: str = "this") -> str | None:
        """What is said where the processors are busy; None where they are not.

        Args:
            after: As for `slowdown`.
            what: What takes longer.
        """
        slowdown = self.slowdown(after)
        if slowdown is None or slowdown < _BUSY:
            return None
        return f"the processors are busy, which makes {what} about {slowdown:.2g} times as long"


def _run_and_waited() -> tuple[int, int] | None:
    """Nanoseconds for which all threads ran, and for which they waited to; None where not known."""
    ran = waited = 0
    try:
        for times in _THREADS.glob("*/schedstat"):
            with suppress(FileNotFoundError, ProcessLookupError):  # of a thread that ended
                run, wait, _ = times.read_text("ascii").split()
                ran, waited = ran + int(run), waited + int(wait)
    except (OSError, ValueError):
        return None
    return (ran, waited) if ran else None


class LiveLine:
    """Shows what a solve is doing; a context manager. With `quiet` it shows nothing."""

    def __init__(
        self,
        *,
        quiet: bool = False,
        interrupted: str = "interrupted before there was anything to show",
    ) -> None:
        """`interrupted` is what an interrupt is answered with; empty for nothing."""
        self.quiet = quiet or is_quiet() or sys.stderr is None
        self._status: Any = None
        self._next_line = monotonic() + _FIRST_LINE
        self._gap = _FIRST_LINE
        self._stage = ""
        self._interrupted = interrupted
        self._compiling: CompilingCount | None = None
        self._counting: threading.Event | None = None
        self._wait: ProcessorWait | None = None
        self._next_look = 0.0
        self._said_far = False

    def __enter__(self) -> Self:
        if not self.quiet and (wait := ProcessorWait()).is_known:
            self._wait = wait
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
        self._count_compiling(None)
        self._stop_seconds()
        if self._status is not None:
            self._status.stop()
            self._status = None
        if kind is KeyboardInterrupt and error is not None:  # not at the end of `--time`
            note_interrupt(error, self._interrupted)

    def count_seconds(self, text: str) -> None:
        """Say what is going on, and every second how long it has lasted, until the line ends.

        For computations that report nothing, or seldom; `now` changes what.
        """
        self._stage, begun = text, monotonic()
        self._counting = threading.Event()

        def count(over: threading.Event) -> None:
            while not over.wait(1.0):
                lasted = seconds_text(round(monotonic() - begun))
                self._say([f"{self._stage}: {lasted}", lasted])

        threading.Thread(target=count, args=(self._counting,), daemon=True).start()

    def now(self, text: str) -> None:
        """Say what is going on from now on, in what counts seconds."""
        self._stage = text

    def _stop_seconds(self) -> None:
        if self._counting is not None:
            self._counting.set()
            self._counting = None

    def stage(self, text: str, *, aloud: bool = True) -> None:
        """Say what is going on now; unless `aloud`, not where every line stays to be seen.

        While kernels are compiled, it says how many of their functions are. How far a stage is, as
        in `preparing the boards: 3 of 9`, is said now and then.
        """
        if text.startswith(f"{self._stage}: "):
            self.tell([text])
            return
        self._stage = text
        self._count_compiling(text)
        if self._status is not None:
            self._update(text)
        elif aloud and not self.quiet:
            note(text)

    def _count_compiling(self, text: str | None) -> None:
        """Count what is compiled in a stage that says so, until the next."""
        if self._compiling is not None:
            self._compiling.stop()
            self._compiling = None
        if isinstance(text, CompilingText) and not self.quiet:
            self._compiling = CompilingCount(self._compiled, text.functions)

    def _compiled(self, functions: int, of: int | None) -> None:
        count = functions_text(functions, of)
        self._say([f"{self._stage}: {count}", f"compiling: {count}", count])

    def walked(self, histories: int) -> None:
        """Say how many histories the walk has seen so far, and of how many by an estimate."""
        count = walked_text(histories)
        self._say([self._stage + ": " + count, count])

    def progress(self, progress: Progress, texts: Sequence[str] | None = None) -> None:
        """Show where the iterations stand.

        Args:
            progress: What the run reports.
            texts: What is shown, as for `tell`; by default what is shown of games.
        """
        self._tell_far(progress)
        self.tell(progress_texts(progress) if texts is None else texts)

    def tell(self, texts: Sequence[str]) -> None:
        """Show the first of `texts`, which grow shorter, that fits."""
        if self._status is not None or monotonic() >= self._next_line:
            self._tell_busy()
            self._say(texts)

    def _say(self, texts: Sequence[str]) -> None:
        """Show the first of `texts`, which grow shorter, that fits; in a pipe the first of all."""
        if self._status is not None:
            self._update(*texts)
        elif not self.quiet and monotonic() >= self._next_line:
            note(texts[0])
            self._gap = min(2 * self._gap, _LONGEST_GAP)
            self._next_line = monotonic() + self._gap

    def _tell_busy(self) -> None:
        """Say once that other programs slow this one down."""
        if self._wait is None or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + 1.0
        if (text := self._wait.text(_BUSY_FOR)) is None:
            return
        self._wait = None
        if self._status is not None:
            self._status.console.print(text)
        else:
            note(text)

    def _tell_far(self, progress: Progress) -> None:
        """Say once that a target is days away: a run with no other limit does not end before."""
        eta = progress.eta_seconds
        if self._said_far or progress.target is None or eta is None or eta < _FAR:
            return
        if self.quiet or progress.seconds < _FAR_AFTER:
            return
        self._said_far = True
        text = (
            f"at this rate the target takes {seconds_text(eta)}; Ctrl-C ends with what is found so "
            "far"
        )
        if self._status is not None:
            self._status.console.print(text)
        else:
            note(text)

    def _update(self, *texts: str) -> None:
        from rich.text import Text

        # Rich wraps what is too long, whatever the text says about wrapping.
        self._status.update(Text(fitting(texts, self._status.console.width - _BESIDE)))


def note_interrupt(error: BaseException, text: str) -> None:
    """Answer an interrupt with a note, once; nothing is said for an empty text."""
    if text and not getattr(error, "is_answered", False):
        note(text)
        error.is_answered = True  # type: ignore[attr-defined]


def fitting(texts: Sequence[str], width: int) -> str:
    """The first of `texts` that has at most `width` characters, else the last one, cut."""
    for text in texts:
        if len(text) <= width:
            return text
    return texts[-1][: max(0, width - 1)] + "…"


def progress_texts(progress: Progress) -> list[str]:
    """The line in full, then ever shorter: without draws, values, speed, target, ETA, iteration.

    In full: iteration, the measure and which it is, its target, values, speed, time to go; of a
    sampler also the histories visited and the size of its tables, the former where traversals are
    pruned, too. Without a tree, where nothing is
    measured, `implicit_texts` says it.
    """
    evaluation = cast("Evaluation | None", progress.evaluation)
    if evaluation is None:
        return implicit_texts(progress)
    measure = f"{evaluation.measure_name} {measure_text(evaluation.measure)}"
    if evaluation.gap is not None and evaluation.gap.largest is not None:
        measure += f" (largest trigger {measure_text(evaluation.gap.largest.gain)})"
    parts = {
        "iteration": f"iteration {progress.iteration:,}",
        "measure": measure,
        "values": "values " + " ".join(_values(progress, evaluation)),
        "speed": speed_text(progress.iterations_per_second, "it/s"),
    }
    if progress.nodes_touched is not None:
        if progress.trajectories_per_second is not None:
            parts["speed"] = speed_text(progress.trajectories_per_second, "trajectories/s")
        parts["drawn"] = f"{progress.nodes_touched:,} nodes"
    if progress.table_bytes is not None:
        parts["drawn"] += f"  tables {bytes_text(progress.table_bytes)}"
    if progress.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(progress.eta_seconds)}"
    if progress.target is not None:
        parts["measure"] += f" (target {measure_text(progress.target)})"
    texts = ["  ".join(parts.values())]
    for name in ("drawn", "values", "speed", "target", "eta", "iteration"):
        if name == "target":
            parts["measure"] = measure
        else:
            parts.pop(name, None)
        texts.append("  ".join(parts.values()))
    return texts


def _values(progress: Progress, evaluation: Evaluation) -> list[str]:
    """What each player expects, by the payoffs that lie together: not by a penalty."""
    units = cast("PayoffUnits | None", progress.payoff_units)
    return [
        value_text(value, None if units is None else units.payoff(player, value))
        for player, value in enumerate(evaluation.values)
    ]


def deals_text(progress: Progress) -> str:
    """The live line of a run that plays sampled deals."""
    return f"iteration {progress.iteration:,}: {progress.deals:,} deals"


def implicit_texts(progress: Progress) -> list[str]:
    """The live line of a run without a tree, in ever shorter forms.

    What bounds NashConv stays in all of them, or that nothing does.
    """
    full, why = "  (full)" if progress.is_full else "", ""
    table = bytes_text(progress.table_bytes or 0)
    if progress.bound_nash_conv is not None:
        measure = f"regret bound {measure_text(progress.bound_nash_conv)}"
    elif progress.bound_cce_gap is not None:
        measure = f"coarse correlated bound {measure_text(progress.bound_cce_gap)}"
    else:
        measure, why = "NashConv not affordable", f" ({progress.why_no_bound})"
    parts = {
        "iteration": f"iteration {progress.iteration:,}",
        "speed": speed_text(progress.trajectories_per_second or 0.0, "trajectories/s"),
        "nodes": f"{progress.nodes_touched:,} nodes",
        "table": f"{progress.num_infosets:,} infosets in {table}{full}",
        "measure": measure + why,
    }
    if progress.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(progress.eta_seconds)}"
    texts = ["  ".join(parts.values())]
    for name in ("nodes", "speed", "why", "eta", "table", "iteration"):
        if name == "why":
            parts["measure"] = measure
        else:
            parts.pop(name, None)
        texts.append("  ".join(parts.values()))
    return texts
