"""The server itself: its version and limits, who asks, and one stream of what changes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from equilibrist._version import __version__
from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.api.answers import RequestServices
from equilibrist.web.api.orders import MOST_ENTRIES, MOST_RUNS
from equilibrist.web.overview.answers import ServerFacts, VersionFacts, VisitorFacts
from equilibrist.web.overview.events import EventStream, read_topics
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.services import role_of, services_of

router = APIRouter(tags=["Server"])
SECTIONS: Final = {
    "library": "/",
    "spot": "/spot",
    "hands": "/hands",
    "games": "/games",
    "race": "/race",
    "runs": "/runs",
    "play": "/play",
    "learn": "/learn",
}
"""The sections of the bar, by name, and their addresses."""
_OF_OWNERS: Final = ("solve", "upload", "delete", "rename", "save")
_OF_ALL: Final = ("look", "play", "set_up")


@router.get("/version")
def version() -> Answer[VersionFacts]:
    """The version of Equilibrist."""
    return {"name": "equilibrist", "version": __version__}


@router.get("/server")
def server(services: RequestServices) -> Answer[ServerFacts]:
    """How the server was started, and how busy it is."""
    subject = services.settings.subject
    return {
        "version": __version__,
        "subject": None
        if subject is None
        else {"kind": subject.kind, "text": subject.name, "spot": subject.spot},
        "jobs": services.jobs.facts(),
        "limits": services.settings.limits,
    }


@router.get("/me")
def me(request: Request) -> Answer[VisitorFacts]:
    """Who asks: owner or guest, what they may do, the sections of the pages, and limits.

    `may` has `look`, `play` and `set_up`, of owners also `solve`, `upload`, `delete`, `rename` and
    `save`; whatever else is asked for is refused with status 403.
    """
    return _visitor_facts(request)


@router.get("/events", response_class=StreamingResponse, responses=media("text/event-stream"))
async def events(
    services: RequestServices,
    topics: Annotated[
        str, Query(max_length=2000, description="With commas between them: jobs,library,run:ID.")
    ],
    after: Annotated[
        str,
        Query(max_length=80, description="The `id` of the last event that is known, as the header "
              "`Last-Event-ID` has it, which pages cannot set."),
    ] = "",
    last_event_id: Annotated[str, Header(max_length=80)] = "",
    _refusals: Annotated[
        Literal["", "silent"],
        Query(alias="refusals", description="`silent`: where the stream is refused, the answer has "
              "status 204 and no document. Pages ask so, as browsers log other statuses."),
    ] = "",
) -> StreamingResponse:  # fmt: skip
    """What happens, as server-sent events, until whoever listens signs out or the server stops.

    The first event of each topic says how things stand, unless `after` says that this is known:
    what has happened since is told then, however long ago that was.

    `jobs`: `counts` of the queue and the `jobs` that have changed, as of `GET /api/jobs` (`whole`:
    these are all), and the names of those that were `removed`. `run`: the `job` with this `id`, as
    of `GET /api/jobs/ID`; its curves have what is new, or all (`whole`); null once it is deleted.
    `library`: a `revision`, another one whenever a solution, its folder or its note has changed.
    A comment comes where nothing has happened for 15 seconds.
    """
    last = last_event_id or after
    stream = EventStream(services, read_topics(services, topics, goes_on=bool(last)), last)
    return StreamingResponse(
        stream.texts(),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _visitor_facts(request: Request) -> VisitorFacts:
    """Describe who asks.

    Args:
        request: The request.
    """
    services, role = services_of(request), role_of(request)
    is_owner = role == "owner"
    limits = services.settings.limits
    return {
        "role": "owner" if is_owner else "guest",
        "is_open": services.sessions.is_open,
        "can_sign_out": request.scope.get(SESSION) is not None,
        "sections": [{"name": name, "address": address} for name, address in SECTIONS.items()],
        "may": [*_OF_ALL, *(_OF_OWNERS if is_owner else ())],
        "limits": {
            "memory_bytes": services.jobs.memory,
            "running": limits.running,
            "queue": limits.queue,
            "jobs": limits.jobs,
            "upload_bytes": limits.upload,
            "game_upload_bytes": limits.game_upload,
            "body_bytes": limits.body,
            "reviewed_bytes": limits.reviewed,
            "streams": limits.streams,
            "tables": limits.tables if is_owner else limits.guest_tables,
            "hands": limits.hands,
            "race_algorithms": MOST_ENTRIES,
            "race_runs": MOST_RUNS,
        },
    }
