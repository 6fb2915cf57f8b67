"""Jobs: starting a solve, following it, pausing it, going on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from equilibrist.web.answers.answer import Answer, Deleted, media
from equilibrist.web.answers.jobs import JobDocument, JobList
from equilibrist.web.answers.solutions import OpenedSpot, PresentNode
from equilibrist.web.api.answers import TURN, RequestServices, csv_file
from equilibrist.web.api.csv_tables import comparison_csv, curves_csv
from equilibrist.web.api.orders import SpotInput, Value
from equilibrist.web.errors import WebError
from equilibrist.web.hands.documents import HandInput
from equilibrist.web.jobs.job import Job
from equilibrist.web.reviews.answers import ReviewDocument, ReviewedHand
from equilibrist.web.reviews.documents import (
    SolvedReviewInput,
    job_review,
    review_job,
    reviewed_hand,
)
from equilibrist.web.runs.documents import (
    continue_changes,
    job_document,
    job_event,
    job_line,
    job_source,
    new_job,
    stop_job,
)
from equilibrist.web.runs.running import present_node, running_spot
from equilibrist.web.services import Services
from equilibrist.web.workers.reviewing import HANDS_FILE

router = APIRouter(prefix="/jobs", tags=["Jobs"])
_ARCHIVE_NAME: Final = "equilibrist-site.zip"
"""What browsers call the archive of a site."""


class NewJob(BaseModel):
    """What to start: a solve of a game, a spot or whole hands, a race, or a review of hands."""

    model_config = ConfigDict(extra="forbid")

    game: str | None = Field(
        None, description="A game: kuhn, leduc(players=3), or library:NAME for an uploaded one."
    )
    spot: SpotInput | None = Field(None, description="A spot of hold'em.")
    algorithms: list[str] | None = Field(
        None,
        description="A race of these on the game, as `equilibrist compare` runs them: cfr+, "
        "dcfr(gamma=3), lcfr@external. The options are then those that all of them share.",
    )
    hand: HandInput | None = Field(
        None, description="What is solved of whole hands of hold'em: charts before the flop."
    )
    review: SolvedReviewInput | None = Field(
        None, description="A review of hands that may solve spots; in place of a game or a spot."
    )
    options: dict[str, Value | None] = Field(
        default_factory=dict,
        description="The options of `equilibrist solve`, or of `postflop solve`, by name: "
        "algorithm, iterations, target, seconds, sampler, threads, ...",
    )


class NewLimits(BaseModel):
    """New limits of a run that goes on; all that are not given are removed, if one is given."""

    model_config = ConfigDict(extra="forbid")

    iterations: Value | None = None
    target: Value | None = None
    deals: Value | None = None
    seconds: Value | None = None


@router.get("")
def listed(services: RequestServices) -> Answer[JobList]:
    """All jobs, newest first, without their curves, and how much runs."""
    jobs = [job_line(job, services) for job in services.jobs.all()]
    return {**services.jobs.facts(), "jobs": jobs}


@router.post("", status_code=201)
async def start(body: NewJob, services: RequestServices) -> Answer[JobDocument]:
    """Queue a solve; it starts at once if there is room."""

    def create() -> tuple[Job, str]:
        if body.review is not None:
            _check_alone(body)
            return review_job(services, body.review, body.options), ""
        return new_job(
            services,
            game=body.game,
            spot=body.spot,
            hand=body.hand,
            algorithms=body.algorithms,
            options=body.options,
        )

    # In a thread: loading Numba and checking a large game would hold up all other requests.
    job, source = await services.work.run(create)
    files = {} if body.review is None else {HANDS_FILE: body.review.hands}
    return job_document(services.jobs.add(job, source, files), services)


@router.get("/{name}")
async def show(name: str, services: RequestServices) -> Answer[JobDocument]:
    """A job: its state, progress and curve, and why it waits if it does."""
    return job_document(services.jobs.get(name), services)


@router.get("/{name}/spot", dependencies=[TURN])
def spot(name: str, services: RequestServices) -> Answer[OpenedSpot]:
    """What a run solves: the board, positions and sizes, and its newest iteration."""
    return running_spot(services, name)


@router.get("/{name}/study")
async def study(
    name: str,
    services: RequestServices,
    line: str = Query("", max_length=500, description="The line of the node, as X-B120-C|8h."),
) -> Answer[PresentNode]:
    """A node of a spot that is being solved, of the averages after the present iteration.

    The run answers between two iterations, and goes on; its numbers are not changed.
    """
    return await present_node(services, name, line)


@router.get("/{name}/review")
def review(name: str, services: RequestServices) -> Answer[ReviewDocument]:
    """The review that a job has made, as `equilibrist hands review --solve --json` prints it."""
    return job_review(services, name)


@router.get("/{name}/review/hand", dependencies=[TURN])
def review_hand(
    name: str,
    services: RequestServices,
    hand: Annotated[str, Query(max_length=200, description="What the hand is called.")],
    player: Annotated[str, Query(max_length=200, description="At whose seat.")] = "",
) -> Answer[ReviewedHand]:
    """A hand of a review, action by action, as it lay on the table."""
    return reviewed_hand(services, name, hand, player)


@router.get("/{name}/site", response_class=FileResponse, responses=media("application/zip"))
def site(name: str, services: RequestServices) -> FileResponse:
    """The archive of a site that a job has written, whole or in ranges; removed after a day."""
    file = services.jobs.archive(name)
    return FileResponse(file, media_type="application/zip", filename=_ARCHIVE_NAME)


@router.get("/{name}/curves.csv", response_class=Response, responses=media("text/csv"))
def curves(name: str, services: RequestServices) -> Response:
    """What was measured, as CSV: a row for each measurement of each run."""
    return csv_file(curves_csv(services.jobs.get(name)), f"{name}-curves")


@router.get("/{name}/comparison.csv", response_class=Response, responses=media("text/csv"))
def comparison(name: str, services: RequestServices) -> Response:
    """What the entries of a race have reached, as CSV: a row for each, a column for each level."""
    return csv_file(comparison_csv(services.jobs.get(name)), f"{name}-comparison")


@router.get(
    "/{name}/events", response_class=StreamingResponse, responses=media("text/event-stream")
)
async def events(name: str, services: RequestServices) -> StreamingResponse:
    """The job after every change, as server-sent events, until it is neither queued nor running."""
    services.jobs.get(name)
    return StreamingResponse(
        _events(services, name),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.post("/{name}/pause")
async def pause(name: str, services: RequestServices) -> Answer[JobDocument]:
    """Save the state of a run and end its process; `resume` goes on from there."""
    return job_document(await services.jobs.pause(name), services)


@router.post("/{name}/save")
async def save(name: str, services: RequestServices) -> Answer[JobDocument]:
    """Save the solution so far of a running job to the library, from its newest checkpoint."""
    return job_document(await services.jobs.save(name), services)


@router.post("/{name}/stop")
async def stop(name: str, services: RequestServices) -> Answer[JobDocument]:
    """End a run and keep its solution so far.

    Of one that does not run, a process saves what its checkpoint has more than its solution.
    """
    return job_document(await stop_job(services, name), services)


@router.post("/{name}/resume")
async def resume(name: str, services: RequestServices) -> Answer[JobDocument]:
    """Go on with a run that was paused, stopped or interrupted; bit-identical to one that was not.

    Limits are those that the run had.
    """
    source = await run_in_threadpool(job_source, services, services.jobs.get(name))
    return job_document(services.jobs.resume(name, source), services)


@router.post("/{name}/continue")
async def continue_run(
    name: str, limits: NewLimits, services: RequestServices
) -> Answer[JobDocument]:
    """Continue a run that has ended, with new limits."""
    job = services.jobs.get(name)
    source, changes = await run_in_threadpool(continue_changes, services, job, limits.model_dump())
    return job_document(services.jobs.resume(name, source, changes), services)


@router.delete("/{name}/checkpoint")
async def forget_checkpoint(name: str, services: RequestServices) -> Answer[JobDocument]:
    """Remove the checkpoint of a job that has ended: it cannot be resumed; its solution stays."""
    services.jobs.drop_checkpoint(name)
    return job_document(services.jobs.get(name), services)


@router.delete("/{name}")
async def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Delete a job that is neither queued nor running; its solution stays in the library."""
    services.jobs.delete(name)
    return {"deleted": name}


def _check_alone(body: NewJob) -> None:
    """Raise WebError for a review beside something to solve."""
    for option in ("game", "spot", "hand", "algorithms"):
        if getattr(body, option) is not None:
            raise WebError(
                f"a review has no {option}",
                option=option,
                given=None if option in ("spot", "hand") else str(getattr(body, option)),
                remedy="start one job for each",
            )


async def _events(services: Services, name: str) -> AsyncIterator[str]:
    async for job in services.jobs.watch(name):
        yield f"data: {json.dumps(job_event(job, services), allow_nan=False)}\n\n"
