"""`Progress`, the state of a run at one moment, and what receives it: functions, or a line."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec, TypeAlias, TypeVar

from equilibrist.formatting.amounts import seconds_text, speed_text
from equilibrist.parsing.arguments import bad_argument

P = ParamSpec("P")
R = TypeVar("R")
_QUIET: Final = 1.0
"""Seconds that a run may take before a line is shown that nobody asked for."""
_EVERY: Final = 0.1
"""Seconds between two states of a line on a terminal or in a notebook."""
_FIRST_GAP: Final = 2.0
_LONGEST_GAP: Final = 60.0
"""Seconds between two lines elsewhere: 2 at first, then twice as many, at most 60."""
ENDINGS: Final = {
    "target": "target reached",
    "iterations": "iteration limit reached",
    "deals": "deal limit reached",
    "seconds": "time limit reached",
    "stalled": "more iterations no longer help",
    "interrupted": "interrupted; partial result",
    "callback": "stopped",
    "exact": "solved exactly",
}
"""What ended a run, in words."""

if TYPE_CHECKING:
    from equilibrist.solvers.run.loop import ProgressEvent
    from equilibrist.solvers.run.trace import Measured


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a run of any engine; fields that do not apply are None.

    Attributes:
        algorithm: What runs: the algorithm's name, in `compare` the name of the entry.
        iteration: Iterations so far, those before the run was resumed included.
        seconds: Seconds of iterating and measuring so far.
        iterations_per_second: How fast it is now.
        eta_seconds: Seconds until the target is met, or without one until the run stops; None
            where that cannot be estimated.
        measure: The newest measurement, in payoff units (chips for a spot): what is held against
            the target. None where nothing is measured: without an explicit tree, and where hands
            are dealt at random.
        measure_name: What `measure` is: `exploitability`, `NashConv` or, with rake, `mean gain`.
        measured_at: The iteration after which it was measured.
        target: The measure that ends the run, in the same unit.
        evaluation: The measurement of a game in full, an `equilibrist.evaluation.Evaluation`.
        payoff_units: What the digits of its values are counted by, an
            `equilibrist.tree.payoff_scale.PayoffUnits`.
        trajectories_per_second: With a sampler, traversals per second, of all players together.
        nodes_touched: With a sampler, or where full traversals are pruned, the histories visited so
            far.
        table_bytes: With a sampler, the bytes of its tables.
        num_infosets: Without an explicit tree, the infosets with a row in the table.
        is_full: Without an explicit tree, whether the table has reached its bound.
        bound_nash_conv: Without an explicit tree, the bound of `ImplicitMCCFR.bound_nash_conv`,
            at most a few seconds old; None while it exceeds the range of payoffs.
        why_no_bound: Why there is no such bound.
        bound_cce_gap: The same for the coarse correlated gap.
        gains: For a spot of three players, what each gains by a best response, in chips.
        pot: For a spot, the pot at the root, in chips.
        amounts: For a spot, what that is in: `chips`; `prizes` where it is the prize pool, and
            `measure` is in prizes, too.
        frequency_error: For a spot, by how much the newest measurement differs from a locked
            frequency, as a share of the range; 0 without any.
        deals: Where hands are dealt at random, the deals so far; in training a blueprint with all
            hands of both seats, the boards.
        deals_per_second: Deals, or boards, a second since the run began or was resumed.
        seat: Where an exploiter is trained, its seat.
        updates: For a blueprint, the updates of each infoset: iterations, of which one may miss its
            bucket; with external sampling nodes visited for each.
        average_regret: For blueprints and exploiters, the positive regret per iteration of all
            seats that are trained together, in mbb per hand.
        value: For a blueprint, what seat 0 wins in mbb per hand, averaged over the iterations.
        evaluated: For a blueprint, what the last evaluation in between returned.
        unit: What iterations are: `iterations`; in a match `deals`, in evaluations of a blueprint
            also `flops` or `hands`.
        total: How many of them there will be, where that is known.
        run: In `compare`, which run of the entry it is, from 0: the repeats of the first seed, then
            those of the next one.
    """

    algorithm: str
    iteration: int
    seconds: float
    iterations_per_second: float
    eta_seconds: float | None = None
    measure: float | None = None
    measure_name: str | None = None
    measured_at: int | None = None
    target: float | None = None
    evaluation: Measured | None = None
    payoff_units: Any = None
    trajectories_per_second: float | None = None
    nodes_touched: int | None = None
    table_bytes: int | None = None
    num_infosets: int | None = None
    is_full: bool | None = None
    bound_nash_conv: float | None = None
    why_no_bound: str | None = None
    bound_cce_gap: float | None = None
    gains: tuple[float, ...] | None = None
    pot: float | None = None
    amounts: str = "chips"
    frequency_error: float | None = None
    deals: int | None = None
    deals_per_second: float | None = None
    seat: int | None = None
    updates: float | None = None
    average_regret: float | None = None
    value: float | None = None
    evaluated: Any = None
    unit: str = "iterations"
    total: int | None = None
    run: int | None = None

    @property
    def measure_percent(self) -> float | None:
        """`measure` in percent of the pot; None except for spots."""
        if self.measure is None or self.pot is None:
            return None
        return 100 * self.measure / self.pot


