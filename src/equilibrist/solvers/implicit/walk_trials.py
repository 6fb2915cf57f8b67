"""Trial measurements of iterations and walks, which set the number of walks per average."""

from __future__ import annotations

import numpy as np

from equilibrist.solvers.implicit.infoset_table import new_table
from equilibrist.solvers.implicit.table_run import ImplicitRun
from equilibrist.solvers.sampling.averaging import SHARE, TRIAL, TRIAL_NODES, WALK_EVERY, Walk


def fit_walks(run: ImplicitRun, key: np.uint64, every: int | None) -> Walk:
    """The number of walks that takes a third of the time; the trials are those of `Walk.fit`.

    They use only the memory that `run`, which is still empty, leaves.
    """
    every = WALK_EVERY if every is None else every
    trial = _playing_uniformly(run, key)
    one = Walk(1, 1, key)
    for t in range(1, TRIAL + 1):
        trial.walk(one, t, 1.0)
    per_walk = max(1.0, trial.nodes_touched / TRIAL)
    learning = _another(run, np.uint64(1))
    learning.memory -= run.table_bytes + run.scratch_bytes
    per_iteration = _nodes_per_iteration(learning)
    return Walk(every, max(1, round(every * per_iteration / SHARE / per_walk)), key)


def nodes_per_iteration(run: ImplicitRun) -> float:
    """How many states an iteration visits when all play uniformly, from one fixed seed."""
    return _nodes_per_iteration(_playing_uniformly(run, np.uint64(1)))


def _another(run: ImplicitRun, key: np.uint64) -> ImplicitRun:
    return ImplicitRun(run.rules, run.sampler, key, run.memory, run.tables)


def _playing_uniformly(run: ImplicitRun, key: np.uint64) -> ImplicitRun:
    trial, widest = _another(run, key), run.rules.max_actions
    trial.table = new_table(1, 1 + widest, widest)
    trial.table.used[2] = 1  # it takes no row
    return trial


def _nodes_per_iteration(trial: ImplicitRun) -> float:
    while trial.iteration < TRIAL and trial.nodes_touched < TRIAL_NODES:
        trial.advance(trial.iteration + max(1, trial.iteration), 0.0)
    return max(1.0, trial.nodes_touched / trial.iteration)
