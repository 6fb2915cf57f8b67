"""Archives: arrays in safetensors with a JSON header, written atomically.

Nothing is ever unpickled. A file is a plain safetensors file, so that other programs can read
its arrays; the header and a checksum over everything stand in its metadata.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shlex
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import IO, TYPE_CHECKING, Any

from equilibrist.errors import FileFormatError, OutputError
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.atomic import failures, probe, resolved, write_atomically
from equilibrist.storage.kinds.file_kinds import (
    CARDS_STAGE,
    FOREIGN_TENSORS,
    KINDS,
    RANGES,
    SOLUTION,
    another_kind,
    opening,
    remedy_for,
    suffix_of,
    words_of,
)
from equilibrist.storage.plain_file import cannot_read

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "equilibrist-"
"""What the format of every file of ours starts with; the kind of file follows."""
VERSION = 1
"""The format version this program writes, and the newest it reads."""
HEADER_LIMIT = 100_000_000
"""Bytes of JSON that readers of safetensors accept."""
CODES = {
    "float64": "F64", "float32": "F32", "int64": "I64", "int32": "I32", "int16": "I16",
    "int8": "I8", "uint8": "U8", "uint16": "U16",
}  # fmt: skip
"""What safetensors calls the types of arrays."""
_TABLE_SUFFIXES = (".csv", ".json", ".jsonl", ".parquet", ".txt")
"""Suffixes of the tables, documents and ranges that are exported from archives."""
BLOCK = 1 << 20
"""Bytes that are checked together where an archive is read in parts."""


def write_archive(
    path: str | os.PathLike[str],
    kind: str,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    overwrite: bool = True,
    in_parts: bool = False,
) -> Path:
    """Write `header` (anything JSON can say) and `arrays` to `path`, atomically, and return it.

    `kind` names what the file is, such as "solution". An existing file is replaced only if it
    is of the same kind, and stays as it was if anything fails; with `overwrite` false any
    existing file is refused. With `in_parts` every block of the content has a checksum of its own:
    such a file is opened by `storage.mapped_archive.MappedArchive`, which reads parts of it.
    Arrays: float64, float32, int64, int32, int16, int8, uint8 or uint16 of any shape.

    Raises OutputError: full disk, no permission, a folder that does not exist, a target that is
    something else, or has the name of a table.
    """
    refuse_table_name(path, kind)
    target = resolved(path)
    _check_replaceable(target, kind, overwrite=overwrite)
    items = _ordered(arrays)
    text = header_text(header)
    metadata = {"format": FORMAT + kind, "version": str(VERSION), "header": text}
    if in_parts:
        metadata["blocks"] = "".join(_block_checksums(items))
    checksum = checksum_of(metadata, items, content=not in_parts)
    first = beginning({**metadata, "checksum": checksum}, items)
    if len(first) > HEADER_LIMIT:
        raise OutputError(
            f"{path}: a header of {len(first):,} bytes is more than readers take",
            path,
            option="header",
            given=len(first),
            expected=HEADER_LIMIT,
        )

    def write(file: IO[bytes]) -> None:
        file.write(first)
        for _, array in items:
            file.write(_bytes_of(array))

    write_atomically(target, write)
    return file_name("path", path)


def header_text(header: Mapping[str, Any]) -> str:
    """A header as the metadata of a file has it."""
    return json.dumps(dict(header), separators=(",", ":"), ensure_ascii=True)


def beginning(metadata: Mapping[str, str], items: Sequence[tuple[str, NDArray[Any]]]) -> bytes:
    """The beginning of a safetensors file, before its content.

    Args:
        metadata: The metadata of the file.
        items: Names and arrays in the order of the content.
    """
    table: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in items:
        start, end = end, end + array.nbytes
        table[name] = {
            "dtype": CODES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [start, end],
        }
    head = json.dumps(table, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # keeps the arrays aligned for readers that map the file
    return len(head).to_bytes(8, "little") + head


def read_archive(
    path: str | os.PathLike[str], kind: str
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read (header, arrays) of a file that `write_archive` wrote with the same `kind`.

    The arrays are writable copies. Raises FileFormatError for anything else: a file that is
    missing, truncated, damaged (its checksum fails), foreign, of another kind or of a newer
    version. Nothing in the file is run, and no more memory is asked for than the file has bytes.
    """
    path = file_name("path", path)
    metadata, read = open_archive(path, kind)
    arrays = read()
    check_whole(path, metadata, checksum_of(metadata, sorted(arrays.items())))
    return header_of(path, metadata), arrays


