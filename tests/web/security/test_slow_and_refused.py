"""Requests that do not arrive, crowds of guests, and refusals and headers as browsers see them."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from equilibrist.web.security.entering import ENTRY
from equilibrist.web.security.guard import RefusedBodyError, _limited
from equilibrist.web.server import Connection, RefusedSocket
from equilibrist.web.shell import PAGES
from tests.web.security.test_guard import MakeClient

LARGE = 50_000_000
"""More bytes than the system holds for a connection."""
HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that answers everything after it has read the body, and waits for a short time."""
    monkeypatch.setattr(Connection, "stalled_seconds", 0.3)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        while (await receive()).get("more_body"):
            pass
        await asyncio.sleep(0.6)  # an answer may take longer than that
        if scope["path"] == "/large":
            length = [(b"content-length", b"%d" % LARGE)]
            await send({"type": "http.response.start", "status": 200, "headers": length})
            await send({"type": "http.response.body", "body": bytes(LARGE)})
            return
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, http=Connection, ws=RefusedSocket, lifespan="off", log_level="warning"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()
    server.should_exit = True
    thread.join()
    listening.close()


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"


@pytest.mark.parametrize("before", [b"", WHOLE], ids=["first", "second"])
def test_a_request_for_a_websocket_is_refused(address: tuple[str, int], before: bytes) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        if before:
            connection.sendall(before)
            while not connection.recv(1000).endswith(b"ok"):
                pass
        connection.sendall(UPGRADE)
        answer = connection.recv(1000)
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert connection.recv(1000) == b""


@pytest.mark.by_default(2)
@pytest.mark.parametrize("sent", [b"", b"GET / HT", WHOLE[:-2]])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_request_that_does_not_arrive_is_not_waited_for(
    address: tuple[str, int], sent: bytes, is_first: bool
) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        if not is_first:
            connection.sendall(WHOLE)
            while not connection.recv(1000).endswith(b"ok"):
                pass
        connection.sendall(sent)
        assert connection.recv(1000) == b""  # closed, before the test gives up


@pytest.mark.parametrize(
    ("begins", "part"),
    [
        (b"GET / HTTP/1.1\r\nX: ", b"x" * 1000),
        (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 200),
        (b"GET /", b"x" * 1000),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            b"X: y\r\n" * 200,
        ),
        (WHOLE + b"GET / HTTP/1.1\r\nX: ", b"x" * 1000),
    ],
)
def test_headers_without_end_are_not_kept(
    address: tuple[str, int], begins: bytes, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "stalled_seconds", 60.0)
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(begins)
        with pytest.raises(ConnectionError):
            connection.sendall(part * 20_000)


@pytest.mark.slow
def test_headers_of_a_usual_size_are_taken(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        for _ in range(3):
            connection.sendall(WHOLE[:-2] + b"X: y\r\n" * 3000 + b"\r\n")
            answer = b""
            while not answer.endswith(b"ok"):
                answer += connection.recv(1000)
            assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("pause", [60.0, 0.01])
def test_a_body_that_stalls_or_drips_is_refused(make_client: MakeClient, pause: float) -> None:
    client = make_client(limits={"stalled_seconds": 0.1, "slowest": 100.0})
    guard, sent = client.app, []

    async def receive() -> Any:
        if asked:
            await asyncio.sleep(pause)
        asked.append(1)
        assert len(asked) < 10_000, "it goes on for ever"
        return {"type": "http.request", "body": b"" if pause < 1 else b"x", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    asked: list[int] = []
    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/api/uploads/x.efg",
        "raw_path": b"/api/uploads/x.efg",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8137"), (b"content-length", b"10")],
    }
    client.portal.call(guard, scope, receive, send)
    assert sent[0]["status"] == 408
    said = json.loads(b"".join(one.get("body", b"") for one in sent))
    assert (said["kind"], said["option"]) == ("StalledError", "body")
    folder = client.services.folders.arriving  # type: ignore[attr-defined]
    assert [*folder.iterdir()] == []


def test_a_slow_body_is_measured_up_to_its_refusal(make_client: MakeClient) -> None:
    client = make_client(limits={"stalled_seconds": 0.6, "slowest": 100.0})
    guard: Any = client.app
    pauses = [60.0, 0.35]

    async def receive() -> Any:
        await asyncio.sleep(pauses.pop())
        return {"type": "http.request", "body": b"x", "more_body": True}

    limited = _limited({"type": "http", "headers": []}, receive, 1000, guard.limits)

    async def read() -> None:
        while True:
            await limited()

    with pytest.raises(RefusedBodyError) as refused:
        client.portal.call(read)
    error = refused.value.document
    assert (error["option"], error["given"]) == ("body", 1)
    (seconds,) = re.findall(r"1 byte .* ([\d.]+) seconds", error["error"])
    assert float(seconds) >= 0.6


def test_an_upload_that_is_broken_off_is_no_bug(make_client: MakeClient) -> None:
    client = make_client()
    guard, sent = client.app, []
    parts = [{"type": "http.request", "body": b"EFG", "more_body": True}]

    async def receive() -> Any:
        return parts.pop() if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/api/uploads/x.efg",
        "raw_path": b"/api/uploads/x.efg",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8137"), (b"content-length", b"10")],
    }
    client.portal.call(guard, scope, receive, send)
    assert sent[0]["status"] == 408
    folder = client.services.folders.arriving  # type: ignore[attr-defined]
    assert [*folder.iterdir()] == []


