"""Sites of files as jobs: what a request asks for is checked before a process writes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.errors import EquilibristError
from equilibrist.web.answers.answer import Answer
from equilibrist.web.answers.jobs import JobDocument
from equilibrist.web.api.answers import RequestServices
from equilibrist.web.errors import WebError
from equilibrist.web.jobs.job import Job
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.runs.documents import job_document
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.services import Services
from equilibrist.web.site.questions import fitting_game

router = APIRouter(prefix="/site", tags=["Solutions"])
_MEMORY: Final = 1_000_000_000
"""Bytes that a process takes, beside the pages of files, which are mapped."""


class SiteOrder(BaseModel):
    """What a site has; games of solutions come along where their rules are those of Equilibrist."""

    model_config = ConfigDict(extra="forbid")

    solutions: list[str] = Field([], max_length=20, description="Names of solutions.")
    games: list[str] = Field([], max_length=20, description="kuhn, leduc(players=3), ...")
    streets: int = Field(2, ge=1, le=3, description="Streets of a spot, as its file keeps them.")


@router.post("", status_code=201)
async def site(body: SiteOrder, services: RequestServices) -> Answer[JobDocument]:
    """Queue a run that writes the files of `equilibrist site`; its archive is `/jobs/ID/site`."""
    job = await services.work.run(site_job, services, body)
    return job_document(services.jobs.add(job, ""), services)


@contextmanager
def _of_field(name: str) -> Iterator[None]:
    """Name the field of the request in errors about what it has."""
    try:
        yield
    except EquilibristError as error:
        error.option = name
        raise


def site_job(services: Services, body: SiteOrder) -> Job:
    """Make the job of a site, checked as far as that takes moments; call it in a thread.

    Args:
        services: The services of the server.
        body: What the site has.

    Raises:
        WebError: It has nothing, or an uploaded game, whose rules no site has.
        NotFoundError: There is no such solution.
        EquilibristError: A game is unknown or too large, or a solution is of a kind without pages.
    """
    load_engine()
    from equilibrist.library.kinds import kind_for

    if not (body.solutions or body.games):
        raise WebError(
            "a site needs a solution or a game",
            option="solutions",
            given=[],
            expected="names of solutions, or games",
            remedy="name one of them",
        )
    with _of_field("solutions"):
        files = [services.library.path(name) for name in body.solutions]
        for file in files:
            kind_for("site", file)
    with _of_field("games"):
        for game in body.games:
            if game.startswith(UPLOADED):
                raise WebError(
                    "a site has games whose rules come with Equilibrist",
                    given=game,
                    expected="kuhn, leduc(players=3), ...",
                    remedy="leave it out; solutions of uploaded games can be in a site",
                )
            fitting_game(services, game)
    sizes = [file.stat().st_size for file in files]
    return Job(
        id=services.jobs.new_id(),
        kind="site",
        game=", ".join([*body.games, *body.solutions]),
        options={},
        solution="",
        memory_bytes=min(_MEMORY + max(sizes, default=0), services.jobs.memory),
        created=time.time(),
        site=body.model_dump(),
        has_parts=False,
        has_checkpoints=False,
    )
