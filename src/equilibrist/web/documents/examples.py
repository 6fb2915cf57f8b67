"""Examples as documents, and the runs that solve them when they are opened first."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.library.examples import EXAMPLES, TARGET, Example, find_example
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.answers.jobs import ExampleDocument, ExampleList, State
from equilibrist.web.documents.jobs import new_job
from equilibrist.web.documents.library import played_entries
from equilibrist.web.documents.listing import title_of
from equilibrist.web.documents.orders import SpotInput
from equilibrist.web.errors import NotFoundError
from equilibrist.web.jobs.job import Job
from equilibrist.web.services import Services
from equilibrist.web.store.notes import About
from equilibrist.web.store.titles import title_facts

_GOES_ON: Final[frozenset[State]] = frozenset({"queued", "running", "paused", "interrupted"})
"""States of runs that a new one would only repeat."""


def known_example(name: str) -> Example:
    """The example of a name.

    Args:
        name: Its name.

    Raises:
        NotFoundError: There is none of this name.
    """
    try:
        return find_example(name)
    except UnknownNameError as error:
        raise NotFoundError(
            str(error), option=error.option, given=name[:120], remedy="/api/examples lists them"
        ) from None


def example_list(services: Services) -> ExampleList:
    """All examples, each with its solution and its run.

    Args:
        services: The services of the server.
    """
    solutions, jobs = _solutions(services), _jobs(services)
    return {"examples": [_document(row, solutions, jobs) for row in EXAMPLES.values()]}


def example_document(services: Services, name: str) -> ExampleDocument:
    """An example, with its solution and its run.

    Args:
        services: The services of the server.
        name: The name of the example.

    Raises:
        NotFoundError: There is none of this name.
    """
    return _document(known_example(name), _solutions(services), _jobs(services))


def example_job(services: Services, name: str) -> Job | None:
    """Make the job that solves an example, unless it is solved, or a run of it may go on.

    Takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        name: The name of the example.

    Returns:
        The job, which is not queued yet; None where there is a solution or a run.

    Raises:
        NotFoundError: There is no example of this name.
    """
    text = known_example(name).text
    document = example_document(services, name)
    if document["solution"] is not None or document["job"] is not None:
        return None
    job, _ = new_job(services, spot=SpotInput(toml=text), options={"target": TARGET})
    job.solution = services.library.free_name(name, services.jobs.solutions())
    return job


def name_players(services: Services, name: str, job: Job) -> None:
    """Say of the solution of an example who plays whom in which pot.

    Args:
        services: The services of the server.
        name: The name of the example.
        job: The job that solves it.
    """
    with suppress(EquilibristError):  # its title lacks them then
        services.notes.put(job.solution, _about(known_example(name)))


def _about(row: Example) -> About:
    return About(oop=row.oop, ip=row.ip, pot_type=row.pot_type)


def _solutions(services: Services) -> dict[str, str]:
    """The best solutions of spots, by the texts of the spots."""
    best = dict[str, str]()
    for entry in played_entries(services):
        if entry.kind == SPOT_SOLUTION and entry.solves is not None:
            best.setdefault(entry.solves, entry.name)
    return best


def _jobs(services: Services) -> dict[str, Job]:
    """The newest runs that have not ended, or that may go on, by the texts of their spots."""
    newest = dict[str, Job]()
    for job in services.jobs.all():
        if job.spot is not None and job.state in _GOES_ON:
            newest.setdefault(job.spot, job)
    return newest


def _document(
    row: Example, solutions: Mapping[str, str], jobs: Mapping[str, Job]
) -> ExampleDocument:
    text = row.text
    job = jobs.get(text)
    return {
        "name": row.name,
        "kind": "spot",
        "title": title_of("spot", row.name, title_facts(SPOT_SOLUTION, text), _about(row)),
        "seconds": row.seconds,
        "target": TARGET,
        "solution": solutions.get(text),
        "job": None if job is None else job.id,
        "state": None if job is None else job.state,
    }
