"""Monte Carlo CFR in the driver loop: how often it is measured, and the notes of the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Final

from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.progress import Callbacks
from equilibrist.results import SamplingDetails
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.run.checkpoint import Checkpoint
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES
from equilibrist.solvers.sampling.chance import Chance
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.mccfr import MCCFR, refuse_unfit
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solvers.sampling.user import names_file
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.kernel_cache import array_kind, load_kernels, small_game
from equilibrist.solving.methods import (
    RunOutcome,
    driven,
    finished,
    in_range,
    restored,
)
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.modifiers.stopping import Stopping
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

_CALL_COST: Final = 5_000
_ENTRY_COST: Final = 2.0
"""What a measurement costs, in visited nodes: for the call, and per sequence and payoff cell."""
_MEASURED: Final = 10
"""Sampling between two measurements costs so many times what one of them does."""
_NOT_REPEATED: Final = (
    "Threads shared one table: not reproducible. Another run with the same seed has the same "
    "random numbers, but other regrets and another average strategy."
)


def run_mccfr(
    game: Lifting,
    variant: Variant,
    config: SolveConfig,
    callbacks: Callbacks,
    saved: Checkpoint | None,
) -> RunOutcome:
    """Monte Carlo CFR until something stops it, from the beginning or from `saved`."""
    refuse_unfit(variant)
    tree = game.solved
    _load(game.tree, variant, config, callbacks)
    stopping = Stopping(tree, config, callbacks, game.tree)
    notes = [*stopping.notes, *game.notes()]
    with closing(_solver(tree, variant, config)) as solver:
        notes += restored(solver, saved, stopping, config)
        outcome = driven(
            solver,
            lambda: measured_strategy(solver, config, game),
            measure_of(solver, config, game),
            stopping,
            config,
            callbacks,
            saved=saved,
            schedule=Schedule(measuring_stride(solver, game.tree)),
        )
    if config.shared:
        notes.append(_NOT_REPEATED)
    strategy = measured_strategy(solver, config, game)
    return finished(solver, strategy, outcome, stopping, notes, _sampling_details(solver))


def measuring_stride(solver: MCCFR | FSICFR, tree: GameTree | None = None) -> int:
    """Iterations that cost ten times a measurement, from the sizes of game and sampler alone.

    `tree` is where strategies are measured, by default that of the solver. They are whole rounds
    where threads work in rounds.
    """
    tree = solver.tree if tree is None else tree
    form = tree.sequence_form
    entries = int(tree.action_offset[-1]) + len(form.arrays.cell)
    cost = _CALL_COST + _ENTRY_COST * entries
    iterations = max(1, math.ceil(_MEASURED * cost / solver.nodes_per_iteration))
    return math.ceil(iterations / solver.step_multiple) * solver.step_multiple


def _solver(tree: GameTree, variant: Variant, config: SolveConfig) -> MCCFR:
    assert config.sampler is not None
    return MCCFR(
        tree,
        variant,
        sampler=config.sampler,
        averaging=config.averaging,
        averaging_every=config.averaging_every,
        seed=config.seed,
        period=config.period,
        threads=config.threads or 1,
        shared=config.shared,
        executor=config.executor,
        address=config.address,
    )


def _load(tree: GameTree, variant: Variant, config: SolveConfig, callbacks: Callbacks) -> None:
    """Have the kernels ready before the clock starts; a small game will do."""
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    alone = {"threads": 1, "shared": False, "executor": None, "address": None}
    averaging = "walk" if tree.num_players != 2 and config.averaging is None else config.averaging
    assert config.sampler is not None
    sampler = _on_any_game(config.sampler)
    if names_file(config.sampler) and averaging not in SEPARATE_AVERAGES:
        averaging = None
    config = config.model_copy(update={**alone, "averaging": averaging, "sampler": sampler})
    small = _solver(small_game(array_kind(tree)), variant, config).run(1)
    assert small.nodes_per_iteration > 0.0
    evaluate(small.average_strategy())


def _on_any_game(spec: str) -> str:
    """The sampler with blocks that every game has: a user's function knows one game only.

    A user's own sampler has no kernel to load; another one stands for it.
    """
    if names_file(spec):
        return External.name
    sampler = get_sampler(spec)
    if isinstance(sampler, Chance) and sampler.blocks is not None:
        sampler = replace(sampler, blocks="player:0")
    return sampler_spec(sampler)


def measured_strategy(solver: MCCFR | FSICFR, config: SolveConfig, game: Lifting) -> Strategy:
    """The strategy that the loop measures, in the full game."""
    last = config.output == "last"
    return game.lift(solver.current_strategy() if last else solver.average_strategy())


def measure_of(
    solver: MCCFR | FSICFR, config: SolveConfig, game: Lifting
) -> Callable[[], Evaluation]:
    """Choose what the loop measures in the full game: the average, or the next strategy."""

    def measure() -> Evaluation:
        return in_range(evaluate(measured_strategy(solver, config, game)), solver)

    return measure


def _sampling_details(solver: MCCFR) -> SamplingDetails:
    return SamplingDetails(
        sampler=sampler_spec(solver.sampler),
        averaging=solver.averaging,
        averaging_every=solver.averaging_every,
        period=solver.period,
        seed=solver.seed,
        nodes_touched=solver.nodes_touched,
        table_bytes=solver.table_bytes,
        executor=solver.executor,
        threads=solver.threads,
        shared=solver.shared,
    )