def progress_of(
    event: ProgressEvent[Any], algorithm: str, measure_name: str | None = None, **own: Any
) -> Progress:
    """The progress that an event of the loop tells.

    Args:
        event: The event.
        algorithm: What runs.
        measure_name: What is measured; None where nothing is.
        own: Further fields, which runs of its kind have.
    """
    if measure_name is not None:
        own |= {"measure": event.measured.measure, "measured_at": event.measured_at}
    return Progress(
        algorithm=algorithm,
        iteration=event.iteration,
        seconds=event.seconds,
        iterations_per_second=event.iterations_per_second,
        eta_seconds=event.eta_seconds,
        measure_name=measure_name,
        target=event.target,
        deals=event.deals,
        deals_per_second=event.deals_per_second,
        **own,
    )


OnProgress: TypeAlias = Callable[[Progress], bool | Literal["save"] | None]
"""Receives the Progress; returns False to stop the run, "save" to write its checkpoint now."""


class PartsReport:
    """Reports how many parts of a known number are done, such as the deals of a match.

    Args:
        callbacks: Functions that are called.
        algorithm: What runs.
        unit: What the parts are, in the plural.
        total: How many there are.
    """

    def __init__(self, callbacks: Callbacks, algorithm: str, unit: str, total: int) -> None:
        self._report = callbacks.on_progress
        self._algorithm, self._unit, self._total = algorithm, unit, total
        self._begun = perf_counter()
        self._first: tuple[float, int] | None = None

    def goes_on(self, done: int) -> bool:
        """Report, and ask whether to go on.

        Args:
            done: How many parts are done.

        Returns:
            False where a callback ends the work.
        """
        if self._report is None:
            return True
        now = perf_counter()
        if self._first is None:
            self._first = (now, done)  # these may have compiled: the speed is that of later ones
        since, first = self._first
        speed = (done - first) / (now - since) if done > first and now > since else 0.0
        answer = self._report(
            Progress(
                algorithm=self._algorithm,
                iteration=done,
                seconds=now - self._begun,
                iterations_per_second=speed,
                eta_seconds=(self._total - done) / speed if speed else None,
                unit=self._unit,
                total=self._total,
            )
        )
        return answer is None or bool(answer)


_STAGES: Final = ("walking", "compiling", "loading", "preparing", "solving")
"""The stages of a run by the first word of the text that reports them; before them, `starting`."""


class RunClock:
    """Counts the seconds of a run, stage by stage, from its start.

    Args:
        since: When the run started, in seconds of `time.perf_counter`; None for now.
        limits: Whether a limit of seconds counts from the start too, so that walking the rules and
            compiling use it up; otherwise it counts from when solving begins.
    """

    def __init__(self, since: float | None = None, *, limits: bool = True) -> None:
        self._since = perf_counter() if since is None else since
        self._limits = limits
        self._spent: dict[str, float] = {}
        self._stage, self._from = "starting", self._since
        self._paused = 0.0

    @property
    def counts_from(self) -> float | None:
        """When a limit of seconds counts from; None for when solving begins."""
        return self._since if self._limits else None

    @property
    def paused(self) -> float:
        """Seconds so far in which the run waited, which count nowhere."""
        return self._paused

    def pause(self, seconds: float) -> None:
        """Note that the run has waited, while others ran in its place.

        Args:
            seconds: How long.
        """
        self._paused += seconds
        self._from += seconds

    def enter(self, text: str) -> None:
        """End the present stage and begin that of `text`, by its first word.

        A stage that compiles kernels as well has both names: `walking and compiling`. Any other
        text belongs to the stage in which it is reported.
        """
        name = text.partition(" ")[0]
        if name in _STAGES:
            if name != "compiling" and "compiling" in text:
                name += " and compiling"
            self._spent, self._stage, self._from = self.read(), name, perf_counter()

    def read(self) -> dict[str, float]:
        """Seconds up to now by stage, in the order of the stages; they add up to the whole."""
        present = self._spent.get(self._stage, 0.0) + perf_counter() - self._from
        return {**self._spent, self._stage: present}


