"""Walks of the kernels of existing samplers, one at a time and from tables that do not change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from equilibrist.kernels.primitives.rng import stream
from equilibrist.kernels.sampling.escher import EscherSetup, escher_sampling
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.sampler import Tables
from equilibrist.solvers.sampling.variance_reduction import baselines
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


def _walks(
    tree: GameTree,
    kernel: Any,
    prepare: Any,
    regret: FloatArray,
    player: int,
    numbers: range,
    key: Any,
) -> Iterator[tuple[FloatArray, FloatArray]]:
    for t in numbers:
        tables = Tables(tree.history_tree, key, regret.copy(), np.zeros_like(regret))
        setup = prepare(tables)
        with np.errstate(over="ignore"):
            state = np.uint64(stream(key, np.uint64(t))).astype(np.int64)
        # Stands before that player's traversal of the iteration, which is its last one.
        progress = np.array([t, player, state, 0], dtype=np.int64)
        kernel(setup, tables.play()._replace(traversals=player + 1), t, key, progress)
        yield tables.regret - regret, tables.strategy_sum


def outcome_walks(
    tree: GameTree,
    regret: FloatArray,
    player: int,
    numbers: range,
    key: Any,
    *,
    epsilon: float,
    value: FloatArray,
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """What each walk of outcome sampling adds to regrets and to strategy sums.

    `value`, float64[N], is the baseline: what each node is worth to player 0; it is not learned.
    """

    def prepare(tables: Tables) -> Any:
        tables.keep("baseline", (2, len(value)))[:] = value, -value
        _, setup = Outcome(epsilon=epsilon).kernel(tables.scratch())
        visits = baselines(tables, "learned", tables.scratch())._replace(rate=0.0)
        return setup._replace(visits=visits, weight=1.0)

    kernel, _ = Outcome(epsilon=epsilon).kernel(
        Tables(tree.history_tree, key, regret, regret).scratch()
    )
    return _walks(tree, kernel, prepare, regret, player, numbers, key)


def escher_walks(
    tree: GameTree, regret: FloatArray, player: int, numbers: range, key: Any
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """What each walk of ESCHER with exact values adds to regrets and to strategy sums."""

    def prepare(tables: Tables) -> Any:
        return EscherSetup(1.0, np.empty(len(tree.history_tree.arrays.node)))

    return _walks(tree, escher_sampling, prepare, regret, player, numbers, key)
