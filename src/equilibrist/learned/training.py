"""`train`: from a game and an algorithm whose tables are networks to a result."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist._jit import cache_is_warm, mark_warm
from equilibrist._jit.first_run import compiling_text
from equilibrist.errors import MemoryBudgetError, OutputError
from equilibrist.evaluation import evaluate
from equilibrist.game import Game
from equilibrist.learned.algorithm import NeuralAlgorithm
from equilibrist.learned.algorithms.registry import get_neural
from equilibrist.learned.fit import find_torch, load_torch
from equilibrist.learned.solver import NeuralSolver
from equilibrist.parsing.arguments import resumed_file
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.results import Result
from equilibrist.results.stored_networks import StoredNetworks
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.checkpoint import TrainingCheckpoint
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.explicit import compiled
from equilibrist.solving.files import check_files
from equilibrist.solving.kernel_cache import array_kind, load_kernels, small_game
from equilibrist.solving.methods import driven, finished, restored
from equilibrist.solving.modifiers.stopping import Stopping
from equilibrist.solving.writing import ResultWriter
from equilibrist.storage.kinds.file_kinds import SOLUTION, TRAINING_CHECKPOINT
from equilibrist.tree.compile import GameTree

ITERATIONS: Final = 300
"""Iterations by default, of all players together."""
_WORK: Final = {"walks", "value_walks", "epochs"}
"""Parameters that are amounts of work of one iteration."""
_GUARANTEE: Final = (
    "Values and gains were measured by exact best responses in the full game: they are right "
    "whatever was learned. No bound is claimed of how they fall: what is learned is learned from "
    "samples."
)


@shows_progress
def train(
    problem: str | Game[Any] | GameTree | Rules,
    algorithm: str | NeuralAlgorithm | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    plot: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | str | os.PathLike[str] | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Result:
    """Train networks on a game, and measure what they play by exact best responses.

    Needs the extra `nets`. What was trained is played and measured without it.

    Args:
        problem: A game with a tree: its name, its rules, or compiled.
        algorithm: `sd-cfr`, `deep-cfr`, `dream`, `escher-net`, `vr-deep-dcfr+`, `vr-deep-pdcfr+`,
            `nfsp`, `ppo`, `mmd`, `r-nad`, `ppo-q`, `mmd-q` or `r-nad-q`, with parameters if any:
            "sd-cfr(walks=346)". None for that of the run that is resumed, else `sd-cfr`.
        stop: When to end, in place of the next three.
        iterations: Iterations of all players together, who take turns: by default 300.
        seconds: Seconds by the clock.
        target: The exploitability to reach (NashConv where there is none), in payoff units.
        seed: Fixes all draws: on one machine, equal seeds give equal bits. None for that of the run
            that is resumed, else 0.
        out: Where to save the solution with its networks.
        plot: Where to draw the convergence, as .svg or .png.
        checkpoint: Where to save the state of the run, so that it can be resumed.
        checkpoint_every: Seconds between two checkpoints.
        resume: The checkpoint to continue from; True for `checkpoint`.
        callbacks: What is told on the way.
        progress: Whether a line shows how far it is.

    Returns:
        The strategy with its networks, how good it is, and its curve.

    Raises:
        ConfigError: PyTorch is missing, or an argument is wrong.
        UnknownNameError: There is no such game or algorithm.
        CheckpointError: The checkpoint is of another run, or damaged.
        OutputError: A file cannot be written.
    """
    method, seed = method_and_seed(algorithm, seed, resumed_file(resume, checkpoint))
    limits = merge_stop(stop, iterations=iterations, seconds=seconds, target=target)
    config = SolveConfig.build(
        algorithm=method.spec,
        seed=seed,
        out=out,
        plot=plot,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
        **limits,
    )
    result, failure = run_training(problem, method, config, timed(as_callbacks(callbacks)))
    save = None if config.out is None else _save_to(config.out)
    writer = ResultWriter[Result](save, config.plot)
    result = writer.write(result, failure)
    writer.raise_failures()
    return result


def method_and_seed(
    algorithm: str | NeuralAlgorithm | None,
    seed: int | None,
    resume: str | os.PathLike[str] | None,
) -> tuple[NeuralAlgorithm, int]:
    """What trains, and the seed: as given, else those of the run that is resumed.

    Args:
        algorithm: The algorithm; None for that of the checkpoint, or the default.
        seed: The seed; None for that of the checkpoint, or 0.
        resume: The checkpoint; None for a new run.

    Returns:
        Both.

    Raises:
        ConfigError: A parameter is unknown or out of range.
        CheckpointError: There is no such checkpoint, or it is damaged.
    """
    if resume is not None and (algorithm is None or seed is None):
        kept = TrainingCheckpoint(resume).identity
        algorithm = kept.algorithm if algorithm is None else algorithm
        seed = kept.seed if seed is None else seed
    return get_neural(algorithm), 0 if seed is None else seed


def run_training(
    problem: str | Game[Any] | GameTree | Rules,
    method: NeuralAlgorithm,
    config: SolveConfig,
    callbacks: Callbacks,
) -> tuple[Result, OutputError | None]:
    """Train as `config` says; nothing but checkpoints is written.

    Args:
        problem: The game.
        method: The algorithm.
        config: The options of the run.
        callbacks: Who listens.

    Returns:
        The result, and what kept a checkpoint from being written and thereby ended the run.

    Raises:
        MemoryBudgetError: An iteration does not fit into memory.
        EquilibristError: The game or the options are refused.
    """
    if config.uses_default_stop:
        config = config.model_copy(update={"iterations": ITERATIONS})
    saved = check_files(config, SOLUTION, TRAINING_CHECKPOINT, TrainingCheckpoint)
    is_fitted = method.learner == "network"
    if is_fitted:
        find_torch()  # before anything is spent
    tree = compiled(problem, config, callbacks)
    solver = method.solver(tree, config.seed)
    if is_fitted:
        load_torch()
    _load(tree, method, callbacks)
    stopping = Stopping(tree, config, callbacks)
    notes = [*stopping.notes, *restored(solver, saved, stopping, config)]
    try:
        with closing(solver):
            outcome = driven(
                solver,
                solver.average_strategy,
                lambda: evaluate(solver.average_strategy()),
                stopping,
                config,
                callbacks,
                saved=saved,
                stage="training",
                kind=TRAINING_CHECKPOINT,
            )
    except MemoryError:
        raise MemoryBudgetError(
            f"out of memory for an iteration of {method.spec}",
            tree.num_nodes,
            option="algorithm",
            given=method.spec,
            remedy=f"Give {method.name} smaller numbers, such as `walks` and `batch`",
        ) from None
    strategy = solver.average_strategy()
    ended = finished(solver, strategy, outcome, stopping, [*notes, _what_was_done(solver)])
    return (
        ended.result(
            tree.name,
            config,
            callbacks,
            guarantee=_GUARANTEE,
            threads=1,
            networks=stored_networks(solver),
        ),
        ended.failure,
    )


def _load(tree: GameTree, method: NeuralAlgorithm, callbacks: Callbacks) -> None:
    """Have the kernels ready before the clock starts; a table on a small game calls them."""
    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    kind = array_kind(tree)
    marks = [
        (kernel, "-".join([kind, *made_for]))
        for kernel, *made_for in (text.split() for text in method.kernels)
    ]
    if not all(cache_is_warm(*mark) for mark in marks):
        callbacks.stage(compiling_text(*(kernel for kernel, _ in marks)))
    small = small_game(kind)
    numbers = dict.fromkeys(_WORK & {field.name for field in fields(method) if field.init}, 1)
    changes: dict[str, Any] = {**numbers, "learner": "table"}
    replace(method, **changes).solver(small).run(small.num_players)
    for mark in marks:
        mark_warm(*mark)


def _save_to(path: Path) -> Callable[[Result], Path | None]:
    return lambda result: result.save(path)


def stored_networks(solver: NeuralSolver) -> StoredNetworks | None:
    """The networks of a solver as files hold them; None where tables stand in their place."""
    networks = solver.networks
    if not networks:
        return None
    activations = {network.activation for network in networks.values()}
    (activation,) = activations
    return StoredNetworks(
        features=solver.features.name,
        unit=solver.units,
        sizes={name: [*network.sizes] for name, network in networks.items()},
        activation=activation,
        losses={name.replace(".", " "): loss for name, loss in solver.losses.items()},
        weights={name: np.array(network.weights) for name, network in networks.items()},
    )


def _what_was_done(solver: NeuralSolver) -> str:
    """Say how much was sampled and fitted."""
    text = f"{solver.nodes_touched:,} histories were visited"
    fitted = solver.fitted.values()
    if not fitted:
        return f"{text}; tables stood in the place of networks."
    sizes = Counter(len(learner.network.weights) for learner in fitted)
    counts = " and ".join(f"{count} of {size:,} weights" for size, count in sizes.items())
    return f"{text}; {len(fitted)} networks were fitted: {counts}."
