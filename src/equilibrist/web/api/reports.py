"""Reports of batches that lie in the data folder."""

from __future__ import annotations

from fastapi import APIRouter

from equilibrist.web.api.answers import TURN, Document, Found
from equilibrist.web.documents.reports import report, reports

router = APIRouter(prefix="/reports", tags=["Hold'em"])


@router.get("")
def listed(found: Found) -> list[Document]:
    """The batches in the folder `batches` of the data folder."""
    return reports(found.places.batches)


@router.get("/{name}", dependencies=[TURN])
def show(name: str, found: Found) -> Document:
    """The report of a batch: a row for each board and line, with the columns of report.csv."""
    return report(found.places.batches, name)
