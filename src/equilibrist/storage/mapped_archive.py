"""Archives that are read in parts, through a memory map."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import FileFormatError
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.archive import (
    BLOCK,
    CODES,
    HEADER_LIMIT,
    beginning,
    check_whole,
    checksum_of,
    header_of,
    header_text,
    open_archive,
)
from equilibrist.storage.plain_file import cannot_read

_DIGITS = 16
"""Of the checksum of a block."""
_MAPS: Final = sys.platform != "win32"
"""Windows replaces no file that is mapped, and a solution may be saved where it came from: it is
read whole there."""

_PIECE: Final = 1 << 24
"""Bytes that are read at once."""
_TRIES = 100
"""To open a file that another program replaces again and again."""


class MappedArchive:
    """An archive that `write_archive` wrote, mapped into memory.

    Of one written with `in_parts` opening reads the header alone. A block of the content is read,
    and checked against its checksum, when something in it is asked for; of any other archive all of
    it on opening. Raises FileFormatError as `read_archive`, and where the file was written to since
    it was opened: the memory behind a part that was cut off would end the process.

    Attributes:
        header: What the writer had to say.
        num_bytes: Bytes of all arrays.
    """

    def __init__(self, path: str | os.PathLike[str], kind: str) -> None:
        self.path = file_name("path", path)
        for _ in range(_TRIES):
            metadata, _read = open_archive(self.path, kind)
            try:
                self._arrays, mapped = self._mapped()
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise cannot_read(self.path, f"{error}", "header") from None
            # The bounds of what is mapped were checked if it is the file that was opened, and not
            # one that took its place in between, as the next checkpoint of a run does.
            if mapped == metadata:
                break
            if _MAPS:
                self._close()
        else:
            raise cannot_read(self.path, "it is replaced all the time", "header")
        self._metadata = metadata
        in_parts = "blocks" in metadata
        self._blocks = metadata.get("blocks", "")
        items = sorted(self._arrays.items())
        check_whole(self.path, metadata, checksum_of(metadata, items, content=not in_parts))
        self.header = header_of(self.path, metadata)
        self.num_bytes = sum(array.nbytes for array in self._arrays.values())
        self._checked = np.full(-(-self.num_bytes // BLOCK), not in_parts)

    @property
    def bytes_read(self) -> int:
        """Bytes of the content read so far, in whole blocks."""
        return int(self._checked.sum()) * BLOCK

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays by their names."""
        return {name: array.shape for name, array in self._arrays.items()}

    def dtype(self, name: str) -> np.dtype[Any]:
        """The type of an array; raises FileFormatError if there is none of the name."""
        return self._array(name).dtype

    def read(self, name: str, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """A copy of the entries from `start` to `stop` along the first axis of an array."""
        array = self._array(name)
        part = array[start:stop]
        if not part.size:
            return part.copy()
        begin = self._begins[name] + start * (array[:1].nbytes)
        end = begin + part.nbytes
        self._check(begin, end)
        return self._content(begin, end).view(part.dtype).reshape(part.shape)

    def view(self, name: str) -> NDArray[Any]:
        """An array in the mapped file itself, read-only; it stays mapped while it is referred to.

        `check` compares it with its checksums, and is called before every use: reading what was cut
        off the file meanwhile ends the process.
        """
        array = self._array(name).view()
        array.flags.writeable = False
        return array

    def check(self) -> None:
        """Check all of the content against its checksums, each block once.

        Raises FileFormatError where it is damaged, or the file was written to since it was opened:
        what `view` gave may not be read then.
        """
        if self.num_bytes:
            self._check(0, self.num_bytes)
        if _MAPS and self._identity() != self._known:
            raise self._changed()

    def relabelled(self, header: Mapping[str, Any]) -> tuple[int, Iterator[bytes]]:
        """The file with another header, as it would be written.

        Args:
            header: What it has to say in place of `header`.

        Returns:
            How many bytes it has, and the bytes, piece by piece; an error of the file while they
            are read is a FileFormatError.
        """
        metadata = {**self._metadata, "header": header_text(header)}
        items = sorted(self._arrays.items())
        checksum = checksum_of(metadata, items, content="blocks" not in metadata)
        by_place = sorted(items, key=lambda item: self._begins[item[0]])
        first = beginning({**metadata, "checksum": checksum}, by_place)

        def pieces() -> Iterator[bytes]:
            yield first
            for start in range(0, self.num_bytes, _PIECE):
                yield self._content(start, min(start + _PIECE, self.num_bytes)).tobytes()

        return len(first) + self.num_bytes, pieces()

    def _array(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            raise FileFormatError(f"{self.path} has no array {name!r}", self.path, option=name)
        return self._arrays[name]

    def _mapped(self) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
        """Views of the file, and its metadata."""
        if _MAPS:
            self._descriptor = os.open(self.path, os.O_RDONLY)
            self._close = finalize(self, os.close, self._descriptor)
            self._known = self._identity()
            with open(self._descriptor, "rb", closefd=False) as file:
                self._file: NDArray[np.uint8] = np.memmap(file, np.uint8, "r")
        else:
            self._file = np.fromfile(self.path, np.uint8)
        size = int.from_bytes(self._file[:8].tobytes(), "little")
        if size > HEADER_LIMIT:
            raise ValueError("its header is too long")
        table = json.loads(self._file[8 : 8 + size].tobytes())
        metadata = table.pop("__metadata__")
        types = {code: np.dtype(name).newbyteorder("<") for name, code in CODES.items()}
        self._data = self._file[8 + size :]
        self._begins = {name: entry["data_offsets"][0] for name, entry in table.items()}
        arrays = {
            name: np.ndarray(
                entry["shape"], types[entry["dtype"]], self._data, entry["data_offsets"][0]
            )
            for name, entry in table.items()
        }
        return arrays, metadata

    def _identity(self) -> tuple[int, int]:
        """What changes when somebody writes to the file, and not when it is replaced."""
        status = os.fstat(self._descriptor)
        return status.st_size, status.st_mtime_ns

    def _content(self, begin: int, end: int) -> NDArray[np.uint8]:
        """A copy of some bytes of the content; raises FileFormatError if the file has changed."""
        if not _MAPS:
            return self._data[begin:end].copy()
        content, offset = np.empty(end - begin, np.uint8), len(self._file) - len(self._data) + begin
        for start in range(0, len(content), _PIECE):
            size = min(_PIECE, len(content) - start)
            piece = os.pread(self._descriptor, size, offset + start)
            if len(piece) < size:
                raise self._changed()
            content[start : start + size] = np.frombuffer(piece, np.uint8)
        if self._identity() != self._known:
            raise self._changed()
        return content

    def _changed(self) -> FileFormatError:
        return FileFormatError(
            f"{self.path} was changed while it was open",
            self.path,
            option="file",
            remedy="open it again; to put another file in its place, write that under another name "
            "first and rename it",
        )

    def _check(self, begin: int, end: int) -> None:
        """Check the blocks that cover some bytes against their checksums, each once."""
        first, last = begin // BLOCK, (end - 1) // BLOCK
        for block in (np.flatnonzero(~self._checked[first : last + 1]) + first).tolist():
            data = self._content(block * BLOCK, min((block + 1) * BLOCK, len(self._data)))
            checksum = hashlib.blake2b(data.data, digest_size=_DIGITS // 2).hexdigest()
            if checksum != self._blocks[block * _DIGITS : (block + 1) * _DIGITS]:
                raise FileFormatError(
                    f"{self.path} is damaged: its checksum does not fit its content",
                    self.path,
                    option="checksum",
                    remedy="use an earlier copy, or make the file again",
                )
            self._checked[block] = True
