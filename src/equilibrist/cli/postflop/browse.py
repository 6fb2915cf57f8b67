"""`equilibrist postflop browse`: walk the tree of a saved solution on one screen."""

from __future__ import annotations

import sys
from shlex import quote
from typing import Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.postflop.board_options import KeptBoard, SolvedSpot
from equilibrist.cli.postflop.show import solution_of
from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for, refuse_options
from equilibrist.storage.kinds.file_kinds import BATCH, THREE_SPOT

HELP = """Walk through a solved spot on the screen: grid, hands, EV and equity, and the next lines.

Arrows and Enter choose a next line, Backspace goes back; the letter of an action (X check, C call,
F fold, B bet, R raise, A all-in; numbers for several sizes) goes there at once, and so does a card,
such as 8h, where one is dealt. / filters the hands, s sorts them, p shows the other player's
range, q ends. Of a spot of three players p shows the two other ranges in turn.

FILE may be the folder of a batch that keeps solutions (`postflop batch --keep`): the screen then
begins with its boards, and q goes back to them; --board opens one of them at once.

\b
Examples:
  equilibrist postflop browse last
  equilibrist postflop browse out.spot --line "X-B120-C|8h"
  equilibrist postflop browse three.spot --line X-X-B30
  equilibrist postflop browse study --board QsJh2h
"""


def browse(
    file: SolvedSpot,
    line: Annotated[
        str,
        options.optional("--line", "LINE", "The first node.  [default: the root]", short="-l"),
    ] = "",
    board: KeptBoard = None,
) -> None:
    """Open the screen."""
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards
    from equilibrist.poker.postflop.files.storage import load_spot
    from equilibrist.poker.three_players.solution import read_three

    kind = kind_for("postflop browse", file)
    if kind == THREE_SPOT:
        refuse_options(file, kind, {"--board": board})
        read_three(file)  # says what is wrong
    elif kind is None:
        load_spot(file)  # says what is wrong
    if kind == BATCH and board is None:
        KeptBoards.open(file)
    else:
        file = solution_of(file, kind, board)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "browsing needs a terminal",
            option="terminal",
            remedy=f"use `equilibrist postflop show {quote(str(file))}`",
        )
    if kind == THREE_SPOT:
        from equilibrist.cli.postflop.three_browser import ThreeBrowser

        ThreeBrowser(read_three(file), line).run()
        return
    from equilibrist.cli.postflop.browser import Boards, Browser

    if kind != BATCH or board is not None:
        Browser(load_spot(file), line).run()
        return
    kept = KeptBoards.open(file)
    chosen: str | None = None
    while (chosen := Boards(kept, line, chosen).run()) is not None:
        Browser(kept.load(chosen), line).run()
