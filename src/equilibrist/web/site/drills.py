"""Drills of a site: questions that are drawn beforehand, each with what every answer is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.library.opponents import Opponent
from equilibrist.web.play.drill import (
    answer_document,
    drill_document,
    question_document,
)
from equilibrist.web.playing.current_play import PlayDrill
from equilibrist.web.playing.opening import open_opponent
from equilibrist.web.services import Services
from equilibrist.web.site.packs import Packs, Question, word

QUESTIONS: Final = 40
"""Questions of each drill: each is about 1 kB, compressed."""
MOST_LINES: Final = 60
"""Decisions of a spot that are drilled."""
_LONGEST: Final = 4_000
"""Questions that are drawn at most in looking for so many different ones."""


def add_drills(packs: Packs, services: Services, name: str, about: Sequence[str]) -> list[str]:
    """Write the drills of a solution, where decisions of it can be graded.

    Args:
        packs: Where the documents go.
        services: The services of a server with the solution in its library.
        name: The solution.
        about: Lines of a spot at which somebody may act, or patterns over infosets of a game.

    Returns:
        The name, if there is a drill.

    Raises:
        EquilibristError: The solution cannot be opened, or a file not be written.
    """
    library, settings = services.library, services.settings
    opponent = open_opponent(name, library, services.folders.games, settings, "owner")
    with opponent.lock:
        questions = [*_questions(opponent, about)]
    if questions:
        packs.add(f"solutions/{word(name)}/drill", questions, by=["line"])
    return [name] if questions else []


def _questions(opponent: Opponent, about: Sequence[str]) -> Iterator[Question]:
    """What the page of a drill asks: a drill by its line or pattern."""
    if opponent.drill is None:
        return
    many = 0
    for meant in about:
        try:
            place = PlayDrill(opponent, opponent.drill(meant, None, 0), meant)
        except ConfigError:  # nobody acts there, or the solution never comes there
            continue
        many += 1
        if many > MOST_LINES:
            return
        yield {"line" if opponent.is_spot else "match": meant}, partial(_drill, place)


def _drill(place: PlayDrill) -> dict[str, Any]:
    """A drill before its first question, and the questions with all answers.

    They are drawn as on a server, without one that came before.
    """
    drill, opponent = place.drill, place.opponent
    asked: dict[str, Any] = {}
    wanted = min(QUESTIONS, len(drill.keys))
    for _ in range(_LONGEST):
        question = drill.ask()
        if question.infoset not in asked:
            answers = [drill.graded(k) for k in range(len(question.actions))]
            asked[question.infoset] = {
                "question": question_document(opponent, question),
                "answers": [answer_document(opponent, answer) for answer in answers],
            }
        if len(asked) >= wanted:
            break
    drill.question = None
    return {**drill_document("", place), "questions": [*asked.values()]}
