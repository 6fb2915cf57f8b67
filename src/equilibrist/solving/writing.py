"""What a solve leaves behind: the solution and the picture, written so that no result is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from equilibrist.errors import EquilibristError, OutputError, as_one
from equilibrist.solving.result import Result


class Saveable(Protocol):
    """A result that can be written."""

    @property
    def solution_file(self) -> Path | None:
        """Where it is, if anywhere."""
        ...

    def save(self, path: Path, /) -> Self:
        """Write it, and return it with `solution_file` set."""
        ...


R = TypeVar("R", bound=Saveable)


@dataclass
class ResultWriter(Generic[R]):
    """Writes a result; what fails is kept in `failures`, in order, and the result goes on.

    `save` writes the solution (None: it is not asked for), `plot` is where the picture goes.
    """

    save: Callable[[R], R] | None
    plot: Path | None = None
    failures: list[OutputError] = field(default_factory=list)
    plotted: Path | None = None

    def write(self, result: R, failure: OutputError | None = None) -> R:
        """Save and plot; `failure` is that of a checkpoint, which ended the run.

        A solution that cannot go where it should, or that nobody asked for although the run was
        cut short, goes to the folder for temporary files.
        """
        if self.save is not None:
            try:
                result = self.save(result)
            except OutputError as error:
                self.failures.append(_saved_elsewhere(result, error))
            if failure is not None:
                where = result.solution_file
                place = "" if where is None else f", its solution is in {where}"
                self.failures.append(failure.with_outcome(f"the run stopped there{place}"))
        elif failure is not None:
            self.failures.append(_saved_elsewhere(result, failure))
        if self.plot is not None and isinstance(result, Result):
            try:
                self.plotted = result.plot(self.plot)
            except OutputError as error:
                self.failures.append(error)
        return result

    def raise_failures(self) -> None:
        """Raise what failed, all of it as one OutputError."""
        if self.failures:
            raise as_one(self.failures)


def _saved_elsewhere(result: Saveable, error: OutputError) -> OutputError:
    """A solution that cannot go where it should goes to the folder for temporary files."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="equilibrist-"))
    except OSError:
        return error
    try:
        saved = result.save(folder / "solution.safetensors").solution_file
    except EquilibristError:
        with suppress(OSError):
            folder.rmdir()
        return error
    return error.with_outcome(f"the solution was saved as {saved} instead")
