"""Reports of batches that lie in the data folder."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from equilibrist.web.answers.answer import Answer, Deleted, Named
from equilibrist.web.answers.jobs import JobDocument
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.reports.answers import BatchReport, ReportTable
from equilibrist.web.reports.documents import (
    delete_report,
    open_board,
    queue_resumed,
    report,
    reports,
    resumed_report,
)
from equilibrist.web.runs.documents import job_document

router = APIRouter(prefix="/reports", tags=["Hold'em"])


@router.get("")
def listed(
    services: RequestServices,
    of: Annotated[
        str | None,
        Query(
            max_length=300,
            description="A spot, as solution:NAME, setup:NAME or example:NAME: `is_of` says which "
            "batches are on it.",
        ),
    ] = None,
) -> Answer[list[BatchReport]]:
    """The batches in the folder `batches` of the data folder."""
    return reports(services, of)


@router.get("/{name}", dependencies=[TURN])
def show(name: str, services: RequestServices) -> Answer[ReportTable]:
    """The report of a batch: a row for each board and line, with the columns of report.csv."""
    return report(services.folders.batches, name)


@router.post("/{name}/resume", status_code=201)
async def resume(name: str, services: RequestServices) -> Answer[JobDocument]:
    """Go on with a batch that was begun on the command line or by another server, as a job."""
    job = await services.work.run(resumed_report, services, name)
    return job_document(queue_resumed(services, job), services)


@router.post("/{name}/boards/{board}", status_code=201)
async def study(name: str, board: str, services: RequestServices) -> Answer[Named]:
    """Put the solution of a board that a batch keeps into the library, unless it is there."""
    return {"name": await services.work.run(open_board, services, name, board)}


@router.delete("/{name}")
def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Delete a batch with its boards; what is in the library stays there."""
    delete_report(services, name)
    return {"deleted": name}