@dataclass(frozen=True)
class Callbacks:
    """Functions that a run calls as it progresses; None is not called.

    Args:
        on_progress: Called with the Progress after every measurement and about 20 times a second
            between them; of a run that is resumed, also before its first iteration. It stops the
            run by returning False, or NumPy's False, and has the checkpoint written at once, where
            there is one, by returning "save".
        on_stage: Called with a short text when something else begins: walking the rules,
            compiling, solving.
        on_walk: Called with the number of histories walked so far, while a game is compiled. Its
            attribute `estimate` is the estimated number of all of them, or None.
        on_present: Of a run on a spot, called after each progress with a function that makes the
            solution as it is then, a `PostflopResult` of the present averages. It answers until the
            callback returns.

    Raises:
        ConfigError: One of them is not callable.
    """

    on_progress: OnProgress | None = None
    on_stage: Callable[[str], None] | None = None
    on_walk: Callable[[int], None] | None = None
    on_present: Callable[[Callable[[], Any]], None] | None = None

    def __post_init__(self) -> None:
        for name in ("on_progress", "on_stage", "on_walk", "on_present"):
            callback = getattr(self, name)
            if callback is not None:
                _function(name, callback, "a function or None")

    @property
    def clock(self) -> RunClock:
        """The clock of the run; without `timed`, one that has just started."""
        return RunClock(limits=False)

    def stage(self, text: str) -> None:
        """Report that a stage begins.

        Args:
            text: What it does, such as "compiling".
        """
        if self.on_stage is not None:
            self.on_stage(text)


class TimedCallbacks(Callbacks):
    """Callbacks of one run with its clock, which `stage` keeps."""

    _clock: RunClock

    @property
    def clock(self) -> RunClock:
        """The clock of the run."""
        return self._clock

    def stage(self, text: str) -> None:
        """Report that a stage begins, and note when."""
        self._clock.enter(text)
        super().stage(text)


def timed(
    callbacks: Callbacks, since: float | None = None, *, limits: bool = True
) -> TimedCallbacks:
    """The callbacks with the clock of a run, for whose arguments see `RunClock`.

    Callbacks that have one keep it.
    """
    if isinstance(callbacks, TimedCallbacks):
        return callbacks
    with_clock = TimedCallbacks(
        callbacks.on_progress, callbacks.on_stage, callbacks.on_walk, callbacks.on_present
    )
    object.__setattr__(with_clock, "_clock", RunClock(since, limits=limits))
    return with_clock


def _function(name: str, value: object, expected: str) -> None:
    """Refuse what cannot be called, and a class, whose objects it would make."""
    if isinstance(value, type) or not callable(value):
        remedy = f"make one: {value.__name__}(...)" if isinstance(value, type) else None
        raise bad_argument(name, value, expected, remedy=remedy)


def as_callbacks(callbacks: Callbacks | OnProgress | None) -> Callbacks:
    """Callbacks as they are given; one function is `on_progress`. Raises ConfigError."""
    if isinstance(callbacks, Callbacks):
        return callbacks
    if callbacks is None:
        return Callbacks()
    _function("callbacks", callbacks, "Callbacks, a function or None")
    return Callbacks(callbacks)


