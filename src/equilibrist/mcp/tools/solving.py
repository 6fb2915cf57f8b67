"""Tools that solve: each starts a job, and waits for it a while."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.mcp.convergence import PAYOFFS, convergence_of_job, ended_by
from equilibrist.mcp.progress import job_notice, notices
from equilibrist.mcp.tool import MOST_WAIT, Arguments, Document, NothingArguments, Tool
from equilibrist.mcp.tools.games import game_for
from equilibrist.mcp.tools.solutions import solution_document
from equilibrist.mcp.tools.spots import SpotFields, spot_for
from equilibrist.mcp.workspace import Workspace
from equilibrist.web.api.orders import Value
from equilibrist.web.errors import ConflictError
from equilibrist.web.jobs.job import ACTIVE, WITHOUT_NEW_LIMITS, Job
from equilibrist.web.runs.documents import (
    continue_changes,
    job_line,
    job_source,
    new_job,
    stop_job,
)

_WAIT: Final = 15.0
_MOST_JOBS: Final = 50
"""Jobs in one list."""


class Limits(Arguments):
    """When a solve ends, and how long the tool waits for it."""

    iterations: int | None = Field(None, ge=1, description="Stop after this many iterations.")
    target: str | float | None = Field(
        None,
        description="Stop at this exploitability: of a game in its payoff units, as 0.001; "
        "of a spot 0.3% of the pot, or 0.5c in chips.",
    )
    seconds: float | None = Field(None, gt=0, description="Stop after this many seconds.")
    wait: float = Field(
        _WAIT,
        ge=0,
        le=MOST_WAIT,
        description="Seconds to wait for the end; a job that takes longer goes on, see job_status.",
    )

    @property
    def limits(self) -> dict[str, Value | None]:
        """The options of the solve that end it."""
        given = {"iterations": self.iterations, "target": self.target, "seconds": self.seconds}
        return {name: value for name, value in given.items() if value is not None}


_OPTIONS: Final[Any] = Field(
    default_factory=dict,
    description="Further options of `equilibrist solve` (of a spot: of `postflop solve`) by name, "
    "such as seed, threads, memory, storage.",
)


class GameArguments(Limits):
    """A solve of a game."""

    game: str = Field(
        description="A game: kuhn, leduc(players=3), matrix(payoffs=[[0,1],[1,0]]), ... "
        "(list_games lists them), or the path of a file: .efg, .nfg or a payoff table."
    )
    algorithm: str | None = Field(None, description="By default dcfr; see list_algorithms.")
    sampler: str | None = Field(
        None, description="Sample instead of traversing the whole tree, as external or outcome."
    )
    options: dict[str, Value | None] = _OPTIONS


class SpotArguments(SpotFields, Limits):
    """A solve of a hold'em spot."""

    options: dict[str, Value | None] = _OPTIONS


class RaceArguments(Limits):
    """A race of algorithms."""

    game: str = Field(description="As for solve_game.")
    algorithms: list[str] = Field(
        min_length=2, description="What races, as cfr+, dcfr(gamma=3), lcfr@external."
    )
    options: dict[str, Value | None] = _OPTIONS


class JobArguments(Arguments):
    """A job."""

    job: str = Field(description="The id of the job.")


class StatusArguments(JobArguments):
    """A job, and how long to wait for its end."""

    wait: float = Field(0, ge=0, le=MOST_WAIT, description="Seconds to wait for its end.")


class ResumeArguments(JobArguments, Limits):
    """A job that goes on, perhaps with new limits."""


async def solve_game(workspace: Workspace, given: GameArguments) -> Document:
    """Start the solve of a game, and wait for it."""
    options = {**given.options, **given.limits}
    named = {"algorithm": given.algorithm, "sampler": given.sampler}
    options |= {name: value for name, value in named.items() if value is not None}
    game = await game_for(workspace, given.game)
    return await _started(workspace, given.wait, game=game, options=options)


