"""`equilibrist mcp`: the toolkit as tools for an assistant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import note
from equilibrist.errors import ConfigError
from equilibrist.parsing.quantities import read_bytes, read_count
from equilibrist.web.settings import Limits

HELP = """Offer the toolkit to an assistant by the Model Context Protocol (MCP).

The assistant's program starts this command and talks to it over standard input and output. Its
tools solve games and hold'em spots, look up what was found, compare algorithms and frequencies,
evaluate strategies, and compute equities. Long solves are jobs, which go on while the assistant
does something else; every answer says its units and how far a solve has converged.

Files are read in FOLDER alone, and written in its folder .equilibrist: solutions in library, which
all other commands take. Python files are not loaded. A folder has one server at a time. When the
assistant closes the connection, running solves are saved first.

Needs the extra mcp: pip install "equilibrist[mcp]". docs/mcp.md shows how assistants are told of
it.

\b
Examples:
  equilibrist mcp
  equilibrist mcp --folder ~/poker --memory 8GB --jobs 1
"""

_WORK: Final = "Work"


def mcp(
    folder: Annotated[
        Path | None,
        options.file(
            "--folder", "FOLDER", "The folder with all files.  [default: the current one]"
        ),
    ] = None,
    memory: Annotated[
        str | None,
        options.optional(
            "--memory",
            "SIZE",
            "Memory of all running solves together, such as 8GB.  [default: half of the machine's]",
            _WORK,
        ),
    ] = None,
    jobs: Annotated[
        str, options.valued("--jobs", "N", "How many solves run at the same time.", _WORK)
    ] = f"{Limits.running}",
) -> None:
    """Serve until the connection is closed."""
    limits = Limits(
        running=read_count(jobs, "jobs"),
        memory=None if memory is None else read_bytes(memory, "memory"),
    )
    try:
        from equilibrist.mcp.server import serve
        from equilibrist.mcp.workspace import Workspace
    except ImportError as error:
        if (error.name or "").startswith("equilibrist"):
            raise
        raise ConfigError(
            f"`mcp` needs packages that are not installed ({error.name})",
            option="mcp",
            remedy='pip install "equilibrist[mcp]"',
        ) from None
    with Workspace.held(folder or Path(), limits) as workspace:
        note(f"serving {workspace.folder} over standard input; Ctrl-C ends")
        serve(workspace)
