"""A node as a JSON document: numbers are rounded, None stands for NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.solutions.node_aggregates import NodeMeans, node_means, totals_document
from equilibrist.poker.solutions.node_values import json_number, json_numbers, weight_digits
from equilibrist.typing import BoolArray

if TYPE_CHECKING:
    from equilibrist.poker.solutions.node import Node


def node_document(node: Node, only: BoolArray | None) -> dict[str, Any]:
    """The document of a node; `only`, bool[1326], selects hands, None all."""
    first = node.player or 0
    return {
        **without_hands(node, node_means(node.values, node.player, node.pot)),
        "hands": _hands(node, first, only, with_strategy=True),
        "other_hands": _hands(node, 1 - first, only),
    }


def without_hands(node: Node, means: NodeMeans) -> dict[str, Any]:
    """The document of a node without its hands; `means` are its `node_means`."""
    return {
        "line": node.line,
        "board": node.board,
        "street": node.street,
        "pot": node.pot,
        "player": node.player,
        "actions": [str(action) for action in node.actions],
        "codes": [action.code for action in node.actions],
        f"resolved_{node.measure_name.replace(' ', '_')}_chips": node.resolved,
        "frequency": [*map(json_number, means.frequency)],
        "frequency_by_combos": [*map(json_number, means.frequency_by_combos)],
        "action_ev": [*map(json_number, means.action_ev)],
        **totals_document(means.totals),
    }


def _hands(
    node: Node, player: int, only: BoolArray | None, *, with_strategy: bool = False
) -> dict[str, dict[str, Any]]:
    """Weight, equity, EV and optionally the strategy of each hand."""
    combos, values = node.combos(player), node.values
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
