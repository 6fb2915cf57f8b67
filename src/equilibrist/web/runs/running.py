"""Nodes of a spot that is being solved, as they are played now."""

from __future__ import annotations

from base64 import b64decode
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.answers.solutions import OpenedSpot, PresentNode
from equilibrist.web.errors import ConflictError
from equilibrist.web.jobs.job import Job
from equilibrist.web.runs.documents import job_title
from equilibrist.web.services import Services
from equilibrist.web.solutions.nodes import node_columns

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot


def running_spot(services: Services, name: str) -> OpenedSpot:
    """Describe a spot that is being solved, as `opened_spot` does a solution.

    Args:
        services: The services of the server.
        name: The job.

    Raises:
        NotFoundError: There is no such job.
        ConflictError: It does not run, or solves no spot.
    """
    job = services.jobs.get(name)
    spot = _spot_of(job)
    services.jobs.check_runs(job, "look into")
    iteration = None if job.progress is None else job.progress["iteration"]
    return {
        "name": job.solution,
        "stamp": "",
        "is_later": False,
        "run": {"job": job.id, "state": job.state, "iteration": iteration},
        "title": job_title(job),
        "seats": [*SEATS],
        "values": None,
        "gains": None,
        "pot": spot.pot,
        "board": spot.board,
        "kept_cards": 2 - spot.first_street,
        "iterations": iteration or 0,
        "measure": None,
        "measure_name": None,
        "measure_unit": None,
        "measure_percent": None,
    }


async def present_node(services: Services, name: str, line: str) -> PresentNode:
    """Ask a run what is played now at a node of its spot.

    Args:
        services: The services of the server.
        name: The job.
        line: The line of the node.

    Raises:
        NotFoundError: There is no such job.
        LineSyntaxError: The line cannot be read or played.
        ConflictError: The job does not run, solves no spot, or has not begun to iterate.
        LimitError: The run is asked for as much as may be, or takes too long to answer.
    """
    job = services.jobs.get(name)
    line = await services.work.run(_checked_line, job, line)
    answer = await services.jobs.look(job.id, line)
    return await services.work.run(node_document, job, line, answer)


def _spot_of(job: Job) -> Spot:
    """The spot of a job; raises ConflictError."""
    if job.kind != "spot" or job.spot is None:
        raise ConflictError(
            "the run solves no spot of hold'em",
            option="job",
            given=job.kind,
            remedy="look at its solution once it is saved",
        )
    return _read_spot(job.spot)


@lru_cache(8)
def _read_spot(text: str) -> Spot:
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    return spot_from_text(text)


def _checked_line(job: Job, line: str) -> str:
    """The line as nodes spell it, so that a run is asked once for all spellings."""
    from equilibrist.poker.postflop.solution.spot_strategy import way_to

    return way_to(_spot_of(job), line)[-1].line


def node_document(job: Job, line: str, answer: dict[str, Any]) -> PresentNode:
    """A node of figures that a run has sent.

    Args:
        job: The run.
        line: The line of the node.
        answer: The event `looked` of its worker.
    """
    import numpy as np

    from equilibrist.poker.postflop.solution.node_aggregates import NodeValues
    from equilibrist.poker.postflop.solution.result import PostflopResult

    with np.load(BytesIO(b64decode(answer["values"])), allow_pickle=False) as arrays:
        values = NodeValues(**arrays)
    solution = PostflopResult(
        algorithm=job.options.get("algorithm", ""),
        iterations=answer["iteration"],
        seconds=answer["seconds"],
        stopped_by="interrupted",
        spot=_spot_of(job),
        evaluate=lambda _node, _runout: values,
        storage="float32",
        mean_gain=0.0,
        memory_bytes=0,
    )
    return {**node_columns(solution, line), "iteration": answer["iteration"]}
