"""The run of a spot solver: measuring, stopping, reporting, and the result."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from numpy.typing import NDArray

from equilibrist.poker.equities.folded import EXACT_FOLDED
from equilibrist.poker.postflop.estimate.runtime import iterations_to
from equilibrist.poker.postflop.solution.node_aggregates import NodesOfBoard, NodeValues
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import LEAST_TARGET
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Callbacks, progress_of
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.stall import go_back, has_stalled, point_to_end_with
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import HasMeasure, Schedule, TracePoint
from equilibrist.solvers.variants.variant import Variant

_STEP: Final = 10
"""Iterations between two measurements, each of which costs about two; later a twentieth."""
_SOON: Final = 1_000
"""Iterations that a small spot can repeat in no time; the best state after them is kept."""

Save = Callable[[tuple[TracePoint, ...], float], None]
"""Writes a checkpoint; is given the measurements and the seconds so far."""
FREQUENCY_TOLERANCE: Final = 0.005
"""A target counts as reached once no locked frequency has a larger error."""
SAVE_EVERY: Final = 10.0
"""Seconds between two checkpoints."""


class PriorRun(NamedTuple):
    """Measurements and seconds of a run that is resumed."""

    trace: tuple[TracePoint, ...] = ()
    seconds: float = 0.0


class MeasuredSolver(Protocol):
    """The interface of a spot solver."""

    variant: Variant

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        ...

    @property
    def storage(self) -> Storage:
        """How it holds regrets and strategies."""
        ...

    @property
    def memory_bytes(self) -> int:
        """What it holds."""
        ...

    @property
    def is_small(self) -> bool:
        """Whether its state takes so little memory that a second one may be kept beside it."""
        ...

    @property
    def state(self) -> Any:
        """All that the coming iterations depend on, as a copy."""
        ...

    def restore(self, state: Any, /) -> object:
        """Continue from a state."""
        ...

    def run(self, iterations: int, /) -> object:
        """Run that many more; the state must not depend on how they are cut into calls."""
        ...

    def begin_again(self) -> None:
        """Forget all iterations."""
        ...

    def mean_gain(self, *, unlocked: bool = False) -> float:
        """Measure what best responses to the average strategies gain, the mean of both, in chips.

        They keep to the locks of the spot unless `unlocked`.
        """
        ...

    def frequency_error(self) -> float:
        """The largest error of a locked frequency, as a share of the range; 0 without any."""
        ...

    def ev_error(self) -> float | None:
        """Measure the standard error of EVs in chips, where folded hands are drawn."""
        ...

    def values(self, node: int, runout: tuple[int, ...], /) -> NodeValues:
        """The figures at a node, as `node_aggregates.Evaluate` of solutions."""
        ...

    def parts(self, streets: int, /) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The parts of a file for nodes of the first streets."""
        ...

    def on_board(self, runout: tuple[int, ...], /) -> NodesOfBoard:
        """The figures at the nodes of a board, as `node_aggregates.OnBoard` of solutions."""
        ...


