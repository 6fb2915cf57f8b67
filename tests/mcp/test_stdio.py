"""`equilibrist mcp` as a process, asked by the SDK's client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.mcp.asking import document_of


@pytest.mark.slow
def test_the_command_serves_over_standard_input(tmp_path: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "equilibrist", "mcp", "--folder", str(tmp_path)],
        env=dict(os.environ),
    )

    async def run() -> None:
        async with Client(stdio_client(server)) as client:
            assert client.server_info is not None
            assert client.server_info.name == "equilibrist"
            assert len((await client.list_tools()).tools) > 10
            jobs = document_of(await client.call_tool("list_jobs", {}))
            assert jobs["jobs"] == []
            wrong = await client.call_tool("look_up", {"solution": "../other.spot"})
            assert wrong.is_error
            assert document_of(wrong)["option"] == "solution"

    asyncio.run(run())
    assert (tmp_path / ".equilibrist" / "jobs").is_dir()