def test_a_body_that_comes_fast_enough_may_take_longer(make_client: MakeClient) -> None:
    client = make_client(limits={"stalled_seconds": 0.1, "slowest": 100.0})
    guard: Any = client.app
    left = [b"x" * 50] * 8

    async def receive() -> Any:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": left.pop(), "more_body": bool(left)}

    limited = _limited({"type": "http", "headers": []}, receive, 1000, guard.limits)

    async def read() -> int:
        count = 1
        while (await limited())["more_body"]:
            count += 1
        return count

    assert client.portal.call(read) == 8


@pytest.mark.slow
def test_an_answer_that_nobody_reads_is_not_kept(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "unread_seconds", 0.3)
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        read = 0
        time.sleep(2.0)
        with suppress(ConnectionResetError):
            while part := connection.recv(1 << 20):
                read += len(part)
    assert read < LARGE


def test_a_page_that_is_refused_says_why_in_words(make_client: MakeClient) -> None:
    client = make_client()
    name = "<script>alert(1)</script>.example"
    answer = client.get("/spot", headers={**HTML, "Host": name})
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")
    assert "--name" in answer.text
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    missing = client.get("/none/<b>", headers=HTML)
    assert (missing.status_code, "<h1>" in missing.text) == (404, True)
    assert "<b>" not in missing.text
    assert client.get("/none").json()["option"] == "path"
    for path, headers in (("/api/version", HTML), ("/spot", {"Accept": "application/json"})):
        refused = client.get(path, headers={**headers, "Host": "evil.example"})
        assert refused.json()["option"] == "Host"


OTHERS = ["/api/version", "/api/openapi.json", "/api/none", "/none", ENTRY, "/api/events?topics=x"]


@pytest.mark.parametrize("path", [*PAGES, *OTHERS])
@pytest.mark.parametrize("headers", [HTML, {}], ids=["page", "document"])
def test_every_answer_says_what_a_page_may_do(
    client: TestClient, path: str, headers: dict[str, str]
) -> None:
    """Files of this server alone; a page that is whole by itself names what stands in it."""
    policy = client.get(re.sub(r"[{][^}]+[}]", "x", path), headers=headers).headers[
        "content-security-policy"
    ]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == ["'none'"]
    assert set(rules["form-action"]) <= {"'none'", "'self'"}
    known = re.compile(r"'(?:none|self|script|sha256-[A-Za-z0-9+/=]+)'|data:|blob:|vue")
    assert not [one for values in rules.values() for one in values if not known.fullmatch(one)]
    for kind in ("script-src", "style-src", "connect-src"):
        assert not {"data:", "blob:"} & set(rules.get(kind, ()))


@pytest.mark.parametrize(
    ("host", "headers", "is_there"),
    [
        ("127.0.0.1:8137", {}, True),
        ("localhost:8137", {}, True),
        ("study.example", {}, False),
        ("192.168.1.7:8137", {}, False),
        ("study.example", {"X-Forwarded-Proto": "https"}, True),
    ],
)
def test_openers_are_cut_off_where_browsers_take_the_header(
    make_client: MakeClient, host: str, headers: dict[str, str], is_there: bool
) -> None:
    client = make_client(names=("study.example", "192.168.1.7"))
    answer = client.get("/api/version", headers={"Host": host, **headers})
    assert answer.status_code == 200
    assert ("cross-origin-opener-policy" in answer.headers) is is_there
