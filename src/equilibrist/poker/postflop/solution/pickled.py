"""Pickles of solved spots: the content of their file, which a process opens again."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, Self

from equilibrist._extensions import extensions


class _Saved(Protocol):
    """What a result of a spot has."""

    solution_file: Path | None

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file."""
        ...


class PickledByFile:
    """A result that is pickled as its file, as large as what the solver held; copies are itself."""

    def __reduce__(self: _Saved) -> tuple[Any, ...]:
        with TemporaryDirectory() as folder:
            content = self.save(Path(folder) / "solution").read_bytes()
        return extensions("spot pickles")["load"], (content, self.solution_file)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
