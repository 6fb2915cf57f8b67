"""The queue and its limits, with workers that do as they are told."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.jobs import checkpoints, manager, room
from equilibrist.web.jobs.checkpoints import CheckpointFacts
from equilibrist.web.jobs.job import CHECKPOINT, MOST_POINTS, Job
from equilibrist.web.jobs.outcomes import outcome_of
from equilibrist.web.workers.order import SolveOrder
from tests.web.conftest import SPOT, put
from tests.web.following import ended, running, started
from tests.web.scripted import ScriptedWorker

MakeClient = Callable[..., TestClient]


def _tell(client: TestClient, worker: ScriptedWorker, word: str) -> None:
    client.portal.call(worker.tell, word)


def test_jobs_wait_until_memory_is_free(
    make_client: MakeClient, workers: list[ScriptedWorker]
) -> None:
    client = make_client(limits={"memory": 10**9, "queue": 3, "running": 2, "jobs": 3})
    half = {"memory": "600MB"}
    first = running(client, started(client, game="leduc", options=half))
    second = started(client, game="leduc", options=half)
    assert second["state"] == "queued"  # both would need more than there is
    too_large = client.post("/api/jobs", json={"game": "kuhn", "options": {"memory": "2GB"}})
    assert (too_large.status_code, too_large.json()["option"]) == (429, "memory")
    third = started(client, game="kuhn", options={"iterations": 10})
    assert third["state"] == "queued"  # in its order
    full = client.post("/api/jobs", json={"game": "kuhn"})
    assert (full.status_code, full.json()["option"], full.json()["expected"]) == (429, "queue", 3)
    facts = client.get("/api/jobs").json()
    assert (facts["running"], facts["queued"]) == (1, 2)
    assert facts["memory_in_use_bytes"] == 600_000_000
    assert client.post(f"/api/jobs/{second['id']}/stop").json()["state"] == "stopped"
    _tell(client, workers[0], "finish")
    assert ended(client, first)["state"] == "done"
    running(client, third)
    _tell(client, workers[0], "finish")
    assert ended(client, third)["state"] == "done"
    full = client.post("/api/jobs", json={"game": "kuhn"})
    assert (full.status_code, full.json()["option"]) == (429, "jobs")


def test_so_many_run_at_once(make_client: MakeClient, workers: list[ScriptedWorker]) -> None:
    client = make_client(limits={"running": 2, "memory": 10**9})
    jobs = [started(client, game="kuhn", options={"memory": "1MB"}) for _ in range(3)]
    states = [client.get(f"/api/jobs/{job['id']}").json()["state"] for job in jobs]
    assert states == ["running", "running", "queued"]
    running(client, jobs[0])
    _tell(client, workers[0], "error")
    failed = ended(client, jobs[0])
    assert (failed["state"], failed["error"]["kind"]) == ("failed", "GameError")
    running(client, jobs[2])


def test_jobs_start_as_they_were_posted_whatever_the_clock_says(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(limits={"running": 1, "memory": 10**9})
    jobs = []
    for now in (4e9, 1e9, 2e9, 1.5e9):  # set back by decades, and forward again
        with monkeypatch.context() as clock:
            clock.setattr(time, "time", lambda now=now: now)
            jobs.append(started(client, game="kuhn", options={"memory": "1MB"}))
    names = [job["id"] for job in jobs]
    assert [job["id"] for job in client.get("/api/jobs").json()["jobs"]] == names[::-1]
    for job in jobs:
        running(client, job)
        _tell(client, workers[0], "finish")
        assert ended(client, job)["state"] == "done"
    again = [job.created for job in make_client().services.jobs.all()]  # type: ignore[attr-defined]
    assert again == sorted(again, reverse=True)


@pytest.mark.parametrize(
    "damage",
    [{"id": "other"}, {"state": "asleep"}, {"created": "soon"}, {"points": [1]}, {"id": "a b"}],
)
def test_a_record_that_is_none_takes_no_other_along(
    make_client: MakeClient, tmp_path: Path, damage: dict[str, Any]
) -> None:
    sound = Job("one", "game", "kuhn", {}, "kuhn", 1, 1e9, state="done").to_dict()
    for record in (sound, {**sound, "id": "two", **damage}):
        name = "two" if damage != {"id": "a b"} and record is not sound else record["id"]
        folder = tmp_path / "data" / "jobs" / name
        folder.mkdir(parents=True)
        (folder / "job.json").write_text(json.dumps(record))
    listed = make_client().get("/api/jobs")
    assert [job["id"] for job in listed.json()["jobs"]] == ["one"]


def test_a_game_stays_as_long_as_a_run_of_it_may_go_on(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    text = (
        'EFG 2 R "" { "A" "B" }\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }\n'
    )
    game = client.put("/api/uploads/g.efg", content=text.encode()).json()["name"]
    job = running(client, started(client, game=game))
    path = f"/api/jobs/{job['id']}"

    def refused() -> bool:
        answer = client.delete(f"/api/games/{game}")
        found = answer.json()
        return (answer.status_code, found.get("option"), found.get("given")) == (409, "game", game)

    assert refused()
    client.post(f"{path}/pause")
    assert ended(client, job)["state"] == "paused"
    assert refused()
    client.post(f"{path}/resume")
    running(client, job)
    client.post(f"{path}/stop")
    assert ended(client, job)["state"] == "stopped"
    assert client.delete(f"/api/games/{game}").status_code == 200


def _saved_at(iteration: int, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.1) -> None:
    """Have checkpoints, which scripted workers leave empty, be those of an iteration."""
    facts = CheckpointFacts(iteration, seconds, saved=0.0, num_bytes=1)
    monkeypatch.setattr(checkpoints, "checkpoint_facts", lambda _folder: facts)


def test_a_job_from_its_start_to_its_end(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = running(client, started(client, game="kuhn", options={"seconds": 60}))
    path = f"/api/jobs/{job['id']}"
    assert client.delete(path).json()["option"] == "state"
    assert client.post(f"{path}/resume").status_code == 409
    client.post(f"{path}/pause")
    assert ended(client, job)["state"] == "paused"
    client.post(f"{path}/resume")
    assert running(client, job)["points"] == [[7, 2.0, 0.5]]
    assert workers[0].order.spent == 2.0  # of the minute that it has
    _tell(client, workers[0], "die")
    died = ended(client, job)
    assert (died["state"], died["error"]["kind"]) == ("interrupted", "WorkerDied")
    client.post(f"{path}/resume")
    running(client, job)
    _tell(client, workers[0], "finish")
    done = ended(client, job)
    assert (done["state"], done["stopped_by"], done["error"]) == ("done", "target", None)
    for action in ("pause", "stop", "resume"):
        answer = client.post(f"{path}/{action}")
        assert (answer.status_code, answer.json()["option"]) == (409, "state")
    assert client.post(f"{path}/continue", json={}).json()["option"] == "limits"
    assert client.post(f"{path}/continue", json={"iterations": 0}).json()["option"] == "iterations"
    _saved_at(7, monkeypatch)
    passed = client.post(f"{path}/continue", json={"iterations": 7})
    assert (passed.status_code, passed.json()["expected"]) == (422, "more than 7")
    assert client.get(path).json()["state"] == "done"  # it has not become one that failed
    continued = client.post(f"{path}/continue", json={"iterations": 90}).json()
    assert "seconds" not in continued["options"]
    running(client, job)
    assert workers[0].order.options["iterations"] == "90"
    client.post(f"{path}/stop")
    assert ended(client, job)["state"] == "stopped"
    assert client.delete(path).json() == {"deleted": job["id"]}
    for method, end in (("GET", ""), ("GET", "/events"), ("POST", "/stop"), ("DELETE", "")):
        assert client.request(method, f"{path}{end}").status_code == 404


def test_new_limits_count_from_where_a_run_goes_on(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = running(client, started(client, game="kuhn", options={"seconds": 2}))
    path = f"/api/jobs/{job['id']}"
    _tell(client, workers[0], "finish")
    assert ended(client, job)["seconds"] == 2.0
    monkeypatch.setattr(ScriptedWorker, "seconds", 5.0)
    client.post(f"{path}/continue", json={"seconds": 10})
    running(client, job)
    assert workers[0].order.spent == 0.0
    client.post(f"{path}/pause")
    ended(client, job)
    client.post(f"{path}/resume")
    assert running(client, job)["seconds"] == 5.0
    assert workers[0].order.spent == 3.0  # of the ten
    client.post(f"{path}/stop")
    ended(client, job)
    (client.services.jobs.folder_of(job["id"]) / CHECKPOINT).unlink()  # type: ignore[attr-defined]
    client.post(f"{path}/resume")
    running(client, job)
    assert workers[0].order.spent == 0.0  # it begins again


def test_a_run_that_has_died_is_given_limits_from_its_checkpoint_on(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had reached since then is lost."""
    job = running(client, started(client, game="kuhn"))  # at iteration 7
    _saved_at(3, monkeypatch)
    _tell(client, workers[0], "die")
    assert ended(client, job)["state"] == "interrupted"
    path = f"/api/jobs/{job['id']}/continue"
    refused = client.post(path, json={"iterations": 3})
    assert (refused.status_code, refused.json()["option"]) == (422, "iterations")
    assert client.post(path, json={"iterations": 5}).status_code == 200


