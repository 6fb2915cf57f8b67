"""Saving what a run found: to the file that the user names, and as `last` in any case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.text.output import call, called, note, show
from equilibrist.errors import OutputError
from equilibrist.library import saving
from equilibrist.library.names import is_name, name_of, newest, stored_solutions
from equilibrist.library.saving import Stored

if TYPE_CHECKING:
    from equilibrist.results import Result

_REMEDY: Final = "--out FILE saves a solution elsewhere, EQUILIBRIST_DATA_DIR names another folder"


def warn_if_unwritable(out: Path | None) -> None:
    """Say before the work that the solution could not stay, unless it goes to a file as well."""
    if out is None:
        try:
            stored_solutions().check()
        except OutputError as error:
            note(f"warning: the solution will not be stored as `last`: {error.problem}; {_REMEDY}")


@dataclass
class Saver:
    """Saves the solution of a run.

    Attributes:
        out: The file that the user named, if any.
        to_file: Writes a solution there.
        name: What to type for the solution: the file, or `last`; None if it is nowhere.
        left_out: Which streets of a spot were left out of the stored one, in words.
    """

    out: Path | None
    to_file: Callable[[Any, Path], Path]
    name: str | None = None
    left_out: str = ""
    _has_failed: bool = False

    def __call__(self, result: Result[Any]) -> Path | None:
        """Save it; returns the file, for `Result.solution_file`. OutputError is of `out` alone."""
        stored = store(result)
        self.left_out = stored.left_out
        if stored.path is not None:
            self.name = stored.name
        if stored.warning:
            note(f"warning: {stored.warning}; {_REMEDY}")
        if self.out is None:
            return stored.path
        self._has_failed = True
        path = self.to_file(result, self.out)
        self._has_failed = False
        self.name = str(path)
        return path

    def close(self, what: str = "Solution", *, aloud: bool = True) -> None:
        """Print where the solution is, below an empty line; on standard error if not `aloud`.

        Where it could not be written to `out`, that is its place among the stored ones, if any.
        """
        if self.name is None:
            return
        if aloud:
            show()
        is_stored = self.out is None or self._has_failed
        place = f"as `{self.name}`{self.left_out}" if is_stored else f"to {self.out}"
        (show if aloud else note)(f"{what} saved {place}")


def store(result: Result[Any]) -> Stored:
    """Make a solution the newest of the data folder, shown as `last` from now on."""
    stored = saving.store(result)
    if stored.path is not None and stored.name == name_of(0):
        for place, path in enumerate(newest()):
            if place == 0 or is_name(called(str(path))):  # the others have moved on by one
                call(path, name_of(place))
    return stored


def store_aside(result: Result[Any], *, quiet: bool) -> Path | None:
    """Store what a command has solved on its way to something else, say so, return the file."""
    stored = store(result)
    if stored.warning:
        note(f"warning: {stored.warning}; {_REMEDY}")
    elif not quiet:
        note(f"Solution saved as `{stored.name}`{stored.left_out}")
    return stored.path