def shows_progress(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function with the keywords `callbacks` and `progress` show a line, as `showing` does.

    The function itself gets `Callbacks` that tell both, and need not look at `progress`.
    """

    @wraps(function)
    def shown(*arguments: P.args, **keywords: P.kwargs) -> R:
        with showing(keywords.get("callbacks"), keywords.get("progress")) as watched:
            keywords["callbacks"] = watched
            return function(*arguments, **keywords)

    return shown


def walked_text(histories: int) -> str:
    """Say how many histories were walked, and how many there are by the walk's estimate."""
    estimate = getattr(histories, "estimate", None)
    known = estimate is not None and math.isfinite(estimate)
    return f"{histories:,} histories" + (f" of about {estimate:,.2g}" if known else "")


@contextmanager
def showing(callbacks: Any, progress: Any) -> Iterator[Callbacks]:
    """The callbacks of a run, with a line that shows its progress if that is wanted.

    With `progress` None it is wanted where nobody is told otherwise: without callbacks, in
    notebooks and on the terminal of an interactive session, and if the run takes longer than a
    second. Scripts stay silent. Raises ConfigError for arguments that make no sense.
    """
    if not (progress is None or isinstance(progress, bool)):
        raise bad_argument("progress", progress, "True, False or None")
    called = as_callbacks(callbacks)
    if progress is False or (progress is None and (callbacks is not None or not _is_interactive())):
        yield called
        return
    line = _ProgressLine(quiet=0.0 if progress else _QUIET)
    try:
        yield line.beside(called)
    finally:
        line.close()


class _ProgressLine:
    """A line that is rewritten on terminals and in notebooks; sparse lines elsewhere."""

    def __init__(self, quiet: float) -> None:
        notebook = _is_notebook()
        self._stream = sys.stdout if notebook else sys.stderr
        self._rewrites = notebook or (self._stream is not None and self._stream.isatty())
        self._shown = self._newest = ""
        self._stage = ""
        self._loud_at = monotonic() + quiet
        self._next = self._loud_at + (0.0 if self._rewrites else _FIRST_GAP)
        self._gap = _FIRST_GAP

    def beside(self, callbacks: Callbacks) -> Callbacks:
        """Callbacks that call these and also write the line."""
        tell, stage, walk = callbacks.on_progress, callbacks.on_stage, callbacks.on_walk

        def on_progress(progress: Progress) -> bool | Literal["save"] | None:
            self._tell(progress_text(progress))
            return None if tell is None else tell(progress)

        def on_stage(text: str) -> None:
            self._begin(text)
            if stage is not None:
                stage(text)

        def on_walk(histories: int) -> None:
            self._tell(f"{self._stage}: {walked_text(histories)}")
            if walk is not None:
                walk(histories)

        return Callbacks(on_progress, on_stage, on_walk, callbacks.on_present)

    def close(self) -> None:
        """Show where the run ended, and end the line."""
        if self._newest not in ("", self._shown) and monotonic() >= self._loud_at:
            self._show(self._newest)
        if self._rewrites and self._shown:
            self._write("\n")

    def _begin(self, stage: str) -> None:
        """Show a stage at once where it may last: compiling reports nothing until it is done."""
        if stage.startswith(f"{self._stage}: "):  # how far it is
            self._tell(stage)
            return
        self._stage = stage
        if monotonic() >= self._loud_at or "compiling" in stage:
            self._show(stage)

    def _tell(self, text: str) -> None:
        now = monotonic()
        self._newest = text
        if now >= self._next:
            self._show(text)
            self._next = now + (_EVERY if self._rewrites else self._gap)
            self._gap = min(2.0 * self._gap, _LONGEST_GAP)

    def _show(self, text: str) -> None:
        if not self._rewrites:
            self._write(text + "\n")
            self._shown = text
            return
        text = text[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + text + " " * (len(self._shown) - len(text)))
        self._shown = text

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError, AttributeError):  # no line is worth a result
            self._stream.write(text)
            self._stream.flush()


def progress_text(progress: Progress) -> str:
    """The progress of a run in a line."""
    of = "" if progress.total is None else f" of {progress.total:,}"
    parts = [f"{progress.algorithm}: {progress.iteration:,}{of} {progress.unit}"]
    if progress.measure is not None:
        measure = f"{progress.measure_name} {progress.measure:.3g}"
        if progress.measure_percent is not None:
            what = "chips", "the pot"
            if progress.amounts == "prizes":
                what = "in prizes", "the prize pool"
            measure += f" {what[0]}, {progress.measure_percent:.3g} % of {what[1]}"
        parts.append(measure)
        if progress.target is not None:
            parts[-1] += f" (target {progress.target:.3g})"
    if progress.num_infosets is not None:
        parts.append(f"{progress.num_infosets:,} infosets")
    if progress.deals is not None:
        parts.append(f"{progress.deals:,} deals")
    if progress.bound_nash_conv is not None:
        parts.append(f"regret bound {progress.bound_nash_conv:.3g}")
    unit = "it/s" if progress.unit == "iterations" else f"{progress.unit}/s"
    parts.append(speed_text(progress.iterations_per_second, unit))
    if progress.eta_seconds is not None:
        minutes, seconds = divmod(round(progress.eta_seconds), 60)
        is_long = minutes >= 60
        time = seconds_text(progress.eta_seconds) if is_long else f"{minutes}:{seconds:02d}"
        parts.append(f"{time} to go")
    return ", ".join(parts)


def _is_notebook() -> bool:
    """Whether this runs in a kernel of IPython, which only Jupyter and its like have."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return find is not None and getattr(find(), "kernel", None) is not None


def _is_interactive() -> bool:
    """Whether a person watches: a notebook, or an interactive session on a terminal."""
    stream = sys.stderr
    return _is_notebook() or (hasattr(sys, "ps1") and stream is not None and stream.isatty())
