"""Solving a hand, and resuming a run from its checkpoint."""

from __future__ import annotations

import os
import time
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, file_name, same_file, saving_every
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.checkpoint import HandCheckpoint, saver
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.size import check_fits
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solver import ExactSolver, exact_variant
from equilibrist.poker.preflop.exact.strategy import STORAGE, ExactStrategy
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    as_callbacks,
    progress_of,
    shows_progress,
    timed,
)
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.saved_run import refuse_overwrite
from equilibrist.solvers.run.stall import go_back, has_stalled, point_to_end_with
from equilibrist.solvers.run.stopping import Stop, StopRule, allowed_overrun, merge_stop
from equilibrist.solvers.run.target import Target
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.archive import check_writable
from equilibrist.storage.kinds.file_kinds import PREFLOP_CHECKPOINT

SAVE_EVERY: Final = 60.0
DEFAULT_TARGET: Final = 5.0
"""The default target, in mbb."""
DEFAULT_ITERATIONS: Final = 1000
"""Where such a run stops at the latest."""


class _Sparse(Schedule):
    """When a run is measured: a measurement costs about as much as two iterations."""

    def next(self, iteration: int) -> int:
        for point in (1, 2, 5, 10, 20, 30, 40, 50):
            if point > iteration:
                return point
        step = 25 if iteration < 500 else 50
        return (iteration // step + 1) * step


@shows_progress
def solve_preflop(
    hand: Hand | None = None,
    algorithm: Variant | str | None = None,
    *,
    flops: int | None = None,
    seed: int | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | Target | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    threads: int | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    resume: str | os.PathLike[str] | None = None,
    keep_flops: int | None = None,
) -> PreflopSolution:
    """Solve a hand of two seats from the deal on until the first of several limits is reached.

    All hands and all boards are solved; nothing is put into buckets. The last street of the hand
    with betting is `last_street`, the rest of the board is dealt after it. With no limit at all the
    run ends at 5 mbb, at the latest after 1,000 iterations.

    Args:
        hand: What to solve; with `resume` it may be left out.
        algorithm: A variant of CFR that updates in turn, such as `dcfr`, `lcfr` or `cfr+`; the
            default is `dcfr`.
        flops: How many flops are drawn, as likely as they come, in place of all; the solution is
            exact for the game with these. With `resume` as in the run, if left out.
        seed: The seed of that draw; 0 if left out.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds from the call on, preparing and compiling included. At least one
            iteration is made and measured, unless the time is over while the boards are still being
            prepared: then it is refused.
        target: The exploitability that ends the run, in mbb a hand: `"1mbb"`.
        callbacks: Functions called as the run progresses.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.
        threads: Threads to work with, by default one for each processor. Their number changes no
            bit of the result.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        checkpoint: A file that takes the whole state every `checkpoint_every` seconds, and when the
            run stops.
        checkpoint_every: Seconds between two checkpoints.
        resume: The checkpoint to resume; it is written again unless `checkpoint` names another
            file.
        keep_flops: 16 or 32 to keep the strategies of all streets, with as many bits for each
            action of each class of hands; without it the solution has those before the flop alone.

    Returns:
        The solution, also after an interrupt (Ctrl-C).

    Raises:
        ConfigError: An argument is wrong, or `seconds` were over before the boards were prepared.
        MemoryBudgetError: The game does not fit into `memory`; nothing has been allocated then.
        OutputError: The checkpoint cannot be written there.
        CheckpointError: The checkpoint to resume is missing, damaged or of another run, or a new
            run would overwrite one.
    """
    listeners = timed(as_callbacks(callbacks))
    limits = Stop(
        **merge_stop(stop, units=("mbb",), iterations=iterations, seconds=seconds, target=target)
    )
    if keep_flops is not None and keep_flops not in STORAGE:
        raise bad_argument("keep_flops", keep_flops, "16 or 32 bits")
    is_saved = checkpoint is not None or resume is not None
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=is_saved)
    saved = None if resume is None else HandCheckpoint(resume, "resume")
    name = algorithm.name if isinstance(algorithm, Variant) else algorithm
    if saved is not None:
        saved.check_run(hand, flops, seed, name)
        hand, flops, seed = saved.hand, saved.game.flops, saved.game.seed
        algorithm = algorithm or saved.algorithm
        checkpoint = saved.path if checkpoint is None else checkpoint
    if hand is None:
        raise ConfigError("no hand", option="hand", remedy="give a Hand, or `resume`")
    game = ExactGame.of(hand, flops, 0 if seed is None else seed)
    variant = exact_variant(algorithm)
    rule = _rule(limits, 0 if saved is None else saved.iteration, listeners.clock.counts_from)
    if saved is not None:
        saved.refuse_past("iterations", saved.iteration, rule.iterations)
    check_fits(game, memory)
    if checkpoint is not None:
        path = file_name("checkpoint", checkpoint)
        check_writable(path, PREFLOP_CHECKPOINT)
        if saved is None or not same_file(path, saved.path):
            refuse_overwrite(path, HandCheckpoint, lambda there: f"of {there.game.name}")
    listeners.stage(_Preparing.TEXT)
    preparing = _Preparing(listeners, rule)
    solver = ExactSolver(game, variant, threads=thread_count(threads), on_board=preparing.tell)
    if saved is not None:
        saved.restore(solver)
    listeners.stage("solving")
    try:
        return _solved(hand, solver, rule, listeners, checkpoint, every, saved, keep_flops)
    finally:
        solver.close()


