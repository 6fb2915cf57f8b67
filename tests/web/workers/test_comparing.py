"""Comparisons through the API: several algorithms on one game, in a process of their own."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from tests.web.following import ended, started

GAME: dict[str, Any] = {"game": "kuhn", "options": {"iterations": 40, "threads": 1}}


def test_a_comparison_has_the_numbers_of_the_library(client: TestClient) -> None:
    names = ["cfr+", "dcfr(gamma=3)", "lcfr@external"]
    job = ended(client, started(client, **GAME, algorithms=names))
    assert (job["kind"], job["state"], job["error"]) == ("compare", "done", None)
    assert (job["solution"], job["is_saved"]) == ("", False)
    whole = client.get(f"/api/jobs/{job['id']}").json()
    expected = eq.compare("kuhn", names, iterations=40, threads=1)
    for run in expected.runs:
        told = [(i, m) for i, _, m in whole["curves"][run.name]]
        assert {(p.iteration, p.measure) for p in run.points} <= set(told)
        assert told[-1] == (run.result.iterations, run.result.measure)
    assert len(whole["curves"]["cfr+"]) == 7
    reached = {one["algorithm"]: one["exploitability"] for one in whole["comparison"]["algorithms"]}
    assert reached == {run.name: run.result.exploitability for run in expected.runs}
    listed = client.get("/api/jobs").json()["jobs"][0]
    assert (listed["algorithms"], listed["curves"]) == (names, {})


def test_other_measures_are_compared_by_them(client: TestClient) -> None:
    game = {"game": "kuhn(players=3)", "options": {"iterations": 9, "measure": "cce"}}
    job = ended(client, started(client, **game, algorithms=["cfr", "cfr+"]))
    assert job["comparison"]["measure"] == "NFCCE gap"
    assert set(job["curves"]) == {"cfr", "cfr+"}
    job = ended(client, started(client, **game, algorithms=["cfr", "@outcome"]))
    assert (job["state"], job["error"]["option"]) == ("failed", "measure")


def test_an_algorithm_that_does_not_fit_is_left_out(client: TestClient) -> None:
    options = {"iterations": 9}
    job = started(client, game="kuhn(players=3)", algorithms=["lp", "cfr"], options=options)
    job = ended(client, job)
    assert job["state"] == "done"
    assert [one["algorithm"] for one in job["comparison"]["failed"]] == ["lp"]
    assert [one["algorithm"] for one in job["comparison"]["algorithms"]] == ["cfr"]


def test_a_comparison_can_be_stopped_but_not_paused(client: TestClient) -> None:
    options = {"iterations": 10**9}
    job = started(client, game="leduc", algorithms=["cfr", "dcfr"], options=options)
    _until_it_iterates(client, job)
    assert client.post(f"/api/jobs/{job['id']}/pause").json()["option"] == "kind"
    client.post(f"/api/jobs/{job['id']}/stop")
    stopped = ended(client, job)
    assert stopped["state"] == "stopped"
    assert list(stopped["curves"]) == ["cfr"]


def test_a_killed_comparison_is_said_and_can_be_started_again(client: TestClient) -> None:
    options = {"iterations": 10**9}
    job = started(client, game="leduc", algorithms=["cfr", "dcfr"], options=options)
    _until_it_iterates(client, job)
    worker = client.services.jobs.workers[job["id"]]  # type: ignore[attr-defined]
    os.kill(worker.pid, signal.SIGKILL)
    died = ended(client, job)
    assert (died["state"], died["error"]["kind"]) == ("interrupted", "WorkerDied")
    assert "again" in died["error"]["remedy"]
    again = client.post(f"/api/jobs/{job['id']}/resume").json()
    assert (again["error"], again["curves"]) == (None, {})
    _until_it_iterates(client, job)
    client.post(f"/api/jobs/{job['id']}/stop")
    assert ended(client, job)["state"] == "stopped"


def _until_it_iterates(client: TestClient, job: dict[str, Any]) -> None:
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        for line in answer.iter_lines():
            if '"curves": {"cfr"' in line:
                return
    raise AssertionError("it has not begun")


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"algorithms": []}, "algorithms"),
        ({"algorithms": ["cfr", "cfr"]}, "algorithms"),
        ({"algorithms": ["nonsense"]}, "algorithm"),
        ({"algorithms": ["cfr@nonsense"]}, "sampler"),
        ({"algorithms": ["hs-dcfr"], "options": {"seconds": 1}}, "iterations"),
        ({"algorithms": ["my.py:Mine"]}, "algorithm"),
        ({"algorithms": ["cfr@my.py:Mine"]}, "sampler"),
        ({"algorithms": [f"dcfr(gamma={k})" for k in range(1, 20)]}, "algorithms"),
        ({"options": {"algorithm": "cfr"}}, "option"),
        ({"options": {"target": -1}}, "target"),
        ({"game": "rules.py:Mine"}, "game"),
        ({"game": None, "spot": {"toml": ""}}, "algorithms"),
    ],
)
def test_bad_comparisons_are_refused(client: TestClient, change: Any, option: str) -> None:
    answer = client.post("/api/jobs", json={"game": "kuhn", "algorithms": ["cfr"], **change})
    assert answer.status_code in (403, 422, 429), answer.text
    assert answer.json()["option"] == option
    assert client.get("/api/jobs").json()["jobs"] == []
