"""Documents: what JSON can hold of objects with fields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from equilibrist.formatting.documents import document, plain


class Pair(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Named:
    name: str

    def to_dict(self) -> dict[str, Any]:
        return {"called": self.name}


@dataclass(frozen=True)
class Run:
    game: Named
    values: tuple[float, ...]
    interval: Pair | None
    numbers: Any = None

    @property
    def count(self) -> int:
        return len(self.values)


RUN = Run(Named("kuhn"), (1.0, -1.0), Pair(0.5, 2.0))


def test_all_fields_are_named_once() -> None:
    assert document(RUN) == {
        "game": {"called": "kuhn"},
        "values": [1.0, -1.0],
        "interval": {"low": 0.5, "high": 2.0},
        "numbers": None,
    }


def test_chosen_attributes_keep_their_order() -> None:
    assert list(document(RUN, "count values game").items()) == [
        ("count", 2),
        ("values", [1.0, -1.0]),
        ("game", {"called": "kuhn"}),
    ]


def test_an_attribute_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="missing"):
        document(RUN, "game missing")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Path("a/b"), "a/b"),
        (np.array([[1, 2]]), [[1, 2]]),
        (np.int64(3), 3),
        ({"a": (1, (2,))}, {"a": [1, [2]]}),
        ([Pair(1.0, 2.0)], [{"low": 1.0, "high": 2.0}]),
        (True, True),
        (None, None),
    ],
)
def test_plain_values(value: object, expected: object) -> None:
    found = plain(value)
    assert found == expected
    assert json.loads(json.dumps(found)) == expected
