"""Grids of a blueprint's decisions as pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence

from equilibrist.poker.blueprint.lines import classes_at, seat_name
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.solution.grid_pictures import draw_grid


def draw_node(
    blueprint: Blueprint,
    line: str,
    path: str | os.PathLike[str],
    board: Sequence[int] = (),
) -> None:
    """Draw the strategy at a decision as a 13x13 grid, whose cells are filled up to the reach.

    Args:
        blueprint: The blueprint.
        line: The actions to the decision, such as `R2.5-C|X`.
        path: The file, .svg or .png.
        board: The public cards; none before the flop.

    Raises:
        NotationError: The line is not offered.
        ConfigError: Nobody acts there, the board is too short, or the file has another suffix.
        OutputError: The file cannot be written.
    """
    tree = blueprint.tree
    node = node_at(tree, line)
    rows = classes_at(blueprint, node, board)
    seat = int(tree.player[node])
    name = seat_name(seat, blueprint.hand.seats)
    shown = f" on {card_names(list(board))}" if board else ""
    title = f"{name} after {tree.line(node)}{shown}" if node else f"{name} at the start"
    draw_grid(path, rows.reach, rows.strategy, tree.moves(node), title)
