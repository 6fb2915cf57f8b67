"""Folders of range files, as GTO+ and PioSOLVER keep them: a range in each file, by its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist.errors import FileFormatError, RangeSyntaxError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import range_names, read_range_file
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import RANGES
from equilibrist.storage.plain_file import cannot_read

MOST_FILES: Final = 10_000
"""The most files of a folder, those in its folders included."""


class RangeFolder(NamedTuple):
    """The ranges of a folder.

    Attributes:
        ranges: By name: the path in the folder without the suffix, as `BTN/open`; of a JSON file
            with the name of the range in it.
        others: The paths of files that hold no range.
    """

    ranges: dict[str, Range]
    others: tuple[str, ...]


def range_folder(text: str) -> Path | None:
    """The folder that a text names, unless it is a range."""
    path = Path(text.strip())
    if not text.strip() or "\0" in text or not os.path.isdir(path):  # noqa: PTH112 - no error
        return None
    try:
        Range(text)
    except RangeSyntaxError:
        return path
    return None


def read_range_folder(
    path: str | os.PathLike[str],
    *,
    dialect: str | None = None,
    deck: str | Deck = FULL_DECK,
) -> RangeFolder:
    """Read all ranges of a folder and the folders in it.

    Args:
        path: The folder. Files are recognised by what they hold: a range as text, or ranges by name
            in JSON. Hidden files are left out.
        dialect: The dialect of text files; None detects that of each.
        deck: The deck, as for `Range`.

    Returns:
        The ranges in the order of their names, and the files that hold none.

    Raises:
        FileFormatError: It is no folder, it has no range, or one of its files cannot be read.
        RangeSyntaxError: A range cannot be read; the error has the file.
        UnknownNameError: There is no such dialect.
    """
    folder = file_name("path", path)
    ranges: dict[str, Range] = {}
    others = []
    for file in _files(folder):
        place = file.relative_to(folder)
        if file_kind(file) != RANGES:
            others.append(place.as_posix())
            continue
        name = place.with_suffix("").as_posix()
        name = place.as_posix() if name in ranges else name
        if file.suffix.lower() != ".json":
            ranges[name] = read_range_file(file, dialect=dialect, deck=deck)
            continue
        for inner in range_names(file):
            ranges[f"{name}/{inner}"] = read_range_file(file, inner, deck=deck)
    if not ranges:
        raise FileFormatError(
            f"{folder} has no file with a range",
            folder,
            option="folder",
            given=len(others),
            expected="a folder with range files",
            remedy="give another folder, or a range file",
        )
    return RangeFolder(ranges, tuple(others))


def _files(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it, in the order of their names."""
    try:
        if not folder.is_dir():
            raise NotADirectoryError(20, os.strerror(20))
        found = [
            file
            for file in folder.rglob("*")
            if file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        ]
    except OSError as error:
        raise cannot_read(folder, error) from None
    if len(found) > MOST_FILES:
        raise FileFormatError(
            f"{folder} has {len(found):,} files",
            folder,
            option="folder",
            given=len(found),
            expected=f"at most {MOST_FILES:,} files",
            remedy="name a folder in it",
        )
    return sorted(found)
