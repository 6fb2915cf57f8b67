"""The methods for a compiled game: CFR in the driver loop, regret matching, linear programming."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from equilibrist._jit import cache_is_warm, mark_warm
from equilibrist._jit.first_run import compiling_text
from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.errors import CheckpointError, GameError, OutputError
from equilibrist.evaluation import Evaluation, evaluate, evaluate_behaviour
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.parsing.arguments import bad_argument
from equilibrist.progress import Callbacks, Progress
from equilibrist.results import Details, StoppedBy
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.crew import SHARED_KERNEL, Crew
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.run.checkpoint import Checkpoint, save_checkpoint
from equilibrist.solvers.run.loop import Loop, Outcome, ProgressEvent, Solver
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import Schedule, TracePoint
from equilibrist.solving import watched_play
from equilibrist.solving.algorithm import Rule
from equilibrist.solving.config import (
    DEFAULT_ITERATIONS,
    DEFAULT_TARGET_SHARE,
    SAMPLING_ITERATIONS,
    SAMPLING_TARGET_SHARE,
    SolveConfig,
)
from equilibrist.solving.files import Saved
from equilibrist.solving.warm_start import warm_state
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

if TYPE_CHECKING:
    from equilibrist.solvers.sampling.mccfr import MCCFR

Save = Callable[[tuple[TracePoint, ...], float], None]


def _reporter(
    callbacks: Callbacks, algorithm: str, target: float | None, sampled: MCCFR | None = None
) -> Callable[[ProgressEvent[Evaluation]], bool | None] | None:
    """What the loop calls, or None without callbacks; `sampled` is a solver that samples."""
    tell = callbacks.on_progress
    if tell is None:
        return None

    def report(event: ProgressEvent[Evaluation]) -> bool | None:
        found, speed = event.measured, event.iterations_per_second
        return tell(
            Progress(
                algorithm=algorithm,
                iteration=event.iteration,
                seconds=event.seconds,
                iterations_per_second=speed,
                eta_seconds=event.eta_seconds,
                measure=found.measure,
                measure_name=found.measure_name,
                measured_at=event.measured_at,
                target=target,
                evaluation=found,
                trajectories_per_second=None if sampled is None else speed * len(found.values),
                nodes_touched=None if sampled is None else sampled.nodes_touched,
                table_bytes=None if sampled is None else sampled.table_bytes,
            )
        )

    return report


@dataclass(frozen=True)
class RunOutcome:
    """What a method found; `failure` is what kept a checkpoint from being written.

    `threads` is how many shared a full traversal, `device` the history of play if it was kept.
    """

    strategy: Strategy
    evaluation: Evaluation
    stopped_by: StoppedBy
    seconds: float
    iterations: int = 0
    trace: tuple[TracePoint, ...] = ()
    target: float | None = None
    notes: tuple[str, ...] = ()
    details: Details | None = None
    failure: OutputError | None = None
    threads: int = 1
    device: CorrelationDevice | None = None


def run_cfr(
    tree: GameTree,
    variant: Rule,
    config: SolveConfig,
    callbacks: Callbacks,
    saved: Checkpoint | None,
    start: Strategy | None = None,
) -> RunOutcome:
    """CFR until something stops it, from the beginning, from `saved` or from a strategy."""
    stop, notes = stopping(tree, config, callbacks.clock.counts_from)
    if config.seed != 0:
        notes.append(f"The seed changes nothing: {variant.name} draws nothing at random.")
    horizon = config.iterations if variant.needs_horizon else None
    notes += watched_play.order_notes(config, variant)

    def solver_of(game: GameTree) -> FullTraversals:
        solver = FullTraversals(
            game,
            variant,
            alternating=config.alternating if config.measure is None else False,
            horizon=horizon,
            threads=config.threads if config.measure is None else 1,
        )
        if config.measure is not None:
            watched_play.watch(solver, config, most=stop.iterations, limited=game is tree)
        return solver

    solver = solver_of(tree)
    if saved is not None:
        saved.restore(solver, output=config.output)
        notes += resumed(saved, stop, by_default=config.uses_default_stop)
    if start is not None:
        solver.restore(warm_state(solver, start, config.warm_iterations))
        notes.append(
            f"Started from {config.warm_start}, as if {config.warm_iterations:,} iterations had "
            f"played it."
        )
    compiled = SHARED_KERNEL if solver.threads > 1 else solver.compiled
    load_kernels(callbacks, compiled, tree, solver_of, variant.compiled_for)
    save = saver(solver, config)
    callbacks.stage("solving")
    measure = _measure(solver, config)
    with closing(solver):
        outcome = loop(solver, measure, stop, config, callbacks, saved=saved, save=save)
    last = config.output == "last"
    strategy = solver.current_strategy() if last else solver.average_strategy()
    found = finished(solver, strategy, outcome, stop, notes)
    return replace(found, threads=solver.threads, device=watched_play.kept_device(solver))


def match_regrets(tree: GameTree, config: SolveConfig, callbacks: Callbacks) -> RunOutcome:
    """Regret matching (or regret matching+) on a game in normal form."""
    from equilibrist.solvers.matrix.regret_matching import RegretMatching

    solver = RegretMatching(tree.game, config.algorithm, seed=config.seed)
    owners = tree.infoset_player.tolist()

    def strategy() -> Strategy:
        found = solver.result()
        rows = found.current_strategy if config.output == "last" else found.average_strategy
        table = {key: rows[owners[i]] for i, key in enumerate(tree.infoset_keys)}
        return Strategy.from_dict(tree, table)

    stop, notes = stopping(tree, config, callbacks.clock.counts_from)
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    callbacks.stage("solving")
    outcome = loop(solver, lambda: evaluate(strategy()), stop, config, callbacks)
    return finished(solver, strategy(), outcome, stop, notes, solver.result())


def solve_exactly(tree: GameTree, callbacks: Callbacks) -> RunOutcome:
    """The sequence-form linear programme."""
    from equilibrist.solvers.matrix.lp import prepare_lp, solve_lp

    prepare_lp(tree)
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    callbacks.stage("solving")
    start = time.perf_counter()
    found = solve_lp(tree)
    seconds = time.perf_counter() - start
    return RunOutcome(found.strategy, evaluate(found.strategy), "exact", seconds, details=found)


def load_kernels(
    callbacks: Callbacks,
    last: str,
    tree: GameTree,
    solver_of: Callable[[GameTree], FullTraversals] | None = None,
    compiled_for: str = "",
) -> None:
    """Have the kernels ready before the clock starts, so that `seconds` counts solving only.

    `last` names one of those that are needed: if it is not on disk, they are compiled now.
    `compiled_for` is what it must be compiled for besides the types of arrays. A small game will
    do, if its arrays are of the same types; `solver_of` is the solver of it.
    """
    kind = array_kind(tree)
    if not cache_is_warm(last, compiled_for + kind):
        callbacks.stage(compiling_text(last))
    else:
        callbacks.clock.enter("loading")
    small = small_game(kind)
    if solver_of is None:
        evaluate(Strategy.uniform(small))
    else:
        trial = solver_of(small)
        if last == SHARED_KERNEL:  # which such a game does without
            trial.use_crew(Crew(small.sequence_form, 1))
        evaluate_behaviour(small, trial.run(1).average_behaviour(), trial.crew)
        if trial.watcher is not None:
            watched_play.played_gap(trial)
    mark_warm(last, compiled_for + kind)


def array_kind(tree: GameTree) -> str:
    """What kernels are compiled for: `two` or `many` players, and bits of a payoff cell."""
    a = tree.sequence_form.arrays
    return f"{'two' if a.outer_index.ndim == 1 else 'many'}-{8 * a.cell.itemsize}"


@cache
def small_game(kind: str) -> GameTree:
    """A game of that kind on which to try what a larger one will need."""
    players, bits = kind.split("-")
    tree = compile_game(load_game("kuhn" if players == "two" else "kuhn(players=3)"))
    if bits == "64":  # no small game needs them: this one is given them in place of its own
        tree.__dict__["sequence_form"] = tree.sequence_form.widened()
    return tree


KINDS = ("two-32", "two-64", "many-32", "many-64")
"""Every `array_kind`."""


def loop(
    solver: Solver,
    measure: Callable[[], Evaluation],
    stop: StopRule,
    config: SolveConfig,
    callbacks: Callbacks,
    *,
    saved: Checkpoint | None = None,
    save: Save | None = None,
    schedule: Schedule = Schedule(),  # noqa: B008 - it is frozen
) -> Outcome[Evaluation]:
    """Run `solver` until something stops it; from `saved` it takes what was before."""
    sampled = _sampling(solver)
    return Loop(
        solver,
        measure,
        stop,
        trace=saved.trace if saved else (),
        seconds=saved.seconds if saved else 0.0,
        report=_reporter(callbacks, config.algorithm, stop.target, sampled),
        save=save,
        save_every=config.checkpoint_every,
        schedule=schedule,
        step_multiple=1 if sampled is None else sampled.step_multiple,
    ).run()


def finished(
    solver: Solver,
    strategy: Strategy,
    outcome: Outcome[Evaluation],
    stop: StopRule,
    notes: list[str],
    details: Details | None = None,
) -> RunOutcome:
    """What a run of the loop found, put together."""
    return RunOutcome(
        strategy,
        outcome.measured,
        outcome.stopped_by,
        outcome.seconds,
        iterations=solver.iteration,
        trace=outcome.trace,
        target=stop.target,
        notes=tuple(notes),
        details=details,
        failure=outcome.failure,
    )


def stopping(
    tree: GameTree, config: SolveConfig, since: float | None = None
) -> tuple[StopRule, list[str]]:
    """When to stop, and what must be said about it; seconds count from `since`."""
    zero_sum = tree.num_players == 2 and tree.is_constant_sum
    if not config.uses_default_stop:
        halved = zero_sum and config.measure is None
        _check_target(config.target, tree.rounding / 2 if halved else tree.rounding)
        return StopRule(config.iterations, config.seconds, config.target, since), []
    share, iterations = DEFAULT_TARGET_SHARE, DEFAULT_ITERATIONS
    if config.draws:
        share, iterations = SAMPLING_TARGET_SHARE, SAMPLING_ITERATIONS
    target = share * tree.payoff_range
    measure = watched_play.measure_words(config, zero_sum)
    note = (
        f"No stopping option was given, so the default holds: until {measure} is at most "
        f"{target:g} ({share:g} of the payoff range), for at most "
        f"{iterations:,} iterations."
    )
    return StopRule(iterations, target=target), [note]


def _check_target(target: float | None, rounding: float) -> None:
    """Refuse a target that rounding alone would meet."""
    if target is not None and target < rounding:
        raise bad_argument(
            "target",
            target,
            f"at least {rounding:.2g}, which double precision tells from 0 with these payoffs",
            remedy="give a larger target, or `iterations`",
        )


def resumed(saved: Saved, stop: StopRule, *, by_default: bool) -> list[str]:
    """What must be said about a resumed run; refuses one that is past its end."""
    done = saved.iteration
    if stop.iterations is not None and done > stop.iterations:
        where = (
            f"the default limit of {stop.iterations:,} iterations; give iterations, a target or a "
            f"time limit"
            if by_default
            else f"the given {stop.iterations:,} iterations; give more"
        )
        raise CheckpointError(
            f"{saved.path} is already at iteration {done:,}, beyond {where}, or start a new run "
            f"under another name",
            saved.path,
            option="iterations",
            given=stop.iterations,
            expected=done,
        )
    notes = [f"Resumed from {saved.path} at iteration {done:,}."]
    now = versions()
    changed = [f"{name} {old}" for name, old in saved.versions.items() if now.get(name) != old]
    if changed:
        notes.append(
            f"The checkpoint was written with {', '.join(changed)}: the last digits may differ "
            f"from those of an uninterrupted run."
        )
    return notes


def _sampling(solver: object) -> MCCFR | None:
    """The solver if it samples; where none was made, nothing of sampling is imported."""
    module = sys.modules.get("equilibrist.solvers.sampling.mccfr")
    return solver if module is not None and isinstance(solver, module.MCCFR) else None


def saver(solver: FullTraversals | MCCFR | FSICFR, config: SolveConfig) -> Save | None:
    """What writes the checkpoint; a new run writes its first one at once."""
    path = config.saves_to
    if path is None:
        return None
    identity = solver.fingerprint(config.output)
    known, file = versions(), OwnFile(path)

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        with file.replaced():
            save_checkpoint(
                path, solver, identity=identity, trace=trace, seconds=seconds, versions=known
            )

    if solver.iteration == 0:
        save((), 0.0)
    return save


def _measure(solver: FullTraversals, config: SolveConfig) -> Callable[[], Evaluation]:
    """What the loop measures: the average, or the strategy played next."""

    def measure() -> Evaluation:
        last = config.output == "last"
        behaviour = solver.current_behaviour() if last else solver.average_behaviour()
        found = in_range(evaluate_behaviour(solver.tree, behaviour, solver.crew), solver)
        return (
            found if config.measure is None else replace(found, gap=watched_play.played_gap(solver))
        )

    return measure


def in_range(found: Evaluation, solver: FullTraversals | MCCFR | FSICFR) -> Evaluation:
    """`found`; GameError if its numbers have overflowed."""
    if not math.isfinite(found.nash_conv):
        raise GameError(
            f"the numbers have left the range of floating point by iteration {solver.iteration:,}",
            kind="payoffs",
            option="iteration",
            given=solver.iteration,
            remedy=f"scale the payoffs of {solver.tree.name} down",
        )
    return found
