"""Setups that are kept by name: spot files in the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError
from equilibrist.web.store.folders import existing_path, new_path_in, own_files, shown_name

_SUFFIX: Final = ".toml"
_MOST: Final = 500


class Setups:
    """The setups of a server, by name.

    Args:
        folder: Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """The names of all setups, sorted."""
        files = own_files(self._folder, _SUFFIX)
        names = (shown_name(path.name.removesuffix(_SUFFIX)) for path in files)
        return sorted(names, key=str.lower)

    def get(self, name: str) -> str:
        """The spot file of a setup; raises NotFoundError, and ConflictError for another file."""
        path = self._file(name)
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise ConflictError(
                f"the file of the setup {name!r} cannot be read: it is no text in UTF-8",
                option="name",
                given=name,
                remedy="save that file as UTF-8, or delete it",
            ) from None

    def put(self, name: str, text: str) -> None:
        """Store a setup; one of the same name is replaced.

        Args:
            name: Its name.
            text: A spot file.

        Raises:
            WebError: The name is not valid.
            LimitError: As many setups are stored as may be.
            OutputError: It cannot be written.
        """
        path = new_path_in(self._folder, name, _SUFFIX)
        if not path.exists() and len(self.names()) >= _MOST:
            raise LimitError(
                f"{_MOST} setups are saved, which is the limit",
                option="setups",
                expected=_MOST,
                remedy="delete some",
            )
        write_bytes(path, text.encode())

    def delete(self, name: str) -> None:
        """Delete a setup; raises NotFoundError."""
        path = self._file(name)
        with failures(path):
            path.unlink()

    def _file(self, name: str) -> Path:
        path = existing_path(self._folder, name, _SUFFIX)
        if not path.is_file():
            raise _unknown(name)
        return path


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(
        f"there is no setup {name[:80]!r}",
        option="name",
        given=name[:80],
        remedy="/api/setups lists them",
    )
