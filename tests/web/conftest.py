"""A server without a socket: its application, and a client that asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.application import api_of, guarded
from equilibrist.web.services import Services
from equilibrist.web.settings import Limits, Settings

HOST = "127.0.0.1:8137"


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """Makes clients of servers; all of them have one data folder."""
    with ExitStack() as stack:

        def make(
            *, limits: dict[str, Any] | None = None, host: str = HOST, **how: Any
        ) -> TestClient:
            settings = Settings(data=tmp_path / "data", **how)
            settings = replace(settings, limits=replace(Limits(), **(limits or {})))
            services = Services.of(settings)
            app = guarded(api_of(services), services)
            client = TestClient(app, base_url=f"http://{host}", raise_server_exceptions=False)
            client.services = services  # type: ignore[attr-defined]
            return stack.enter_context(client)

        yield make


@pytest.fixture
def client(make_client: Callable[..., TestClient]) -> TestClient:
    """A client of a server on loopback."""
    return make_client()
