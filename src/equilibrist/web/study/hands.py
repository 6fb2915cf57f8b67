"""Hands of a node by class, in the order of a figure, and as a table for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from equilibrist.errors import UnknownNameError
from equilibrist.poker.cards.combos import CLASS_NAMES, NUM_CLASSES, combo_name
from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds
from equilibrist.poker.postflop.files.runout_report import csv_text
from equilibrist.poker.postflop.solution.node_aggregates import (
    DIGITS,
    ev_digits,
    json_number,
    json_numbers,
    realisation,
    weight_digits,
)
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.study.answers import GridClass, NodeGraph, NodeGrid

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.poker.postflop.solution.result import PostflopResult

Document = dict[str, Any]
FIGURES: Final = ("equity", "ev", "eqr")
"""What hands are sorted by."""


def seat_of(node: Node, seat: str | None) -> int:
    """The number of a player.

    Args:
        node: The node.
        seat: `oop` or `ip`; None for the player who acts, and OOP where nobody acts.

    Raises:
        UnknownNameError: `seat` is neither.
    """
    if seat is None:
        return node.player or 0
    if seat not in SEATS:
        raise UnknownNameError("player", seat, SEATS, option="player")
    return SEATS.index(seat)


def grid_document(solution: PostflopResult, line: str, seat: str | None) -> NodeGrid:
    """The 13x13 hand classes of a player: a row for each class that is held, from AA on.

    Args:
        solution: The solution.
        line: The line of the node.
        seat: `oop` or `ip`; None for the player who acts.
    """
    node = solution.at(line)
    player = seat_of(node, seat)
    by_class = node.classes(player)
    eqr = realisation(by_class.ev, by_class.equity, node.pot)
    by_action = [
        array.reshape(len(array), NUM_CLASSES).T
        for array in (by_class.strategy, by_class.action_ev)
    ]
    weight, equity, ev, eqr = (
        c.ravel() for c in (by_class.weight, by_class.equity, by_class.ev, eqr)
    )
    classes: dict[str, GridClass] = {
        CLASS_NAMES[k]: {
            "weight": json_number(weight[k]),
            "equity": json_number(equity[k]),
            "ev": json_number(ev[k], ev_digits(node.pot)),
            "eqr": json_number(eqr[k]),
            "strategy": json_numbers(by_action[0][k]),
            "action_ev": json_numbers(by_action[1][k], ev_digits(node.pot)),
        }
        for k in np.flatnonzero(weight).tolist()
    }
    actions = [str(action) for action in node.actions] if player == node.player else []
    return {"line": node.line, "player": SEATS[player], "actions": actions, "classes": classes}


def sorted_document(solution: PostflopResult, line: str, by: str) -> NodeGraph:
    """The hands of both players from the worst to the best, each with its share of the range.

    Args:
        solution: The solution.
        line: The line of the node.
        by: What hands are sorted by, one of `FIGURES`.

    Returns:
        By seat: `hands`, their figures, and `up_to`, the share of the range that is no better.

    Raises:
        UnknownNameError: `by` is not one of `FIGURES`.
    """
    if by not in FIGURES:
        raise UnknownNameError("figure", by, FIGURES, option="by")
    node = solution.at(line)
    document: Document = {"line": node.line, "by": by}
    for player, seat in enumerate(SEATS):
        figures = node.realised(player) if by == "eqr" else getattr(node.values, by)[player]
        held = node.combos(player)
        held = held[~np.isnan(figures[held])]
        held = held[np.argsort(figures[held], kind="stable")]
        weight = node.values.weight[player, held].cumsum()
        document[seat] = {
            "hands": [combo_name(combo) for combo in held.tolist()],
            "up_to": json_numbers(weight / weight[-1]) if len(held) else [],
            by: json_numbers(figures[held], ev_digits(node.pot) if by == "ev" else DIGITS),
        }
    return cast("NodeGraph", document)


def hands_csv(solution: PostflopResult, line: str, seat: str | None) -> str:
    """The hands of a player as CSV, from aces down: made hand, draw, figures and strategy.

    Args:
        solution: The solution.
        line: The line of the node.
        seat: `oop` or `ip`; None for the player who acts.
    """
    node = solution.at(line)
    player = seat_of(node, seat)
    kinds = hand_kinds((*solution.spot.cards, *node.runout), solution.spot.whole_deck)
    eqr, values = node.realised(player), node.values
    rows = []
    for combo in node.combos(player).tolist():
        row: Document = {
            "hand": combo_name(combo),
            "made_hand": MADE_HANDS[kinds.made[combo]],
            "draw": DRAWS[kinds.draw[combo]],
            "weight": weight_digits(values.weight[player, combo]),
            "equity": float(values.equity[player, combo]),
            "ev": float(values.ev[player, combo]),
            "eqr": float(eqr[combo]),
        }
        if player == node.player:
            for number, action in enumerate(node.actions):
                row[f"{action} freq"] = float(values.strategy[number, combo])
                row[f"{action} ev"] = float(values.action_ev[number, combo])
        rows.append(row)
    return csv_text(rows)
