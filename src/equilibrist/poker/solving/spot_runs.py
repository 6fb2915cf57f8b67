"""Solving a spot, and resuming a run from its checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from equilibrist.errors import CheckpointError
from equilibrist.parsing.arguments import file_name, function, real_number
from equilibrist.poker.estimates.reductions import check_fits
from equilibrist.poker.solutions.progress import Progress
from equilibrist.poker.solutions.result import PostflopResult
from equilibrist.poker.solutions.stopping import read_stop
from equilibrist.poker.solving.checkpoint import KIND, check_new, read_checkpoint, saver
from equilibrist.poker.solving.run import SAVE_EVERY, Before, solved
from equilibrist.poker.solving.solver import SpotSolver, checked_run
from equilibrist.poker.spots.fields import Storage
from equilibrist.poker.spots.spot import Spot
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.archive import check_writable


def solve(
    spot: Spot,
    target: str | float | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    storage: Storage = "float32",
    threads: int = 1,
    variant: Variant | str | None = None,
    memory: int | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
) -> PostflopResult:
    """Solve a spot until the first of several limits is reached.

    Without `target`, `iterations` and `seconds` the run stops at 0.3 % of the pot, at the latest
    after 1,000 iterations.

    Args:
        spot: What to solve.
        target: The exploitability that ends the run, with rake the mean gain: `"0.3%"` of the pot,
            `"0.5c"` in chips, or a number, the share of the pot.
        iterations: The most iterations.
        seconds: The most seconds of solving.
        storage: How regrets and strategy sums are stored: float32, or int16 in half of the memory.
        threads: Threads to work with. Their number changes no bit of the result.
        variant: A variant of CFR, by its name, such as `dcfr(gamma=3)`, or as a Variant. The
            default is `dcfr(alpha=1.4, beta=0.2, gamma=5)`, for int16 `dcfr-restarts`.
        memory: The most bytes that solving may take, by default half of the machine's memory.
        progress: Called after every measurement and about 20 times a second between them. It stops
            the run by returning False, or NumPy's False.
        checkpoint: A file that takes the whole state every `checkpoint_every` seconds, and when the
            run stops; `resume` continues from it. If it cannot be written, the run ends with what
            it has and a RuntimeWarning, and the `failure` of the solution says why.
        checkpoint_every: Seconds between two checkpoints.

    Returns:
        The solution, also after an interrupt (Ctrl-C).

    Raises:
        ConfigError: An argument is wrong.
        MemoryBudgetError: The spot does not fit into `memory`; nothing has been allocated then.
        OutputError: The checkpoint cannot be written there.
        CheckpointError: The file holds another run.
    """
    stop = read_stop(spot.pot, target, iterations, seconds)
    if progress is not None:
        function("progress", progress)
    real_number("checkpoint_every", checkpoint_every, 0.0, 1e9)
    threads, variant = checked_run(storage, threads, variant)
    check_fits(spot, memory, storage, predicts=variant.predicts, threads=threads)
    if checkpoint is not None:
        check_new(checkpoint)
    solver = SpotSolver(spot, storage=storage, threads=threads, algorithm=variant)
    save = None if checkpoint is None else saver(solver, checkpoint)
    try:
        return solved(spot, solver, stop, progress, save, checkpoint_every)
    finally:
        solver.rest()


def resume(
    path: str | os.PathLike[str],
    target: str | float | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    variant: Variant | str | None = None,
    memory: int | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
) -> PostflopResult:
    """Resume a run that `solve` saved; the result is bit-identical to an uninterrupted run.

    Spot, storage and variant are those of the run. Arguments that are not listed here are as in
    `solve`.

    Args:
        path: The checkpoint.
        target: As in `solve`.
        iterations: The most iterations, those before the checkpoint included.
        seconds: The most seconds from now on.
        threads: As in `solve`.
        variant: The variant of the run; needed only if it is one of your own.
        memory: As in `solve`.
        progress: As in `solve`.
        checkpoint: Where to save from now on, by default to the same file.
        checkpoint_every: As in `solve`.

    Returns:
        The solution.

    Raises:
        CheckpointError: The file cannot be resumed.
        ConfigError: As in `solve`, and so are MemoryBudgetError and OutputError.
    """
    saved = read_checkpoint(path)
    if progress is not None:
        function("progress", progress)
    stop = read_stop(saved.spot.pot, target, iterations, seconds, done=saved.iteration)
    real_number("checkpoint_every", checkpoint_every, 0.0, 1e9)
    variant = saved.as_run(variant)
    check_fits(saved.spot, memory, saved.storage, predicts=variant.predicts, threads=threads)
    if checkpoint is None or file_name("checkpoint", checkpoint).resolve() == Path(path).resolve():
        checkpoint = path
        check_writable(path, KIND)
    else:
        check_new(checkpoint)
    if stop.iterations is not None and stop.iterations < saved.iteration:
        raise CheckpointError(
            f"{path} is at iteration {saved.iteration:,}, past the {stop.iterations:,} to stop at",
            path,
            option="iterations",
            given=stop.iterations,
            expected=saved.iteration,
            remedy="give a higher number",
        )
    solver = saved.solver(threads, variant)
    save, before = saver(solver, checkpoint), Before(saved.trace, saved.seconds)
    try:
        return solved(saved.spot, solver, stop, progress, save, checkpoint_every, before)
    finally:
        solver.rest()
