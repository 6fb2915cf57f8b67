"""Following jobs in tests."""

from __future__ import annotations

import json
import time
from typing import Any

from starlette.testclient import TestClient


def started(client: TestClient, **job: Any) -> dict[str, Any]:
    """Start a job, and return it."""
    answer = client.post("/api/jobs", json=job)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def ended(client: TestClient, job: dict[str, Any]) -> dict[str, Any]:
    """The job once it neither waits nor runs, by its events."""
    newest = {}
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                newest = json.loads(line.removeprefix("data: "))
    return newest


def running(client: TestClient, job: dict[str, Any], *, can_resume: bool = True) -> dict[str, Any]:
    """The job once it iterates and, of spots after ten seconds, can be resumed."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found: dict[str, Any] = client.get(f"/api/jobs/{job['id']}").json()
        if found["state"] == "running" and found["progress"] and found["can_resume"] >= can_resume:
            return found
        assert found["state"] in ("queued", "running"), found["error"]
        time.sleep(0.02)
    raise AssertionError(found)