def open_archive(
    path: Path, kind: str
) -> tuple[dict[str, str], Callable[[], dict[str, NDArray[Any]]]]:
    """The metadata of a file of the kind, and the function that reads its arrays.

    Raises FileFormatError unless the file is of that kind, of this version, and not cut off.
    """
    try:
        metadata, read = _open(path)
    except FileFormatError:
        from equilibrist.storage.kinds.recognition import sniffed_kind

        other = sniffed_kind(path)
        if other is None and os.path.isdir(path):  # noqa: PTH112 - no error
            raise folder_error(path, words_of(kind), (kind,)) from None
        if other is None:
            raise
        raise another_kind(path, other, kind, option="file", remedy=_remedy(other, kind)) from None
    form = metadata.get("format", "")
    if not form.startswith(FORMAT):
        raise FileFormatError(
            f"{path} was not written by Equilibrist", path, option="format", given=form or None
        )
    if form != FORMAT + kind:
        other = form.removeprefix(FORMAT)
        raise another_kind(path, other, kind, remedy=_remedy(other, kind))
    version = metadata.get("version", "")
    if version != str(VERSION):
        newer = version.isdecimal() and len(version) < 9 and int(version) > VERSION
        remedy = "; install a newer Equilibrist to read it" if newer else ""
        raise FileFormatError(
            f"{path} has format version {version[:20]!r}, this program reads {VERSION}{remedy}",
            path,
            option="version",
            given=version[:20],
            expected=VERSION,
        )
    return metadata, read


def _remedy(form: str, expected: str) -> str | None:
    """The remedy for an archive of one kind where another one was expected; None for other files.

    That is for `KINDS` to say.
    """
    saved, wanted = (kind.endswith("checkpoint") for kind in (form, expected))
    if saved and wanted:
        return "resume it with the game and options it was made with"
    if saved:
        return "resume it to get a result"
    if wanted:
        return "give the checkpoint of the run; a result cannot be resumed"
    if form == CARDS_STAGE:
        return "build the buckets again as before, which goes on from it"
    code = opening(form)
    return None if code is None else f"`{code}` opens it"


_MOST_LISTED = 500
"""Files of a folder whose kind is looked at."""
_MOST_NAMED = 3
"""Those that are named."""


def file_kind(path: Path) -> str | None:
    """The kind of an existing file or folder, by what it holds: one of `KINDS`.

    None where there is none, where it cannot be read, and for an archive that is damaged: opening
    it says what is wrong.
    """
    from equilibrist.storage.kinds.recognition import sniffed_kind

    other = sniffed_kind(path)
    if other is not None:
        return other
    try:
        metadata, _ = _open(path)
    except FileFormatError:
        return None
    form = metadata.get("format", "")
    return form.removeprefix(FORMAT) if form.startswith(FORMAT) else FOREIGN_TENSORS


