"""Links of tables and drills to solutions, whose names others may have by the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist.web.jobs.job import Job
from equilibrist.web.services import Services
from equilibrist.web.store.library import Library
from tests.web.conftest import put


def _run_of(client: TestClient, solution: str, *, is_saved: bool) -> str:
    """The address of the page of a run that has ended, which is put on record."""
    services: Services = client.services  # type: ignore[attr-defined]
    job = Job(
        id=services.jobs.new_id(),
        kind="game",
        game="kuhn",
        options={},
        solution=solution,
        memory_bytes=1,
        created=1.0,
        state="done",
        is_saved=is_saved,
    )
    assert client.portal is not None
    client.portal.call(services.jobs.record, job)
    return f"/runs/{job.id}"


def _links(client: TestClient, kind: str, name: str) -> tuple[str, str]:
    """The links of a choice at a table, or of an answer in a drill, to study and to drill it."""
    place = client.post(f"/api/play/{kind}", json={"solution": name}).json()
    path = f"/api/play/{kind}/{place['id']}"
    if kind == "tables":
        turn = place["turn"]
        choice = {"hand": turn["hand"], "move": turn["move"], "action": 0}
        done = client.post(f"{path}/choose", json=choice).json()["decisions"][0]
    else:
        choice = {"number": place["question"]["number"], "action": 0}
        done = client.post(f"{path}/answer", json=choice).json()["answer"]
    return done["study"], done["drill"]


def _led(client: TestClient, links: tuple[str, str]) -> tuple[Any, Any]:
    """What the pages ask for to which such links lead: facts of a solution, and a drill of it."""
    explored, drilled = links
    asked, _, query = explored.removeprefix("/explore/").partition("?")
    asked_of_api = {"stamp": parse_qs(query)["stamp"][0]}  # the rest is what the page shows
    facts = client.get(f"/api/solutions/{asked}/facts", params=asked_of_api)
    name, _, query = drilled.removeprefix("/drill/").partition("?")
    body = {"solution": name, **{key: value for key, (value,) in parse_qs(query).items()}}
    return facts, client.post("/api/play/drills", json=body)


@pytest.mark.parametrize("kind", ["tables", "drills"])
def test_a_link_of_a_table_never_opens_another_solution(
    client: TestClient, kuhn_file: Path, kind: str, tmp_path: Path
) -> None:
    """A name is not a solution: another one may have it by the time that a link is followed."""
    library: Library = client.services.library  # type: ignore[attr-defined]
    name, later = f"first-{kind}", f"later-{kind}"
    put(client, kuhn_file, name)
    links = _links(client, kind, name)

    for answer in _led(client, links):
        assert "replaced or deleted" not in answer.text
    assert [answer.status_code for answer in _led(client, links)] == [200, 201]
    library.rename(name, later)
    other = eq.solve("kuhn", iterations=3).save(tmp_path / "other.safetensors")
    put(client, other, name)
    found, drill = _led(client, links)  # the right one, under its new name
    assert (found.json()["name"], drill.json()["solution"]) == (later, later)
    library.delete(later)
    for answer in _led(client, links):
        assert "has been replaced or deleted since" in answer.text
        assert "3pb" not in answer.text


@pytest.mark.parametrize("kind", ["tables", "drills"])
def test_a_link_of_a_table_leads_to_what_its_run_has_saved_since(
    client: TestClient, kuhn_file: Path, kind: str, tmp_path: Path
) -> None:
    services: Services = client.services  # type: ignore[attr-defined]
    name, new = f"run-{kind}", f"run-{kind}-2"
    put(client, kuhn_file, name)
    run = _run_of(client, name, is_saved=True).rpartition("/")[2]
    links = _links(client, kind, name)
    assert [answer.json()["is_later"] for answer in _led(client, links)] == [False, False]
    later = eq.solve("kuhn", iterations=3).save(tmp_path / "later.safetensors")
    put(client, later, name)
    assert [answer.json()["is_later"] for answer in _led(client, links)] == [True, True]
    assert client.post(f"/api/solutions/{name}", json={"name": new}).status_code == 200
    put(client, kuhn_file, name)  # another solution
    found, drill = (answer.json() for answer in _led(client, links))
    assert (found["name"], drill["solution"]) == (new, new)
    assert found["is_later"] is drill["is_later"] is True
    assert client.portal is not None
    client.portal.call(services.jobs.delete, run)
    for answer in _led(client, links):
        assert "replaced or deleted since" in answer.text
