"""Stored solutions: the library, what is in a solution, and infosets of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, cast
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.storage.kinds.file_kinds import CHARTS
from equilibrist.web.answers.answer import Answer, Deleted, Named, media
from equilibrist.web.answers.games import (
    DrawnSolution,
    InfosetTable,
    SolvedGameFacts,
    SolvedMatrixTable,
    WalkedSolution,
)
from equilibrist.web.answers.solutions import EntryDocument, LibraryPage, RunAgain, SpotSolution
from equilibrist.web.api.answers import (
    STAMP,
    TURN,
    NewName,
    PresentName,
    RequestServices,
    csv_file,
)
from equilibrist.web.library.answers import SolutionComparison, SolutionDocument
from equilibrist.web.services import role_of
from equilibrist.web.solutions.documents import guest_file, without_path
from equilibrist.web.solutions.files import delete_solution, rename_solution
from equilibrist.web.solutions.listing import (
    PAGE,
    SORTS,
    entry_document,
    library_page,
    note_solution,
)
from equilibrist.web.store.folders import shown_name
from equilibrist.web.store.notes import About

if TYPE_CHECKING:
    from equilibrist.web.answers.solutions import ThreeSpotSolution
    from equilibrist.web.library.answers import GameSolution

router = APIRouter(prefix="/solutions", tags=["Solutions"])
MOST_ROWS: Final = 1000
"""Infosets in one answer."""
MOST_COMPARED: Final = 500
"""Hands or infosets in one comparison."""


class SolutionNote(BaseModel):
    """What the user says of a solution; what is left out is not said any more."""

    model_config = ConfigDict(extra="forbid")

    folder: str = Field("", description="The folder in which it is listed: 3-bet pots/BTN.")
    note: str = Field("", description="A text.")
    oop: str = Field("", description="Of a spot, the position of the player out of position: BB.")
    middle: str = Field("", description="Of three, that of the player who acts second: SB.")
    ip: str = Field("", description="That of the player in position: BTN.")
    pot_type: str = Field("", description="limped, single-raised, 3-bet, 4-bet or 5-bet.")


@router.get("")
def listed(
    services: RequestServices,
    search: Annotated[
        str, Query(max_length=200, description="Words in name, title, algorithm, folder, note.")
    ] = "",
    called: Annotated[
        list[str] | None,
        Query(max_length=100, description="Games that the words of the search call by a title."),
    ] = None,
    sort: Annotated[
        str, Query(max_length=40, description=f"{', '.join(SORTS)}; a minus: greatest first.")
    ] = "",
    folder: Annotated[
        str, Query(max_length=200, description="In this folder or below; / for those in none.")
    ] = "",
    after: Annotated[str, Query(max_length=1000, description="`next` of the page before.")] = "",
    count: Annotated[int, Query(ge=1, le=PAGE, description="The most solutions.")] = PAGE,
) -> Answer[LibraryPage]:
    """A page of the library: newest first, then those of the command line: last, last-2, ..."""
    return library_page(
        services,
        search=search,
        called=called or (),
        sort=sort,
        folder=folder,
        after=after,
        count=count,
    )


@router.put("/{name}/note")
def note(name: str, body: SolutionNote, services: RequestServices) -> Answer[EntryDocument]:
    """Put a solution of the library into a folder, note something, and say who plays whom."""
    return note_solution(services, name, About(**body.model_dump()))


@router.get("/{name}")
def show(name: str, services: RequestServices) -> Answer[SolutionDocument]:
    """A solution, as `equilibrist solve --json` or `postflop show --json` prints it.

    Of a file with charts before the flop, what `/charts` answers.
    """
    entry = services.library.entry(name)
    if entry.kind in CHARTS:
        from equilibrist.web.charts.documents import charts_facts

        with services.library.charts(name) as file:
            return {**entry_document(entry, services), "solution": charts_facts(file)}
    with services.library.opened(name) as result:
        solution = without_path(result.to_dict(), services)
        return {
            **entry_document(entry, services),
            "solution": cast("GameSolution | SpotSolution | ThreeSpotSolution", solution),
        }


@router.get("/{name}/compare", dependencies=[TURN])
def compare(
    name: PresentName,
    services: RequestServices,
    other: Annotated[str, Query(max_length=200, description="The name of the other solution.")],
    line: Annotated[
        str,
        Query(
            max_length=500, description="Where the street of a spot begins; a decision of charts."
        ),
    ] = "",
    board: Annotated[
        str, Query(max_length=40, description="Of blueprints, the board: Td9d6h.")
    ] = "",
    count: Annotated[int, Query(ge=1, le=MOST_COMPARED, description="Hands or infosets.")] = 50,
) -> Answer[SolutionComparison]:
    """Hold a solution against any other: what tells them apart, and where strategies differ.

    Of spots on one board with one pot all decisions of a street are compared, as `equilibrist
    postflop compare` does; of solutions of one game all infosets; of charts a decision.
    """
    from equilibrist.web.library.comparing import solution_comparison

    return solution_comparison(services, name, other, line=line, board=board, count=count)


@router.get("/{name}/again", dependencies=[TURN])
def again(name: PresentName, services: RequestServices) -> Answer[RunAgain]:
    """What `POST /api/jobs` takes to make a solution again: options of a game, or a spot's form."""
    from equilibrist.web.games.options import run_again

    return run_again(services, name)


