"""The error for a file of ours whose content is not what its kind must have."""

from __future__ import annotations

import os
from typing import Any

from equilibrist.errors import CheckpointError, FileFormatError

_ANOTHER_COPY = "use another copy of the file, or make it again"
_ANOTHER_RUN = "resume from another checkpoint, or start the run again"


def damaged(
    path: str | os.PathLike[str], what: str, error: Exception, remedy: str = _ANOTHER_COPY
) -> FileFormatError:
    """The error that says what is wrong with a file, in one line.

    Args:
        path: The file.
        what: What it should be: "a whole solution".
        error: Why it is not; of a validation by Pydantic the first complaint is told.
        remedy: What to do about it.

    Returns:
        The error, whose `place` is the field of the header at fault, where that is known.
    """
    place, given, why = None, None, f"{error}"
    complaints: Any = getattr(error, "errors", None)
    if callable(complaints) and (found := complaints()):
        first = found[0]
        place = ".".join(map(str, first["loc"])) or "the header"
        given = first["input"] if first["type"] != "missing" else None
        reason = first["msg"].removeprefix("Value error, ")
        why = f"{place}: {reason[:1].lower()}{reason[1:]}"
    return FileFormatError(
        f"{path} is not {what}: {why}",
        path,
        option="content",
        given=given,
        place=place,
        remedy=remedy,
    )


def damaged_checkpoint(path: str | os.PathLike[str], error: Exception) -> CheckpointError:
    """The same for a checkpoint."""
    found = damaged(path, "a whole checkpoint", error, _ANOTHER_RUN)
    return found.as_kind(CheckpointError)
