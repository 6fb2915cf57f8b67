"""Solving a spot, and resuming a run from its checkpoint."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from equilibrist.parsing.arguments import file_name, resumed_file, same_file, saving_every
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
from equilibrist.poker.postflop.solving.checkpoint import (
    SpotCheckpoint,
    check_new,
    saver,
)
from equilibrist.poker.postflop.solving.perturbed import (
    Cost,
    iterations_needed,
    perturbation_of,
)
from equilibrist.poker.postflop.solving.run import SAVE_EVERY, PriorRun, Save, solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import checked_run
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.stopping import Stop, StopRule, merge_stop
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.archive import check_writable
from equilibrist.storage.kinds.file_kinds import SPOT_CHECKPOINT


@shows_progress
def solve(
    spot: Spot,
    algorithm: Variant | str | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    storage: Storage | None = None,
    tremble: float | None = None,
    quantal: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    resume: bool | str | os.PathLike[str] | None = False,
) -> PostflopResult:
    """Solve a spot until the first of several limits is reached.

    With no limit at all the run ends at 0.3 % of the pot, at the latest after 1,000 iterations.

    Args:
        spot: What to solve.
        algorithm: A variant of CFR, by its name, such as `dcfr(gamma=3)`, or as a Variant. The
            default is `dcfr(alpha=1.4, beta=0.2, gamma=5)`, for int16 `dcfr-restarts`.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds from the call on, preparing and compiling included; at least one
            iteration is made.
        target: The exploitability that ends the run, with rake the mean gain: `"0.3%"` of the pot,
            or `"0.5c"` in chips. A number without a unit is refused.
        callbacks: Functions called as the run progresses; a single function is taken as
            `on_progress`.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions, without callbacks, if the run takes longer than a second.
        storage: How regrets and strategy sums are stored: float32 (the default), int16 in half
            the memory, or float64 in twice as much. Small spots, of at most 8 MB in float32, go on
            in float64 after 1,000 iterations, in 16 bits after 100.
        tremble: Every action is played with at least this probability by every hand, but for
            decisions with locks. The exploitability is that of what is played, in the spot without
            trembles.
        quantal: Play is a logit response: a hand plays an action the more seldom the more EV it
            loses, by a factor of e for each loss of this share of the pot. It takes the place of
            an algorithm.
        threads: Threads to work with, by default one for each processor that the process may use.
            Their number changes no bit of the result.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        checkpoint: A file that takes the whole state every `checkpoint_every` seconds, and when the
            run stops. If it cannot be written, the run ends with what it has and a RuntimeWarning,
            and the `failure` of the result says why.
        checkpoint_every: Seconds between two checkpoints, 0 for as often as possible.
        resume: True to resume `checkpoint`, or the file to resume. Its run must be of this spot;
            `poker.resume` needs no spot.

    Returns:
        The solution, also after an interrupt (Ctrl-C).

    Raises:
        ConfigError: An argument is wrong.
        MemoryBudgetError: The spot does not fit into `memory`; nothing has been allocated then.
        OutputError: The checkpoint cannot be written there.
        CheckpointError: The file holds another run.

    Warns:
        UserWarning: Sizes may not be meant, see `Spot.warnings`.
    """
    checked_spot(spot)
    listeners = timed(as_callbacks(callbacks))
    limits = merge_stop(
        stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target
    )
    path = resumed_file(resume, checkpoint)
    if path is not None:
        saved = SpotCheckpoint(path)
        saved.check_run(spot, storage, tremble, quantal)
        return _go_on(
            saved, algorithm, limits, listeners, threads, memory, checkpoint, checkpoint_every
        )
    since, least = listeners.clock.counts_from, iterations_needed(quantal)
    rule = read_stop(spot.value_unit, Stop(**limits), since=since, least=least)
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=checkpoint is not None)
    stored: Storage = "float32" if storage is None else storage
    perturbation_of(spot, tremble, quantal, stored, algorithm)
    threads, variant = checked_run(stored, threads, algorithm)
    cost = Cost.of(variant, tremble, quantal)
    check_fits(
        spot, memory, stored, predicts=cost.predicts, responds=cost.responds, threads=threads,
        iterations=rule.iterations,
    )  # fmt: skip
    if checkpoint is not None:
        check_new(checkpoint)
    for text in spot.warnings:
        warnings.warn(text, stacklevel=2)
    listeners.stage(f"preparing {spot.board}")
    solver = SpotSolver(
        spot,
        variant if quantal is None else None,
        storage=stored,
        threads=threads,
        tremble=tremble,
        quantal=quantal,
    )
    save = None if checkpoint is None else saver(solver, checkpoint)
    listeners.stage("solving")
    solver.on_stage = listeners.stage
    try:
        return _solved(spot, solver, rule, listeners, save, every)
    finally:
        solver.close()


@shows_progress
def resume(
    path: str | os.PathLike[str],
    algorithm: Variant | str | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    threads: int | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
) -> PostflopResult:
    """Resume a run that `solve` saved; the result is bit-identical to an uninterrupted run.

    Spot, storage, algorithm, trembles and logit responses are those of the run. With no limit at
    all it ends at 0.3 % of the pot, at the latest at the next thousand iterations.

    Args:
        path: The checkpoint.
        algorithm: The variant of the run; needed only if it is one of your own.
        stop: As in `solve`.
        iterations: The most iterations, those before the checkpoint included.
        seconds: The most seconds from the call on.
        target: As in `solve`.
        callbacks: As in `solve`.
        progress: As in `solve`.
        threads: As in `solve`.
        memory: As in `solve`.
        checkpoint: Where to save from now on, by default to the same file.
        checkpoint_every: As in `solve`.

    Returns:
        The solution.

    Raises:
        CheckpointError: The file cannot be resumed.
        ConfigError: An argument is wrong.
        MemoryBudgetError: The spot does not fit into `memory`.
        OutputError: The checkpoint cannot be written.
    """
    listeners = timed(as_callbacks(callbacks))
    limits = merge_stop(
        stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target
    )
    saved = SpotCheckpoint(path)
    return _go_on(
        saved, algorithm, limits, listeners, threads, memory, checkpoint, checkpoint_every
    )


def _go_on(
    saved: SpotCheckpoint,
    algorithm: Variant | str | None,
    limits: Mapping[str, Any],
    callbacks: Callbacks,
    threads: int | None,
    memory: int | None,
    checkpoint: str | os.PathLike[str] | None,
    checkpoint_every: float,
) -> PostflopResult:
    """Solve on from a checkpoint, and save to the same file unless another is given."""
    path, spot = saved.path, saved.spot
    since = callbacks.clock.counts_from
    least = iterations_needed(saved.quantal)
    rule = read_stop(
        spot.value_unit, Stop(**limits), done=saved.iteration, since=since, least=least
    )
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=True)
    variant = saved.as_run(algorithm)
    cost = Cost.of(variant, saved.tremble, saved.quantal)
    check_fits(
        spot, memory, saved.storage, predicts=cost.predicts, responds=cost.responds,
        threads=threads, iterations=rule.iterations,
    )  # fmt: skip
    if checkpoint is None or same_file(file_name("checkpoint", checkpoint), path):
        checkpoint = path
        check_writable(path, SPOT_CHECKPOINT)
    else:
        check_new(checkpoint)
    saved.refuse_past("iterations", saved.iteration, rule.iterations)
    callbacks.stage(f"preparing {spot.board}")
    solver = saved.solver(threads, variant)
    save, prior = saver(solver, checkpoint), PriorRun(saved.trace, saved.seconds)
    callbacks.stage("solving")
    solver.on_stage = callbacks.stage
    try:
        return _solved(spot, solver, rule, callbacks, save, every, prior)
    finally:
        solver.close()


def _solved(
    spot: Spot,
    solver: SpotSolver,
    stop: StopRule,
    callbacks: Callbacks,
    save: Save | None,
    save_every: float,
    prior: PriorRun = PriorRun(),  # noqa: B008 - it is frozen
) -> PostflopResult:
    """As `run.solved`; the solution says what keeps play alive everywhere, if anything does."""
    if solver.perturbation is None:
        return solved(spot, solver, stop, callbacks, save, save_every, prior)
    solution = solved(
        spot,
        solver,
        stop,
        callbacks,
        save,
        save_every,
        prior,
        is_ready=lambda: solver.has_cooled,
    )
    with noted_interrupts():  # a last pass, and then there is something to show
        gain = solver.trembling_gain()
    return replace(
        solution,
        tremble=solver.tremble,
        quantal=solver.quantal,
        trembling_gain=gain,
        temperature=solver.temperature,
    )
