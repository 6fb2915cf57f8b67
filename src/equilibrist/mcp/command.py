"""`equilibrist mcp`: the toolkit as tools for an assistant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.extras import needs_extra
from equilibrist.cli.text.output import note
from equilibrist.web.settings import Limits, read_limits

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


def mcp(
    folder: Annotated[
        Path | None,
        options.file(
            "--folder", "FOLDER", "The folder with all files.  [default: the current one]"
        ),
    ] = None,
    memory: options.MemoryOfJobs = None,
    jobs: options.JobsAtOnce = f"{Limits.running}",
) -> None:
    """Serve until the connection is closed."""
    limits = read_limits(jobs, memory)
    with needs_extra("mcp", "`mcp`"):
        from equilibrist.mcp.server import serve
        from equilibrist.mcp.workspace import Workspace
    with Workspace.held(folder or Path(), limits) as workspace:
        note(f"serving {workspace.folder} over standard input; Ctrl-C ends")
        serve(workspace)
