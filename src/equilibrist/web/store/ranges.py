"""The user's own ranges: a file of ranges by name, with folders, which the command line reads, too.

The form is that of `poker.write_range_file`; the file can be named as `ranges.json#BTN/open`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import EquilibristError
from equilibrist.storage.atomic import write_bytes
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError, WebError

if TYPE_CHECKING:
    from equilibrist.poker.ranges.range import Range

_LONGEST: Final = 120
_DEEPEST: Final = 4
_MOST: Final = 2000
_VERSION: Final = 2


class RangeLibrary:
    """The ranges of a server, by name: `BTN/open` is `open` in the folder `BTN`.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()

    def all(self) -> dict[str, str]:
        """The texts by name, sorted: folders beside each other."""
        with self._lock:
            return self._read()

    def put(self, name: str, hand_range: Range) -> str:
        """Store a range; one of the same name is replaced.

        Args:
            name: Its name, with folders before slashes.
            hand_range: The range.

        Returns:
            The name as it is stored, without spaces around its parts.

        Raises:
            WebError: The name is not valid.
            LimitError: As many ranges are stored as may be.
        """
        with self._changed() as ranges:
            stored_name = _checked(name)
            ranges[stored_name] = str(hand_range)
        return stored_name

    def rename(self, name: str, new: str) -> str:
        """Rename a range, or a folder with all that is in it.

        Args:
            name: Its name; with a slash at its end a folder, also where a range is called so.
            new: Its new name.

        Returns:
            The new name as it is stored.

        Raises:
            NotFoundError: There is no such range or folder.
            ConflictError: The new name is taken.
            WebError: The new name is not valid.
        """
        with self._changed() as ranges:
            stored_name = _checked(new)
            moved = _named(ranges, name)
            names = {old: stored_name + old.removeprefix(name.removesuffix("/")) for old in moved}
            taken = [
                target for target in names.values() if target in ranges and target not in moved
            ]
            if taken:
                raise ConflictError(
                    f"there is a range {taken[0]!r} already",
                    option="name",
                    given=taken[0],
                    remedy="choose another name, or delete that one",
                )
            texts = {names[old]: ranges.pop(old) for old in moved}
            for target in texts:
                _checked(target)
            ranges.update(texts)
        return stored_name

    def delete(self, name: str) -> int:
        """Delete a range, or a folder with all that is in it.

        Args:
            name: Its name; with a slash at its end a folder, also where a range is called so.

        Returns:
            How many ranges were deleted.
        """
        with self._changed() as ranges:
            gone = _named(ranges, name)
            for member in gone:
                del ranges[member]
        return len(gone)

    def exported(self) -> bytes:
        """The file, to be kept elsewhere."""
        return _content(self.all())

    def add_file(self, content: bytes) -> list[str]:
        """Add the ranges of such a file; those of the same name are replaced.

        Returns their names. Raises WebError where one is wrong, and then adds none.
        """
        from equilibrist.poker.ranges.range import Range

        texts = {}
        for name, text in _texts(content).items():
            try:
                texts[_checked(name)] = str(Range(text))
            except EquilibristError as error:
                error.add_place(name)
                raise
        with self._changed() as ranges:
            ranges.update(texts)
        return sorted(texts)

    def _read(self) -> dict[str, str]:
        try:
            return dict(sorted(_texts(self._path.read_bytes()).items()))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ConflictError(
                f"{self._path.name} in the data folder cannot be read: {error.strerror}",
                option="file",
                given=self._path.name,
                expected="a file",
                remedy="move it away, or let this server read it",
            ) from None
        except WebError as error:
            error.add_place(f"{self._path.name} in the data folder")
            raise

    @contextmanager
    def _changed(self) -> Iterator[dict[str, str]]:
        """The ranges, written when the block ends without an error."""
        with self._lock:
            ranges = self._read()
            yield ranges
            if len(ranges) > _MOST:
                raise LimitError(
                    f"{len(ranges):,} ranges would be stored; the limit is {_MOST:,}",
                    option="ranges",
                    given=len(ranges),
                    expected=_MOST,
                    remedy="delete some",
                )
            write_bytes(self._path, _content(ranges))


def _named(ranges: Mapping[str, str], name: str) -> list[str]:
    """The names of a range or of all in a folder; raises NotFoundError."""
    if name in ranges:
        return [name]
    folder = name.removesuffix("/")
    members = [member for member in ranges if member.startswith(f"{folder}/")]
    if not members:
        raise unknown_range(name)
    return members


def _checked(name: str) -> str:
    """A name in one spelling; raises WebError for one that is empty, too long or too deep."""
    parts = [part.strip() for part in name.split("/")]
    whole = "/".join(parts)
    if all(parts) and len(parts) <= _DEEPEST and len(whole) <= _LONGEST and whole.isprintable():
        return whole
    raise WebError(
        f"{name[:_LONGEST]!r} is not a valid name for a range",
        option="name",
        given=name[:_LONGEST],
        expected=f"at most {_LONGEST} characters, with folders before slashes as in BTN/open",
    )


def _content(ranges: Mapping[str, str]) -> bytes:
    data = [
        {"path": name.split("/"), "isGroup": False, "value": text} for name, text in ranges.items()
    ]
    return json.dumps({"version": _VERSION, "name": "ranges", "data": data}, indent=1).encode()


def _texts(content: bytes) -> dict[str, str]:
    """{name: text} in a file of ranges; raises WebError where it is none."""
    try:
        document: Any = json.loads(content)
        entries = document["data"]
        texts = {
            "/".join([entry["path"]] if isinstance(entry["path"], str) else entry["path"]): entry[
                "value"
            ]
            for entry in entries
            if entry.get("isGroup") is not True
        }
        if all(isinstance(text, str) for text in texts.values()):
            "".join([*texts, *texts.values()]).encode()  # no answer holds half characters
            return texts
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        pass
    raise WebError(
        "this is not a file of ranges in JSON",
        option="file",
        expected='{"version": 2, "name": "ranges", "data": [{"path": ["BTN", "open"], "value": '
        '"55+,A2s+"}]}',
        remedy="export one here, or write one with `equilibrist range ... --out ranges.json#NAME`",
    )


def unknown_range(name: str) -> NotFoundError:
    """The error of a name that no own range has."""
    return NotFoundError(
        f"there is no range {name[:_LONGEST]!r}",
        option="name",
        given=name[:_LONGEST],
        remedy="/api/ranges lists them",
    )
