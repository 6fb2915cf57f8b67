"""Files that come from the browser: limited in size, and read by a process of its own."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from equilibrist.storage.atomic import failures
from equilibrist.storage.kinds.file_kinds import GAME
from equilibrist.web.answers.answer import Answer, Deleted
from equilibrist.web.answers.catalogue import GameDocument
from equilibrist.web.answers.games import PayoffTableDocument
from equilibrist.web.answers.solutions import UploadedSolution
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.documents.games.payoff_tables import PayoffTableInput, PayoffText, read_table
from equilibrist.web.documents.library import delete_uploaded
from equilibrist.web.documents.uploads import keep_upload
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.store.folders import fitting_name, new_path_in
from equilibrist.web.store.parsed import TREE

router = APIRouter(tags=["Uploads"])
_KINDS: Final = {".efg": "game", ".safetensors": "solution", ".spot": "solution"}
_TABLES: Final = "payoff tables are solved on the command line: `equilibrist solve FILE`"
_IMPORTED: Final = {
    ".toml": "import a spot on the page /spot",
    ".json": f"import ranges on the page /spot; {_TABLES}",
    **dict.fromkeys((".nfg", ".csv", ".tsv", ".npy", ".npz"), _TABLES),
}
"""What to do with files that are not uploaded, but imported."""
_MOST_ARRIVING: Final = 4
"""Files that are read at the same time."""


@router.put("/uploads/{file}", status_code=201)
async def upload(
    file: str, request: Request, services: RequestServices
) -> Answer[GameDocument | UploadedSolution]:
    """Upload the body of the request: a solution (.safetensors, .spot) or a game (.efg).

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
            remedy=_IMPORTED.get(ending, "upload a solution or an .efg"),
        )
    new_path_in(services.folders.arriving, fitting_name(stem, kind))  # no device
    with failures(services.folders.arriving):
        services.folders.arriving.mkdir(exist_ok=True)  # it may have been removed by hand
        arriving = [
            partial for partial in services.folders.arriving.iterdir() if partial.suffix != TREE
        ]
    if len(arriving) >= _MOST_ARRIVING:
        raise LimitError(
            f"{_MOST_ARRIVING} files are being read, which is the limit",
            option="uploads",
            expected=_MOST_ARRIVING,
            remedy="try again in a moment",
        )
    suffix = ".efg" if kind == "game" else ".safetensors"
    arrived = services.folders.arriving / f"{secrets.token_hex(8)}{suffix}"
    try:
        with failures(arrived), arrived.open("wb") as target:
            async for part in request.stream():
                await run_in_threadpool(target.write, part)
        return await keep_upload(services, arrived, stem, kind)
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
    services.folders.arriving.mkdir(exist_ok=True)
    arrived = services.folders.arriving / f"{secrets.token_hex(8)}.efg"
    try:
        with failures(arrived):
            arrived.write_text(efg_text(game), "utf-8")
        return cast("GameDocument", await keep_upload(services, arrived, stem, "game"))
    finally:
        with suppress(OSError):
            arrived.unlink(missing_ok=True)


@router.delete("/games/library:{name}")
async def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Remove an uploaded game, unless a run of it has not ended."""
    delete_uploaded(services, name)
    return {"deleted": f"library:{name}"}
