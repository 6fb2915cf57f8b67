"""The picture of a result grid in docs/images, from a solve of the spot on docs/poker/spots.md.

python docs/grid_picture.py
"""

from __future__ import annotations

import re
from pathlib import Path

import equilibrist as eq
from equilibrist.poker import Spot
from equilibrist.poker.postflop.spot.spot import spot_from_text

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "spot.svg"
LINE = "X"


def the_spot() -> Spot:
    """The spot file of the page."""
    page = (DOCS / "poker" / "spots.md").read_text("utf-8")
    text = re.search(r'```toml title="spot.toml"\n(.*?)```', page, re.DOTALL)
    assert text
    return spot_from_text(text[1])


def grid_picture(line: str = LINE) -> str:
    """The grid at a node as `postflop show --draw` writes it."""
    node = eq.solve(the_spot(), target="0.3%").at(line)
    return node.to_svg()


if __name__ == "__main__":
    PICTURE.write_text(grid_picture(), "utf-8")
