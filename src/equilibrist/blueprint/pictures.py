"""Grids of a blueprint's decisions as pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from equilibrist.blueprint.lines import node_at, ranges_at, seat_name
from equilibrist.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, FIRST_CARD, NUM_CLASSES
from equilibrist.poker.solutions.grid_pictures import draw_grid


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
    chances = blueprint.probabilities(node, board).astype(np.float64)
    seat = int(tree.player[node])
    reach = ranges_at(blueprint, node, board)[seat]
    dealt = np.where(4 * blueprint.hand.rules.lowest_rank <= FIRST_CARD, 1.0, 0.0)
    size = np.maximum(np.bincount(CLASS_OF_COMBO, dealt, NUM_CLASSES), 1.0)
    held = np.bincount(CLASS_OF_COMBO, reach, NUM_CLASSES)
    taken = np.array([np.bincount(CLASS_OF_COMBO, reach * row, NUM_CLASSES) for row in chances])
    strategy = np.divide(taken, held, out=np.zeros_like(taken), where=held > 0)
    name = seat_name(seat, blueprint.hand.seats)
    shown = f" on {card_names(list(board))}" if board else ""
    title = f"{name} after {tree.line(node)}{shown}" if node else f"{name} at the start"
    draw_grid(path, held / size, strategy, tree.moves(node), title)
