"""The trainer: sessions over decisions of many solutions. Guests may train, too."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, BackgroundTasks
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.web.answers.answer import Answer
from equilibrist.web.api.answers import RequestServices
from equilibrist.web.play.answers import Closed
from equilibrist.web.play.routes import Who
from equilibrist.web.trainer.answers import Difficulty, TrainerOverview, TrainerSession
from equilibrist.web.trainer.documents import (
    NewTraining,
    answer,
    ask,
    begin_session,
    draw_next,
    end_session,
    session_document,
    trainer_overview,
)

router = APIRouter(prefix="/trainer", tags=["Play"])
Name = Annotated[str, Field(max_length=200)]
Street = Literal["preflop", "flop", "turn", "river"]


class NewSession(BaseModel):
    """A session to begin; what is left out is not limited."""

    model_config = ConfigDict(extra="forbid", strict=True)

    solutions: Annotated[list[Name], Field(min_length=1, max_length=500)] | None = Field(
        None, description="Names of /api/trainer; without them all spots that fit."
    )
    positions: Annotated[list[Name], Field(min_length=1, max_length=20)] | None = Field(
        None, description="Positions to decide for: BTN, BB, or OOP and IP."
    )
    streets: Annotated[list[Street], Field(min_length=1)] | None = Field(
        None,
        description="Streets to decide on; with `preflop` charts of push or fold are asked.",
    )
    spr: Annotated[list[float], Field(min_length=2, max_length=2)] | None = Field(
        None, description="The least and the most stack, in pots at the beginning of the spot."
    )
    difficulty: Difficulty = Field(
        "any",
        description="clear: the solution nearly always takes the same action; mixed: it does not.",
    )
    first: bool = Field(False, description="Only the first decision of a hand.")
    tables: int = Field(1, ge=1, le=4, description="Questions that are open at a time.")
    seconds: float | None = Field(None, ge=2, le=600, description="The time for an answer.")
    questions: int | None = Field(20, ge=1, le=1000, description="Null for as many as wanted.")
    again: str | None = Field(
        None,
        max_length=40,
        description="A session whose bad decisions are asked once more, the worst first; of all "
        "else `tables` and `seconds` alone count then.",
    )
    seed: int | None = Field(None, ge=0, lt=2**63, description="The seed of the questions.")


class AtTable(BaseModel):
    """Which table is meant."""

    model_config = ConfigDict(extra="forbid", strict=True)

    table: int = Field(0, description="Its number, from 0.")


class TrainerReply(AtTable):
    """An answer to the question of a table."""

    number: int = Field(description="The number of the question.")
    action: int | None = Field(
        None, description="The number of the action; null where the time is up."
    )


@router.get("")
def overview(services: RequestServices, who: Who) -> Answer[TrainerOverview]:
    """The solutions whose decisions can be trained, and the sessions so far."""
    return trainer_overview(services, who)


@router.post("/sessions", status_code=201)
def begin(
    body: NewSession, services: RequestServices, who: Who, later: BackgroundTasks
) -> Answer[TrainerSession]:
    """Begin a session, with a question at each table."""
    given = body.model_dump()
    if body.spr is not None:
        given["spr"] = (body.spr[0], body.spr[1])
    document = begin_session(services, NewTraining(**given), who)
    later.add_task(draw_next, services, document["id"], who)
    return document


@router.get("/sessions/{name}")
def session(name: str, services: RequestServices, who: Who) -> Answer[TrainerSession]:
    """A session: the questions at its tables, the last answers, the score and its parts."""
    found = services.training.get(name, who)
    with found.lock:
        return session_document(found)


@router.post("/sessions/{name}/answer")
def reply(
    name: str, body: TrainerReply, services: RequestServices, who: Who
) -> Answer[TrainerSession]:
    """Answer the question of a table."""
    return answer(services, name, body.table, body.number, body.action, who)


@router.post("/sessions/{name}/ask")
def ask_next(
    name: str, body: AtTable, services: RequestServices, who: Who, later: BackgroundTasks
) -> Answer[TrainerSession]:
    """Ask the next question at a table; one that is open is asked again, with a new clock."""
    later.add_task(draw_next, services, name, who)
    return ask(services, name, body.table, who)


@router.post("/sessions/{name}/end")
def end(name: str, services: RequestServices, who: Who) -> Answer[TrainerSession]:
    """End a session before its last question."""
    return end_session(services, name, who)


@router.delete("/sessions/{name}")
def delete(name: str, services: RequestServices, who: Who) -> Answer[Closed]:
    """Delete a session with all its answers."""
    services.training.delete(name, who)
    return {"closed": name}
