"""Saving solutions: as `last` in the data folder, and of large spots the streets that fit."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.library.names import SUFFIX, name_of, stored_solutions
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.results import Result

LARGEST: Final = 500_000_000
"""The bytes that the solution of a spot may take; of larger ones fewer streets are kept."""
_LONGEST: Final = 80


@dataclass(frozen=True)
class Stored:
    """What became of a solution.

    Attributes:
        path: Its file; None if it is nowhere.
        name: What to type for it: `last`, or a file.
        left_out: Which streets of a spot were left out, in words; empty for none.
        warning: Why it is not stored as `last`; empty if it is.
    """

    path: Path | None = None
    name: str = ""
    left_out: str = ""
    warning: str = ""


def store(result: Result[Any]) -> Stored:
    """Make a solution the newest of the data folder: `last`. Raises nothing of ours.

    Where the folder cannot be written it goes to the folder for temporary files.
    """
    left_out = ""

    def write(path: Path) -> None:
        nonlocal left_out
        left_out = write_solution(result, path)

    label = default_stem(result.game, result.algorithm, result.config.get("sampler"))
    try:
        path = stored_solutions().add(label, write)
    except EquilibristError as error:
        return _elsewhere(result, error)
    return Stored(path, name_of(0), left_out)


def write_solution(result: Result[Any], path: Path, largest: int | None = None) -> str:
    """Write a solution, of a large spot the streets that fit; says in words what is left out.

    A spot may take `largest` bytes, by default LARGEST, and never more than a quarter of what is
    free. Raises OutputError where it cannot be written.
    """
    if result.KIND != SPOT_SOLUTION:
        result.save(path)
        return ""
    room = _room(path.parent, LARGEST if largest is None else largest)
    keep, left_out = _streets_that_fit(result, room)  # type: ignore[arg-type]
    result.save(path, keep)  # type: ignore[call-arg]
    return left_out


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
                what_is_left_out = (
                    " without rivers" if keep == "no-rivers" else " with its first street alone"
                )
                why = f"{what_is_left_out} (the whole has {bytes_text(whole)}; --out FILE saves it)"
                return keep, "" if streets == wanted else why
    raise OutputError(
        f"it has {bytes_text(whole)}, and {bytes_text(room)} are allowed",
        option="size",
        given=whole,
        expected=room,
    )


def _elsewhere(result: Result[Any], error: EquilibristError) -> Stored:
    """Where the data folder cannot be written, or a solution is too large for it."""
    why = f"the solution is not stored as `last`: {error.problem}"
    if isinstance(error, OutputError) and error.option == "size":
        return Stored(warning=why)
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="equilibrist-"))
        path = folder / f"solution{SUFFIX}"
        left_out = write_solution(result, path)
    except (OSError, EquilibristError):
        if folder is not None:
            with suppress(OSError):
                folder.rmdir()
        return Stored(warning=why)
    return Stored(path, shlex.quote(str(path)), left_out, why)


def default_stem(game: str, algorithm: str, sampler: str | None = None) -> str:
    """`leduc-players-3-dcfr` from `leduc(players=3)` and `dcfr`; long names end in a digest.

    A sampler's name stands between the two.
    """
    parts = (game, algorithm) if sampler is None else (game, sampler, algorithm)
    words = [
        re.sub(r"-+", "-", re.sub(r"[^A-Za-z0-9+._]+", "-", Path(text).name)).strip("-.")
        for text in parts
    ]
    stem = "-".join(word or "unnamed" for word in words)
    if len(stem) > _LONGEST:
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
        stem = f"{stem[: _LONGEST - 9]}-{digest}"
    return stem
