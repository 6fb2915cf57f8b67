"""What the API says of games, algorithms and spots is what the command line prints."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from equilibrist import __version__
from equilibrist.learned.algorithms.registry import ALGORITHMS
from tests.cli.command import Shell
from tests.web.conftest import SPOT


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("games", "games --json"),
        ("games/leduc(players=2)", "games 'leduc(players=2)' --json"),
        ("games/matrix", "games matrix --json"),
        ("algorithms", "algorithms --json"),
        ("algorithms/dcfr(gamma=3)", "algorithms 'dcfr(gamma=3)' --json"),
        ("samplers", "samplers --json"),
        ("samplers/outcome", "samplers outcome --json"),
    ],
)
def test_documents_are_those_of_the_command_line(
    client: TestClient, shell: Shell, path: str, line: str
) -> None:
    answer = client.get(f"/api/{quote(path)}")
    assert answer.status_code == 200, answer.text
    assert answer.json() == shell(line).ok().json


@pytest.mark.parametrize("has_torch", [True, False])
def test_what_trains_networks_is_listed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, *, has_torch: bool
) -> None:
    torch = None if not has_torch else ModuleType("torch")
    if torch is not None:
        torch.__spec__ = ModuleSpec("torch", None)
    monkeypatch.setitem(sys.modules, "torch", torch)
    answer = client.get("/api/networks").json()
    assert [one["name"] for one in answer["algorithms"]] == list(ALGORITHMS)
    assert (answer["missing"] is None) == has_torch


def test_an_estimate_is_that_of_the_command_line(
    client: TestClient, shell: Shell, tmp_path: Any
) -> None:
    (tmp_path / "spot.toml").write_text(SPOT.to_toml())
    line = f"postflop estimate {tmp_path / 'spot.toml'} --json --threads 2 --memory 2GB"
    printed = shell(line).ok().json
    given = {"toml": SPOT.to_toml(), "options": {"threads": 2, "memory": "2GB"}}
    answer = client.post("/api/spots/estimate", json=given).json()
    for document in (printed, answer):
        assert document.pop("seconds") > 0  # of the memory bandwidth, measured each time
    assert answer == printed


def test_a_spot_is_checked(client: TestClient) -> None:
    answer = client.post("/api/spots/check", json={"toml": SPOT.to_toml(), "keys": {"pot": 60}})
    assert answer.json()["spot"] == SPOT.replace(pot=60).to_toml()


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"toml": SPOT.to_toml(), "keys": {"board": "Ts3h"}}, "board"),
        ({"toml": SPOT.to_toml(), "keys": {"oop": "AA,Qx"}}, "oop"),
        ({"toml": SPOT.to_toml(), "keys": {"oop": "/etc/passwd.txt"}}, "oop"),
        ({"toml": "board ="}, "toml"),
        ({"toml": SPOT.to_toml(), "keys": {"colour": "red"}}, "key"),
    ],
)
def test_what_is_wrong_with_a_spot_is_said(
    client: TestClient, given: dict[str, Any], option: str
) -> None:
    answer = client.post("/api/spots/check", json=given)
    assert answer.status_code == 422
    assert answer.json()["option"] == option


def test_unknown_names(client: TestClient) -> None:
    answer = client.get("/api/games/kuhm")
    said = answer.json()
    assert (answer.status_code, said["kind"]) == (422, "UnknownNameError")
    assert (said["option"], said["given"]) == ("game", "kuhm")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/nothing"), ("GET", "/api/"), ("POST", "/api/version"), ("PUT", "/api/jobs/x/y")],
)
def test_an_address_that_is_not_there_is_refused_with_a_document(
    client: TestClient, method: str, path: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["option"]) == (404, "path")
    assert answer.json()["given"] == f"{method} {path}"


def test_the_api_describes_itself_without_other_servers(client: TestClient) -> None:
    assert client.get("/api/version").json() == {"name": "equilibrist", "version": __version__}
    described = client.get("/api/openapi.json").json()
    assert {"/api/jobs", "/api/solutions/{name}/node"} <= described["paths"].keys()
    page = client.get("/api/docs").text
    assert "//cdn" not in page
    links = [part.partition('"')[0] for part in page.split('src="')[1:]]
    assert links
    for link in links:
        assert link.startswith("../ui/")
        assert client.get(link.removeprefix("..")).status_code == 200


def test_me_says_who_asks_and_what_they_may(make_client: Callable[..., TestClient]) -> None:
    tokens = {"token": "0123456789abcdef-owner", "guest_token": "0123456789abcdef-guest"}
    client = make_client(**tokens)
    found = {}
    for role, token in (("owner", "token"), ("guest", "guest_token")):
        headers = {"Authorization": f"Bearer {tokens[token]}"}
        found[role] = client.get("/api/me", headers=headers).json()
        assert (found[role]["role"], found[role]["can_sign_out"]) == (role, False)
    assert {"solve", "upload", "delete"} <= set(found["owner"]["may"]) - set(found["guest"]["may"])
    assert found["owner"]["limits"]["tables"] > found["guest"]["limits"]["tables"]
    cookie = client.services.sessions.enter(tokens["guest_token"])  # type: ignore[attr-defined]
    client.cookies.set(client.services.sessions.cookie, cookie)  # type: ignore[attr-defined]
    document = client.get("/api/me").json()
    assert (document["role"], document["can_sign_out"]) == ("guest", True)
    assert not document["is_open"]
    opened = make_client().get("/api/me").json()
    assert (opened["role"], opened["is_open"]) == ("owner", True)


def test_a_game_has_the_options_of_its_solves(client: TestClient) -> None:
    document = client.get("/api/games/kuhn?options=true").json()
    listed = document.pop("options")
    assert document == client.get("/api/games/kuhn").json()
    options = {option["name"]: option for option in listed}
    assert [name for name, option in options.items() if option["is_main"]] == [*options][:5]
    assert options["algorithm"]["is_main"]
    assert not options["threads"]["is_main"]
    assert not {"checkpoint", "out", "resume", "address"} & options.keys()
