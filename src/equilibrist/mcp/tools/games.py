"""Games that tools name: those that come with Equilibrist, and .efg files of the folder."""

from __future__ import annotations

import re
import secrets
import shutil
from contextlib import suppress
from typing import Final

from equilibrist.errors import EquilibristError
from equilibrist.mcp.workspace import Workspace
from equilibrist.storage.atomic import failures
from equilibrist.web.documents.uploads import keep_upload
from equilibrist.web.errors import ForbiddenError

_EFG: Final = ".efg"
_PYTHON: Final = re.compile(r"\.py\b", re.IGNORECASE)


async def game_for(workspace: Workspace, text: str) -> str:
    """The text by which jobs and documents name a game.

    Args:
        workspace: The folder.
        text: A game, or the path of an .efg file in the folder, which a process of its own reads.

    Raises:
        ForbiddenError: The path leads out of the folder.
        FileFormatError: There is no such file, or it is no game.
        EquilibristError: What reading it raises.
    """
    if _PYTHON.search(text) is not None:
        raise ForbiddenError(
            "rules in Python are not loaded for assistants",
            option="game",
            given=text,
            expected="a game that `list_games` lists, or an .efg file",
            remedy="solve it on the command line: `equilibrist solve rules.py:MyGame`; or write "
            "the game as an .efg file",
        )
    name = text.strip().removeprefix("efg:")
    if not name.lower().endswith(_EFG):
        return text
    path = workspace.path(name, "game")
    services = workspace.services
    arrived = services.folders.arriving / f"{secrets.token_hex(8)}{_EFG}"
    try:
        with failures(arrived):
            shutil.copyfile(path, arrived)
        kept = await keep_upload(services, arrived, path.stem, "game")
    except EquilibristError as error:
        error.add_place(name)
        raise
    finally:
        with suppress(OSError):
            arrived.unlink(missing_ok=True)
    return f"{kept['name']}"
