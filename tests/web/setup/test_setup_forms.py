"""Forms as documents: what one begins with, what is wrong with it, and what makes it fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from starlette.testclient import TestClient

from equilibrist.poker.postflop.estimate.reductions import StepCode
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.answers.spots import ReductionStep
from equilibrist.web.settings import Subject
from equilibrist.web.setup import documents as forms
from equilibrist.web.setup.answers import FormWarning
from equilibrist.web.setup.form import blank_form, example_form, form_of
from equilibrist.web.shell import FOLDER
from equilibrist.web.workers import process
from tests.web.conftest import SPOT, put
from tests.web.javascript import catalogue_of
from tests.web.scripted import ScriptedWorker

MakeClient = Callable[..., TestClient]


def checked(client: TestClient, form: dict[str, Any]) -> Any:
    answer = client.post("/api/setup/check", json={"form": form})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_form_begins_with_what_is_named(make_client: MakeClient, spot_file: Path) -> None:
    client = make_client(subject=Subject("spot", "turn.toml", spot=SPOT.to_toml()))
    put(client, spot_file, "turn")
    services = client.services  # type: ignore[attr-defined]
    services.setups.put("mine", SPOT.to_toml())
    for query, origin, form in (
        ("", "blank", blank_form()),
        ("?example=true", "example", example_form()),
        ("?subject=true", "subject", form_of(SPOT)),
        ("?solution=turn", "solution", form_of(SPOT)),
        ("?setup=mine", "setup", form_of(SPOT)),
    ):
        document = client.get(f"/api/setup/form{query}").json()
        assert (document["origin"], document["form"]) == (origin, form)
        assert document["kinds"].keys() == form.keys()


@pytest.mark.parametrize(
    ("query", "status", "option"),
    [
        ("job=nosuch", 404, "job"),
        ("solution=nosuch", 404, "name"),
        ("setup=nosuch", 404, "name"),
        ("subject=true", 404, "subject"),
        ("solution=a&example=true", 422, "example"),
    ],
)
def test_forms_of_nothing(client: TestClient, query: str, status: int, option: str) -> None:
    answer = client.get(f"/api/setup/form?{query}")
    assert (answer.status_code, answer.json()["option"]) == (status, option)


def test_a_job_gives_its_options(client: TestClient, workers: list[ScriptedWorker]) -> None:
    body = {"spot": {"toml": SPOT.to_toml()}, "options": {"iterations": 3, "threads": 1}}
    job = client.post("/api/jobs", json=body).json()
    document = client.get("/api/setup/form", params={"job": job["id"]}).json()
    assert document["name"] == job["id"]
    assert (document["form"]["iterations"], document["form"]["threads"]) == ("3", "1")


def test_a_right_form_is_a_spot_with_an_estimate(client: TestClient) -> None:
    document = checked(client, form_of(SPOT))
    assert document["spot"] == SPOT.to_toml()
    assert (document["errors"], document["warnings"]) == ([], [])
    assert document["first_street"] == 1
    assert document["estimate"]["fits"]
    assert document["estimate_error"] is None


@pytest.mark.parametrize(
    ("field", "value", "kind", "option", "position"),
    [
        ("board", "Qs", "BoardError", None, None),
        ("pot", "many", "ConfigError", "pot", None),
        ("pot", -3, "ConfigError", "pot", None),
        ("stack", "", "ConfigError", "stack", None),
        ("oop", "AA,XX", "RangeSyntaxError", None, 3),
        ("oop", "", "ConfigError", "range", None),
        ("ip_bets_turn", "33%|50%", "ConfigError", "ip_bets", 3),
        ("ip_bets_river", "-1%", "BetSizeError", None, None),
        ("target", "low", "ConfigError", "target", None),
        ("threads", "none", "ConfigError", "threads", None),
        ("threads", 10**9, "ConfigError", "threads", None),
        ("deck", "50%", "ConfigError", "deck", None),
        ("iterations", "1e30", "ConfigError", "iterations", None),
    ],
)
def test_errors_stand_at_their_fields(
    client: TestClient, field: str, value: Any, kind: str, option: str | None, position: int | None
) -> None:
    (fault,) = checked(client, {**form_of(SPOT), field: value})["errors"]
    assert fault["field"] == field
    assert fault["text"]
    if option is not None:
        assert (fault["kind"], fault["option"]) == (kind, option)
    if position is not None:
        assert fault["position"] == position


@pytest.mark.parametrize("field", ["board", "oop", "pot", "deck", "folded", "target"])
def test_half_a_character_is_wrong_at_its_field(client: TestClient, field: str) -> None:
    answer = client.post(
        "/api/setup/check",
        content=json.dumps({"form": {**form_of(SPOT), field: "\ud83d"}}),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == 422, answer.text
    fault = answer.json()
    assert (fault["kind"], fault["option"]) == ("ConfigError", f"form.{field}")


def test_numbers_of_errors_are_numbers(client: TestClient) -> None:
    (fault,) = checked(client, {**form_of(SPOT), "oop": "AA", "folded": "AA; AA"})["errors"]
    assert (fault["field"], fault["given"]) == ("folded", 0.0)
    assert isinstance(fault["expected"], float)


def test_counts_that_may_be_zero_say_so(client: TestClient) -> None:
    for value in ("-1", "1.5", "none"):
        (fault,) = checked(client, {**form_of(SPOT), "raise_cap": value})["errors"]
        assert (fault["field"], fault["expected"]) == ("raise_cap", "a whole number of at least 0")
    assert checked(client, {**form_of(SPOT), "raise_cap": "0"})["errors"] == []


def test_errors_of_lists_stand_at_their_first_street(client: TestClient) -> None:
    form = {**form_of(SPOT), "donks_river": "33%", "ip_bets_turn": "", "ip_bets_river": ""}
    (fault,) = checked(client, form)["errors"]
    assert (fault["field"], fault["option"]) == ("donks_river", "donks")


def test_warnings_name_the_key(client: TestClient) -> None:
    form = {**form_of(SPOT), "raise_cap": "0"}
    form |= {f"{seat}_raises_{street}": "2x" for seat in ("oop", "ip") for street in ("turn",)}
    (warning,) = checked(client, form)["warnings"]
    assert (warning["option"], warning["code"], warning["lists"]) == ("raises", "capped", [])
    assert warning["text"]


@pytest.mark.parametrize(("bets", "code"), [("a", "all-in-only"), ("", "no-bets")])
def test_warnings_say_by_a_code_what_they_mean(client: TestClient, bets: str, code: str) -> None:
    form = {**form_of(SPOT), **{name: "" for name in form_of(SPOT) if "_raises_" in name}}
    form |= {name: bets for name in form if "_bets_" in name}
    form |= {f"{seat}_raises_river": "2x" for seat in ("oop", "ip")}
    (warning,) = checked(client, form)["warnings"]
    assert warning["code"] == code


def test_a_warning_lists_what_gets_no_all_in(client: TestClient) -> None:
    form = {**form_of(SPOT), "add_all_in": "150%"}
    form |= {name: "" for name in form if "_raises_" in name}
    (warning,) = checked(client, form)["warnings"]
    assert (warning["option"], warning["code"]) == ("add_all_in", "left-out")
    assert {"seat": "oop", "kind": "raises", "street": "river"} in warning["lists"]


def test_all_that_a_check_says_by_a_code_has_a_text() -> None:
    """Also the changes that make a spot fit; those of one player have a text of their own."""
    words = catalogue_of((FOLDER / "texts" / "en.js").read_text("utf-8"))
    warnings = get_args(get_type_hints(FormWarning)["code"])
    assert {f"spot.warning.{code}" for code in warnings} <= set(words)
    codes = get_args(get_type_hints(ReductionStep)["code"])
    assert codes == get_args(StepCode)
    assert {f"spot.fit.step.{code}" for code in codes} <= set(words)
    for code in ("bet", "raise"):
        assert {f"spot.fit.step.{code}.{seat}" for seat in SEATS} <= set(words)


def test_a_wrong_option_keeps_the_estimate(client: TestClient) -> None:
    document = checked(client, {**form_of(SPOT), "target": "low"})
    assert document["spot"] is not None
    assert document["estimate"]["storage"] == "float32"


@pytest.mark.parametrize(
    ("form", "option"),
    [
        ({"nosuch": ""}, "form"),
        ({"board": ["a"]}, "form.board"),
        ({"board": True}, "form.board"),
        ({"added_lines": "X"}, "form.added_lines"),
        ({"added_lines": [3]}, "form.added_lines"),
        ({"all_in_without_sizes": "yes"}, "form.all_in_without_sizes"),
    ],
)
def test_what_is_no_form(client: TestClient, form: dict[str, Any], option: str) -> None:
    answer = client.post("/api/setup/check", json={"form": form})
    assert (answer.status_code, answer.json()["option"]) == (422, option)


def test_guests_set_up_spots(make_client: MakeClient) -> None:
    guest = "0123456789abcdef-guest"
    client = make_client(token="0123456789abcdef-owner", guest_token=guest)
    headers = {"Authorization": f"Bearer {guest}"}
    for path in ("check", "fitting"):
        answer = client.post(f"/api/setup/{path}", json={"form": {}}, headers=headers)
        assert answer.status_code in (200, 422)


def test_what_makes_a_form_fit_comes_line_by_line(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    reduction = {
        "changes": ["int16"], "steps": [], "keys": {"ip_bets": ""}, "storage": "int16",
        "num_bytes": 5,
    }  # fmt: skip

    async def found(*_: Any) -> Any:
        yield reduction

    monkeypatch.setattr(forms, "fitting", found)
    monkeypatch.setattr(client.services.jobs, "memory", 1_000)  # type: ignore[attr-defined]
    answer = client.post("/api/setup/fitting", json={"form": form_of(SPOT)})
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    first, last = map(json.loads, answer.text.splitlines())
    assert first["reduction"] == reduction
    assert (first["form"]["storage"], first["form"]["ip_bets_turn"]) == ("int16", "")
    assert last == {"end": "found"}


def test_a_form_that_fits_needs_nothing(client: TestClient) -> None:
    answer = client.post("/api/setup/fitting", json={"form": form_of(SPOT)})
    assert json.loads(answer.text) == {"end": "found"}


def test_searches_that_cannot_begin_are_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client.post("/api/setup/fitting", json={"form": {**form_of(SPOT), "pot": ""}})
    assert (answer.status_code, answer.json()["option"]) == (422, "pot")
    monkeypatch.setattr(process, "_searches", 3)
    answer = client.post("/api/setup/fitting", json={"form": form_of(SPOT)})
    assert (answer.status_code, answer.json()["option"]) == (429, "searches")


HAND = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 80.25, 120]
players = ['Ann', 'Bob', 'Cem']
actions = ['d dh p1 ????', 'd dh p2 AhKh', 'd dh p3 ????', 'p3 cbr 2.5', 'p1 f', 'p2 cc',
  'd db QsJh2h', 'p2 cc', 'p3 cbr 3', 'p2 f']
"""


