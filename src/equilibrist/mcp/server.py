"""The server: tools and their answers, by the official SDK of the protocol."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

from equilibrist._version import __version__
from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.mcp.progress import call_notice, notices, sent_by
from equilibrist.mcp.tool import Document, Tool, in_words_of_tools, small
from equilibrist.mcp.tools import catalogue, holdem, reviewing, solutions, solving
from equilibrist.mcp.workspace import Workspace
from equilibrist.web.errors import error_document
from equilibrist.web.services import public

TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool
    for group in (
        solving.TOOLS,
        solutions.TOOLS,
        reviewing.TOOLS,
        holdem.TOOLS,
        catalogue.TOOLS,
    )
    for tool in group
}
_LOG: Final = logging.getLogger(__name__)
_INSTRUCTIONS: Final = """Equilibrist solves games of imperfect information, up to heads-up hold'em
after the flop, by counterfactual regret minimisation. A strategy is worth what its convergence
says: quote exploitability with its unit (payoff units of a game; chips or % of the pot of a spot),
and whether the target was met. Solves are jobs: a solve that has not ended within `wait` seconds
goes on; ask with job_status. Solutions keep their names; look_up reads single nodes and infosets.
Files are named by their paths in the folder of the server."""


def make_server(workspace: Workspace) -> Server[Any]:
    """Make a server, which can be run on any streams.

    Args:
        workspace: The folder.

    Returns:
        The server; running jobs are saved and ended when its lifespan ends.
    """

    async def list_tools(_context: Any, _request: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def call_tool(context: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
        with sent_by(context.session.report_progress):
            async with notices(call_notice(request.name)):
                return await answered(workspace, request.name, request.arguments)

    @asynccontextmanager
    async def lifespan(_server: Server[Any]) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            await workspace.close()

    return Server(
        "equilibrist",
        version=__version__,
        instructions=_INSTRUCTIONS.replace("\n", " "),
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def answered(
    workspace: Workspace, name: str, arguments: dict[str, Any] | None
) -> types.CallToolResult:
    """Call a tool.

    Args:
        workspace: The folder.
        name: The tool.
        arguments: What it is given.

    Returns:
        Its answer; of what went wrong the sentence with option, place and remedy, as an error.
    """
    try:
        if name not in TOOLS:
            raise UnknownNameError("tool", name, list(TOOLS), option="tool")
        tool = TOOLS[name]
        given = tool.read(arguments)
        if inspect.iscoroutinefunction(tool.answer):
            document = await tool.answer(workspace, given)
        else:
            document = await asyncio.to_thread(tool.answer, workspace, given)
    except EquilibristError as error:
        return _result(_error(workspace, error), is_error=True)
    except Exception as error:  # whatever it is, the connection goes on
        _LOG.exception("the tool %s failed", name)
        told: Document = {"error": f"{name} failed: {error}", "kind": type(error).__name__}
        return _result(told, is_error=True)
    return _result(small(document), is_error=False)


def _error(workspace: Workspace, error: EquilibristError) -> Document:
    """The document of an error, which names tools and no places of this machine."""
    document = error_document(error)
    if f"{document['option']}".startswith("--"):  # raised for the command line
        document["option"] = document["option"].removeprefix("--").replace("-", "_")
    text = json.dumps(document, ensure_ascii=False).replace(f"{workspace.folder}/", "")
    document = in_words_of_tools(public(json.loads(text), workspace.services))
    return {key: value for key, value in document.items() if value is not None}


def _result(document: Document, *, is_error: bool) -> types.CallToolResult:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=document,
        is_error=is_error,
    )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.text,
        input_schema=tool.arguments.model_json_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads_only, destructive_hint=False, open_world_hint=False
        ),
    )


def serve(workspace: Workspace) -> None:
    """Serve over standard input and output until they are closed.

    Args:
        workspace: The folder.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    asyncio.run(_serve(workspace))


async def _serve(workspace: Workspace) -> None:
    server = make_server(workspace)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
