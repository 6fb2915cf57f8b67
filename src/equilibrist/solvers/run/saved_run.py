"""`SavedRun`, a checkpoint that was opened, and what must not be done to one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import CheckpointError, OutputError
from equilibrist.parsing.arguments import file_name
from equilibrist.solvers.run.header import RunHeader, read_run_header
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.damage import reading_checkpoint
from equilibrist.storage.mapped_archive import MappedArchive

H = TypeVar("H", bound=RunHeader)


class SavedRun(Generic[H]):
    """A checkpoint that was opened; kinds of runs are subclasses.

    Attributes:
        KIND: The kind of the file.
        HEADER: The class of its header.
        path: The file.
        header: What it says beside the arrays.
        archive: The file itself, from which arrays are read.
    """

    KIND: ClassVar[str]
    HEADER: ClassVar[type[RunHeader]]

    def __init__(self, path: str | os.PathLike[str], argument: str = "file") -> None:
        """Open a file.

        Args:
            path: The file.
            argument: What errors call it where it is missing.

        Raises:
            CheckpointError: There is none, or it is damaged, foreign, or of an earlier build.
        """
        self.path = file_name("path" if argument == "file" else argument, path)
        with reading_checkpoint(self.path, argument):
            self.archive = MappedArchive(self.path, self.KIND)
            kind = cast("type[H]", self.HEADER)
            self.header = read_run_header(self.path, self.archive.header, kind)
            self._open()

    def _open(self) -> None:
        """Make of the header what runs of the kind have; what it raises makes the file damaged."""

    @property
    def algorithm(self) -> str:
        """What solves it, by its name."""
        return self.header.algorithm

    @property
    def iteration(self) -> int:
        """How many iterations had run."""
        return self.header.iteration

    @property
    def seconds(self) -> float:
        """What they took."""
        return self.header.seconds

    @property
    def trace(self) -> tuple[TracePoint, ...]:
        """The measurements."""
        return tuple(map(TracePoint.from_row, self.header.trace))

    @property
    def versions(self) -> dict[str, str]:
        """The packages that wrote it, for people."""
        return self.header.versions

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of its state.

        Returns:
            Copies, by name.
        """
        return {name: self.archive.read(name) for name in self.archive.shapes()}

    def refuse_past(self, limit: str, count: int, most: int | None) -> None:
        """Refuse a limit that the run has passed.

        Args:
            limit: What is limited: `iterations` or `deals`.
            count: How many there were.
            most: How many there may be; None for no limit.

        Raises:
            CheckpointError: There were more.
        """
        if most is not None and most < count:
            raise CheckpointError(
                f"{self.path} is at {limit.removesuffix('s')} {count:,}, past the {most:,} to stop "
                "at",
                self.path,
                option=limit,
                given=most,
                expected=count,
                remedy=f"give a higher number: it includes the {limit} before",
            )

    def refuse_other(
        self,
        what: str,
        there: Mapping[str, Any],
        here: Mapping[str, Any],
    ) -> None:
        """Refuse to resume it as a run of something else.

        Args:
            what: What differs then: "hand".
            there: What is solved in the file, by the names of options.
            here: What is asked for.

        Raises:
            CheckpointError: They differ; it names the first difference.
        """
        for key in dict.fromkeys((*there, *here)):
            if there.get(key) != here.get(key):
                raise CheckpointError(
                    f"{self.path} is a checkpoint of another {what}: its {key} is "
                    f"{value_text(there.get(key))}, not {value_text(here.get(key))}",
                    self.path,
                    option=key,
                    given=here.get(key),
                    expected=there.get(key),
                    remedy=f"leave out {key}, or start a new run under another name",
                )


def value_text(value: object) -> str:
    """The value of an option in words, as errors on checkpoints have it."""
    if value in (None, "", ()):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


class HasIteration(Protocol):
    """A checkpoint that was read, as far as errors tell of it."""

    @property
    def iteration(self) -> int:
        """How many iterations, or steps, had run."""


R = TypeVar("R", bound=HasIteration)


def refuse_overwrite(path: Path, load: Callable[[Path], R], describe: Callable[[R], str]) -> None:
    """Raise where a new run would overwrite an earlier one, or a file that is not a checkpoint.

    Args:
        path: Where the new run is to be saved; an empty file may stand there.
        load: Reads a checkpoint; raises CheckpointError.
        describe: What the run there solves, such as `of kuhn with dcfr`.

    Raises:
        CheckpointError: There is a run; the error says how far it got.
        OutputError: There is something that cannot be resumed.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        saved = load(path)
    except CheckpointError as error:
        raise OutputError(
            f"{path} exists and is left as it was, though it cannot be resumed ({error})",
            path,
            option="file",
            given=path,
            remedy="choose another name",
        ) from None
    raise CheckpointError(
        f"{path} contains a run {describe(saved)} at iteration {saved.iteration:,}",
        path,
        option="iteration",
        given=saved.iteration,
        remedy="resume it, choose another name, or remove the file",
    )


def refuse_other_arrays(
    path: Path, stored: Mapping[str, NDArray[Any]], own: Mapping[str, NDArray[Any]]
) -> None:
    """Raise CheckpointError unless a file has the arrays of a solver, in finite numbers."""
    for name, array in own.items():
        saved = stored.get(name)
        if saved is None or saved.shape != array.shape or not np.isfinite(saved).all():
            raise CheckpointError(
                f"{path}: the array {name} is not {array.size:,} finite numbers",
                path,
                option=name,
                remedy="start a new run",
            )
