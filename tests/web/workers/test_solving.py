"""Solves through the API: processes of their own, with the command line's numbers."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import poker
from equilibrist.errors import CheckpointError
from equilibrist.web.jobs.job import CHECKPOINT
from equilibrist.web.security.short_names import with_short_names
from equilibrist.web.workers.order import ReadOrder, short_names_of
from equilibrist.web.workers.solving import alone
from tests.web.conftest import SPOT, THREE
from tests.web.following import ended, running, started

COUNT = 12_000
"""Iterations that take most of a second."""


def _same(client: TestClient, job: dict[str, Any], iterations: int) -> None:
    """The solution of a job has the bits of a run in this process."""
    shown = client.get(f"/api/solutions/{job['solution']}/node?line=X").json()
    expected = poker.solve(SPOT, iterations=iterations).to_dict("X")
    for key in ("node", "iterations", "exploitability_chips"):
        assert shown[key] == expected[key], key


def test_a_solve_has_the_bits_of_the_command_line(client: TestClient) -> None:
    job = ended(client, started(client, spot={"toml": SPOT.to_toml()}, options={"iterations": 8}))
    assert (job["state"], job["stopped_by"]) == ("done", "iterations"), job["error"]
    _same(client, job, 8)
    curve = client.get(f"/api/jobs/{job['id']}").json()["points"]
    last = poker.solve(SPOT, iterations=8).trace[-1]
    assert (curve[-1][0], curve[-1][2]) == (last.iteration, last.measure)


def test_a_solve_of_three_tells_what_each_gains(client: TestClient) -> None:
    options = {"iterations": 30, "threads": 1}
    started_job = started(client, spot={"toml": THREE.to_toml()}, options=options)
    job = ended(client, started_job)
    assert (job["state"], job["stopped_by"]) == ("done", "iterations"), job["error"]
    expected = poker.solve_three(THREE, iterations=30, threads=1)
    assert job["progress"]["gains"] == list(expected.gains)
    assert job["progress"]["measure"] == expected.nash_conv
    shown = client.get(f"/api/solutions/{job['solution']}/node?line=X").json()
    assert shown["node"] == expected.to_dict("X")["node"]
    head = client.get(f"/api/solutions/{job['solution']}/spot").json()
    assert (head["values"], head["gains"]) == (list(expected.values), list(expected.gains))


@pytest.mark.slow  # as the test below, for another engine
def test_a_spot_that_goes_on_further_has_the_bits_of_one_run(client: TestClient) -> None:
    job = ended(client, started(client, spot={"toml": SPOT.to_toml()}, options={"iterations": 8}))
    continued = client.post(f"/api/jobs/{job['id']}/continue", json={"iterations": 12})
    assert continued.json()["options"] == {"iterations": "12"}
    assert ended(client, job)["state"] == "done"
    _same(client, job, 12)


def _leduc_is_that_of_one_run(client: TestClient, job: dict[str, Any]) -> None:
    client.post(f"/api/jobs/{job['id']}/resume")
    done = ended(client, job)
    assert (done["state"], done["error"]) == ("done", None)
    shown = client.get(f"/api/solutions/{job['solution']}").json()["solution"]
    expected = eq.solve("leduc", iterations=COUNT).to_dict()
    assert shown["strategy"] == expected["strategy"]


@pytest.mark.slow
def test_a_run_that_is_killed_has_the_bits_of_one_that_is_not(client: TestClient) -> None:
    job = running(client, started(client, game="leduc", options={"iterations": COUNT}))
    worker = client.services.jobs.workers[job["id"]]  # type: ignore[attr-defined]
    os.kill(worker.pid, signal.SIGKILL)
    died = ended(client, job)
    assert (died["state"], died["error"]["kind"]) == ("interrupted", "WorkerDied")
    assert died["can_resume"]
    _leduc_is_that_of_one_run(client, job)


@pytest.mark.slow  # as the one above
def test_a_run_that_is_paused_has_the_bits_of_one_that_is_not(client: TestClient) -> None:
    job = running(client, started(client, game="leduc", options={"iterations": COUNT}))
    client.post(f"/api/jobs/{job['id']}/pause")
    paused = ended(client, job)
    assert (paused["state"], paused["is_saved"]) == ("paused", True)
    assert paused["stopped_by"] == "callback"
    _leduc_is_that_of_one_run(client, job)


@pytest.mark.slow
@pytest.mark.parametrize("problem", [{"game": "leduc"}, {"spot": {"toml": SPOT.to_toml()}}])
def test_a_run_that_is_killed_and_stopped_is_saved(client: TestClient, problem: Any) -> None:
    options = {"iterations": 10**7, "algorithm": "cfr"}
    job = running(client, started(client, **problem, options=options))
    os.kill(client.services.jobs.workers[job["id"]].pid, signal.SIGKILL)  # type: ignore[attr-defined]
    died = ended(client, job)
    assert (died["state"], died["is_saved"]) == ("interrupted", False)
    client.post(f"/api/jobs/{job['id']}/stop")
    stopped = ended(client, job)
    assert (stopped["state"], stopped["is_saved"], stopped["error"]) == ("stopped", True, None)
    (listed,) = client.get("/api/solutions").json()["solutions"]
    assert listed["iterations"] == max(died["checkpoint"]["iteration"], 1)


@pytest.mark.slow
def test_what_is_saved_is_the_newest_iteration(client: TestClient) -> None:
    job = running(client, started(client, game="leduc", options={"iterations": 10**7}))
    path = f"/api/jobs/{job['id']}"
    while (now := client.get(path).json())["progress"]["iteration"] < 2000:
        time.sleep(0.02)
    saved = client.post(f"{path}/save").json()  # the next checkpoint is due in ten seconds
    assert saved["checkpoint"]["iteration"] >= now["progress"]["iteration"]
    assert saved["checkpoint"]["age_seconds"] < 600
    (listed,) = client.get("/api/solutions").json()["solutions"]
    assert listed["iterations"] >= now["progress"]["iteration"]
    assert (listed["run"]["job"], listed["run"]["state"]) == (job["id"], "running")
    assert listed["run"]["iteration"] >= listed["iterations"]
    os.kill(client.services.jobs.workers[job["id"]].pid, signal.SIGKILL)  # type: ignore[attr-defined]
    died = ended(client, job)
    assert f"{died['checkpoint']['iteration']:,}" in died["error"]["remedy"]
    resumed = client.post(f"{path}/resume").json()
    assert resumed["seconds"] == resumed["checkpoint"]["seconds"]  # it goes on from there
    assert max(point[0] for point in resumed["points"]) <= resumed["checkpoint"]["iteration"]
    client.post(f"{path}/stop")
    assert ended(client, job)["state"] == "stopped"
    assert client.get("/api/solutions").json()["solutions"][0]["run"] is None


@pytest.mark.slow  # two processes
@pytest.mark.parametrize("ends", ["stopped", "interrupted"])
def test_saving_ends_with_the_newest_solution_when_the_run_ends_meanwhile(
    client: TestClient, ends: str
) -> None:
    job = running(client, started(client, game="leduc", options={"iterations": 10**8}))
    path = f"/api/jobs/{job['id']}"
    at = (client.get(path).json()["checkpoint"] or {"iteration": 0})["iteration"]
    with ThreadPoolExecutor() as pool:
        saving = pool.submit(client.post, f"{path}/save")
        while job["id"] not in client.services.jobs._saving:  # type: ignore[attr-defined]
            time.sleep(0.001)
        again = client.post(f"{path}/save")
        assert (again.status_code, again.json()["option"]) == (409, "job")
        while ((client.get(path).json()["checkpoint"]) or {"iteration": 0})["iteration"] == at:
            time.sleep(0.02)
        if ends == "stopped":
            client.post(f"{path}/stop")
        else:
            os.kill(client.services.jobs.workers[job["id"]].pid, signal.SIGKILL)  # type: ignore[attr-defined]
        ended(client, job)
        assert saving.result().status_code == 200
    found = client.get(path).json()
    assert (found["state"], found["is_saved"]) == (ends, True)
    (listed,) = client.get("/api/solutions").json()["solutions"]
    known = found["progress"] if ends == "stopped" else found["checkpoint"]
    assert listed["iterations"] >= known["iteration"]


@pytest.mark.slow  # two processes, and a run that takes as long as both
@pytest.mark.parametrize("problem", [{"game": "leduc"}, {"spot": {"toml": SPOT.to_toml()}}])
def test_what_a_running_job_has_found_is_saved(client: TestClient, problem: Any) -> None:
    # CFR gains a little for very long: neither problem stalls.
    options = {"iterations": 10**7, "algorithm": "cfr"}
    job = running(client, started(client, **problem, options=options), can_resume=False)
    saved = client.post(f"/api/jobs/{job['id']}/save").json()
    assert (saved["state"], saved["is_saved"]) == ("running", True)
    shown = client.get(f"/api/solutions/{job['solution']}").json()["solution"]
    if "game" in problem:
        expected = eq.solve("leduc", "cfr", iterations=shown["iterations"]).to_dict()
        assert shown["strategy"] == expected["strategy"]
    else:
        expected = poker.solve(SPOT, "cfr", iterations=shown["iterations"]).to_dict()
        assert shown["node"] == expected["node"]
    folder = client.services.folders.jobs / job["id"]  # type: ignore[attr-defined]
    assert {path.name for path in folder.iterdir()} >= {"job.json", "run.ckpt"}
    assert not [path for path in folder.iterdir() if path.is_dir()]
    client.post(f"/api/jobs/{job['id']}/stop")
    assert ended(client, job)["state"] == "stopped"


@pytest.mark.slow  # processes
@pytest.mark.parametrize("problem", [{"game": "leduc"}, {"spot": {"toml": SPOT.to_toml()}}])
def test_what_was_found_stays_where_the_checkpoint_cannot_be_written(
    client: TestClient, problem: Any
) -> None:
    job = started(client, **problem, options={"iterations": 10**8})
    job = running(client, job, can_resume=False)
    place = client.services.folders.jobs / job["id"] / CHECKPOINT  # type: ignore[attr-defined]
    place.unlink(missing_ok=True)
    place.mkdir()
    (place / "in the way").touch()
    client.post(f"/api/jobs/{job['id']}/stop")
    failed = ended(client, job)
    assert (failed["state"], failed["is_saved"]) == ("failed", True)
    assert failed["error"]["kind"] == "OutputError"
    (listed,) = client.get("/api/solutions").json()["solutions"]
    assert listed["iterations"] == failed["progress"]["iteration"]


def test_errors_name_no_folders_behind_links(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    order = ReadOrder("game", str(tmp_path / "link" / "game.efg"), 1)
    said = {"error": f"cannot read {tmp_path}/data/game.efg, nor {tmp_path}/link/game.efg"}
    assert with_short_names(said, short_names_of(order)) == {
        "error": "cannot read game.efg, nor game.efg"
    }


def test_one_process_at_a_time_runs_a_job(tmp_path: Path) -> None:
    with alone(tmp_path):
        with pytest.raises(CheckpointError), alone(tmp_path):
            pass
        assert (tmp_path / "lock").exists()
    with alone(tmp_path):
        pass
