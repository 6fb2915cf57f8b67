"""A node of a solved spot on the screen: its summary and its grid."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from equilibrist.cli.output import heading, show, show_exactly, wants_colour

if TYPE_CHECKING:
    from rich.text import Text

    from equilibrist.poker.node_view import Node


def show_node(node: Node, *, by_combos: bool = False) -> None:
    """Print the summary and the grid; where nobody acts the ranges of both players."""
    from equilibrist.poker import node_text, range_grid, strategy_grid

    first, *lines = node_text.summary(node, by_combos=by_combos)
    heading(first)
    for line in lines:
        show(line)
    show()
    columns = shutil.get_terminal_size().columns
    if node.player is not None:
        classes = node.classes(node.player, by_combos=by_combos)
        if wants_colour(sys.stdout):
            _show_colours(strategy_grid.coloured(classes, node.actions, columns))
        else:
            show(strategy_grid.plain(classes, node.actions))
        return
    for player, seat in enumerate(("OOP", "IP")):
        if player:
            show()
        heading(f"{seat}'s range")
        weights = node.classes(player).weight
        if wants_colour(sys.stdout):
            _show_colours(range_grid.coloured(weights))
        else:
            show(range_grid.plain(weights))


def _show_colours(text: Text) -> None:
    from rich.console import Console

    console = Console(force_terminal=True, highlight=False, width=200)
    with console.capture() as captured:
        console.print(text, end="")
    show_exactly(captured.get())
