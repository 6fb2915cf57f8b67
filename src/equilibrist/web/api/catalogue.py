"""What there is: games, algorithms, samplers."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import cast

from fastapi import APIRouter, Query

from equilibrist.errors import ConfigError
from equilibrist.web.answers.answer import Answer
from equilibrist.web.answers.catalogue import (
    AlgorithmDocument,
    GameDocument,
    NetworkAlgorithms,
    SamplerDocument,
)
from equilibrist.web.api.answers import TURN, RequestServices
from equilibrist.web.errors import ConflictError, as_requested
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import UPLOADED, check_call, check_game, is_shipped
from equilibrist.web.store.games import uploaded_game

router = APIRouter(tags=["Catalogue"])


@router.get("/games", dependencies=[TURN])
def games(
    services: RequestServices, sizes: bool = Query(False, description="With sizes.")
) -> Answer[list[GameDocument]]:
    """The games, as `equilibrist games --json` lists them, and those that were uploaded."""
    from equilibrist.web.documents.games.catalogue import all_games

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
    from equilibrist.web.documents.games.options import solve_options

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


def _game(spec: str) -> GameDocument:
    from equilibrist.library.game_facts import SIZE_LIMIT, game_document
    from equilibrist.library.limits import Limits

    return cast("GameDocument", game_document(spec, Limits(SIZE_LIMIT)))
