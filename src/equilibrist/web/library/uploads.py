"""Files that arrived: read by a process of their own, and kept if they are sound."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from equilibrist.web.answers.games import GameDocument
from equilibrist.web.library.answers import UploadedSolution
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.services import Services
from equilibrist.web.store.folders import fitting_name
from equilibrist.web.store.games import add_game, uploaded_game
from equilibrist.web.store.parsed import TREE
from equilibrist.web.workers.order import ReadOrder
from equilibrist.web.workers.process import read_file
from equilibrist.web.workers.reading import EFG


async def keep_upload(
    services: Services, arrived: Path, stem: str, kind: str
) -> GameDocument | UploadedSolution:
    """Have a file read, and keep it.

    Args:
        services: The services of the server.
        arrived: The file, in the folder of what arrives; it is moved.
        stem: What it is to be called, as far as names may have such signs.
        kind: `game` or `solution`.

    Returns:
        The document of what is kept.

    Raises:
        EquilibristError: What reading it raised.
        LimitError: There are as many games as may be.
        OutputError: The folder cannot be written.
    """
    limits, stem = services.settings.limits, fitting_name(stem, kind)
    order = ReadOrder(kind, str(arrived), services.jobs.memory)
    try:
        event = await read_file(order, limits.check_seconds)
        if kind == "game":
            document = event["document"]
            arrived = arrived.with_suffix(EFG)  # that of a payoff table is made by who reads it
            others = _other_games(services, event["fingerprint"])
            name = add_game(services.folders.games, stem, arrived, document, limits.games, others)
            return uploaded_game(services.folders.games, name.removeprefix(UPLOADED))[1]
    finally:
        if kind == "game":
            for suffix in (TREE, EFG):
                with suppress(OSError):
                    arrived.with_suffix(suffix).unlink(missing_ok=True)
    name = services.library.free_name(stem, services.jobs.solutions())
    services.library.add(name, arrived)
    return {"name": name, "kind": event["kind"]}


def _other_games(services: Services, fingerprint: str | None) -> set[str]:
    """The files of games of which there are solutions, without those of the game itself.

    Of a game that is too large to be walked nobody knows: none is another one then.
    """
    if fingerprint is None:
        return set()
    solved = [entry for entry in services.library.entries() if entry.game and entry.solves]
    own = {entry.game for entry in solved if entry.solves == fingerprint}
    return {entry.game for entry in solved if entry.game} - own
