"""Where a storage no longer suffices: a run of a small spot goes on in float64.

In float32 a number takes up what is added to it in steps of about its size / 2^24. A strategy sum
that weights iteration t by t^gamma stands for t / (gamma + 1) iterations, and each adds a
probability to it: after 1,000 iterations what is added is rounded by 1e-5 at most, by half as much
as it was after 2,000. Such errors are no noise that averages out, as the same number is added to
the same sum again and again. They grow with the iterations, while exploitability falls: small stiff
spots stop at 0.005 % of the pot after some 10,000 iterations, and then become worse.

In 16 bits, where all numbers of a decision share a scale, steps are 1 / 65,534 of the largest of
them. After 300 iterations with linear weights a sum no longer takes up a probability of 0.2 %, and
one below 0.2 % of the largest no longer fades. Regrets lose what is added to those that are small
beside the largest of their decision, which may belong to another hand.

In float64 the same happens 5e8 times later than in float32. It takes twice the memory and about 1.5
times the time, which only few runs need: after 1,000 iterations most are over, and large spots are
still far from the limit of float32. So those of at most 8 MB in float32 are continued in float64
from then on, and after 100 iterations if they are held in 16 bits, which saves nothing that counts
there. What has been rounded by then fades like all that the first iterations added. Of larger spots
`stall` says when iterations have ceased to help, and which strategies a run ends with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import ACTION
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.spot.fields import SMALL_BYTES, Storage
from equilibrist.typing import FloatArray, Int64Array


def is_small(arena: Arena) -> bool:
    """Whether a spot is so small that its runs go on in float64."""
    store = arena.store
    return 4 * (len(store.regret) + len(store.match) + len(store.total)) <= SMALL_BYTES


def emptied(engine: Engine, storage: Storage) -> Engine:
    """Make an engine for the same game with numbers of another size, all 0.

    Args:
        engine: The engine; its threads are released.
        storage: How the new one stores numbers.

    Returns:
        The new engine, before its first iteration.
    """
    empty_engine = Engine(
        engine.game,
        storage,
        threads=engine.traversal.threads,
        predicts=len(engine.arena.store.match) > 0,
        perturbation=engine.arena.perturbation,
    )
    engine.traversal.team.release()
    return empty_engine


def widened(engine: Engine) -> Engine:
    """Make an engine that stands where another stands, with its numbers in float64.

    Args:
        engine: The engine, in float32 or int16; its threads are released.

    Returns:
        The new engine.
    """
    arena = engine.arena
    wide_engine = emptied(engine, "float64")
    arrays = wide_engine.arena.solver_arrays()
    counts = _numbers_of_decisions(engine.layout) if arena.storage == "int16" else None
    for name, array in arena.solver_arrays().items():
        if not name.endswith("_scale"):
            scales = getattr(arena.store, f"{name}_scale", None)
            wide = array.astype(np.float64)
            if counts is not None and scales is not None and len(array):
                wide *= _of_each_number(scales, counts)
            arrays[name] = wide
    wide_engine.restore(arrays, engine.iteration)
    return wide_engine


def _numbers_of_decisions(layout: Layout) -> tuple[Int64Array, Int64Array]:
    """int64[D] each: decisions in the order of their numbers, and how many numbers each has."""
    program, boards = layout.betting.program, layout.table.boards
    starts = np.zeros(layout.table.decisions, np.int64)
    for board, street in enumerate(boards.street.tolist()):
        nodes = np.arange(program.nodes[street], program.nodes[street + 1])
        nodes = nodes[program.kind[nodes] == ACTION]
        for player in (0, 1):
            own = nodes[program.player[nodes] == player]
            rows = program.row[own].astype(np.int64) * int(boards.width[player, board])
            first = int(boards.decisions[player, board])
            starts[first + program.decision[own]] = int(boards.arena[player, board]) + rows
    order = np.argsort(starts, kind="stable")
    return order, np.diff(np.append(starts[order], layout.table.entries))


def _of_each_number(scales: NDArray[Any], decisions: tuple[Int64Array, Int64Array]) -> FloatArray:
    """float64[entries]: the scale of each number."""
    order, counts = decisions
    return np.repeat(scales[order].astype(np.float64), counts)
