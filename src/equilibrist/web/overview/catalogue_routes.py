"""What there is: games, algorithms, samplers, examples."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import cast

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from equilibrist.errors import ConfigError
from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.answers.games import GameDocument
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.errors import ConflictError, LimitError, as_requested
from equilibrist.web.jobs.job import Job
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.overview.answers import (
    AlgorithmDocument,
    CourseLesson,
    ExampleDocument,
    ExampleList,
    NetworkAlgorithms,
    SamplerDocument,
    StartedRuns,
)
from equilibrist.web.overview.course import LESSONS
from equilibrist.web.overview.examples import (
    example_document,
    example_job,
    example_list,
    example_text,
    flop_jobs,
    name_players,
)
from equilibrist.web.security.texts import UPLOADED, check_call, check_game, is_shipped
from equilibrist.web.store.games import uploaded_game

router = APIRouter(tags=["Catalogue"])


@router.get("/games", dependencies=[TURN])
def games(
    services: RequestServices, sizes: bool = Query(False, description="With sizes.")
) -> Answer[list[GameDocument]]:
    """The games, as `equilibrist games --json` lists them, and those that were uploaded."""
    from equilibrist.web.games.catalogue import all_games

    return all_games(services, sizes=sizes)


@router.get("/games/{game}", dependencies=[TURN])
def game(
    game: str,
    services: RequestServices,
    options: bool = Query(False, description="With the options of a solve."),
) -> Answer[GameDocument]:
    """A game with its sizes, as `equilibrist games GAME --json` prints it."""
    document = _found_game(game, services)
    if not options:
        return document
    from equilibrist.web.games.options import solve_options

    return {**document, "options": solve_options()}


def _found_game(game: str, services: RequestServices) -> GameDocument:
    if game.startswith(UPLOADED):
        return uploaded_game(services.folders.games, game.removeprefix(UPLOADED))[1]
    check_game(game, services.settings)
    if not is_shipped(game):
        raise ConflictError(
            f"{game} is not walked by the server itself",
            option="game",
            given=game,
            remedy=f"`equilibrist games {game}` prints its sizes",
        )
    return _game(game)


@cache
def _all_algorithms() -> list[AlgorithmDocument]:
    load_engine()
    from equilibrist.solvers.catalogue import list_algorithms

    return [cast("AlgorithmDocument", asdict(info)) for info in list_algorithms()]


@router.get("/algorithms")
def algorithms() -> Answer[list[AlgorithmDocument]]:
    """The algorithms, as `equilibrist algorithms --json` lists them."""
    return _all_algorithms()


@router.get("/algorithms/{algorithm}")
def algorithm(algorithm: str) -> Answer[AlgorithmDocument]:
    """One of them, with parameters if any: `dcfr(gamma=3)`."""
    load_engine()
    from equilibrist.solvers.catalogue import algorithm_info
    from equilibrist.solving.algorithm import get_algorithm

    check_call("algorithm", algorithm)
    return cast("AlgorithmDocument", asdict(algorithm_info(get_algorithm(algorithm))))


@router.get("/networks")
def networks() -> Answer[NetworkAlgorithms]:
    """The algorithms that train networks, which races take, and why networks cannot be fitted here.

    With `learner=table` they run in any case; `missing` is null where networks can be fitted.
    """
    load_engine()
    from equilibrist.solving.comparison_runs.contenders import contenders

    all_known = [read(name) for name, read in contenders().items()]
    missing = None
    try:
        for contender in all_known:
            contender.check()
    except ConfigError as error:
        missing = as_requested(str(error))
    documents = [cast("AlgorithmDocument", asdict(contender.info)) for contender in all_known]
    return {"algorithms": documents, "missing": missing}


@router.get("/lessons")
def lessons() -> Answer[list[CourseLesson]]:
    """The ten lessons: the page that each leads to, its question's kind, and the answer."""
    return list(LESSONS)


@router.get("/samplers")
def samplers() -> Answer[list[SamplerDocument]]:
    """The samplers, as `equilibrist samplers --json` lists them."""
    load_engine()
    from equilibrist.solvers.catalogue import list_samplers

    return [cast("SamplerDocument", asdict(info)) for info in list_samplers()]


@router.get("/samplers/{sampler}")
def sampler(sampler: str) -> Answer[SamplerDocument]:
    """One of them, with parameters if any: `outcome(epsilon=0.4)`."""
    load_engine()
    from equilibrist.solvers.catalogue import sampler_info

    check_call("sampler", sampler)
    return cast("SamplerDocument", asdict(sampler_info(sampler)))


@router.get("/examples")
def examples(services: RequestServices) -> Answer[ExampleList]:
    """The examples, each with its solution, if it is solved, and its run."""
    return example_list(services)


@router.get("/examples/{name}")
def example(name: str, services: RequestServices) -> Answer[ExampleDocument]:
    """An example."""
    return example_document(services, name)


@router.get("/examples/{name}/file", response_class=Response, responses=media("application/toml"))
def example_file(name: str) -> Response:
    """The spot of an example as a spot file, for `equilibrist postflop solve`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(example_text(name), media_type="application/toml", headers=headers)


@router.post("/examples/{name}")
async def open_example(name: str, services: RequestServices) -> Answer[ExampleDocument]:
    """Have an example solved, unless it is already, or a run of it goes on or may go on."""
    job = await services.work.run(lambda: example_job(services, name))
    if job is not None and example_document(services, name)["job"] is None:  # nobody was quicker
        added = services.jobs.add(job, job.game)
        name_players(services, name, added)
    return example_document(services, name)


class NewFlops(BaseModel):
    """Flops on which a spot is solved."""

    model_config = ConfigDict(extra="forbid", strict=True)

    count: int = Field(1, ge=1, le=10, description="How many.")
    seed: int | None = Field(None, ge=0, lt=2**63, description="Draws them.")


@router.post("/examples/{name}/flops", status_code=201)
async def solve_flops(name: str, body: NewFlops, services: RequestServices) -> Answer[StartedRuns]:
    """Have a spot that begins on the flop solved on random flops, as many as the queue takes."""
    jobs = await services.work.run(lambda: flop_jobs(services, name, body.count, body.seed))
    started: list[Job] = []
    for job in jobs:
        if job.solution in services.jobs.solutions():  # somebody was quicker
            continue
        try:
            started.append(services.jobs.add(job, job.game))
        except LimitError:
            if not started:
                raise
            break
        name_players(services, name, job)
    return {"jobs": [job.id for job in started], "boards": [job.game for job in started]}


def _game(spec: str) -> GameDocument:
    from equilibrist.library.game_facts import SIZE_LIMIT, game_document
    from equilibrist.library.limits import Limits

    return cast("GameDocument", game_document(spec, Limits(SIZE_LIMIT)))
