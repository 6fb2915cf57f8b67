"""A bot over HTTP: questions, Slumbot's calls, and requests that are none."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from equilibrist.errors import ConfigError
from equilibrist.play import Bot, FixedAgent
from equilibrist.poker import Hand
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.serving.application import (
    LOOPBACK,
    listen,
    local_hosts,
    make_application,
    serve,
)
from equilibrist.protocols.serving.connections import TimedConnection
from equilibrist.protocols.serving.questions import BotDesk
from equilibrist.protocols.serving.slumbot import SlumbotTables
from tests.protocols.acpc.tables import HEADS_UP
from tests.refusals import refuses

PATIENCE = 120.0
ADDRESS = "http://localhost"


def desk() -> BotDesk:
    return BotDesk(lambda seed: Bot(FixedAgent("call"), seed=seed), table=Hand(stack=100))


@pytest.fixture
def client() -> TestClient:
    tables = SlumbotTables(HEADS_UP, lambda seed: FixedPlayer("call", seed), seed=1)
    return TestClient(make_application(desk(), tables), ADDRESS)


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
    client = TestClient(make_application(desk(), None), ADDRESS)
    wrong = client.post("/slumbot/api/new_hand", json={})
    assert (wrong.status_code, wrong.json()["option"]) == (400, "game")


def test_large_requests_and_other_hosts_are_refused(client: TestClient) -> None:
    assert client.post("/act", content=b" " * 1_000_001).status_code == 413
    other = client.post("/act", json={"hole_cards": "AhKh"}, headers={"host": "elsewhere.example"})
    assert (other.status_code, other.json()["option"]) == (400, "Host")
    open_to_all = TestClient(make_application(desk(), None, hosts=None))
    headers = {"host": "elsewhere.example"}
    answer = open_to_all.post("/act", json={"hole_cards": "AhKh"}, headers=headers)
    assert answer.status_code == 200


@contextmanager
def _served(application: FastAPI, patch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server, which has limits and ends with the block."""
    servers = []
    make = uvicorn.Server

    def kept(config):
        servers.append(make(config))
        return servers[-1]

    patch.setattr(uvicorn, "Server", kept)
    started = threading.Event()
    listening = listen(LOOPBACK, 0)
    thread = threading.Thread(
        target=serve, args=(application, listening, lambda _text: started.set()), daemon=True
    )
    thread.start()
    assert started.wait(PATIENCE)
    yield listening.getsockname()[:2]
    assert servers[0].config.limit_concurrency
    assert servers[0].config.timeout_keep_alive
    servers[0].should_exit = True
    thread.join(PATIENCE)
    assert not thread.is_alive()
    listening.close()


def test_it_serves_over_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    with _served(make_application(desk(), None), monkeypatch) as (host, port):
        request = Request(
            f"http://{host}:{port}/act",
            b'{"hole_cards": "AhKh"}',
            {"content-type": "application/json"},
        )
        with urlopen(request, timeout=PATIENCE) as answer:
            assert b'"action":"C"' in answer.read().replace(b" ", b"")


@pytest.mark.parametrize("sent", [b"", b"{", b"POST"])
def test_a_request_that_does_not_arrive_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    """A body that stalls is refused with its reason; headers that stall end the connection."""
    monkeypatch.setattr(TimedConnection, "stalled_seconds", 0.2)
    application = make_application(desk(), None, body_seconds=0.2)
    head = (
        b"POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9\r\n\r\n"
    )
    with (
        _served(application, monkeypatch) as address,
        socket.create_connection(address, timeout=PATIENCE) as connection,
    ):
        connection.sendall(sent if sent == b"POST" else head + sent)
        answer = b""
        while part := connection.recv(10_000):
            answer += part
    lines, _, body = answer.partition(b"\r\n\r\n")
    if sent == b"POST":
        assert answer == b""
    else:
        assert lines.startswith(b"HTTP/1.1 408 ")
        document = json.loads(body)
        assert document["error"] == document["error_msg"]


def test_a_port_that_is_none() -> None:
    with refuses(ConfigError, option="port", given=70000):
        listen(LOOPBACK, 70000)


def test_a_host_that_is_not_of_this_machine() -> None:
    with refuses(ConfigError, option="host", given="203.0.113.7"):
        listen("203.0.113.7", 8998)


@pytest.mark.parametrize("host", [LOOPBACK, "localhost", "127.0.0.2"])
def test_names_of_a_server_on_this_machine_alone(host: str) -> None:
    with listen(host, 0) as listening:
        hosts = local_hosts(listening)
        assert hosts is not None
        assert listening.getsockname()[0] in hosts
    client = TestClient(make_application(desk(), None, hosts=hosts))
    question = {"hole_cards": "AhKh"}
    for name, status in (("localhost:8138", 200), ("[::1]:80", 200), ("testserver", 400)):
        assert client.post("/act", json=question, headers={"host": name}).status_code == status


def test_a_server_for_others_has_any_name() -> None:
    with listen("0.0.0.0", 0) as listening:
        assert local_hosts(listening) is None


def test_bodies_in_chunks_are_counted(client: TestClient) -> None:
    sent = []

    def chunks() -> Iterator[bytes]:
        for _ in range(80):
            sent.append(b" " * 100_000)
            yield sent[-1]

    for path in ("/act", "/slumbot/api/act"):
        answer = client.post(path, content=chunks(), headers={"content-type": "application/json"})
        assert answer.status_code == 413
        assert answer.json()["error"] == answer.json()["error_msg"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/act", '{"hole_cards": "AhKh", "table": {"stack": NaN}}', 400),
        ("/act", '{"hole_cards": "AhKh", "table": {"bets": "\\ud800"}}', 400),
        ("/act", '{"hole_cards": "AhKh", "seconds": Infinity}', 422),
        ("/act", '{"hole_cards": "AhKh", "seconds": NaN}', 422),
        ("/act", "{", 422),
        ("/act", b"\xff\x00", 422),
        ("/none", "{}", 404),
        ("/slumbot/api/act", "[", 422),
        ("/slumbot/api/act", '{"token": "nobody", "incr": "\\ud800"}', 422),
    ],
)
def test_all_refusals_have_one_form(
    client: TestClient, path: str, body: str | bytes, status: int
) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    document = answer.json()
    assert document["error"] == document["error_msg"]
    assert "detail" not in document
    assert client.get("/act").json()["error_msg"]


def test_a_bot_that_breaks_is_an_error_of_the_same_form() -> None:
    class Broken(Bot):
        def act(self, *_arguments: Any, **_options: Any) -> Any:
            raise ZeroDivisionError

    broken = BotDesk(lambda seed: Broken(FixedAgent("call"), seed=seed), table=Hand(stack=100))
    application = make_application(broken, None)
    client = TestClient(application, ADDRESS, raise_server_exceptions=False)
    answer = client.post("/act", json={"hole_cards": "AhKh"})
    assert answer.status_code == 500
    assert answer.json()["error"] == answer.json()["error_msg"]
