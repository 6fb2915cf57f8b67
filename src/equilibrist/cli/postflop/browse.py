"""`equilibrist postflop browse`: walk the tree of a saved solution on one screen."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

from equilibrist.cli.inputs import options
from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for

HELP = """Walk through a solved spot on the screen: grid, hands, EV and equity, and the next lines.

Arrows and Enter choose a next line, Backspace goes back; the letter of an action (X check, C call,
F fold, B bet, R raise, A all-in; numbers for several sizes) goes there at once, and so does a card,
such as 8h, where one is dealt. / filters the hands, s sorts them, p shows the other player's
range, q ends.

\b
Examples:
  equilibrist postflop browse last
  equilibrist postflop browse out.spot --line "X-B120-C|8h"
"""


def browse(
    file: Annotated[
        Path,
        options.solution_argument("FILE", "The solution of a spot: a file, or last, last-2, ..."),
    ],
    line: Annotated[
        str,
        options.optional("--line", "LINE", "The first node.  [default: the root]", short="-l"),
    ] = "",
) -> None:
    """Open the screen."""
    kind_for("postflop browse", file)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "browsing needs a terminal",
            option="terminal",
            remedy=f"use `equilibrist postflop show {quote(str(file))}`",
        )
    from equilibrist.cli.postflop.browser import Browser
    from equilibrist.poker.postflop.files.storage import load_spot

    Browser(load_spot(file), line).run()
