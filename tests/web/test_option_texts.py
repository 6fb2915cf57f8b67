"""What the pages say of options: words in each language, and in English those of the engine."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

import pytest

from equilibrist.games import list_games
from equilibrist.web.games.options import RACE_OPTIONS, solve_options
from equilibrist.web.hands.documents import hand_forms
from equilibrist.web.shell import FOLDER
from tests.web.javascript import catalogue_of

FURTHER = [option for option in solve_options() if not option["is_main"]]
FIELDS = [
    (form["kind"], field)
    for form in hand_forms()
    for field in form["fields"]
    if field["name"] != "spot"  # a whole file, for programs
]
IN_WORDS = re.compile(r"[^\W\d_]{2}")
SIGNS = {"float32", "float64", "int16"}
"""Choices that are called so in every language."""


def texts(language: str) -> dict[str, str]:
    files = (FOLDER / f"texts/{name}.js" for name in (language, f"{language}-help"))
    return {
        key: forms[-1]
        for file in files
        for key, forms in catalogue_of(file.read_text("utf-8")).items()
    }


ENGLISH = texts("en")


@pytest.mark.parametrize("option", FURTHER, ids=lambda option: option["name"])
def test_options_of_a_solve_have_words(option: Any) -> None:
    """In English they are the engine's, which drift from them otherwise."""
    name = f"option.{option['name']}"
    assert name in ENGLISH
    assert ENGLISH.get(f"{name}.help") == option["help"]
    said = option["default"] if IN_WORDS.search(option["default"]) else None
    assert ENGLISH.get(f"{name}.default") == said


def test_options_that_are_gone_have_no_words() -> None:
    named = {key.split(".")[1] for key in ENGLISH if key.startswith("option.")}
    assert named == {option["name"] for option in FURTHER} | {"side_by_side"}
    asked = {field["name"] for _, field in FIELDS}
    assert {key.split(".")[-1] for key in ENGLISH if key.startswith("make.help.")} <= asked


def test_options_of_a_race_have_words() -> None:
    for name in RACE_OPTIONS:
        keys = {f"solve.{name}", f"race.{name}", f"option.{name}"}
        assert keys & set(ENGLISH), name


@pytest.mark.parametrize(
    ("kind", "field"), FIELDS, ids=lambda x: x if isinstance(x, str) else x["name"]
)
def test_fields_of_runs_on_hands_have_words(kind: str, field: Any) -> None:
    """A text of its own for each kind of runs, or one for all.

    It may be shorter than the engine's, but not nearly the same: that one has drifted.
    """
    name = field["name"]
    assert f"make.field.{name}" in ENGLISH
    key = f"make.help.{kind}.{name}"
    found, wanted = ENGLISH[key if key in ENGLISH else f"make.help.{name}"], field["help"]
    alike = SequenceMatcher(None, found.split(), wanted.split()).ratio()
    assert found == wanted or alike < 0.85


@pytest.mark.parametrize("language", ["en", "zh"])
def test_choices_have_words(language: str) -> None:
    known = texts(language)
    options = [*FURTHER, *(field for _, field in FIELDS)]
    for option in options:
        for choice in set(option["choices"]) - SIGNS:
            assert f"option-choice.{option['name']}.{choice}" in known, option["name"]


def test_games_have_titles_and_words() -> None:
    listed = {info.name: info.summary for info in list_games()}
    for group, wanted in (("game-title", None), ("game-about", listed)):
        found = {
            key.removeprefix(f"{group}."): text
            for key, text in ENGLISH.items()
            if key.startswith(f"{group}.")
        }
        assert set(found) == set(listed)
        assert wanted is None or found == wanted


def test_parameters_of_games_have_words() -> None:
    """A text for all games, and one of its own for a game that means another thing by the name."""
    used = set()
    for info in list_games():
        for parameter in info.to_dict()["parameters"]:
            own = f"game-parameter.{info.name}.{parameter['name']}"
            key = own if own in ENGLISH else f"game-parameter.{parameter['name']}"
            used.add(key)
            assert ENGLISH.get(key) == parameter["meaning"].replace("`", ""), key
    assert used == {key for key in ENGLISH if key.startswith("game-parameter.")}