def read(client: TestClient, text: str, form: dict[str, Any], name: str | None = None) -> Any:
    return client.post("/api/setup/read", json={"text": text, "form": form, "name": name})


def test_a_played_hand_fills_in_what_it_says(client: TestClient) -> None:
    before = {**example_form(), "locks": ["X: KK = Bet 50 100%"], "removed_lines": ["X"]}
    answer = read(client, HAND, before).json()
    form = answer["form"]
    assert {name: form[name] for name in ("board", "pot", "stack", "added_lines")} == {
        "board": "QsJh2h",
        "pot": "5.5",
        "stack": "77.75",
        "added_lines": ["X-B3"],
    }
    assert form["locks"] == form["removed_lines"] == []
    assert {name: form[name] for name in answer["kept"]} == {
        name: before[name] for name in answer["kept"]
    }
    assert {"oop", "ip", "oop_bets_flop", "target"} <= set(answer["kept"])
    assert answer["left_out"]
    assert checked(client, form)["errors"] == []
    assert read(client, HAND, blank_form()).json()["form"]["oop"] == ""  # which nobody said


def test_what_was_left_out_names_no_options_of_the_command_line(client: TestClient) -> None:
    from equilibrist.poker.postflop.setups.files import setup_text

    script = setup_text(SPOT, "texassolver").rstrip() + "\nset_accuracy 0.5\nset_rake 0.05 3 2\n"
    left_out = read(client, script, blank_form()).json()["left_out"]
    assert "set_accuracy 0.5 (target 0.5%)" in left_out
    assert "--" not in "".join(left_out)


