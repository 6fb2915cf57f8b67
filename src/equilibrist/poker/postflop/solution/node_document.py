"""A node as a JSON document: numbers are rounded, None stands for NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.solution.node_aggregates import (
    NodeMeans,
    node_means,
    totals_document,
)
from equilibrist.poker.postflop.solution.node_place import NodePlace
from equilibrist.poker.postflop.solution.node_values import (
    NodeValues,
    json_number,
    json_numbers,
    weight_digits,
)
from equilibrist.typing import BoolArray


def node_document(
    place: NodePlace,
    values: NodeValues,
    resolution: dict[str, float | None],
    only: BoolArray | None,
) -> dict[str, Any]:
    """The document of a node; `only`, bool[1326], selects hands, None all."""
    first = place.player or 0
    means = node_means(values, place.player, place.pot)
    return {
        **without_hands(place, resolution, means),
        "hands": _hands(values, first, only, with_strategy=True),
        "other_hands": _hands(values, 1 - first, only),
    }


def without_hands(
    place: NodePlace, resolution: dict[str, float | None], means: NodeMeans
) -> dict[str, Any]:
    """The document of a node without its hands; `means` are its `node_means`."""
    return {
        "line": place.line,
        "board": place.board,
        "street": place.street,
        "pot": place.pot,
        "player": place.player,
        "actions": [str(action) for action in place.actions],
        "codes": [action.code for action in place.actions],
        **resolution,
        "frequency": [*map(json_number, means.frequency)],
        "frequency_by_combos": [*map(json_number, means.frequency_by_combos)],
        "action_ev": [*map(json_number, means.action_ev)],
        **totals_document(means.totals),
    }


def _hands(
    values: NodeValues, player: int, only: BoolArray | None, *, with_strategy: bool = False
) -> dict[str, dict[str, Any]]:
    """Weight, equity, EV and optionally the strategy of each hand, from aces down."""
    combos = np.flatnonzero(values.weight[player])[::-1]
    if only is not None:
        combos = combos[only[combos]]
    columns: dict[str, list[Any]] = {
        "weight": [*map(weight_digits, values.weight[player, combos].tolist())],
        "equity": json_numbers(values.equity[player, combos]),
        "ev": json_numbers(values.ev[player, combos]),
    }
    if with_strategy:
        columns["strategy"] = json_numbers(values.strategy[:, combos].T)
        columns["action_ev"] = json_numbers(values.action_ev[:, combos].T)
    rows = zip(*columns.values(), strict=True)
    names = map(combo_name, combos.tolist())
    return {
        name: dict(zip(columns, row, strict=True)) for name, row in zip(names, rows, strict=True)
    }
