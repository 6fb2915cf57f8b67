"""Files that come from the browser: limited in size, and read by a process of its own."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, cast

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from equilibrist.storage.atomic import failures
from equilibrist.storage.kinds.file_kinds import GAME
from equilibrist.web.answers.answer import Answer, Deleted
from equilibrist.web.answers.games import GameDocument, PayoffTableDocument
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.library.answers import UploadedSolution
from equilibrist.web.library.payoff_tables import PayoffTableInput, PayoffText, read_table
from equilibrist.web.library.uploads import keep_upload
from equilibrist.web.security.guard import GAMES
from equilibrist.web.services import Services
from equilibrist.web.solutions.files import delete_uploaded
from equilibrist.web.store.folders import fitting_name, new_path_in
from equilibrist.web.store.parsed import TREE

router = APIRouter(tags=["Uploads"])
_KINDS: Final = {
    **dict.fromkeys(GAMES, "game"),
    ".safetensors": "solution",
    ".spot": "solution",
}
_IMPORTED: Final = {
    ".toml": "import a spot on the page /spot",
    ".json": "import ranges on the page /spot, and paste payoff tables on the page /payoffs",
    **dict.fromkeys((".txt", ".md", ".py", ".tex", ".html"), "paste tables on the page /payoffs"),
}
"""What to do with files that are not uploaded, but imported."""
_MOST_ARRIVING: Final = 4
"""Files that are read at the same time."""


@router.put("/uploads/{file}", status_code=201)
async def upload(
    file: str, request: Request, services: RequestServices
) -> Answer[GameDocument | UploadedSolution]:
    """Upload the body of the request: a solution (.safetensors, .spot) or a game (.efg).

    Payoff tables of any number of players are games, too: .nfg, .csv, .tsv, .npy and .npz.

    A process of its own reads it; a broken file is refused, and so is one that the disk has no
    room for. Signs that names may not have are left out of its name: `Game (1)` is kept as
    `Game-1`.
    """
    stem, ending = Path(file).stem, Path(file).suffix.lower()
    kind = _KINDS.get(ending)
    if kind is None:
        raise WebError(
            "files of this type are not accepted",
            option="file",
            given=file[:120],
            expected=", ".join(_KINDS),
            remedy=_IMPORTED.get(ending, "upload a solution, a game of Gambit, or a payoff table"),
        )
    new_path_in(services.folders.arriving, fitting_name(stem, kind))  # no device
    with _arriving(services, ending if kind == "game" else ".safetensors") as arrived:
        with failures(arrived), arrived.open("wb") as target:
            async for part in request.stream():
                await run_in_threadpool(target.write, part)
        return await keep_upload(services, arrived, stem, kind)


@contextmanager
def _arriving(services: Services, suffix: str) -> Iterator[Path]:
    """Give the path of a file that arrives, which is gone at the end; LimitError for too many."""
    folder = services.folders.arriving
    with failures(folder):
        folder.mkdir(exist_ok=True)  # it may have been removed by hand
        arriving = [partial for partial in folder.iterdir() if partial.suffix != TREE]
    if len(arriving) >= _MOST_ARRIVING:
        raise LimitError(
            f"{_MOST_ARRIVING} files are being read, which is the limit",
            option="uploads",
            expected=_MOST_ARRIVING,
            remedy="try again in a moment",
        )
    arrived = folder / f"{secrets.token_hex(8)}{suffix}"
    try:
        yield arrived
    finally:
        with suppress(OSError):
            arrived.unlink(missing_ok=True)


@router.post("/payoffs/read", dependencies=[TURN])
def read_payoffs(body: PayoffText) -> Answer[PayoffTableDocument]:
    """Read a pasted payoff table of two players in any form that files have."""
    return read_table(body.text)


@router.post("/payoffs", status_code=201)
async def make_game(body: PayoffTableInput, services: RequestServices) -> Answer[GameDocument]:
    """Make a game of a payoff table, and keep it like one that was uploaded."""
    from equilibrist.games.efg.writer import efg_text

    game = body.game()
    stem = fitting_name(game.title, GAME)
    new_path_in(services.folders.arriving, stem)  # no device
    with _arriving(services, ".efg") as arrived:
        with failures(arrived):
            arrived.write_text(efg_text(game), "utf-8")
        return cast("GameDocument", await keep_upload(services, arrived, stem, "game"))


@router.delete("/games/library:{name}")
async def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Remove an uploaded game, unless a run of it has not ended."""
    delete_uploaded(services, name)
    return {"deleted": f"library:{name}"}