def test_a_run_that_is_stopped_while_it_pauses_is_stopped(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="kuhn"))

    async def both() -> None:
        jobs = client.services.jobs  # type: ignore[attr-defined]
        await jobs.pause(job["id"])
        await jobs.stop(job["id"])

    client.portal.call(both)
    assert ended(client, job)["state"] == "stopped"


def _orders(monkeypatch: pytest.MonkeyPatch) -> list[SolveOrder]:
    """The orders of the workers that start from now on."""
    begin, orders = ScriptedWorker.start, []

    async def start(order: SolveOrder, log: Path | None = None) -> ScriptedWorker:
        orders.append(order)
        return await begin(order, log)

    monkeypatch.setattr(ScriptedWorker, "start", start)
    return orders


@pytest.mark.parametrize("how", ["pause", "die", "error"])
def test_whoever_stops_a_run_that_does_not_run_keeps_what_it_reached(
    make_client: MakeClient,
    kuhn_file: Path,
    workers: list[ScriptedWorker],
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    client = make_client(limits={"running": 1})
    job = running(client, started(client, game="kuhn", options={"memory": "1MB"}))
    path = f"/api/jobs/{job['id']}"
    _tell(client, workers[0], how)
    before = ended(client, job)["state"]
    assert before in ("paused", "interrupted", "failed")
    _saved_at(7, monkeypatch)  # and no solution in the library
    other = running(client, started(client, game="leduc", options={"memory": "1MB"}))
    orders = _orders(monkeypatch)
    client.post(f"{path}/stop")
    stopped = ended(client, job)  # beside the run that is under way
    assert [order.save_only for order in orders] == [True]
    assert (stopped["state"], stopped["asked"], stopped["error"]) == ("stopped", None, None)
    assert client.services.jobs.get(job["id"]).is_saved  # type: ignore[attr-defined]
    put(client, kuhn_file, job["solution"])  # of iteration 20
    assert client.post(f"{path}/stop").status_code == 409
    client.post(f"{path}/resume")  # which waits
    assert client.post(f"{path}/stop").json()["state"] == "stopped"  # nothing to save
    _saved_at(30, monkeypatch)
    client.post(f"{path}/resume")
    assert client.post(f"{path}/stop").json()["asked"] == "stop"
    assert ended(client, job)["state"] == "stopped"
    assert client.get(f"/api/jobs/{other['id']}").json()["state"] == "running"


def test_what_only_saves_takes_no_place_of_a_run(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(limits={"running": 1})
    job = running(client, started(client, game="kuhn", options={"memory": "1MB"}))
    _tell(client, workers[0], "error")
    first = ended(client, job)["error"]
    _saved_at(7, monkeypatch)
    monkeypatch.setattr(ScriptedWorker, "tell", _deaf)
    client.post(f"/api/jobs/{job['id']}/stop")
    running(client, job)
    other = started(client, game="leduc", options={"memory": "1MB"})
    assert running(client, other)["waits_for"] is None
    monkeypatch.undo()
    _saved_at(7, monkeypatch)
    saving = next(worker for worker in workers if worker.order.save_only)
    _tell(client, saving, "die")
    assert ended(client, job)["error"] == first  # not that of the process that saved


async def _deaf(_worker: ScriptedWorker, _line: str) -> None:
    """Take no order."""


def test_a_paused_run_of_a_game_that_was_deleted_is_stopped_unsaved(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        'EFG 2 R "" { "A" "B" }\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }\n'
    )
    game = client.put("/api/uploads/g.efg", content=text.encode()).json()["name"]
    job = running(client, started(client, game=game))
    path = f"/api/jobs/{job['id']}"
    client.post(f"{path}/pause")
    ended(client, job)
    _saved_at(7, monkeypatch)
    for file in client.services.folders.games.iterdir():  # type: ignore[attr-defined]
        file.unlink()
    stopped = client.post(f"{path}/stop").json()
    assert (stopped["state"], stopped["is_saved"]) == ("stopped", False)
    assert stopped["note"]
    assert client.post(f"{path}/stop").status_code == 409


def test_a_run_that_waits_to_be_saved_can_be_paused(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(limits={"memory": 10**6})
    options = {"memory": "1MB"}
    job = running(client, started(client, game="kuhn", options=options))
    path = f"/api/jobs/{job['id']}"
    _tell(client, workers[0], "die")
    ended(client, job)
    _saved_at(7, monkeypatch)
    other = running(client, started(client, game="leduc", options=options))
    waits = client.post(f"{path}/stop").json()
    assert (waits["state"], waits["asked"]) == ("queued", "stop")
    paused = client.post(f"{path}/pause").json()
    assert (paused["state"], paused["asked"]) == ("paused", None)
    client.post(f"{path}/resume")
    client.post(f"/api/jobs/{other['id']}/stop")
    assert not running(client, job)["asked"]
    assert not workers[-1].order.save_only


def test_no_other_solution_takes_the_name_of_one_to_come(
    client: TestClient, kuhn_file: Path, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="leduc"))
    name = job["solution"]
    put(client, kuhn_file, "mine")
    refused = client.post("/api/solutions/mine", json={"name": name})
    found = refused.json()
    assert (refused.status_code, found["option"], found["given"]) == (409, "name", name)
    uploaded = client.put(f"/api/uploads/{name}.safetensors", content=kuhn_file.read_bytes())
    assert uploaded.json()["name"] == f"{name}-2"
    _tell(client, workers[0], "finish")
    ended(client, job)
    client.delete(f"/api/jobs/{job['id']}")
    assert client.post("/api/solutions/mine", json={"name": name}).status_code == 200


def test_a_solution_that_was_removed_by_hand_is_not_saved(
    client: TestClient, kuhn_file: Path, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="kuhn"))
    put(client, kuhn_file, job["solution"])
    _tell(client, workers[0], "finish")
    assert ended(client, job)["is_saved"]
    client.services.library.path(job["solution"]).unlink()  # type: ignore[attr-defined]
    assert not client.get(f"/api/jobs/{job['id']}").json()["is_saved"]
    assert not client.get("/api/jobs").json()["jobs"][0]["is_saved"]


def test_the_name_of_a_solution_has_the_algorithm_that_runs(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    wanted: list[tuple[dict[str, str], str]] = [
        ({}, "kuhn-dcfr"),
        ({"sampler": "external"}, "kuhn-external-cfr"),
        ({"sampler": "external", "algorithm": "lcfr"}, "kuhn-external-lcfr"),
        ({"prune": "interval"}, "kuhn-cfr"),
    ]
    for options, name in wanted:
        job = started(client, game="kuhn", options=options)
        assert job["solution"] == f"{name}-{job['id'][:6]}"


@pytest.fixture
def may_start(workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Processes take until this is set to start."""
    begin, is_free = ScriptedWorker.start, threading.Event()

    async def slowly(order: SolveOrder, log: Path | None = None) -> ScriptedWorker:
        while not is_free.is_set():
            await asyncio.sleep(0.01)
        return await begin(order, log)

    monkeypatch.setattr(ScriptedWorker, "start", slowly)
    return is_free


@pytest.mark.parametrize(("action", "state"), [("stop", "stopped"), ("pause", "paused")])
def test_what_is_asked_while_the_process_starts_is_done(
    client: TestClient, may_start: threading.Event, action: str, state: str
) -> None:
    job = started(client, game="kuhn")
    try:
        assert client.post(f"/api/jobs/{job['id']}/{action}").json()["asked"] == action
    finally:
        may_start.set()
    assert ended(client, job)["state"] == state


def test_a_job_that_ends_while_a_watcher_is_told_is_told_of(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    jobs = client.services.jobs  # type: ignore[attr-defined]
    name = running(client, started(client, game="kuhn"))["id"]

    async def watch() -> list[str]:
        seen = []
        async for job in jobs.watch(name):
            seen.append(job.state)
            if len(seen) == 1:
                await workers[0].tell("finish")
                while job.state == "running":
                    await asyncio.sleep(0.01)
        return seen

    assert client.portal.call(watch)[-1] == "done"


def test_a_change_from_another_thread_is_told(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    jobs = client.services.jobs  # type: ignore[attr-defined]
    name = running(client, started(client, game="kuhn"))["id"]

    async def watch() -> bool:
        asyncio.get_running_loop().set_debug(True)  # which refuses what no other thread may do
        try:
            watched = jobs.watch(name)
            await anext(watched)
            following = asyncio.create_task(anext(watched))
            await asyncio.sleep(0.01)
            await asyncio.to_thread(jobs.tell, name)
            return await asyncio.wait_for(following, 5) is jobs.get(name)
        finally:
            asyncio.get_running_loop().set_debug(False)

    assert client.portal.call(watch)


def test_a_server_that_ends_while_a_process_starts_waits_for_nothing_else(
    client: TestClient, workers: list[ScriptedWorker], may_start: threading.Event
) -> None:
    job = started(client, game="kuhn")
    jobs = client.services.jobs  # type: ignore[attr-defined]
    closing = client.portal.start_task_soon(jobs.close)
    may_start.set()
    try:
        closing.result(20)
    finally:
        for worker in workers:
            _tell(client, worker, "finish")
    assert jobs.get(job["id"]).state == "interrupted"


def test_a_race_whose_worker_dies_is_started_again(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = started(client, game="kuhn", algorithms=["cfr", "cfr+"])
    _races(client, job)
    _tell(client, workers[0], "die")
    died = ended(client, job)
    assert (died["state"], died["error"]["kind"]) == ("interrupted", "WorkerDied")
    assert not died["can_resume"]
    assert died["error"]["remedy"] == "start it again"  # not "from its last checkpoint"
    again = client.post(f"/api/jobs/{job['id']}/resume").json()
    assert (again["error"], again["curves"]) == (None, {})
    _races(client, job)


def test_an_entry_of_a_race_that_does_not_iterate_has_its_result() -> None:
    job = Job("x", "compare", "kuhn", {}, "", 1, 0.0, algorithms=["cfr", "lp"])
    job.add_point_of("cfr", 0, (9, 1.0, 0.5))
    runs = [
        {"algorithm": "cfr", "iterations": 9, "seconds": 1.0, "exploitability": 0.5},
        {"algorithm": "lp", "iterations": 0, "seconds": 2.0, "exploitability": 0.25},
    ]
    comparison = {"measure": "exploitability", "algorithms": runs}
    last = {"event": "end", "stopped_by": None, "note": None, "is_saved": False, "command": None}
    assert outcome_of(job, {**last, "comparison": comparison}, is_closing=False) == "done"
    assert job.curves == {"cfr": [(9, 1.0, 0.5)], "lp": [(0, 2.0, 0.25)]}


def _races(client: TestClient, job: dict[str, Any]) -> None:
    """Wait until a race has measured something."""
    deadline = time.monotonic() + 60
    while not client.get(f"/api/jobs/{job['id']}").json()["curves"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_small_run_is_saved_beside_others(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that runs may take is taken by the limits of three small games."""

    async def snapshot(*_given: object) -> dict[str, Any]:
        return {"event": "end", "is_saved": True}

    monkeypatch.setattr(manager, "snapshot", snapshot)
    client = make_client(limits={"memory": 1200 * 10**6, "running": 3})
    own = {"memory": "400MB"}
    jobs = [running(client, started(client, game="kuhn", options=own)) for _ in range(3)]
    facts = client.get("/api/jobs").json()
    assert facts["memory_in_use_bytes"] == facts["memory_bytes"]
    for job in jobs:
        saved = client.post(f"/api/jobs/{job['id']}/save")
        assert (saved.status_code, saved.json().get("state")) == (200, "running"), saved.text
    assert len(workers) == 3


def test_saving_a_run_takes_memory_of_the_machine(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(limits={"memory": 10**9, "running": 1})
    job = running(client, started(client, game="kuhn", options={"memory": "600MB"}))
    monkeypatch.setattr(room, "_free_memory", lambda: 400_000_000)
    monkeypatch.setattr(manager, "resident_memory", lambda _process: 600_000_000)
    refused = client.post(f"/api/jobs/{job['id']}/save")
    assert (refused.status_code, refused.json()["expected"]) == (429, 400_000_000)
    _tell(client, workers[0], "finish")
    ended(client, job)
    assert client.post(f"/api/jobs/{job['id']}/save").json()["option"] == "state"


def test_what_has_no_checkpoints_is_not_paused(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="rps", options={"algorithm": "lp"}))
    answer = client.post(f"/api/jobs/{job['id']}/pause")
    assert (answer.status_code, answer.json()["given"]) == (409, "lp")
    saved = client.post(f"/api/jobs/{job['id']}/save")
    assert (saved.status_code, saved.json()["given"]) == (409, "lp")
    _tell(client, workers[0], "finish")
    assert ended(client, job)["state"] == "done"


def test_a_race_is_not_continued(client: TestClient, workers: list[ScriptedWorker]) -> None:
    body = {"game": "kuhn", "algorithms": ["cfr", "@external"], "options": {"seeds": 3}}
    job = client.post("/api/jobs", json=body).json()
    path = f"/api/jobs/{job['id']}"
    _races(client, job)
    for what, limits in (("save", None), ("continue", {"iterations": 400})):
        answer = client.post(f"{path}/{what}", json=limits)
        assert (answer.status_code, answer.json()["given"]) == (409, "compare"), answer.text
    client.post(f"{path}/stop")
    ended(client, job)
    answer = client.post(f"{path}/continue", json={"iterations": 400})
    assert (answer.status_code, answer.json()["given"]) == (409, "compare"), answer.text


def test_a_state_that_is_refused_is_not_expected(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="kuhn"))
    path = f"/api/jobs/{job['id']}"
    answers = [client.post(f"{path}/resume"), client.delete(path)]
    _tell(client, workers[0], "finish")
    ended(client, job)
    answers += [client.post(f"{path}/{what}") for what in ("resume", "save", "pause", "stop")]
    for answer in answers:
        refused = answer.json()
        assert (answer.status_code, refused["option"]) == (409, "state")
        assert refused["given"] not in refused["expected"].replace(" or ", ", ").split(", ")


def test_a_run_without_an_iteration_has_nothing_to_save(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    record = running(client, started(client, game="kuhn"))
    job = client.services.jobs.get(record["id"])  # type: ignore[attr-defined]
    job.progress, job.can_resume = None, False  # as before the first one
    answer = client.post(f"/api/jobs/{job.id}/save")
    assert (answer.status_code, answer.json()["option"]) == (409, "job")
    assert answer.json()["remedy"]


def test_a_server_that_restarts_finds_its_jobs(
    make_client: MakeClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "_RECORDED", 0.0)  # its curve, with each measurement
    client = make_client(limits={"running": 1})
    ran = running(client, started(client, game="kuhn"))
    waited = started(client, game="leduc")
    # The server is killed: nothing is written any more. Another begins with what is on disk.
    again = make_client()
    found = {job["id"]: job for job in again.get("/api/jobs").json()["jobs"]}
    assert [found[one["id"]]["state"] for one in (ran, waited)] == ["interrupted"] * 2
    assert [found[one["id"]]["can_resume"] for one in (ran, waited)] == [True, False]
    opened = again.get(f"/api/jobs/{ran['id']}").json()
    for name in ("points", "progress"):  # its curve keeps its unit, too
        assert opened[name] == ran[name]
    assert (ran["progress"]["measure_percent"], ran["progress"]["target"]) == (0.25, 0.3)
    for one in (ran, waited):
        assert again.post(f"/api/jobs/{one['id']}/resume").status_code == 200
        running(again, one)
    (again.services.folders.jobs / "foreign").mkdir()  # type: ignore[attr-defined]
    (again.services.folders.jobs / "foreign" / "job.json").write_text("[1]")  # type: ignore[attr-defined]
    assert len(make_client().get("/api/jobs").json()["jobs"]) == 2
    _saved_at(90, monkeypatch, seconds=30.0)  # by the worker, after the server was killed
    for job in make_client().get("/api/jobs").json()["jobs"]:
        assert (job["seconds"], job["checkpoint"]["seconds"]) == (30.0, 30.0)
        assert (job["progress"]["iteration"], job["progress"]["seconds"]) == (90, 30.0)


def test_a_run_that_has_died_tells_the_iteration_of_a_checkpoint_beyond_its_progress(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = running(client, started(client, game="kuhn"))
    _saved_at(9, monkeypatch, seconds=3.0)
    _tell(client, workers[0], "die")
    died = ended(client, job)
    assert (died["seconds"], died["progress"]["iteration"]) == (3.0, 9)
    assert (died["progress"]["measure"], died["progress"]["measured_at"]) == (0.5, 7)


def test_a_copy_of_the_data_without_checkpoints_starts_again(
    make_client: MakeClient, workers: list[ScriptedWorker]
) -> None:
    client = make_client()
    job = running(client, started(client, game="kuhn"))
    _tell(client, workers[0], "pause")
    assert ended(client, job)["seconds"] > 0
    folder = client.services.folders.jobs / job["id"]  # type: ignore[attr-defined]
    (folder / CHECKPOINT).unlink()
    (folder / "saving-1").mkdir()  # of a server that was killed meanwhile
    (folder / "saving-1" / CHECKPOINT).touch()
    again = make_client()
    assert not (folder / "saving-1").exists()
    found = again.get(f"/api/jobs/{job['id']}").json()
    assert (found["state"], found["can_resume"]) == ("paused", False)
    resumed = again.post(f"/api/jobs/{job['id']}/resume").json()
    assert (resumed["seconds"], resumed["points"]) == (0.0, [])


def test_streams_count_as_connections(
    make_client: MakeClient, workers: list[ScriptedWorker]
) -> None:
    client = make_client(limits={"connections": 0})
    job = started(client, game="kuhn")
    answer = client.get(f"/api/jobs/{job['id']}/events")
    assert (answer.status_code, answer.json()["option"]) == (429, "connections")
    other = make_client(limits={"connections": 1})
    for _ in range(2):  # each is counted while it lasts, and no longer
        again = started(other, game="kuhn")
        running(other, again)
        other.post(f"/api/jobs/{again['id']}/stop")
        assert ended(other, again)["state"] == "stopped"


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": "many"}, "iterations"),
        ({"algorithm": "dcfr(delta=1)"}, None),
        ({"algorithm": "lp", "iterations": 5}, "iterations"),
        ({"colour": "red"}, "option"),
        ({"output": "best"}, "output"),
        ({"alternating": "maybe"}, "alternating"),
    ],
)
def test_bad_options_are_refused_before_anything_runs(
    client: TestClient, options: dict[str, Any], option: str | None
) -> None:
    answer = client.post("/api/jobs", json={"game": "kuhn", "options": options})
    assert answer.status_code == 422
    assert option in (None, answer.json()["option"])
    assert client.get("/api/jobs").json()["jobs"] == []


def test_a_spot_that_does_not_fit_is_refused(make_client: MakeClient) -> None:
    client = make_client(limits={"memory": 10_000})
    answer = client.post("/api/jobs", json={"spot": {"toml": SPOT.to_toml()}})
    assert (answer.status_code, answer.json()["option"]) == (429, "memory")
    assert answer.json()["given"] > 10_000
    game = client.post("/api/jobs", json={"game": "kuhn", "options": {"memory": "1GB"}})
    assert (game.status_code, game.json()["option"]) == (429, "memory")
    assert "size" in answer.json()["remedy"]
    assert "size" not in game.json()["remedy"]  # of which games have none


def test_a_curve_stays_short() -> None:
    job = Job("a", "game", "kuhn", {}, "kuhn", 0, time.time())
    for i in range(5 * MOST_POINTS):
        job.add_point(i, i / 10, 1 / (i + 1))
    assert MOST_POINTS // 2 <= len(job.points) <= MOST_POINTS
    job.add_point(100, 10.0, 0.5)  # resumed from an earlier checkpoint
    assert job.points[-1] == (100, 10.0, 0.5)
    assert [point[0] for point in job.points] == sorted({point[0] for point in job.points})


def test_why_a_job_waits(make_client: MakeClient, workers: list[ScriptedWorker]) -> None:
    client = make_client(limits={"memory": 10**9, "running": 2})
    large = {"memory": "600MB"}
    first = running(client, started(client, game="leduc", options=large))
    assert first["waits_for"] is None
    second = started(client, game="leduc", options=large)
    assert "600.0 MB" in second["waits_for"]
    assert "400.0 MB" in second["waits_for"]
    third = started(client, game="leduc", options={"memory": "1MB"})
    assert third["waits_for"] == "1 run ahead of it in the queue"
    client.post(f"/api/jobs/{second['id']}/stop")
    fourth = started(client, game="leduc", options={"memory": "1MB"})
    running(client, third)
    waits = client.get(f"/api/jobs/{fourth['id']}").json()["waits_for"]
    assert waits is not None
    assert waits == "2 runs in progress, which is the limit"


def test_checkpoints_of_ended_jobs_are_removed_beyond_a_limit(
    make_client: MakeClient, workers: list[ScriptedWorker]
) -> None:
    client = make_client(limits={"checkpoints": 250})
    jobs = []
    for word in ("finish", "finish", "pause", "finish"):
        job = running(client, started(client, game="kuhn", options={"memory": "1MB"}))
        checkpoint = client.services.folders.jobs / job["id"] / "run.ckpt"  # type: ignore[attr-defined]
        checkpoint.write_bytes(bytes(100))
        time.sleep(0.02)  # so that the times of the files differ
        _tell(client, workers[0], word)
        jobs.append(ended(client, job))
    found = {job["id"]: job for job in client.get("/api/jobs").json()["jobs"]}
    kept = [found[job["id"]]["checkpoint_bytes"] for job in jobs]
    assert kept == [0, 100, 100, 100]  # the oldest that has ended is gone; the paused one is not
    assert [found[job["id"]]["can_resume"] for job in jobs] == [False, True, True, True]
    facts = client.get("/api/jobs").json()
    assert (facts["checkpoint_bytes"], facts["most_checkpoint_bytes"]) == (300, 250)
    path = f"/api/jobs/{jobs[1]['id']}/checkpoint"
    assert client.delete(path).json()["can_resume"] is False
    paused = client.delete(f"/api/jobs/{jobs[2]['id']}/checkpoint")
    assert (paused.status_code, paused.json()["option"]) == (409, "state")
    again = client.post(f"/api/jobs/{jobs[1]['id']}/continue", json={"iterations": 9})
    assert again.status_code == 409


def test_a_run_that_would_begin_anew_does_not_replace_its_solution(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    """A stopped run whose checkpoint was removed."""
    job = running(client, started(client, game="kuhn"))
    path = f"/api/jobs/{job['id']}"
    client.post(f"{path}/stop")
    assert ended(client, job)["state"] == "stopped"
    assert client.delete(f"{path}/checkpoint").json()["can_resume"] is False
    library = client.services.folders.library  # type: ignore[attr-defined]
    (library / f"{job['solution']}.safetensors").write_bytes(b"solved")
    refused = client.post(f"{path}/continue", json={"iterations": 9})
    assert (refused.status_code, refused.json()["option"]) == (409, "job")
    assert refused.json()["remedy"]
    (library / f"{job['solution']}.safetensors").unlink()
    assert client.post(f"{path}/continue", json={"iterations": 9}).status_code == 200


@pytest.mark.parametrize("iterations", [2**53 + 1, "1e30"])
def test_more_iterations_than_a_run_can_count_are_refused_at_once(
    client: TestClient, iterations: object
) -> None:
    for what in ({"game": "kuhn"}, {"spot": {"toml": SPOT.to_toml()}}):
        answer = client.post("/api/jobs", json={**what, "options": {"iterations": iterations}})
        assert (answer.status_code, answer.json()["option"]) == (422, "iterations")
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize(
    ("game", "kind"),
    [("kuhm", "UnknownNameError"), ("leduc(players=99)", "GameSpecError"), ("leduc(x=1)", None)],
)
def test_a_game_that_there_is_not_is_refused_at_once(
    client: TestClient, game: str, kind: str | None
) -> None:
    answer = client.post("/api/jobs", json={"game": game})
    assert answer.status_code == 422
    assert answer.json()["kind"] == kind or kind is None
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize("limits", [{}, {"iterations": 5}, {"iterations": 10**9}, {"seconds": -1}])
def test_a_run_that_has_not_ended_is_not_continued_whatever_the_limits(
    client: TestClient, workers: list[ScriptedWorker], limits: dict[str, int]
) -> None:
    job = running(client, started(client, game="leduc"))
    refused = client.post(f"/api/jobs/{job['id']}/continue", json=limits)
    assert refused.status_code == 409
    assert (refused.json()["option"], refused.json()["given"]) == ("state", "running")
    assert "continue" in refused.json()["error"]
