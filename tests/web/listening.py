"""Listening to streams that do not end by themselves, in the loop of a client's server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from starlette.testclient import TestClient


@dataclass
class Listener:
    """What a stream has sent.

    Attributes:
        status: That of the answer.
        text: The body so far.
        is_over: Whether the answer is whole.
    """

    status: int = 0
    text: str = ""
    is_over: bool = False
    leave: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def events(self) -> list[tuple[str, str, dict[str, Any]]]:
        """The events: id, name and document of each; without an id where another one follows."""
        found = []
        for block in self.text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "data" in fields:
                found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
        return found


def listen(
    client: TestClient, act: Callable[[Listener], Any], headers: dict[str, str], **query: str
) -> Listener:
    """Open /api/events, call an async function with the listener, and leave.

    Args:
        client: The client of a server.
        act: Is awaited while the stream is open.
        headers: Further headers of the request.
        query: Topics, and where to go on.
    """
    pairs = {"host": "127.0.0.1:8137", **headers}
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/events",
        "raw_path": b"/api/events",
        "query_string": urlencode(query).encode(),
        "headers": [(key.lower().encode(), value.encode()) for key, value in pairs.items()],
        "scheme": "http",
        "http_version": "1.1",
        "client": ("testclient", 50000),
        "server": ("127.0.0.1", 8137),
        "root_path": "",
    }

    async def run() -> Listener:
        listener, asked = Listener(), False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await listener.leave.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                listener.status = message["status"]
            else:
                listener.text += message.get("body", b"").decode()
                listener.is_over = not message.get("more_body", False)

        answering = asyncio.ensure_future(client.app(dict(scope), receive, send))
        try:
            async with asyncio.timeout(20):
                await act(listener)
        finally:
            listener.leave.set()
            await answering
        return listener

    found: Listener = client.portal.call(run)
    return found


async def heard(listener: Listener, count: int) -> list[tuple[str, str, dict[str, Any]]]:
    """The events, once there are so many."""
    while len(listener.events) < count:
        await asyncio.sleep(0.01)
    return listener.events
