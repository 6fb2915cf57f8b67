"""Jobs as codes and numbers, for pages in any language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from starlette.testclient import TestClient

import equilibrist
from equilibrist._jit.first_run import compiling_text
from equilibrist.web.documents import jobs as jobs_documents
from tests.web.following import running, started
from tests.web.scripted import ScriptedWorker

MakeClient = Callable[..., TestClient]
SOURCES = Path(equilibrist.__file__).parent


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


def test_the_stages_of_solves_have_codes() -> None:
    """Whatever the engine tells a job before it iterates."""
    sources = [
        *(SOURCES / "solving").glob("*.py"),
        *(SOURCES / "solving" / "comparison_runs").glob("*.py"),
        SOURCES / "poker" / "postflop" / "solving" / "spot_runs.py",
        SOURCES / "poker" / "postflop" / "solving" / "run.py",
    ]
    told = [
        match
        for source in sources
        for match in re.findall(r"\.stage\(f?\"([^\"]+)", source.read_text("utf-8"))
    ]
    assert len(told) > 8
    for text in (*told, compiling_text(), compiling_text(before="walking the rules")):
        assert jobs_documents.stage_code(text) != "working", text