def solved(
    spot: Spot,
    solver: MeasuredSolver,
    stop: StopRule,
    callbacks: Callbacks = Callbacks(),  # noqa: B008 - it is frozen
    save: Save | None = None,
    save_every: float = SAVE_EVERY,
    prior: PriorRun = PriorRun(),  # noqa: B008 - it is frozen
    is_ready: Callable[[], bool] | None = None,
) -> PostflopResult:
    """Run a solver until a limit or an interrupt (Ctrl-C) stops it.

    `callbacks` receive its progress. `save` is called every `save_every` seconds, less often if
    it is slow, and at the end; what keeps it from saving ends the run with a RuntimeWarning.
    `prior` holds the measurements of the resumed run. Where the measure has not fallen for a decade
    of iterations the run stops. Whatever limit ends it, the solver goes back to its best strategies
    if they were better by much, see `stall`; but when time is up it computes none again of a large
    spot. A run that the user stops stays where it is, to be resumed.

    `is_ready` is for perturbed play, whose best strategies are not the least exploitable ones: a
    target ends the run only where it holds, and the run keeps its last strategies.
    """
    has_frequencies = any(lock.frequency for lock in spot.locks)  # whose errors the trace lacks
    best = _BestState(solver)

    def measure() -> _Measure:
        ready = is_ready is None or is_ready()
        measured = _Measure(solver.mean_gain(), solver.frequency_error(), is_ready=ready)
        if not has_frequencies:
            best.note(measured.measure)
        return measured

    tell = callbacks.on_progress

    def report(event: ProgressEvent[_Measure]) -> Answer:
        progress = progress_of(
            event,
            solver.variant.name,
            spot.measure_name,
            pot=spot.value_unit.whole,
            amounts=spot.value_unit.name,
            frequency_error=event.measured.frequency_error,
        )
        answer = None if tell is None else tell(progress)
        if callbacks.on_present is not None:
            callbacks.on_present(lambda: _present(spot, solver, event, loop.trace))
        return answer

    loop = Loop(
        solver,
        measure,
        stop,
        trace=prior.trace,
        seconds=prior.seconds,
        report=report if tell or callbacks.on_present else None,
        save=save,
        save_every=save_every,
        schedule=_SCHEDULE,
        stalled=has_stalled,
        expected=iterations_to(stop.target / spot.value_unit.pot) if stop.target else None,
    )
    outcome = loop.run()
    measured, reached = outcome.measured, solver.iteration
    end = point_to_end_with(outcome.trace, outcome.stopped_by, LEAST_TARGET * spot.value_unit.pot)
    may_go_back = outcome.stopped_by in ("stalled", "iterations") or (
        outcome.stopped_by == "seconds" and solver.is_small
    )
    may_go_back &= is_ready is None
    if end is not outcome.trace[-1] and may_go_back and not has_frequencies:
        callbacks.stage("going back to the best strategies")
        if not best.restore(end.iteration):
            go_back(solver, end.iteration)
        measured = measure()
    if outcome.failure is not None:
        _warn(f"{outcome.failure}; the run ended there, at iteration {reached:,}")
    unlocked = ev_error = None
    if len(spot.folded) > EXACT_FOLDED:
        callbacks.stage("measuring what draws of folded hands leave open")
        with noted_interrupts():
            ev_error = solver.ev_error()
    if spot.locks:
        with noted_interrupts():  # a last pass, and then there is something to show
            unlocked = solver.mean_gain(unlocked=True)
    return PostflopResult(
        algorithm=solver.variant.name,
        iterations=solver.iteration,
        seconds=outcome.seconds,
        stages=callbacks.clock.read(),
        stopped_by=outcome.stopped_by,
        spot=spot,
        evaluate=solver.values,
        on_board=solver.on_board,
        target=stop.target,
        trace=outcome.trace,
        storage=solver.storage,
        mean_gain=measured.measure,
        memory_bytes=solver.memory_bytes,
        failure=outcome.failure,
        parts=solver.parts,
        unlocked_mean_gain=unlocked,
        frequency_error=measured.frequency_error if has_frequencies else None,
        ev_error=ev_error,
    )


def _present(
    spot: Spot,
    solver: MeasuredSolver,
    event: ProgressEvent[_Measure],
    trace: Sequence[TracePoint],
) -> PostflopResult:
    """The solution as it is now, with the newest measurement, which may be an earlier one."""
    return PostflopResult(
        algorithm=solver.variant.name,
        iterations=solver.iteration,
        seconds=event.seconds,
        stopped_by="interrupted",
        spot=spot,
        evaluate=solver.values,
        on_board=solver.on_board,
        target=event.target,
        trace=tuple(trace),
        storage=solver.storage,
        mean_gain=event.measured.measure,
        memory_bytes=solver.memory_bytes,
        frequency_error=event.measured.frequency_error,
    )


class _BestState:
    """The state of a small spot when it measured best, after its first iterations."""

    def __init__(self, solver: MeasuredSolver) -> None:
        self._solver, self._least = solver, math.inf
        self._kept: tuple[int, Any] | None = None

    def note(self, measure: float) -> None:
        """Take note of a measurement of the present state."""
        if self._solver.is_small and self._solver.iteration > _SOON and measure < self._least:
            self._least, self._kept = measure, (self._solver.iteration, self._solver.state)

    def restore(self, iteration: int) -> bool:
        """Bring the solver back to that iteration, if its state is kept."""
        if self._kept is None or self._kept[0] != iteration:
            return False
        self._solver.restore(self._kept[1])
        return True


def _warn(message: str) -> None:
    """Warn in the name of the first caller outside of the package, however it called."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("equilibrist."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RuntimeWarning, stacklevel=level)


class _Measure(HasMeasure):
    """A mean gain as what the loop around solvers measures, which calls it exploitability."""

    values: tuple[float, ...] = ()

    def __init__(self, mean_gain: float, frequency_error: float, *, is_ready: bool = True) -> None:
        self.exploitability = mean_gain
        self.nash_conv = 2 * mean_gain
        self.frequency_error = frequency_error
        self._is_ready = is_ready

    @property
    def constraints_met(self) -> bool:
        """Whether frequencies are as they are locked, and play is as it was asked for."""
        return self._is_ready and self.frequency_error <= FREQUENCY_TOLERANCE


class _EveryTenth(Schedule):
    """Every tenth iteration, from 200 on every 5 %."""

    def next(self, iteration: int) -> int:
        point = 0
        while point <= iteration:
            point += max(_STEP, point // 20)
        return point


_SCHEDULE: Final = _EveryTenth()
