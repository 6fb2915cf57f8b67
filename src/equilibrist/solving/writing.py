"""Writing the files of a solve (solution, plot) so that a failure loses no result."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from equilibrist.errors import EquilibristError, OutputError, as_one
from equilibrist.results import Result

R = TypeVar("R", bound=Result[Any])
T = TypeVar("T")


def _saved_as(result: Result[Any], path: Path) -> Path:
    return result.save(path)


@dataclass
class ResultWriter(Generic[R]):
    """Writes a result; failures are kept in `failures`, in order, and the other files are written.

    Attributes:
        save: Writes the solution and returns its path, or None if that is nowhere; None if not
            requested.
        plot: Where the picture goes, if anywhere.
        device: Where the history of play goes, if anywhere.
        save_as: Writes the solution to another path, and returns that.
        name: The name of the file there.
        failures: What could not be written.
        plotted: Where the picture is.
    """

    save: Callable[[R], Path | None] | None
    plot: Path | None = None
    device: Path | None = None
    save_as: Callable[[R, Path], Path] = _saved_as
    name: str = "solution.safetensors"
    failures: list[OutputError] = field(default_factory=list)
    plotted: Path | None = None

    def write(self, result: R, failure: OutputError | None = None) -> R:
        """Save and plot; `failure` is that of a checkpoint, which ended the run.

        A solution that cannot go where it should, or that nobody asked for although the run was
        cut short, goes to the folder for temporary files.
        """
        if self.save is not None:
            try:
                result = replace(result, solution_file=self.save(result))
            except OutputError as error:
                self.failures.append(saved_elsewhere(result, self.save_as, self.name, error))
            if failure is not None:
                where = result.solution_file
                place = "" if where is None else f", its solution is in {where}"
                self.failures.append(failure.with_outcome(f"the run stopped there{place}"))
        elif failure is not None:
            self.failures.append(saved_elsewhere(result, self.save_as, self.name, failure))
        if self.device is not None and result.device is not None:
            try:
                result.device.save(self.device)
            except OutputError as error:
                self.failures.append(error)
        if self.plot is not None:
            try:
                self.plotted = result.plot(self.plot)
            except OutputError as error:
                self.failures.append(error)
        return result

    def raise_failures(self) -> None:
        """Raise what failed, all of it as one OutputError."""
        if self.failures:
            raise as_one(self.failures)


def saved_elsewhere(
    result: T, save: Callable[[T, Path], Path], name: str, error: OutputError
) -> OutputError:
    """Save what cannot go where it should to the folder for temporary files, and say so.

    `save` writes it, `name` is that of the file there, `error` is what went wrong.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="equilibrist-"))
    except OSError:
        return error
    try:
        saved = save(result, folder / name)
    except EquilibristError:
        with suppress(OSError):
            folder.rmdir()
        return error
    return error.with_outcome(f"the solution was saved as {saved} instead")
