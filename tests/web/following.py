"""Following jobs in tests."""

from __future__ import annotations

import json
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
