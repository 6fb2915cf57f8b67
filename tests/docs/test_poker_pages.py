"""What the pages on hold'em say is complete."""

from __future__ import annotations

import re
from typing import Any

from equilibrist.poker import Spot
from tests.docs.markdown import ROOT

POKER = ROOT / "docs" / "poker"


def first_cells(text: str) -> list[str]:
    """The names in the first column of the first table, the heading left out."""
    rows = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert rows
    cells = [row.split("|")[1] for row in rows[0].splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_the_keys_of_json_are_all_explained() -> None:
    solution = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=9, stack=9).solve(iterations=1)
    document: dict[str, Any] = solution.to_dict()
    _, text = (POKER / "solutions.md").read_text("utf-8").split("\n## JSON\n")
    whole, node = text.split("\nand the node:\n")
    assert sorted(first_cells(whole)) == sorted(document)
    assert sorted(first_cells(node)) == sorted(document["node"])
