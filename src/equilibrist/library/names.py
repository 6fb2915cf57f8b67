"""The names `last`, `last-2`, ... `last-10`: which files of the data folder they mean."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import Final

from equilibrist.errors import ConfigError, OutputError
from equilibrist.storage.last_files import LastFiles

MOST: Final = 10
"""How many solutions stay."""
BUDGET: Final = 5_000_000_000
"""The bytes that they take together."""
SUFFIX: Final = ".safetensors"
_NAME: Final = re.compile(r"last(?:-([0-9]+))?")


def data_folder() -> Path:
    """EQUILIBRIST_DATA_DIR, else the user's data folder.

    Raises OutputError where a user has no folder at all, as in some containers.
    """
    override = os.environ.get("EQUILIBRIST_DATA_DIR")
    if override:
        root = Path(os.path.expanduser(override)).absolute()  # noqa: PTH111 - raises nothing
    else:
        from platformdirs import user_data_path

        try:
            root = user_data_path("equilibrist", appauthor=False)
        except RuntimeError:  # earlier versions give a path that begins with ~
            root = Path("~")
        if not root.is_absolute():
            raise OutputError(
                "cannot find the user's data folder: the user has no home folder",
                option="folder",
                remedy="name one with EQUILIBRIST_DATA_DIR",
            )
    return root


def stored_solutions() -> LastFiles:
    """The last solutions, below the data folder; raises OutputError as `data_folder`."""
    return LastFiles(data_folder() / "solutions", MOST, BUDGET, SUFFIX)


def stored_folder() -> Path | None:
    """The folder of the last solutions, which may not be there yet; None where a user has none."""
    try:
        return stored_solutions().folder
    except OutputError:
        return None


def newest() -> list[Path]:
    """The files, newest first; none where a user has no folder."""
    try:
        return stored_solutions().newest()
    except OutputError:
        return []


def name_of(place: int) -> str:
    """`last`, `last-2`, ... of the solution at a place, counted from 0."""
    return "last" if place == 0 else f"last-{place + 1}"


def is_name(text: str) -> bool:
    """Whether a text is `last`, `last-2`, ...; `./last` is a file."""
    return _NAME.fullmatch(text) is not None


def stored_file(text: str) -> Path | None:
    """The file that `last`, `last-2`, ... means; None for any other text.

    Raises ConfigError where so many solutions are not stored.
    """
    match = _NAME.fullmatch(text)
    if match is None:
        return None
    digits = "1" if match[1] is None else match[1].lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(MOST)) else MOST + 1
    files = newest()
    missing = partial(ConfigError, option="file", given=text)
    if not 1 <= number <= MOST:
        raise missing(
            f"{text} is no name of a stored solution; expected last, last-2, ... last-{MOST}",
            expected=f"last, last-2, ... last-{MOST}",
            remedy=_remedy(text),
        )
    if not files:
        raise missing(
            f"{text}: no solution is stored yet",
            remedy="solve a game first: `equilibrist solve kuhn` (a file of that name is "
            f"./{text})",
        )
    if number > len(files):
        raise missing(
            f"{text}: only {len(files)} solution{'s are' if len(files) > 1 else ' is'} stored",
            expected=f"last{f' to last-{len(files)}' * (len(files) > 1)}",
            remedy=_remedy(text),
        )
    return files[number - 1]


def _remedy(text: str) -> str:
    return f"`equilibrist last` lists what there is (a file of that name is ./{text})"
