"""Reports of batches that lie in the data folder."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.answers.answer import Answer, Deleted, Named
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.reports.answers import BatchReport, ReportTable
from equilibrist.web.reports.documents import delete_report, open_board, report, reports

router = APIRouter(prefix="/reports", tags=["Hold'em"])


@router.get("")
def listed(services: RequestServices) -> Answer[list[BatchReport]]:
    """The batches in the folder `batches` of the data folder."""
    return reports(services)


@router.get("/{name}", dependencies=[TURN])
def show(name: str, services: RequestServices) -> Answer[ReportTable]:
    """The report of a batch: a row for each board and line, with the columns of report.csv."""
    return report(services.folders.batches, name)


@router.post("/{name}/boards/{board}", status_code=201)
async def study(name: str, board: str, services: RequestServices) -> Answer[Named]:
    """Put the solution of a board that a batch keeps into the library, unless it is there."""
    return {"name": await services.work.run(open_board, services, name, board)}


@router.delete("/{name}")
def delete(name: str, services: RequestServices) -> Answer[Deleted]:
    """Delete a batch with its boards; what is in the library stays there."""
    delete_report(services, name)
    return {"deleted": name}
