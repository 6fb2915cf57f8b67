"""The ten lessons: where each leads, what it asks, and the answer; pages have the words."""

from __future__ import annotations

from typing import Final

from equilibrist.web.overview.answers import CourseLesson


def _share(name: str, path: str, answer: float, **query: str) -> CourseLesson:
    """A lesson that asks for a probability, which may be told in percent."""
    return _lesson(name, "share", path, answer, query, tolerance=0.006)


def _number(name: str, path: str, answer: float, **query: str) -> CourseLesson:
    return _lesson(name, "number", path, answer, query, tolerance=0.001)


def _lesson(
    name: str,
    kind: str,
    path: str,
    answer: float,
    query: dict[str, str],
    *,
    tolerance: float = 0.0,
    choices: int = 0,
) -> CourseLesson:
    return {
        "name": name,
        "path": path,
        "query": query,
        "kind": kind,
        "answer": answer,
        "tolerance": tolerance,
        "choices": choices,
    }


LESSONS: Final[tuple[CourseLesson, ...]] = (
    # 1 for scissors less -1 for rock.
    _number("regret", "learn", 2.0, game="biased_rock_paper_scissors", step="3"),
    # Regrets of 0, 1 and 2.
    _share("matching", "learn", 2 / 3, game="biased_rock_paper_scissors", step="6"),
    _share("dominance", "games/prisoners_dilemma", 0.0, view="table"),
    # That of the keeper, with the figures of professionals.
    _share("mixing", "games/penalty_kick", 0.4198, view="table"),
    # 4 p = 3.
    _share("equilibria", "games/stag_hunt", 0.75, view="table"),
    # Three cards, and two points of the betting.
    _number("infosets", "games/kuhn", 6.0, view="tree"),
    # Two cards that are dealt.
    _share("reach", "learn", 1 / 6, game="kuhn", step="1"),
    # The first choice: the average of all iterations.
    _lesson("average", "choice", "games/rock_paper_scissors", 1.0, {"view": "table"}, choices=3),
    _number("value", "games/kuhn", -1 / 18, view="tree"),
    # One bluff for two value bets of the pot, of hands that are equally many.
    _share("bluff", "spot", 0.5),
)
"""The lessons in their order; the answer of a choice is its number, from 1."""
