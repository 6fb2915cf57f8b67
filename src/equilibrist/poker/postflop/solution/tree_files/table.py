"""The hands of a node as the rows of a table, for CSV and Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name
from equilibrist.poker.postflop.solution.node_aggregates import DIGITS
from equilibrist.poker.postflop.solution.tree_files.batch import NodeBatch
from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter
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
    """The totals of a player, then their hands from aces down, at N nodes; n rows for each."""

    hands: list[str]
    """The names of the hands; the first is ALL_HANDS."""
    figures: FloatArray
    """float64[4, N, n], see FIGURES; all but weights are rounded, NaN where undefined."""
    by_action: FloatArray
    """float64[A, 2, N, n]: probabilities and EV of the actions, rounded; none unless they act."""
    shown: BoolArray
    """bool[N, n]: which rows are written of a node."""


def hand_rows(batch: NodeBatch, player: int) -> HandRows:
    """The rows of a player."""
    held = batch.hands[player]
    figures = [
        _with_totals(total, column)
        for total, column in zip(
            (held.whole_weight, *held.totals),
            (held.weight, held.equity, held.ev, held.eqr),
            strict=True,
        )
    ]
    by_action = np.empty((0, 2, *figures[0].shape))
    if player == batch.player:
        shares = _with_totals(batch.frequency, batch.strategy)
        evs = _with_totals(batch.mean_action_ev, batch.action_ev)
        by_action = np.stack([shares, evs], axis=1)
    names = combo_names()
    return HandRows(
        [ALL_HANDS, *(names[combo] for combo in held.combos[::-1].tolist())],
        np.stack([figures[0], *map(_rounded, figures[1:])]),
        _rounded(by_action),
        _with_totals(np.ones(len(batch.nodes), np.bool_), held.shown),
    )


def _with_totals(totals: NDArray[Any], figures: NDArray[Any]) -> NDArray[Any]:
    """[..., n]: the totals, [...], then the figures of the hands in descending order."""
    return np.concatenate([totals[..., None], figures[..., ::-1]], axis=-1)


def _rounded(figures: FloatArray) -> FloatArray:
    return np.round(figures, DIGITS) + 0.0  # no -0.0


def action_columns(choice: NodeFilter) -> list[str]:
    """The names of the columns of actions: three for each of as many as some node has."""
    tree, chosen = choice.tree, np.concatenate(choice.nodes)
    most = int(tree.num_children[chosen][tree.kind[chosen] == ACTION].max(initial=0))
    return [f"{what}{number}" for number in range(1, most + 1) for what in BY_ACTION]


@cache
def combo_names() -> Sequence[str]:
    """The names of all hands."""
    return [combo_name(combo) for combo in range(NUM_COMBOS)]
