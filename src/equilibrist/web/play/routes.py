"""Playing: tables against a solution, and drills. Guests may play, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.api.answers import RequestServices
from equilibrist.web.errors import WebError
from equilibrist.web.play.answers import (
    Closed,
    DrillDocument,
    HandDocument,
    MappedBetDocument,
    PlayedSolutions,
    TableDocument,
    TableRanges,
)
from equilibrist.web.play.drill import drill_document, table_histories, table_lines
from equilibrist.web.play.ranges import ranges_document
from equilibrist.web.play.table import bet_document, hand_document, table_document
from equilibrist.web.security.sessions import Role
from equilibrist.web.services import Services, role_of
from equilibrist.web.solutions.documents import present_solution
from equilibrist.web.solutions.files import played_solution
from equilibrist.web.solutions.listing import played_solutions, present_title

if TYPE_CHECKING:
    from equilibrist.web.answers.solutions import SolutionTitle
    from equilibrist.web.playing.current_play import PlayDrill
    from equilibrist.web.playing.table import PlayTable

router = APIRouter(prefix="/play", tags=["Play"])

_GAME = "In its place, a game of /api/solutions: its best stored solution is taken."


def _role(request: Request) -> Role | None:
    return role_of(request)


Who: TypeAlias = Annotated[Role | None, Depends(_role)]
"""Who asks, as a parameter of an answer."""


class NewTable(BaseModel):
    """A table to open."""

    model_config = ConfigDict(extra="forbid", strict=True)

    solution: str | None = Field(None, max_length=200, description="A name of /api/solutions.")
    game: str | None = Field(None, max_length=200, description=_GAME)
    seat: int | None = Field(None, description="Your seat, from 0 on; null for all in turn.")
    seed: int | None = Field(None, ge=0, lt=2**63, description="The seed of the deals.")


class Choice(BaseModel):
    """A choice at a table: an action, or an amount in chips."""

    model_config = ConfigDict(extra="forbid", strict=True)

    hand: int = Field(description="The number of the hand, as the turn has it.")
    move: int = Field(description="The number of the move, as the turn has it.")
    action: int | str | None = Field(None, description="Its number, its label or a word for it.")
    amount: float | None = Field(None, description="A bet of any size: the total on the street.")


class Reveal(BaseModel):
    """Whether the AI's cards are shown."""

    model_config = ConfigDict(extra="forbid", strict=True)

    shown: bool = Field(description="True to show its cards and exact probabilities.")


class NewDrill(BaseModel):
    """A drill to begin."""

    model_config = ConfigDict(extra="forbid", strict=True)

    solution: str | None = Field(None, max_length=200, description="A name of /api/solutions.")
    game: str | None = Field(None, max_length=200, description=_GAME)
    line: str = Field("", max_length=500, description="Of a spot, the line of the node: X-B50.")
    match: str = Field("*", max_length=200, description="Of a game, infosets, with * and ?.")
    player: int | None = Field(None, description="Of a game, only this player's infosets.")
    seed: int | None = Field(None, ge=0, lt=2**63, description="The seed of the hands.")
    stamp: str = Field("", max_length=200, description="Of the solution that is meant by its name.")


class Reply(BaseModel):
    """An answer to a question."""

    model_config = ConfigDict(extra="forbid", strict=True)

    number: int = Field(description="The number of the question.")
    action: int = Field(description="The number of the action.")


def _title(services: Services, place: PlayTable | PlayDrill) -> SolutionTitle | None:
    """What the library calls the solution of a table or a drill, if that is there as it was."""
    return present_title(services, place.opponent.name) if place.gone is None else None


def _table(services: Services, name: str, open_one: PlayTable) -> TableDocument:
    return table_document(name, open_one, _title(services, open_one))


def _drill(services: Services, name: str, place: PlayDrill) -> DrillDocument:
    return drill_document(name, place, _title(services, place))


@router.get("/solutions")
def played(services: RequestServices) -> Answer[PlayedSolutions]:
    """The solutions that can be played, those of one game together, the best of them first."""
    return {"solutions": played_solutions(services)}


@router.post("/tables", status_code=201)
def open_table(body: NewTable, services: RequestServices, who: Who) -> Answer[TableDocument]:
    """Open a table against a solution, and deal the first hand."""
    solution = played_solution(services, body.solution, body.game)
    name = services.playing.open_table(solution, who, body.seat, body.seed)
    return table(name, services, who)


@router.get("/tables/{name}")
def table(name: str, services: RequestServices, who: Who) -> Answer[TableDocument]:
    """A table: your turn, or the hand that is over, and the score."""
    with services.playing.table(name, who) as open_one:
        return _table(services, name, open_one)


