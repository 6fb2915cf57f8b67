"""The application: the API, the pages, and the guard in front of both."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.types import ASGIApp

from equilibrist._version import __version__
from equilibrist.web import entry
from equilibrist.web.answers.answer import REFUSALS_IN_OPENAPI
from equilibrist.web.api.answers import explain_errors, said_once
from equilibrist.web.charts import routes as charts
from equilibrist.web.compressing import Compressing
from equilibrist.web.errors import NotFoundError
from equilibrist.web.games import routes as games
from equilibrist.web.hands import routes as hands
from equilibrist.web.library import routes as library
from equilibrist.web.library import upload_routes as uploads
from equilibrist.web.numba_loading import engine_loaded
from equilibrist.web.overview import catalogue_routes as catalogue
from equilibrist.web.overview import routes as overview
from equilibrist.web.play import routes as play
from equilibrist.web.ranges import routes as ranges
from equilibrist.web.reports import routes as reports
from equilibrist.web.reviews import routes as reviews
from equilibrist.web.runs import routes as runs
from equilibrist.web.security.guard import Guard
from equilibrist.web.services import Services
from equilibrist.web.setup import routes as setup
from equilibrist.web.setup import spot_routes as spots
from equilibrist.web.setup import tournament_routes as tournaments
from equilibrist.web.shell import router as shell_router
from equilibrist.web.site import routes as site
from equilibrist.web.study import routes as study
from equilibrist.web.trainer import routes as trainer

_ABOUT: Final = (
    "Solve games and hold'em spots, read solutions, follow runs, play. Documents are those that "
    "the command line prints with --json. Errors are documents with the sentence as `error`."
)
_METHODS: Final = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


async def _refuse_unknown(path: str, request: Request) -> None:
    """Refuse an address that nothing answers, whatever the method."""
    asked = f"{request.method} /api/{path[:200]}"
    raise NotFoundError(
        f"the API has no {asked}",
        option="path",
        given=asked,
        remedy="/api/docs lists the requests",
    )


def make_api() -> FastAPI:
    """The API, and the pages that are modules.

    Requests bring the services of their server along, from the guard.
    """
    app = FastAPI(
        title="Equilibrist",
        version=__version__,
        description=_ABOUT,
        docs_url=None,  # a page of ours
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    explain_errors(app)
    api = APIRouter(
        prefix="/api",
        dependencies=[Depends(said_once), Depends(engine_loaded)],
        responses=REFUSALS_IN_OPENAPI,
    )
    parts = (
        catalogue,
        overview,
        games,
        library,
        charts,
        study,
        reports,
        reviews,
        spots,
        ranges,
        setup,
        tournaments,
        hands,
        runs,
        uploads,
        play,
        trainer,
        site,
    )
    for part in parts:
        api.include_router(part.router)
    # last: it takes what none of the others does
    api.add_api_route("/{path:path}", _refuse_unknown, methods=_METHODS, include_in_schema=False)
    app.include_router(shell_router)
    app.include_router(api)
    app.include_router(entry.router)
    return app


def guarded(app: ASGIApp, services: Services) -> Guard:
    """Put the guard in front of an application, whose long answers are compressed.

    Args:
        app: What answers.
        services: The services of the server, which requests find behind the guard.
    """
    return Guard(
        app=Compressing(app),
        addresses=services.addresses,
        sessions=services.sessions,
        limits=services.settings.limits,
        services=services,
    )


def make_application(services: Services) -> Guard:
    """The API and the pages, behind the guard."""
    return guarded(make_api(), services)
