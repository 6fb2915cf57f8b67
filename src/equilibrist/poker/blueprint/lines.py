"""Nodes of a blueprint by the line that leads there: what the seats hold, and what hands do."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    FIRST_CARD,
    NUM_CLASSES,
    NUM_COMBOS,
    SECOND_CARD,
    dealt_hands,
)
from equilibrist.poker.hands.tree_lines import path_to
from equilibrist.typing import FloatArray

BLINDS: Final = ("small blind", "big blind")
"""The names of the first seats."""
RARE: Final = 0.01
"""Below this share of all deals a line was hardly trained, and its ranges are mostly noise."""


class LineReach(NamedTuple):
    """How often a blueprint plays a line before the flop."""

    line: float
    """The share of all deals after which it is played. With more than two seats hands count as if
    they shared no cards."""
    seats: tuple[float, ...]
    """By seat, the share of its hands that take its actions on the line."""

    @property
    def is_rare(self) -> bool:
        """Whether the line is played so rarely that its ranges are mostly noise of training."""
        return self.line < RARE


class ClassRows(NamedTuple):
    """What the 169 classes of hands do at a decision."""

    combos: FloatArray
    """float64[169]: the hands of each class that are dealt."""
    reach: FloatArray
    """float64[169]: how often the seat gets here with such a hand, on average over them."""
    strategy: FloatArray
    """float64[A, 169]: how often each action is taken, hands weighted by their reach; those of a
    class that never gets here count alike."""

    @property
    def total(self) -> FloatArray:
        """float64[A]: how often each action is taken by all hands that get here."""
        weights = self.combos * self.reach
        found: FloatArray = self.strategy @ weights / max(float(weights.sum()), 1e-300)
        return found


def seat_name(seat: int, seats: int) -> str:
    """What a seat is called.

    Args:
        seat: Its number, in the order of posting.
        seats: Seats at the table.

    Returns:
        `small blind`, `big blind`, `button`, or `seat 3` and so on.
    """
    if seat < len(BLINDS):
        return BLINDS[seat]
    return "button" if seat == seats - 1 else f"seat {seat + 1}"


def ranges_at(blueprint: Blueprint, node: int, board: Sequence[int] = ()) -> FloatArray:
    """What the seats hold at a node: the probability that a seat with a hand plays to it.

    Args:
        blueprint: The blueprint.
        node: The node.
        board: The public cards, at least those of the decisions on the way.

    Returns:
        float64[S, 1326] by seat and hand; 0 for hands that the board blocks or the deck lacks.

    Raises:
        ConfigError: The board is too short.
    """
    dealt = dealt_hands(board, blueprint.hand.rules.lowest_rank)
    reach = np.ones((blueprint.hand.seats, NUM_COMBOS))
    for decision, action in path_to(blueprint.tree, node):
        seat = int(blueprint.tree.player[decision])
        reach[seat] *= blueprint.probabilities(decision, board)[action]
    found: FloatArray = np.where(dealt, reach, 0.0)
    return found


def reach_of(blueprint: Blueprint, node: int) -> LineReach:
    """How often a blueprint plays to a node before the flop, or to the first one on it.

    Args:
        blueprint: The blueprint.
        node: The node.

    Returns:
        The shares of all deals and of each seat's hands.

    Raises:
        ConfigError: A decision on the way is after the flop.
    """
    held = ranges_at(blueprint, node)
    dealt = dealt_hands((), blueprint.hand.rules.lowest_rank)
    hands = int(dealt.sum())
    seats = tuple(float(weights.sum()) / hands for weights in held)
    if len(seats) > 2:
        return LineReach(float(np.prod(seats)), seats)
    ours, theirs = held
    by_card = np.bincount(FIRST_CARD, theirs, NUM_CARDS)
    by_card += np.bincount(SECOND_CARD, theirs, NUM_CARDS)
    met = theirs.sum() - by_card[FIRST_CARD] - by_card[SECOND_CARD] + theirs
    left = NUM_CARDS - 4 * blueprint.hand.rules.lowest_rank - 2
    return LineReach(float(ours @ met) / (hands * comb(left, 2)), seats)


def classes_at(blueprint: Blueprint, node: int, board: Sequence[int] = ()) -> ClassRows:
    """What the classes of hands do at a decision.

    Args:
        blueprint: The blueprint.
        node: The decision.
        board: The public cards; none before the flop.

    Returns:
        Combos, reach and strategy by class.

    Raises:
        ConfigError: The node is not a decision, or the board is too short.
    """
    by_hand = blueprint.probabilities(node, board).astype(np.float64)
    reach = ranges_at(blueprint, node, board)[blueprint.tree.player[node]]
    dealt = np.where(by_hand.sum(axis=0) > 0, 1.0, 0.0)
    combos = np.bincount(CLASS_OF_COMBO, dealt, NUM_CLASSES).astype(np.float64)
    held = np.bincount(CLASS_OF_COMBO, reach, NUM_CLASSES)
    weights = np.where(held[CLASS_OF_COMBO] > 0, reach, dealt)
    weighed = np.maximum(np.bincount(CLASS_OF_COMBO, weights, NUM_CLASSES), 1e-300)
    taken = [np.bincount(CLASS_OF_COMBO, weights * row, NUM_CLASSES) for row in by_hand]
    return ClassRows(combos, held / np.maximum(combos, 1.0), np.array(taken) / weighed)
