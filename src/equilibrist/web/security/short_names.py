"""Files by their names alone: whoever looks at a server is not told in which folders they lie."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from equilibrist.games import spec

_FOLDERS: Final = re.compile(r"^(?P<form>(?:[a-z_-]{2,}:)?)(?:[A-Za-z]:)?[\\/].*[\\/]")
"""Folders from the root on, perhaps behind `efg:` or the like, at the beginning of a text."""
_Value = TypeVar("_Value")


def without_folders(text: str) -> str:
    """A text that may name a file, or a game of one, with the name alone."""
    named = spec.without_folders(text)
    return named if named != text else _FOLDERS.sub(r"\g<form>", text)


def short_names(folders: Mapping[Path, str], files: Iterable[str] = ()) -> dict[str, str]:
    """What stands for places of files in the sentences of others, such as those of errors.

    Args:
        folders: Folders of which nothing is told, and what each is called where no file follows.
        files: Files as they were typed, perhaps from the current folder on.

    Returns:
        What is replaced in this order, files first and then the deepest folders, and by what.
    """
    names = {file: Path(file).name for file in files}
    called: dict[str, str] = {}
    for folder, name in folders.items():
        absolute = folder.absolute()
        called |= dict.fromkeys(
            (str(absolute), os.path.realpath(absolute)), name
        )  # either may come
    called.pop(os.sep, None)
    for text in sorted(called, key=len, reverse=True):
        names[text + os.sep] = ""
        names[text] = called[text]
    return names


def with_short_names(value: _Value, names: Mapping[str, str]) -> _Value:
    """A JSON value whose texts do not say where files lie.

    Args:
        value: The value, such as the document of an error.
        names: What `short_names` gives.

    Returns:
        A new value.
    """

    def shortened(part: Any) -> Any:
        if isinstance(part, str):
            for place, name in names.items():
                part = part.replace(place, name)
            return part
        if isinstance(part, dict):
            return {key: shortened(entry) for key, entry in part.items()}
        if isinstance(part, list | tuple):
            return [shortened(entry) for entry in part]
        return part

    result: _Value = shortened(value)
    return result