def folder_error(
    folder: Path, wanted: str, kinds: Collection[str], option: str = "file"
) -> FileFormatError:
    """The error for a folder where a file was expected; it names the files in it that would do.

    Args:
        folder: The folder.
        wanted: What was expected, in words with an article.
        kinds: The kinds that are taken.
        option: What is at fault.

    Returns:
        The error.
    """
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        return cannot_read(folder, error, option)
    found = {path: file_kind(path) for path in inside[:_MOST_LISTED] if path.is_file()}
    fitting = [shlex.quote(str(path)) for path, kind in found.items() if kind in kinds]
    others = [f"{path} is {words_of(kind)}" for path, kind in found.items() if kind in KINDS]
    if fitting:
        some = ", ".join(fitting[:_MOST_NAMED]) + ", ..." * (len(fitting) > _MOST_NAMED)
        remedy = f"name a file in it: {some}"
    elif found and all(kind == RANGES for kind in found.values()):
        remedy = f"`{join(('equilibrist', 'range', str(folder)))}` reads the ranges in it"
    elif others:
        remedy = f"no file in it is one: {', '.join(others[:_MOST_NAMED])}"
    else:
        remedy = f"name a file; {'no file in it is one' if inside else 'it is empty'}"
    return FileFormatError(
        f"{folder} is a folder, not {wanted}",
        folder,
        option=option,
        given=os.strerror(errno.EISDIR),
        expected=", ".join(kinds),
        remedy=remedy,
    )


def described(path: str | os.PathLike[str], otherwise: str) -> tuple[str, str | None] | None:
    """Describe an existing file in words, and what to do with it; None if that is not known.

    Args:
        path: The file.
        otherwise: What to do where nothing takes files of its kind.
    """
    kind = file_kind(Path(path))
    if kind is None:
        return None
    if kind == SOLUTION:
        shown = (
            "`load_result(path).strategy` shows it, `load_result(path).evaluation` how good it is"
        )
        return words_of(kind), shown
    return words_of(kind), _remedy(kind, "") or remedy_for(Path(path), kind, otherwise)


def check_whole(path: Path, metadata: Mapping[str, str], checksum: str) -> None:
    """Raise FileFormatError unless the checksum is the one that was stored."""
    if metadata.get("checksum", "") != checksum:
        raise FileFormatError(
            f"{path} is damaged: its checksum does not fit its content",
            path,
            option="checksum",
            remedy="use an earlier copy, or make the file again",
        )


def header_of(path: Path, metadata: Mapping[str, str]) -> dict[str, Any]:
    """The metadata of a file's header; raises FileFormatError."""
    try:
        header = json.loads(metadata["header"])
    except (KeyError, ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{path} has no readable header: {error}", path, option="header"
        ) from None
    if not isinstance(header, dict):
        raise FileFormatError(f"{path} has a header that is not an object", path, option="header")
    return header


def kind_of(path: str | os.PathLike[str]) -> str | None:
    """Find the kind of an existing file ("solution", "checkpoint", ...); None if not ours."""
    try:
        metadata, _ = _open(Path(path))
    except FileFormatError:
        return None
    form = metadata.get("format", "")
    return form.removeprefix(FORMAT) if form.startswith(FORMAT) else None


def refuse_table_name(path: str | os.PathLike[str], kind: str) -> None:
    """OutputError for the name of a table, under which an archive would not be found again.

    Args:
        path: The file to write.
        kind: The kind of the archive.
    """
    target = file_name("path", path)
    if target.suffix.lower() not in _TABLE_SUFFIXES:
        return
    suffix = suffix_of(kind)
    whole = target.with_suffix(suffix)
    remedy = f"name it {whole}"
    if kind in KINDS and target.suffix.lower() in KINDS[kind].tables:
        command = join(("equilibrist", "export", str(whole), str(target)))
        remedy += f"; `{command}` then writes the table"
        remedy += " (in Python: Result.export)" * (kind == SOLUTION)
    raise OutputError(
        f"{target} is the name of a table, and {words_of(kind)} is saved as {suffix}",
        target,
        option="out",
        given=target.name,
        expected=suffix,
        remedy=remedy,
    )


def check_writable(path: str | os.PathLike[str], kind: str | None = None) -> None:
    """Raise OutputError now if `path` could not be written later, before hours are spent.

    A small file is created beside it and removed again. With `kind`, an existing file of
    another kind is refused as `write_archive` would refuse it.
    """
    target = resolved(path)
    if kind is not None:
        refuse_table_name(path, kind)
        _check_replaceable(target, kind, overwrite=True)
    with failures(target):
        if target.is_dir():
            raise OutputError(
                f"cannot write {target}: it is a folder",
                target,
                option="file",
                given="it is a folder",
                remedy="name a file in it",
            )
        if target.exists() and not target.is_file():
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "the file is write-protected")
        probe(target)


