"""Tokens, sessions and roles: who may enter, for how long, and what guests may do."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from equilibrist.web.application import guarded
from equilibrist.web.errors import LimitError, UnauthorizedError
from equilibrist.web.security import sessions
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.security.guard import SERVICES
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.security.sessions import Sessions
from equilibrist.web.services import check_owner
from equilibrist.web.settings import Limits, Settings
from tests.refusals import refuses
from tests.web.conftest import SPOT
from tests.web.security.test_guard import GUEST, OWNER, MakeClient, bearer


def test_without_a_token_nothing_is_answered(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    for path in ("/api/version", "/api/solutions", "/api/openapi.json", "/", "/ui/x/core/html.js"):
        answer = client.get(path, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["option"]) == (401, "token"), path
    page = client.get("/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, ENTRY)
    assert client.get("/api/version", headers=bearer("wrong" * 5)).status_code == 401
    asked = client.get("/api/version", headers={"X-Refusals": "as-documents"})
    told = asked.json()
    assert (asked.status_code, told["status"], told["option"]) == (200, 401, "token")
    assert client.get("/api/version", headers=bearer(OWNER)).status_code == 200
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
    assert client.get("/api/version", headers=bearer(code)).status_code == 401


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
    now[0] = 20 * 24 * 3600.0
    assert found.of_cookie(cookies[0]) == "owner"  # which counts as use
    now[0] = 40 * 24 * 3600.0
    assert found.enter(OWNER) is not None
    assert found.of_cookie(cookies[1]) is None


def test_guests_leave_room_for_owners(tmp_path: Any) -> None:
    limits = Limits(sessions=3, guest_sessions=2)
    found = Sessions(Settings(tmp_path, token=OWNER, guest_token=GUEST, limits=limits))
    for _ in range(2):
        assert found.enter(GUEST) is not None
    with refuses(LimitError, option="sessions", given=2, expected=2):
        found.enter(GUEST)
    assert found.enter(OWNER) is not None
    with refuses(LimitError, option="sessions", given=3, expected=3):
        found.enter(OWNER)


@pytest.mark.parametrize(
    "other", ['a={"b":"c, d"}', "a[0]=1", "a", "a=b c", 'a="b', "a b=c", "\u00e9=1", "a=b,"]
)
def test_cookies_of_other_programs_hide_no_session(make_client: MakeClient, other: str) -> None:
    client = make_client(token=OWNER)
    answer = client.post(ENTRY, data={"token": OWNER}, follow_redirects=False)
    own = answer.headers["set-cookie"].partition(";")[0]
    client.cookies.clear()
    for cookies in (f"{other}; {own}", f"{own}; {other}"):
        headers = {b"Cookie": cookies.encode("latin-1")}
        answer = client.get("/api/version", headers=headers)
        assert answer.status_code == 200, cookies


def test_full_sessions_are_told_on_the_page(make_client: MakeClient) -> None:
    client = make_client(token=OWNER, limits={"sessions": 1})
    for expected in (303, 429):
        answer = client.post(ENTRY, data={"token": OWNER}, follow_redirects=False)
        assert answer.status_code == expected
    assert "signed in" in answer.text


@pytest.mark.parametrize("path", ["read", "write"])
def test_guests_copy_ranges(make_client: MakeClient, path: str) -> None:
    """The study of a solution does so by this request, which changes nothing."""
    client = make_client(token=OWNER, guest_token=GUEST)
    answers = [
        client.post(f"/api/ranges/{path}", headers=bearer(token), json={"text": "AA, QQ+"})
        for token in (GUEST, OWNER)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    refused = client.put("/api/ranges/own/a", headers=bearer(GUEST), json={"text": "AA"})
    assert (refused.status_code, refused.json()["given"]) == (403, "guest")


@pytest.mark.parametrize("path", ["check", "estimate", "tree", "tree/bet"])
def test_guests_set_up_spots(make_client: MakeClient, path: str) -> None:
    client = make_client(token=OWNER, guest_token=GUEST)
    spot = {"toml": SPOT.to_toml()}
    body = {"tree/bet": {**spot, "line": "", "amount": "20%"}}.get(path, spot)
    answers = [
        client.post(f"/api/spots/{path}", headers=bearer(token), json=body)
        for token in (GUEST, OWNER)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]


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
        ("POST", "/api/examples/x"),
    ],
)
def test_guests_look_and_play_only(make_client: MakeClient, method: str, path: str) -> None:
    client = make_client(token=OWNER, guest_token=GUEST)
    refused = client.request(method, path, headers=bearer(GUEST))
    assert (refused.status_code, refused.json()["given"]) == (403, "guest")
    owner = client.request(method, path, headers=bearer(OWNER))
    assert owner.status_code in (404, 405, 422)  # there is no such thing; or nothing was given
    for looked in ("/api/version", "/api/solutions", "/api/jobs", "/api/games"):
        assert client.get(looked, headers=bearer(GUEST)).status_code == 200


def _cookie(client: Any, token: str) -> str:
    client.post(ENTRY, data={"token": token}, follow_redirects=False)
    found: str = client.cookies["equilibrist_8137"]
    return found


def test_browsers_stay_signed_in_when_the_server_starts_again(
    make_client: MakeClient, tmp_path: Any
) -> None:
    tokens = {"token": OWNER, "guest_token": GUEST}
    first = make_client(**tokens)
    cookies = {"owner": _cookie(first, OWNER), "guest": _cookie(first, GUEST)}
    left = _cookie(first, OWNER)
    first.post("/leave", follow_redirects=False)
    file = tmp_path / "data" / "web-sessions"
    assert file.stat().st_mode & 0o077 == 0
    assert not any(secret in file.read_text() for secret in (OWNER, GUEST, *cookies.values()))

    def roles(**how: Any) -> list[str | None]:
        sessions = make_client(**how).services.sessions  # type: ignore[attr-defined]
        return [sessions.of_cookie(one) for one in (*cookies.values(), left)]

    assert roles(**tokens) == ["owner", "guest", None]
    assert roles(token=OWNER, guest_token="another-guest-token") == ["owner", None, None]
    assert roles(token=GUEST + OWNER, guest_token=GUEST) == [None, "guest", None]
    assert roles(token=GUEST, guest_token=OWNER) == [None, None, None]  # a guest is no owner
    for damaged in ("", "[", '{"a": 1}', "[1]", '[{"key": "zz"}]', '[{"key": ""}]'):
        file.write_text(damaged)
        assert roles(**tokens) == [None, None, None]


def test_a_damaged_session_takes_no_other_along(make_client: MakeClient, tmp_path: Any) -> None:
    cookie = _cookie(make_client(token=OWNER), OWNER)
    file = tmp_path / "data" / "web-sessions"
    (sound,) = json.loads(file.read_bytes())
    for damaged in (1, {"key": "zz"}, {**sound, "role": []}, {**sound, "used": 10**400}):
        file.write_text(json.dumps([damaged, sound]))
        again = make_client(token=OWNER).services.sessions  # type: ignore[attr-defined]
        assert again.of_cookie(cookie) == "owner", damaged
    file.write_text("[" * 10**5)
    assert make_client(token=OWNER).services.sessions.of_cookie(cookie) is None  # type: ignore[attr-defined]


def test_a_session_that_nobody_uses_ends(tmp_path: Any) -> None:
    now, day = [0.0], 24 * 3600.0
    given = Settings(tmp_path, token=OWNER)

    def sessions() -> Sessions:
        return Sessions(given, lambda: now[0], tmp_path / "web-sessions")

    found = sessions()
    cookie = found.enter(OWNER)
    for _ in range(2):
        now[0] += 29 * day
        assert found.of_cookie(cookie) == "owner"
    now[0] += 31 * day
    for one in (found, sessions()):
        assert one.of_cookie(cookie) is None


def test_a_stream_ends_whole_with_its_session(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    services = client.services  # type: ignore[attr-defined]
    cookie = _cookie(client, OWNER)

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        services.sessions.leave(cookie)
        while (await receive())["type"] != "http.disconnect":
            pass

    headers = {"Cookie": f"equilibrist_8137={cookie}"}
    other = TestClient(guarded(app, services), base_url="http://127.0.0.1:8137")
    answer = other.get("/api/jobs/x/events", headers=headers)
    assert (answer.status_code, answer.content) == (200, b"a")


def test_a_token_of_any_length_is_answered_by_the_page(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    answer = client.post(ENTRY, data={"token": "x" * 1000})
    assert (answer.status_code, "<form" in answer.text) == (401, True)


def test_a_page_of_a_session_that_has_ended_does_nothing_more(make_client: MakeClient) -> None:
    client = make_client(token=OWNER)
    cookie = _cookie(client, OWNER)
    services = client.services  # type: ignore[attr-defined]
    scope = {
        "type": "http",
        "role": "owner",
        SERVICES: services,
        SESSION: services.sessions.key_of(cookie),
    }
    page = HTTPConnection(scope)
    check_owner(page, "solve")
    services.sessions.leave(cookie)
    with pytest.raises(UnauthorizedError):
        check_owner(page, "solve")