async def solve_spot(workspace: Workspace, given: SpotArguments) -> Document:
    """Start the solve of a spot, and wait for it."""
    spot, note = await spot_for(workspace, given)
    options = {**given.options, **given.limits}
    document = await _started(workspace, given.wait, spot=spot, options=options)
    return {**document, "note_on_file": note}


async def compare_algorithms(workspace: Workspace, given: RaceArguments) -> Document:
    """Start a race, and wait for it."""
    options = {**given.options, **given.limits}
    return await _started(
        workspace,
        given.wait,
        game=await game_for(workspace, given.game),
        algorithms=given.algorithms,
        options=options,
    )


async def _started(workspace: Workspace, wait: float, **order: Any) -> Document:
    """Queue a job, and answer with what it has come to within some seconds."""
    services = workspace.services

    def create() -> tuple[Job, str]:
        return new_job(services, **order)

    job, source = await asyncio.to_thread(create)
    services.jobs.add(job, source)
    try:
        return await _waited(workspace, job.id, wait)
    except asyncio.CancelledError:  # the client has never been told of this job
        if job.state in ACTIVE:
            workspace.later(stop_job(services, job.id))
        raise


async def _waited(workspace: Workspace, name: str, wait: float) -> Document:
    """A job after its end, or after some seconds."""
    jobs = workspace.services.jobs
    async with notices(lambda waited: job_notice(jobs.get(name), waited)):
        try:
            async with asyncio.timeout(wait):
                async for job in jobs.watch(name):
                    if job.state not in ACTIVE:
                        break
        except TimeoutError:
            pass
    return await asyncio.to_thread(job_document, workspace, jobs.get(name))


def job_document(workspace: Workspace, job: Job) -> Document:
    """What is told of a job: of one that has ended its result, too.

    Args:
        workspace: The folder.
        job: The job.
    """
    line = job_line(job, workspace.services)
    document: Document = {
        "job": job.id,
        "kind": job.kind,
        "game": job.game,
        "state": job.state,
        "options": {name: text for name, text in job.options.items() if name != "memory"},
        "stage": line["stage"] if job.state in ACTIVE else None,
        "waits_for": line["waits_for"],
        "stopped_by": ended_by(job.stopped_by),
        "note": job.note,
        "error": line["error"],
        "can_resume": line["can_resume"] or None,
    }
    if job.kind == "compare":
        if job.comparison is None:
            return {**document, "reached": _reached(job)}
        return {**document, **_comparison(job.comparison)}
    if line["is_saved"] and job.state not in ACTIVE:
        document |= {"solution": job.solution, **solution_document(workspace, job.solution)}
        return document
    document["convergence"] = convergence_of_job(job)
    if job.state in ACTIVE:
        document["next"] = "ask again with `job_status` and a `wait`, or end it with `stop_job`"
    return document


def _reached(job: Job) -> Document:
    """How far the entries of a race that runs have come: iterations and measure of each."""
    newest = {name: points[-1] for name, points in job.curves.items() if points}
    return {name: {"iterations": point[0], "value": point[2]} for name, point in newest.items()}


def _comparison(comparison: Mapping[str, Any]) -> Document:
    """What the entries of a race have reached, the best first."""
    measure = "exploitability" if comparison["measure"] == "exploitability" else "nash_conv"
    entries = sorted(
        comparison["algorithms"], key=lambda entry: (entry[measure] is None, entry[measure])
    )
    return {
        "measure": comparison["measure"],
        "unit": PAYOFFS,
        "algorithms": [
            {
                "algorithm": entry["algorithm"],
                "value": entry["gap"] if entry.get("gap") is not None else entry[measure],
                "iterations": entry["iterations"],
                "seconds": entry["seconds"],
                "stopped_by": entry["stopped_by"],
                "values": entry["values"],
                "runs": len(entry["runs"]),
            }
            for entry in entries
        ],
        "failed": comparison["failed"] or None,
    }


