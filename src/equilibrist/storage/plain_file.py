"""Files that people write: read whole, and only where they are files of a size that can be."""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError

_MEGABYTE: Final = 1_000_000
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as the mark of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ASCII: Final = frozenset((*range(32, 127), *b"\t\r\n"))
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_OLD: Final = "cp1252"
"""What older programs of Windows write in Western Europe; Latin-1 is a part of it."""
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LETTERS_OF_UTF8: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH: Final = bytes(range(128, 256))
_HEAD: Final = 4096
"""Bytes by which text is told from what is none."""
_CONTROL_BYTES: Final = bytes({*range(32), 127} - {*b"\t\n\r\f\x0b"})
_FEW_CONTROLS: Final = 3
"""So many may be in text that was damaged."""
_SHOWN: Final = 80
"""Characters of a key that are told."""
_WIDEST: Final = 4
"""Bytes of a character in the widest encoding."""
_WIDE_HEAD: Final = 16
"""Characters by which an encoding without a mark is told."""
MOST_BYTES: Final = 20 * _MEGABYTE
"""The size of a spot file with some hundred locks of whole ranges, several times over."""


class OtherEncodingWarning(UserWarning):
    """A file is read in another encoding than it should have, as no mark in it says which it is."""


def cannot_read(path: object, error: object, option: str = "file") -> FileFormatError:
    """The error of a file that the system does not let be read, or whose content is none.

    Args:
        path: The file.
        error: What was raised, or the reason in words.
        option: What is at fault.
    """
    reason = getattr(error, "strerror", None) or error
    remedy = "give another file, or an earlier copy of it"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        remedy = "check the name, and the folder that you are in"
    elif isinstance(error, IsADirectoryError):
        remedy = "name a file in it"
    elif isinstance(error, PermissionError):
        remedy = "ask for the right to read it"
    return FileFormatError(
        f"cannot read {path}: {reason}", path, option=option, given=reason, remedy=remedy
    )


