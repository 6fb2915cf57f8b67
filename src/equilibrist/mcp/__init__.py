"""Equilibrist as tools for assistants, by the Model Context Protocol (extra `mcp`).

`tools` has what an assistant may call, `server` offers it by the SDK of the protocol. Solves are
jobs, and answers documents, of the browser's server (`equilibrist.web`); all files lie in one
folder. Only `command` is light: the rest is imported when the server starts.
"""

from __future__ import annotations

COMMANDS = {
    "mcp": (
        "Browser",
        "equilibrist.mcp.command",
        "Offer the toolkit to an assistant (Model Context Protocol).",
    ),
}
"""The commands that the command line gets: heading, module and short help of each."""
