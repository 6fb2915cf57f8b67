"""Sampling on rules without an explicit tree, in the driver loop, and the result."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from equilibrist._jit.first_run import compiling_text
from equilibrist.errors import ConfigError, OutputError
from equilibrist.progress import Callbacks, OnProgress, progress_of
from equilibrist.results import ImplicitResult, SamplingDetails
from equilibrist.rules.game import payoff_ranges
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.fsicfr import FixedStrategyIteration
from equilibrist.solvers.implicit.checkpoint import ImplicitCheckpoint, save_treeless
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.samplers import kernel_of
from equilibrist.solvers.implicit.table_run import DEFAULT_MEMORY
from equilibrist.solvers.run.loop import Answer, Loop, Outcome, ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import NEVER, Unmeasured
from equilibrist.solvers.variants.registry import VARIANTS, as_variant
from equilibrist.solving.algorithm import Algorithm, Rule
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.files import check_files
from equilibrist.solving.methods import Save, resumed
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import PACKED as SOLUTION
from equilibrist.storage.kinds.file_kinds import TREELESS_CHECKPOINT
from equilibrist.storage.versions import versions

_NEEDS_TREE: Final = ("target", "plot", "alternating", "tremble", "prune", "warm_start")


def run_implicit(
    rules: Rules, algorithm: Algorithm | str, config: SolveConfig, callbacks: Callbacks
) -> tuple[ImplicitResult, OutputError | None]:
    """Sample on `rules` as `config` says; nothing but checkpoints is written.

    Returns the result, and what kept a checkpoint from being written and thereby ended the run.
    """
    if isinstance(algorithm, str | FixedStrategyIteration):
        name = algorithm if isinstance(algorithm, str) else algorithm.name
        raise ConfigError(
            f"{name} needs the whole tree",
            option="algorithm",
            given=name,
            remedy="use cfr, lcfr or dcfr",
        )
    _refuse_what_needs_a_tree(config)
    saved = check_files(config, SOLUTION, TREELESS_CHECKPOINT, ImplicitCheckpoint)
    with closing(_solver(rules, algorithm, config)) as solver:
        _load_kernels(solver, callbacks)
        since = callbacks.clock.counts_from
        stop, notes = StopRule(config.iterations, config.seconds, since=since), []
        seconds = 0.0
        if saved is not None:
            saved.restore(solver)
            notes += resumed(saved, stop, by_default=False)
            seconds = saved.seconds
        callbacks.stage("solving")
        tell = callbacks.on_progress
        outcome = Loop(
            solver,
            Unmeasured,
            stop,
            seconds=seconds,
            report=None if tell is None else _reporter(solver, config, tell),
            save=_saver(solver, config),
            save_every=config.checkpoint_every,
            schedule=NEVER,
            step_multiple=solver.step_multiple,
        ).run()
    result = _result(solver, config, outcome, notes, callbacks.clock.read())
    return result, outcome.failure


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
        threads=config.threads or 1,
        shared=config.shared,
        executor=config.executor,
        address=config.address,
        memory=DEFAULT_MEMORY if config.memory is None else config.memory,
    )


def _load_kernels(solver: ImplicitMCCFR, callbacks: Callbacks) -> None:
    """Have them ready before the clock starts."""
    from equilibrist.rules.binding import is_compiled

    kernel = kernel_of(solver.sampler)
    if not is_compiled(solver.rules, kernel):
        callbacks.stage(compiling_text())
    else:
        callbacks.clock.enter("loading")
    solver.load().average_strategy()


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
            remedy="leave out `output`",
        )
    if config.iterations is None and config.seconds is None:
        raise ConfigError(
            "without a tree nothing is measured that could end the run",
            option="iterations",
            remedy="give `iterations` or `seconds`",
        )


class _Bound(NamedTuple):
    """What regrets prove of a run without a tree.

    Attributes:
        nash_conv: A bound on NashConv; None where it says nothing.
        why_none: Why it says nothing, in words; empty where there is one.
        cce_gap: A bound on the gap from coarse correlated equilibrium; None where it says nothing.
    """

    nash_conv: float | None
    why_none: str
    cce_gap: float | None


class _AgedBound:
    """The bound, recomputed so rarely that it takes at most a twentieth of the time."""

    def __init__(self, solver: ImplicitMCCFR) -> None:
        self._solver, self._next = solver, 0.0
        self._most = payoff_ranges(solver.rules)
        self._last = _Bound(None, "", None)

    def __call__(self) -> _Bound:
        """The bound as it was last computed, or computed now.

        A bound above the range of payoffs says nothing, and is None.
        """
        start = perf_counter()
        if start >= self._next:
            solver = self._solver
            bound, why = solver.bound_nash_conv(), solver.why_no_bound()
            coarse = solver.bound_cce_gap() if bound is None else bound
            if bound is not None and bound >= max(self._most):
                bound, why = None, "the bound of the regrets is still above the range of payoffs"
            if coarse is not None and coarse >= sum(self._most):
                coarse = None
            self._last = _Bound(nash_conv=bound, why_none=why, cce_gap=coarse)
            end = perf_counter()
            self._next = end + max(0.5, 20.0 * (end - start))
        return self._last


def _reporter(
    solver: ImplicitMCCFR, config: SolveConfig, tell: OnProgress
) -> Callable[[ProgressEvent[Unmeasured]], Answer]:
    players = solver.rules.num_players
    find_bound = _AgedBound(solver)

    def report(event: ProgressEvent[Unmeasured]) -> Answer:
        bound = find_bound()
        return tell(
            progress_of(
                event,
                config.algorithm,
                trajectories_per_second=event.iterations_per_second * players,
                nodes_touched=solver.nodes_touched,
                table_bytes=solver.table_bytes,
                num_infosets=solver.num_infosets,
                is_full=solver.is_full,
                bound_nash_conv=bound.nash_conv,
                why_no_bound=bound.why_none,
                bound_cce_gap=bound.cce_gap,
            )
        )

    return report


def _saver(solver: ImplicitMCCFR, config: SolveConfig) -> Save | None:
    """Make what writes the checkpoint; a new run writes its first one at once."""
    path: Path | None = config.saves_to
    if path is None:
        return None
    known, file = versions(), OwnFile(path)

    def save(_trace: object, seconds: float) -> None:
        with file.replaced():
            save_treeless(path, solver, seconds=seconds, versions=known)

    if solver.iteration == 0:
        save((), 0.0)
    return save


def _result(
    solver: ImplicitMCCFR,
    config: SolveConfig,
    outcome: Outcome[Unmeasured],
    notes: list[str],
    stages: dict[str, float],
) -> ImplicitResult:
    if solver.is_full:
        alone = solver.threads == 1
        table, its = ("The table has", "its") if alone else ("The tables have", "their")
        notes.append(
            f"{table} reached {its} bound of {solver.memory:,} bytes: infosets that it does "
            f"not hold are played uniformly. More memory holds more of them."
        )
    drawn = SamplingDetails(
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
        stages=stages,
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
        bound_unstored_share=solver.bound_unstored_share(),
    )


def _guarantee(solver: ImplicitMCCFR) -> str:
    """The bounds of the strategy, and which convergence theorem applies."""
    known = (
        "The distance from an equilibrium was not measured: a best response would visit every "
        "history."
    )
    bound, coarse = solver.bound_nash_conv(), solver.bound_cce_gap()
    ranges = payoff_ranges(solver.rules) if coarse is not None else ()
    if bound is not None and bound >= max(ranges):
        known += (
            f" Where payoffs add up to a constant, the regrets bound NashConv, but that bound says "
            f"nothing yet: it is still above {max(ranges):g}, the range of payoffs in random "
            f"playouts."
        )
    elif bound is not None:
        known += (
            f" Where payoffs add up to a constant, the regrets bound NashConv by {bound:.3g}; "
            f"they were sampled, so this is an estimate, and usually far too large."
        )
    else:
        known += f" The regrets do not bound it either: {solver.why_no_bound()}."
        if coarse is not None and coarse >= sum(ranges):
            known += (
                f" Their bound of the coarse correlated gap, what all players together could gain "
                f"by each committing to a fixed strategy, says nothing yet: it is still above "
                f"{sum(ranges):g}, the sum of the ranges of payoffs in random playouts."
            )
        elif coarse is not None:
            known += (
                f" They bound the coarse correlated gap by {coarse:.3g}, an estimate: what all "
                f"players together could gain by each committing to a fixed strategy."
            )
    share = solver.bound_unstored_share()
    if coarse is not None and share > 0.0:
        known += f" Of this bound {100.0 * share:.3g} % comes from infosets without a row"
        if solver.is_full:
            known += "; more iterations do not reduce that part, more memory does."
        else:
            known += " while the table was full."
    if getattr(solver.sampler, "prune", None) is not None:
        return (
            f"{known} Pruning keeps regrets from falling below a floor, which has no convergence "
            f"guarantee; test the strategy by play against others."
        )
    if solver.rules.num_players == 2 and solver.variant == VARIANTS["cfr"] and not solver.is_full:
        return (
            f"{known} Theory, where the payoffs add up to a constant: with probability arbitrarily "
            f"close to 1, given enough iterations, the average strategies of sampled regrets "
            f"approach a Nash equilibrium."
        )
    if bound is not None:
        return f"{known} Play against others tells more."
    return f"{known} There is no convergence guarantee; test the strategy by play against others."
