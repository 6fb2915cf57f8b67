"""Charts of hands before the flop: push or fold, solved hands, blueprints."""

from __future__ import annotations

from fastapi import APIRouter, Query
from fastapi.responses import Response

from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.answers.solutions import ChartDocument, OpenedCharts
from equilibrist.web.api.answers import STAMP, TURN, PresentName, RequestServices, csv_file

router = APIRouter(prefix="/solutions", tags=["Charts"])


@router.get("/{name}/charts", dependencies=[TURN])
def charts(
    name: str,
    services: RequestServices,
    stamp: str = STAMP,
) -> Answer[OpenedCharts]:
    """What a file with charts is: its kind, seats, values, and how good it is."""
    from equilibrist.web.charts.documents import opened_charts

    return opened_charts(services, name, stamp)


@router.get("/{name}/chart", dependencies=[TURN])
def chart(
    name: PresentName,
    services: RequestServices,
    line: str = Query("", max_length=500, description="Actions before the decision: R2.5-C."),
    board: str = Query("", max_length=40, description="Of a blueprint, the board: Td9d6h."),
) -> Answer[ChartDocument]:
    """A decision: the way to it, its actions, and what each of the 169 classes does.

    `way` has a place for each decision up to this one, with its actions, how often they are taken,
    and the line that follows; null where the hand, or the file, ends. Of push or fold a line has a
    letter for each seat that decided before: `F` folded, `A` went all-in or called.
    """
    from equilibrist.web.charts.documents import chart_document

    with services.library.charts(name) as file:
        return chart_document(file.content, line, board)


@router.get(
    "/{name}/chart.csv", dependencies=[TURN], response_class=Response, responses=media("text/csv")
)
def chart_as_csv(
    name: PresentName,
    services: RequestServices,
    line: str = Query("", max_length=500, description="Actions before the decision: R2.5-C."),
    board: str = Query("", max_length=40, description="Of a blueprint, the board: Td9d6h."),
) -> Response:
    """A decision as CSV: a row for each class of hands, with frequencies and EVs of actions."""
    from equilibrist.web.api.csv_tables import chart_csv

    return csv_file(chart_csv(chart(name, services, line, board)), f"{name}-chart")
