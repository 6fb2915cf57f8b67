"""Races through the API: several algorithms on one game, in a process of their own."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from tests.web.following import ended, started

GAME: dict[str, Any] = {"game": "kuhn", "options": {"iterations": 40, "threads": 1}}


@pytest.mark.slow
def test_a_race_has_the_numbers_of_the_library(client: TestClient) -> None:
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


@pytest.mark.slow
def test_seeds_run_side_by_side_and_have_a_band(client: TestClient) -> None:
    names = ["cfr+", "@external"]
    options = {"iterations": 3000, "threads": 1, "seeds": 3, "side_by_side": True}
    job = ended(client, started(client, game="kuhn", options=options, algorithms=names))
    assert (job["state"], job["error"]) == ("done", None)
    whole = client.get(f"/api/jobs/{job['id']}").json()
    assert list(whole["bands"]) == ["@external"]
    assert "more_seeds" not in whole
    runs = eq.compare("kuhn", "@external", iterations=3000, seeds=3).runs[0].results
    traces = [{p.iteration: p.measure for p in run.trace} for run in runs]
    rows = {int(iteration): row for iteration, _seconds, *row in whole["bands"]["@external"]}
    assert set(rows) >= set(traces[0])  # and the first, which is measured to be shown alone
    for iteration in traces[0]:
        assert rows[iteration] == sorted(trace[iteration] for trace in traces)
    assert whole["bands"]["@external"][-1][0] == 3000
    ran = next(one for one in job["comparison"]["algorithms"] if one["algorithm"] == "@external")
    assert [one["seed"] for one in ran["runs"]] == [0, 1, 2]
    assert client.get("/api/jobs").json()["jobs"][0]["bands"] == {}


@pytest.mark.slow
def test_what_trains_networks_races_with_tables(client: TestClient) -> None:
    names = ["dcfr", "sd-cfr(walks=40,learner=table)"]
    options = {"iterations": 9, "threads": 1, "seeds": 2, "side_by_side": True}
    job = ended(client, started(client, game="kuhn", options=options, algorithms=names))
    assert (job["state"], job["error"]) == ("done", None)
    whole = client.get(f"/api/jobs/{job['id']}").json()
    expected = eq.compare("kuhn", names, iterations=9, seeds=2)
    assert set(whole["curves"]) == set(names)
    assert list(whole["bands"]) == names[1:]
    for run, ran in zip(expected.runs, job["comparison"]["algorithms"], strict=True):
        assert ran["exploitability"] == run.result.exploitability
        assert [one["seed"] for one in ran["runs"]] == [0, 1][: len(run.results)]


def test_networks_are_refused_where_pytorch_is_missing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    answer = client.post("/api/jobs", json={**GAME, "algorithms": ["dcfr", "nfsp"]})
    said = answer.json()
    assert (answer.status_code, said["option"], said["given"]) == (422, "package", "torch")
    assert "equilibrist[nets]" in said["remedy"]
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.slow
def test_a_race_side_by_side_that_is_stopped_tells_what_it_reached(client: TestClient) -> None:
    options = {"iterations": 10**9, "side_by_side": True, "threads": 1}
    job = started(client, game="leduc", algorithms=["cfr", "dcfr"], options=options)
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        for line in answer.iter_lines():
            if '"cfr": [[' in line and '"dcfr": [[' in line:
                break
    client.post(f"/api/jobs/{job['id']}/stop")
    stopped = ended(client, job)
    assert stopped["state"] == "stopped"
    assert [one["algorithm"] for one in stopped["comparison"]["algorithms"]] == ["cfr", "dcfr"]


@pytest.mark.slow
def test_a_race_whose_process_dies_says_so_and_runs_again(client: TestClient) -> None:
    options = {"seconds": 2, "side_by_side": True, "threads": 1}
    job = started(client, game="leduc", algorithms=["cfr", "dcfr"], options=options)
    services = client.services  # type: ignore[attr-defined]
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        for line in answer.iter_lines():
            if '"dcfr": [[' in line:
                break
    services.jobs.workers[job["id"]].kill()
    dead = ended(client, job)
    assert (dead["state"], dead["error"]["kind"]) == ("interrupted", "WorkerDied")
    assert (dead["error"]["remedy"], dead["can_resume"]) == ("start it again", False)
    assert set(dead["curves"]) == {"cfr", "dcfr"}
    client.post(f"/api/jobs/{job['id']}/resume")
    again = ended(client, job)
    assert (again["state"], again["error"]) == ("done", None)


@pytest.mark.slow
def test_races_are_run_by_other_measures_too(client: TestClient) -> None:
    game = {"game": "kuhn(players=3)", "options": {"iterations": 9, "measure": "cce"}}
    job = ended(client, started(client, **game, algorithms=["cfr", "cfr+"]))
    assert job["comparison"]["measure"] == "NFCCE gap"
    assert set(job["curves"]) == {"cfr", "cfr+"}
    job = ended(client, started(client, **game, algorithms=["cfr", "@outcome"]))
    assert (job["state"], job["error"]["option"]) == ("failed", "measure")


@pytest.mark.slow
def test_an_algorithm_that_does_not_fit_is_left_out(client: TestClient) -> None:
    options = {"iterations": 9}
    job = started(client, game="kuhn(players=3)", algorithms=["lp", "cfr"], options=options)
    job = ended(client, job)
    assert job["state"] == "done"
    assert [one["algorithm"] for one in job["comparison"]["failed"]] == ["lp"]
    assert [one["algorithm"] for one in job["comparison"]["algorithms"]] == ["cfr"]


@pytest.mark.slow
def test_a_race_can_be_stopped_but_not_paused(client: TestClient) -> None:
    options = {"iterations": 10**9}
    job = started(client, game="leduc", algorithms=["cfr", "dcfr"], options=options)
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        for line in answer.iter_lines():
            if '"curves": {"cfr"' in line:
                break
    assert client.post(f"/api/jobs/{job['id']}/pause").json()["option"] == "kind"
    client.post(f"/api/jobs/{job['id']}/stop")
    stopped = ended(client, job)
    assert stopped["state"] == "stopped"
    assert list(stopped["curves"]) == ["cfr"]


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"algorithms": []}, "algorithms"),
        ({"algorithms": ["cfr", "cfr"]}, "algorithms"),
        ({"algorithms": ["nonsense"]}, "algorithm"),
        ({"algorithms": ["cfr@nonsense"]}, "sampler"),
        ({"algorithms": ["hs-dcfr"], "options": {"seconds": 1}}, "iterations"),
        ({"algorithms": ["my.py:Mine"]}, "algorithm"),
        ({"algorithms": ["sd-cfr(learner=table)@external"]}, "sampler"),
        ({"algorithms": ["sd-cfr(walks=0,learner=table)"]}, "walks"),
        ({"algorithms": ["cfr@my.py:Mine"]}, "sampler"),
        ({"algorithms": [f"dcfr(gamma={k})" for k in range(1, 20)]}, "algorithms"),
        ({"options": {"algorithm": "cfr"}}, "option"),
        ({"options": {"target": -1}}, "target"),
        ({"options": {"seeds": 3}}, "seeds"),
        ({"options": {"seeds": 0}}, "seeds"),
        ({"options": {"seeds": 61}, "algorithms": ["@external"]}, "seeds"),
        ({"options": {"side_by_side": "perhaps"}}, "side_by_side"),
        ({"options": {"repeat": 2}}, "option"),
        ({"game": "rules.py:Mine"}, "game"),
        ({"game": None, "spot": {"toml": ""}}, "algorithms"),
    ],
)
def test_bad_races_are_refused(client: TestClient, change: Any, option: str) -> None:
    answer = client.post("/api/jobs", json={"game": "kuhn", "algorithms": ["cfr"], **change})
    assert answer.status_code in (403, 422, 429), answer.text
    assert answer.json()["option"] == option
    assert client.get("/api/jobs").json()["jobs"] == []
