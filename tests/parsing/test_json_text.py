"""JSON in which no object has a key twice."""

from __future__ import annotations

import json

import pytest

from equilibrist.parsing.json_text import parse_json


def test_a_document_is_parsed() -> None:
    text = '{"a": [{"b": 1}, {"b": 2}], "b": null}'
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1, "a": 1}', 1, 10),
        ('[{"pot": 60,\n "stack": 9,\n "pot" : 60}]', 3, 2),
        ('{"a": 1, "\\u0061": 1}', 1, 1),
    ],
)
def test_a_key_is_there_once(text: str, line: int, column: int) -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        parse_json(text)
    assert (refused.value.lineno, refused.value.colno) == (line, column)
