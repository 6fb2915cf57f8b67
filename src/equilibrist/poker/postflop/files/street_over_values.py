"""Solving one street of a spot over leaf values; later streets are re-solved when looked at."""

from __future__ import annotations

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import finalize

from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.spot_file import LeafValuesNote, write_spot
from equilibrist.poker.postflop.solving.leaf_solver import (
    LEAF_ITERATIONS,
    LeafSolver,
    run_over_values,
)
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.stopping import Stop, StopRule, merge_stop
from equilibrist.solvers.variants.variant import Variant


@shows_progress
def solve_over_values(
    spot: Spot,
    leaf_values: HoldemLeafValues,
    algorithm: Variant | str | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    threads: int | None = None,
    memory: int | None = None,
) -> PostflopResult:
    """Solve the first street of a spot, with values in place of the streets that follow.

    Leaves are valued before each player's update, for the ranges that the strategies of then bring
    there. Lines that are all-in are worth their equity. When a node of a later street is looked up,
    the rest of the spot is solved from there on, for the ranges that arrive, at 0.3 % of its pot.

    Args:
        spot: The spot, from the flop or the turn on, without rake, locked frequencies, and locks on
            later streets.
        leaf_values: What says what leaves are worth, such as a value network.
        algorithm: As in `poker.solve`.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations, by default 200.
        seconds: The most seconds.
        callbacks: As in `poker.solve`.
        progress: As in `poker.solve`.
        threads: Threads to re-solve later streets with, as in `poker.solve`.
        memory: The most bytes that the street may take, by default half of the machine's memory.

    Returns:
        The solution, with its first street kept. `mean_gain` is an estimate, see there.

    Raises:
        ConfigError: An argument is wrong, or a target is given: gains are estimates here.
        MismatchError: The values are of another street.
        UnsupportedError: The spot has rake, no later street, locks there, or locked frequencies.
        MemoryBudgetError: The street does not fit into `memory`.
        OutputError: The folder for temporary files cannot be written.
    """
    checked_spot(spot)
    listeners = timed(as_callbacks(callbacks))
    limits = Stop(**merge_stop(stop, iterations=iterations, seconds=seconds))
    if limits.is_default:
        limits = Stop(iterations=LEAF_ITERATIONS)
    for text in spot.warnings:
        warnings.warn(text, stacklevel=3)
    listeners.stage(f"preparing {spot.board}")
    solver = LeafSolver(spot, leaf_values, algorithm, memory=memory)
    listeners.stage("solving")
    rule = StopRule(limits.iterations, limits.seconds, since=listeners.clock.counts_from)
    run = run_over_values(solver, rule, listeners)
    fields: dict[str, Any] = {
        "spot": spot.to_toml(),
        "iterations": solver.iteration,
        "seconds": run.seconds,
        "mean_gain": run.estimated_gain,
        "unlocked_mean_gain": None,
        "frequency_error": None,
        "target": None,
        "stopped_by": run.stopped_by,
        "memory_bytes": solver.memory_bytes,
        "leaf_values": LeafValuesNote(name=leaf_values.name, identity=leaf_values.identity),
        "trace": [point.row for point in run.trace],
    }
    folder = TemporaryDirectory(prefix="equilibrist-")
    path = write_spot(
        Path(folder.name) / "solution.spot", spot, "first-street", solver.parts, fields
    )
    solution = load_spot(path, threads=threads)
    object.__setattr__(solution, "solution_file", None)
    object.__setattr__(solution, "stages", listeners.clock.read())
    finalize(solution, folder.cleanup)
    return solution
