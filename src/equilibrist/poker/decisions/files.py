"""Files of solutions of hands: a header with the fields of the solution, and its arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from numpy.typing import NDArray

from equilibrist.storage.archive import fingerprint_of, write_archive
from equilibrist.storage.versions import FileHeader, versions


class SolutionHeader(FileHeader):
    """What all files of solutions of hands say; kinds of solutions have more fields."""

    versions: dict[str, str]
    """The packages that wrote it."""


class StoredParts(NamedTuple):
    """What a file has of a solution beside the fields of its header."""

    arrays: Mapping[str, NDArray[Any]]
    fields: Mapping[str, Any]
    """Fields that the file has in another form than the solution."""


class StoredSolution:
    """A solution of a hand that can be written to a file.

    Attributes:
        KIND: The kind of the file.
        HEADER: The class of its header, whose fields are those of the solution.
    """

    KIND: ClassVar[str]
    HEADER: ClassVar[type[SolutionHeader]]

    def _parts(self) -> StoredParts:
        """The arrays, and the fields in another form."""
        raise NotImplementedError

    @property
    def _in_parts(self) -> bool:
        """Whether the file is written so that parts of it can be read."""
        return False

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the solution to a file, which `load_result`, commands and the browser open.

        Args:
            path: The file; an earlier solution of the kind is replaced.

        Returns:
            The path.

        Raises:
            OutputError: It cannot be written, or another file stands there.
        """
        header, arrays = self._content()
        return write_archive(
            path, self.KIND, header.model_dump(), dict(arrays), in_parts=self._in_parts
        )

    def fingerprint(self) -> str:
        """Tell solutions apart by what a file of theirs has.

        Returns:
            The same digits for the same fields and arrays, wherever they were written.
        """
        header, arrays = self._content()
        return fingerprint_of(header.model_dump(exclude={"versions"}), arrays)

    def _content(self) -> tuple[SolutionHeader, Mapping[str, NDArray[Any]]]:
        """The header of a file, and its arrays."""
        arrays, stored = self._parts()
        names = self.HEADER.model_fields.keys() - stored.keys() - {"versions"}
        fields = {name: getattr(self, name) for name in names}
        return self.HEADER(**fields, **stored, versions=versions()), arrays


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
