"""Holds the answers of the API against what OpenAPI says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


class DescribedClient(TestClient):
    """A client that fails where an answer of JSON is not what OpenAPI describes."""

    described: FastAPI
    """The API, without the guard in front of it."""

    def request(self, method: str, url: Any, **options: Any) -> Any:
        answer = super().request(method, url, **options)
        has_content = answer.request.method != "HEAD"
        if has_content and answer.headers.get("content-type") == "application/json":
            check_answer(self.described, answer)
        return answer


def check_answer(app: FastAPI, answer: Any) -> None:
    """Fail where an answer has other keys or types than its description."""
    document, method = answer.json(), answer.request.method
    operation = operation_of(app, method, answer.request.url.path)
    if operation is None:
        return
    schema: Mapping[str, Any] = {"$ref": "#/components/schemas/Refused"}
    if isinstance(document, dict) and {"error", "remedy"} <= document.keys():
        document.pop("status", None)  # of one that was asked for as a document
    else:
        answers = operation["responses"]
        schema = answers[str(answer.status_code)]["content"]["application/json"]["schema"]
    wrong = difference(document, schema, app.openapi()["components"]["schemas"], "")
    assert wrong is None, f"{method} {answer.request.url.path}: {wrong}"


def operation_of(app: FastAPI, method: str, path: str) -> Mapping[str, Any] | None:
    """What OpenAPI says of a request; None where it has no such request."""
    fitting = [
        (len(re.sub(r"{\w+}", "", template)), template)
        for template, pattern in patterns(app)
        if pattern.fullmatch(path) and method.lower() in app.openapi()["paths"][template]
    ]
    return app.openapi()["paths"][max(fitting)[1]][method.lower()] if fitting else None


@cache
def patterns(app: FastAPI) -> list[tuple[str, re.Pattern[str]]]:
    """The paths of the API, each with a pattern; the most literal one that fits is meant."""
    return [
        (path, re.compile("".join(".+" if part[0] == "{" else re.escape(part) for part in parts)))
        for path in app.openapi()["paths"]
        if (parts := [part for part in re.split(r"({\w+})", path) if part])
    ]


def difference(value: Any, schema: Mapping[str, Any], named: Any, place: str) -> str | None:
    """Where a value is not as a schema says, and how; None where it is."""
    if "$ref" in schema:
        return difference(value, named[schema["$ref"].rpartition("/")[2]], named, place)
    if "anyOf" in schema:
        wrong = [difference(value, choice, named, place) for choice in schema["anyOf"]]
        return None if None in wrong else " and ".join(map(str, wrong))
    if "const" in schema or "enum" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return None if value in choices else f"{place} is {value!r}, not one of {choices}"
    kind = schema.get("type")
    if kind is not None and (
        not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")
    ):
        return f"{place} is {value!r}, not of type {kind}"
    parts: list[tuple[Any, Any, str]] = []
    if kind == "object":
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        if missing := set(schema.get("required", ())) - value.keys():
            return f"{place} lacks {sorted(missing)}"
        if known and (more := value.keys() - known.keys()):
            return f"{place} has {sorted(more)}, too"
        parts = [(one, known.get(key, others), f"{place}.{key}") for key, one in value.items()]
    elif kind == "array":
        places = schema.get("prefixItems", [schema.get("items")] * len(value))
        if len(places) != len(value):
            return f"{place} has {len(value)} items, not {len(places)}"
        parts = [
            (one, at, f"{place}[{k}]")
            for k, (one, at) in enumerate(zip(value, places, strict=True))
        ]
    for part, described, at in parts:
        if isinstance(described, Mapping) and (
            wrong_part := difference(part, described, named, at)
        ):
            return wrong_part
    return None
