"""What a text says and a spot does not have: codes, which pages say in each language."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

import pytest
from fastapi.testclient import TestClient

from equilibrist.poker.postflop.setups.files import setup_text
from equilibrist.poker.postflop.setups.set_up import OMISSIONS, Omission, OmissionCode
from equilibrist.web.errors import as_requested
from equilibrist.web.setup.answers import LeftOutPart
from equilibrist.web.setup.form import blank_form
from equilibrist.web.shell import FOLDER
from tests.web.conftest import SPOT
from tests.web.javascript import catalogue_of
from tests.web.setup.test_setup_forms import HAND

PREFIX = "spot.left-out."
PLACE = re.compile(r"\{(\w+)\}")
WRITTEN = {
    "setting": "set_rake 0.05 {1} 2%",
    "value": "0.5%",
    "percent": "200",
    "cards": "AhKh",
    "player": "Bob",
    "street": "turn",
    "last": "flop",
}
"""Samples of what phrases name."""


def texts(language: str) -> dict[str, str]:
    forms = catalogue_of((FOLDER / f"texts/{language}.js").read_text("utf-8"))
    return {
        key.removeprefix(PREFIX): texts[-1]
        for key, texts in forms.items()
        if key.startswith(PREFIX)
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_code_has_a_text_with_its_places(language: str) -> None:
    found = texts(language)
    assert set(found) == set(OMISSIONS)
    for code, text in found.items():
        assert set(PLACE.findall(text)) == set(PLACE.findall(OMISSIONS[code])), code


@pytest.mark.parametrize("code", OMISSIONS)
def test_english_pages_say_what_the_engine_says(code: OmissionCode) -> None:
    said = PLACE.sub(lambda place: WRITTEN[place[1]], texts("en")[code])
    assert said == as_requested(str(Omission(code, WRITTEN)))


def test_answers_have_the_codes_of_the_engine() -> None:
    listed = get_type_hints(LeftOutPart)["code"]
    assert set(get_args(listed)) == set(get_args(OmissionCode)) == set(OMISSIONS)


def test_what_was_left_out_of_a_text_has_codes(client: TestClient) -> None:
    script = setup_text(SPOT, "texassolver").rstrip()
    script += "\nset_accuracy 0.5\nset_rake 0.05 3 2\ndump_result --out.json\n"
    body = {"text": script, "name": None, "form": blank_form()}
    answer = client.post("/api/setup/read", json=body).json()
    omissions = answer["omissions"]
    assert [one["text"] for one in omissions] == answer["left_out"]
    found = {one["code"]: one["values"] for one in omissions}
    assert found["target"] == {"setting": "set_accuracy 0.5", "value": "0.5%"}
    assert found["rake"] == {"setting": "set_rake 0.05 3 2"}
    assert found["out"] == {"setting": "dump_result --out.json"}  # as it is written
    as_spot = client.post("/api/spots/read", json={"text": script}).json()
    assert as_spot["omissions"] == omissions


def test_what_was_left_out_of_a_hand_has_codes(client: TestClient) -> None:
    body = {"text": HAND, "name": None, "form": blank_form()}
    omissions = client.post("/api/setup/read", json=body).json()["omissions"]
    assert {one["code"] for one in omissions} == {"hand-cards"}
    assert {*omissions[0]["values"]} == {"player", "cards"}
