"""The guard: names, origins, tokens, roles and limits, on the API, on pages and on websockets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from equilibrist.errors import ConfigError
from equilibrist.web.application import guarded
from equilibrist.web.security.addresses import Addresses, host_names
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.settings import Limits, Settings
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


def test_what_stands_in_for_a_websocket_counts_as_one(make_client: MakeClient) -> None:
    client = make_client(limits={"connections": 0})
    assert client.get("/_nicegui_ws/socket.io/?transport=polling").status_code == 429


@pytest.mark.parametrize("query", ["", "EIO=4&transport=polling", "xsid=1", "sid=", "t=1&sid"])
def test_pages_that_poll_and_idle_count_too(client: TestClient, query: str) -> None:
    """Between two polls such a page has no connection open, yet the server keeps it."""
    guard: Any = client.app
    guard.limits, guard.sockets = Limits(connections=3), lambda: 3
    refused = client.get(f"/_nicegui_ws/socket.io/?{query}")
    assert (refused.status_code, refused.json()["option"]) == (429, "connections")
    known = client.get("/_nicegui_ws/socket.io/?EIO=4&transport=polling&sid=known")
    assert known.status_code != 429  # one of those three
    guard.sockets = lambda: 2
    assert client.get(f"/_nicegui_ws/socket.io/?{query}").status_code != 429


def test_so_many_pages_are_kept_and_no_more(client: TestClient) -> None:
    """A page that is asked for is kept for a while even if no browser connects to it."""
    guard: Any = client.app
    guard.limits, guard.pages = Limits(pages=3), lambda: 3
    for path in ("/none", "/none/at/all"):
        refused = client.get(path)
        assert (refused.status_code, refused.json()["expected"]) == (429, 3)
    for path in (ENTRY, "/api/version", "/_nicegui/none", "/assets/none"):
        assert client.get(path).status_code != 429


def test_nothing_may_be_framed_or_guessed_at(client: TestClient) -> None:
    headers = client.get("/api/version").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@contextmanager
def socket_server(make_client: MakeClient, **how: Any) -> Iterator[TestClient]:
    """A server whose only answer is a websocket that says hello."""

    async def hello(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "hello"})
        await receive()

    services = make_client(**how).services  # type: ignore[attr-defined]
    yield TestClient(guarded(hello, services), base_url="ws://127.0.0.1:8137")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:8137"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_foreign_websocket_is_refused(make_client: MakeClient, headers: dict[str, str]) -> None:
    with socket_server(make_client) as client:
        with client.websocket_connect("/_nicegui_ws/socket.io", headers=OWN) as socket:
            assert socket.receive_text() == "hello"
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/_nicegui_ws/socket.io", headers=OWN | headers),
        ):
            pass


def test_a_websocket_needs_the_token(make_client: MakeClient) -> None:
    with socket_server(make_client, token=OWNER) as client:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/", headers=OWN):
            pass
        with client.websocket_connect("/", headers=OWN | bearer(OWNER)) as socket:
            assert socket.receive_text() == "hello"


def test_so_many_pages_and_no_more(make_client: MakeClient) -> None:
    with (
        socket_server(make_client, limits={"connections": 2}) as client,
        client.websocket_connect("/", headers=OWN),
    ):
        with (
            client.websocket_connect("/", headers=OWN),
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect("/", headers=OWN),
        ):
            pass
        assert "2 pages are open" in str(refused.value.reason)
        # The session before has ended on the server, too.
        with client.websocket_connect("/", headers=OWN) as again:
            assert again.receive_text() == "hello"


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
