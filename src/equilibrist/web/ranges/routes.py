"""Ranges: text in all dialects, presets, and the user's own."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from equilibrist.web.answers.answer import Answer, DeletedRanges, Named
from equilibrist.web.api.answers import NewName, RequestServices
from equilibrist.web.ranges.answers import (
    NamedRange,
    RangeDocument,
    RangeFile,
    RangeList,
    RangeNames,
    RangeText,
)
from equilibrist.web.ranges.documents import (
    range_document,
    range_texts,
    ranges_document,
    read_range,
)

router = APIRouter(prefix="/ranges", tags=["Hold'em"])


class RangeInput(BaseModel):
    """A range as text."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="The range: 88+,A5s-A2s:0.5.")
    dialect: str | None = Field(None, description="Its dialect; without one it is detected.")


class RangeToWrite(RangeInput):
    """A range, and the dialect in which it is wanted."""

    to: str = Field("pio", description="pio, gto+, equilab, pokercruncher, ...")


@router.get("")
def listed(services: RequestServices) -> Answer[RangeList]:
    """Presets, saved ranges and dialects."""
    return ranges_document(services)


@router.post("/read")
def read(body: RangeInput) -> Answer[RangeDocument]:
    """Read a range: its canonical text, combos, and weights by hand class and by combo."""
    return range_document(read_range(body.text, body.dialect))


@router.post("/write")
def write(body: RangeToWrite) -> Answer[RangeText]:
    """The text of a range in a dialect, as `equilibrist range --to` prints it."""
    return range_texts(read_range(body.text, body.dialect), body.to)


@router.get("/file", response_model=Answer[RangeFile])
def exported(services: RequestServices) -> Response:
    """The user's own ranges as a file, which `equilibrist range FILE.json#NAME` reads, too."""
    return Response(
        services.ranges.exported(),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="ranges.json"'},
    )


@router.post("/file", status_code=201)
async def imported(request: Request, services: RequestServices) -> Answer[RangeNames]:
    """Add the ranges of such a file, which is the body of the request."""
    content = await request.body()
    return {"names": await run_in_threadpool(services.ranges.add_file, content)}


@router.put("/own/{name:path}")
def put(name: str, body: RangeInput, services: RequestServices) -> Answer[NamedRange]:
    """Save a range under a name; slashes separate folders: BTN/open."""
    kept = read_range(body.text, body.dialect)
    return {"name": services.ranges.put(name, kept), "range": str(kept)}


@router.post("/own/{name:path}")
def rename(name: str, body: NewName, services: RequestServices) -> Answer[Named]:
    """Rename a range, or a folder with all that is in it."""
    return {"name": services.ranges.rename(name, body.name)}


@router.delete("/own/{name:path}")
def delete(name: str, services: RequestServices) -> Answer[DeletedRanges]:
    """Delete a range, or a folder with all that is in it."""
    return {"deleted": name, "count": services.ranges.delete(name)}
