"""Answers are compressed for those who take it, whole ones alone."""

from __future__ import annotations

import gzip
import json

import pytest
from starlette.testclient import TestClient

from tests.web.following import running, started
from tests.web.scripted import ScriptedWorker


def raw(client: TestClient, path: str, accepts: str = "gzip") -> tuple[bytes, dict[str, str]]:
    with client.stream("GET", path, headers={"Accept-Encoding": accepts}) as answer:
        return b"".join(answer.iter_raw()), dict(answer.headers)


@pytest.mark.parametrize("path", ["/api/games", "/api/ranges", "/api/openapi.json", "/learn"])
def test_long_answers_are_compressed_for_those_who_take_it(client: TestClient, path: str) -> None:
    plain, headers = raw(client, path, "identity")
    assert "content-encoding" not in headers
    packed, headers = raw(client, path)
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(packed))
    assert "Accept-Encoding" in headers["vary"]
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2
    assert dict(client.head(path, headers={"Accept-Encoding": "gzip"}).headers) == headers


@pytest.mark.parametrize("accepts", ["gzip;q=0", "br, gzip; q=0.0", "br", "*;q=0"])
def test_what_a_request_refuses_is_not_sent(client: TestClient, accepts: str) -> None:
    assert "content-encoding" not in raw(client, "/api/games", accepts)[1]
    assert raw(client, "/api/games", "br;q=0, GZIP;q=0.5")[1]["content-encoding"] == "gzip"


def test_short_answers_and_refusals_are_what_they_are(client: TestClient) -> None:
    content, headers = raw(client, "/api/me")
    assert "content-encoding" not in headers
    assert "role" in json.loads(content)
    answer = client.get("/api/solutions/none")
    assert (answer.status_code, answer.json()["kind"]) == (404, "NotFoundError")


def test_streams_come_as_they_are(client: TestClient, workers: list[ScriptedWorker]) -> None:
    job = running(client, started(client, game="kuhn"))
    answer = client.head(f"/api/jobs/{job['id']}/events", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in answer.headers
