"""`solve`: from a game and options to a SolveResult."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from equilibrist._jit import cache_is_warm
from equilibrist.archive import check_writable
from equilibrist.errors import CheckpointError, ConfigError, GameError
from equilibrist.evaluation import Evaluation, evaluate, evaluate_behaviour
from equilibrist.game import Game
from equilibrist.solution import KIND as SOLUTION
from equilibrist.solvers import checkpoint as checkpoints
from equilibrist.solvers.cfr import CFR
from equilibrist.solvers.run import Loop, Moment, Stop, TracePoint
from equilibrist.solvers.variant import Variant
from equilibrist.solving.algorithm import get_algorithm
from equilibrist.solving.config import (
    DEFAULT_ALGORITHM,
    DEFAULT_ITERATIONS,
    DEFAULT_TARGET_SHARE,
    EXACT,
    Output,
    SolveConfig,
)
from equilibrist.solving.guarantee import guarantee
from equilibrist.solving.result import Progress, SolveResult, StoppedBy
from equilibrist.solving.versions import versions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, compile_game

Callback = Callable[[Progress], bool | None]
AnyPath = str | os.PathLike[str]

WALKING = "walking the rules"
COMPILING = "compiling (first run only)"
SOLVING = "solving"


def solve(
    game: str | Game[Any] | GameTree,
    algorithm: str | Variant = DEFAULT_ALGORITHM,
    *,
    iterations: int | None = None,
    target: float | None = None,
    time: float | None = None,
    seed: int = 0,
    simultaneous: bool = False,
    output: Output = "average",
    out: AnyPath | None = None,
    plot: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath = False,
    max_histories: int | None = None,
    memory: int | None = None,
    callback: Callback | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_walk: Callable[[int], None] | None = None,
) -> SolveResult:
    """Solve a game and measure, by true best responses, how good the strategy is.

    `game` is a name (`load_game`), a game or a compiled game; `algorithm` a name (`dcfr`,
    `dcfr(gamma=3)`, `my.py:MyVariant`, `lp`, `regret-matching`, `regret-matching+`) or a Variant.

    The run stops after `iterations`, once exploitability (NashConv where that has no meaning) is
    at most `target` (payoff units), or after `time` seconds of this call, whichever comes first.
    With none of them: at 1e-4 of the game's payoff range, or after 10,000 iterations. Ctrl-C
    stops it as well, and the result is what it has. `simultaneous` updates all players from
    one profile; `output` is the average strategy, which converges, or the last one played.

    `out` and `plot` (SVG or PNG) are written at the end; that they can be is checked at the
    start. `checkpoint` is written every `checkpoint_every` seconds (not more often than costs 5 %
    of the time), on Ctrl-C and at the end. `resume` goes on from `checkpoint` (True) or from
    another file, with the same bits as if there had been no break; an existing checkpoint is
    never overwritten by a run that does not resume it.

    `max_histories` and `memory` (bytes) bound the compiled game. `callback` is told the Progress
    about 20 times a second and stops the run by returning False; `on_stage` is told what is going
    on, `on_walk` the number of histories so far. `seed` is for algorithms that draw at random.

    Raises ConfigError, UnknownNameError, GameSpecError, GameError, RecallError,
    MemoryBudgetError, CheckpointError, UnsupportedError, OutputError.
    """
    found = get_algorithm(algorithm)
    config = SolveConfig.build(
        algorithm=found if isinstance(found, str) else found.name,
        iterations=iterations,
        target=target,
        time=time,
        seed=seed,
        simultaneous=simultaneous,
        output=output,
        out=out,
        plot=plot,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
        max_histories=max_histories,
        memory=memory,
    )
    if not isinstance(found, str) and found.needs_horizon and iterations is None:
        raise ConfigError(
            f"{found.name} plans its schedule over the whole run: give iterations "
            f"(target and time may stop it earlier)"
        )
    session = _Session(config, callback, on_stage or _ignore, on_walk)
    return session.run(game, found)


def _ignore(_stage: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class _Session:
    """One call of `solve`: its options and who listens."""

    config: SolveConfig
    callback: Callback | None
    on_stage: Callable[[str], None]
    on_walk: Callable[[int], None] | None

    def run(self, game: str | Game[Any] | GameTree, algorithm: Variant | str) -> SolveResult:
        saved = self.check_files()
        tree = self.compile(game)
        if isinstance(algorithm, Variant):
            result = self.iterate(tree, algorithm, saved)
        elif algorithm in EXACT:
            result = self.solve_exactly(tree)
        else:
            result = self.match_regrets(tree, plus=algorithm.endswith("+"))
        return self.write(result)

    def check_files(self) -> checkpoints.Checkpoint | None:
        """Whatever could go wrong with files goes wrong now; returns what is resumed."""
        config = self.config
        if config.out is not None:
            check_writable(config.out, SOLUTION)
        if config.plot is not None:
            check_writable(config.plot)
        saved = None
        if config.resume is not None:
            saved = checkpoints.load_checkpoint(config.resume)
        target = config.saves_to
        if target is None:
            return saved
        if target.exists() and target != config.resume:
            raise _exists(target)
        check_writable(target, checkpoints.KIND)
        return saved

    def compile(self, game: str | Game[Any] | GameTree) -> GameTree:
        """Load and walk, unless that has been done."""
        if isinstance(game, str):
            from equilibrist.games import load_game

            game = load_game(game)
        if isinstance(game, GameTree):
            return game
        self.on_stage(WALKING)
        return compile_game(
            game,
            max_histories=self.config.max_histories,
            memory=self.config.memory,
            progress=self.on_walk,
        )

    def iterate(
        self, tree: GameTree, variant: Variant, saved: checkpoints.Checkpoint | None
    ) -> SolveResult:
        """CFR until something stops it."""
        config = self.config
        stop, notes = self.stopping(tree)
        alternating = False if config.simultaneous else None
        horizon = config.iterations if variant.needs_horizon else None
        if not cache_is_warm():
            self.on_stage(COMPILING)
        solver = CFR(tree, variant, alternating=alternating, horizon=horizon)
        identity = checkpoints.identify(solver, config.output) if config.saves_to else None
        if saved is not None:
            assert identity is not None
            notes += self.restore(solver, saved, identity, stop)
        measure = _measure(solver, config.output)
        CFR(tree, variant, alternating=alternating, horizon=horizon).run(1)  # loads the kernels
        measure()
        self.on_stage(SOLVING)
        outcome = Loop(
            solver,
            measure,
            stop,
            trace=saved.trace if saved else (),
            seconds=saved.seconds if saved else 0.0,
            report=self.reporter(stop.target),
            save=self.saver(solver, identity),
            save_every=config.checkpoint_every,
        ).run()
        last = config.output == "last"
        strategy = solver.current_strategy() if last else solver.average_strategy()
        return self.result(
            strategy,
            outcome.measured,
            outcome.stopped_by,
            iterations=solver.iteration,
            seconds=outcome.seconds,
            trace=outcome.trace,
            target=stop.target,
            notes=notes,
        )

    def stopping(self, tree: GameTree) -> tuple[Stop, list[str]]:
        """When to stop, and what must be said about it."""
        config = self.config
        if not config.uses_default_stop:
            return Stop(config.iterations, config.target, config.time), self.seed_note()
        target = DEFAULT_TARGET_SHARE * tree.payoff_range
        zero_sum = tree.num_players == 2 and tree.is_constant_sum
        measure = "exploitability" if zero_sum else "NashConv"
        note = (
            f"No stopping option was given: stops at {measure} {target:g} "
            f"({DEFAULT_TARGET_SHARE:g} of the payoff range), at the latest after "
            f"{DEFAULT_ITERATIONS:,} iterations."
        )
        return Stop(DEFAULT_ITERATIONS, target), [note, *self.seed_note()]

    def seed_note(self) -> list[str]:
        if self.config.seed == 0:
            return []
        return [f"The seed changes nothing: {self.config.algorithm} draws nothing at random."]

    def restore(
        self,
        solver: CFR,
        saved: checkpoints.Checkpoint,
        identity: checkpoints.Identity,
        stop: Stop,
    ) -> list[str]:
        """Put the solver where the checkpoint stands."""
        path = self.config.resume
        assert path is not None
        saved.check(identity, path)
        done = saved.state.iteration
        if stop.iterations is not None and done > stop.iterations:
            raise CheckpointError(
                f"{path} already stands at iteration {done:,}, asked for {stop.iterations:,}: give "
                f"more iterations, or start afresh under another name",
                path,
            )
        solver.restore(saved.state)
        notes = [f"Resumed from {path} at iteration {done:,}."]
        now = versions()
        changed = [f"{k} {v}" for k, v in saved.versions.items() if now.get(k) != v]
        if changed:
            notes.append(
                f"The checkpoint was written by {', '.join(changed)}: the last digits may differ "
                f"from those of a run without a break."
            )
        return notes

    def reporter(self, target: float | None) -> Callable[[Moment[Evaluation]], bool | None] | None:
        callback = self.callback
        if callback is None:
            return None

        def report(moment: Moment[Evaluation]) -> bool | None:
            return callback(
                Progress(
                    iteration=moment.iteration,
                    seconds=moment.seconds,
                    evaluation=moment.measured,
                    evaluated_at=moment.measured_at,
                    iterations_per_second=moment.iterations_per_second,
                    eta_seconds=moment.eta_seconds,
                    target=target,
                )
            )

        return report

    def saver(
        self, solver: CFR, identity: checkpoints.Identity | None
    ) -> Callable[[tuple[TracePoint, ...], float], None] | None:
        """What writes the checkpoint; a new run writes its first one at once."""
        path = self.config.saves_to
        if path is None or identity is None:
            return None
        known = versions()

        def save(trace: tuple[TracePoint, ...], seconds: float, overwrite: bool = True) -> None:
            checkpoints.save_checkpoint(
                path,
                solver,
                identity,
                trace=trace,
                seconds=seconds,
                versions=known,
                overwrite=overwrite,
            )

        if path != self.config.resume:
            save((), 0.0, overwrite=False)
        return save

    def solve_exactly(self, tree: GameTree) -> SolveResult:
        """The sequence-form linear programme."""
        from equilibrist.solvers.lp import solve_lp

        self.on_stage(SOLVING)
        start = clock.perf_counter()
        found = solve_lp(tree)
        seconds = clock.perf_counter() - start
        result = self.result(found.strategy, evaluate(found.strategy), "exact", seconds=seconds)
        return replace(result, details=found)

    def match_regrets(self, tree: GameTree, *, plus: bool) -> SolveResult:
        """Regret matching on a game in normal form."""
        from equilibrist.solvers.matching import run_regret_matching

        count = self.config.iterations or DEFAULT_ITERATIONS
        self.on_stage(SOLVING)
        start = clock.perf_counter()
        found = run_regret_matching(tree.game, count, plus=plus, seed=self.config.seed)
        seconds = clock.perf_counter() - start
        rows = {}
        for i, key in enumerate(tree.infoset_keys):
            rows[key] = found.average_strategy[int(tree.infoset_player[i])]
        strategy = Strategy.from_dict(tree, rows)
        notes = []
        if self.config.iterations is None:
            notes.append(f"No iterations were given: stops after {count:,}.")
        result = self.result(
            strategy,
            evaluate(strategy),
            "iterations",
            iterations=count,
            seconds=seconds,
            notes=notes,
        )
        return replace(result, details=found)

    def result(
        self,
        strategy: Strategy,
        evaluation: Evaluation,
        stopped_by: StoppedBy,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        trace: tuple[TracePoint, ...] = (),
        target: float | None = None,
        notes: list[str] | None = None,
    ) -> SolveResult:
        config = self.config
        return SolveResult(
            game=strategy.tree.name,
            algorithm=config.algorithm,
            iterations=iterations,
            seconds=seconds,
            strategy=strategy,
            evaluation=evaluation,
            trace=trace,
            stopped_by=stopped_by,
            target=target,
            config=config,
            guarantee=guarantee(strategy.tree, evaluation, output=config.output),
            notes=tuple(notes or ()),
            family=None,
            versions=versions(),
        )

    def write(self, result: SolveResult) -> SolveResult:
        """Write what was asked for."""
        if self.config.out is not None:
            result = result.save(self.config.out)
        if self.config.plot is not None:
            result.plot(self.config.plot)
        return result


def _exists(path: Path) -> CheckpointError:
    """A run that resumes nothing must not overwrite what another one reached."""
    try:
        saved = checkpoints.load_checkpoint(path)
        what = (
            f"a checkpoint of {saved.identity.game} with {saved.identity.algorithm} at iteration "
            f"{saved.state.iteration:,}"
        )
        remedy = "resume it, or choose another name or remove it to start afresh"
    except CheckpointError:
        what, remedy = "not a checkpoint that can be read", "choose another name"
    return CheckpointError(f"{path} exists and is {what}: {remedy}", path)


def _measure(solver: CFR, output: Output) -> Callable[[], Evaluation]:
    """What the loop measures: the average, or the strategy played next."""

    def measure() -> Evaluation:
        last = output == "last"
        behaviour = solver.current_behaviour() if last else solver.average_behaviour()
        found = evaluate_behaviour(solver.tree, behaviour)
        if found.nash_conv - found.nash_conv != 0.0:  # infinite or NaN
            raise GameError(
                f"the numbers left the range of floating point by iteration "
                f"{solver.iteration:,}: scale the payoffs of {solver.tree.name} down"
            )
        return found

    return measure
