"""What the pages of a site ask of games and of their solutions, and what answers there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.web.answers.games import InfosetTable
from equilibrist.web.games.catalogue import game_facts, game_form
from equilibrist.web.games.drawn import drawn_solution, drawn_tree
from equilibrist.web.games.infosets import infoset_table, solution_facts
from equilibrist.web.games.known import KnownGame, known_game
from equilibrist.web.games.lessons import (
    LessonRequest,
    SampledLessonRequest,
    lesson_document,
    sampled_document,
)
from equilibrist.web.games.solved import SolvedGame, solved_game
from equilibrist.web.games.tables import matrix_way, solved_table
from equilibrist.web.games.walked import walked, walked_solution
from equilibrist.web.overview.answers import CourseLesson
from equilibrist.web.overview.course import LESSONS
from equilibrist.web.services import Services
from equilibrist.web.site.packs import Packs, Question, word
from equilibrist.web.solutions.listing import entry_document

MOST_HISTORIES: Final = 10_000
"""Histories of a game: each has two documents."""
MOST_INFOSETS: Final = 2_000
"""Infosets of a solution, which lie in one pack."""
MOST_TAUGHT: Final = 1_000
"""Histories of a game that has lessons; those of Leduc poker would take 28 MB."""
ITERATIONS: Final = 20
"""Iterations of each lesson."""
_TAUGHT: Final = ("cfr", "cfr+", "dcfr", "lcfr", "pcfr+")
"""What the page of lessons proposes."""
SAMPLED: Final = 5
"""Iterations of each sampled lesson."""
SEEDS: Final = 3
"""Seeds of sampled lessons, from 0 on."""
_SAMPLERS: Final = ("chance", "external", "outcome")
"""The samplers of the lessons of a site."""
_DRAWN: Final = (*_TAUGHT, "pcfr", "hedge")
"""What the page of a game in normal form offers."""
_PATH: Final = 200
"""Iterations of a path in a table, with which the page begins."""
_TRUTH: Final = ("true", "false")
_BEGINS: Final = ("uniform", "first")


def fitting_game(services: Services, text: str) -> str:
    """The name of a game, as pages write it, if the game fits into a site.

    Args:
        services: The services of a server.
        text: The game: `kuhn`, `leduc(players=3)`.

    Raises:
        EquilibristError: There is no such game, or it has too many histories.
    """
    form = game_form(services, text)
    known_game(services, text).tree(MOST_HISTORIES, "write into a site")
    values = form["values"]
    defaults = {entry["name"]: entry["default"] for entry in form.get("parameters", ())}
    given = [
        f"{name}={values[name]}"
        for name, default in defaults.items()
        if name in values and values[name] != default
    ]
    return f"{form['name']}({','.join(given)})" if given else form["name"]


def add_games(packs: Packs, services: Services, texts: Sequence[str]) -> None:
    """Write the list of games, and all that their pages ask.

    Args:
        packs: Where the documents go.
        services: The services of a server.
        texts: The games, of `fitting_game`.

    Raises:
        EquilibristError: A game cannot be walked, or a file not be written.
    """
    listed = [{**game_facts(services, text), "name": text} for text in texts]
    packs.add("games", [({}, lambda: listed), ({"sizes": "true"}, lambda: listed)])
    for text in texts:
        game, facts, name = known_game(services, text), game_facts(services, text), _game(text)
        packs.add(f"{name}/facts", [({}, partial(game_facts, services, text))])
        packs.add(f"{name}/form", [({}, partial(game_form, services, text))])
        _add_histories(packs, name, partial(walked, game), partial(drawn_tree, game))
        if game.size(MOST_TAUGHT) <= MOST_TAUGHT:
            packs.add(f"{name}/lesson", _lessons(game), by=["algorithm", "alternating"])
            packs.add(f"{name}/sampled-lesson", _sampled_lessons(game), by=["sampler"])
        if facts["is_table"]:
            packs.add(f"{name}/trajectory", _paths(game))


def fitting_solution(services: Services, name: str) -> str | None:
    """The game of a solution, if the solution fits into a site; None where its rules are unknown.

    Args:
        services: The services of a server with the solution in its library.
        name: The solution.

    Raises:
        EquilibristError: It is no solution of a game, or it is too large.
    """
    solved, count = solved_game(services, name), solution_facts(services, name)["num_infosets"]
    if count > MOST_INFOSETS:
        raise ConfigError(
            f"{name} has {count:,} infosets, too many to write into a site",
            option="solution",
            given=name,
            expected=f"at most {MOST_INFOSETS:,} infosets",
            remedy="leave it out, or solve the game with smaller parameters",
        )
    return None if solved.game is None else fitting_game(services, solved.game.text)


def add_course(packs: Packs) -> bool:
    """Write the ten lessons, where the site has a page that one of them leads to.

    Args:
        packs: Where the document goes.

    Returns:
        Whether they were written.
    """
    is_led = any(_leads_to(lesson) in packs.documents for lesson in LESSONS)
    if is_led:
        packs.add("lessons", [({}, lambda: list(LESSONS))])
    return is_led


def _leads_to(lesson: CourseLesson) -> str:
    """A document of the page that a lesson leads to; `pages/lessons.js` knows it by the same."""
    game = lesson["query"].get("game")
    return f"{_game(game)}/lesson" if game else f"{lesson['path']}/facts"


def add_list(packs: Packs, services: Services, names: Sequence[str]) -> None:
    """Write the list of solutions.

    Args:
        packs: Where the document goes.
        services: The services of a server with the solutions in its library.
        names: The solutions.
    """
    rows = [entry_document(services.library.entry(name), services) for name in names]
    packs.add("solutions", [({}, lambda: {"solutions": rows, "total": len(rows)})])


def add_solution(packs: Packs, services: Services, name: str) -> None:
    """Write all that the page of a solution of a game asks.

    Args:
        packs: Where the documents go.
        services: The services of a server with the solution in its library.
        name: The solution, which fits.

    Raises:
        EquilibristError: The solution cannot be opened, or a file not be written.
    """
    solved, place = solved_game(services, name), f"solutions/{word(name)}"
    facts = solution_facts(services, name)
    packs.add(f"{place}/facts", [({}, lambda: facts)])
    if facts["is_table"]:
        packs.add(f"{place}/matrix", [({}, partial(solved_table, solved))])
    packs.add(f"{place}/infosets", [({}, partial(_infosets, solved))])
    if solved.game is not None:
        walk, draw = partial(walked_solution, solved), partial(drawn_solution, solved)
        _add_histories(packs, place, walk, draw)


def _infosets(solved: SolvedGame) -> InfosetTable:
    """All infosets of a solution, of which the page shows parts."""
    return {"game": solved.title, **infoset_table(solved, count=MOST_INFOSETS)}


def _game(text: str) -> str:
    return f"games/{word(text)}"


def _add_histories(
    packs: Packs,
    name: str,
    walk: Callable[[Sequence[str]], Any],
    draw: Callable[[Sequence[str]], Any],
) -> None:
    """Write what is asked of each history, in packs by its first move."""
    views = list(_views(walk))
    walks = ((moves, partial(_same, view)) for moves, view in views)
    trees = ((moves, partial(draw, moves)) for moves, _ in views)
    for document, answers in (("walk", walks), ("tree", trees)):
        questions = (({"move": moves}, answer) for moves, answer in answers)
        packs.add(f"{name}/{document}", questions, by=["move"])


def _same(document: Any) -> Any:
    return document


def _views(walk: Callable[[Sequence[str]], Any]) -> Iterator[tuple[list[str], Any]]:
    """All histories, each after the one that it goes on from, and their documents."""
    waiting: list[list[str]] = [[]]
    while waiting:
        moves = waiting.pop()
        view = walk(moves)
        yield moves, view
        waiting += [[*moves, step["label"]] for step in view["steps"]]


def _lessons(game: KnownGame) -> Iterator[Question]:
    numbers = range(1, ITERATIONS + 1)
    for algorithm, alternating, number in product(_TAUGHT, _TRUTH, numbers):
        request = LessonRequest(game, algorithm, number, alternating == "true")
        values = {"algorithm": algorithm, "iteration": str(number), "alternating": alternating}
        yield values, partial(lesson_document, request)


def _sampled_lessons(game: KnownGame) -> Iterator[Question]:
    for sampler, seed, number in product(_SAMPLERS, range(SEEDS), range(1, SAMPLED + 1)):
        request = SampledLessonRequest(game, sampler, number, seed)
        values = {"sampler": sampler, "iteration": str(number), "seed": str(seed)}
        yield values, partial(sampled_document, request)


def _paths(game: KnownGame) -> Iterator[Question]:
    for algorithm, alternating, begin in product(_DRAWN, _TRUTH, _BEGINS):
        is_alternating = alternating == "true"
        answer = partial(
            matrix_way, game, algorithm, _PATH, alternating=is_alternating, begin=begin
        )
        values = {"algorithm": algorithm, "iterations": str(_PATH), "alternating": alternating}
        yield {**values, "begin": begin}, answer
