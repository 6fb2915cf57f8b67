"""The methods for a compiled game: CFR in the driver loop, regret matching, linear programming."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.errors import CheckpointError, GameError, OutputError
from equilibrist.evaluation import Evaluation, evaluate, evaluate_behaviour
from equilibrist.progress import Callbacks, progress_of
from equilibrist.results import Details, Result
from equilibrist.solvers.full_traversal.abstract_cfr_br import AbstractCFRBR
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.best_response_solvers import AgainstBestResponses
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR
from equilibrist.solvers.full_traversal.mixed_play import MixedCFR, MixedRule
from equilibrist.solvers.full_traversal.mixing import Trembles
from equilibrist.solvers.full_traversal.public_order import PublicOrderSolver
from equilibrist.solvers.full_traversal.tree_solver import TreeSolver
from equilibrist.solvers.pruning.partial import PartialCFR
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.run.checkpoint import (
    Checkpoint,
    Resumable,
    SavedGameRun,
    save_checkpoint,
)
from equilibrist.solvers.run.loop import Answer, Loop, Outcome, ProgressEvent, Solver
from equilibrist.solvers.run.stall import has_settled
from equilibrist.solvers.run.stopping import StopReason, StopRule
from equilibrist.solvers.run.trace import Schedule, TracePoint
from equilibrist.solving.algorithm import Rule
from equilibrist.solving.config import GAME_CHANGES, GAME_LIMITS, SolveConfig
from equilibrist.solving.kernel_cache import array_kind, load_history_kernel, load_kernels
from equilibrist.solving.modifiers import pruned_traversals, watched_play
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.modifiers.stopping import Stopping, start_beside_far_payoffs
from equilibrist.solving.modifiers.warm_start import warm_state
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import CHECKPOINT
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import PayoffScale, PayoffUnits

if TYPE_CHECKING:
    from equilibrist.solvers.sampling.mccfr import MCCFR

Save = Callable[[tuple[TracePoint, ...], float], None]


class SavedSolver(Resumable, Solver, Protocol):
    """A solver that the driver loop runs, and checkpoints save."""


def _payoff_units(solver: Solver) -> PayoffUnits | None:
    """What payoffs of the game that is solved are written by; None without a tree."""
    tree = getattr(solver, "tree", None)
    return None if tree is None else PayoffScale(tree).units()


def _reporter(
    callbacks: Callbacks, algorithm: str, solver: Solver
) -> Callable[[ProgressEvent[Evaluation]], Answer] | None:
    """Make what the loop calls; None without callbacks."""
    tell, sampled = callbacks.on_progress, _sampling(solver)
    counting = isinstance(solver, PartialCFR | PrunedCFR) or sampled is not None
    if tell is None:
        return None
    units = _payoff_units(solver)

    def report(event: ProgressEvent[Evaluation]) -> Answer:
        evaluation, speed = event.measured, event.iterations_per_second
        traversals = None if sampled is None else speed * len(evaluation.values)
        return tell(
            progress_of(
                event,
                algorithm,
                evaluation.measure_name,
                evaluation=evaluation,
                payoff_units=units,
                trajectories_per_second=traversals,
                nodes_touched=solver.nodes_touched if counting else None,  # type: ignore[attr-defined]
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
    stopped_by: StopReason
    seconds: float
    iterations: int = 0
    trace: tuple[TracePoint, ...] = ()
    target: float | None = None
    notes: tuple[str, ...] = ()
    details: Details | None = None
    failure: OutputError | None = None
    threads: int = 1
    device: CorrelationDevice | None = None

    def result(
        self,
        game: str,
        config: SolveConfig,
        callbacks: Callbacks,
        *,
        guarantee: str,
        threads: int | None,
        **more: Any,
    ) -> Result:
        """The result of the run.

        Args:
            game: The name of the game.
            config: The options of the run.
            callbacks: Who has listened, and whose clock knows what the stages took.
            guarantee: What is proved of the strategy.
            threads: What the result says of threads.
            more: Further fields of the result.

        Returns:
            It.
        """
        return Result(
            game=game,
            algorithm=config.algorithm,
            iterations=self.iterations,
            seconds=self.seconds,
            stages=callbacks.clock.read(),
            strategy=self.strategy,
            evaluation=self.evaluation,
            trace=self.trace,
            stopped_by=self.stopped_by,
            target=self.target,
            config=config.model_dump(mode="json") | {"threads": threads},
            guarantee=guarantee,
            notes=self.notes,
            details=self.details,
            device=self.device,
            **more,
        )


def run_cfr(
    game: Lifting,
    variant: Rule,
    config: SolveConfig,
    callbacks: Callbacks,
    saved: Checkpoint | None,
    start: Strategy | None = None,
) -> RunOutcome:
    """CFR until something stops it, from the beginning, from `saved` or from a strategy."""
    tree = game.solved
    stopping = Stopping(tree, config, callbacks, game.tree)
    stop = stopping.rule
    notes = [*stopping.notes, *game.notes()]
    if config.seed != 0:
        notes.append(f"The seed changes nothing: {variant.name} draws nothing at random.")
    horizon = config.iterations if variant.needs_horizon else None
    notes += watched_play.order_notes(config, variant)
    for option, what in (("tremble", "trembles need"), ("prune", "pruning needs")):
        value = getattr(config, option)
        if value is not None:
            remedy = f"leave out `{option}`, or use an abstraction with perfect recall"
            game.require_recall(what, option=option, value=value, remedy=remedy)
    rule = variant if config.tremble is None else _trembling(variant, config.tremble, tree)

    def solver_of(
        on: GameTree, alternating: bool | None = config.alternating
    ) -> FullTraversals | PrunedCFR:
        if config.prune is not None:
            named = config.model_copy(update={"alternating": alternating})
            return pruned_traversals.pruned_solver(on, variant, named, horizon)
        kind: Callable[..., FullTraversals] = FullTraversals
        if isinstance(rule, MixedRule):
            kind = MixedCFR
        solver = kind(
            on,
            rule,
            alternating=alternating if config.measure is None else False,
            horizon=horizon,
            threads=config.threads if config.measure is None else 1,
        )
        if config.measure is not None:
            watched_play.watch(solver, config, most=stop.iterations, limited=on is tree)
        return solver

    def forgetful_of(tree: GameTree) -> HistoryCFR:
        return HistoryCFR(tree, variant, alternating=config.alternating, horizon=horizon)

    def unmerged_of(tree: GameTree) -> AbstractCFRBR:
        every = np.arange(int(tree.action_offset[-1]))
        return AbstractCFRBR(tree, tree, every, variant, horizon=horizon)  # type: ignore[arg-type]

    solver: FullTraversals | PrunedCFR | PublicOrderSolver
    small_of: Callable[[GameTree], PrunedCFR | PublicOrderSolver | FullTraversals] = solver_of
    kind = ""
    if isinstance(variant, AgainstBestResponses) and game.abstraction and not game.is_trivial:
        whole = game.abstraction.tree
        solver = AbstractCFRBR(tree, whole, game.abstraction.action_of, variant, horizon=horizon)
        small_of, kind = unmerged_of, array_kind(whole)
        notes.append("Each seat learns against best responses that tell all infosets apart.")
    elif game.recalls:
        solver = solver_of(tree)
    else:
        solver, small_of = forgetful_of(tree), forgetful_of
    notes += restored(solver, saved, stopping, config)
    if saved is None and start is None and isinstance(solver, FullTraversals):
        known = stopping.scale if game.is_trivial else None
        notes += start_beside_far_payoffs(solver, lambda: solver_of(tree, False), config, known)
    if start is not None and isinstance(solver, FullTraversals):
        solver.restore(warm_state(solver, start, config.warm_iterations))
        notes.append(
            f"Started from {config.warm_start}, as if {config.warm_iterations:,} iterations had "
            f"played it."
        )
    if isinstance(solver, FullTraversals):
        load_kernels(callbacks, solver.compiled, tree, solver_of, solver.compiled_for)
    else:
        load_history_kernel(callbacks, game.tree, small_of, solver.compiled, kind)
    measure = _measure(solver, config, game)

    def strategy() -> Strategy:
        last = config.output == "last"
        return game.lift(solver.current_strategy() if last else solver.average_strategy())

    with closing(solver):
        outcome = driven(solver, strategy, measure, stopping, config, callbacks, saved=saved)
    details = pruned_traversals.traversal_details(solver, config)
    run_outcome = finished(solver, strategy(), outcome, stopping, notes, details)
    return replace(run_outcome, threads=solver.threads, device=watched_play.kept_device(solver))


def _trembling(variant: Rule, epsilon: float, tree: GameTree) -> MixedRule:
    """The rule with trembles; ConfigError if they are too large, or the rule takes none."""
    hook = Trembles(epsilon)
    hook.mixture(tree)
    return MixedRule(variant, hook)  # type: ignore[arg-type] # which refuses others


def match_regrets(tree: GameTree, config: SolveConfig, callbacks: Callbacks) -> RunOutcome:
    """Regret matching (or regret matching+) on a game in normal form."""
    from equilibrist.solvers.matrix.regret_matching import RegretMatching

    solver = RegretMatching(tree.game, config.algorithm, seed=config.seed)
    owners = tree.infoset_player.tolist()

    def strategy() -> Strategy:
        result = solver.result()
        rows = result.current_strategy if config.output == "last" else result.average_strategy
        table = {key: rows[owners[i]] for i, key in enumerate(tree.infoset_keys)}
        return Strategy.from_dict(tree, table)

    stopping = Stopping(tree, config, callbacks)
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    callbacks.stage("solving")
    stop = stopping.follow(strategy)
    outcome = loop(solver, lambda: evaluate(strategy()), stop, config, callbacks)
    return finished(solver, strategy(), outcome, stopping, stopping.notes, solver.result())


def solve_exactly(game: Lifting, callbacks: Callbacks) -> RunOutcome:
    """The sequence-form linear programme."""
    from equilibrist.solvers.matrix.lp import prepare_lp, solve_lp
    from equilibrist.solvers.matrix.payoffs import check_equilibrium

    game.require_recall(
        "lp needs",
        option="algorithm",
        value="lp",
        expected="cfr, cfr+, dcfr or another variant of CFR, or a sampler",
        remedy="use cfr, cfr+, dcfr or another variant, or a sampler",
    )
    tree = game.solved
    prepare_lp(tree)
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    callbacks.stage("solving")
    start = time.perf_counter()
    solution = solve_lp(tree)
    seconds = time.perf_counter() - start
    check_equilibrium(tree, evaluate(solution.strategy).nash_conv, solution.met)
    strategy = game.lift(solution.strategy)
    return RunOutcome(
        strategy, evaluate(strategy), "exact", seconds, notes=tuple(game.notes()), details=solution
    )


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
    """Run `solver` until something stops it; from `saved` it takes what was before.

    Full traversals with a target as their only limit also end where they come no nearer to it.
    """
    sampled = _sampling(solver)
    target_alone = stop.iterations is None and stop.seconds is None
    return Loop(
        solver,
        measure,
        stop,
        trace=saved.trace if saved else (),
        seconds=saved.seconds if saved else 0.0,
        report=_reporter(callbacks, config.algorithm, solver),
        save=save,
        save_every=config.checkpoint_every,
        schedule=schedule,
        step_multiple=1 if sampled is None else sampled.step_multiple,
        nodes=(lambda: solver.nodes_touched)
        if isinstance(solver, PartialCFR | PrunedCFR)
        else None,
        stalled=has_settled if target_alone and isinstance(solver, TreeSolver) else None,
    ).run()


def restored(
    solver: SavedSolver, saved: Checkpoint | None, stopping: Stopping, config: SolveConfig
) -> list[str]:
    """Go on from a checkpoint, if there is one; what is special about that, in words."""
    if saved is None:
        return []
    saved.restore(solver, output=config.output)
    return resumed(saved, stopping.rule, by_default=config.uses_default_stop)


def driven(
    solver: SavedSolver,
    strategy: Callable[[], Strategy],
    measure: Callable[[], Evaluation],
    stopping: Stopping,
    config: SolveConfig,
    callbacks: Callbacks,
    *,
    saved: Checkpoint | None = None,
    schedule: Schedule = Schedule(),  # noqa: B008 - it is frozen
    stage: str = "solving",
    kind: str = CHECKPOINT,
) -> Outcome[Evaluation]:
    """Run a solver until something stops it, with checkpoints if there is a file for them.

    Args:
        solver: A solver whose runs are saved; where it goes on from `saved`, that has been
            restored.
        strategy: Gives the strategy that is measured.
        measure: Measures it.
        stopping: What stops the run.
        config: The options of the run.
        callbacks: Who listens.
        saved: What was before.
        schedule: When it is measured.
        stage: What the run is called.
        kind: The kind of the checkpoint.

    Returns:
        How it ended.
    """
    save = saver(solver, config, kind)
    callbacks.stage(stage)
    stop = stopping.follow(strategy)
    return loop(solver, measure, stop, config, callbacks, saved=saved, save=save, schedule=schedule)


def finished(
    solver: Solver,
    strategy: Strategy,
    outcome: Outcome[Evaluation],
    stopping: Stopping,
    notes: list[str],
    details: Details | None = None,
) -> RunOutcome:
    """Put together what a run of the loop found."""
    if outcome.stopped_by == "stalled":
        settled = (
            f"Since iteration {solver.iteration // 10:,} {outcome.measured.measure_name} has "
            "fallen by less than 1 %, so the run ended short of its target: it has a floor "
            "above 0, as with an abstraction, trembles, or an algorithm that need not converge in "
            "such a game. Give a higher target, or `iterations` to go on."
        )
        notes = [*notes, settled]
    return RunOutcome(
        strategy,
        outcome.measured,
        outcome.stopped_by,
        outcome.seconds,
        iterations=solver.iteration,
        trace=outcome.trace,
        target=outcome.target,
        notes=(*notes, *stopping.notes_after(outcome.measured, strategy)),
        details=details,
        failure=outcome.failure,
    )


def resumed(saved: SavedGameRun[Any], stop: StopRule, *, by_default: bool) -> list[str]:
    """Note what is special about a resumed run; refuses one that is past its end."""
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


def saver(solver: SavedSolver, config: SolveConfig, kind: str = CHECKPOINT) -> Save | None:
    """Make what writes the checkpoint; a new run writes its first one at once."""
    path = config.saves_to
    if path is None:
        return None
    identity = solver.fingerprint(config.output)
    known, file = versions(), OwnFile(path)
    options = config.model_dump(include=GAME_CHANGES, exclude_defaults=True)
    limits = config.model_dump(include=GAME_LIMITS, exclude_defaults=True)

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        with file.replaced():
            save_checkpoint(
                path,
                solver,
                identity=identity,
                trace=trace,
                seconds=seconds,
                versions=known,
                changes=options,
                limits=limits,
                kind=kind,
            )

    if solver.iteration == 0:
        save((), 0.0)
    return save


def _measure(
    solver: FullTraversals | PublicOrderSolver | PrunedCFR, config: SolveConfig, game: Lifting
) -> Callable[[], Evaluation]:
    """Choose what the loop measures in the full game: the average, or the next strategy."""
    last = config.output == "last"

    def measure() -> Evaluation:
        if not isinstance(solver, FullTraversals) or not game.is_trivial:
            strategy = solver.current_strategy() if last else solver.average_strategy()
            return in_range(game.evaluate(strategy), solver)
        behaviour = solver.current_behaviour() if last else solver.average_behaviour()
        evaluation = in_range(evaluate_behaviour(solver.tree, behaviour, solver.crew), solver)
        return (
            evaluation
            if config.measure is None
            else replace(evaluation, gap=watched_play.played_gap(solver))
        )

    return measure


def in_range(
    evaluation: Evaluation, solver: FullTraversals | PublicOrderSolver | PrunedCFR | MCCFR | FSICFR
) -> Evaluation:
    """`evaluation`; GameError if its numbers have overflowed."""
    if not math.isfinite(evaluation.nash_conv):
        raise GameError(
            f"the numbers have left the range of floating point by iteration {solver.iteration:,}",
            kind="payoffs",
            option="iteration",
            given=solver.iteration,
            remedy=f"scale the payoffs of {solver.tree.name} down",
        )
    return evaluation
