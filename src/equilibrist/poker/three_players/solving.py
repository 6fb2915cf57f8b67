"""Solving a spot with three players until measured gains, iterations or time say so."""

from __future__ import annotations

from typing import Final, NamedTuple

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.betting_tree import less_betting
from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.poker.three_players.solver import Floats, ThreeSolver, memory_needed
from equilibrist.poker.three_players.spot import ThreeSpot, checked_three
from equilibrist.progress import (
    Callbacks,
    OnProgress,
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
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> ThreeSolution:
    """Solve a river or a turn of three players until the first of several limits is reached.

    What is measured is the sum of what the three seats gain by exact best responses. CFR promises
    nothing with three players: a run ends by what is measured, and has the best averages that were
    measured. With no limit at all it ends at 0.3 % of the pot, at the latest after 1,000
    iterations.

    Args:
        spot: What to solve.
        algorithm: A variant of CFR, by its name or as a Variant; by default
            `dcfr(alpha=1.4, beta=0.2, gamma=5)`.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations.
        seconds: The most seconds from the call on; at least one iteration is made.
        target: The sum of gains that ends the run: `"0.1%"` of the pot, or `"0.5c"` in chips.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        threads: The threads that share the rivers of a turn, by default one for each processor; a
            river takes one. Results are the same to the last bit.
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
    checked_three(spot)
    limit = default_memory() if memory is None else whole_number("memory", memory, 1)
    listeners = timed(as_callbacks(callbacks))
    limits = merge_stop(
        stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target
    )
    rule = read_stop(spot.pot, Stop(**limits), since=listeners.clock.counts_from)
    variant = spot_variant(algorithm)
    listeners.stage(f"preparing {spot.board}")
    laid_out = HandsAndGames.of(spot)
    sharing = thread_count(threads) if laid_out.later else 1
    _check_fits(laid_out, limit, sharing)
    solver = ThreeSolver(laid_out, variant, threads=sharing)
    best = _BestAverages(solver)
    tell = listeners.on_progress

    def report(event: ProgressEvent[Measure]) -> Answer:
        assert tell is not None
        return tell(progress_of(event, variant.name, "NashConv", pot=spot.pot))

    listeners.stage("solving")
    outcome = Loop(
        solver,
        best.measure,
        rule,
        report=None if tell is None else report,
        schedule=_EveryFew(),
    ).run()
    kept = best.kept
    return ThreeSolution(
        spot=spot,
        values=kept.measured.values,
        gains=kept.measured.gains,
        algorithm=variant.name,
        iterations=kept.iterations,
        seconds=outcome.seconds,
        stopped_by=outcome.stopped_by,
        target=rule.target,
        strategies=tuple(kept.strategies),
        later=tuple(kept.later),
    )


def _check_fits(laid_out: HandsAndGames, limit: int, threads: int) -> None:
    """Raise MemoryBudgetError for a spot that takes more than so many bytes."""
    needed, spot = memory_needed(laid_out, threads), laid_out.spot
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
    """The averages that measured best: the last iterates can spoil them for hundreds of others."""

    def __init__(self, solver: ThreeSolver) -> None:
        self._solver = solver
        self._kept: _Kept | None = None

    def measure(self) -> Measure:
        """Measure the present averages, and keep them if they are the best so far."""
        solver, kept = self._solver, self._kept
        measured = solver.measure()
        if kept is None or measured.nash_conv <= kept.measured.nash_conv:
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
