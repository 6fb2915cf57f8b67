"""Examples: listed before anything is solved, and solved by a run when they are opened first."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.library.examples import CHART_EXAMPLES, EXAMPLES, TARGET
from equilibrist.poker import Hand, push_fold, solve_multiway
from equilibrist.web.holdem import pace
from tests.web.conftest import put
from tests.web.following import ended, running
from tests.web.scripted import ScriptedWorker

NAME = "river-paired-board"
TOKENS = {"token": "o" * 20, "guest_token": "g" * 20}


def test_an_empty_library_has_examples(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that their titles are made of; nothing of them is in the data folder."""
    monkeypatch.setattr(pace, "crowding", lambda *_: 1.0)
    listed = client.get("/api/examples").json()["examples"]
    assert [example["name"] for example in listed] == [*EXAMPLES, *CHART_EXAMPLES]
    for example in listed:
        title, is_spot = example["title"], example["kind"] == "spot"
        if is_spot:
            assert None not in (title["board"], title["oop"], title["ip"], title["pot_type"])
        else:
            assert title["stacks"] == [CHART_EXAMPLES[example["name"]].stack] * len(title["stacks"])
        assert example["target"] == (TARGET if is_spot else None)
        assert example["measure"] is None
        assert title["text"]
        assert (example["solution"], example["job"], example["state"]) == (None, None, None)
        assert 1 <= example["seconds"] <= 1000
    assert client.get(f"/api/examples/{NAME}").json() == next(
        example for example in listed if example["name"] == NAME
    )
    assert client.get("/api/solutions").json()["solutions"] == []
    file = client.get(f"/api/examples/{NAME}/file")
    assert file.text == EXAMPLES[NAME].text
    missing = client.get("/api/examples/none")
    assert (missing.status_code, missing.json()["option"]) == (404, "name")
    assert client.post("/api/examples/none").status_code == 404
    assert client.get("/api/examples/none/file").status_code == 404


def test_an_example_is_solved_once(client: TestClient, workers: list[ScriptedWorker]) -> None:
    first = client.post(f"/api/examples/{NAME}").json()
    assert first["solution"] is None
    assert first["state"] in ("queued", "running")
    assert client.post(f"/api/examples/{NAME}").json()["job"] == first["job"]
    running(client, {"id": first["job"]})
    assert [worker.order.spot for worker in workers] == [EXAMPLES[NAME].text]
    assert workers[0].order.options == {"target": TARGET}
    job = client.get(f"/api/jobs/{first['job']}").json()
    assert job["solution"] == NAME
    others = [one for one in client.get("/api/examples").json()["examples"] if one["job"]]
    assert [one["name"] for one in others] == [NAME]


def test_a_solution_of_an_example_is_found_under_any_name(
    client: TestClient, tmp_path: Path, workers: list[ScriptedWorker]
) -> None:
    """The best one, wherever it comes from."""
    for name, iterations in (("mine", 3), ("better", 30)):
        file = poker.solve(EXAMPLES[NAME].spot(), iterations=iterations).save(
            tmp_path / f"{name}.safetensors"
        )
        put(client, file, name)
    assert client.post(f"/api/examples/{NAME}").json()["solution"] == "better"
    assert client.post("/api/solutions/better", json={"name": "other"}).status_code == 200
    assert client.get(f"/api/examples/{NAME}").json()["solution"] == "other"
    assert not workers


def test_charts_with_bets_are_told_from_those_of_push_or_fold(
    client: TestClient, tmp_path: Path, workers: list[ScriptedWorker]
) -> None:
    """Their titles are equal: the stacks are. A job plays the deals that the example says."""
    example = CHART_EXAMPLES["open-3-20bb"]
    push_fold(20.0, seats=3, deals=1000, threads=1, progress=False).save(
        tmp_path / "push.safetensors"
    )
    put(client, tmp_path / "push.safetensors", "push")
    path = f"/api/examples/{example.name}"
    assert client.get(path).json()["solution"] is None
    job = client.post(path).json()["job"]
    running(client, {"id": job})
    assert workers[0].order.keys == example.keys
    assert workers[0].order.options["deals"] == "300000"
    hand = Hand(seats=3, stack=20, bets="2.2x,a", raises="a", last_street="preflop")
    file = solve_multiway(hand, deals=1000, threads=1).save(tmp_path / "open.safetensors")
    put(client, file, "open")
    found = client.get(path).json()
    assert (found["solution"], found["kind"]) == ("open", "multiway")
    refused = client.get(f"{path}/file")
    assert refused.status_code == 404
    assert '--bets "2.2x,a"' in refused.json()["remedy"]