class _Preparing:
    """Tells how many boards are prepared, and refuses a run whose time is over long before all are.

    Args:
        callbacks: Are told.
        rule: When the run ends.
    """

    TEXT: Final = "preparing the boards"

    def __init__(self, callbacks: Callbacks, rule: StopRule) -> None:
        self.callbacks, self.rule = callbacks, rule
        self.begun = time.perf_counter()

    def tell(self, done: int, boards: int) -> None:
        """Tell, and look at the clock.

        Args:
            done: The boards that are prepared.
            boards: All that must be before the first iteration.

        Raises:
            ConfigError: The time is over, so far that the first iteration would come far too late.
        """
        now = time.perf_counter()
        whole = (now - self.begun) * boards / done
        left = whole - (now - self.begun)
        self.callbacks.stage(f"{self.TEXT}: {done:,} of {boards:,}, {left:,.0f} s to go")
        seconds = self.rule.seconds
        since = self.begun if self.rule.since is None else self.rule.since
        if seconds is None or done == boards or now - since <= seconds + allowed_overrun(seconds):
            return
        raise ConfigError(
            f"the time was over when {done:,} of {boards:,} boards were prepared, which all must "
            f"be before the first iteration: here that takes about {whole:,.0f} s",
            option="seconds",
            given=seconds,
            expected=f"more than {whole:.0f}",
            remedy="give it more time, or draw some flops in place of all",
        )


def _solved(
    hand: Hand,
    solver: ExactSolver,
    rule: StopRule,
    callbacks: Callbacks,
    checkpoint: str | os.PathLike[str] | None,
    every: float,
    saved: HandCheckpoint | None,
    bits: int | None,
) -> PreflopSolution:
    tell = callbacks.on_progress

    def report(event: ProgressEvent[ExactMeasure]) -> Answer:
        assert tell is not None
        return tell(progress_of(event, solver.variant.name, "exploitability"))

    outcome = Loop(
        solver,
        solver.measure,
        rule,
        trace=() if saved is None else saved.trace,
        seconds=0.0 if saved is None else saved.seconds,
        report=report if tell else None,
        save=None if checkpoint is None else saver(solver, hand, checkpoint),
        save_every=every,
        schedule=_Sparse(),
        stalled=has_stalled,
    ).run()
    measured = outcome.measured
    end = point_to_end_with(outcome.trace, outcome.stopped_by)
    if end is not outcome.trace[-1] and outcome.stopped_by in ("stalled", "iterations"):
        callbacks.stage("going back to the best strategies")
        go_back(solver, end.iteration)
        measured = solver.measure()
    assert measured.exploitability is not None  # the game is of two players
    memory_bytes, strategies, tables = solver.memory_bytes, solver.strategies(), solver.tables()
    engine, kept = solver.engine, None
    if bits is not None:
        callbacks.stage("keeping the strategies of all streets")
        engine.keep_averages()
        kept = ExactStrategy.of(solver.game, engine.layout, engine.totals, bits)
    return PreflopSolution(
        hand=hand,
        flops=solver.game.flops,
        seed=solver.game.seed,
        algorithm=solver.variant.name,
        iterations=solver.iteration,
        seconds=outcome.seconds,
        stopped_by=outcome.stopped_by,
        exploitability=1000.0 * measured.exploitability,
        values=measured.values,
        best_values=measured.best_values,
        target=None if rule.target is None else 1000.0 * rule.target,
        trace=outcome.trace,
        memory_bytes=memory_bytes,
        strategies=strategies,
        tables=tables,
        hands=engine.hands,
        many=engine.many,
        kept=kept,
        failure=outcome.failure,
    )


def _rule(stop: Stop, done: int, since: float | None) -> StopRule:
    """When the run ends; the target is in big blinds."""
    if stop.is_default:
        thousands = max(1, -(-done // DEFAULT_ITERATIONS))
        return StopRule(thousands * DEFAULT_ITERATIONS, target=DEFAULT_TARGET / 1000.0)
    target = None if stop.target is None else Target.read(stop.target, ("mbb",)).amount / 1000.0
    return StopRule(stop.iterations, stop.seconds, target, since)
