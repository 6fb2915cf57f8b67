"""Games that were uploaded: an .efg file each, with what the worker found when it read it."""

from __future__ import annotations

import json
from collections.abc import Container
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from equilibrist.game import Game
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.storage.kinds.file_kinds import GAME
from equilibrist.web.answers.games import GameDocument
from equilibrist.web.errors import LimitError, NotFoundError
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.store.folders import fitting_name, numbered, path_in
from equilibrist.web.store.parsed import TREE

_SUFFIX: Final = ".efg"
_FACTS: Final = ".json"


def game_documents(folder: Path) -> list[GameDocument]:
    """The documents of all of them, by name; a file that was not uploaded is none of them."""
    documents = []
    for name in sorted(path.stem for path in folder.glob(f"*{_SUFFIX}")):
        with suppress(NotFoundError):
            documents.append(uploaded_game(folder, name)[1])
    return documents


def uploaded_game(folder: Path, name: str) -> tuple[Path, GameDocument]:
    """The file of an uploaded game, and its document.

    Args:
        folder: Where games lie.
        name: The name of the game.

    Raises:
        NotFoundError: There is no such game.
    """
    path = path_in(folder, name, _SUFFIX)
    facts = path_in(folder, name, _FACTS)
    try:
        document = json.loads(facts.read_bytes()) if path.is_file() else {}
    except (OSError, ValueError, RecursionError):
        document = {}
    sizes = document.get("sizes") if isinstance(document, dict) else None
    if not isinstance(sizes, dict):
        raise NotFoundError(
            f"there is no uploaded game {name!r}",
            option="game",
            given=name,
            remedy=f"upload {name}.efg; /api/games lists the games that there are",
        )
    called = f"{UPLOADED}{name}"
    document = {**document, "name": called, "sizes": {**sizes, "game": called}}
    return path, cast("GameDocument", document)


def file_of_game(folder: Path, text: str) -> Path | None:
    """The file of the uploaded game that a solution names.

    Solutions that this server makes hold the name of the file alone, so that a data folder can be
    copied. Whether it is still the same game, its tree says.

    Args:
        folder: Where games lie.
        text: The game as the solution names it: `NAME.efg`, or a path; without its folders also
            an upload counts that has the name of a file elsewhere, as far as names may have it.

    Returns:
        The file; None if it is not an uploaded game.
    """
    path = Path(text.removeprefix("efg:"))
    if path.suffix != _SUFFIX or path.parent not in (Path(), folder):
        return None
    try:
        return uploaded_game(folder, fitting_name(path.stem, GAME))[0]
    except NotFoundError:
        return None


def game_text(folder: Path, text: str) -> str:
    """A game that a solution names, as it is shown: that of a file without folders.

    Args:
        folder: Where games lie.
        text: The game as the solution names it.

    Returns:
        `library:NAME` where such a game was uploaded, else the name of its file; other games as
        they are.
    """
    path = Path(text.removeprefix("efg:"))
    if path.suffix != _SUFFIX:
        return without_folders(text)
    file = file_of_game(folder, text)
    return path.name if file is None else f"{UPLOADED}{file.stem}"


def shown_game(game: Game[Any]) -> Game[Any]:
    """A game whose name is shown: that of a file names it without folders."""
    from equilibrist.games.efg.game import EfgGame
    from equilibrist.games.payoffs import PayoffGame
    from equilibrist.rules.game import RulesGame

    if isinstance(game, EfgGame | PayoffGame):
        return replace(game, path=Path(game.path).name)
    if isinstance(game, RulesGame):
        return RulesGame(replace(game.rules, name=without_folders(game.rules.name)))
    return game


def add_game(
    folder: Path,
    name: str,
    file: Path,
    document: dict[str, Any],
    most: int,
    others: Container[str] = (),
) -> str:
    """Keep a game that was read.

    A game of that name stays, as solutions belong to it: another one gets `-2`, `-3`, ... behind
    its name, also when that game was deleted and its solutions were not; the same file is kept
    once.

    Args:
        folder: Where games lie.
        name: What it is called.
        file: The uploaded file; beside it lies what a worker has parsed.
        document: What the worker says of it.
        most: How many games there may be.
        others: The files of other games of which there are solutions, `NAME.efg`.

    Returns:
        The text that names it, by its own name or one with a number.

    Raises:
        LimitError: There are as many as may be.
        OutputError: The folder cannot be written.
    """
    path, number, stem = path_in(folder, name, _SUFFIX), 1, name
    while path.exists() or path.name in others:
        with failures(path):
            if path.exists() and path.read_bytes() == file.read_bytes():
                return f"{UPLOADED}{name}"
        number += 1
        name = numbered(stem, number)
        path = path_in(folder, name, _SUFFIX)
    count = sum(1 for _ in folder.glob(f"*{_SUFFIX}"))
    if count >= most:
        raise LimitError(
            f"{count} games were uploaded, which is the limit",
            option="games",
            given=count,
            expected=most,
            remedy="delete one",
        )
    write_bytes(path_in(folder, name, _FACTS), json.dumps(document).encode())
    parsed = file.with_suffix(TREE)
    with failures(path):
        parsed.replace(path.with_suffix(TREE))
        file.replace(path)
    return f"{UPLOADED}{name}"


def delete_game(folder: Path, name: str) -> None:
    """Remove an uploaded game.

    Args:
        folder: Where games lie.
        name: The name of the game.

    Raises:
        NotFoundError: There is no such game.
    """
    path, _ = uploaded_game(folder, name)
    for file in (path, path.with_suffix(TREE), path_in(folder, name, _FACTS)):
        with failures(file):
            file.unlink(missing_ok=True)
