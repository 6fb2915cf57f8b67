"""Rows out of whole streets: all situations to which a solved spot leads, with its own values.

A spot of the street before is solved to the end of the hand once, and each line that leaves its
street gives a row for each next card. A row costs a hundredth of the solution, where labelling a
situation anew takes a solution of its own. The values are those of the average strategies; hands
that nobody holds have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from equilibrist.learned.holdem_values.labels import Label, label_of
from equilibrist.learned.holdem_values.situations import (
    DatasetStreet,
    Situation,
    canonical_board,
    solved_spot,
)
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import node_line
from equilibrist.poker.betting.street_tree import CHANCE
from equilibrist.poker.cards.cards import NUM_CARDS, card_name
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.typing import FloatArray

STREET: Final = 2
"""Where the ranges and values of a situation come from, beside `situations.RANDOM` and `SOLVED`."""
_ENTERED: Final = ((900, 0.2), (1_100, 0.15), (1_600, 0.12), (2_400, 0.06))
"""Chips that each player has put in before the flop, and how many hands go on."""
_ITERATIONS: Final = 500
_LEAST_REACH: Final = 1e-3
"""The share of either range that comes to a situation, at least."""


def solved_street(
    street: DatasetStreet,
    generator: np.random.Generator,
    menu: Mapping[str, Any],
    target: str,
    count: int,
) -> list[tuple[Situation, Label]]:
    """Solve a spot of the street before, and take situations to which it leads.

    Args:
        street: The street that begins.
        generator: What draws board, chips, ranges, and situations.
        menu: Bet sizes, as keys of `Spot`.
        target: To which exploitability the spot is solved, such as "0.3%" of its pot.
        count: The most situations.

    Returns:
        Situations and their labels, in random order: lines with any next card. Values of hands
        that are not held are NaN.
    """
    solution = solved_spot(street, generator, _ENTERED, menu, target=target, iterations=_ITERATIONS)
    spot = solution.spot
    tree = spot.betting.tree
    ends = np.flatnonzero((tree.kind == CHANCE) & (tree.street == spot.first_street))
    leaves = [
        (line_text(node_line(tree, node)), card)
        for node in ends.tolist()
        for card in range(NUM_CARDS)
        if card not in spot.cards
    ]
    made: list[tuple[Situation, Label]] = []
    for number in generator.permutation(len(leaves)).tolist():
        if len(made) == count:
            break
        line, card = leaves[number]
        row = _row(solution, line, card)
        if row is not None:
            made.append(row)
    return made


def _row(solution: PostflopResult, line: str, card: int) -> tuple[Situation, Label] | None:
    """The situation after a line and a card; None if hardly anyone comes there."""
    spot = solution.spot
    node = solution.at(f"{line}|{card_name(card)}")
    weight = node.values.weight
    comes = weight.sum(axis=1)
    began = np.array([spot.oop.weights.sum(), spot.ip.weights.sum()])
    if (comes < _LEAST_REACH * began).any():
        return None
    cards, images = canonical_board(np.array([*spot.cards, card]))
    found = label_of(node, weight, solution)

    def on_canonical(rows: FloatArray, other: float) -> FloatArray:
        turned = np.full((2, NUM_COMBOS), other)
        turned[:, images] = rows
        return turned

    situation = Situation(
        cards=cards,
        pot=node.pot,
        stack=spot.stack - (node.pot - spot.pot) / 2,
        ranges=on_canonical(weight / comes[:, None], 0.0),
        source=STREET,
    )
    label = Label(
        values=on_canonical(np.where(weight > 0, found.values, np.nan), np.nan),
        check_down=on_canonical(found.check_down, 0.0),
        gain=solution.mean_gain / node.pot,
        iterations=solution.iterations,
    )
    return situation, label
