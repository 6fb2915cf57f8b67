"""FSICFR in the driver loop, and the statistics of its state graph."""

from __future__ import annotations

from typing import Any

from equilibrist._jit import cache_is_warm
from equilibrist._jit.first_run import compiling_text
from equilibrist.game import Game
from equilibrist.progress import Callbacks
from equilibrist.results import StateGraphStats
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.run.checkpoint import Checkpoint
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.kernel_cache import load_kernels
from equilibrist.solving.methods import (
    RunOutcome,
    finished,
    loop,
    resumed,
    saver,
    stopping,
)
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.sampling import measure_of, measuring_stride
from equilibrist.tree.compile import GameTree


def run_fsicfr(
    game: Game[Any],
    tree: GameTree,
    config: SolveConfig,
    callbacks: Callbacks,
    saved: Checkpoint | None,
) -> RunOutcome:
    """Run FSICFR until it stops; `tree` is that of the game with perfect recall."""
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    if not cache_is_warm("equilibrist.kernels.sequence_form.fsicfr.fixed_strategy_iterations"):
        callbacks.stage(compiling_text())
    FSICFR("kuhn").run(1)
    callbacks.stage("walking the states")
    solver = FSICFR(game, seed=config.seed, tree=tree)
    stop, notes = stopping(tree, config, callbacks.clock.counts_from)
    if saved is not None:
        saved.restore(solver, output=config.output)
        notes += resumed(saved, stop, by_default=config.uses_default_stop)
    schedule = Schedule(measuring_stride(solver))
    save = saver(solver, config)
    callbacks.stage("solving")
    measure = measure_of(solver, config, Lifting(solver.tree, solver.tree))
    outcome = loop(
        solver, measure, stop, config, callbacks, saved=saved, save=save, schedule=schedule
    )
    last = config.output == "last"
    strategy = solver.current_strategy() if last else solver.average_strategy()
    shared = StateGraphStats(
        game=game.name,
        states=solver.graph.num_states,
        infosets=len(solver.graph.infoset_keys),
        nodes_touched=solver.nodes_touched,
        histories=solver.histories,
        seed=solver.seed,
    )
    notes += _told(shared, tree, solver.iteration)
    return finished(solver, strategy, outcome, stop, notes, shared)


def _told(shared: StateGraphStats, tree: GameTree, iterations: int) -> list[str]:
    """In which game it was solved, in which it is given, and how many histories met."""
    said = []
    if shared.infosets < tree.num_infosets:
        said.append(
            f"Solved as {shared.game}, {shared.infosets:,} infosets; given and measured in "
            f"{tree.name}, {tree.num_infosets:,} infosets, with perfect recall."
        )
    passes = max(iterations, 1)
    said.append(
        f"{tree.num_nodes:,} histories in {shared.states:,} states; an iteration visited "
        f"{shared.nodes_touched / passes:,.6g} states, which stand for "
        f"{shared.histories / passes:,.6g} histories (seed {shared.seed})."
    )
    return said
