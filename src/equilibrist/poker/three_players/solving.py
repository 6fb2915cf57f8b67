"""Solving a spot of three players until measured gains, iterations or time say so.

From one start, or from several: with three players there may be several equilibria.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.betting_tree import less_betting
from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
from equilibrist.poker.postflop.solving.perturbed import check_perturbation, check_trembles
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.poker.three_players.solver import Floats, ThreeSolver, memory_needed
from equilibrist.poker.three_players.spot import ThreeSpot, checked_three
from equilibrist.poker.three_players.starts import ThreeStarts, drawn_later, drawn_start
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    TimedCallbacks,
    as_callbacks,
    progress_of,
    shows_progress,
    timed,
)
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import FloatArray

_EVERY: Final = 25
"""Iterations between two measurements, each of which takes about five."""
_MOST_STARTS: Final = 1000
_BROKEN_OFF: Final = ("interrupted", "callback")
"""Endings of a run after which no other one begins."""


@shows_progress
def solve_three(
    spot: ThreeSpot,
    algorithm: Variant | str | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    memory: int | None = None,
    threads: int | None = None,
    tremble: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> ThreeSolution:
    """Solve a spot of three players until the first of several limits is reached.

    What is measured is the sum of what the three seats gain by exact best responses. CFR promises
    nothing with three players: a run ends by what is measured, and has the best averages that were
    measured; of a flop, whose memory holds them once only, the last ones. With no limit at all it
    ends at 0.3 % of the pot, at the latest after 1,000 iterations.

    Args:
        spot: What to solve.
        algorithm: A variant of CFR, by its name or as a Variant; by default
            `dcfr(alpha=1.4, beta=0.2, gamma=5)`.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations.
        seconds: The most seconds from the call on; at least one iteration is made.
        target: The sum of gains that ends the run: `"0.1%"` of the pot, or `"0.5c"` in chips.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        threads: The threads that share the rivers, by default one for each processor; a spot on
            the river takes one. Results are the same to the last bit.
        tremble: The least probability of every action, for answers where play does not come
            otherwise; gains are measured in the spot without trembles.
        callbacks: Functions called as the run progresses; a single function is taken as
            `on_progress`.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The solution, also after an interrupt (Ctrl-C).

    Raises:
        ConfigError: An argument is wrong.
        MemoryBudgetError: The betting has too many nodes, or the spot does not fit into `memory`;
            nothing has been allocated then.
    """
    run = _Run.read(
        spot,
        algorithm,
        merge_stop(stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target),
        memory,
        threads,
        tremble,
    )
    listeners = timed(as_callbacks(callbacks))
    listeners.stage(f"preparing {spot.board}")
    laid_out = HandsAndGames.of(spot)
    run.check(laid_out)
    listeners.stage("solving")
    return run.solve(laid_out, listeners, since=listeners.clock.counts_from)


@shows_progress
def solve_from_starts(
    spot: ThreeSpot,
    starts: int = 4,
    algorithm: Variant | str | None = None,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    memory: int | None = None,
    threads: int | None = None,
    tremble: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> ThreeStarts:
    """Solve a spot of three players from several starts, to see how far its equilibria differ.

    The first run begins with uniform strategies, as `solve_three`; the others begin with strategies
    that are drawn on all streets: for each decision how often its actions are taken, whatever cards
    come, and around that each hand by itself. Every run ends at the limits by itself.

    Args:
        spot: What to solve.
        starts: How many runs, at least 2.
        algorithm: A variant of CFR, by its name or as a Variant; by default
            `dcfr(alpha=1.4, beta=0.2, gamma=5)`.
        seed: The seed of the drawn starts.
        stop: When each run ends. Its fields can be given directly, in its place.
        iterations: The most iterations of a run.
        seconds: The most seconds of a run, from its start on.
        target: The sum of gains that ends a run: `"0.1%"` of the pot, or `"0.5c"` in chips.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        threads: The threads that share the rivers, by default one for each processor; a spot on
            the river takes one. Results are the same to the last bit.
        tremble: The least probability of every action, for answers where play does not come
            otherwise; gains are measured in the spot without trembles.
        callbacks: Functions called as the runs progress; a single function is taken as
            `on_progress`.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The solutions, and how far they differ; after an interrupt (Ctrl-C) those so far.

    Raises:
        ConfigError: An argument is wrong.
        MemoryBudgetError: The betting has too many nodes, or the spot does not fit into `memory`;
            nothing has been allocated then.
    """
    count = whole_number("starts", starts, 2, _MOST_STARTS)
    first_seed = whole_number("seed", seed, 0)
    run = _Run.read(
        spot,
        algorithm,
        merge_stop(stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target),
        memory,
        threads,
        tremble,
    )
    listeners = timed(as_callbacks(callbacks))
    listeners.stage(f"preparing {spot.board}")
    laid_out = HandsAndGames.of(spot)
    run.check(laid_out, count)
    solutions: list[ThreeSolution] = []
    for number, own_seed in enumerate(np.random.SeedSequence(first_seed).spawn(count)):
        listeners.stage(f"solving from start {number + 1} of {count}")
        generator = np.random.default_rng(own_seed) if number else None
        solutions.append(run.solve(laid_out, listeners, generator))
        if solutions[-1].stopped_by in _BROKEN_OFF:
            break
    return ThreeStarts(tuple(solutions), first_seed)


class _Run(NamedTuple):
    """How a spot is solved."""

    spot: ThreeSpot
    variant: Variant
    limits: Stop
    memory: int
    threads: int
    """Those that share the rivers."""
    tremble: float | None

    @classmethod
    def read(
        cls,
        spot: ThreeSpot,
        algorithm: Variant | str | None,
        limits: Mapping[str, Any],
        memory: int | None,
        threads: int | None,
        tremble: float | None,
    ) -> _Run:
        """Check the arguments of a run."""
        checked_three(spot)
        room = default_memory() if memory is None else whole_number("memory", memory, 1)
        stop = Stop(**limits)
        read_stop(spot.pot, stop)
        sharing = thread_count(threads)
        sharing = sharing if spot.num_streets > 1 else 1
        check_perturbation(tremble, None, "float32", algorithm)
        return cls(spot, spot_variant(algorithm), stop, room, sharing, tremble)

    def check(self, laid_out: HandsAndGames, starts: int = 1) -> None:
        """Raise MemoryBudgetError for a spot that takes more than it may, from so many starts.

        ConfigError where trembles leave nothing of play.
        """
        if self.tremble is not None:
            check_trembles(self.tremble, laid_out.most_actions)
        needed = memory_needed(laid_out, self.threads, predicts=self.variant.predicts)
        needed += 4 * (starts - 1) * sum(map(math.prod, laid_out.later_shapes))
        _check_fits(laid_out, self.memory, needed)

    def solve(
        self,
        laid_out: HandsAndGames,
        listeners: TimedCallbacks,
        generator: np.random.Generator | None = None,
        since: float | None = None,
    ) -> ThreeSolution:
        """Solve from a start that is drawn, by default the uniform one.

        Seconds count from `since`, or now.
        """
        rule = read_stop(self.spot.pot, self.limits, since=since)
        solver = ThreeSolver(
            laid_out, self.variant, threads=self.threads, tremble=self.tremble or 0.0
        )
        if generator is not None:
            solver.begin_with(drawn_start(laid_out, generator))
            for start in drawn_later(laid_out, generator):
                solver.begin_on_board(*start)
        best = _BestAverages(solver)
        tell, name, pot = listeners.on_progress, self.variant.name, self.spot.pot

        def report(event: ProgressEvent[Measure]) -> Answer:
            assert tell is not None
            found = event.measured
            own = {"gains": found.gains, "frequency_error": found.frequency_error}
            return tell(progress_of(event, name, "NashConv", pot=pot, **own))

        outcome = Loop(
            solver,
            best.measure,
            rule,
            report=None if tell is None else report,
            schedule=_EveryFew(),
        ).run()
        kept = best.kept
        return ThreeSolution(
            spot=self.spot,
            values=kept.measured.values,
            gains=kept.measured.gains,
            unlocked_gains=kept.measured.unlocked_gains,
            frequency_error=kept.measured.frequency_error,
            algorithm=name,
            iterations=kept.iterations,
            seconds=outcome.seconds,
            stopped_by=outcome.stopped_by,
            target=rule.target,
            strategies=tuple(kept.strategies),
            later=tuple(kept.later),
            tremble=self.tremble,
            worth=kept.measured.worth if laid_out.rivers else (),
        )


def _check_fits(laid_out: HandsAndGames, limit: int, needed: int) -> None:
    """Raise MemoryBudgetError for a spot that takes more bytes than it may."""
    spot = laid_out.spot
    if needed > limit:
        raise MemoryBudgetError(
            f"the spot needs {bytes_text(needed)}, which exceeds the limit of {bytes_text(limit)}",
            spot.betting.num_nodes,
            needed,
            remedy=less_betting(spot.rules, spot.menu),
            option="memory",
            given=limit,
            expected=needed,
        )


class _Kept(NamedTuple):
    """Averages, and how they measured."""

    measured: Measure
    strategies: list[FloatArray]
    later: list[Floats]
    iterations: int


class _BestAverages:
    """The averages that measured best: the last iterates can spoil them for hundreds of others.

    With locked frequencies the last ones: those that measure better may miss the frequencies. Of a
    flop the last ones, too: a second copy of them would take half as much memory again.
    """

    def __init__(self, solver: ThreeSolver) -> None:
        self._solver = solver
        self._kept: _Kept | None = None

    def measure(self) -> Measure:
        """Measure the present averages, and keep them if they are the best so far."""
        solver, kept = self._solver, self._kept
        measured = solver.measure()
        if solver.laid_out.rivers:
            averages, sums = solver.averages(), solver.later_sums
            self._kept = _Kept(measured, averages, sums, solver.iteration)
            return measured
        is_best = kept is None or measured.nash_conv <= kept.measured.nash_conv
        if is_best or measured.frequency_error is not None:
            later = solver.copy_later(None if kept is None else kept.later)
            self._kept = _Kept(measured, solver.averages(), later, solver.iteration)
        return measured

    @property
    def kept(self) -> _Kept:
        """The best of them."""
        assert self._kept is not None
        return self._kept


class _EveryFew(Schedule):
    """Every `_EVERY` iterations."""

    def next(self, iteration: int) -> int:
        return _EVERY * (iteration // _EVERY + 1)
