"""The header that all checkpoints have: what is solved, what solves it, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from equilibrist.errors import FileFormatError
from equilibrist.solvers.run.trace import TraceRow
from equilibrist.storage.versions import FileHeader


class RunHeader(FileHeader):
    """What a checkpoint says beside the arrays of its state.

    Kinds of runs narrow the types of `problem`, `options` and `state`.
    """

    problem: Any
    """What is solved."""
    algorithm: str
    """What solves it, by its name."""
    options: Any
    """All else that the bits of the result depend on."""
    iteration: int = Field(ge=0)
    """Iterations so far."""
    seconds: float = Field(ge=0.0)
    """Seconds so far."""
    trace: list[TraceRow] = Field(default_factory=list)
    """The measurements, where any are made."""
    state: Any = None
    """What the coming iterations depend on beside the arrays."""
    limits: dict[str, Any] = Field(default_factory=dict)
    """The limits of the run that wrote it, for people: resuming does not depend on them."""
    versions: dict[str, str]
    """The packages that wrote it."""


H = TypeVar("H", bound=RunHeader)


def read_run_header(path: Path, raw: Mapping[str, Any], kind: type[H]) -> H:
    """The header of a checkpoint.

    Args:
        path: The file.
        raw: What stands in it.
        kind: The class of headers of such runs.

    Returns:
        The header.

    Raises:
        FileFormatError: An earlier build wrote it, whose headers were different.
        ValueError: It is damaged.
    """
    versions = raw.get("versions")
    if "problem" not in raw and isinstance(versions, Mapping):
        version = versions.get("equilibrist", "unknown")
        raise FileFormatError(
            f"{path} is a checkpoint of an earlier build of version {version}, which this one "
            "cannot resume",
            path,
            option="problem",
            given=version,
            remedy="start a new run under another name",
        )
    return kind.read(raw)
