"""A client of the server in this process: the SDK's own, without a pipe between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent

from equilibrist.mcp.server import make_server
from equilibrist.mcp.workspace import Workspace

Ask = Callable[..., Awaitable[dict[str, Any]]]


def document_of(result: CallToolResult) -> dict[str, Any]:
    """The document of an answer, which is its text as well."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert json.loads(content.text) == result.structured_content
    return dict(result.structured_content or {})


def serving(folder: Path, script: Callable[[Ask, Client], Awaitable[None]]) -> None:
    """Run a script of calls: `await ask("solve_game", game="kuhn")` gives the document.

    With `fails=True` the answer must be an error.
    """

    async def run() -> None:
        with Workspace.held(folder) as workspace:
            async with Client(make_server(workspace)) as client:

                async def ask(name: str, *, fails: bool = False, **given: Any) -> dict[str, Any]:
                    result = await client.call_tool(name, given)
                    document = document_of(result)
                    assert result.is_error == fails, document
                    return document

                await script(ask, client)

    asyncio.run(run())


def answer(folder: Path, name: str, *, fails: bool = False, **given: Any) -> dict[str, Any]:
    """The answer to a single call."""
    documents = []

    async def script(ask: Ask, _client: Client) -> None:
        documents.append(await ask(name, fails=fails, **given))

    serving(folder, script)
    return documents[0]
