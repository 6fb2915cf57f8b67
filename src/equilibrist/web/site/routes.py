"""A site of files as one archive, made on request."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.web.answers.answer import media
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.errors import WebError

router = APIRouter(prefix="/site", tags=["Solutions"])


class SiteOrder(BaseModel):
    """What a site has; games of solutions come along where their rules are those of Equilibrist."""

    model_config = ConfigDict(extra="forbid")

    solutions: list[str] = Field([], max_length=20, description="Names of solutions.")
    games: list[str] = Field([], max_length=20, description="kuhn, leduc(players=3), ...")
    streets: int = Field(2, ge=1, le=3, description="Streets of a spot, as its file keeps them.")


@router.post("", dependencies=[TURN], response_class=Response, responses=media("application/zip"))
def site(body: SiteOrder, services: RequestServices) -> Response:
    """The files of `equilibrist site` as a ZIP archive: pages that any web server shows."""
    if not (body.solutions or body.games):
        raise WebError(
            "a site needs a solution or a game",
            option="solutions",
            given=[],
            expected="names of solutions, or games",
            remedy="name one of them",
        )
    files = [services.library.path(name) for name in body.solutions]
    headers = {"Content-Disposition": 'attachment; filename="equilibrist-site.zip"'}
    content = zipped_site(files, body.games, body.streets)
    return Response(content, media_type="application/zip", headers=headers)


def zipped_site(solutions: Sequence[str | Path], games: Sequence[str], streets: int = 2) -> bytes:
    """The site that `write_site` writes, as a ZIP archive.

    Args:
        solutions: As of `write_site`.
        games: As of `write_site`.
        streets: As of `write_site`.

    Returns:
        The archive: `site/index.html` is the first page.

    Raises:
        EquilibristError: A game or a solution is unknown, or too large.
    """
    from equilibrist.web.site.writing import write_site

    archive = BytesIO()
    with TemporaryDirectory(prefix="equilibrist-zip-") as place:
        folder = Path(place) / "site"
        write_site(folder, solutions, games, streets)
        with ZipFile(archive, "w", ZIP_DEFLATED) as file:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    file.write(path, path.relative_to(place).as_posix())
    return archive.getvalue()
