"""Texts of requests name what comes with Equilibrist, what was uploaded, or what was started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.poker import Spot
from equilibrist.web.errors import ForbiddenError
from equilibrist.web.security.texts import (
    check_abstraction,
    check_call,
    check_game,
    check_option,
)
from equilibrist.web.settings import Settings, Subject
from equilibrist.web.setup.estimates import estimated
from equilibrist.web.setup.form import check_form, example_form, run_options
from tests.cli.conftest import GAME
from tests.web.conftest import put
from tests.web.following import ended, running, started
from tests.web.scripted import ScriptedWorker

GAMES = ("kuhn", "leduc(players=3)", " Kuhn_Poker ", "rules:leduc", "rules:liars_dice(dice=2)")
FOREIGN_GAMES = (
    "rules.py:Tiny",
    "rules.py",
    "/tmp/rules.py:Tiny",
    "rules:rules.py",
    "rules:/tmp/rules.py",
    "rules:../leduc",
    "kuhn(x.py:Tiny)",
    "kuhn(x.efg",
    "game.efg",
    "efg:/etc/passwd",
    "openspiel:kuhn_poker",
    "openspiel:efg_game(filename=/etc/passwd)",
    "library:x",
    "last",
    "",
    "kuhn\n",
    "kuhn;leduc",
    "k" * 3000,
)


@pytest.mark.parametrize("text", GAMES)
def test_games_that_a_request_may_name(tmp_path: Path, text: str) -> None:
    check_game(text, Settings(tmp_path))


@pytest.mark.parametrize("text", [one for one in FOREIGN_GAMES if one not in ("last", "kuhn\n")])
def test_games_that_it_may_not_name(client: TestClient, text: str) -> None:
    answer = client.post("/api/jobs", json={"game": text})
    assert answer.status_code in (403, 404, 422)
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("algorithm", "my.py:MyVariant"),
        ("algorithm", "my.py"),
        ("algorithm", "/tmp/my.py:MyVariant(power=4)"),
        ("algorithm", "dcfr(my.py:MyVariant)"),
        ("sampler", "my.py:MySampler"),
        ("abstraction", "rules.py:merge"),
        ("abstraction", "0:rules.py:merge;1:none"),
        ("abstraction", "0:none;1:rules.py:merge"),
        ("abstraction", "/tmp/rules.py:merge(1)"),
        ("actions", "rules.py:keep"),
        ("actions", "0:all;1:/tmp/rules.py : keep"),
        ("translate", "rules.py:translate"),
        ("drop_play", "/tmp/other.safetensors"),
    ],
)
def test_no_option_loads_python(client: TestClient, option: str, text: str) -> None:
    answer = client.post("/api/jobs", json={"game": "kuhn", "options": {option: text}})
    assert (answer.status_code, answer.json()["option"]) == (403, option)
    both = {"game": "kuhn", "algorithms": ["cfr"], "options": {option: text}}
    assert client.post("/api/jobs", json=both).status_code in (403, 422)
    if option == "algorithm":
        assert client.get(f"/api/algorithms/{text.replace('/', '%2F')}").status_code in (403, 404)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("algorithm", "dcfr(alpha=1.5"),
        ("algorithm", "cfr()x"),
        ("algorithm", ""),
        ("sampler", "external("),
        ("abstraction", "cards(JQ"),
        ("game", "kuhn(players=3"),
        ("game", ")"),
    ],
)
def test_what_can_name_no_file_is_not_sent_to_the_command_line(
    client: TestClient, option: str, text: str
) -> None:
    job = {"game": text} if option == "game" else {"game": "kuhn", "options": {option: text}}
    answer = client.post("/api/jobs", json=job)
    refusal = answer.json()
    assert (answer.status_code, refusal["option"], refusal["given"]) == (422, option, text)
    assert refusal["remedy"] is None


def test_what_there_is_may_be_named() -> None:
    for text in ("dcfr", "cfr+", "pcfr+", "dcfr(alpha=1.5,beta=0.5)", "cfr-br", "efr(cf)"):
        check_call("algorithm", text)
    for text in ("cards(JQ.K)", "0:memory(last=2);1:none", "symmetry", "0:cards(JQ.K);1:none"):
        check_abstraction(text)
    for text in ("bets=1,3", "without=bet 2", "0:bets=50%;1:all", "labels=b:c,d/e"):
        check_option("actions", text)
    check_option("translate", "pseudo-harmonic")
    check_option("drop_play", "uniform")
    with pytest.raises(ForbiddenError):
        check_abstraction("0:1:none")


def test_the_form_of_a_spot_loads_no_python(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    form = {**example_form(), "algorithm": f"{rules}:Mine"}
    checked = check_form(form)
    assert "algorithm" in checked.errors
    assert isinstance(checked.spot, Spot)
    with pytest.raises(ForbiddenError):
        estimated(checked.spot, run_options(form), 10**9)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "option", ["out", "checkpoint", "resume", "plot", "save_device", "warm_start", "executor"]
)
def test_options_that_name_files_or_machines_do_not_exist(client: TestClient, option: str) -> None:
    jobs: list[dict[str, Any]] = [{"game": "kuhn"}, {"spot": {"keys": {}}}]
    for job in jobs:
        answer = client.post("/api/jobs", json={**job, "options": {option: "x"}})
        assert answer.status_code == 422
    assert client.post("/api/jobs", json={"game": "kuhn", option: "x"}).status_code == 422


def test_rules_that_the_server_was_started_with(
    make_client: Callable[..., Any], tmp_path: Path, workers: list[ScriptedWorker]
) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(GAME)
    text = f"{rules}:Tiny"
    client = make_client(subject=Subject("game", text))
    job = running(client, started(client, game=text, options={"iterations": 20}))
    assert workers[0].order.game == text
    client.post(f"/api/jobs/{job['id']}/pause")
    assert ended(client, job)["state"] == "paused"
    other = client.post("/api/jobs", json={"game": f"{rules}:Other"})
    assert other.status_code == 403
    again = make_client()  # started without it
    assert again.post("/api/jobs", json={"game": text}).status_code == 403
    assert again.post(f"/api/jobs/{job['id']}/resume").status_code == 403


HALF = b'"\\ud800"'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/ranges/read", b'{"text":%s}' % HALF),
        ("/api/ranges/file", b'{"data":[{"path":["a"],"value":%s}]}' % HALF),
        ("/api/jobs", b'{"game":%s}' % HALF),
        ("/api/jobs", b'{"game":"kuhn","algorithms":[%s]}' % HALF),
        ("/api/jobs", b'{"game":"kuhn","options":{%s:1}}' % HALF),
        ("/api/solutions/x", b'{"name":%s}' % HALF),
        ("/api/spots/check", b'{"keys":{"board":"Td9d6h","oop":"AA","ip":"KK","pot":NaN}}'),
        ("/api/spots/check", b'{"keys":{"board":[Infinity],"oop":"AA","ip":"KK","pot":1}}'),
        ("/api/play/tables/x/choose", b'{"hand":1,"move":0,"amount":NaN}'),
    ],
)
def test_what_json_cannot_hold_is_refused_with_a_sentence(
    client: TestClient, path: str, body: bytes
) -> None:
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "option"),
    [
        ("/api/jobs", b'{"review":{"hands":%s}}' % HALF, "review.hands"),
        ("/api/reviews", b'{"hands":%s,"against":["a"]}' % HALF, "hands"),
        ("/api/setup/read", b'{"form":{},"text":%s}' % HALF, "text"),
        ("/api/payoffs", b'{"rows":["a",%s],"columns":["b"],"payoffs":[[[1]]]}' % HALF, "rows.1"),
        ("/api/jobs", b'{"game":"kuhn","options":{%s:1}}' % HALF, "options"),
    ],
)
def test_half_a_character_is_refused_with_its_place(
    client: TestClient, path: str, body: bytes, option: str
) -> None:
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
    said = answer.json()
    assert (answer.status_code, said["option"], said["given"]) == (422, option, "\ud800")
    assert said["expected"] == "whole characters"


def test_whole_characters_may_be_written_as_two_halves(client: TestClient) -> None:
    body = b'{"text": "AA,\\ud83c\\udca1"}'
    answer = client.post(
        "/api/ranges/read", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.json()["kind"] == "RangeSyntaxError"


@pytest.mark.parametrize("amount", ["nan", "inf", "-inf"])
def test_no_number_is_no_bet(
    client: TestClient, kuhn_file: Path, spot_file: Path, amount: str
) -> None:
    for name, file in (("kuhn", kuhn_file), ("turn", spot_file)):
        put(client, file, name)
        table = client.post("/api/play/tables", json={"solution": name}).json()["id"]
        answer = client.get(f"/api/play/tables/{table}/bet", params={"amount": amount})
        assert 400 <= answer.status_code < 500
        assert answer.json()["error"]


def test_long_texts_of_pages_are_refused_before_they_are_read() -> None:
    form = {**example_form(), "oop": "AA," * 1_000_000}
    assert "100,000" in check_form(form).errors["oop"]
