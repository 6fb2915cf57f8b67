"""Errors of the API: one document for all of them, whoever has found what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.api.answers import REPEATED
from equilibrist.web.errors import error_document, error_of, expected_by
from equilibrist.web.security.work import Work
from tests.web.conftest import SPOT

FIELDS = {"error", "kind", "option", "given", "expected", "place", "remedy"}
JSON = {"Content-Type": "application/json"}
BODY, QUERY = "the body of the request", "the query of the request"


@pytest.mark.parametrize(
    ("path", "content", "option", "given", "place"),
    [
        ("jobs", b'{"game": 5}', "game", 5, BODY),
        ("jobs", b'{"game": NaN}', "game", "nan", BODY),
        ("jobs", b'{"gam": "kuhn"}', "gam", "kuhn", BODY),
        ("jobs", b'{"game": "kuhn", "options": {"a": {}}}', "options.a", "{}", BODY),
        ("jobs", b'{"spot": {"key": 1}}', "spot.key", 1, BODY),
        ("icm", b'{"stacks": ["5k", 3], "payouts": [2]}', "stacks", "['5k', 3]", BODY),
        ("jobs", b"[1]", "body", "[1]", BODY),
        ("jobs", b"", "body", None, BODY),
        ("jobs", b"{", "body", None, "character 1 of the body"),
        ("play/drills/x/answer", b'{"number": 1}', "action", None, BODY),
        ("play/tables", b'{"solution": "%s"}' % (b"x" * 300), "solution", "x" * 200, BODY),
        ("play/tables", b'{"solution": "a", "seat": "0"}', "seat", "0", BODY),
        ("play/drills", b'{"solution": "a", "seed": -1}', "seed", -1, BODY),
    ],
)
def test_a_body_that_is_none(
    client: TestClient, path: str, content: bytes, option: str, given: object, place: str
) -> None:
    answer = client.post(f"/api/{path}", content=content, headers=JSON)
    said = answer.json()
    assert answer.status_code == 422
    assert said.keys() == FIELDS
    found = said["kind"], said["option"], said["given"], said["place"]
    assert found == ("ConfigError", option, given, place)
    assert said["expected"]
    assert said["remedy"] in said["error"]


@pytest.mark.parametrize(
    ("query", "option", "given"),
    [("count=0", "count", "0"), ("player=x", "player", "x"), ("match=" + "x" * 201, "match", None)],
)
def test_a_query_that_is_none(
    client: TestClient, query: str, option: str, given: str | None
) -> None:
    answer = client.get(f"/api/solutions/last/infosets?{query}")
    said = answer.json()
    assert (answer.status_code, said.keys()) == (422, FIELDS)
    found = said["option"], said["given"], said["place"]
    assert found == (option, given or "x" * 200, QUERY)


@pytest.mark.parametrize(
    "path", ["jobs?a=1&a=1", "games?sizes=0&sizes=1", "games/kuhn/lesson?iteration=1&iteration=2"]
)
def test_nothing_is_said_twice(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/{path}")
    name = path.partition("?")[2].partition("=")[0]
    assert (answer.status_code, answer.json().keys()) == (422, FIELDS)
    assert (answer.json()["option"], answer.json()["place"]) == (name, QUERY)


@pytest.mark.parametrize(
    ("path", "name", "meant"),
    [
        ("solutions/last/infosets?cont=5", "cont", "'count'"),
        ("solutions?serch=kuhn", "serch", "'search'"),
        ("solutions/last/node?stamp=&lines=X", "lines", "'line'"),
        ("jobs?state=done", "state", "none"),
        ("games/kuhn/lesson?iterations=2", "iterations", "'iteration'"),
    ],
)
def test_a_parameter_that_nothing_reads_is_refused(
    client: TestClient, path: str, name: str, meant: str
) -> None:
    answer = client.get(f"/api/{path}")
    said = answer.json()
    assert (answer.status_code, said["kind"]) == (422, "UnknownNameError")
    assert (said["option"], said["given"], said["place"]) == (name, name, QUERY)
    assert meant in said["error"]
    assert client.get(f"/api/nothing?{name}=1").status_code == 404


@pytest.mark.parametrize(
    ("report", "words"),
    [
        ({"type": "greater_than_equal", "ctx": {"ge": 1}}, "a number of at least 1"),
        ({"type": "too_short", "ctx": {"min_length": 2}}, "at least 2 entries"),
        ({"type": "model_attributes_type"}, "an object"),
        ({"type": "else", "msg": "Input should be red"}, "red"),
    ],
)
def test_what_was_expected_is_said_in_words(report: dict[str, Any], words: str) -> None:
    assert expected_by(report) == words


def test_a_body_says_nothing_twice(client: TestClient) -> None:
    for body in (b'{"game": "kuhn", "game": "leduc"}', b'{"spot": {"pot": 10, "pot": 12}}'):
        answer = client.post("/api/jobs", content=body, headers=JSON)
        assert (answer.status_code, answer.json().keys()) == (422, FIELDS)
        assert answer.json()["option"] in ("game", "pot")
    assert client.get("/api/jobs").json()["running"] == 0


def test_lists_alone_are_repeated(client: TestClient) -> None:
    lists = {
        parameter["name"]
        for path in client.get("/api/openapi.json").json()["paths"].values()
        for request in path.values()
        for parameter in request.get("parameters", [])
        if parameter["schema"].get("type") == "array"
    }
    assert lists == REPEATED


@pytest.mark.parametrize(
    ("how", "path", "status"),
    [
        ({"content": b"[" * 10**5, "headers": JSON}, "jobs", 400),
        ({"content": b"\xff{", "headers": JSON}, "jobs", 400),
        ({}, "nothing", 404),
        ({"content": bytes(1_000_001)}, "ranges/read", 413),
    ],
)
def test_every_refusal_has_all_fields(
    client: TestClient, how: dict[str, Any], path: str, status: int
) -> None:
    answer = client.post(f"/api/{path}", **how)
    assert (answer.status_code, answer.json().keys()) == (status, FIELDS)


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PATCH"])
def test_other_methods_make_no_page(client: TestClient, method: str) -> None:
    answer = client.request(method, "/api/jobs")
    assert (answer.status_code, answer.json()["option"]) == (404, "path")


@pytest.mark.parametrize(("error", "status"), [(MemoryError, 507), (ZeroDivisionError, 500)])
def test_what_goes_wrong_in_the_server_is_told_without_its_secrets(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int
) -> None:
    async def run(*_given: object, **_how: object) -> None:
        raise error("a secret")

    monkeypatch.setattr(Work, "run", run)
    answer = client.post("/api/jobs", json={"game": "kuhn"})
    assert (answer.status_code, answer.json().keys()) == (status, FIELDS)
    assert "secret" not in answer.text


def test_an_error_that_a_worker_tells_has_its_fields(client: TestClient) -> None:
    answer = client.put("/api/uploads/a.safetensors", content=b"x").json()
    assert answer["place"] == "the file"
    assert answer["error"].endswith(f"; {answer['remedy']}")
    assert answer["error"].count(answer["remedy"]) == 1
    assert error_document(error_of(answer)) == answer


def test_a_spot_may_begin_with_a_byte_order_mark(client: TestClient) -> None:
    """As editors on Windows save it, and programs send it."""
    text = f"\ufeff{SPOT.to_toml()}"
    answer = client.post("/api/spots/check", json={"toml": text})
    assert (answer.status_code, answer.json()["spot"]) == (200, SPOT.to_toml())
