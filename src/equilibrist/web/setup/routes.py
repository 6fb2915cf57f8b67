"""Setting up a spot: a form to begin with, what is wrong with it, and what makes it fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.setup.answers import CheckedForm, ReadForm, SetupForm
from equilibrist.web.setup.documents import (
    checked_form,
    fitting_lines,
    read_form,
    setup_form,
    spot_to_fit,
)
from equilibrist.web.setup.pasted import form_of_pasted

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.web.answers.spots import SpotEstimate

router = APIRouter(prefix="/setup", tags=["Hold'em"])


class FormInput(BaseModel):
    """A form, as `/api/setup/form` has it; fields that are left out are empty."""

    model_config = ConfigDict(extra="forbid")

    form: dict[str, Any] = Field(description="Texts, switches and lists by field.")


class TextInput(FormInput):
    """A text of another program or of a played hand, and the form as it is."""

    text: str = Field(
        description="A played hand, a tree configuration or a script of PioSOLVER, console input "
        "of TexasSolver, JSON of WASM Postflop or Desktop Postflop, or a spot file."
    )
    name: str | None = Field(None, description="The number or name of one of several.")


@router.get("/form", dependencies=[TURN])
def form(
    services: RequestServices,
    job: Annotated[str | None, Query(description="A job that solves a spot.")] = None,
    solution: Annotated[str | None, Query(description="A solved spot.")] = None,
    setup: Annotated[str | None, Query(description="A saved setup.")] = None,
    report: Annotated[str | None, Query(description="A report over boards.")] = None,
    subject: Annotated[bool, Query(description="What the server was started with.")] = False,
    example: Annotated[bool, Query(description="A spot that is solved in seconds.")] = False,
    players: Annotated[
        Literal["2", "3"], Query(description="How many players the example has.")
    ] = "2",
) -> Answer[SetupForm]:
    """The form of what one parameter names, with the kinds of its fields; without one, a blank."""
    return setup_form(
        services,
        job=job,
        solution=solution,
        setup=setup,
        report=report,
        subject=subject,
        example=example,
        players=players,
    )


@router.post("/read", dependencies=[TURN])
def read(body: TextInput) -> Answer[ReadForm]:
    """The form of a text of another program. What a played hand does not say is as in the form."""
    return form_of_pasted(body.text, body.name, read_form(body.form))


@router.post("/check", dependencies=[TURN])
def check(body: FormInput, services: RequestServices) -> Answer[CheckedForm]:
    """What a form describes: the spot, or what is wrong by field, warnings, and an estimate."""
    return checked_form(services, read_form(body.form))


@router.post("/fitting", response_class=StreamingResponse, responses=media("application/x-ndjson"))
async def fitting(body: FormInput, services: RequestServices) -> StreamingResponse:
    """Changes that make a spot fit into memory, a line of JSON each, as they are found.

    A line has the `reduction`, as of `/api/spots/estimate`, and the `form` that has it. The last
    one has `end`: `found`, `nothing`, or `error` with its sentence and fields.
    """
    filled = read_form(body.form)

    def estimate() -> tuple[Spot, SpotEstimate]:
        return spot_to_fit(services, filled)

    spot, needs = await services.work.run(estimate)
    return StreamingResponse(
        fitting_lines(spot, needs, filled),
        media_type="application/x-ndjson",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
