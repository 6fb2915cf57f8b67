"""The error for a file of ours whose content is not what its kind must have."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from equilibrist.errors import CheckpointError, EquilibristError, FileFormatError

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
    place, value, why = None, None, f"{error}"
    complaints: Any = getattr(error, "errors", None)
    if callable(complaints) and (problems := complaints()):
        first = problems[0]
        place = ".".join(map(str, first["loc"])) or "the header"
        value = first["input"] if first["type"] != "missing" else None
        reason = first["msg"].removeprefix("Value error, ")
        why = f"{place}: {reason[:1].lower()}{reason[1:]}"
    return FileFormatError(
        f"{path} is not {what}: {why}",
        path,
        option="content",
        given=value,
        place=place,
        remedy=remedy,
    )


def damaged_checkpoint(path: str | os.PathLike[str], error: Exception) -> CheckpointError:
    """The error that says what is wrong with a checkpoint, in one line."""
    damage = damaged(path, "a whole checkpoint", error, _ANOTHER_RUN)
    return damage.as_kind(CheckpointError)


@contextmanager
def reading_content(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Around making something of a file: what is wrong with its content is a FileFormatError.

    Args:
        path: The file.
        what: What it should be: "a whole solution".
    """
    try:
        yield
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, EquilibristError) as error:
        raise damaged(path, what, error) from None


@contextmanager
def reading_checkpoint(path: str | os.PathLike[str], option: str = "file") -> Iterator[None]:
    """Around reading a checkpoint: where there is none, or it is damaged, CheckpointError.

    Args:
        path: The file.
        option: What is at fault if there is none.
    """
    if not os.path.lexists(path):
        raise CheckpointError(
            f"there is no checkpoint {path} to resume",
            path,
            option=option,
            given=path,
            remedy="start without `resume` to make one",
        )
    try:
        yield
    except FileFormatError as error:
        raise error.as_kind(CheckpointError) from None
    except (KeyError, TypeError, ValueError, EquilibristError) as error:
        raise damaged_checkpoint(path, error) from None
