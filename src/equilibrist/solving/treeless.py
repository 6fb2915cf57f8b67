"""`solve_without_tree`: from rules and options to a ImplicitResult."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from equilibrist.errors import ConfigError, OutputError
from equilibrist.game import Game
from equilibrist.parsing.arguments import function
from equilibrist.results import ImplicitResult, Sampling
from equilibrist.rules.module import Rules
from equilibrist.rules.strategy import KIND as SOLUTION
from equilibrist.solvers.full_traversal.fsicfr import FixedStrategyIteration
from equilibrist.solvers.implicit import checkpoint as implicit_checkpoint
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.options import opened
from equilibrist.solvers.implicit.samplers import kernel_of
from equilibrist.solvers.implicit.table_run import DEFAULT_MEMORY
from equilibrist.solvers.run.loop import Loop, Moment, Outcome, Stop
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solvers.variants.registry import VARIANTS, as_variant
from equilibrist.solving.algorithm import Algorithm, Rule, get_algorithm
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.files import check_files
from equilibrist.solving.methods import Save, resumed
from equilibrist.solving.treeless_result import TreelessProgress
from equilibrist.solving.writing import ResultWriter
from equilibrist.storage.versions import versions

_NEEDS_TREE: Final = ("target", "plot", "simultaneous")
_NEVER: Final = 1 << 62


def solve_without_tree(
    game: str | Game[Any],
    algorithm: str | Algorithm | None = None,
    *,
    iterations: int | None = None,
    time: float | None = None,
    sampler: str = "external",
    epsilon: float | None = None,
    tau: float | None = None,
    beta: float | None = None,
    k: int | None = None,
    prune: float | None = None,
    averaging: str | None = None,
    averaging_every: int | None = None,
    seed: int = 0,
    period: int | None = None,
    threads: int = 1,
    shared: bool = False,
    executor: str | None = None,
    address: str | None = None,
    memory: int | None = None,
    out: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | str | os.PathLike[str] = False,
    callback: Callable[[TreelessProgress], bool | None] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> ImplicitResult:
    """Solve a game too large for a tree, by sampling on its rules.

    `game` is a rules module, as `rules:liars_dice(dice=2)` or loaded; `algorithm` is cfr (the
    default), lcfr or dcfr. The run stops after `iterations` or after `time` seconds, whichever
    comes first; one of them is needed, as nothing is measured. Ctrl-C stops it as well, after the
    present slice (50 ms, or one iteration; with threads one period). `memory` (bytes, default
    1 GiB) bounds the table of infosets and everything that grows with it: once it is reached,
    infosets without a row are played uniformly, and the others go on learning.

    `sampler`, `averaging` and `averaging_every` are those of `ImplicitMCCFR`; `epsilon`, `tau`,
    `beta`, `k` and `prune` are parameters of samplers. `period` is the number of iterations between
    two discounts, and with `threads` between two merges of their tables; `executor` is "threads" or
    "serial" (`shared` and `address` need a tree). `out`, `checkpoint`, `resume` and
    `checkpoint_every` are as in `solve`. `callback` is told the TreelessProgress about 20 times a
    second (with threads once per period, if that is longer), and stops the run by returning False;
    `on_stage` is told what is going on.

    Raises ConfigError, UnknownNameError, GameSpecError, GameError, MemoryBudgetError,
    CheckpointError, OutputError.
    """
    for name, told in (("callback", callback), ("on_stage", on_stage)):
        if told is not None:
            function(name, told)
    variant = get_algorithm(algorithm, sampled=True)
    parameters = {"epsilon": epsilon, "tau": tau, "beta": beta, "k": k, "prune": prune}
    config = SolveConfig.build(
        algorithm=variant if isinstance(variant, str) else variant.name,
        sampler=sampler_spec(get_sampler(sampler, parameters)),
        iterations=iterations,
        time=time,
        averaging=averaging,
        averaging_every=averaging_every,
        seed=seed,
        period=period,
        threads=threads,
        shared=shared,
        executor=executor,
        address=address,
        memory=memory,
        out=out,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
    )
    place = config.out
    save = None if place is None else lambda found: found.save(place)
    writer = ResultWriter[ImplicitResult](save)
    result = writer.write(*run_without_tree(game, variant, config, callback, on_stage))
    writer.raise_failures()
    return result


def run_without_tree(
    game: str | Game[Any],
    variant: str | Algorithm,
    config: SolveConfig,
    callback: Callable[[TreelessProgress], bool | None] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> tuple[ImplicitResult, OutputError | None]:
    """The same as `config` says; nothing but checkpoints is written.

    Returns the result, and what kept a checkpoint from being written and thereby ended the run.
    """
    if isinstance(variant, str | FixedStrategyIteration):
        name = variant if isinstance(variant, str) else variant.name
        raise ConfigError(
            f"{name} needs the whole tree",
            option="algorithm",
            given=name,
            remedy="use cfr, lcfr or dcfr",
        )
    _refuse_what_needs_a_tree(config)
    rules = opened(game)
    saved = check_files(config, SOLUTION, implicit_checkpoint.KIND, implicit_checkpoint.load)
    say = on_stage or _ignore
    with closing(_solver(rules, variant, config)) as solver:
        _load_kernels(solver, say)
        stop, notes = Stop(config.iterations, None, config.time), []
        seconds = 0.0
        if saved is not None:
            saved.restore(solver)
            notes += resumed(saved, stop, by_default=False)
            seconds = saved.seconds
        say("solving")
        outcome = Loop(
            solver,
            _Unmeasured,
            stop,
            seconds=seconds,
            report=None if callback is None else _reporter(solver, callback),
            save=_saver(solver, config),
            save_every=config.checkpoint_every,
            schedule=Schedule(_NEVER),
            grain=solver.grain,
        ).run()
    return _result(solver, config, outcome, notes), outcome.failure


def _solver(rules: Rules, variant: Rule, config: SolveConfig) -> ImplicitMCCFR:
    assert config.sampler is not None
    return ImplicitMCCFR(
        rules,
        as_variant(variant),
        sampler=config.sampler,
        averaging=config.averaging,
        averaging_every=config.averaging_every,
        seed=config.seed,
        period=config.period,
        threads=config.threads,
        shared=config.shared,
        executor=config.executor,
        address=config.address,
        memory=DEFAULT_MEMORY if config.memory is None else config.memory,
    )


def _load_kernels(solver: ImplicitMCCFR, say: Callable[[str], None]) -> None:
    """Have them ready before the clock starts."""
    from equilibrist.rules.binding import is_compiled

    kernel = kernel_of(solver.sampler)
    if not is_compiled(solver.rules, kernel):
        say("compiling (first run only)")
    solver.load().average_strategy()


@dataclass(frozen=True)
class _Unmeasured:
    """What the loop holds in place of a measurement."""

    values: tuple[float, ...] = ()
    nash_conv: float = math.nan
    exploitability: float | None = None
    measure: float = math.inf
    settled: bool = True


def _ignore(_stage: str) -> None:
    """Nobody listens."""


def _refuse_what_needs_a_tree(config: SolveConfig) -> None:
    """ConfigError for options that have no meaning, and for a run without an end."""
    for name in _NEEDS_TREE:
        if getattr(config, name) != SolveConfig.model_fields[name].default:
            raise ConfigError(
                f"{name} needs the whole tree, and this game is sampled without one",
                option=name,
                given=getattr(config, name),
                remedy="leave it out, or take a smaller game",
            )
    if config.output != "average":
        raise ConfigError(
            "without a tree there is one strategy to give back, the average",
            option="output",
            given=config.output,
            remedy="leave out output",
        )
    if config.iterations is None and config.time is None:
        raise ConfigError(
            "without a tree nothing is measured that could end the run",
            option="iterations",
            remedy="give iterations or time",
        )


class _AgedBound:
    """The bound takes a while to find: found anew when that costs a twentieth of the time."""

    def __init__(self, solver: ImplicitMCCFR) -> None:
        self._solver, self._next = solver, 0.0
        self._found: tuple[float | None, str, float | None] = (None, "", None)

    def __call__(self) -> tuple[float | None, str, float | None]:
        """`bound_nash_conv`, `why_no_bound`, `bound_cce_gap` as they were last found, or now."""
        start = perf_counter()
        if start >= self._next:
            solver = self._solver
            bound = solver.bound_nash_conv()
            coarse = solver.bound_cce_gap() if bound is None else bound
            self._found = (bound, solver.why_no_bound(), coarse)
            end = perf_counter()
            self._next = end + max(0.5, 20.0 * (end - start))
        return self._found


def _reporter(
    solver: ImplicitMCCFR, callback: Callable[[TreelessProgress], bool | None]
) -> Callable[[Moment[_Unmeasured]], bool | None]:
    players = solver.rules.num_players
    find = _AgedBound(solver)

    def report(moment: Moment[_Unmeasured]) -> bool | None:
        bound, why, coarse = find()
        return callback(
            TreelessProgress(
                iteration=moment.iteration,
                seconds=moment.seconds,
                trajectories_per_second=moment.iterations_per_second * players,
                eta_seconds=moment.eta_seconds,
                nodes_touched=solver.nodes_touched,
                num_infosets=solver.num_infosets,
                table_bytes=solver.table_bytes,
                is_full=solver.is_full,
                bound_nash_conv=bound,
                why_no_bound=why,
                bound_cce_gap=coarse,
            )
        )

    return report


def _saver(solver: ImplicitMCCFR, config: SolveConfig) -> Save | None:
    """What writes the checkpoint; a new run writes its first one at once."""
    path: Path | None = config.saves_to
    if path is None:
        return None
    known = versions()

    def save(_trace: object, seconds: float) -> None:
        implicit_checkpoint.save(path, solver, seconds=seconds, versions=known)

    if solver.iteration == 0:
        save((), 0.0)
    return save


def _result(
    solver: ImplicitMCCFR, config: SolveConfig, outcome: Outcome[_Unmeasured], notes: list[str]
) -> ImplicitResult:
    if solver.is_full:
        alone = solver.threads == 1
        table, its = ("The table has", "its") if alone else ("The tables have", "their")
        notes.append(
            f"{table} reached {its} bound of {solver.memory:,} bytes: infosets that it does "
            f"not hold are played uniformly. More memory holds more of them (--memory)."
        )
    drawn = Sampling(
        sampler=str(config.sampler),
        averaging=solver.averaging,
        averaging_every=solver.averaging_every,
        period=solver.period,
        seed=config.seed,
        nodes_touched=solver.nodes_touched,
        table_bytes=solver.table_bytes,
        executor=solver.executor,
        threads=solver.threads,
    )
    return ImplicitResult(
        game=solver.rules.name,
        algorithm=config.algorithm,
        iterations=solver.iteration,
        seconds=outcome.seconds,
        stopped_by=outcome.stopped_by,
        strategy=solver.average_strategy(),
        config=config.model_dump(mode="json"),
        guarantee=_guarantee(solver),
        notes=tuple(notes),
        details=drawn,
        num_players=solver.rules.num_players,
        num_infosets=solver.num_infosets,
        memory=solver.memory,
        is_full=solver.is_full,
        bound_nash_conv=solver.bound_nash_conv(),
        bound_cce_gap=solver.bound_cce_gap(),
        bound_unstored_share=solver.unstored_share(),
    )


def _guarantee(solver: ImplicitMCCFR) -> str:
    """What is known of the strategy, and what theory promises."""
    known = (
        "How far the strategy is from an equilibrium was not measured: a best response would visit "
        "every history."
    )
    bound, coarse = solver.bound_nash_conv(), solver.bound_cce_gap()
    if bound is not None:
        known += (
            f" Where payoffs add up to a constant, its regrets bound NashConv by {bound:.3g}; "
            f"they were sampled, so this is an estimate, and usually far too large."
        )
    else:
        known += f" Nor do its regrets bound that: {solver.why_no_bound()}."
        if coarse is not None:
            known += (
                f" They bound by {coarse:.3g}, an estimate, what all players could gain together "
                f"by deciding beforehand on one strategy each (the coarse correlated gap)."
            )
    share = solver.unstored_share()
    if coarse is not None and share > 0.0:
        known += f" Of this bound {100.0 * share:.3g} % is owed to infosets without a row"
        if solver.is_full:
            known += ": that part does not go to zero with more iterations, it takes more memory."
        else:
            known += ", from when the table was full."
    if getattr(solver.sampler, "prune", None) is not None:
        return (
            f"{known} Pruning keeps regrets from falling below a floor, for which there is no "
            f"theorem: only play against others speaks for it."
        )
    if solver.rules.num_players == 2 and solver.variant == VARIANTS["cfr"] and not solver.is_full:
        return (
            f"{known} Theory, where the payoffs add up to a constant: with a probability as near "
            f"to 1 as one likes, and more iterations the nearer, the average strategies of "
            f"sampled regrets approach a Nash equilibrium."
        )
    if bound is not None:
        return f"{known} Only play against others says more."
    return f"{known} Theory promises nothing here: only play against others speaks for it."
