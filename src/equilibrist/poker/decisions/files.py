"""Files of solutions of hands: a header with the fields of the solution, and its arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from equilibrist.storage.archive import write_archive
from equilibrist.storage.versions import FileHeader, versions


class SolutionHeader(FileHeader):
    """What all files of solutions of hands say; kinds of solutions have more fields."""

    versions: dict[str, str]
    """The packages that wrote it."""


def write_solution(
    path: str | os.PathLike[str],
    kind: str,
    header: type[SolutionHeader],
    solution: object,
    arrays: Mapping[str, NDArray[Any]],
    **stored: Any,
) -> Path:
    """Write a solution to a file, which `load_result` opens.

    Args:
        path: The file; an earlier solution of the kind is replaced.
        kind: The kind of the file.
        header: The class of its header, whose fields are those of the solution.
        solution: The solution.
        arrays: Its arrays.
        stored: Fields that the file has in another form than the solution.

    Returns:
        The path.

    Raises:
        OutputError: It cannot be written, or another file stands there.
    """
    names = header.model_fields.keys() - stored.keys() - {"versions"}
    fields = {name: getattr(solution, name) for name in names}
    written = header(**fields, **stored, versions=versions())
    write_archive(path, kind, written.model_dump(), dict(arrays))
    return Path(path)


def fields_of(header: SolutionHeader, *without: str) -> dict[str, Any]:
    """The fields of a solution that a header has in the same form.

    Args:
        header: The header that was read.
        without: The names of the others.

    Returns:
        The fields by name.
    """
    names = type(header).model_fields.keys() - {"versions", *without}
    return {name: getattr(header, name) for name in names}
