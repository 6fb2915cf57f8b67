"""What the pages on hold'em say is complete."""

from __future__ import annotations

import re
from typing import Any

from docs.grid_picture import PICTURE, grid_picture
from equilibrist.poker import Spot, solve
from tests.docs.markdown import ROOT

POKER = ROOT / "docs" / "poker"


def first_cells(text: str) -> list[str]:
    """The names in the first column of the first table, the heading left out."""
    rows = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert rows
    cells = [row.split("|")[1] for row in rows[0].splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_the_keys_of_json_are_all_explained() -> None:
    solution = solve(Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=9, stack=9), iterations=1)
    document: dict[str, Any] = solution.to_dict()
    _, text = (POKER / "solutions.md").read_text("utf-8").split("\n## JSON\n")
    whole, node = text.split("\nand the node:\n")
    assert sorted(first_cells(whole)) == sorted(document)
    assert sorted(first_cells(node)) == sorted(document["node"])


def painted(svg: str) -> dict[tuple[int, int], str]:
    """The colours at the bottom of the cells of a grid, by row and by column of four units."""
    pattern = r'<rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)" fill="(.*?)"'
    return {
        (round(float(y) + float(height)), column): fill
        for x, y, width, height, fill in re.findall(pattern, svg)
        for column in range(round(float(x) / 4), round((float(x) + float(width)) / 4))
    }


def alike(one: dict[tuple[int, int], str], other: dict[tuple[int, int], str]) -> float:
    return sum(one[place] == other.get(place) for place in one) / len(one)


def test_the_picture_of_the_grid_is_what_the_program_draws() -> None:
    """But for rounding, which differs from processor to processor."""
    picture = PICTURE.read_text("utf-8")
    letters = re.compile(r"<text[^>]*>(.*?)</text>")
    drawn = grid_picture()
    assert "".join(letters.findall(drawn)) == "".join(letters.findall(picture))
    assert len(painted(picture)) > 800
    assert alike(painted(drawn), painted(picture)) > 0.95
    assert alike(painted(grid_picture("")), painted(picture)) < 0.9
