"""Spots of hold'em before they are solved: are they right, what do they need, which are kept?"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fastapi import APIRouter
from pydantic import Field

from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.web.answers.answer import Answer, Deleted
from equilibrist.web.answers.spots import SpotEstimate
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.api.orders import SetUpInput, SpotInput, Value, read_options
from equilibrist.web.setup.answers import (
    AddedLine,
    CheckedSpot,
    ReadSetUp,
    Setup,
    SetUpText,
    TreeWalk,
)
from equilibrist.web.setup.estimates import estimated, fitting
from equilibrist.web.setup.pasted import omissions_document

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

router = APIRouter(tags=["Hold'em"])


class SpotToEstimate(SpotInput):
    """A spot, and how it would be solved."""

    options: dict[str, Value | None] = Field(
        default_factory=dict, description="target, storage, threads, memory."
    )


class SpotToWrite(SpotInput):
    """A spot, and the form in which it is wanted."""

    to: str = Field("toml", description="pio, pio-script, texassolver, wasm or toml.")


class SpotToWalk(SpotInput):
    """A spot, and a line of its betting."""

    line: str = Field("", max_length=500, description="The line without cards, as X-B120-C|.")


class SpotWithBet(SpotToWalk):
    """A spot, a decision, and a bet or a raise that is to be added there."""

    amount: str | float = Field(description="The total on the street in chips, or 75% of the pot.")


@router.post("/spots/check", dependencies=[TURN])
def check(body: SpotInput) -> Answer[CheckedSpot]:
    """Read a spot: its text in full, and what in its sizes may not be meant."""
    spot = body.read()
    return {
        "spot": spot.to_toml(),
        "board": spot.board,
        "pot": spot.pot,
        "stack": spot.stack,
        "oop": str(spot.oop),
        "ip": str(spot.ip),
        "warnings": list(spot.warnings),
    }


@router.post("/spots/read", dependencies=[TURN])
def read(body: SetUpInput) -> Answer[ReadSetUp]:
    """Read the set-up of another solver as a spot, and name what a spot does not have of it."""
    found = body.read()
    return {
        "spot": found.spot.to_toml(),
        "program": found.program,
        "left_out": list(found.left_out),
        "omissions": omissions_document(found.omissions),
    }


@router.post("/spots/write", dependencies=[TURN])
def write(body: SpotToWrite) -> Answer[SetUpText]:
    """A spot as `equilibrist postflop convert --to` prints it."""
    from equilibrist.poker.postflop.setups.files import setup_text

    return {"text": setup_text(body.read(), body.to)}


@router.post("/spots/estimate")
async def estimate(body: SpotToEstimate, services: RequestServices) -> Answer[SpotEstimate]:
    """What a spot needs, as `equilibrist postflop estimate --json` prints it."""

    def counted() -> tuple[Spot, SpotEstimate]:
        spot, options = body.read(), read_options(body.options, RUN_OPTIONS)
        return spot, estimated(spot, options, services.jobs.memory)

    spot, document = await services.work.run(counted)
    if document["fits"]:
        return document
    return {**document, "reductions": [reduced async for reduced in fitting(spot, document)]}


@router.post("/spots/tree", dependencies=[TURN])
def tree(body: SpotToWalk) -> Answer[TreeWalk]:
    """The betting of a spot that is not solved: the nodes from the root to a line."""
    from equilibrist.poker.postflop.spot.tree_walk import tree_walk

    return cast("TreeWalk", tree_walk(body.read(), body.line))


@router.post("/spots/tree/bet", dependencies=[TURN])
def bet(body: SpotWithBet) -> Answer[AddedLine]:
    """The line that adds a bet or a raise at a decision, for the key `added_lines`."""
    from equilibrist.poker.postflop.spot.tree_walk import line_with_bet

    return {"line": line_with_bet(body.read(), body.line, body.amount)}


@router.get("/setups")
def listed_setups(services: RequestServices) -> list[str]:
    """The names of the saved setups."""
    return services.setups.names()


@router.get("/setups/{name}")
def show_setup(name: str, services: RequestServices) -> Answer[Setup]:
    """A saved setup, as the text of a spot file."""
    return {"name": name, "spot": services.setups.get(name)}


@router.put("/setups/{name}")
def put_setup(name: str, body: SpotInput, services: RequestServices) -> Answer[Setup]:
    """Save a spot under a name; one of the same name is replaced."""
    text = body.read_any().to_toml()
    services.setups.put(name, text)
    return {"name": name, "spot": text}


@router.delete("/setups/{name}")
def delete_setup(name: str, services: RequestServices) -> Answer[Deleted]:
    """Delete a saved setup."""
    services.setups.delete(name)
    return {"deleted": name}
