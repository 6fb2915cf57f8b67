"""Files of ranges: one range as text, or many by name in JSON as WASM-Postflop exports them.

| file | content |
|---|---|
| `.txt` | one range in any dialect, also on several lines, with remarks after `#` |
| `.txt`, `.csv` | a hand and its weight on each line, or `{"AA": 1, "KK": 0.5}` |
| `.json` | `{"AA": 1, "KK": 0.5}`, or lists of hands and weights, or such under names |
| `.json` | `{"version": 2, "name": "ranges", "data": [entry, ...]}` |

An entry in JSON is `{"path": ["BTN", "call"], "isGroup": false, "value": "88+,A5s:0.5"}`: the name,
a text or the texts of folders and name, and the text of the range. With `isGroup` it is a folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any, Final, NamedTuple

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    OutputError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import bad_argument, file_name, instance
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.ranges.dialects import PIO
from equilibrist.poker.ranges.hand_groups import HAND
from equilibrist.poker.ranges.range import Range
from equilibrist.storage.archive import file_kind, folder_error
from equilibrist.storage.atomic import resolved, write_bytes
from equilibrist.storage.kinds.file_kinds import (
    EMPTY,
    INCOMPLETE,
    JSON,
    RANGES,
    TABLE,
    TEXT,
    another_kind,
    looks_like_file,
    place_in,
)
from equilibrist.storage.kinds.recognition import hands_of, is_weight, may_be_counts, named_hands_of
from equilibrist.storage.plain_file import (
    MOST_BYTES,
    cannot_read,
    parse_json,
    read_plain_file,
    read_text_file,
)

FILE_FORMS: Final = "FILE.txt, FILE.json or FILE.json#NAME"
_FILE: Final = re.compile(r"(.+\.(?:txt|json))(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_REMARK: Final = re.compile(r"(?:^|(?<=\s))#(?![\w.]+#)[^\n\r]*")
"""A remark in a text file, up to the end of its line; not `#Key#Value` of PioSOLVER."""
_ROW: Final = re.compile(
    r"([^\s,;:=]+)[\s,;:=]+([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)(\s*%)?", re.IGNORECASE
)
_HEADER: Final = re.compile(
    r"(?:hands?|combos?|range)\W+(?:weights?|freq\w*|shares?)", re.IGNORECASE
)
_HAND: Final = re.compile(HAND, re.IGNORECASE)
_PAIR: Final = re.compile(r"10|[2-9]{2}")
"""A number that is a hand, too."""
_MOST_TEXT: Final = 1_000_000
"""Bytes of a file with one range."""
_LONGEST_NAME: Final = 4096
_WRITTEN: Final = (
    "write the range as text in a .txt file, such as 88+,A5s:0.5, or by name with "
    "`equilibrist range 88+,A5s:0.5 --out FILE.json#NAME`"
)
_VERSION: Final = 2
_KIND: Final = "ranges"


def named_file(text: str) -> tuple[Path, str | None] | None:
    """The file, and the name of a range in it, if a text is those and not a range itself."""
    match = _FILE.fullmatch(text.strip())
    if match is None:
        path = Path(text.strip())
        return (path, None) if path.suffix and looks_like_file(text.strip()) else None
    return Path(match[1]), match[2]


def range_or_file(
    text: str,
    dialect: str | None = None,
    folder: Path | None = None,
    deck: str | Deck = FULL_DECK,
) -> Range:
    """The range that a text is, or the one in the file that it names, from `folder` on.

    A text that ends in .txt or another suffix, or in .json#NAME, names a file: no range ends so.
    Raises as `Range` and `read_range_file` do.
    """
    source = named_file(text)
    if source is None:
        try:
            return Range(text, dialect, deck=deck)
        except RangeSyntaxError:
            _refuse_no_range(text, folder)
            raise
    path, name = source
    place = path if folder is None else folder / path
    return read_range_file(place, name, dialect=dialect, deck=deck)


def read_range_file(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    dialect: str | None = None,
    deck: str | Deck = FULL_DECK,
) -> Range:
    """Read a range from a file: text in any dialect, or a range by name in JSON.

    Args:
        path: The file. One that ends in .json holds ranges by name, as WASM-Postflop exports them;
            any other holds a single range.
        name: The name of the range in a JSON file, with its folders: `BTN/call`. It may be left out
            where the file has a single range.
        dialect: The dialect of a text file; None detects it.
        deck: The deck, as for `Range`.

    Returns:
        The range.

    Raises:
        FileFormatError: The file cannot be read, or is not of this form.
        RangeSyntaxError: The range cannot be read; the error has the file.
        UnknownNameError: There is no range of this name, or no such dialect.
        ConfigError: The name is missing, or an argument does not apply to this kind of file.
    """
    file = file_name("path", path)
    if not _is_json(file):
        _refuse_name(file, name)
        try:
            text = read_text_file(file, _MOST_TEXT)
            plain = _REMARK.sub(lambda remark: " " * len(remark[0]), text)
            _refuse_empty(plain, file)
            return _read(_as_listed(plain), dialect, file, deck)
        except (FileFormatError, RangeSyntaxError) as error:
            _refuse_other_kind(file, error)
            raise
    if dialect is not None:
        raise ConfigError(
            f"ranges in {file} are in the dialect {PIO}",
            option="dialect",
            given=dialect,
            expected=PIO,
            remedy="leave out the dialect",
        )
    content = _content(file)
    if content.single is not None:
        _refuse_name(file, name)
        return _read(content.single, None, file, deck)
    ranges = content.ranges
    if name is None and len(ranges) != 1:
        raise _not_one(file, [*ranges])
    if name is not None and name not in ranges:
        raise UnknownNameError("range", name, [*ranges], option="name", place=str(file))
    chosen = next(iter(ranges)) if name is None else name
    value = ranges[chosen]
    place = f"{file}#{chosen}"
    if not isinstance(value, str):
        raise FileFormatError(
            f"{place}: the value is {type(value).__name__}; expected the range as text, such as "
            "'88+,A5s:0.5'",
            file,
            option="value",
            given=value,
            place=place,
        )
    return _read(value, PIO if content.document else None, place, deck)


def range_names(file: Path) -> list[str]:
    """The names of the ranges in a JSON file, in its order; raises as `read_range_file`."""
    content = _content(file)
    if content.single is not None:
        raise _no_names(file)
    return [*content.ranges]


def write_range_file(
    hand_range: Range,
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    dialect: str | None = None,
) -> Path:
    """Write a range to a file that `read_range_file` reads.

    A JSON file that exists keeps its other ranges. A text file is replaced if it holds a range.

    Args:
        hand_range: The range.
        path: The file: with the ending .json for ranges by name, else for this range as text.
        name: The name of the range in a JSON file, with its folders; by default that of the file.
        dialect: The dialect of a text file, by default the canonical text.

    Returns:
        The file.

    Raises:
        OutputError: The file cannot be written, or it holds something else.
        FileFormatError: The file exists and is not of this form.
        UnknownNameError: There is no such dialect.
        ConfigError: The dialect cannot express the range, or an argument does not apply to this
            kind of file.
    """
    file = file_name("path", path)
    instance("hand_range", hand_range, Range, "a Range, such as Range('88+')")
    if not _is_json(file):
        _refuse_name(file, name)
        text = hand_range.to(dialect or PIO)
        if not text.strip():
            raise ConfigError(
                "the range has no hand, and a file without one is no range",
                option="hand_range",
                given=str(hand_range),
                remedy="write a range with a hand, or write it by name to a .json file",
            )
        _refuse_foreign(file)
        write_bytes(file, f"{text}\n".encode())
        return file
    if dialect not in (None, PIO):
        raise ConfigError(
            f"ranges in {file} are written in the dialect {PIO}",
            option="dialect",
            given=dialect,
            expected=PIO,
            remedy="leave out the dialect, or write a .txt file",
        )
    write_ranges(file, {file.stem if name is None else name: hand_range})
    return file


def write_ranges(file: Path, ranges: Mapping[str, Range]) -> None:
    """Write ranges by name to a JSON file, which keeps its others; raises as `write_range_file`."""
    if resolved(file).is_file():
        found = _content(file).document
        if found is None:
            raise _no_names(file)
        document = found
    else:
        document = {"version": _VERSION, "name": _KIND, "data": []}
    data = document["data"]
    places: dict[str | None, int] = {}
    for k, item in enumerate(data):
        places.setdefault(_name_of(item, k, file), k)
    for name, hand_range in ranges.items():
        folders = name.split("/")
        if not all(part.strip() for part in folders):
            raise bad_argument("name", name, "a name, such as BTN or BTN/call")
        if name in places:
            data[places[name]] = {**data[places[name]], "value": str(hand_range)}
        else:
            data.append({"path": folders, "isGroup": False, "value": str(hand_range)})
    write_bytes(file, json.dumps(document, separators=(",", ":")).encode("ascii"))


def _is_json(file: Path) -> bool:
    return file.suffix.lower() == ".json"


def _refuse_no_range(text: str, folder: Path | None) -> None:
    """FileFormatError for a text that is no range, but the name of a file or folder."""
    path = Path(text.strip())
    path = path if folder is None else folder / path
    if len(text) > _LONGEST_NAME or "\0" in text or not os.path.lexists(path):
        return
    _refuse_other_kind(path)
    if path.is_dir():
        raise folder_error(path, "a range", (RANGES,))
    if path.is_file():
        raise FileFormatError(
            f"{path} is a file, and files with a range end in .txt or .json",
            path,
            option="file",
            given=text,
            expected=FILE_FORMS,
            remedy="rename it, or give the range itself",
        )
    try:
        read_plain_file(path)
    except OSError as error:
        raise cannot_read(path, error) from None


def _refuse_empty(text: str, file: Path) -> None:
    """FileFormatError for a file with nothing in it: a range without hands is no use to anybody."""
    if not text.strip():
        raise another_kind(file, EMPTY, RANGES, option="file")


def _refuse_other_kind(file: Path, error: EquilibristError | None = None) -> None:
    """FileFormatError for a file that is known to be something else than a range.

    Args:
        file: The file.
        error: Why it cannot be read, if that is known: the kind of a large document is a guess.
    """
    kind = file_kind(file)
    is_guess = kind == TABLE and error is not None and error.option == "size"
    if kind is not None and kind not in (RANGES, JSON, INCOMPLETE, TEXT, EMPTY) and not is_guess:
        raise another_kind(file, kind, RANGES)


def _refuse_name(file: Path, name: str | None) -> None:
    if name is not None:
        raise ConfigError(
            f"{file} holds a single range, which has no name",
            option="name",
            given=name,
            remedy="leave out the name, or give a file with ranges by name",
        )


def _read(text: str, dialect: str | None, place: object, deck: str | Deck) -> Range:
    try:
        return Range(text, dialect, deck=deck)
    except EquilibristError as error:
        error.add_place(place)
        raise


class _Content(NamedTuple):
    """What a JSON file of ranges holds."""

    single: str | None
    """The range, where it has no name."""
    ranges: dict[str, Any]
    """{name: value} of all others."""
    document: dict[str, Any] | None
    """The whole, where it is of the form that is written here."""


def _content(file: Path) -> _Content:
    """The ranges in a JSON file."""
    try:
        text = read_text_file(file, MOST_BYTES)
        _refuse_empty(text, file)
        content = parse_json(text)
    except FileFormatError as error:
        _refuse_other_kind(file, error)
        raise
    except (ValueError, RecursionError) as error:
        _refuse_other_kind(file)
        place = place_in(file, INCOMPLETE) or str(file)
        raise FileFormatError(
            f"{file} is not a file of ranges in JSON: {error}", file, option="file", place=place
        ) from None
    single = hands_of(content) or _mapping_text(content)
    if single is not None:
        return _Content(single, {}, None)
    if (named := named_hands_of(content)) is not None:
        return _Content(None, named, None)
    document = content if isinstance(content, dict) else {}
    for key, wanted in (("name", _KIND), ("version", _VERSION)):
        if document.get(key) != wanted:
            _refuse_other_kind(file)
            raise FileFormatError(
                f"{file} is not a file of ranges of version {_VERSION}: {key} is "
                f"{document.get(key)!r:.40}; expected {wanted!r}",
                file,
                option=key,
                given=document.get(key),
                expected=wanted,
                remedy=_WRITTEN,
            )
    if not isinstance(document.get("data"), list):
        raise FileFormatError(
            f"{file}: data is not a list", file, option="data", given=document.get("data")
        )
    return _Content(None, _ranges_of(document, file), document)


def _as_listed(text: str) -> str:
    """The text of a range, also where it is a table or a dictionary of hands and weights."""
    stripped = text.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        return re.sub("[\"']", "", stripped[1:-1])
    lines = [line.strip() for line in stripped.splitlines() if line.strip()]
    has_header = bool(lines) and _HEADER.fullmatch(lines[0]) is not None
    rows = [_ROW.fullmatch(line) for line in lines[has_header:]]
    found = [row for row in rows if row is not None]
    if not found or len(found) < len(rows):
        return text
    if not has_header and any(_PAIR.fullmatch(row[2]) for row in found):
        return text  # "AA 75" are two hands
    signed = any(row[3] for row in found)
    numbers = [(row[1], float(row[2])) for row in found]
    are_above = any(number > 1 for _, number in numbers)
    percents = not signed and are_above and not may_be_counts(numbers)
    return ",".join(f"{row[1]}:{row[2]}{'%' if row[3] or percents else ''}" for row in found)


def _mapping_text(document: object) -> str | None:
    """The range that is `{hands: weight}`, as programs write a single one; None for others."""
    if not isinstance(document, dict) or not document:
        return None
    if not all(_HAND.match(hands) and is_weight(weight) for hands, weight in document.items()):
        return None
    return ",".join(f"{hands}:{weight}" for hands, weight in document.items())


def _no_names(file: Path) -> FileFormatError:
    return FileFormatError(
        f"{file} has a single range, which has no name, or is written by another program",
        file,
        option="name",
        expected=_KIND,
        remedy=_WRITTEN,
    )


def _ranges_of(document: dict[str, Any], file: Path) -> dict[str, Any]:
    """{name: value} of all ranges; of equal names the first."""
    ranges: dict[str, Any] = {}
    for k, entry in enumerate(document["data"]):
        name = _name_of(entry, k, file)
        if name is not None:
            ranges.setdefault(name, entry.get("value"))
    return ranges


def _name_of(entry: Any, number: int, file: Path) -> str | None:
    """The name of an entry with its folders; None of a folder."""
    keys = entry if isinstance(entry, dict) else {}
    if keys.get("isGroup") is True:
        return None
    path = keys.get("path")
    parts = [path] if isinstance(path, str) else path
    if isinstance(parts, list) and parts and all(isinstance(part, str) for part in parts):
        return "/".join(parts)
    place = f"{file}, data[{number}]"
    raise FileFormatError(
        f"{place}: path is {path!r:.40}; expected a text or a list of texts",
        file,
        option="path",
        given=path,
        place=place,
    )


def _not_one(file: Path, names: list[str]) -> ConfigError:
    some = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    return ConfigError(
        f"{file} has {counted(len(names), 'range')}" + (f": {some}" if names else ""),
        option="name",
        given=len(names),
        remedy=f"name one, as in {quote(f'{file}#{names[0]}')}" if names else "give another file",
    )


def _refuse_foreign(file: Path) -> None:
    """OutputError if text would replace a file that holds no range."""
    target = resolved(file)
    if not target.is_file():
        return
    try:
        read_range_file(target)
    except EquilibristError:
        raise OutputError(
            f"{file} exists and holds no range; it is left as it was",
            file,
            option="out",
            given=str(file),
            remedy="choose another name",
        ) from None
