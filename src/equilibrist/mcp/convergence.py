"""How far a solve has come, with units: of a solution, or of a job that runs."""

from __future__ import annotations

from typing import Any

from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.results import Result
from equilibrist.web.jobs.job import Job

Document = dict[str, Any]
PAYOFFS = "payoff units of the game"
CHIPS = "chips"
OF_CHARTS = "big blinds; with prizes, shares of the prize pool"


def convergence_of(result: Result[Any]) -> Document:
    """How good a solution is.

    Args:
        result: The solution.

    Returns:
        `iterations`, `measure` (its name), `value` with its `unit`, in a spot `percent_of_pot`,
        `target` and `target_met` (None without a target), what ended the run, and what is proven.
    """
    document: Document = {
        "iterations": result.iterations,
        "seconds": result.seconds,
        "stopped_by": ended_by(result.stopped_by),
    }
    value: float | None
    name: str | None
    if isinstance(result, PostflopResult):
        value, name, unit = result.mean_gain, result.measure_name, CHIPS
        document |= {"percent_of_pot": result.mean_gain_percent}
        is_measured = result.leaf_values is None
    else:
        unit, is_measured = PAYOFFS, result.evaluation is not None
        value = result.measure if is_measured else None
        name = result.measure_name if is_measured else None
    target = result.target
    met = None if target is None or value is None or not is_measured else value <= target
    document |= {
        "measure": name,
        "value": value,
        "unit": unit,
        "target": target,
        "target_met": met,
        "guarantee": result.guarantee,
    }
    return document


def ended_by(stopped_by: str | None) -> str | None:
    """What ended a run, in a word that an assistant can repeat: `request` for `stop_job`.

    Args:
        stopped_by: The word of results.
    """
    return "request" if stopped_by in ("callback", "interrupted") else stopped_by


def convergence_of_job(job: Job) -> Document | None:
    """How far a run has come, by its newest measurement; None before the first.

    Args:
        job: The run.
    """
    progress = job.progress
    if progress is None:
        return None
    measure, target = progress.get("measure"), progress.get("target")
    return {
        "iterations": progress.get("iteration"),
        "measure": progress.get("measure_name"),
        "value": measure,
        "unit": CHIPS if job.kind == "spot" else PAYOFFS,
        "percent_of_pot": progress.get("measure_percent") if job.kind == "spot" else None,
        "measured_at_iteration": progress.get("measured_at"),
        "target": target,
        "target_met": None if measure is None or target is None else measure <= target,
        "seconds": progress.get("seconds"),
        "iterations_per_second": progress.get("iterations_per_second"),
        "eta_seconds": progress.get("eta_seconds"),
    }
