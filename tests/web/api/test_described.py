"""Every route says what it answers; the clients of all tests hold each answer against that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.application import make_api
from tests.web.described import difference


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    return make_api().openapi()


def operations(openapi: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every request of the API, as `get /api/jobs`, with its description."""
    return [
        (f"{method} {path}", operation)
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_describes_its_answer(openapi: dict[str, Any]) -> None:
    """A document of JSON with named fields, or a file or stream with its media type."""
    documents = 0
    for request, operation in operations(openapi):
        answers = [found for status, found in operation["responses"].items() if status[0] == "2"]
        ((media, content),) = answers[0]["content"].items()
        assert len(answers) == 1
        if media != "application/json":
            assert content["schema"] == {"type": "string"}, request
            continue
        for schema in content["schema"].get("anyOf", [content["schema"]]):
            name = schema.get("items", schema).get("$ref", "").rpartition("/")[2]
            if request != "get /api/setups":  # names alone
                assert openapi["components"]["schemas"][name]["properties"], request
                assert openapi["components"]["schemas"][name]["description"], request
            documents += 1
    assert documents > 70


def test_every_route_describes_its_refusals(openapi: dict[str, Any]) -> None:
    for request, operation in operations(openapi):
        for status in ("4XX", "5XX", "422"):
            schema = operation["responses"][status]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Refused"}, request


def test_the_answers_of_the_api_are_checked(make_client: Callable[..., TestClient]) -> None:
    client = make_client()
    described = client.described  # type: ignore[attr-defined]
    schema = described.openapi()["paths"]["/api/version"]["get"]["responses"]["200"]
    fields = {"name": {"type": "string"}}
    kept = schema["content"]["application/json"]
    schema["content"]["application/json"] = {"schema": {"type": "object", "properties": fields}}
    try:
        with pytest.raises(AssertionError, match="version"):
            client.get("/api/version")
    finally:
        schema["content"]["application/json"] = kept
    assert client.get("/api/version").status_code == 200


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"a": 1}, None),
        ({"a": 1.5}, None),
        ({"a": None}, None),
        ({"a": True}, ".a"),
        ({"a": "1"}, ".a"),
        ({}, "lacks"),
        ({"a": 1, "b": 2}, "has"),
        ([], "object"),
        ({"a": 1, "c": [1]}, None),
        ({"a": 1, "c": [1, 2]}, "items"),
        ({"a": 1, "c": [0.5]}, r".c\[0\]"),
    ],
)
def test_what_differs_from_a_schema(value: Any, wrong: str | None) -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "c": {"type": "array", "prefixItems": [{"type": "integer"}]},
        },
        "required": ["a"],
    }
    found = difference(value, schema, {}, "")
    assert (found is None) is (wrong is None)
    if wrong is not None:
        assert found is not None
        assert wrong.replace("\\", "") in found
