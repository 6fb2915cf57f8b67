"""`solve`: from a game and options to a Result."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from equilibrist._jit import cache_is_warm
from equilibrist.errors import ConfigError, MemoryBudgetError, OutputError
from equilibrist.evaluation.families import describe
from equilibrist.game import DEFAULT_MAX_DEPTH, Game
from equilibrist.game_loading import as_game, compile_game
from equilibrist.parsing.arguments import function
from equilibrist.results import Result
from equilibrist.results.solution_file import KIND as SOLUTION
from equilibrist.solvers.full_traversal.fsicfr import FixedStrategyIteration
from equilibrist.solvers.run.checkpoint import KIND as CHECKPOINT
from equilibrist.solvers.run.checkpoint import load_checkpoint
from equilibrist.solvers.sampling.mccfr import refuse_unfit
from equilibrist.solvers.sampling.ray_cluster import check_cluster
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm, Rule, get_algorithm, read_sampler
from equilibrist.solving.config import EXACT, Output, SolveConfig
from equilibrist.solving.files import check_files
from equilibrist.solving.fixed_strategy import run_fsicfr
from equilibrist.solving.guarantee import guarantee
from equilibrist.solving.methods import Finished, Listeners, match_regrets, run_cfr, solve_exactly
from equilibrist.solving.result import Progress
from equilibrist.solving.sampling import run_mccfr
from equilibrist.solving.warm_start import Found, find_strategy
from equilibrist.solving.writing import ResultWriter
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.protocol import complete_rules, full_recall_of, recalls

AnyPath = str | os.PathLike[str]


def solve(
    game: str | Game[Any] | GameTree,
    algorithm: str | Algorithm | None = None,
    *,
    iterations: int | None = None,
    target: float | None = None,
    time: float | None = None,
    seed: int = 0,
    simultaneous: bool = False,
    sampler: str | None = None,
    averaging: str | None = None,
    averaging_every: int | None = None,
    period: int | None = None,
    threads: int = 1,
    shared: bool = False,
    executor: str | None = None,
    address: str | None = None,
    epsilon: float | None = None,
    tau: float | None = None,
    beta: float | None = None,
    k: int | None = None,
    baseline: str | None = None,
    prune: float | None = None,
    output: Output = "average",
    out: AnyPath | None = None,
    plot: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath = False,
    warm_start: Strategy | AnyPath | None = None,
    warm_iterations: int = 100,
    max_histories: int | None = None,
    memory: int | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
    callback: Callable[[Progress], bool | None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_walk: Callable[[int], None] | None = None,
) -> Result:
    """Solve a game and measure, by true best responses, how good the strategy is.

    `game` is a name (`load_game`), a game or a compiled game; `algorithm` a name (`dcfr`,
    `dcfr(gamma=3)`, `apcfr+`, `my.py:MyVariant`, `fsicfr`, `lp`, `regret-matching`,
    `regret-matching+`), a Variant or a LocalRule.

    The run stops after `iterations`, once exploitability (NashConv where that has no meaning) is
    at most `target` (payoff units), or after `time` seconds, whichever comes first. The time counts
    from when solving begins: walking the rules and compiling come before it. With none of them:
    at 1e-4 of the game's payoff range, or after 10,000 iterations. Ctrl-C stops it as well, after
    the present slice (50 ms, or one iteration; with threads one period), and the result is what it
    has. `simultaneous` updates all players from one profile; `output` is the average strategy,
    which converges, or the last one played.

    `sampler` names what an iteration draws (`external`, `outcome(epsilon=0.4)`); without one it is
    a full pass. `epsilon`, `tau`, `beta`, `k`, `baseline` and `prune` are parameters of some
    samplers. `averaging` is one of its averages, or `walk`, `full` or `snapshots` every
    `averaging_every` iterations; `period` is the number of iterations between two discounts. With a
    sampler the default algorithm is `cfr` instead of `dcfr`, and the default end is at 1e-3 of the
    payoff range, or after 1,000,000 iterations; it is measured when ten times a measurement's cost
    has gone into sampling.
    `threads` of them sample side by side, on one `shared` table or on tables that are merged after
    every period; `executor` and `address` say where else they may run (see `MCCFR`).

    `out` and `plot` (SVG or PNG) are written at the end; that they can be is checked at the
    start. `checkpoint` is written at the start, every `checkpoint_every` seconds (not more often
    than costs 5 % of the time) and when the run stops. `resume` goes on from `checkpoint` (True)
    or from another file, with the same bits as if there had been no break; a checkpoint is never
    overwritten by a run that does not resume it.

    `warm_start`, a Strategy, a table or a solution file, is what CFR goes on from, as if
    `warm_iterations` iterations had played it (`warm_state`); they count as iterations.

    `max_histories` and `memory` (bytes) bound the compiled game; a line of play of more than
    `max_depth` moves counts as endless. `callback` is told the Progress
    after every measurement and about 20 times a second, and stops the run by returning False.
    `on_stage` is told what is going on, `on_walk` the number of histories so far. `seed` is for
    what draws at random: samplers, fsicfr and regret matching.

    `fsicfr` works on the states of a game, in which histories may meet; its strategy is given and
    measured in the game's `full_recall()`, if it has one (`ForgetfulGame`).

    Raises ConfigError, UnknownNameError, GameSpecError, GameError, RecallError,
    MemoryBudgetError, CheckpointError, UnsupportedError, ClusterError, OutputError.
    """
    for name, told in (("callback", callback), ("on_stage", on_stage), ("on_walk", on_walk)):
        if told is not None:
            function(name, told)
    parameters = {"epsilon": epsilon, "tau": tau, "beta": beta, "k": k}
    drawn = read_sampler(sampler, {**parameters, "baseline": baseline, "prune": prune})
    found = get_algorithm(algorithm, sampled=drawn is not None)
    config = SolveConfig.build(
        algorithm=found if isinstance(found, str) else found.name,
        iterations=iterations,
        target=target,
        time=time,
        seed=seed,
        simultaneous=simultaneous,
        sampler=drawn,
        averaging=averaging,
        averaging_every=averaging_every,
        period=period,
        threads=threads,
        shared=shared,
        executor=executor,
        address=address,
        output=output,
        out=out,
        plot=plot,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
        warm_start=_said(warm_start),
        warm_iterations=warm_iterations,
        max_histories=max_histories,
        memory=memory,
        max_depth=max_depth,
    )
    warm = None if warm_start is None else find_strategy(warm_start)
    place = config.out
    save = None if place is None else lambda result: result.save(place)
    writer = ResultWriter[Result](save, config.plot)
    listeners = Listeners(callback, on_stage or _ignore, on_walk)
    result = writer.write(*run_solve(game, found, config, listeners, warm))
    writer.raise_failures()
    return result


def run_solve(
    game: str | Game[Any] | GameTree,
    algorithm: Algorithm | str,
    config: SolveConfig,
    tell: Listeners,
    warm: Found | None = None,
) -> tuple[Result, OutputError | None]:
    """Solve as `config` says, with `algorithm` found already; nothing but checkpoints is written.

    `warm` finds the strategy that `config.warm_start` names.

    Returns the result, and what kept a checkpoint from being written and thereby ended the run.
    That `config.out` and `config.plot` can be written is checked. Raises as `solve` does.
    """
    if config.sampler is not None and isinstance(algorithm, Rule):
        refuse_unfit(as_variant(algorithm))
    if config.warm_start is not None and isinstance(algorithm, LocalRule):
        raise ConfigError(
            f"warm_start is a strategy, which does not say what {algorithm.name} remembers beside "
            "it",
            option="warm_start",
            given=config.warm_start,
            remedy="leave it out, or use cfr, dcfr or another variant",
        )
    if not isinstance(algorithm, str) and algorithm.needs_horizon and config.iterations is None:
        raise ConfigError(
            f"{algorithm.name} plans its schedule over the whole run",
            option="iterations",
            remedy="give iterations (target and time may stop it earlier)",
        )
    return _Run(config, tell, warm).run(game, algorithm)


def _said(warm_start: Strategy | AnyPath | None) -> str | None:
    """A warm start as results remember it."""
    if isinstance(warm_start, Strategy):
        return f"a strategy of {warm_start.tree.name}"
    return None if warm_start is None else str(warm_start)


def _rules_of(game: str | Game[Any] | GameTree) -> Game[Any]:
    return game.game if isinstance(game, GameTree) else as_game(game)


def _ignore(_stage: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class _Run:
    """One call of `solve`: its options and who listens."""

    config: SolveConfig
    listeners: Listeners
    warm: Found | None

    def run(
        self, game: str | Game[Any] | GameTree, algorithm: Algorithm | str
    ) -> tuple[Result, OutputError | None]:
        saved = check_files(self.config, SOLUTION, CHECKPOINT, load_checkpoint)
        if self.config.executor == "ray":
            check_cluster(self.config.address)
        if isinstance(algorithm, FixedStrategyIteration):
            tree = self.compile_recalled(game)
            finished = run_fsicfr(_rules_of(game), tree, self.config, self.listeners, saved)
            return self.result(tree, algorithm, finished), finished.failure
        tree = self.compile(game)
        if self.config.sampler is not None and isinstance(algorithm, Variant):
            finished = run_mccfr(tree, algorithm, self.config, self.listeners, saved)
        elif not isinstance(algorithm, str):
            start = None if self.warm is None else self.warm(tree)
            finished = run_cfr(tree, algorithm, self.config, self.listeners, saved, start)
        elif algorithm in EXACT:
            finished = solve_exactly(tree, self.listeners)
        else:
            finished = match_regrets(tree, self.config, self.listeners)
        return self.result(tree, algorithm, finished), finished.failure

    def compile_recalled(self, game: str | Game[Any] | GameTree) -> GameTree:
        """The game in which nobody forgets, where strategies can be measured."""
        rules = _rules_of(game)
        if recalls(rules):
            return self.compile(game)
        try:
            return self.compile(full_recall_of(rules))
        except MemoryBudgetError as error:
            raise MemoryBudgetError(
                error.found,
                error.histories,
                error.estimate,
                option=error.option,
                given=error.given,
                remedy=f"What {rules.name} gives is measured there: raise --max-histories or "
                f"--memory, choose smaller parameters, or use FSICFR in Python, which needs no "
                f"tree and measures nothing",
            ) from None

    def compile(self, game: str | Game[Any] | GameTree) -> GameTree:
        """Load and walk, unless that has been done."""
        if isinstance(game, GameTree):
            return game
        rules = complete_rules(as_game(game))  # a misspelt name needs no stage
        warm = cache_is_warm("equilibrist.kernels.tree.build.link")
        first = "" if warm else ", compiling (first run only)"
        self.listeners.on_stage(f"walking the rules{first}")
        return compile_game(
            rules,
            max_histories=self.config.max_histories,
            memory=self.config.memory,
            max_depth=self.config.max_depth,
            progress=self.listeners.on_walk,
        )

    def result(self, tree: GameTree, algorithm: Algorithm | str, finished: Finished) -> Result:
        """What was found and what it proves."""
        config = self.config
        family = describe(finished.strategy)
        return Result(
            game=tree.name,
            algorithm=config.algorithm,
            iterations=finished.iterations,
            seconds=finished.seconds,
            strategy=finished.strategy,
            evaluation=finished.evaluation,
            trace=finished.trace,
            stopped_by=finished.stopped_by,
            target=finished.target,
            config=config.model_dump(mode="json"),
            guarantee=guarantee(tree, finished, algorithm, config),
            notes=finished.notes,
            family=None if family is None else family.to_dict(),
            versions=versions(),
            details=finished.details,
        )
