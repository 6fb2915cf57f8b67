"""The stream of events: what it tells, how it goes on, and when it ends."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from equilibrist.web.jobs import feed
from equilibrist.web.jobs.feed import Feed
from equilibrist.web.overview import events
from equilibrist.web.overview.answers import JobsEvent, LibraryEvent, RunEvent
from tests.web.conftest import put
from tests.web.following import ended, running, started
from tests.web.listening import Listener, heard, listen
from tests.web.scripted import ScriptedWorker

MakeClient = Callable[..., TestClient]
TYPES: dict[str, Any] = {"jobs": JobsEvent, "library": LibraryEvent, "run": RunEvent}


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_PAUSE", 0.01)
    monkeypatch.setattr(events, "_LOOK", 0.02)


def documents(listener: Listener) -> list[tuple[str, dict[str, Any]]]:
    """The events, each held against its type."""
    for _, name, document in listener.events:
        TypeAdapter(TYPES[name]).validate_python(document)
    return [(name, document) for _, name, document in listener.events]


def test_the_first_events_say_how_things_stand(
    client: TestClient, kuhn_file: Path, workers: list[ScriptedWorker]
) -> None:
    put(client, kuhn_file, "kuhn")
    job = running(client, started(client, game="kuhn"))

    async def act(listener: Listener) -> None:
        await heard(listener, 3)

    found = dict(documents(listen(client, act, {}, topics=f"jobs,run:{job['id']},library")))
    assert [line["id"] for line in found["jobs"]["jobs"]] == [job["id"]]
    assert (found["jobs"]["whole"], found["jobs"]["counts"]["running"]) == (True, 1)
    assert found["run"]["whole"]
    assert found["run"]["job"]["points"] == [[7, 2.0, 0.5]]
    assert found["library"]["revision"]


def test_only_what_has_changed_follows(client: TestClient, workers: list[ScriptedWorker]) -> None:
    services = client.services  # type: ignore[attr-defined]
    first = running(client, started(client, game="kuhn"))
    job = services.jobs.get(first["id"])

    async def act(listener: Listener) -> None:
        await heard(listener, 2)
        job.add_point(9, 3.0, 0.25)
        services.jobs.tell(job.id)
        await heard(listener, 4)
        job.points = []  # as of a run that goes back to its checkpoint
        services.jobs.tell(job.id)
        await heard(listener, 6)

    told = documents(listen(client, act, {}, topics=f"jobs,run:{job.id}"))
    runs = [document for name, document in told if name == "run"]
    assert [run["whole"] for run in runs] == [True, False, True]
    assert runs[1]["job"]["points"] == [[9, 3.0, 0.25]]
    assert [document["whole"] for name, document in told if name == "jobs"] == [True, False, False]


def test_a_stream_goes_on_where_another_has_broken_off(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    services = client.services  # type: ignore[attr-defined]
    first = running(client, started(client, game="kuhn"))
    other = running(client, started(client, game="kuhn"))

    async def act(listener: Listener) -> None:
        await heard(listener, 1)

    async def act_twice(listener: Listener) -> None:
        await heard(listener, 2)

    before = listen(client, act_twice, {}, topics="jobs,library").events
    assert before[0][0] == ""  # of two that come together the last one has the id
    last = before[1][0]
    client.post(f"/api/jobs/{first['id']}/stop")
    ended(client, first)
    assert client.delete(f"/api/jobs/{first['id']}").status_code == 200
    for how in ({"headers": {"Last-Event-ID": last}}, {"headers": {}, "after": last}):
        found = documents(listen(client, act, topics="jobs", **how))
        assert [event["whole"] for _, event in found] == [False]
        assert found[0][1]["removed"] == [first["id"]]
        assert found[0][1]["jobs"] == []

    async def wait(listener: Listener) -> None:
        await asyncio.sleep(0.1)
        services.jobs.tell(other["id"])
        await heard(listener, 1)

    number = services.jobs.feed.number
    again = listen(client, wait, {}, topics="jobs", after=f"{last[:8]}-{number}-00000000")
    assert [line["id"] for line in again.events[0][2]["jobs"]] == [other["id"]]
    for unknown in ("ffffffff-3-00000000", "nonsense", f"{last[:8]}-{number + 5}-00000000"):
        assert listen(client, act, {}, topics="jobs", after=unknown).events[0][2]["whole"]


def test_a_stream_goes_on_without_the_runs_that_are_gone(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    """A browser does not ask again for a stream that was refused."""
    job = running(client, started(client, game="kuhn"))

    async def act(listener: Listener) -> None:
        await heard(listener, 1)

    topics = f"run:{job['id']}"
    last = listen(client, act, {}, topics=topics).events[-1][0]
    client.post(f"/api/jobs/{job['id']}/stop")
    ended(client, job)
    assert client.delete(f"/api/jobs/{job['id']}").status_code == 200
    for after in (last, f"00000000-{last[9:]}"):  # also of a server that is gone
        found = documents(listen(client, act, {}, topics=topics, after=after))
        assert found == [("run", {"id": job["id"], "whole": True, "job": None})]
    assert client.get("/api/events", params={"topics": topics}).status_code == 404


def test_a_run_that_is_deleted_is_told_once(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    services = client.services  # type: ignore[attr-defined]
    job = running(client, started(client, game="kuhn"))
    client.post(f"/api/jobs/{job['id']}/stop")
    ended(client, job)

    async def act(listener: Listener) -> None:
        await heard(listener, 1)
        services.jobs.delete(job["id"])
        await heard(listener, 2)
        services.jobs.tell(job["id"])
        await asyncio.sleep(0.05)

    told = documents(listen(client, act, {}, topics=f"run:{job['id']}"))
    assert [document["job"] is None for _, document in told] == [False, True]


def test_files_that_come_and_go_are_told(client: TestClient, kuhn_file: Path) -> None:
    services = client.services  # type: ignore[attr-defined]

    async def act(listener: Listener) -> None:
        await heard(listener, 1)
        (services.folders.library / "by-hand.safetensors").write_bytes(kuhn_file.read_bytes())
        await heard(listener, 2)
        services.library.delete("by-hand")
        await heard(listener, 3)

    told = documents(listen(client, act, {}, topics="library"))
    assert len({document["revision"] for _, document in told}) == 3


def test_a_comment_keeps_the_connection_open(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_ALIVE", 0.02)

    async def act(listener: Listener) -> None:
        while ": " not in listener.text.partition("\n\n")[2]:
            await asyncio.sleep(0.01)

    assert listen(client, act, {}, topics="jobs").status == 200


@pytest.mark.parametrize(
    ("topics", "status", "option"),
    [
        ("", 422, "topics"),
        (" , ", 422, "topics"),
        ("jobs,runs", 422, "topics"),
        ("run:nosuch", 404, "job"),
        (",".join(f"run:{k}" for k in range(21)), 429, "topics"),
    ],
)
def test_topics_that_are_none(client: TestClient, topics: str, status: int, option: str) -> None:
    answer = client.get("/api/events", params={"topics": topics})
    assert (answer.status_code, answer.json()["option"]) == (status, option)


def test_a_stream_ends_when_its_visitor_signs_out(make_client: MakeClient) -> None:
    token = "0123456789abcdef-owner"
    client = make_client(token=token)
    services = client.services  # type: ignore[attr-defined]
    cookie = services.sessions.enter(token)

    async def act(listener: Listener) -> None:
        await heard(listener, 1)
        services.sessions.leave(cookie)
        while not listener.is_over:
            await asyncio.sleep(0.01)

    headers = {"cookie": f"{services.sessions.cookie}={cookie}"}
    assert listen(client, act, headers, topics="jobs", refusals="silent").status == 200
    assert client.get("/api/events?topics=jobs", headers=headers).status_code == 401
    for topics in ("jobs", "none"):  # pages whose session is over, and runs that are gone
        asked = {"topics": topics, "refusals": "silent"}
        known = {"authorization": f"Bearer {token}"} if topics == "none" else headers
        answer = client.get("/api/events", params=asked, headers=known)
        assert (answer.status_code, answer.content) == (204, b"")
    other = client.get("/api/jobs?refusals=silent", headers=headers)
    assert other.status_code == 401  # of a stream alone


def test_a_stream_ends_with_the_server(client: TestClient) -> None:
    services = client.services  # type: ignore[attr-defined]

    async def act(listener: Listener) -> None:
        await heard(listener, 1)
        await services.jobs.close()
        while not listener.is_over:
            await asyncio.sleep(0.01)

    assert listen(client, act, {}, topics="jobs,library").is_over


def test_a_visitor_has_so_many_streams(make_client: MakeClient) -> None:
    tokens = {"token": "0123456789abcdef-owner", "guest_token": "0123456789abcdef-guest"}
    client = make_client(limits={"streams": 1}, **tokens)
    owner = {"authorization": f"Bearer {tokens['token']}"}

    async def act(listener: Listener) -> None:
        await heard(listener, 1)
        for who, status in (("token", 429), ("guest_token", 422)):
            refused = await asyncio.to_thread(
                client.get,
                "/api/events?topics=none",
                headers={"authorization": f"Bearer {tokens[who]}"},
            )
            assert refused.status_code == status
            if status == 429:
                assert refused.json()["option"] == "streams"

    for _ in range(2):  # and no longer than it lasts
        assert listen(client, act, owner, topics="jobs").status == 200


def test_a_name_is_there_before_its_number() -> None:
    """Else a stream in another thread would take the number, and never be told the name."""
    found = Feed()
    seen = []

    class Changes(OrderedDict[str, int]):
        def __setitem__(self, name: str, number: int) -> None:
            seen.append(found.number)
            super().__setitem__(name, number)

    found._changed = Changes()
    found.tell("a")
    assert (seen, found.number, found.since(0)) == ([0], 1, ["a"])


def test_changes_that_are_forgotten_are_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "_MOST", 2)
    found = Feed()
    for name in ("a", "b", "a", "c", "d"):
        found.tell(name)
    assert found.since(3) == ["c", "d"]
    assert found.since(2) is None  # that of `a` is forgotten
    assert found.since(6) is None
    assert found.since(-1) is None
