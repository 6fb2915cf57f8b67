"""The files of a solve: checked before anything is computed, and read again as results."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from equilibrist.parsing.arguments import file_name
from equilibrist.plotting import check_picture
from equilibrist.results import Result
from equilibrist.solvers.run.checkpoint import SavedGameRun
from equilibrist.solvers.run.saved_run import refuse_overwrite
from equilibrist.solving.config import SolveConfig
from equilibrist.storage.archive import check_writable, kind_of
from equilibrist.storage.kinds.file_kinds import DEVICE
from equilibrist.storage.tables import refuse_table_name

S = TypeVar("S", bound=SavedGameRun[Any])


def check_files(
    config: SolveConfig, solution: str, checkpoint: str, load: Callable[[Path], S]
) -> S | None:
    """Raise what writing would raise later; returns what is resumed.

    `solution` and `checkpoint` are the kinds of files to write, `load` reads the latter.
    """
    if config.out is not None:
        refuse_table_name(config.out)
        check_writable(config.out, solution)
    if config.save_device is not None:
        refuse_table_name(config.save_device)
        check_writable(config.save_device, DEVICE)
    if config.plot is not None:
        check_picture(config.plot)
    saved = None if config.resume is None else load(config.resume)
    if config.saves_to is not None:
        check_writable(config.saves_to, checkpoint)
    if config.checkpoint is not None and not config.saves_in_place:
        refuse_overwrite(config.checkpoint, load, _described)
    return saved


def _described(saved: SavedGameRun[Any]) -> str:
    return f"of {saved.identity.game} with {saved.identity.algorithm}"


def load_result(path: str | os.PathLike[str], *, threads: int | None = None) -> Result[Any]:
    """Read a result from a file of any kind.

    Args:
        path: A solution file, a strategy that was found without a tree, or the solution of a spot.
        threads: Threads that re-solve the streets which the file of a spot lacks, by default one
            for each core. Their number changes no bit.

    Returns:
        A `Result` whose strategy is a `StoredStrategy`, an `ImplicitResult`, or a
        `poker.PostflopResult`.

    Raises:
        FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
        ConfigError: The number of threads is wrong.
    """
    from equilibrist.poker.postflop.files.storage import load
    from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION

    if kind_of(file_name("path", path)) == SPOT_SOLUTION:
        return load(path, threads=threads)
    return Result.load(path)