async def list_jobs(workspace: Workspace, given: NothingArguments) -> Document:  # noqa: ARG001
    """All jobs in a line each."""
    jobs = workspace.services.jobs
    rows = [
        {
            "job": job.id,
            "kind": job.kind,
            "game": job.game,
            "state": job.state,
            "solution": job.solution if jobs.has_solution(job) else None,
            "convergence": None if job.kind == "compare" else _brief(convergence_of_job(job)),
            "reached": (_reached(job) or None) if job.kind == "compare" else None,
        }
        for job in jobs.all()
    ]
    return {**jobs.facts(), "jobs": rows[:_MOST_JOBS], "more": max(0, len(rows) - _MOST_JOBS)}


def _brief(convergence: Document | None) -> Mapping[str, Any] | None:
    if convergence is None:
        return None
    return {name: convergence[name] for name in ("iterations", "measure", "value", "unit")}


async def job_status(workspace: Workspace, given: StatusArguments) -> Document:
    """Where a job stands, after waiting for it."""
    return await _waited(workspace, given.job, given.wait)


async def job_result(workspace: Workspace, given: JobArguments) -> Document:
    """What a job has found; ConflictError while it has not ended."""
    job = workspace.services.jobs.get(given.job)
    if job.state in ACTIVE:
        raise ConflictError(
            f"the job {job.id} is {job.state}",
            option="job",
            given=job.id,
            remedy="wait for it with `job_status`, or end it with `stop_job`, which keeps what it "
            "has found",
        )
    return await asyncio.to_thread(job_document, workspace, job)


async def stop(workspace: Workspace, given: StatusArguments) -> Document:
    """End a job; what it has found stays."""
    await stop_job(workspace.services, given.job)
    return await _waited(workspace, given.job, given.wait)


async def resume(workspace: Workspace, given: ResumeArguments) -> Document:
    """Go on with a job that has ended, with its limits or new ones."""
    services = workspace.services
    job = services.jobs.get(given.job)
    changes: dict[str, str | None] | None = None
    # A race that is done takes no new limits, which nobody shall be asked for.
    if given.limits or (job.state == "done" and job.kind in WITHOUT_NEW_LIMITS):
        limits = {name: given.limits.get(name) for name in ("iterations", "target", "seconds")}
        source, changes = await asyncio.to_thread(continue_changes, services, job, limits)
    elif job.state == "done":
        raise ConfigError(
            f"the job {job.id} has met its limits",
            option="iterations",
            remedy="give new limits: iterations, target or seconds",
        )
    else:
        source = await asyncio.to_thread(job_source, services, job)
    services.jobs.resume(given.job, source, changes)
    return await _waited(workspace, given.job, given.wait)


TOOLS = (
    Tool(
        "solve_game",
        "Find an equilibrium strategy of a game by counterfactual regret minimisation. Answers "
        "with the result and how far it has converged, or with a job that goes on.",
        GameArguments,
        solve_game,
        reads_only=False,
    ),
    Tool(
        "solve_spot",
        "Solve a heads-up hold'em spot from the flop, turn or river on. Answers with frequencies, "
        "EV and equity at the root in chips and with the exploitability, or with a job that goes "
        "on. A flop may take minutes and gigabytes: `estimate_spot` says so beforehand.",
        SpotArguments,
        solve_spot,
        reads_only=False,
    ),
    Tool(
        "compare_algorithms",
        "Let algorithms race on a game with the same limits; answers with the measure that each "
        "reached.",
        RaceArguments,
        compare_algorithms,
        reads_only=False,
    ),
    Tool("list_jobs", "List all jobs, the newest first.", NothingArguments, list_jobs),
    Tool(
        "job_status",
        "Say where a job stands: state, iterations, measure with its unit, whether the target is "
        "met; of one that has ended its result, too.",
        StatusArguments,
        job_status,
    ),
    Tool("job_result", "Give the result of a job that has ended.", JobArguments, job_result),
    Tool(
        "stop_job",
        "End a job. Its solution so far is kept, and it can be resumed.",
        StatusArguments,
        stop,
        reads_only=False,
    ),
    Tool(
        "resume_job",
        "Go on with a job that was stopped or interrupted, or with one that is done and new "
        "limits.",
        ResumeArguments,
        resume,
        reads_only=False,
    ),
)
