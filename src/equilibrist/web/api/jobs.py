"""Jobs: starting a solve, following it, pausing it, going on."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from equilibrist.poker.spots.fields import RUN_OPTIONS
from equilibrist.web.api.answers import Document, Found
from equilibrist.web.api.orders import (
    LIMITS,
    SpotGiven,
    Value,
    check_comparison,
    check_game_options,
    check_spot_options,
    option_values,
    read_options,
)
from equilibrist.web.documents.games.options import COMPARE_OPTIONS, GAME_OPTIONS
from equilibrist.web.errors import WebError
from equilibrist.web.jobs.job import Job
from equilibrist.web.security.texts import UPLOADED, check_game
from equilibrist.web.services import Services
from equilibrist.web.store.games import uploaded_game

router = APIRouter(prefix="/jobs", tags=["Jobs"])
_MOST_POINTS: Final = 400
"""Points of the curve in one answer."""


class NewJob(BaseModel):
    """A solve to start: of a game, of a spot, or of a game by several algorithms."""

    model_config = ConfigDict(extra="forbid")

    game: str | None = Field(
        None, description="A game: kuhn, leduc(players=3), or library:NAME for an uploaded one."
    )
    spot: SpotGiven | None = Field(None, description="A spot of hold'em.")
    algorithms: list[str] | None = Field(
        None,
        description="Compare these on the game, as `equilibrist compare` does: cfr+, "
        "dcfr(gamma=3), lcfr@external. The options are then those that all of them share.",
    )
    options: dict[str, Value | None] = Field(
        default_factory=dict,
        description="The options of `equilibrist solve`, or of `postflop solve`, by name: "
        "algorithm, iterations, target, seconds, sampler, threads, ...",
    )


class Further(BaseModel):
    """New limits of a run that goes on; all that are not given are removed, if one is given."""

    model_config = ConfigDict(extra="forbid")

    iterations: Value | None = None
    target: Value | None = None
    seconds: Value | None = None


def job_document(job: Job) -> Document:
    """A job for the API, with the curve thinned out."""
    document = job.to_dict()
    curves = {name: _thinned(points) for name, points in job.curves.items()}
    return {**document, "points": _thinned(job.points), "curves": curves}


def _thinned(points: list[Any]) -> list[Any]:
    """At most so many points, the newest among them."""
    every = max(1, -(-len(points) // _MOST_POINTS))
    return points[::-1][::every][::-1]


@router.get("")
def listed(found: Found) -> Document:
    """All jobs, newest first, without their curves, and how much runs."""
    jobs = [{**job.to_dict(), "points": [], "curves": {}} for job in found.jobs.all()]
    return {**found.jobs.facts(), "jobs": jobs}


@router.post("", status_code=201)
async def start(given: NewJob, found: Found) -> Document:
    """Queue a solve; it starts at once if there is room."""
    job, source = await run_in_threadpool(_new_job, given, found)
    return job_document(found.jobs.add(job, source))


@router.get("/{name}")
async def show(name: str, found: Found) -> Document:
    """A job: its state, progress and curve."""
    return job_document(found.jobs.get(name))


@router.get("/{name}/events", response_class=StreamingResponse)
async def events(name: str, found: Found) -> StreamingResponse:
    """The job after every change, as server-sent events, until it neither waits nor runs."""
    found.jobs.get(name)
    return StreamingResponse(
        _events(found, name),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.post("/{name}/pause")
async def pause(name: str, found: Found) -> Document:
    """Save the state of a run and end its process; `resume` goes on from there."""
    return job_document(await found.jobs.pause(name))


@router.post("/{name}/save")
async def save(name: str, found: Found) -> Document:
    """Put what a running job has found so far into the library, as of its newest checkpoint."""
    return job_document(await found.jobs.save(name))


@router.post("/{name}/stop")
async def stop(name: str, found: Found) -> Document:
    """End a run; what it has found is its solution."""
    return job_document(await found.jobs.stop(name))


@router.post("/{name}/resume")
async def resume(name: str, found: Found) -> Document:
    """Go on with a run that was paused, stopped or interrupted; bit-identical to one that was not.

    Limits are those that the run had.
    """
    source = await run_in_threadpool(_source, found, found.jobs.get(name))
    return job_document(found.jobs.resume(name, source))


@router.post("/{name}/further")
async def further(name: str, limits: Further, found: Found) -> Document:
    """Go on with a run that is done, with new limits."""
    job = found.jobs.get(name)
    given = limits.model_dump()
    if all(value is None for value in given.values()):
        raise WebError(
            "no new limit",
            option="limits",
            expected=", ".join(LIMITS),
            remedy="give one, or resume the run with those that it had",
        )
    known = RUN_OPTIONS if job.kind == "spot" else GAME_OPTIONS
    read = read_options(given, known)
    changes = {option: read.get(option) for option in LIMITS}
    options = {**job.options, **read}
    for option, value in changes.items():
        if value is None:
            options.pop(option, None)
    await run_in_threadpool(_check, job.kind, options)
    source = await run_in_threadpool(_source, found, job)
    return job_document(found.jobs.resume(name, source, changes))


@router.delete("/{name}")
async def delete(name: str, found: Found) -> Document:
    """Forget a job that neither waits nor runs; its solution stays in the library."""
    found.jobs.delete(name)
    return {"deleted": name}


async def _events(found: Services, name: str) -> AsyncIterator[str]:
    async for job in found.jobs.watch(name):
        newest = {name: points[-1:] for name, points in job.curves.items()}
        document = {**job.to_dict(), "points": job.points[-1:], "curves": newest}
        yield f"data: {json.dumps(document, allow_nan=False)}\n\n"


def _check(kind: str, options: dict[str, str]) -> None:
    if kind == "spot":
        check_spot_options(options)
    else:
        check_game_options(options)


def _new_job(given: NewJob, found: Services) -> tuple[Job, str]:
    """The job of a request, and how a worker names its game."""
    if given.spot is not None and given.algorithms is not None:
        raise WebError(
            "algorithms are compared on games, not on spots",
            option="algorithms",
            remedy="solve the spot once with each algorithm",
        )
    if (given.game is None) == (given.spot is None):
        raise WebError(
            "a job solves a game or a spot",
            option="game",
            expected="one of `game` and `spot`",
            remedy="give one of them",
        )
    from equilibrist.cli.stored.saving import default_stem

    if given.spot is not None:
        job = _spot_job(given, found)
        job.solution = _solution_name(found, f"{job.game}-spot", job.id)
        return job, job.game
    assert given.game is not None
    if given.algorithms is not None:
        return _comparison(given.game, given.algorithms, given.options, found)
    options = read_options(given.options, GAME_OPTIONS)
    check_game_options(options)
    memory = option_values(options).get("memory") or found.jobs.memory // 2
    stem = default_stem(
        given.game.removeprefix(UPLOADED), options.get("algorithm", "dcfr"), options.get("sampler")
    )
    name = found.jobs.new_id()
    job = Job(
        id=name,
        kind="game",
        game=given.game,
        options={**options, "memory": str(memory)},
        solution=_solution_name(found, stem, name),
        memory_bytes=memory,
        created=time.time(),
    )
    return job, _source(found, job)


def _comparison(
    game: str, algorithms: list[str], given: dict[str, Value | None], found: Services
) -> tuple[Job, str]:
    """The job that compares algorithms on a game, and how a worker names the game."""
    options = read_options(given, COMPARE_OPTIONS)
    check_comparison(algorithms, options)
    memory = option_values(options).get("memory") or found.jobs.memory // 2
    job = Job(
        id=found.jobs.new_id(),
        kind="compare",
        game=game,
        options={**options, "memory": str(memory)},
        solution="",
        memory_bytes=memory,
        created=time.time(),
        algorithms=[text.strip() for text in algorithms],
    )
    return job, _source(found, job)


def _spot_job(given: NewJob, found: Services) -> Job:
    from equilibrist.poker.estimates.needs import spot_needs

    assert given.spot is not None
    spot = given.spot.read()
    options = read_options(given.options, RUN_OPTIONS)
    values: dict[str, Any] = dict(check_spot_options(options))
    storage, threads = values.get("storage"), values.get("threads")
    needs = spot_needs(spot, storage=storage, threads=threads, memory=2**62)
    return Job(
        id=found.jobs.new_id(),
        kind="spot",
        game=spot.board,
        spot=spot.to_toml(),
        options=options,
        solution="",
        memory_bytes=needs.memory_bytes[needs.storage],
        created=time.time(),
    )


def _solution_name(found: Services, stem: str, job: str) -> str:
    """A name that neither the library nor another job has, which says what is solved."""
    word = stem.lstrip("-_+.")[:80].rstrip("-_+.") or "solution"
    return found.library.free_name(f"{word}-{job[:6]}".replace("..", "."))


def _source(found: Services, job: Job) -> str:
    """How a worker names the game of a job; raises the error of a game that it may not load."""
    if job.kind == "spot":
        return job.game
    if job.game.startswith(UPLOADED):
        path: Path = uploaded_game(found.places.games, job.game.removeprefix(UPLOADED))[0]
        return f"efg:{path}"
    check_game(job.game, found.settings)
    return job.game
