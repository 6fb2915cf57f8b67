"""Nodes of solved spots: all that is played there, hands, grids, graphs, next cards, and locks."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar, cast

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.answers.jobs import JobDocument
from equilibrist.web.answers.solutions import (
    LockedSpot,
    OpenedSpot,
    SpotSolution,
    StudiedNode,
    StudiedThree,
    ThreeSpotSolution,
)
from equilibrist.web.api.answers import STAMP, TURN, PresentName, RequestServices
from equilibrist.web.api.orders import SpotInput, Value
from equilibrist.web.compressing import takes_gzip
from equilibrist.web.errors import ConflictError
from equilibrist.web.runs.routes import NewJob, start
from equilibrist.web.services import Services, role_of
from equilibrist.web.solutions.documents import (
    any_spot_of,
    check_kept,
    is_kept,
    is_of_three,
    spot_of,
    without_path,
)
from equilibrist.web.solutions.listing import opened_spot
from equilibrist.web.solutions.locks import locks_document, shown_locks
from equilibrist.web.solutions.nodes import NodeTexts
from equilibrist.web.study.answers import NodeGraph, NodeGrid, NodeLock, RunoutReport, ThreeRunouts
from equilibrist.web.study.hands import grid_document, hands_csv, sorted_document
from equilibrist.web.study.runouts import report_document, runouts_document

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.web.solutions.documents import SpotResult

router = APIRouter(prefix="/solutions", tags=["Solutions"])
_Answer = TypeVar("_Answer")
_RESOLVE: Final = Query(False, description="Re-solve a street that the file does not keep.")
_SEAT: Final = Query(
    None, description="`oop` or `ip`, of three players `middle`, too; by default who acts."
)
_TEXTS: Final = NodeTexts()
_StudiedAny: TypeAlias = Answer[StudiedNode | StudiedThree]
_WATCH: Final = 0.05
"""Seconds between two looks at whether anybody still waits for an answer."""


@dataclass(frozen=True)
class NodeRequest:
    """The node that a request is about.

    Attributes:
        request: The request.
        services: The services of the server.
        name: The name of the solution.
        line: The line of the node.
        resolve: Whether a street that the file lacks may be re-solved.
    """

    request: Request
    services: Services
    name: str
    line: str
    resolve: bool

    @contextmanager
    def opened(self) -> Iterator[PostflopResult]:
        """The solution, open at a node that it keeps, or that may be re-solved.

        Raises NotFoundError, ConflictError, also for spots of three players, and ForbiddenError.
        """
        with self.opened_any() as solution:
            yield spot_of(self.name, solution)

    @contextmanager
    def opened_any(self) -> Iterator[SpotResult]:
        """The same of two or three players."""
        with self.services.library.opened(self.name) as result:
            solution = any_spot_of(self.name, result)
            check_kept(self.request, solution, self.line, self.resolve)
            yield solution


async def _studied(
    request: Request,
    name: PresentName,
    services: RequestServices,
    line: str = Query("", max_length=500, description="The line of the node, as X-B120-C|8h."),
    resolve: bool = _RESOLVE,
) -> NodeRequest:
    """The node, whose street a process has re-solved if one who may has asked for that."""
    if resolve and role_of(request) == "owner":
        await _while_connected(request, services.streets.ensure(name, line))
    return NodeRequest(request, services, name, line, resolve)


RequestedNode: TypeAlias = Annotated[NodeRequest, Depends(_studied)]
"""The node that a request names, as a parameter of an answer."""


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


@router.get("/{name}/spot", dependencies=[TURN])
def spot(name: str, services: RequestServices, stamp: str = STAMP) -> Answer[OpenedSpot]:
    """What is solved: the board, positions and sizes, and how many later cards the file keeps."""
    return opened_spot(services, name, stamp)


@router.get("/{name}/node")
def node(requested: RequestedNode) -> Answer[SpotSolution | ThreeSpotSolution]:
    """A node of a solved spot, as `equilibrist postflop show --line LINE --json` prints it."""
    with requested.opened_any() as solution:
        document = without_path(solution.to_dict(requested.line), requested.services)
        return cast("SpotSolution | ThreeSpotSolution", document)


@router.get("/{name}/study", response_model=_StudiedAny)
def study(requested: RequestedNode) -> Response:
    """A node for a page: the way to it, and the hands of all players in columns.

    Figures are those of `/node`.
    """
    with requested.opened_any() as solution:
        packed = _TEXTS.packed(solution, requested.line)
    headers = {"Vary": "Accept-Encoding"}
    if takes_gzip(requested.request.headers):
        headers["Content-Encoding"] = "gzip"
        return Response(packed, headers=headers, media_type="application/json")
    return Response(gzip.decompress(packed), headers=headers, media_type="application/json")


@router.get("/{name}/grid")
def grid(requested: RequestedNode, player: str | None = _SEAT) -> Answer[NodeGrid]:
    """The hand classes of a player at a node: weight, equity, EV, EQR, strategy."""
    with requested.opened_any() as solution:
        if is_of_three(solution):
            from equilibrist.web.study.three import three_grid

            return three_grid(solution, requested.line, player)
        return grid_document(solution, requested.line, player)


@router.get("/{name}/graph")
def graph(
    requested: RequestedNode, by: str = Query("equity", description="`equity`, `ev` or `eqr`.")
) -> Answer[NodeGraph]:
    """The hands of both players at a node from the worst to the best."""
    with requested.opened() as solution:
        return sorted_document(solution, requested.line, by)


@router.get("/{name}/hands.csv", response_class=Response, responses=media("text/csv"))
def hands(requested: RequestedNode, player: str | None = _SEAT) -> Response:
    """The hands of a player at a node as CSV, with made hands, draws, figures and strategy."""
    with requested.opened_any() as solution:
        if is_of_three(solution):
            from equilibrist.web.study.three import three_hands_csv

            text = three_hands_csv(solution, requested.line, player)
        else:
            text = hands_csv(solution, requested.line, player)
    return Response(text, media_type="text/csv")


@router.get("/{name}/lock")
def lock(requested: RequestedNode) -> Answer[NodeLock]:
    """A lock of a node to what is played there, and the locks that the solution has."""
    with requested.opened() as solution:
        return {
            "lock": str(solution.lock(requested.line)),
            "locks": [str(locked) for locked in solution.spot.locks],
            "shown": shown_locks(solution.spot),
        }


@router.post("/{name}/locks", dependencies=[TURN])
def check_locks(name: PresentName, body: Locks, services: RequestServices) -> Answer[LockedSpot]:
    """Check locks: their text, the spot file with them, and the options of the solve."""
    with services.library.opened(name) as result:
        return locks_document(spot_of(name, result), body.locks)


@router.post("/{name}/resolve", status_code=201)
async def resolve(name: PresentName, body: Locks, services: RequestServices) -> Answer[JobDocument]:
    """Solve the spot of a solution again with other locks, as a job: `/api/jobs` follows it."""
    locked = await services.work.run(check_locks, name, body, services)
    options = {**locked["options"], **body.options}
    spot = SpotInput(toml=locked["spot"])
    return await start(
        NewJob(game=None, spot=spot, hand=None, algorithms=None, review=None, options=options),
        services,
    )


@router.get("/{name}/runouts")
async def runouts(
    request: Request,
    name: PresentName,
    services: RequestServices,
    line: str = Query(max_length=500, description="A line that ends a street, as X-X."),
    resolve: bool = _RESOLVE,
) -> Answer[RunoutReport | ThreeRunouts]:
    """What every next card does, as `equilibrist postflop report --json` prints it.

    Of three players there is no such command: a row has what the seat does that acts then.

    If the client disconnects, the work ends after the current card. Where the file does not keep
    the next street, a process of its own does all of it, and ends at once then.
    """
    has_left = threading.Event()

    def of_three() -> ThreeRunouts:
        from equilibrist.web.study.three import three_runouts

        with services.library.opened(name) as result:
            return three_runouts(cast("ThreeSolution", result), line)

    if (await run_in_threadpool(services.library.entry, name)).kind == THREE_SPOT:
        return await services.work.run(of_three)

    def is_here() -> bool:
        from equilibrist.poker.postflop.files.runout_report import deals_follow

        with services.library.opened(name) as result:
            solution = spot_of(name, result)
            deals_follow(solution.spot, line)
            check_kept(request, solution, line, resolve, dealt=1)
            return is_kept(solution, line, dealt=1)

    def card_by_card() -> RunoutReport:
        return runouts_document(services.library, name, line, lambda: not has_left.is_set())

    async def work() -> RunoutReport:
        if await run_in_threadpool(is_here):
            return await services.work.run(card_by_card)
        rows = await services.streets.report(name, line)
        return await run_in_threadpool(report_document, services.library, name, line, rows)

    return await _while_connected(request, work(), has_left.set)


async def _while_connected(
    request: Request, work: Coroutine[Any, Any, _Answer], on_left: Callable[[], None] | None = None
) -> _Answer:
    """What the work returns; it is cancelled when the client has left.

    Args:
        request: The request that is answered.
        work: What is done for it.
        on_left: Called when the client has left, for threads, which cannot be cancelled.

    Returns:
        What the work returns.

    Raises:
        ConflictError: The client has left. Also what the work raises.
    """
    task, has_left = asyncio.create_task(work), False

    async def watch() -> None:
        nonlocal has_left
        while not await request.is_disconnected():
            await asyncio.sleep(_WATCH)
        has_left = True
        if on_left is not None:
            on_left()
        task.cancel()

    watching = asyncio.create_task(watch())
    try:
        return await task
    except asyncio.CancelledError:
        if not has_left:
            raise
        raise ConflictError("nobody waits for the answer", option="line") from None
    finally:
        watching.cancel()
        task.cancel()
