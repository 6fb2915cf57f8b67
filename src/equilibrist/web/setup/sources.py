"""Where a form begins: what the server was started with, a solution, a job, or a report."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import quote

from equilibrist.errors import FileFormatError
from equilibrist.poker.postflop.files.batch_folder import BatchFolder, BatchPlan
from equilibrist.storage.kinds.file_kinds import CHARTS, SPOT_SOLUTION, THREE_SPOT
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.services import Services
from equilibrist.web.settings import Subject
from equilibrist.web.setup.form import Form, form_of
from equilibrist.web.solutions.documents import is_of_three
from equilibrist.web.store.folders import existing_path
from equilibrist.web.store.library import GIVEN

_PAGES: Final[dict[str | None, str]] = {
    **dict.fromkeys((SPOT_SOLUTION, THREE_SPOT), "study"),
    **dict.fromkeys(CHARTS, "charts"),
}
"""The pages of solutions by the kinds of their files; others are explored."""


def form_of_text(text: str) -> Form:
    """The form of a spot file; raises what is wrong with it."""
    from equilibrist.web.api.orders import SpotInput

    return form_of(SpotInput(toml=text).read_any())


def form_of_subject(services: Services) -> Form:
    """The form of the spot that the server was started with; raises NotFoundError without one."""
    subject = services.settings.subject
    if subject is None or subject.spot is None:
        raise NotFoundError("the server was started without a spot", option="subject")
    return form_of_text(subject.spot)


def form_of_job(services: Services, name: str) -> Form:
    """The form of a job; raises NotFoundError, and ConflictError for that of a game."""
    from equilibrist.poker.three_players.spot import any_spot_from_text

    job = services.jobs.get(name)
    if job.spot is None:
        raise ConflictError(f"job {name} does not solve a spot", option="job", given=name)
    return form_of(any_spot_from_text(job.spot), job.options)


def form_of_solution(services: Services, name: str, *, again: bool = False) -> Form:
    """The form of a solved spot; with `again` also the options that solve it as it was solved.

    Raises NotFoundError, and ConflictError for the solution of a game.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult

    with services.library.opened(name) as result:
        if is_of_three(result):
            run = {"iterations": str(result.iterations), "algorithm": result.algorithm}
            return form_of(result.spot, run if again and result.iterations else None)
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


def plan_of(folder: Path) -> BatchPlan | None:
    """What a batch was asked for; None where its folder does not say it.

    Args:
        folder: The folder of the batch.
    """
    try:
        return BatchFolder.found(folder).plan
    except FileFormatError:
        return None


def report_spot(services: Services, name: str) -> str:
    """The text of the spot of a batch.

    Args:
        services: The services of the server.
        name: The name of the batch.

    Raises:
        NotFoundError: There is no such batch, or it does not say its spot as a text.
    """
    plan = plan_of(existing_path(services.folders.batches, name))
    if plan is None:
        raise NotFoundError(
            f"there is no report {name!r} with its spot", option="report", given=name
        )
    return plan.spot
