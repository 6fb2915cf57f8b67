"""Spots of three in grids, as tables for other programs, and over all next cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, parse_board
from equilibrist.poker.cards.combos import CLASS_NAMES, NUM_CLASSES, combo_name
from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds
from equilibrist.poker.postflop.files.runout_report import csv_text
from equilibrist.poker.postflop.solution.node_aggregates import (
    ev_digits,
    json_number,
    json_numbers,
    weight_digits,
)
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.spot import SEAT_KEYS
from equilibrist.web.errors import ConflictError
from equilibrist.web.solutions.three_nodes import Shares, held_by
from equilibrist.web.study.answers import GridClass, NodeGrid, ThreeRunouts

if TYPE_CHECKING:
    from equilibrist.poker.three_players.solution import ThreeSolution


def three_grid(solution: ThreeSolution, line: str, seat: str | None) -> NodeGrid:
    """The 13x13 hand classes of a seat: a row for each class that is held, from AA on.

    Args:
        solution: The solution.
        line: The line of the node.
        seat: `oop`, `middle` or `ip`; None for the seat that acts.
    """
    node = ThreeNode(solution, line)
    number = _seat_of(node, seat)
    by_class, digits = node.classes(number), ev_digits(node.pot)
    weight, ev = by_class.weight.ravel(), by_class.ev.ravel()
    strategy, action_ev = (
        rows.reshape(len(rows), NUM_CLASSES).T for rows in (by_class.strategy, by_class.action_ev)
    )
    classes: dict[str, GridClass] = {
        CLASS_NAMES[k]: {
            "weight": json_number(weight[k]),
            "equity": None,
            "ev": json_number(ev[k], digits),
            "eqr": None,
            "strategy": json_numbers(strategy[k]),
            "action_ev": json_numbers(action_ev[k], digits),
        }
        for k in np.flatnonzero(weight).tolist()
    }
    actions = [str(action) for action in node.actions] if number == node.player else []
    return {"line": node.line, "player": SEAT_KEYS[number], "actions": actions, "classes": classes}


def three_hands_csv(solution: ThreeSolution, line: str, seat: str | None) -> str:
    """The hands of a seat as CSV, from aces down: made hand, draw, weight, EV and strategy.

    Args:
        solution: The solution.
        line: The line of the node.
        seat: `oop`, `middle` or `ip`; None for the seat that acts.
    """
    node = ThreeNode(solution, line)
    number = _seat_of(node, seat)
    kinds, shares = hand_kinds(parse_board(node.board)), Shares(node)
    rows = []
    for combo in held_by(node, number):
        row: dict[str, object] = {
            "hand": combo_name(combo),
            "made_hand": MADE_HANDS[kinds.made[combo]],
            "draw": DRAWS[kinds.draw[combo]],
            "weight": weight_digits(node.ranges[number, combo]),
        }
        if number == node.player:
            row["ev"] = float(shares.ev_of_hands[combo])
            for k, action in enumerate(node.actions):
                row[f"{action} freq"] = float(shares.strategy[k, combo])
                row[f"{action} ev"] = float(shares.evs[k, combo])
        rows.append(row)
    return csv_text(rows)


def three_runouts(solution: ThreeSolution, line: str) -> ThreeRunouts:
    """What the seat that acts does after every next card.

    Args:
        solution: The solution.
        line: A line after which a card is dealt.

    Returns:
        A row for each card that can come: which seat acts, its EV, and how often and with which EV
        it takes each action; figures are None where nobody acts.

    Raises:
        LineSyntaxError: The line cannot be read or played.
        ConflictError: No card is dealt after it.
    """
    node = ThreeNode(solution, line)
    if not node.deals_a_card:
        raise ConflictError(
            f"no card is dealt after {node.line or 'the start'}",
            option="line",
            given=node.line,
            expected="a line that ends a street, such as X-X-X",
            remedy="give such a line",
        )
    rows: list[dict[str, object]] = []
    for card in reversed(range(NUM_CARDS)):
        if card_name(card) in node.board:
            continue
        after = ThreeNode(solution, f"{node.line}|{card_name(card)}")
        try:
            shares = Shares(after)
        except ConfigError:  # a range has no hand without the card
            continue
        digits = ev_digits(after.pot)
        acts = None if after.player is None else SEAT_KEYS[after.player]
        row: dict[str, object] = {"card": card_name(card), "pot": after.pot, "player": acts}
        if after.player is not None:
            row[f"ev_{acts}"] = json_number(shares.ev, digits)
        for k, action in enumerate(after.actions):
            row[f"{action} freq"] = json_number(float(shares.frequency[k]))
            row[f"{action} ev"] = json_number(float(shares.action_ev[k]), digits)
        rows.append(row)
    return {"line": node.line, "runouts": rows}


def _seat_of(node: ThreeNode, seat: str | None) -> int:
    """The number of a seat; that of who acts without one, and OOP where nobody acts."""
    if seat is None:
        return node.player or 0
    if seat not in SEAT_KEYS:
        raise UnknownNameError("player", seat, SEAT_KEYS, option="player")
    return SEAT_KEYS.index(seat)
