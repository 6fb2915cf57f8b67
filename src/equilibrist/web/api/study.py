"""Nodes of solved spots, as pages show them: hands, grids, graphs, and locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.answers.jobs import JobDocument
from equilibrist.web.answers.solutions import LockedSpot, NodeGraph, NodeGrid, NodeLock, StudiedNode
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.api.jobs import NewJob, start
from equilibrist.web.api.waiting import LINE, RESOLVE, RESOLVED
from equilibrist.web.documents.hands import grid_document, hands_csv, sorted_document
from equilibrist.web.documents.locks import locks_document, shown_locks
from equilibrist.web.documents.orders import SpotGiven, Value
from equilibrist.web.documents.solutions import check_kept, spot_of
from equilibrist.web.documents.study import NodeTexts
from equilibrist.web.services import Services

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult

router = APIRouter(prefix="/solutions", tags=["Solutions"])
_SEAT: Final = Query(None, description="`oop` or `ip`; by default who acts.")
_TEXTS: Final = NodeTexts()


class Locks(BaseModel):
    """Locks of a spot, and how it is solved again."""

    model_config = ConfigDict(extra="forbid")

    locks: list[str] = Field(
        max_length=200, description="All locks that hold, as `B120: AA,KK = Call 100%`."
    )
    options: dict[str, Value | None] = Field(
        default_factory=dict,
        description="Options of `postflop solve` in place of those of the solution; null to leave "
        "one of them out.",
    )


@router.get("/{name}/study", response_model=Answer[StudiedNode], dependencies=[RESOLVED])
def study(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    resolve: bool = RESOLVE,
) -> Response:
    """A node for a page: the way to it, and the hands of both players in columns.

    Figures are those of `/node`. `hands` are those of OOP and of IP: `combos` are numbers in the
    order of `equilibrist.poker.combo_name`, `made` and `draw` indices of `made_hands` and `draws`.
    `strategy` and `action_evs` have a list for each action, with the hands of the player who acts.
    """
    with _kept(request, name, services, line, resolve) as solution:
        text = _TEXTS.text(solution, line)
    return Response(text, media_type="application/json")


@router.get("/{name}/grid", dependencies=[RESOLVED])
def grid(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    player: str | None = _SEAT,
    resolve: bool = RESOLVE,
) -> Answer[NodeGrid]:
    """The hand classes of a player at a node: weight, equity, EV, EQR, strategy."""
    with _kept(request, name, services, line, resolve) as solution:
        return grid_document(solution, line, player)


@router.get("/{name}/graph", dependencies=[RESOLVED])
def graph(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    by: str = Query("equity", description="`equity`, `ev` or `eqr`."),
    resolve: bool = RESOLVE,
) -> Answer[NodeGraph]:
    """The hands of both players at a node from the worst to the best."""
    with _kept(request, name, services, line, resolve) as solution:
        return sorted_document(solution, line, by)


@router.get(
    "/{name}/hands.csv",
    response_class=Response,
    responses=media("text/csv"),
    dependencies=[RESOLVED],
)
def hands(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    player: str | None = _SEAT,
    resolve: bool = RESOLVE,
) -> Response:
    """The hands of a player at a node as CSV, with made hands, draws, figures and strategy."""
    with _kept(request, name, services, line, resolve) as solution:
        return Response(hands_csv(solution, line, player), media_type="text/csv")


@router.get("/{name}/lock", dependencies=[RESOLVED])
def lock(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    resolve: bool = RESOLVE,
) -> Answer[NodeLock]:
    """A lock of a node to what is played there, and the locks that the solution has."""
    with _kept(request, name, services, line, resolve) as solution:
        return {
            "lock": str(solution.lock(line)),
            "locks": [str(one) for one in solution.spot.locks],
            "shown": shown_locks(solution.spot),
        }


@router.post("/{name}/locks", dependencies=[TURN])
def check_locks(name: str, given: Locks, services: RequestServices) -> Answer[LockedSpot]:
    """Check locks: their text, the spot file with them, and the options of the solve."""
    return _locked(name, given, services)


@router.post("/{name}/resolve", status_code=201)
async def resolve(name: str, given: Locks, services: RequestServices) -> Answer[JobDocument]:
    """Solve the spot of a solution again with other locks, as a job: `/api/jobs` follows it."""
    asked = await services.work.run(_locked, name, given, services)
    options = {**asked["options"], **given.options}
    spot = SpotGiven(toml=asked["spot"])
    return await start(NewJob(game=None, spot=spot, algorithms=None, options=options), services)


@contextmanager
def _kept(
    request: Request, name: str, services: Services, line: str, resolve: bool
) -> Iterator[PostflopResult]:
    """The solution of a spot, open at a node that it keeps, or that may be re-solved.

    Raises NotFoundError, ConflictError and ForbiddenError.
    """
    with services.library.opened(name) as result:
        solution = spot_of(name, result)
        check_kept(request, solution, line, resolve)
        yield solution


def _locked(name: str, given: Locks, services: Services) -> LockedSpot:
    with services.library.opened(name) as result:
        return locks_document(spot_of(name, result), given.locks)
