"""The strategies of a blueprint before the flop, by the 169 classes of hands."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.blueprint.lines import classes_at, seat_name
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, FIRST_CARD, NUM_CLASSES
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.solution.grid_pictures import draw_grid
from equilibrist.storage.tables import write_table_file
from equilibrist.typing import FloatArray

_COLUMNS: Final = ("line", "seat", "hand", "combos", "reach", "action", "frequency")


class BlueprintNode(NamedTuple):
    """A decision of a blueprint before the flop."""

    node: int
    """Its number in the betting tree."""
    line: str
    """The line to it; empty for the first one."""
    seat: int
    """The seat that acts."""
    actions: tuple[str, ...]
    """The actions as lines write them."""
    frequency: FloatArray
    """float64[A, 169]: how often a hand of each class takes each action; 0 for classes that the
    deck lacks."""
    reach: FloatArray
    """float64[169]: how often the seat with such a hand gets here."""
    total: FloatArray
    """float64[A]: how often each action is taken by all hands together."""

    def __repr__(self) -> str:
        return brief_repr(self)


def preflop_node(blueprint: Blueprint, node: int) -> BlueprintNode:
    """A decision before the flop.

    Args:
        blueprint: The blueprint.
        node: The decision.

    Returns:
        Its strategy by class.

    Raises:
        ConfigError: The node is not a decision, or is after the flop.
    """
    tree = blueprint.tree
    seat = int(tree.player[node])
    rows = classes_at(blueprint, node)
    return BlueprintNode(
        node,
        tree.line(node),
        seat,
        tuple(tree.label(child) for child in tree.children(node)),
        rows.strategy,
        rows.reach,
        rows.total,
    )


def preflop_nodes(blueprint: Blueprint) -> list[BlueprintNode]:
    """All decisions before the flop.

    Args:
        blueprint: The blueprint.

    Returns:
        Their strategies by class, in the order of the tree.
    """
    tree = blueprint.tree
    found = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0))
    return [preflop_node(blueprint, int(node)) for node in found]


def preflop_csv(blueprint: Blueprint) -> tuple[str, int]:
    """All decisions before the flop as CSV, a row per hand class and action.

    Args:
        blueprint: The blueprint.

    Returns:
        The text, and the number of its rows.
    """
    dealt = 4 * blueprint.hand.rules.lowest_rank <= FIRST_CARD
    combos = np.bincount(CLASS_OF_COMBO[dealt], minlength=NUM_CLASSES)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    rows = 0
    for node in preflop_nodes(blueprint):
        for hand in np.flatnonzero(combos):
            for action, frequency in zip(node.actions, node.frequency[:, hand], strict=True):
                writer.writerow(
                    (
                        node.line, node.seat, CLASS_NAMES[hand], combos[hand],
                        f"{node.reach[hand]:.6g}", action, f"{frequency:.6g}",
                    )
                )  # fmt: skip
                rows += 1
    return text.getvalue(), rows


def write_preflop(blueprint: Blueprint, path: str | os.PathLike[str]) -> int:
    """Write all decisions before the flop as CSV, a row per hand class and action.

    Args:
        blueprint: The blueprint.
        path: The file.

    Returns:
        The number of rows.

    Raises:
        OutputError: The file cannot be written, or is not a table of Equilibrist.
    """
    text, rows = preflop_csv(blueprint)
    write_table_file(file_name("path", path), ".csv", text)
    return rows


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
