"""Saving what a run found: to the file that the user names, and as `last` in any case."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.stored.names import SUFFIX, name_of, stored_solutions
from equilibrist.cli.text.output import call, note, show
from equilibrist.errors import EquilibristError, OutputError

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.results import Result

LARGEST: Final = 500_000_000
"""The bytes that the solution of a spot may take; of larger ones fewer streets are kept."""
_LONGEST: Final = 80
_SPOT: Final = "spot-solution"  # of `poker.postflop.solution`, which is not imported for it
_REMEDY: Final = "--out FILE saves a solution elsewhere, EQUILIBRIST_DATA_DIR names another folder"


def warn_if_unwritable(out: Path | None) -> None:
    """Say before the work that the solution could not stay, unless it goes to a file as well."""
    if out is None:
        try:
            stored_solutions().check()
        except OutputError as error:
            note(f"warning: the solution will not be stored as `last`: {_cause(error)}; {_REMEDY}")


@dataclass
class Saver:
    """Saves the solution of a run.

    Attributes:
        out: The file that the user named, if any.
        to_file: Writes a solution there.
        name: What to type for the solution: the file, or `last`; None if it is nowhere.
        said: What the closing line says beside it.
    """

    out: Path | None
    to_file: Callable[[Any, Path], Path]
    name: str | None = None
    said: str = ""
    _has_failed: bool = False

    def __call__(self, result: Result[Any]) -> Path | None:
        """Save it; returns the file, for `Result.solution_file`. OutputError is of `out` alone."""
        stored = store(result)
        self.said = stored.said
        if stored.path is not None:
            self.name = stored.name
        if stored.warning:
            note(f"warning: {stored.warning}; {_REMEDY}")
        if self.out is None:
            return stored.path
        self._has_failed = True
        path = self.to_file(result, self.out)
        self._has_failed = False
        self.name = shlex.quote(str(path))
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
        place = f"as `{self.name}`{self.said}" if is_stored else f"to {self.out}"
        (show if aloud else note)(f"{what} saved {place}")


@dataclass(frozen=True)
class Stored:
    """What became of a solution: its file, how to call it, and what is to be said about it."""

    path: Path | None = None
    name: str = ""
    said: str = ""
    warning: str = ""


def store(result: Result[Any]) -> Stored:
    """Make a solution the newest of the data folder: `last`. Raises nothing of ours.

    Where the folder cannot be written it goes to the folder for temporary files.
    """
    said = ""

    def write(path: Path) -> None:
        nonlocal said
        said = write_solution(result, path)

    label = default_stem(result.game, result.algorithm, result.config.get("sampler"))
    try:
        path = stored_solutions().add(label, write)
    except EquilibristError as error:
        return _elsewhere(result, error)
    call(path, name_of(0))
    return Stored(path, name_of(0), said)


def store_aside(result: Result[Any], *, quiet: bool) -> Path | None:
    """Store what a command has solved on its way to something else, say so, return the file."""
    stored = store(result)
    if stored.warning:
        note(f"warning: {stored.warning}; {_REMEDY}")
    elif not quiet:
        note(f"Solution saved as `{stored.name}`{stored.said}")
    return stored.path


def write_solution(result: Result[Any], path: Path, largest: int | None = None) -> str:
    """Write a solution, of a large spot the streets that fit; says in words what is left out.

    A spot may take `largest` bytes, by default LARGEST, and never more than a quarter of what is
    free. Raises OutputError where it cannot be written.
    """
    if result.KIND != _SPOT:
        result.save(path)
        return ""
    room = _room(path.parent, LARGEST if largest is None else largest)
    keep, said = _streets_that_fit(result, room)  # type: ignore[arg-type]
    result.save(path, keep)  # type: ignore[call-arg]
    return said


def _room(folder: Path, largest: int) -> int:
    """The bytes that one solution may take: never more than a quarter of what is free."""
    return min(largest, shutil.disk_usage(folder).free // 4)


def _streets_that_fit(solution: PostflopResult, room: int) -> tuple[Any, str]:
    """The most streets that take at most `room` bytes, and how the closing line says that.

    Raises OutputError where not even the first street fits.
    """
    from equilibrist.formatting.amounts import bytes_text
    from equilibrist.poker.postflop.solution.spot_file import KEEPS, kept_streets

    whole, wanted = 0, kept_streets(solution.spot, solution.keep)
    for keep in KEEPS:
        with suppress(EquilibristError):  # a river spot has no other streets
            streets = kept_streets(solution.spot, keep)
            if streets > wanted or solution.parts is None:
                continue
            size = sum(array.nbytes for array in solution.parts(streets)[1].values())
            whole = whole or size
            if size <= room:
                left = " without rivers" if keep == "no-rivers" else " with its first street alone"
                why = f"{left} (the whole has {bytes_text(whole)}; --out FILE saves it)"
                return keep, "" if streets == wanted else why
    raise OutputError(
        f"it has {bytes_text(whole)}, and {bytes_text(room)} are allowed",
        option="size",
        given=whole,
        expected=room,
    )


def _elsewhere(result: Result[Any], error: EquilibristError) -> Stored:
    """Where the data folder cannot be written, or a solution is too large for it."""
    why = f"the solution is not stored as `last`: {_cause(error)}"
    if isinstance(error, OutputError) and error.option == "size":
        return Stored(warning=why)
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="equilibrist-"))
        path = folder / f"solution{SUFFIX}"
        said = write_solution(result, path)
    except (OSError, EquilibristError):
        if folder is not None:
            with suppress(OSError):
                folder.rmdir()
        return Stored(warning=why)
    return Stored(path, shlex.quote(str(path)), said, why)


def _cause(error: EquilibristError) -> str:
    return str(error).removesuffix(f"; {error.remedy}")


def default_stem(game: str, algorithm: str, sampler: str | None = None) -> str:
    """`leduc-players-3-dcfr` from `leduc(players=3)` and `dcfr`; long names end in a digest.

    A sampler's name stands between the two.
    """
    given = (game, algorithm) if sampler is None else (game, sampler, algorithm)
    words = [
        re.sub(r"-+", "-", re.sub(r"[^A-Za-z0-9+._]+", "-", Path(text).name)).strip("-.")
        for text in given
    ]
    stem = "-".join(word or "unnamed" for word in words)
    if len(stem) > _LONGEST:
        digest = hashlib.sha256("\0".join(given).encode()).hexdigest()[:8]
        stem = f"{stem[: _LONGEST - 9]}-{digest}"
    return stem
