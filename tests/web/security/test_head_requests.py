"""HEAD has the status and the headers of GET, and no body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.following import running, started
from tests.web.scripted import ScriptedWorker


@pytest.mark.parametrize("path", ["/api/docs", "/api/jobs", "/api/solutions/none", "/api/none"])
def test_head_is_answered_as_get_is(client: TestClient, path: str) -> None:
    asked, got = client.head(path), client.get(path)
    assert (asked.status_code, asked.content) == (got.status_code, b"")
    assert asked.headers == got.headers
    assert (got.status_code == 200) is (path in ("/api/docs", "/api/jobs"))


def test_head_of_a_stream_does_not_wait_for_its_end(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="kuhn"))
    answer = client.head(f"/api/jobs/{job['id']}/events")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert len(workers) == 1  # the run goes on
    guard: Any = client.app
    assert not guard.streams


@pytest.mark.parametrize(
    ("accepts", "status"), [({"Accept": "text/html"}, 303), ({"Accept": "application/json"}, 401)]
)
def test_head_is_refused_as_get_is(
    make_client: Callable[..., TestClient], accepts: dict[str, str], status: int
) -> None:
    client = make_client(token="owner-token-owner-token")
    for method in ("GET", "HEAD"):
        answer = client.request(method, "/library", headers=accepts, follow_redirects=False)
        assert answer.status_code == status
