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
    driven,
    finished,
    restored,
)
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.modifiers.stopping import Stopping
from equilibrist.solving.sampling import measure_of, measured_strategy, measuring_stride
from equilibrist.tree.compile import GameTree
from equilibrist.tree.shared_states import share_states


def run_fsicfr(
    game: Game[Any] | None,
    lifting: Lifting,
    config: SolveConfig,
    callbacks: Callbacks,
    saved: Checkpoint | None,
) -> RunOutcome:
    """Run FSICFR until it stops, on the states of `game`.

    `lifting` has the tree with perfect recall. Without `game` it is run on the states that the
    histories of its `solved` tree share.
    """
    tree = lifting.tree
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    if not cache_is_warm("equilibrist.kernels.sequence_form.fsicfr.fixed_strategy_iterations"):
        callbacks.stage(compiling_text())
    FSICFR("kuhn").run(1)
    callbacks.stage("walking the states")
    if game is None:
        solver = FSICFR(share_states(lifting.solved), seed=config.seed, tree=lifting.solved)
    else:
        solver = FSICFR(game, seed=config.seed, tree=tree)
    stopping = Stopping(tree, config, callbacks)
    notes = [*lifting.notes(), *stopping.notes, *restored(solver, saved, stopping, config)]
    outcome = driven(
        solver,
        lambda: measured_strategy(solver, config, lifting),
        measure_of(solver, config, lifting),
        stopping,
        config,
        callbacks,
        saved=saved,
        schedule=Schedule(measuring_stride(solver, tree)),
    )
    shared = StateGraphStats(
        game=solver.graph.game.name,
        states=solver.graph.num_states,
        infosets=len(solver.graph.infoset_keys),
        nodes_touched=solver.nodes_touched,
        histories=solver.histories,
        seed=solver.seed,
    )
    if game is not None:
        notes += _recall_note(shared, tree)
    notes.append(_states_note(shared, lifting.solved, solver.iteration))
    strategy = measured_strategy(solver, config, lifting)
    return finished(solver, strategy, outcome, stopping, notes, shared)


def _recall_note(shared: StateGraphStats, tree: GameTree) -> list[str]:
    """In which game a strategy was found, and in which it is given; no text if they are alike."""
    if shared.infosets == tree.num_infosets:
        return []
    note = (
        f"Solved as {shared.game}, {shared.infosets:,} infosets; given and measured in "
        f"{tree.name}, {tree.num_infosets:,} infosets, with perfect recall."
    )
    return [note]


def _states_note(shared: StateGraphStats, tree: GameTree, iterations: int) -> str:
    """Note how many histories share states, and how many an iteration visited."""
    passes = max(iterations, 1)
    return (
        f"{tree.num_nodes:,} histories in {shared.states:,} states; an iteration visited "
        f"{shared.nodes_touched / passes:,.6g} states, which stand for "
        f"{shared.histories / passes:,.6g} histories (seed {shared.seed})."
    )
