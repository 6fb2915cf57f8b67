"""The hands of a node as the rows of a table, for CSV and Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name
from equilibrist.poker.solutions.node import Node
from equilibrist.poker.solutions.node_values import DIGITS
from equilibrist.poker.solutions.tree_filter import NodeFilter
from equilibrist.typing import BoolArray, FloatArray

PLACE: Final = ("line", "street", "board", "runouts", "pot", "acts", "player")
"""The columns that are the same for all hands of a player at a node."""
FIGURES: Final = ("weight", "equity", "ev", "eqr")
"""The columns of every hand; each action then has its name, its probability and its EV."""
BY_ACTION: Final = ("action", "share", "ev")
"""How the columns of an action begin; its number follows, from 1."""
ALL_HANDS: Final = "all"
"""The value of the column `hand` in the row of a player's totals."""


class HandRows(NamedTuple):
    """The totals of a player at a node, then their hands; n rows, NaN where undefined."""

    hands: list[str]
    """The names of the hands; the first is ALL_HANDS."""
    figures: FloatArray
    """float64[4, n], see FIGURES; all but weights are rounded."""
    actions: list[str]
    """The names of the A actions of the player; none unless they act."""
    by_action: FloatArray
    """float64[A, 2, n]: probabilities and EV of the actions, rounded."""


def hand_rows(node: Node, player: int, only: BoolArray) -> HandRows:
    """The rows of a player at a node; `only`, bool[1326], selects hands, but not of the totals."""
    combos = node.combos(player)
    combos = combos[only[combos]]
    values, totals = node.values, [pair[player] for pair in node.totals]
    figures = np.empty((len(FIGURES), len(combos) + 1))
    figures[:, 0] = [values.weight[player].sum(), *totals]
    columns = values.weight[player], values.equity[player], values.ev[player]
    for row, column in zip(figures, (*columns, node.realised(player)), strict=True):
        row[1:] = column[combos]
    acts = player == node.player
    actions = [str(action) for action in node.actions] if acts else []
    by_action = np.empty((len(actions), 2, len(combos) + 1))
    if acts:
        by_action[:, 0, 0] = list(node.frequency.values())
        by_action[:, 1, 0] = list(node.ev_by_action.values())
        by_action[:, 0, 1:] = values.strategy[:, combos]
        by_action[:, 1, 1:] = values.action_ev[:, combos]
    figures[1:] = np.round(figures[1:], DIGITS) + 0.0  # no -0.0
    names = combo_names()
    hands = [ALL_HANDS, *(names[combo] for combo in combos.tolist())]
    return HandRows(hands, figures, actions, np.round(by_action, DIGITS) + 0.0)


def action_columns(choice: NodeFilter) -> list[str]:
    """The names of the columns of actions: three for each of as many as some node has."""
    tree, chosen = choice.tree, np.concatenate(choice.nodes)
    most = int(tree.num_children[chosen][tree.kind[chosen] == ACTION].max(initial=0))
    return [f"{what}{number}" for number in range(1, most + 1) for what in BY_ACTION]


@cache
def combo_names() -> Sequence[str]:
    """The names of all hands."""
    return [combo_name(combo) for combo in range(NUM_COMBOS)]
