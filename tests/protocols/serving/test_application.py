"""A bot over HTTP: questions, Slumbot's calls, and requests that are none."""

from __future__ import annotations

import threading
from urllib.request import Request, urlopen

import pytest
import uvicorn
from fastapi.testclient import TestClient

from equilibrist.errors import ConfigError
from equilibrist.play import Bot, FixedAgent
from equilibrist.poker import Hand
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.serving.application import LOOPBACK, make_application, serve
from equilibrist.protocols.serving.questions import BotDesk
from equilibrist.protocols.serving.slumbot import SlumbotTables
from tests.protocols.acpc.tables import HEADS_UP
from tests.refusals import refuses

PATIENCE = 120.0


def desk() -> BotDesk:
    return BotDesk(lambda seed: Bot(FixedAgent("call"), seed=seed), table=Hand(stack=100))


@pytest.fixture
def client() -> TestClient:
    tables = SlumbotTables(HEADS_UP, lambda seed: FixedPlayer("call", seed), seed=1)
    return TestClient(make_application(desk(), tables))


def test_questions(client: TestClient) -> None:
    answer = client.post("/act", json={"hole_cards": "AhKh", "line": "R3"})
    assert answer.status_code == 200
    assert answer.json()["action"] == "C"
    wrong = client.post("/act", json={"hole_cards": "AhKh", "line": "R3-"})
    assert wrong.status_code == 400
    assert wrong.json()["error"]
    assert client.post("/act", json={"hole_cards": 3}).status_code == 422
    assert client.post("/act", content=b"\xff\x00").status_code == 422
    assert client.get("/act").status_code == 405
    assert client.post("/none", json={}).status_code == 404


def test_hands(client: TestClient) -> None:
    hand = client.post("/slumbot/api/new_hand", json={}).json()
    hand = client.post("/slumbot/api/act", json={"token": hand["token"], "incr": "b300"}).json()
    assert hand["action"] == "cb300c/"
    while hand["winnings"] is None:
        hand = client.post("/slumbot/api/act", json={"token": hand["token"], "incr": "k"}).json()
    assert client.post("/slumbot/api/new_hand", json={"token": hand["token"]}).status_code == 200
    assert client.post("/slumbot/api/new_hand").status_code == 200
    wrong = client.post("/slumbot/api/act", json={"token": hand["token"], "incr": "z"})
    assert wrong.status_code == 400
    assert wrong.json()["error_msg"]
    assert wrong.json()["option"] == "incr"
    for body in ({}, {"token": 3, "incr": "k"}, {"token": "x" * 300, "incr": "k"}):
        assert client.post("/slumbot/api/act", json=body).status_code == 422


def test_bots_of_other_games_deal_no_hands() -> None:
    client = TestClient(make_application(desk(), None))
    wrong = client.post("/slumbot/api/new_hand", json={})
    assert (wrong.status_code, wrong.json()["option"]) == (400, "game")


def test_large_requests_and_other_hosts_are_refused(client: TestClient) -> None:
    assert client.post("/act", content=b" " * 1_000_001).status_code == 413
    other = client.post("/act", json={"hole_cards": "AhKh"}, headers={"host": "elsewhere.example"})
    assert other.status_code == 400
    open_to_all = TestClient(make_application(desk(), None, is_local=False))
    headers = {"host": "elsewhere.example"}
    answer = open_to_all.post("/act", json={"hole_cards": "AhKh"}, headers=headers)
    assert answer.status_code == 200


def test_it_serves_over_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = []
    make = uvicorn.Server

    def kept(config):
        servers.append(make(config))
        return servers[-1]

    monkeypatch.setattr(uvicorn, "Server", kept)
    started, address = threading.Event(), []

    def on_start(text: str) -> None:
        address.append(text)
        started.set()

    thread = threading.Thread(
        target=serve, args=(make_application(desk(), None), LOOPBACK, 0, on_start), daemon=True
    )
    thread.start()
    assert started.wait(PATIENCE)
    request = Request(
        f"{address[0]}/act", b'{"hole_cards": "AhKh"}', {"content-type": "application/json"}
    )
    with urlopen(request, timeout=PATIENCE) as answer:
        assert b'"action":"C"' in answer.read().replace(b" ", b"")
    servers[0].should_exit = True
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_port_that_is_none() -> None:
    with refuses(ConfigError, option="port", given=70000):
        serve(make_application(desk(), None), LOOPBACK, 70000, print)
