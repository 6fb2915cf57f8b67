"""Looking into games: their trees, histories, tables, and lessons in how CFR learns them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from equilibrist.web.answers.answer import Answer, media
from equilibrist.web.answers.games import (
    DrawnTree,
    GameFacts,
    GameForm,
    Lesson,
    MatrixTable,
    MatrixTrajectory,
    SampledLesson,
    WalkedHistory,
)
from equilibrist.web.api.answers import TURN, RequestServices, csv_file

router = APIRouter(prefix="/games", tags=["Games"])
Game = Annotated[
    str, Path(description="kuhn, leduc(players=3), library:NAME, or what the server started with.")
]
Algorithm = Annotated[
    str, Query(max_length=200, description="A variant of CFR: cfr, cfr+, dcfr(gamma=3), ...")
]
Alternating = Annotated[bool, Query(description="Update the players in turn, or all at once.")]


@router.get("/{game:path}/facts", dependencies=[TURN])
def facts(game: Game, services: RequestServices) -> Answer[GameFacts]:
    """A game with its sizes, and whether it can be drawn, or shown as a table."""
    from equilibrist.web.games.catalogue import game_facts

    return game_facts(services, game)


@router.get("/{game:path}/form", dependencies=[TURN])
def form(game: Game, services: RequestServices) -> Answer[GameForm]:
    """What the page of a game asks: its parameters, with those of the text, options of a solve."""
    from equilibrist.web.games.catalogue import game_form

    return game_form(services, game)


@router.get("/{game:path}/walk", dependencies=[TURN])
def walk(
    game: Game,
    services: RequestServices,
    move: list[str] = Query([], description="Actions and outcomes from the beginning."),  # noqa: B008 - FastAPI's way
) -> Answer[WalkedHistory]:
    """A history of a game, chance included: who moves, and the actions or outcomes."""
    from equilibrist.web.games.known import known_game
    from equilibrist.web.games.walked import walked

    return walked(known_game(services, game), move)


@router.get("/{game:path}/tree", dependencies=[TURN])
def tree(
    game: Game,
    services: RequestServices,
    move: list[str] = Query([], description="Where the drawing begins."),  # noqa: B008
) -> Answer[DrawnTree]:
    """The drawn tree of a small game, or of the part of one that follows a history."""
    from equilibrist.web.games.drawn import drawn_tree
    from equilibrist.web.games.known import known_game

    return drawn_tree(known_game(services, game), move)


@router.get(
    "/{game:path}/tree.csv",
    dependencies=[TURN],
    response_class=Response,
    responses=media("text/csv"),
)
def tree_as_csv(
    game: Game,
    services: RequestServices,
    move: list[str] = Query([], description="Where the drawing begins."),  # noqa: B008
) -> Response:
    """The drawn tree as CSV: a row for each history, with the payoffs of those that end."""
    from equilibrist.web.api.csv_tables import tree_csv
    from equilibrist.web.games.drawn import drawn_tree
    from equilibrist.web.games.known import known_game

    return csv_file(tree_csv(drawn_tree(known_game(services, game), move)), f"{game}-tree")


@router.get("/{game:path}/lesson", dependencies=[TURN])
def lesson(
    game: Game,
    services: RequestServices,
    algorithm: Algorithm = "cfr",
    iteration: Annotated[int, Query(ge=1, description="Which iteration, from 1.")] = 1,
    alternating: Alternating = True,
) -> Answer[Lesson]:
    """One iteration of CFR, step by step, as `equilibrist learn` prints it."""
    from equilibrist.web.games.known import known_game
    from equilibrist.web.games.lessons import LessonRequest, lesson_document

    request = LessonRequest(known_game(services, game), algorithm, iteration, alternating)
    return lesson_document(request)


@router.get("/{game:path}/sampled-lesson", dependencies=[TURN])
def sampled_lesson(
    game: Game,
    services: RequestServices,
    sampler: Annotated[
        str, Query(max_length=200, description="chance, external, outcome(epsilon=0.6), ...")
    ] = "external",
    iteration: Annotated[int, Query(ge=1, description="Which iteration, from 1.")] = 1,
    seed: Annotated[int, Query(ge=0, lt=2**63, description="Fixes the draws.")] = 0,
) -> Answer[SampledLesson]:
    """One sampled iteration, step by step, as `equilibrist learn --sampler NAME --json` has it."""
    from equilibrist.web.games.known import known_game
    from equilibrist.web.games.lessons import SampledLessonRequest, sampled_document

    return sampled_document(
        SampledLessonRequest(known_game(services, game), sampler, iteration, seed)
    )


@router.get("/{game:path}/matrix", dependencies=[TURN])
def matrix(game: Game, services: RequestServices) -> Answer[MatrixTable]:
    """The table of a game in normal form."""
    from equilibrist.web.games.known import known_game
    from equilibrist.web.games.tables import matrix_table

    return matrix_table(known_game(services, game))


@router.get(
    "/{game:path}/matrix.csv",
    dependencies=[TURN],
    response_class=Response,
    responses=media("text/csv"),
)
def matrix_as_csv(game: Game, services: RequestServices) -> Response:
    """The table of a game in normal form as CSV: a row for each pair of actions."""
    from equilibrist.web.api.csv_tables import matrix_csv

    return csv_file(matrix_csv(matrix(game, services)), f"{game}-matrix")


@router.get("/{game:path}/trajectory", dependencies=[TURN])
def trajectory(
    game: Game,
    services: RequestServices,
    algorithm: Algorithm = "cfr",
    iterations: Annotated[int, Query(ge=1, description="How many iterations.")] = 200,
    alternating: Alternating = True,
    begin: Annotated[
        Literal["uniform", "first"],
        Query(description="Begin with uniform play, or with the first action of each player."),
    ] = "uniform",
) -> Answer[MatrixTrajectory]:
    """The path of an algorithm in a game in normal form: current and average strategies."""
    from equilibrist.web.games.known import known_game
    from equilibrist.web.games.tables import matrix_way

    known = known_game(services, game)
    return matrix_way(known, algorithm, iterations, alternating=alternating, begin=begin)


@router.get(
    "/{game:path}/trajectory.csv",
    dependencies=[TURN],
    response_class=Response,
    responses=media("text/csv"),
)
def trajectory_as_csv(
    game: Game,
    services: RequestServices,
    algorithm: Algorithm = "cfr",
    iterations: Annotated[int, Query(ge=1, description="How many iterations.")] = 200,
    alternating: Alternating = True,
    begin: Annotated[
        Literal["uniform", "first"],
        Query(description="Begin with uniform play, or with the first action of each player."),
    ] = "uniform",
) -> Response:
    """The path of an algorithm as CSV: a row for each iteration and action."""
    from equilibrist.web.api.csv_tables import trajectory_csv

    path = trajectory(game, services, algorithm, iterations, alternating, begin)
    return csv_file(trajectory_csv(path), f"{game}-trajectory")
