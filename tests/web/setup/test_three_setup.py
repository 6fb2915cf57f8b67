"""Spots of three players in forms: what they describe, and what is wrong beside its field."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.poker.three_players.spot import any_spot_from_text
from equilibrist.web.setup.form import example_form, form_of
from tests.web.conftest import SPOT, THREE
from tests.web.scripted import ScriptedWorker


def checked(client: TestClient, **fields: Any) -> Any:
    answer = client.post("/api/setup/check", json={"form": {**form_of(THREE), **fields}})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_form_of_three_describes_its_spot(client: TestClient) -> None:
    found = checked(client, target="0.5%", threads="1")
    assert (found["spot"], found["errors"]) == (THREE.to_toml(), [])
    needs = poker.three_needs(THREE, target="0.5%", threads=1).to_dict()
    for key in ("hands", "stacks", "decisions", "memory_bytes", "iterations", "target", "threads"):
        assert found["estimate"][key] == needs[key], key
    assert found["estimate"]["fits"]


def test_flops_are_estimated(client: TestClient) -> None:
    found = checked(client, board="Qs9h5d", oop_bets_flop="a", oop_bets_turn="", oop_bets_river="")
    assert found["errors"] == []
    spot = any_spot_from_text(found["spot"])
    assert isinstance(spot, poker.ThreeSpot)
    assert found["estimate"]["memory_bytes"] == poker.three_needs(spot).memory_bytes


def test_equal_stacks_are_one_key(client: TestClient) -> None:
    stacks = dict.fromkeys(("stack_oop", "stack_middle", "stack_ip"), "240")
    spot = checked(client, **stacks)["spot"]
    assert "stack = 240\n" in spot
    alike = poker.ThreeSpot(**{**THREE.model_dump(), "stack": 240, "stacks": None})
    assert form_of(alike)["stack_middle"] == "240"


def test_fields_that_three_do_not_have_are_left_alone(client: TestClient) -> None:
    form = form_of(THREE) | {"donks_river": "50%", "deck": "6", "storage": "int16", "stack": "7"}
    answer = client.post("/api/setup/check", json={"form": form}).json()
    assert (answer["spot"], answer["errors"]) == (THREE.to_toml(), [])
    document = client.get("/api/setup/form").json()
    assert {"middle", "stack_oop", "oop_bets_river", "target"} <= set(document["three"])
    assert not {"stack", "storage", "ip_bets_river", "deck"} & set(document["three"])


def test_a_form_of_two_has_nothing_of_three(client: TestClient) -> None:
    form = form_of(SPOT) | {"middle": "what", "stack_ip": "none"}
    answer = client.post("/api/setup/check", json={"form": form}).json()
    assert (answer["spot"], answer["errors"]) == (SPOT.to_toml(), [])


@pytest.mark.parametrize(
    ("fields", "field", "kind", "option"),
    [
        ({"middle": ""}, "middle", "ConfigError", "range"),
        ({"middle": "zz"}, "middle", "RangeSyntaxError", "range"),
        ({"middle": "QsQd"}, "middle", "ConfigError", "middle"),
        ({"stack_ip": "x"}, "stack_ip", "ConfigError", "stack"),
        ({"stack_oop": ""}, "stack_oop", "ConfigError", "stack"),
        ({"stack_oop": "0", "stack_ip": "0"}, "", "ConfigError", "stacks"),
        ({"board": "Qs9h5"}, "board", "CardSyntaxError", "card"),
        ({"oop_bets_river": "what"}, "oop_bets_river", "BetSizeSyntaxError", None),
        ({"target": "much"}, "target", "ConfigError", "target"),
        ({"middle": "AhAd", "oop": "AhAd"}, "", "ConfigError", "ranges"),
        ({"board": "Qs9h5d", "locks": [": X 1"]}, "locks", "ConfigError", "locks"),
    ],
)
def test_errors_stand_beside_their_fields(
    client: TestClient, fields: dict[str, Any], field: str, kind: str, option: str | None
) -> None:
    (error,) = checked(client, **fields)["errors"]
    assert (error["field"], error["kind"]) == (field, kind)
    assert option is None or error["option"] == option


def test_a_form_begins_with_an_example_of_three(client: TestClient) -> None:
    document = client.get("/api/setup/form?example=true&players=3").json()
    assert document["form"] == example_form("3")
    assert document["form"]["players"] == "3"
    assert document["kinds"].keys() == document["form"].keys()


def test_texts_and_setups_of_three(client: TestClient) -> None:
    body = {"text": THREE.to_toml(), "form": {}}
    read = client.post("/api/setup/read", json=body).json()
    assert read["form"] == form_of(THREE)
    assert client.put("/api/setups/mine", json={"toml": THREE.to_toml()}).status_code == 200
    document = client.get("/api/setup/form", params={"setup": "mine"}).json()
    assert document["form"] == form_of(THREE)


def test_what_takes_two_players_says_so(client: TestClient) -> None:
    toml = {"toml": THREE.to_toml()}
    for path in ("check", "estimate", "tree", "write"):
        answer = client.post(f"/api/spots/{path}", json=toml)
        assert (answer.status_code, answer.json()["option"]) == (422, "middle"), path
    answer = client.post("/api/setup/fitting", json={"form": form_of(THREE)})
    assert (answer.status_code, answer.json()["option"]) == (409, "players")


def test_trembles_of_three(client: TestClient) -> None:
    assert checked(client, tremble="0.001")["errors"] == []
    assert [fault["field"] for fault in checked(client, tremble="0.6")["errors"]] == ["tremble"]
    body = {"spot": {"toml": THREE.to_toml()}, "options": {"tremble": 0.001}}
    job = client.post("/api/jobs", json=body).json()
    assert job["options"] == {"tremble": "0.001"}


def test_a_job_of_three(client: TestClient, workers: list[ScriptedWorker]) -> None:
    answer = client.post("/api/jobs", json={"spot": {"toml": THREE.to_toml()}})
    job = answer.json()
    assert (answer.status_code, job["kind"], job["has_checkpoints"]) == (201, "three", False)
    assert (job["title"]["kind"], job["title"]["stacks"]) == ("three", [100, 40, 250])
    assert job["memory_bytes"] == poker.three_needs(THREE).memory_bytes
    form = client.get("/api/setup/form", params={"job": job["id"]}).json()["form"]
    assert (form["middle"], form["stack_middle"]) == (str(THREE.middle), "40")
    for path in ("pause", "save"):
        assert client.post(f"/api/jobs/{job['id']}/{path}").status_code == 409
    assert client.get(f"/api/jobs/{job['id']}/study").status_code == 409


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"storage": "int16"}, "storage"),
        ({"quantal": 0.1}, "quantal"),
        ({"tremble": 0.6}, "tremble"),  # of two actions
        ({"target": "x"}, "target"),
    ],
)
def test_options_that_three_do_not_have_are_refused(
    client: TestClient, options: dict[str, Any], option: str
) -> None:
    body = {"spot": {"toml": THREE.to_toml()}, "options": options}
    answer = client.post("/api/jobs", json=body)
    assert (answer.status_code, answer.json()["option"]) == (422, option)
