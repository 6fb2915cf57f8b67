"""Games that tools name: those that come with Equilibrist, and files of the folder."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from equilibrist.errors import EquilibristError
from equilibrist.games.spec import holds_payoffs
from equilibrist.mcp.workspace import Workspace
from equilibrist.storage.archive import file_kind
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.storage.kinds.file_kinds import BINARY, GAME, another_kind, looks_like_file
from equilibrist.web.errors import ForbiddenError
from equilibrist.web.library.uploads import keep_upload
from equilibrist.web.security.texts import UPLOADED, check_game

_EFG: Final = ".efg"
_PREFIX: Final = re.compile(r"(?:efg|payoffs):")
_PYTHON: Final = re.compile(r"\.py\b", re.IGNORECASE)
_TAKEN: Final = "a game that `list_games` lists, or a file of the folder: .efg, .nfg, payoff table"


async def game_for(workspace: Workspace, text: str) -> str:
    """The text by which jobs and documents name a game.

    Args:
        workspace: The folder.
        text: A game, or the path of a file in the folder: .efg, which a process of its own reads,
            .nfg, or a payoff table.

    Raises:
        ForbiddenError: The path leads out of the folder, or it is no game that tools may load.
        FileFormatError: There is no such file, or it is no game.
        EquilibristError: What reading it raises.
    """
    if _PYTHON.search(text) is not None:
        raise ForbiddenError(
            "rules in Python are not loaded for assistants",
            option="game",
            given=text,
            expected=_TAKEN,
            remedy="solve it on the command line: `equilibrist solve rules.py:MyGame`; or write "
            "the game as an .efg file",
        )
    name = text.strip()
    prefix = _PREFIX.match(name)
    name = name[prefix.end() :] if prefix else name
    if prefix or looks_like_file(name) or name.lower().endswith(_EFG):
        return await _kept(workspace, name)
    if not name.startswith(UPLOADED):
        try:
            check_game(text, workspace.services.settings)
        except ForbiddenError:
            raise ForbiddenError(
                f"{text!r} is not a game that assistants may load",
                option="game",
                given=text,
                expected=_TAKEN,
                remedy=f"give {_TAKEN}",
            ) from None
    return text


async def _kept(workspace: Workspace, name: str) -> str:
    """The name of the game of a file, which is kept as an uploaded one."""
    path = workspace.path(name, "game")
    services = workspace.services
    arrived = services.folders.arriving / f"{secrets.token_hex(8)}{_EFG}"
    try:
        await asyncio.to_thread(_copy, path, arrived)
        kept = await keep_upload(services, arrived, path.stem, "game")
    except EquilibristError as error:
        _place(error, path, name)
        raise
    finally:
        with suppress(OSError):
            arrived.unlink(missing_ok=True)
    return f"{kept['name']}"


def _place(error: EquilibristError, path: Path, name: str) -> None:
    """Say in which file an error is, once: what reads payoff tables names it by its path."""
    if str(path) not in str(error):
        error.add_place(name)
    elif str(path) not in str(error.place):
        error.place = ", ".join(filter(None, (name, error.place)))


def _copy(path: Path, arrived: Path) -> None:
    """Copy a game of Gambit's, or write a payoff table as one; FileFormatError for other files."""
    kind = file_kind(path)
    if kind == GAME or (kind is not None and path.suffix.lower() == _EFG):  # its reader says more
        with failures(arrived):
            shutil.copyfile(path, arrived)
    elif holds_payoffs(path):
        from equilibrist.games import efg_text
        from equilibrist.games.payoffs import load_payoffs

        write_bytes(arrived, efg_text(load_payoffs(str(path))).encode())
    else:
        raise another_kind(path, kind or BINARY, "a game", option="game", remedy=f"give {_TAKEN}")
