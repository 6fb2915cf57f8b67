"""The pages: behind the same guard, with a websocket of their own, and texts that stay texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from nicegui import core
from starlette.testclient import TestClient

from equilibrist.storage.archive import write_archive
from equilibrist.web.application import make_application
from equilibrist.web.services import Services
from equilibrist.web.settings import Settings, Subject

EVIL = '<script>alert("game")</script><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with pages. NiceGUI has one application for each process, so there is one."""
    subject = Subject("spot", f"{EVIL}.toml", spot=f'board = "{EVIL}"')
    services = Services.of(Settings(tmp_path_factory.mktemp("data"), subject=subject))
    header = {"game": EVIL, "algorithm": EVIL, "iterations": 1, "nash_conv": 1.0}
    write_archive(
        services.library.new_path("evil"), "solution", {**header, "exploitability": 0.5}, {}
    )
    with TestClient(make_application(services), base_url="http://127.0.0.1:8137") as found:
        yield found


def test_the_start_page_lists_the_library(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "Running now" in page.text
    assert "alert(" in page.text  # the solution is listed
    assert client.get("/api/version").status_code == 200


def test_texts_of_files_are_escaped(client: TestClient) -> None:
    page = client.get("/").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_a_page_needs_no_other_server(client: TestClient) -> None:
    page = client.get("/").text
    for mark in ('src="', 'href="', "url("):
        for link in (part.partition('"')[0] for part in page.split(mark)[1:]):
            assert not link.startswith(("http:", "https:", "//")), link


@pytest.mark.parametrize("path", ["/", "/_nicegui_ws/socket.io/?EIO=4&transport=polling"])
def test_pages_and_their_websocket_are_guarded(client: TestClient, path: str) -> None:
    assert client.get(path, headers={"Host": "evil.example"}).status_code == 403
    assert client.get(path, headers={"Origin": "http://evil.example"}).status_code == 403


def _handshake(origin: str) -> Any:
    """A handshake with socket.io itself, past the guard: it must refuse on its own, too."""
    inner = TestClient(core.app, base_url="http://127.0.0.1:8137")
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    return inner.get(path, headers={"Origin": origin})


def test_socket_io_takes_own_pages_alone(client: TestClient) -> None:
    own = _handshake("http://127.0.0.1:8137")
    assert own.status_code == 200, own.text
    for origin in ("http://evil.example", "http://127.0.0.1:3000", "null"):
        assert _handshake(origin).status_code == 400, origin
