"""Files that people write: read whole, and only where they are files of a size that can be."""

from __future__ import annotations

import codecs
import stat
from pathlib import Path
from typing import Final

from equilibrist.errors import FileFormatError

_MEGABYTE: Final = 1_000_000
MOST_BYTES: Final = 20 * _MEGABYTE
"""The size of a spot file with some hundred locks of whole ranges, several times over."""


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
    """The text of a file: UTF-8, or UTF-16 if it begins with a byte order mark.

    Spreadsheets begin UTF-8 with such a mark, and the shell of Windows writes UTF-16.

    Raises:
        UnicodeDecodeError: It is neither.
    """
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_wide else "utf-8-sig")


def read_text_file(path: Path, most: int | None = MOST_BYTES, option: str = "file") -> str:
    """The text of a file of at most `most` bytes, in an encoding that `text_of` reads.

    Raises:
        FileFormatError: It cannot be read, or is not such a text; `option` is at fault.
    """
    try:
        return text_of(read_plain_file(path, most))
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"cannot read {path}: it is not text in UTF-8 (byte {error.start})",
            path,
            option=option,
            given="it is not text",
            remedy="save it as UTF-8",
        ) from None
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, option) from None


def read_plain_file(path: Path, most: int | None = MOST_BYTES) -> bytes:
    """The content of a file of at most `most` bytes.

    A pipe without a writer never answers, and a device such as /dev/zero never ends.

    Raises:
        FileFormatError: It is a device or a pipe, or too large.
        OSError: It cannot be read.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise FileFormatError(
            f"cannot read {path}: it is a device or a pipe, not a file",
            path,
            option="file",
            given=str(path),
            remedy="write its content to a file first",
        )
    if most is not None and found.st_size > most:
        raise FileFormatError(
            f"{path} has {found.st_size / _MEGABYTE:,.0f} MB; expected at most "
            f"{most / _MEGABYTE:,.0f} MB",
            path,
            option="size",
            given=found.st_size,
            expected=most,
        )
    return path.read_bytes()