def text_of(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or UTF-32, with or without a byte order mark.

    Spreadsheets begin UTF-8 with such a mark, and the shell of Windows writes UTF-16. What is none
    of them, and looks like text of older Windows programs, is read as Windows-1252.

    Raises:
        UnicodeDecodeError: It is none of them; its encoding is the one that the content seems to
            be in.
    """
    return _decoded(content)[0]


def _decoded(content: bytes) -> tuple[str, str]:
    """The text of a content, and the encoding."""
    encoding = _encoding_of(content)
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError:
        if encoding == "utf-8-sig" and _is_old_text(content):
            with suppress(UnicodeDecodeError):  # five bytes are no characters of it
                return content.decode(_OLD), _OLD
        raise


def _encoding_of(content: bytes) -> str:
    """The encoding in which a content begins."""
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    return marked or wide_encoding(content) or "utf-8-sig"


def _is_old_text(content: bytes) -> bool:
    """Whether bytes that are not UTF-8 look like text with a byte for each character.

    Letters in UTF-8 among them say that the text is in UTF-8, and cut off or damaged.
    """
    high = len(content) - len(content.translate(None, _HIGH))
    is_text = 2 * high <= len(content) and _CONTROLS.search(content) is None
    return is_text and _LETTERS_OF_UTF8.search(content) is None


def wide_encoding(content: bytes) -> str | None:
    """UTF-16 or UTF-32 if a content begins as text does in it without a byte order mark.

    Such text has no control characters, and most of it is ASCII: every second byte, or three of
    four, is 0 there.
    """
    for size, name in ((4, "utf-32"), (2, "utf-16")):
        head = content[: min(_WIDE_HEAD * size, len(content) // size * size)]
        for order in ("le", "be"):
            with suppress(UnicodeDecodeError):
                letters = head.decode(f"{name}-{order}", "strict")
                plain = sum(ord(letter) in _ASCII for letter in letters)
                is_text = all(letter.isprintable() or letter in "\t\r\n" for letter in letters)
                if is_text and 2 * plain > len(letters) > 1:  # one may be anything
                    return f"{name}-{order}"
    return None


def _is_binary(content: bytes) -> bool:
    """Whether a content begins as an archive of safetensors, or has many control characters."""
    head = content[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROL_BYTES))
    return head[5:8] == b"\0\0\0" or controls > max(_FEW_CONTROLS, len(head) // 10)


def not_text(error: UnicodeDecodeError) -> tuple[str, str]:
    """Why a content is no text that `text_of` reads, and what to do."""
    if error.encoding.startswith(("utf-16", "utf-32")):
        name = error.encoding[:6].upper()
        return f"it begins as {name} does, and goes on otherwise", "save it as UTF-8"
    if _is_binary(error.object):
        return "it is binary, and no text", "give a file of text"
    return f"it is not text in UTF-8 (byte {error.start})", "save it as UTF-8"


def decoded_file(path: object, content: bytes) -> str:
    """The text of a file as `text_of` reads it; says so where that is as Windows-1252.

    Args:
        path: The file, for the warning.
        content: What it holds.

    Raises:
        UnicodeDecodeError: As from `text_of`.
    """
    text, encoding = _decoded(content)
    if encoding == _OLD:
        message = f"{path} is not in UTF-8, and is read as Windows-1252; save it as UTF-8"
        warnings.warn(message, OtherEncodingWarning, stacklevel=3)
    return text


def read_text_file(path: Path, most: int | None = MOST_BYTES, option: str = "file") -> str:
    """The text of a file of at most `most` bytes, in an encoding that `text_of` reads.

    Raises:
        FileFormatError: It cannot be read, or is not such a text; `option` is at fault.
    """
    try:
        return decoded_file(path, read_plain_file(path, most))
    except UnicodeDecodeError as error:
        reason, remedy = not_text(error)
        raise FileFormatError(
            f"cannot read {path}: {reason}",
            path,
            option=option,
            given="it is not text",
            remedy=remedy,
        ) from None
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, option) from None


def first_line(path: Path, most: int, option: str = "file") -> str:
    """The first line of a text file, of which no more is read; bytes that are no text are replaced.

    Args:
        path: The file.
        most: Characters of the line that are read at most.
        option: What is at fault where it cannot be read.

    Raises:
        FileFormatError: It cannot be read.
    """
    try:
        _check_plain(path)
        with path.open("rb") as file:
            content = file.read(_WIDEST * most)
    except OSError as error:
        raise cannot_read(path, error, option) from None
    text = content.decode(_encoding_of(content), "replace")
    return _LINE_END.split(text, 1)[0][:most]


def lines_of(text: str) -> list[str]:
    r"""The lines of a text, as editors number them.

    `str.splitlines` ends them at \x85 and \u2028, too, which stand in names and chat.
    """
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def read_plain_file(path: Path, most: int | None = MOST_BYTES) -> bytes:
    """The content of a file of at most `most` bytes.

    A pipe without a writer never answers, and a device such as /dev/zero never ends.

    Raises:
        FileFormatError: It is a device or a pipe, or too large.
        OSError: It cannot be read.
    """
    status = _check_plain(path)
    if most is not None and status.st_size > most:
        raise FileFormatError(
            f"{path} has {status.st_size / _MEGABYTE:,.0f} MB; expected at most "
            f"{most / _MEGABYTE:,.0f} MB",
            path,
            option="size",
            given=status.st_size,
            expected=most,
        )
    return path.read_bytes()


def _check_plain(path: Path) -> os.stat_result:
    """Refuse a device or a pipe; FileFormatError. Returns what the system says of the file."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise FileFormatError(
            f"cannot read {path}: it is a device or a pipe, not a file",
            path,
            option="file",
            given=str(path),
            remedy="write its content to a file first",
        )
    return status


class RepeatedKeyError(json.JSONDecodeError):
    """A key that an object in JSON has twice."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(f"The key {key!r} is there twice", text, _second_place(text, key))
        self.key = key


def refuse_repeated(text: str, place: str) -> None:
    """Refuse JSON that has a key twice; whatever else is wrong with it, its reader says.

    Args:
        text: The document.
        place: What it is, in words: "the body of the request".

    Raises:
        ConfigError: An object in it has a key twice.
    """
    try:
        parse_json(text)
    except RepeatedKeyError as error:
        raise ConfigError(
            f"{place} has {error.key[:_SHOWN]!r} twice",
            option=error.key[:_SHOWN],
            expected="one value",
            place=f"line {error.lineno}, column {error.colno} of {place}",
            remedy="give it once",
        ) from None
    except (ValueError, RecursionError):
        pass


def parse_json(text: str) -> Any:
    """Parse JSON in which no object has a key twice, of which Python would keep the last.

    Args:
        text: The document.

    Returns:
        What it holds.

    Raises:
        RepeatedKeyError: An object in it has a key twice; the error has the place.
        JSONDecodeError: It is none.
        RecursionError: It is nested too deep.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        by_key = dict(pairs)
        if len(by_key) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            key = next(key for key, count in counts.items() if count > 1)
            raise RepeatedKeyError(key, text)
        return by_key

    return json.loads(text, object_pairs_hook=unique)


def _second_place(text: str, key: str) -> int:
    """Where a key comes for the second time in a text; 0 where it is written with escapes."""
    found = [match.start() for match in re.finditer(rf"{re.escape(json.dumps(key))}\s*:", text)]
    return found[1] if len(found) > 1 else 0
