"""The files of a solve: checked before anything is computed, and read again as results."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, TypeVar

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name
from equilibrist.parsing.threads import thread_count
from equilibrist.plotting import check_picture
from equilibrist.progress import as_callbacks
from equilibrist.results import Result
from equilibrist.solvers.run.checkpoint import SavedGameRun
from equilibrist.solvers.run.saved_run import refuse_overwrite
from equilibrist.solving.config import SolveConfig
from equilibrist.storage.archive import check_writable, kind_of
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    DEVICE,
    MULTIWAY,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SPOT_SOLUTION,
    THREE_SPOT,
    words_of,
)

if TYPE_CHECKING:
    from equilibrist.poker.buckets.card_buckets import CardBuckets
    from equilibrist.progress import Callbacks, OnProgress

S = TypeVar("S", bound=SavedGameRun[Any])


def check_files(
    config: SolveConfig, solution: str, checkpoint: str, load: Callable[[Path], S]
) -> S | None:
    """Raise what writing would raise later; returns what is resumed.

    `solution` and `checkpoint` are the kinds of files to write, `load` reads the latter.
    """
    if config.out is not None:
        check_writable(config.out, solution)
    if config.save_device is not None:
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


_OPENERS: Final = {
    SPOT_SOLUTION: "poker.postflop.files.storage:load_spot",
    THREE_SPOT: "poker.three_players.solution:read_three",
    PREFLOP_SOLUTION: "poker.preflop.exact.solution:read_preflop",
    MULTIWAY: "poker.preflop.multiway.solution:read_multiway",
    PUSH_FOLD: "poker.preflop.push_fold.solution:read_push_fold",
    BLUEPRINT: "poker.blueprint.policy:Blueprint.load",
}
"""What opens a solution of hold'em, behind `equilibrist.`, by the kind of its file."""


def load_result(
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    cards: CardBuckets | str | os.PathLike[str] | None = None,
) -> Any:
    """Open a solution of any kind that `save` wrote.

    Args:
        path: The solution of a game, a strategy that was found without a tree, the solution of a
            spot, of a spot with three players, of a hand, of push or fold, or a blueprint.
        threads: Threads that re-solve the streets which the file of a spot lacks, by default one
            for each core. Their number changes no bit.
        callbacks: Functions called while streets of a spot are re-solved.
        cards: The card buckets of a blueprint, or their file, where they are neither at their old
            place nor beside the blueprint.

    Returns:
        A `Result` whose strategy is a `StoredStrategy`, an `ImplicitResult`, a
        `poker.PostflopResult`, `poker.ThreeSolution`, `poker.PreflopSolution`,
        `poker.MultiwaySolution`, `poker.PushFoldSolution` or a `poker.blueprint.Blueprint`.

    Raises:
        FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
        ConfigError: `threads` or `callbacks` are wrong, or `cards` are given and it is no
            blueprint.
    """
    thread_count(threads)
    as_callbacks(callbacks)
    kind = kind_of(file_name("path", path))
    options: dict[str, Any] = {}
    if kind == BLUEPRINT:
        options = {"cards": cards}
    elif cards is not None and kind is not None:
        raise ConfigError(
            f"{path} is {words_of(kind)}, and card buckets belong to a blueprint",
            option="cards",
            given=cards,
            remedy="leave out cards",
        )
    elif kind == SPOT_SOLUTION:
        options = {"threads": threads, "callbacks": callbacks}
    if kind not in _OPENERS:
        return Result.load(path)
    return resolve_name(f"equilibrist.{_OPENERS[kind]}")(path, **options)
