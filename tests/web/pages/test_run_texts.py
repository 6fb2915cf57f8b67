"""What pages say of runs: estimates with no more digits than they are good for."""

from __future__ import annotations

import pytest

from equilibrist.web.answers.solutions import SolutionRun
from equilibrist.web.jobs.job import Job
from equilibrist.web.pages.runs.texts import as_of, iteration_of, measure_of, rough_time


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "less than 1 s"),
        (0.0642, "less than 1 s"),
        (1.2, "about 1 s"),
        (9.4, "about 9 s"),
        (12.8, "about 15 s"),
        (57.0, "about 55 s"),
        (59.0, "about 1 min"),
        (95.0, "about 2 min"),
        (3569.0, "about 59 min"),
        (3590.0, "about 1.0 h"),
        (1e5, "about 28 h"),
    ],
)
def test_estimates_are_rough(seconds: float, text: str) -> None:
    assert rough_time(seconds) == text


def test_a_solution_of_a_run_that_goes_on_says_so() -> None:
    run: SolutionRun = {"job": "x", "state": "running", "iteration": 1355}
    assert as_of(run, 41) == "As of iteration 41 of a run that is running, now at iteration 1,355."
    assert as_of({**run, "iteration": 41}, 41) == "As of iteration 41 of a run that is running."
    assert as_of(None, 41) == ""


def test_a_race_has_no_figure_of_its_own() -> None:
    """What it tells last is of one run of one entry, of which its page shows all."""
    job = Job("x", "compare", "kuhn", {}, "", 0, 0.0, state="done", algorithms=["cfr", "lcfr"])
    job.progress = {"iteration": 400, "measure": 2.81, "measured_at": 400}
    assert (iteration_of(job), measure_of(job)) == ("", "")
    job.kind = "game"
    assert iteration_of(job) == "400"
    assert measure_of(job)
