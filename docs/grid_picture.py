"""The picture of a result grid in docs/images, from a solve of the spot on docs/poker/spots.md.

python docs/grid_picture.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI

import equilibrist as eq
from equilibrist.poker import Spot
from equilibrist.poker.solutions import strategy_grid
from equilibrist.poker.spots.spot import spot_from_text

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "spot.svg"
LINE = "X"
TITLE = f"equilibrist postflop show out.spot --line {LINE}"
WIDTH = 80
"""Columns of the terminal."""


def the_spot() -> Spot:
    """The spot file of the page."""
    page = (DOCS / "poker" / "spots.md").read_text("utf-8")
    text = re.search(r'```toml title="spot.toml"\n(.*?)```', page, re.DOTALL)
    assert text
    return spot_from_text(text[1])


def grid_picture(line: str = LINE) -> str:
    """The grid at a node as a terminal shows it."""
    node = eq.solve(the_spot(), target="0.3%").at(line)
    assert node.player is not None
    console = Console(file=io.StringIO(), record=True, width=WIDTH, force_terminal=True)
    console.print(strategy_grid.coloured(node.classes(node.player), node.actions, WIDTH))
    own_fonts = re.sub(r"    @font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title=TITLE, theme=MONOKAI, code_format=own_fonts, unique_id="spot")


if __name__ == "__main__":
    PICTURE.write_text(grid_picture(), "utf-8")