@router.post("/tables/{name}/choose")
def choose(name: str, body: Choice, services: RequestServices, who: Who) -> Answer[TableDocument]:
    """Play an action; the solution answers, and the coach gives the EV loss of the choice."""
    with services.playing.table(name, who) as open_one:
        open_one.choose(body.hand, body.move, body.action, body.amount)
        return _table(services, name, open_one)


@router.get("/tables/{name}/bet")
def bet(name: str, amount: float, services: RequestServices, who: Who) -> Answer[MappedBetDocument]:
    """What a bet of any size would be mapped to."""
    with services.playing.table(name, who) as open_one:
        return bet_document(open_one, amount)


@router.get("/tables/{name}/ranges")
def ranges(name: str, services: RequestServices, who: Who) -> Answer[TableRanges]:
    """What the AI did in this hand, over its whole range, which reveals no card."""
    with services.playing.table(name, who) as open_one:
        return ranges_document(open_one)


@router.post("/tables/{name}/reveal")
def reveal(name: str, body: Reveal, services: RequestServices, who: Who) -> Answer[TableDocument]:
    """Show or hide the AI's cards and exact probabilities during hands; for teaching."""
    with services.playing.table(name, who) as open_one:
        open_one.reveal(shown=body.shown)
        return _table(services, name, open_one)


@router.post("/tables/{name}/deal")
def deal(name: str, services: RequestServices, who: Who) -> Answer[TableDocument]:
    """Begin the next hand."""
    with services.playing.table(name, who) as open_one:
        open_one.deal()
        return _table(services, name, open_one)


@router.get("/tables/{name}/hands/{number}")
def hand(name: str, number: int, services: RequestServices, who: Who) -> Answer[HandDocument]:
    """A hand that is over: every move, with what it was drawn from and what the coach says."""
    with services.playing.table(name, who) as open_one:
        return hand_document(open_one, open_one.hand(number))


@router.get("/tables/{name}/hands.jsonl", response_class=Response, responses=media("text/plain"))
def as_lines(name: str, services: RequestServices, who: Who) -> PlainTextResponse:
    """All hands that are over, as the log of `equilibrist play --log hands.jsonl`."""
    with services.playing.table(name, who) as open_one:
        return _file(table_lines(open_one), f"{open_one.opponent.name}.jsonl")


@router.get("/tables/{name}/hands.phhs", response_class=Response, responses=media("text/plain"))
def as_histories(name: str, services: RequestServices, who: Who) -> PlainTextResponse:
    """All hands of hold'em that are over, in the poker hand history format (PHHS)."""
    with services.playing.table(name, who) as open_one:
        return _file(table_histories(open_one), f"{open_one.opponent.name}.phhs")


def _file(text: str, name: str) -> PlainTextResponse:
    """A text that browsers save under a name."""
    return PlainTextResponse(
        text, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.delete("/tables/{name}")
def leave(name: str, services: RequestServices, who: Who) -> Answer[Closed]:
    """Close a table, or a drill."""
    services.playing.close(name, who)
    return {"closed": name}


@router.post("/drills", status_code=201)
def open_drill(body: NewDrill, services: RequestServices, who: Who) -> Answer[DrillDocument]:
    """Begin a drill: the same decision again and again, with random hands.

    A solution that its run has saved again since the stamp was given is the later one.
    """
    solution = played_solution(services, body.solution, body.game)
    solution, is_later = present_solution(services, solution, body.stamp)
    is_spot = services.library.entry(solution).kind == SPOT_SOLUTION
    for name in sorted(body.model_fields_set & ({"match", "player"} if is_spot else {"line"})):
        if getattr(body, name) != NewDrill.model_fields[name].default:
            raise WebError(
                f"{name} names decisions of a {'game' if is_spot else 'spot'}",
                option=name,
                given=getattr(body, name),
                remedy="give the `line` of a spot, or `match` and `player` of a game",
            )
    about = body.line if is_spot else body.match
    name = services.playing.open_drill(
        solution, who, about, body.player, body.seed, is_later=is_later
    )
    return drill(name, services, who)


@router.get("/drills/{name}")
def drill(name: str, services: RequestServices, who: Who) -> Answer[DrillDocument]:
    """A drill: what is asked, the last answer, and the score."""
    with services.playing.drill(name, who) as place:
        return _drill(services, name, place)


@router.post("/drills/{name}/answer")
def answer(name: str, body: Reply, services: RequestServices, who: Who) -> Answer[DrillDocument]:
    """Answer the question."""
    with services.playing.drill(name, who) as place:
        place.answer(body.number, body.action)
        return _drill(services, name, place)


@router.post("/drills/{name}/ask")
def ask(name: str, services: RequestServices, who: Who) -> Answer[DrillDocument]:
    """Ask the next question; one that was not answered is dropped."""
    with services.playing.drill(name, who) as place:
        place.drill.ask()
        return _drill(services, name, place)
