"""Stored solutions: the library, what is in a solution, and nodes of spots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict

from equilibrist.cli.stored.listing import Entry
from equilibrist.web.api.answers import Document, Found
from equilibrist.web.documents.library import delete_solution, rename_solution
from equilibrist.web.errors import ConflictError
from equilibrist.web.security.texts import is_shipped
from equilibrist.web.services import check_owner

if TYPE_CHECKING:
    from equilibrist.results import Result

router = APIRouter(prefix="/solutions", tags=["Solutions"])
MOST_ROWS: Final = 1000
"""Infosets in one answer."""
_FILES: Final = {"out", "plot", "save_device", "checkpoint", "resume", "warm_start"}
"""What of the configuration of a run names files."""


class NewName(BaseModel):
    """What a solution is called from now on."""

    model_config = ConfigDict(extra="forbid")

    name: str


def entry_document(entry: Entry) -> Document:
    """What `equilibrist last --json` prints of a solution, without the path of its file."""
    document = entry.to_dict()
    del document["path"]
    return document


@router.get("")
def listed(found: Found) -> list[Document]:
    """The library, newest first, then the solutions of the command line: last, last-2, ..."""
    return [entry_document(entry) for entry in found.library.entries()]


@router.get("/{name}")
def show(name: str, found: Found) -> Document:
    """A solution, as `equilibrist solve --json` or `postflop show --json` prints it."""
    entry = found.library.entry(name)
    with found.library.opened(name) as result:
        return {**entry_document(entry), "solution": _without_path(result.to_dict())}


@router.get("/{name}/file")
def file(name: str, found: Found) -> FileResponse:
    """The file, to be saved elsewhere; every command of Equilibrist opens it."""
    path = found.library.path(name)
    return FileResponse(path, media_type="application/octet-stream", filename=path.name)


@router.delete("/{name}")
async def delete(name: str, found: Found) -> Document:
    """Remove a solution from the library."""
    delete_solution(found, name)
    return {"deleted": name}


@router.post("/{name}")
async def rename(name: str, given: NewName, found: Found) -> Document:
    """Give a solution of the library another name."""
    return {"name": rename_solution(found, name, given.name)}


@router.get("/{name}/infosets")
def infosets(
    name: str,
    found: Found,
    match: str | None = Query(None, max_length=200, description="With * and ?, as --match."),
    player: int | None = None,
    key: list[str] = Query([], description="Only these infosets."),  # noqa: B008 - FastAPI's way
    values: bool = Query(False, description="With reach and values, where the game is small."),
    start: int = Query(0, ge=0),
    count: int = Query(100, ge=1, le=MOST_ROWS),
) -> Document:
    """Infosets of a solution of a game, as `equilibrist inspect --json` prints them."""
    from equilibrist.cli.commands.strategies.inspect import Choice
    from equilibrist.cli.inputs.subject import Subject
    from equilibrist.cli.inputs.walking import Limits
    from equilibrist.cli.text.infoset_text import infoset_documents
    from equilibrist.cli.text.strategy_table import StrategyTable

    path = found.library.path(name)
    if found.library.entry(name).kind == "spot-solution":
        raise ConflictError(
            f"{name} is a spot: it has nodes",
            option="name",
            given=name,
            remedy=f"/api/solutions/{name}/node shows one",
        )
    subject = Subject.of(str(path), None, Limits())
    choice = Choice(tuple(key), match, None, player)
    rows = subject.packed_rows(None)
    if rows is not None:
        chosen = [] if key else list(choice.of_rows(rows))
        table = choice.rows_by_key(rows) if key else None
        total = len(key) if key else len(chosen)
        if table is None:
            table = StrategyTable.of_rows(rows, chosen[start : start + count])
        documents = infoset_documents(table, range(len(table.keys)), None)
    else:
        # Only the rules of games that come with Equilibrist are run by the server itself.
        walks = values and is_shipped(subject.name)
        table, figures = subject.table(None if walks else False)
        chosen = choice.of(table)
        total = len(chosen)
        documents = infoset_documents(table, chosen[start : start + count], figures)
    return {"game": table.game, "total": total, "start": start, "infosets": documents}


@router.get("/{name}/node")
def node(
    request: Request,
    name: str,
    found: Found,
    line: str = Query("", max_length=500, description="The line of the node, as X-B120-C|8h."),
    resolve: bool = Query(False, description="Re-solve a street that the file does not keep."),
) -> Document:
    """A node of a solved spot, as `equilibrist postflop show --line LINE --json` prints it."""
    with found.library.opened(name) as result:
        solution = _spot(name, result)
        _check_kept(request, solution, line, resolve, dealt=0)
        return _without_path(solution.to_dict(line))


@router.get("/{name}/runouts")
def runouts(
    request: Request,
    name: str,
    found: Found,
    line: str = Query(max_length=500, description="A line that ends a street, as X-X."),
    resolve: bool = Query(False, description="Re-solve a street that the file does not keep."),
) -> Document:
    """What every next card does, as `equilibrist postflop report --json` prints it."""
    from equilibrist.poker.files.runout_report import plain, runout_rows

    with found.library.opened(name) as result:
        solution = _spot(name, result)
        _check_kept(request, solution, line, resolve, dealt=1)
        rows = [plain(row) for row in runout_rows(solution, line)]
        return {**solution.facts(), "line": line, "runouts": rows}


def _spot(name: str, result: Result[Any]) -> Any:
    """The solution of a spot; ConflictError for that of a game."""
    from equilibrist.poker.solutions.result import PostflopResult
    from equilibrist.results import ImplicitResult

    if not isinstance(result, PostflopResult):
        kind = "packed strategy" if isinstance(result, ImplicitResult) else "solution of a game"
        raise ConflictError(
            f"{name} is a {kind}: it has infosets",
            option="name",
            given=name,
            remedy=f"/api/solutions/{name}/infosets lists them",
        )
    return result


def _check_kept(request: Request, solution: Any, line: str, resolve: bool, dealt: int) -> None:
    """Raise where a street would have to be re-solved, and nobody who may has asked for that."""
    from equilibrist.poker.solutions.spot_file import kept_streets
    from equilibrist.poker.solutions.spot_strategy import follow_line

    _, runout = follow_line(solution.spot, line)
    if len(runout) + dealt < kept_streets(solution.spot, solution.keep):
        return
    check_owner(request, "re-solve a street")
    if not resolve:
        raise ConflictError(
            "the file does not keep this street",
            option="line",
            given=line,
            remedy="add resolve=true to re-solve it, which may take a while",
        )


def _without_path(document: Document) -> Document:
    """The document without the places of files on this machine: they are null."""
    hidden = dict.fromkeys(document.keys() & {"solution_file"})
    if isinstance(config := document.get("config"), dict):
        hidden["config"] = {**config, **dict.fromkeys(config.keys() & _FILES)}
    return {**document, **hidden}
