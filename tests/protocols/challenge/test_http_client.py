"""Documents over HTTP: our own tables, servers that are slow, busy or elsewhere, addresses."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import uvicorn

from equilibrist.errors import ConfigError, PeerError
from equilibrist.play import Bot, FixedAgent
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.challenge.hands import Challenge
from equilibrist.protocols.challenge.http_client import Post, poster
from equilibrist.protocols.challenge.slumbot import PATH, SlumbotServer
from equilibrist.protocols.serving.application import LOOPBACK, listen, make_application, serve
from equilibrist.protocols.serving.questions import BotDesk
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.protocols.challenge.test_hands import Double
from tests.refusals import refuses

PATIENCE = 120.0


def slumbot(url: str, seconds: float = PATIENCE) -> Post:
    return poster(url, seconds, path=PATH)


def test_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = []
    make = uvicorn.Server

    def kept(config: uvicorn.Config) -> uvicorn.Server:
        servers.append(make(config))
        return servers[-1]

    monkeypatch.setattr(uvicorn, "Server", kept)
    started, address = threading.Event(), list[str]()

    def on_start(text: str) -> None:
        address.append(text)
        started.set()

    desk = BotDesk(lambda seed: Bot(FixedAgent("call"), seed=seed))
    application = make_application(desk, Double(FixedPlayer("call")).tables)
    listening = listen(LOOPBACK, 0)
    thread = threading.Thread(target=serve, args=(application, listening, on_start), daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    ours = Challenge(SlumbotServer(slumbot(address[0])), RandomPlayer(2))
    assert ours.play(5).hands == 5
    with_path = slumbot(f"{address[0]}/slumbot/api/")
    assert Challenge(SlumbotServer(with_path), RandomPlayer(2)).play(1).hands
    with pytest.raises(PeerError) as missing:
        slumbot(f"{address[0]}/other", PATIENCE)("new_hand", {})
    assert f"{missing.value.given}".endswith("(status 404)")
    with pytest.raises(PeerError) as caught:
        slumbot(address[0], PATIENCE)("act", {"token": "nobody", "incr": "k"})
    assert f"{caught.value.given}".endswith("(status 400)")
    servers[0].should_exit = True
    thread.join(PATIENCE)
    assert not thread.is_alive()
    listening.close()
    with refuses(PeerError, option="server", peer=address[0]):
        slumbot(address[0], 5.0)("new_hand", {})


@contextmanager
def server(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server of calls; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with suppress(OSError):
                self.rfile.read(int(self.headers["Content-Length"]))
                answer(self)

        def log_message(self, *_arguments: Any) -> None:
            pass

    with ThreadingHTTPServer((LOOPBACK, 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{served.server_port}"
        served.shutdown()
        thread.join(PATIENCE)


@pytest.mark.parametrize("status", [200, 400])
def test_json_that_is_nested_too_deeply(status: int) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.end_headers()
        handler.wfile.write(b"[" * 200_000)

    with server(answer) as url, refuses(PeerError, option="server", peer=url):
        slumbot(url, PATIENCE)("new_hand", {})


@pytest.mark.parametrize("is_in_header", [True, False])
def test_an_answer_that_comes_byte_by_byte_has_one_deadline(is_in_header: bool) -> None:
    done = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if not is_in_header:
            handler.send_response(200)
            handler.end_headers()
        for _ in range(400):
            if done.wait(0.05):
                break
            handler.wfile.write(b"1")
            handler.wfile.flush()

    with server(answer) as url:
        began = time.monotonic()
        with refuses(PeerError, option="server", peer=url):
            slumbot(url, 0.5)("new_hand", {})
        assert time.monotonic() - began < 10.0
        done.set()


@pytest.mark.parametrize(
    "url", ["slumbot.com", "ftp://slumbot.com", "file:///etc/passwd", "http://", ""]
)
def test_addresses_that_are_none(url: str) -> None:
    with refuses(ConfigError, option="url", given=url):
        slumbot(url)


@pytest.mark.parametrize("end", ["?key=word", "#word", "?"])
def test_addresses_have_no_query_and_no_password(end: str) -> None:
    with refuses(ConfigError, option="url", given="https://slumbot.com"):
        slumbot(f"https://slumbot.com{end}")
    with refuses(ConfigError, option="url", given="https://slumbot.com") as caught:
        slumbot("https://user:secret@slumbot.com")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["https://[", "https://slumbot.com:port", "https://u:secret@[x"])
def test_addresses_that_cannot_be_read(url: str) -> None:
    with refuses(ConfigError, option="url") as caught:
        slumbot(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("seconds", [float("nan"), -1.0, float("inf")])
def test_seconds_that_are_no_time(seconds: float) -> None:
    with refuses(ConfigError, option="seconds", given=seconds):
        slumbot("https://slumbot.com", seconds)


def test_a_key_goes_to_other_machines_encrypted_only() -> None:
    key = {"X-Key": "secret"}
    with refuses(ConfigError, option="url", given="http://slumbot.com"):
        poster("http://slumbot.com", headers=key)
    for url in ("https://slumbot.com", "http://localhost:80", "http://127.0.0.1", "http://[::1]:9"):
        poster(url, headers=key)
    poster("http://slumbot.com")


def answer_with(handler: BaseHTTPRequestHandler, status: int, document: Any) -> None:
    handler.send_response(status)
    handler.end_headers()
    handler.wfile.write(json.dumps(document).encode())


def test_a_busy_server_is_asked_again() -> None:
    statuses = iter([503, 200, 409])

    def answer(handler: BaseHTTPRequestHandler) -> None:
        status = next(statuses)
        answer_with(handler, status, {"detail": f"status of {status}"})

    with server(answer) as url:
        post = poster(url, PATIENCE, is_busy=lambda _call, status: status in (502, 503))
        assert post("hands", {}) == {"detail": "status of 200"}
        with refuses(PeerError, option="server", given="status of 409 (status 409)"):
            post("hands", {})


def test_a_server_that_stays_busy_is_left_at_the_deadline() -> None:
    began = time.monotonic()
    busy = server(lambda handler: answer_with(handler, 503, {}))
    with busy as url, refuses(PeerError, option="server", given="status 503"):
        poster(url, 0.6, is_busy=lambda _call, _status: True)("hands", {})
    assert time.monotonic() - began < 10.0


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_key_goes_to_no_other_server(status: int) -> None:
    elsewhere = list[str | None]()

    def take(handler: BaseHTTPRequestHandler) -> None:
        elsewhere.append(handler.headers["X-Key"])
        answer_with(handler, 200, {})

    with server(take) as other:

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Location", other)
            handler.end_headers()

        with server(answer) as url, refuses(PeerError, option="server", peer=url):
            poster(url, PATIENCE, headers={"X-Key": "secret"})("hands", {})
    assert elsewhere == []
