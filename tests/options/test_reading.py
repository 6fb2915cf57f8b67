"""Values of options from texts."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import ConfigError
from equilibrist.options.option import Kind, Option
from equilibrist.options.reading import read
from tests.refusals import refuses

EXPECTED = "a whole number of at least 1000"


def test_a_count_names_the_least_that_the_run_takes() -> None:
    for text in ("0", "999", "-5", "x"):
        with refuses(ConfigError, option="deals", given=text, expected=EXPECTED):
            read("deals", Option("count", "", "", least=1000), text)
    assert read("deals", Option("count", "", "", least=1000), "1e3") == 1000


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("amount", "2.5", 2.5),
        ("amount", "x", "x"),
        ("chips", "100", 100),
        ("chips", "1.5", "1.5"),
        ("count", "1e6", 1_000_000),
        ("memory", "4GB", 4_000_000_000),
        ("number", "1e-3", 1e-3),
        ("switch", False, False),
        ("text", "dcfr(gamma=3)", "dcfr(gamma=3)"),
        ("texts", [], None),
        ("texts", ["X", "B"], ["X", "B"]),
        ("time", "10m", 600.0),
        ("whole number", "-7", -7),
        ("time", None, None),
    ],
)
def test_a_text_is_read_by_its_kind(kind: Kind, text: Any, value: Any) -> None:
    found = read("limit", Option(kind, "", ""), text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("kind", ["count", "memory", "number", "time", "whole number"])
def test_what_is_none_of_its_kind_is_refused(kind: Kind) -> None:
    with refuses(ConfigError, option="limit", given="soon"):
        read("limit", Option(kind, "", ""), "soon")