@pytest.mark.slow
def test_the_solution_of_an_example_says_who_plays(client: TestClient) -> None:
    """A run of its own, from the request to the title in the library."""
    found = client.post(f"/api/examples/{NAME}").json()
    job = ended(client, {"id": found["job"]})
    assert (job["state"], job["stopped_by"]) == ("done", "target")
    example = client.get(f"/api/examples/{NAME}").json()
    (solution,) = client.get("/api/solutions").json()["solutions"]
    assert (solution["name"], example["solution"], example["job"]) == (NAME, NAME, None)
    assert solution["title"] == example["title"]
    assert solution["measure_percent"] <= 0.3


def test_charts_are_found_and_made_once(
    client: TestClient, tmp_path: Path, workers: list[ScriptedWorker]
) -> None:
    """Also charts that were made elsewhere; those of other stacks or with prizes are others."""
    charts = push_fold(10.0, progress=False)
    name = "push-fold-2-10bb"
    job = client.post(f"/api/examples/{name}").json()["job"]
    assert client.post(f"/api/examples/{name}").json()["job"] == job
    running(client, {"id": job})
    assert workers[0].order.keys == {"seats": "2", "stack": "10"}
    assert client.get("/api/examples/push-fold-2-12bb").json()["job"] is None
    put(client, charts.save(tmp_path / "charts.safetensors"), "mine")
    example = client.get(f"/api/examples/{name}").json()
    assert example["solution"] == "mine"
    assert example["measure"] == client.get("/api/solutions").json()["solutions"][0]["measure"]
    assert client.get("/api/examples/push-fold-3-10bb").json()["solution"] is None
    refused = client.get(f"/api/examples/{name}/file")
    assert (refused.status_code, refused.json()["option"]) == (404, "name")


def test_random_flops_of_a_spot(client: TestClient, workers: list[ScriptedWorker]) -> None:
    """Spots that differ from the example in their boards alone, each once."""
    name = "flop-four-bet-low"
    started = client.post(f"/api/examples/{name}/flops", json={"count": 3, "seed": 5})
    assert started.status_code == 201
    boards = started.json()["boards"]
    assert len(set(boards)) == 3
    running(client, {"id": started.json()["jobs"][0]})
    jobs = [client.services.jobs.get(one) for one in started.json()["jobs"]]  # type: ignore[attr-defined]
    for job, board in zip(jobs, boards, strict=True):
        assert job.spot == EXAMPLES[name].spot().replace(board=board).to_toml()
        assert job.solution == f"{name}-{board}"
    assert client.get(f"/api/jobs/{jobs[0].id}").json()["title"]["board"] == boards[0]
    again = client.post(f"/api/examples/{name}/flops", json={"count": 3, "seed": 5}).json()
    assert not set(again["boards"]) & set(boards)
    for wrong in (NAME, "push-fold-2-10bb"):
        refused = client.post(f"/api/examples/{wrong}/flops", json={})
        assert (refused.status_code, refused.json()["option"]) == (422, "name")
    assert client.post("/api/examples/none/flops", json={}).status_code == 404
    refused = client.post(f"/api/examples/{name}/flops", json={"count": 11})
    assert (refused.status_code, refused.json()["option"]) == (422, "count")


def test_as_many_flops_are_solved_as_the_queue_takes(
    make_client: Callable[..., TestClient], workers: list[ScriptedWorker]
) -> None:
    client = make_client(limits={"queue": 2, "running": 1})
    path = "/api/examples/flop-four-bet-low/flops"
    started = client.post(path, json={"count": 4, "seed": 5})
    assert started.status_code == 201, started.text
    jobs = client.get("/api/jobs").json()["jobs"]
    assert {job["id"] for job in jobs} == set(started.json()["jobs"])
    assert 2 <= len(jobs) < 4
    full = client.post(path, json={"count": 1, "seed": 6})
    assert (full.status_code, len(client.get("/api/jobs").json()["jobs"])) == (429, len(jobs))


def test_an_example_whose_solution_was_deleted_is_still_there(
    client: TestClient, spot_file: Path, tmp_path: Path
) -> None:
    file = poker.solve(EXAMPLES[NAME].spot(), iterations=3).save(tmp_path / "one.safetensors")
    put(client, file, NAME)
    assert client.delete(f"/api/solutions/{NAME}").status_code == 200
    assert client.get(f"/api/examples/{NAME}").json()["solution"] is None
    put(client, Path(shutil.copy(spot_file, tmp_path / "two.safetensors")), NAME)  # of another spot
    assert client.get(f"/api/examples/{NAME}").json()["solution"] is None


def test_guests_see_examples_and_have_none_solved(
    make_client: Callable[..., TestClient], workers: list[ScriptedWorker]
) -> None:
    client = make_client(**TOKENS)
    client.headers["Authorization"] = f"Bearer {TOKENS['guest_token']}"
    assert len(client.get("/api/examples").json()["examples"]) > len(EXAMPLES)
    refused = client.post(f"/api/examples/{NAME}")
    assert (refused.status_code, refused.json()["given"]) == (403, "guest")
    assert not workers