def test_one_of_several_hands_is_named(client: TestClient) -> None:
    text = f"[1]{HAND}[2]{HAND.replace('QsJh2h', 'Td9d6h')}"
    for name, board in (("1", "QsJh2h"), ("2", "Td9d6h")):
        assert read(client, text, {}, name).json()["form"]["board"] == board
    for unknown in (None, "7"):
        answer = read(client, text, {}, unknown)
        assert (answer.status_code, answer.json()["option"]) == (422, "name")
        assert "/" not in answer.json()["error"]


def test_set_ups_of_other_programs_are_read_as_forms(client: TestClient) -> None:
    from equilibrist.poker.postflop.setups.files import FORMS, setup_text

    for form in FORMS:
        answer = read(client, setup_text(SPOT, form), {**blank_form(), "target": "2%"}).json()
        spot = checked(client, answer["form"])["spot"]
        assert spot is not None, form
        assert f'board = "{SPOT.board}"' in spot
        assert answer["kept"] == []


@pytest.mark.parametrize("text", ["", "hello", "[1", "x" * 300_000, HAND.replace("cbr 3", "x")])
def test_what_is_no_spot_is_refused(client: TestClient, text: str) -> None:
    answer = read(client, text, {})
    assert answer.status_code in (413, 422)
    assert "tmp" not in answer.text


def test_locks_of_a_form_are_told_as_texts(client: TestClient) -> None:
    lock = "X: KK = Bet 50 100%"
    spot = SPOT.replace(locks=[lock])
    form = form_of(spot)
    assert checked(client, form)["locks"] == [str(spot.locks[0])]
    assert checked(client, {**form, "locks": ["foo"]})["locks"] == ["foo"]


def test_spots_for_prizes_are_refused_with_the_reason(make_client: MakeClient) -> None:
    spot = SPOT.replace(payouts=[5, 3])
    client = make_client(subject=Subject("spot", "turn.toml", spot=spot.to_toml()))
    services = client.services  # type: ignore[attr-defined]
    services.setups.put("mine", spot.to_toml())
    for answer in (
        read(client, spot.to_toml(), blank_form()),
        client.get("/api/setup/form?subject=true"),
        client.get("/api/setup/form?setup=mine"),
    ):
        assert answer.json()["option"] == "payouts", answer.text
        assert 400 <= answer.status_code < 500
