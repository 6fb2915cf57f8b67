"""The guard: names, origins, tokens, roles and limits, on the API, on pages and on websockets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from equilibrist.web.application import guarded
from equilibrist.web.errors import LimitError
from equilibrist.web.security import sessions
from equilibrist.web.security.addresses import Addresses
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.security.sessions import Sessions
from equilibrist.web.settings import Limits, Settings

OWNER, GUEST = "owner-token-owner-token", "guest-token-guest-token"
OWN = {"Origin": "http://127.0.0.1:8137", "Host": "127.0.0.1:8137"}
MakeClient = Callable[..., TestClient]


def _bearer(token: str) -> dict[str, str]:
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
    assert Addresses.of(Settings(data=None)).knows(host) is is_known  # type: ignore[arg-type]


def test_names_of_a_server_for_others(tmp_path: Any) -> None:
    found = Addresses.of(Settings(tmp_path, host="0.0.0.0", names=("Study.Example",)))
    assert all(map(found.knows, ("192.168.1.5:8137", "[fe80::1]:80", "study.example")))
    assert not found.knows("evil.example")


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
    for path in ("/", "/study/turn", "/none"):
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
def _socket_server(make_client: MakeClient, **how: Any) -> Iterator[TestClient]:
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
    with _socket_server(make_client) as client:
        with client.websocket_connect("/_nicegui_ws/socket.io", headers=OWN) as socket:
            assert socket.receive_text() == "hello"
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/_nicegui_ws/socket.io", headers=OWN | headers),
        ):
            pass


def test_a_websocket_needs_the_token(make_client: MakeClient) -> None:
    with _socket_server(make_client, token=OWNER) as client:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/", headers=OWN):
            pass
        with client.websocket_connect("/", headers=OWN | _bearer(OWNER)) as socket:
            assert socket.receive_text() == "hello"


def test_so_many_pages_and_no_more(make_client: MakeClient) -> None:
    with (
        _socket_server(make_client, limits={"connections": 2}) as client,
        client.websocket_connect("/", headers=OWN) as first,
        client.websocket_connect("/", headers=OWN),
    ):
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect("/", headers=OWN),
        ):
            pass
        assert "2 pages are open" in str(refused.value.reason)
        first.close()
        with client.websocket_connect("/", headers=OWN) as again:
            assert again.receive_text() == "hello"


def test_without_a_token_nothing_is_answered(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    for path in ("/api/version", "/api/solutions", "/api/openapi.json", "/", "/_nicegui_ws/"):
        answer = client.get(path, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["option"]) == (401, "token"), path
    page = client.get("/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, ENTRY)
    assert client.get("/api/version", headers=_bearer("wrong" * 5)).status_code == 401
    assert client.get("/api/version", headers=_bearer(OWNER)).status_code == 200
    assert client.get(f"/api/version?token={OWNER}").status_code == 401


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_gets(
    make_client: MakeClient,
) -> None:
    client = make_client(token=OWNER)
    wrong = client.post(ENTRY, data={"token": "wrong"}, follow_redirects=False)
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
    answer = client.post(ENTRY, data={"token": OWNER}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert OWNER not in cookie
    assert client.get("/api/version").status_code == 200
    client.post("/leave", follow_redirects=False)
    client.cookies.set(  # a copy is worth nothing afterwards
        "equilibrist_8137", cookie.partition("=")[2].partition(";")[0]
    )
    assert client.get("/api/version").status_code == 401


@pytest.mark.parametrize(
    "page", ["/spot?subject=1", "/games/leduc%28players%3D3%29", "/study/given?line=X-B50|8h", "/"]
)
def test_signing_in_leads_to_the_page_that_was_asked_for(
    make_client: MakeClient, page: str
) -> None:
    client = make_client(token=OWNER)
    asked = client.get(page, headers={"Accept": "text/html"}, follow_redirects=False)
    entry = asked.headers["location"]
    assert entry.startswith(ENTRY)
    shown = client.get(entry)
    action = re.search(r'action="([^"]*)"', shown.text)
    assert action is not None
    assert unescape(action[1]) == entry
    wrong = client.post(entry, data={"token": "wrong"})
    assert f'action="{action[1]}"' in wrong.text  # a wrong token does not lose it
    done = client.post(entry, data={"token": OWNER}, follow_redirects=False)
    assert done.status_code == 303
    assert done.headers["location"] == page.replace("|", "%7C")


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "javascript:alert(1)",
        "evil.example",
        "/x\r\nSet-Cookie: a=b",
        "/" + "x" * 5000,
        "/enter?to=/enter",
        "",
        '/"><script>alert(1)</script>',
    ],
)
def test_signing_in_leads_to_no_other_site(make_client: MakeClient, to: str) -> None:
    client = make_client(token=OWNER)
    address = f"{ENTRY}?{urlencode({'to': to})}"
    assert "<script>alert" not in client.get(address).text
    done = client.post(address, data={"token": OWNER}, follow_redirects=False)
    found = urljoin("http://127.0.0.1:8137/enter", done.headers["location"])
    assert urlsplit(found).netloc == "127.0.0.1:8137"
    assert "evil" not in found
    assert "set-cookie: a" not in str(done.headers).lower()


def test_a_link_opens_one_session(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    code = client.services.sessions.new_code()  # type: ignore[attr-defined]
    answers = [
        client.post(ENTRY, data={"token": code}, follow_redirects=False).status_code
        for _ in range(2)
    ]
    assert answers == [303, 401]
    assert client.get("/api/version").status_code == 200
    client.cookies.clear()
    assert client.get("/api/version", headers=_bearer(code)).status_code == 401


def test_the_link_is_read_by_the_browser_alone(make_client: MakeClient) -> None:
    page = make_client(token=OWNER).get(ENTRY)
    read, forgot = map(page.text.index, ("location.hash", "history.replaceState"))
    assert read < forgot  # nor does it stay in the history
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_tokens_are_compared_in_constant_time(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def counted(left: bytes, right: bytes) -> bool:
        compared.append((len(left), len(right)))
        return left == right

    monkeypatch.setattr(sessions, "compare_digest", counted)
    found = Sessions(Settings(tmp_path, token=OWNER, guest_token=GUEST))
    assert [found.of_token(given) for given in (OWNER, GUEST, "x", OWNER[:-1])] == [
        "owner",
        "guest",
        None,
        None,
    ]
    assert compared == [(32, 32)] * 8  # both tokens each time, whatever the length of what is given


def test_so_many_sessions_and_no_more(tmp_path: Any) -> None:
    now = [0.0]
    settings = Settings(tmp_path, token=OWNER, limits=Limits(sessions=2))
    found = Sessions(settings, lambda: now[0])
    cookies = [found.enter(OWNER) for _ in range(2)]
    with pytest.raises(LimitError) as refused:
        found.enter(OWNER)
    assert (refused.value.option, refused.value.expected) == ("sessions", 2)
    now[0] = 40 * 24 * 3600.0
    assert found.of_cookie(cookies[0]) == "owner"  # which counts as use
    assert found.enter(OWNER) is not None
    assert found.of_cookie(cookies[1]) is None


def test_full_sessions_are_told_on_the_page(make_client: MakeClient) -> None:
    client = make_client(token=OWNER, limits={"sessions": 1})
    for expected in (303, 429):
        answer = client.post(ENTRY, data={"token": OWNER}, follow_redirects=False)
        assert answer.status_code == expected
    assert "signed in" in answer.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/jobs"),
        ("POST", "/api/jobs/x/stop"),
        ("POST", "/api/jobs/x/continue"),
        ("DELETE", "/api/jobs/x"),
        ("PUT", "/api/uploads/x.efg"),
        ("DELETE", "/api/solutions/x"),
        ("DELETE", "/api/games/library:x"),
        ("POST", "/api/spots/estimate"),
        ("POST", "/_nicegui/client/x/upload/1"),
    ],
)
def test_guests_look_and_play_only(make_client: MakeClient, method: str, path: str) -> None:
    client = make_client(token=OWNER, guest_token=GUEST)
    refused = client.request(method, path, headers=_bearer(GUEST))
    assert (refused.status_code, refused.json()["given"]) == (403, "guest")
    owner = client.request(method, path, headers=_bearer(OWNER))
    assert owner.status_code in (404, 405, 422)  # there is no such thing; or nothing was given
    for looked in ("/api/version", "/api/solutions", "/api/jobs", "/api/games"):
        assert client.get(looked, headers=_bearer(GUEST)).status_code == 200


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
