"""Where a form begins: with what the server was started with, with a solution, or with a job."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from equilibrist.storage.kinds.file_kinds import CHARTS, SPOT_SOLUTION
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.services import Services
from equilibrist.web.settings import Subject
from equilibrist.web.setup.form import Form, form_of
from equilibrist.web.store.library import GIVEN

_PAGES: Final[dict[str | None, str]] = {SPOT_SOLUTION: "study", **dict.fromkeys(CHARTS, "charts")}
"""The pages of solutions by the kinds of their files; others are explored."""


def form_of_text(text: str) -> Form:
    """The form of a spot file; raises what is wrong with it."""
    from equilibrist.web.api.orders import SpotInput

    return form_of(SpotInput(toml=text).read())


def form_of_subject(services: Services) -> Form:
    """The form of the spot that the server was started with; raises NotFoundError without one."""
    subject = services.settings.subject
    if subject is None or subject.spot is None:
        raise NotFoundError("the server was started without a spot", option="subject")
    return form_of_text(subject.spot)


def form_of_job(services: Services, name: str) -> Form:
    """The form of a job; raises NotFoundError, and ConflictError for that of a game."""
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    job = services.jobs.get(name)
    if job.spot is None:
        raise ConflictError(f"job {name} does not solve a spot", option="job", given=name)
    return form_of(spot_from_text(job.spot), job.options)


def form_of_solution(services: Services, name: str, *, again: bool = False) -> Form:
    """The form of a solved spot; with `again` also the options that solve it as it was solved.

    Raises NotFoundError, and ConflictError for the solution of a game.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult

    with services.library.opened(name) as result:
        if not isinstance(result, PostflopResult):
            raise ConflictError(f"{name} is not the solution of a spot", option="name", given=name)
        made = {
            "iterations": str(result.iterations),
            "algorithm": result.algorithm,
            "storage": result.storage,
        }
        return form_of(result.spot, made if again and result.iterations else None)


def form_of_setup(services: Services, name: str) -> Form:
    """The form of a saved setup; raises NotFoundError, and what is wrong with its file."""
    return form_of_text(services.setups.get(name))


def subject_page(subject: Subject | None) -> str:
    """The address of the page that shows what the server was started with."""
    if subject is None:
        return "/"
    if subject.kind == "spot":
        return "/spot?subject=1"
    if subject.kind == "game":
        return game_page(subject.name)
    return solution_page(GIVEN, _kind(subject))


def solution_page(name: str, kind: str | None) -> str:
    """The address of the page that shows a solution of some kind."""
    return f"/{_PAGES.get(kind, 'explore')}/{quote(name)}"


def _kind(subject: Subject) -> str | None:
    from equilibrist.storage.archive import kind_of

    return None if subject.path is None else kind_of(subject.path)


def game_page(game: str) -> str:
    """The address of the page of a game."""
    return f"/games/{quote(game, safe='')}"
