"""One iteration of CFR, step by step: the numbers of `equilibrist.reference`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from equilibrist.errors import ConfigError
from equilibrist.reference.by_hand import HistorySheet
from equilibrist.reference.lesson_turns import Ending, Turn, turns
from equilibrist.solvers.variants.variant import Variant
from equilibrist.web.answers.games import Coefficients, Lesson, LessonHistory, LessonTurn
from equilibrist.web.documents.games.drawn import MOST_DRAWN
from equilibrist.web.documents.games.known import KnownGame
from equilibrist.web.errors import ConflictError, WebError
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import check_call

MOST_HISTORIES: Final = 10_000
"""Histories of a game that is looked at one by one."""
VISITS: Final = 600_000
"""Histories that the plain recursion may visit on the way to an iteration."""
STAGES: Final = ("reach", "values", "regrets", "cumulative", "sums", "next")
"""The steps of each infoset: what is worked out, in this order."""


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
    steps = _lesson(request)
    *updates, ending = steps
    assert isinstance(ending, Ending)
    if not updates:
        raise ConflictError(
            f"in {request.game.text} nobody decides anything, so there is nothing to learn",
            option="game",
            given=request.game.text,
            remedy="choose a game with decisions",
        )
    first = updates[0]
    assert isinstance(first, Turn)
    return {
        "game": request.game.text,
        "algorithm": request.algorithm,
        "iteration": request.iteration,
        "alternating": request.alternating,
        "stages": list(STAGES),
        "coefficients": _coefficients(first),
        "num_steps": len(updates) * len(STAGES) + 1,
        "turns": [_turn(turn) for turn in updates if isinstance(turn, Turn)],
        "ending": {
            "average": ending.average,
            "values": list(ending.values),
            "nash_conv": ending.nash_conv,
        },
        "is_drawn": request.game.tree(MOST_HISTORIES, "look at").num_nodes <= MOST_DRAWN,
    }


@lru_cache(maxsize=4)
def _lesson(request: LessonRequest) -> tuple[Turn | Ending, ...]:
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
    what = "look at one by one"
    count = request.game.tree(MOST_HISTORIES, what).num_nodes
    if request.iteration < 1 or request.iteration * count > VISITS:
        raise WebError(
            f"iteration {request.iteration:,} of a game of {count:,} histories cannot be shown",
            option="iteration",
            given=request.iteration,
            expected=f"1 to {VISITS // count:,}",
            remedy=f"choose one from 1 to {VISITS // count:,}",
        )
    tree = request.game.walk(MOST_HISTORIES, what)
    horizon = request.iteration if rule.needs_horizon else None
    return tuple(
        turns(tree, rule, request.iteration, alternating=request.alternating, horizon=horizon)
    )


def _turn(turn: Turn) -> LessonTurn:
    return {
        "player": turn.player,
        "infoset": turn.key,
        "actions": list(turn.actions),
        "strategy": list(turn.strategy),
        "own_reach": turn.own_reach,
        "histories": [_history(sheet) for sheet in turn.sheet.histories],
        "instant": list(turn.instant),
        "regret": list(turn.regret),
        "regret_after": list(turn.regret_after),
        "sums": list(turn.sums),
        "sums_after": list(turn.sums_after),
        "expected": list(turn.expected),
        "next_strategy": list(turn.next_strategy),
    }


def _history(sheet: HistorySheet) -> LessonHistory:
    return {
        "history": list(sheet.history),
        "chance_reach": sheet.chance_reach,
        "others_reach": sheet.others_reach,
        "own_reach": sheet.own_reach,
        "counterfactual_reach": sheet.chance_reach * sheet.others_reach,
        "values": list(sheet.values.values()),
        "value": sheet.value,
        "regrets": list(sheet.regrets.values()),
    }


def _coefficients(turn: Turn) -> Coefficients:
    """The seven numbers of the iteration; None for a floor that there is not."""
    c = turn.numbers
    names = Coefficients.__annotations__  # in this order
    numbers = {name: float(getattr(c, name)) for name in names}
    finite = {name: x if math.isfinite(x) else None for name, x in numbers.items()}
    return cast("Coefficients", finite)
