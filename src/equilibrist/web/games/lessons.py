"""One iteration step by step: the numbers of `equilibrist.reference`, within limits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from equilibrist.errors import ConfigError
from equilibrist.library.lessons import lesson_document as full_document
from equilibrist.library.lessons import sampled_lesson_document
from equilibrist.reference.game_walk import GameWalk
from equilibrist.solvers.variants.variant import Variant
from equilibrist.web.answers.games import Lesson, SampledLesson
from equilibrist.web.errors import ConflictError, WebError
from equilibrist.web.games.drawn import MOST_DRAWN
from equilibrist.web.games.known import KnownGame
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import check_call

MOST_HISTORIES: Final = 10_000
"""Histories of a game that is looked at one by one."""
VISITS: Final = 600_000
"""Histories that the plain recursion may visit on the way to an iteration."""
_LOOKED_AT: Final = "look at one by one"


@dataclass(frozen=True)
class LessonRequest:
    """What a lesson is about.

    Attributes:
        game: The game.
        algorithm: The text of the algorithm.
        iteration: Which iteration, from 1.
        alternating: Whether players are updated in turn.
    """

    game: KnownGame
    algorithm: str = "cfr"
    iteration: int = 1
    alternating: bool = True


@dataclass(frozen=True)
class SampledLessonRequest:
    """What a lesson on a sampled iteration is about.

    Attributes:
        game: The game.
        sampler: The text of the sampler.
        iteration: Which iteration, from 1.
        seed: Fixes the draws.
    """

    game: KnownGame
    sampler: str
    iteration: int = 1
    seed: int = 0


def lesson_document(request: LessonRequest) -> Lesson:
    """All steps of an iteration.

    Args:
        request: What it is about.

    Returns:
        The lesson.

    Raises:
        WebError: The game has too many histories, or the iteration lies too far ahead.
        ConfigError: The algorithm is none whose iterations can be shown.
    """
    found = _lesson(request)
    _check_decisions(request.game, bool(found["turns"]))
    about = {"game": request.game.text, "algorithm": request.algorithm}
    return cast("Lesson", {**about, **found, **_of_game(request.game)})


def sampled_document(request: SampledLessonRequest) -> SampledLesson:
    """All steps of a sampled iteration.

    Args:
        request: What it is about.

    Returns:
        The lesson.

    Raises:
        WebError: The game has too many histories, or the iteration lies too far ahead.
        ForbiddenError: The sampler names a file.
        ConfigError: The sampler cannot be shown, or does not fit the game.
    """
    found = _sampled_lesson(request)
    _check_decisions(request.game, bool(found["ending"]["average"]))
    return cast(
        "SampledLesson",
        {"game": request.game.text, **found, **_of_game(request.game)},
    )


def _check_decisions(game: KnownGame, has_decisions: bool) -> None:
    if not has_decisions:
        raise ConflictError(
            f"in {game.text} nobody decides anything, so there is nothing to learn",
            option="game",
            given=game.text,
            remedy="choose a game with decisions",
        )


def _of_game(game: KnownGame) -> dict[str, Any]:
    """What a page needs besides what the command prints."""
    count = game.tree(MOST_HISTORIES, "look at").num_nodes
    return {"is_drawn": count <= MOST_DRAWN, "shown_names": game.shown_names}


@lru_cache(maxsize=4)
def _lesson(request: LessonRequest) -> dict[str, Any]:
    load_engine()
    from equilibrist.solving.algorithm import get_algorithm

    check_call("algorithm", request.algorithm)
    rule = get_algorithm(request.algorithm)
    if not isinstance(rule, Variant):
        raise ConfigError(
            f"{request.algorithm} has no iterations of the kind that is shown",
            option="algorithm",
            given=request.algorithm,
            remedy="choose cfr, cfr+, dcfr or another that is seven numbers per iteration",
        )
    tree = _walk(request.game, request.iteration)
    return full_document(tree, rule, request.iteration, alternating=request.alternating)


@lru_cache(maxsize=4)
def _sampled_lesson(request: SampledLessonRequest) -> dict[str, Any]:
    load_engine()
    from equilibrist.solvers.sampling.expectation import plain_sampler
    from equilibrist.solvers.variants.registry import get_variant

    check_call("sampler", request.sampler)
    sampler = plain_sampler(request.sampler)
    tree = _walk(request.game, request.iteration)
    sampler.check(request.game.tree(MOST_HISTORIES, _LOOKED_AT), get_variant("cfr"))
    return sampled_lesson_document(tree, sampler, request.iteration, seed=request.seed)


def _walk(game: KnownGame, iteration: int) -> GameWalk:
    """The histories of a game; WebError for an iteration that lies too far ahead."""
    count = game.tree(MOST_HISTORIES, _LOOKED_AT).num_nodes
    if iteration < 1 or iteration * count > VISITS:
        raise WebError(
            f"iteration {iteration:,} of a game of {count:,} histories cannot be shown",
            option="iteration",
            given=iteration,
            expected=f"1 to {VISITS // count:,}",
            remedy=f"choose one from 1 to {VISITS // count:,}",
        )
    return game.walk(MOST_HISTORIES, _LOOKED_AT)