def _check_replaceable(target: Path, kind: str, *, overwrite: bool) -> None:
    with failures(target):
        if not target.is_file() or (overwrite and target.stat().st_size == 0):
            return
    if not overwrite:
        raise OutputError(
            f"{target} exists", target, option="out", remedy="choose another name or remove it"
        )
    kind_there = kind_of(target)
    if kind_there != kind:
        what = words_of(kind_there) if kind_there else "not a file of Equilibrist"
        raise OutputError(
            f"{target} exists and is {what}; it is left as it was",
            target,
            option="out",
            given=kind_there or None,
            expected=kind,
            remedy="choose another name",
        )


def _ordered(arrays: Mapping[str, NDArray[Any]]) -> list[tuple[str, NDArray[Any]]]:
    """Sort arrays by name, C-contiguous and little-endian as checksum and safetensors have them."""
    import numpy as np

    items = []
    for name, array in sorted(arrays.items()):
        if array.dtype.name not in CODES:
            raise TypeError(f"array {name!r} has dtype {array.dtype}; use one of {list(CODES)}")
        items.append((name, np.asarray(array, array.dtype.newbyteorder("<"), order="C")))
    return items


def fingerprint_of(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Tell contents apart: the checksum of a header and arrays, without those of any file.

    Args:
        header: Plain values.
        arrays: The arrays by name, of the types that `write_archive` takes.

    Returns:
        32 hexadecimal digits.
    """
    return checksum_of({"header": header_text(header)}, _ordered(arrays))


def checksum_of(
    metadata: Mapping[str, str], items: list[tuple[str, NDArray[Any]]], *, content: bool = True
) -> str:
    """BLAKE2b over the metadata and every array's name, type, shape and, for `content`, bytes."""
    digest = hashlib.blake2b(digest_size=16)
    stated = {key: text for key, text in metadata.items() if key != "checksum"}
    digest.update(json.dumps(stated, sort_keys=True).encode())
    for name, array in items:
        digest.update(json.dumps([name, array.dtype.str, list(array.shape)]).encode())
        if content:
            digest.update(_bytes_of(array))
    return digest.hexdigest()


def _block_checksums(items: list[tuple[str, NDArray[Any]]]) -> Iterator[str]:
    """The BLAKE2b checksum of each BLOCK bytes of the arrays, in the order of the file."""
    digest, room = hashlib.blake2b(digest_size=8), BLOCK
    for _, array in items:
        data = _bytes_of(array)
        while data:
            piece, data = data[:room], data[room:]
            digest.update(piece)
            room -= len(piece)
            if not room:
                yield digest.hexdigest()
                digest, room = hashlib.blake2b(digest_size=8), BLOCK
    if room < BLOCK:
        yield digest.hexdigest()


def _bytes_of(array: NDArray[Any]) -> memoryview:
    """The array's own memory, not a copy."""
    return array.data.cast("B") if array.size else memoryview(b"")


def _open(path: Path) -> tuple[dict[str, str], Callable[[], dict[str, NDArray[Any]]]]:
    """The metadata of a safetensors file, and the function that reads its arrays.

    Both are of the same file, also where another one takes its place in between, as the next
    checkpoint of a run does: the file stays open as long as the function is kept.
    """
    from safetensors import SafetensorError, safe_open

    def fail(reason: object) -> FileFormatError:
        return cannot_read(path, reason)

    def read() -> dict[str, NDArray[Any]]:
        try:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError, ValueError, TypeError, AttributeError) as error:
            raise fail(f"it is damaged ({error})") from None

    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise fail("it is not a file")
        file: Any = safe_open(path, framework="numpy")
        return dict(file.metadata() or {}), read
    except SafetensorError:
        raise fail("it is damaged, cut off or not a file of Equilibrist") from None
    except OSError as error:
        raise fail(error) from None
    except ValueError as error:
        raise fail(error) from None