@router.get(
    "/{name}/file", response_class=FileResponse, responses=media("application/octet-stream")
)
def file(request: Request, name: str, services: RequestServices) -> Response:
    """The file, to be saved elsewhere; every command of Equilibrist opens it.

    Guests get it without the places of files on the server.
    """
    path = services.library.path(name)
    kind = "application/octet-stream"
    headers = {"Cache-Control": "no-store"}  # another file may have the name tomorrow
    if role_of(request) == "owner":
        return FileResponse(path, media_type=kind, filename=shown_name(path.name), headers=headers)
    size, pieces = guest_file(path, services)
    headers["Content-Length"] = str(size)
    headers["Content-Disposition"] = f"attachment; filename*=utf-8''{quote(shown_name(path.name))}"
    return StreamingResponse(pieces, media_type=kind, headers=headers)


@router.delete("/{name}")
async def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Remove a solution from the library."""
    delete_solution(services, name)
    return {"deleted": name}


@router.post("/{name}")
async def rename(name: str, body: NewName, services: RequestServices) -> Answer[Named]:
    """Give a solution of the library another name."""
    return {"name": rename_solution(services, name, body.name)}


@router.get("/{name}/infosets", dependencies=[TURN])
def infosets(
    name: PresentName,
    services: RequestServices,
    match: str | None = Query(None, max_length=200, description="With * and ?, as --match."),
    player: int | None = None,
    key: list[str] = Query([], description="Only these infosets."),  # noqa: B008 - FastAPI's way
    values: bool = Query(False, description="With reach and values, where the game is small."),
    state: bool = Query(False, description="With the current strategy and regrets of the run."),
    order: str | None = Query(None, description="What to sort by, such as reach or regret."),
    descending: bool = False,
    start: int = Query(0, ge=0),
    count: int = Query(100, ge=1, le=MOST_ROWS),
) -> Answer[InfosetTable]:
    """Infosets of a solution of a game, as `equilibrist inspect --json` prints them."""
    from equilibrist.web.games.infosets import infoset_table
    from equilibrist.web.games.solved import solved_game

    solved = solved_game(services, name)
    page = infoset_table(
        solved,
        match=match,
        player=player,
        keys=key,
        order=order,
        descending=descending,
        start=start,
        count=count,
        values=values,
        state=state,
    )
    return {"game": solved.title, **page}


@router.get(
    "/{name}/infosets.csv",
    dependencies=[TURN],
    response_class=Response,
    responses=media("text/csv"),
)
def infosets_as_csv(
    name: PresentName,
    services: RequestServices,
    match: str | None = Query(None, max_length=200, description="With * and ?, as --match."),
    player: int | None = None,
    key: list[str] = Query([], description="Only these infosets."),  # noqa: B008 - FastAPI's way
    order: str | None = Query(None, description="What to sort by, such as reach or regret."),
    descending: bool = False,
) -> Response:
    """All infosets that fit, as CSV: a row for each action, with reach, values and regrets."""
    from equilibrist.web.api.csv_tables import infosets_csv
    from equilibrist.web.games.infosets import all_infosets
    from equilibrist.web.games.solved import solved_game

    found = all_infosets(
        solved_game(services, name),
        match=match,
        player=player,
        keys=key,
        order=order,
        descending=descending,
    )
    return csv_file(infosets_csv(found), f"{name}-infosets")


@router.get("/{name}/facts", dependencies=[TURN])
def facts(
    name: str,
    services: RequestServices,
    stamp: str = STAMP,
) -> Answer[SolvedGameFacts]:
    """What is known of a solution of a game and of its infosets."""
    from equilibrist.web.games.infosets import solution_facts

    return solution_facts(services, name, stamp)


@router.get("/{name}/walk", dependencies=[TURN])
def walk(
    name: PresentName,
    services: RequestServices,
    move: list[str] = Query([], description="Actions and outcomes from the beginning."),  # noqa: B008
) -> Answer[WalkedSolution]:
    """A history under a solution: who moves, the strategy there, probability of reach, values."""
    from equilibrist.web.games.solved import solved_game
    from equilibrist.web.games.walked import walked_solution

    return walked_solution(solved_game(services, name), move)


@router.get("/{name}/tree", dependencies=[TURN])
def tree(
    name: PresentName,
    services: RequestServices,
    move: list[str] = Query([], description="Where the drawing begins."),  # noqa: B008
) -> Answer[DrawnSolution]:
    """The drawn tree of a small game, with the probabilities of a solution and best responses."""
    from equilibrist.web.games.drawn import drawn_solution
    from equilibrist.web.games.solved import solved_game

    return drawn_solution(solved_game(services, name), move)


@router.get("/{name}/matrix", dependencies=[TURN])
def matrix(name: PresentName, services: RequestServices) -> Answer[SolvedMatrixTable]:
    """The payoff table of a solved matrix game, with the solution's average strategies."""
    from equilibrist.web.games.solved import solved_game
    from equilibrist.web.games.tables import solved_table

    return solved_table(solved_game(services, name))


@router.get(
    "/{name}/tree.csv", dependencies=[TURN], response_class=Response, responses=media("text/csv")
)
def tree_as_csv(
    name: PresentName,
    services: RequestServices,
    move: list[str] = Query([], description="Where the drawing begins."),  # noqa: B008
) -> Response:
    """The drawn tree as CSV: a row for each history, with probabilities and payoffs."""
    from equilibrist.web.api.csv_tables import tree_csv
    from equilibrist.web.games.drawn import drawn_solution
    from equilibrist.web.games.solved import solved_game

    return csv_file(tree_csv(drawn_solution(solved_game(services, name), move)), f"{name}-tree")
