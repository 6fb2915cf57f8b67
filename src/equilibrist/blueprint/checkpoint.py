"""Checkpoints of trainings: what may be overwritten, and what can be resumed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from equilibrist.blueprint.policy import KIND
from equilibrist.errors import CheckpointError, EquilibristError, FileFormatError
from equilibrist.storage.archive import check_writable
from equilibrist.storage.mapped_archive import MappedArchive

CHECKPOINT: Final = "blueprint-checkpoint"


def opened(path: Path) -> MappedArchive:
    """The checkpoint; CheckpointError if it is missing, damaged or of another kind."""
    if not os.path.lexists(path):
        raise CheckpointError(
            f"there is no checkpoint {path} to resume",
            path,
            option="file",
            given=path,
            remedy="start without --resume to make one",
        )
    try:
        return MappedArchive(path, CHECKPOINT)
    except FileFormatError as error:
        raise error.as_kind(CheckpointError) from None


def check_new(path: str | os.PathLike[str]) -> None:
    """Refuse a checkpoint that exists, or cannot be written."""
    check_writable(path, CHECKPOINT)
    if os.path.lexists(path):
        iterations = "another run"
        with suppress(EquilibristError, KeyError, TypeError):
            state = MappedArchive(path, CHECKPOINT).header["state"]
            iterations = f"a run of {int(state['iteration']):,} iterations"
        raise CheckpointError(
            f"{path} is the checkpoint of {iterations}, which a new run would overwrite",
            path,
            option="checkpoint",
            given=str(path),
            remedy="resume it, or give another name",
        )


def check_out(path: str | os.PathLike[str]) -> None:
    """Raise OutputError where a blueprint could not be written."""
    check_writable(path, KIND)
