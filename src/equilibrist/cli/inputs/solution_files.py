"""The file of a solution: `--out`, or a name made of the game and the algorithm.

A default name never overwrites a better result: it replaces a solution of the same game only if
that solution is not better, and otherwise takes the next free number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from equilibrist.errors import EquilibristError

if TYPE_CHECKING:
    from equilibrist.results import ImplicitResult, Result
    from equilibrist.strategy import Strategy

SUFFIX = ".safetensors"
_LONGEST = 80


def check_default(game: str, algorithm: str, sampler: str | None = None) -> None:
    """Raise OutputError if no solution could be made in the current folder."""
    from equilibrist.storage.atomic import check_folder_of

    check_folder_of(Path(f"{default_stem(game, algorithm, sampler)}{SUFFIX}"))


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


def save(result: Result[Strategy] | ImplicitResult, out: Path | None) -> Path:
    """Write the result to `out`, or to its default name in the current folder.

    A strategy found without a tree replaces none by default, as its exploitability is unknown.
    Returns the path. Raises OutputError; existing files then stay as they were.
    """
    if out is not None:
        return result.save(out)
    stem = default_stem(result.game, result.algorithm, result.config["sampler"])
    free = (p for p in _numbered(stem) if not p.exists() or _may_replace(p, result))
    return result.save(next(free))


def _numbered(stem: str) -> Iterator[Path]:
    """Without a number, then with 2, 3, ..."""
    yield Path(f"{stem}{SUFFIX}")
    yield from (Path(f"{stem}-{number}{SUFFIX}") for number in count(2))


def _may_replace(path: Path, result: Result[Strategy] | ImplicitResult) -> bool:
    """Whether the file is a solution of the same game that is not better."""
    from equilibrist.results import ImplicitResult
    from equilibrist.results.result import read_solution

    if isinstance(result, ImplicitResult):
        return False
    try:
        earlier = read_solution(path)
    except EquilibristError:
        return False
    same = earlier.strategy.fingerprint == result.strategy.tree.fingerprint
    return same and earlier.measure >= result.measure
