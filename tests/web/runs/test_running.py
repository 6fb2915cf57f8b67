"""What a run plays now: its present averages at a node, asked of its process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import poker
from equilibrist.poker import PostflopResult
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.web.jobs.job import Job
from equilibrist.web.runs.running import node_document
from equilibrist.web.solutions.nodes import node_columns
from equilibrist.web.workers.solving import node_facts
from tests.web.conftest import SPOT
from tests.web.following import ended, started
from tests.web.scripted import ScriptedWorker

LONG = {"iterations": 10_000_000}


def _iterating(client: TestClient) -> dict[str, Any]:
    """A job that has reported an iteration."""
    job = started(client, spot={"toml": SPOT.to_toml()}, options=LONG)
    deadline = time.monotonic() + 60
    while not job["progress"] and time.monotonic() < deadline:
        time.sleep(0.02)
        job = client.get(f"/api/jobs/{job['id']}").json()
    return job


def _node(client: TestClient, job: dict[str, Any], line: str = "") -> Any:
    return client.get(f"/api/jobs/{job['id']}/study", params={"line": line})


def _solution(iterations: int) -> PostflopResult:
    """That of another run, which never measures, and stops where it is."""
    solver = SpotSolver(SPOT)
    solver.run(iterations)
    return replace(poker.solve(SPOT, iterations=1), evaluate=solver.values)


@pytest.mark.slow  # with a process; the two below are its parts
def test_a_node_of_a_run_is_that_of_its_iteration(client: TestClient) -> None:
    job = _iterating(client)
    opened = client.get(f"/api/jobs/{job['id']}/spot").json()
    assert (opened["name"], opened["run"]["job"]) == (job["solution"], job["id"])
    assert (opened["board"], opened["kept_cards"]) == (SPOT.board, 1)
    nodes = [_node(client, job, line).json() for line in ("X", "X-X|8h", "x-b50-f")]
    refused = _node(client, job, "X-B51")
    client.post(f"/api/jobs/{job['id']}/stop")
    ended(client, job)
    assert [node["line"] for node in nodes] == ["X", "X-X|8h", "X-B50-F"]
    assert (refused.status_code, refused.json()["kind"]) == (422, "LineSyntaxError")
    assert nodes[0]["iteration"] <= nodes[1]["iteration"] <= nodes[2]["iteration"]
    for node in nodes:
        assert node == node_columns(_solution(node.pop("iteration")), node["line"])


def test_runs_are_not_changed_by_whoever_looks() -> None:
    seen: list[float] = []

    def look(make: Callable[[], PostflopResult]) -> None:
        seen.append(make().at("X").totals.ev[0])

    watched = poker.solve(SPOT, iterations=60, callbacks=eq.Callbacks(on_present=look))
    alone = poker.solve(SPOT, iterations=60)
    assert len(set(seen)) > 1
    assert (watched.trace[-1].measure, watched.iterations) == (
        alone.trace[-1].measure,
        alone.iterations,
    )
    for line in ("", "X-X|8h"):
        assert watched.to_dict(line)["node"] == alone.to_dict(line)["node"]


def test_figures_are_sent_as_they_are() -> None:
    solution = poker.solve(SPOT, iterations=20)
    job = Job("a", "spot", "", {}, "a", 0, 0.0, spot=SPOT.to_toml())
    for line in ("", "X-B50", "X-X|8h", "X-X"):
        document = node_document(job, line, json.loads(json.dumps(node_facts(solution, line))))
        assert document == {**node_columns(solution, line), "iteration": 20}


def test_nobody_waits_for_a_run_that_has_ended(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = started(client, spot={"toml": SPOT.to_toml()}, options=LONG)
    with ThreadPoolExecutor(6) as pool:
        lines = ["", "", "X", "X-X", "X-B50", "B50"]
        looks = [pool.submit(_node, client, job, line) for line in lines]
        services = client.services  # type: ignore[attr-defined]
        deadline = time.monotonic() + 10
        while sum(look.done() for look in looks) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(services.jobs._looks) == 4  # both of the root are one
        client.post(f"/api/jobs/{job['id']}/stop")
        answers = sorted(look.result().status_code for look in looks)
    assert answers == [409, 409, 409, 409, 409, 429]
    assert not services.jobs._looks


def test_what_is_not_there_is_not_looked_into(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    game = started(client, game="kuhn", options=LONG)
    assert _node(client, game).json()["given"] == "game"
    assert _node(client, {"id": "nosuch"}).status_code == 404
    spot = started(client, spot={"toml": SPOT.to_toml()}, options=LONG)
    deadline = time.monotonic() + 10
    while len(workers) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    client.post(f"/api/jobs/{spot['id']}/stop")
    ended(client, spot)
    ended_answer = _node(client, spot)
    assert (ended_answer.status_code, ended_answer.json()["option"]) == (409, "state")
    assert client.get(f"/api/jobs/{spot['id']}/spot").status_code == 409
