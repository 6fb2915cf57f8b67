"""Jobs as codes and numbers, for pages in any language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from equilibrist._jit.first_run import compiling_text
from equilibrist.web.jobs.outcomes import note_event
from equilibrist.web.runs import documents as jobs_documents
from tests.web.following import running, started
from tests.web.scripted import ScriptedWorker

MakeClient = Callable[..., TestClient]


def test_jobs_are_told_as_codes_and_numbers(
    make_client: MakeClient, workers: list[ScriptedWorker]
) -> None:
    client = make_client(limits={"running": 1})
    first, second, third = (started(client, game="kuhn") for _ in range(3))
    assert running(client, first)["waiting"] is None
    waiting = client.get(f"/api/jobs/{second['id']}").json()["waiting"]
    assert (waiting["code"], waiting["running"], waiting["most_running"]) == ("running", 1, 1)
    waiting = client.get(f"/api/jobs/{third['id']}").json()["waiting"]
    assert (waiting["code"], waiting["ahead"]) == ("queue", 1)
    job = client.services.jobs.get(first["id"])  # type: ignore[attr-defined]
    job.stage = "walking the rules: 1,000 histories"
    document = client.get(f"/api/jobs/{first['id']}").json()
    assert (document["stage_code"], document["note_code"]) == ("walking", None)
    assert (document["title"]["kind"], document["title"]["game"]) == ("game", "kuhn")
    job.note = jobs_documents._GAME_GONE
    assert client.get(f"/api/jobs/{first['id']}").json()["note_code"] == "game-deleted"
    job.note = "the trace was left out"
    assert client.get(f"/api/jobs/{first['id']}").json()["note_code"] == "left-out"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("walking the rules", "walking"),
        ("walking the rules: 1,000 histories", "walking"),
        ("walking the states", "walking"),
        ("measuring what draws of all cards differ by", "measuring"),
        ("about 1.2e+08 histories (an estimate): sampling without a tree", "sampling"),
        ("preparing QsJh2h", "preparing"),
        ("solving", "solving"),
        ("running 3 runs side by side", "running"),
        ("going back to the best strategies", "restoring"),
        ("hand 3 of 7: #5, solving QsJh2h", "reviewing"),
        ("saving", "saving"),
        (compiling_text(), "compiling"),
        (compiling_text(before="walking the rules"), "compiling"),
        ("something else", "working"),
        ("", "working"),
    ],
)
def test_stages_have_codes(text: str, code: str) -> None:
    assert jobs_documents.stage_code(text) == code


def test_stages_are_counted(make_client: MakeClient, workers: list[ScriptedWorker]) -> None:
    client = make_client()
    job = client.services.jobs.get(started(client, game="kuhn")["id"])  # type: ignore[attr-defined]
    told = {"event": "stage", "text": "hand 3 of 7: #5", "done": 2, "total": 7}
    note_event(job, told, 0.0, can_resume=False)
    document = client.get(f"/api/jobs/{job.id}").json()
    assert (document["stage_code"], document["stage_done"], document["stage_total"]) == (
        "reviewing", 2, 7,
    )  # fmt: skip
    note_event(job, {"event": "stage", "text": "saving"}, 0.0, can_resume=False)
    document = client.get(f"/api/jobs/{job.id}").json()
    assert (document["stage_code"], document["stage_done"]) == ("saving", None)
