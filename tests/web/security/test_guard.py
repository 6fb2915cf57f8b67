"""The guard: names, origins, tokens, roles and limits, on the API and on pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from equilibrist.errors import ConfigError
from equilibrist.web.application import guarded
from equilibrist.web.security.addresses import Addresses, host_names
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.settings import Settings
from tests.refusals import unchecked

OWNER, GUEST = "owner-token-owner-token", "guest-token-guest-token"
OWN = {"Origin": "http://127.0.0.1:8137", "Host": "127.0.0.1:8137"}
MakeClient = Callable[..., TestClient]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    ("host", "is_known"),
    [
        ("127.0.0.1:8137", True),
        ("localhost:8137", True),
        ("LOCALHOST", True),
        ("[::1]:8137", True),
        ("evil.example", False),
        ("evil.example:8137", False),
        ("127.0.0.1.evil.example", False),
        ("localhost:8137@evil.example", False),
        ("127.0.0.1:8137/path", False),
        ("192.168.1.5:8137", False),
        ("localhost:port", False),
        ("", False),
        (None, False),
    ],
)
def test_names_of_a_server_on_loopback(host: str | None, is_known: bool) -> None:
    assert Addresses.of(Settings(data=unchecked(None))).knows(host) is is_known


def test_names_of_a_server_for_others(tmp_path: Any) -> None:
    found = Addresses.of(Settings(tmp_path, host="0.0.0.0", names=("Study.Example",)))
    assert all(map(found.knows, ("192.168.1.5:8137", "[fe80::1]:80", "study.example")))
    assert not found.knows("evil.example")


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("Study.Example", "study.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("[FE80::1]", "[fe80::1]:8137"),
        ("192.168.1.7", "192.168.1.7:80"),
        ("my_server", "my_server"),
    ],
)
def test_a_name_is_known_as_browsers_send_it(tmp_path: Any, given: str, sent: str) -> None:
    assert Addresses.of(Settings(tmp_path, names=host_names([given]))).knows(sent)


@pytest.mark.parametrize(
    "given",
    [
        "http://study.example",
        "study.example:8137",
        "study.example/",
        "user@study.example",
        "a..b",
        "two names",
        "",
    ],
)
def test_what_no_browser_sends_as_a_name_is_refused(given: str) -> None:
    """It would be a name by which the server is never reached, without a word."""
    with pytest.raises(ConfigError) as refused:
        host_names([given])
    assert (refused.value.option, refused.value.given) == ("name", given)


@pytest.mark.parametrize("path", ["/api/version", "/api/solutions", "/api/docs", ENTRY])
def test_a_foreign_name_is_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200
    answer = client.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 403
    assert answer.json()["option"] == "Host"


def test_two_names_are_refused(client: TestClient) -> None:
    twice = [("Host", "127.0.0.1:8137"), ("Host", "evil.example")]
    assert client.get("/api/version", headers=twice).status_code == 403


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:3000", "http://localhost:8137", "file://"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_foreign_origin_is_refused(client: TestClient, method: str, origin: str) -> None:
    path = "/api/jobs" if method != "DELETE" else "/api/jobs/none"
    answer = client.request(method, path, headers={"Origin": origin}, json={"game": "kuhn"})
    assert (answer.status_code, answer.json()["option"]) == (403, "Origin")
    assert client.get("/api/jobs").json()["jobs"] == []


def test_the_own_origin_passes(client: TestClient) -> None:
    own = {"Origin": "http://127.0.0.1:8137", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/spots/check", headers=own, json={}).status_code == 422


def test_a_request_that_a_browser_sends_for_another_site_is_refused(client: TestClient) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/api/jobs", headers=foreign).status_code == 403
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get(ENTRY, headers=followed).status_code == 200
    assert client.post("/api/jobs", headers=followed, json={"game": "kuhn"}).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("path", "dest", "status"),
    [
        (ENTRY, "document", 200),
        ("/api/docs", "document", 200),
        (ENTRY, "iframe", 403),
        ("/api/jobs", "document", 403),
        ("/api/solutions/last/node?resolve=true", "document", 403),
        ("/api/games/kuhn/lesson", "iframe", 403),
    ],
)
def test_links_of_other_sites_lead_to_pages_alone(
    client: TestClient, site: str, path: str, dest: str, status: int
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": dest}
    assert client.get(path, headers=headers).status_code == status


def test_another_port_of_this_machine_is_another_site(client: TestClient) -> None:
    beside = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/api/jobs", headers=beside).status_code == 403


def test_nothing_may_be_framed_or_guessed_at(client: TestClient) -> None:
    headers = client.get("/api/version").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/", "/api/events", "/api/jobs/x/events", "/none"])
def test_every_websocket_is_refused(make_client: MakeClient, path: str) -> None:
    """Also that of an owner: nothing here answers one, nor is it seen by what would."""

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError(scope["type"])

    services = make_client(token=OWNER).services  # type: ignore[attr-defined]
    client = TestClient(guarded(app, services), base_url="ws://127.0.0.1:8137")
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(path, headers=OWN | bearer(OWNER)),
    ):
        pass
    assert refused.value.code == 1008


async def _open_streams(guard: Any, visitors: list[str]) -> list[Any]:
    """What so many streams are answered, one for each visitor, which all stay open meanwhile."""
    answers: list[Any] = []
    left = asyncio.Event()

    async def stream(host: str) -> None:
        async def receive() -> Any:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answers.append(message["status"])

        headers = [(b"host", b"127.0.0.1:8137")]
        scope = {"type": "http", "method": "GET", "path": "/api/events", "headers": headers,
                 "client": (host, 1), "query_string": b""}  # fmt: skip
        await guard(scope, receive, send)

    streams = []
    for host in visitors:
        streams.append(asyncio.ensure_future(stream(host)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    answers.append(guard.is_visited(0.0))
    left.set()
    await asyncio.gather(*streams)
    answers.append(guard.is_visited(0.0))
    return answers


def test_so_many_streams_and_no_more(make_client: MakeClient) -> None:
    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()
        await send({"type": "http.response.body", "body": b""})

    services = make_client(limits={"connections": 3, "streams": 2}).services  # type: ignore[attr-defined]
    guard = guarded(app, services)
    assert not guard.is_visited(1e9)  # nobody was there yet
    opened = asyncio.run(_open_streams(guard, ["a", "a", "a", "b", "c"]))
    assert opened == [200, 200, 429, 200, 429, True, False]
    assert asyncio.run(_open_streams(guard, ["a"])) == [200, True, False]
    assert guard.is_visited(60.0)  # a moment ago


@pytest.mark.parametrize("is_said", [True, False])
def test_a_large_body_is_refused(make_client: MakeClient, is_said: bool) -> None:
    client = make_client(limits={"body": 1000, "upload": 3000, "game_upload": 2000})

    def answer(path: str, size: int) -> Any:
        parts = (b" " * 100 for _ in range(size // 100))
        content = b" " * size if is_said else parts
        kind = {"Content-Type": "application/json"}
        if path.startswith("/api/uploads/"):
            return client.put(path, content=content)
        return client.post(path, content=content, headers=kind)

    refused = answer("/api/spots/check", 1100)
    assert (refused.status_code, refused.json()["option"]) == (413, "size")
    assert answer("/api/spots/check", 900).status_code == 422  # it is no JSON
    said = {"Content-Length": "1001"}  # of which nothing is read
    assert client.post("/api/spots/check", content=b"{}", headers=said).status_code == 413
    refused = answer("/api/uploads/game.efg", 2100)
    assert (refused.status_code, refused.json()["expected"]) == (413, 2000)
    assert answer("/api/uploads/game.EFG", 2100).status_code == 413
    assert answer("/api/uploads/x.safetensors", 2100).status_code == 422  # it is none
    refused = answer("/api/uploads/x.safetensors", 3100)
    assert (refused.status_code, refused.json()["expected"]) == (413, 3000)
    folders = client.services.folders  # type: ignore[attr-defined]
    assert [*folders.arriving.iterdir(), *folders.games.iterdir()] == []
