"""Spots from blueprints: what they begin with after a line before the flop, and their flop play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from equilibrist.errors import NotationError
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.blueprint.abstract_game import check_two_seats
from equilibrist.poker.blueprint.policy import Blueprint, LineReach, ranges_at, reach_of
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.state import DEAL, DECISION
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.solution.street_strategy import StreetStrategy
from equilibrist.poker.postflop.solving.examination import Strategist
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range, to_digits
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class FlopStart:
    """What a spot on the flop begins with, in the amounts of the blueprint's hand.

    Attributes:
        oop: The range of the big blind, who acts first after the flop.
        ip: The range of the small blind.
        pot: The chips in the middle, antes included.
        stack: What the shorter stack has behind.
        unit: What bets are multiples of.
        reach: How often the blueprint plays the line.
    """

    oop: Range
    ip: Range
    pot: float
    stack: float
    unit: float
    reach: LineReach


def flop_strategist(blueprint: Blueprint, line: str) -> Strategist:
    """What a blueprint plays on the flop after a line, for an examination.

    Args:
        blueprint: The blueprint.
        line: The actions before the flop, as for `flop_start`, whose ranges, pot and stack the
            examined spot should have.

    Returns:
        What gives its strategy on the board of a spot; None after lines that it does not offer.

    Raises:
        NotationError: The line is not offered, or the flop does not begin after it.
        UnsupportedError: The blueprint has more than two seats.
    """
    flop_start(blueprint, line)
    root = node_at(blueprint.tree, line)

    def make(spot: Spot) -> StreetStrategy:
        def played(flop_line: str) -> Mapping[str, FloatArray] | None:
            nodes = _nodes_after(blueprint.tree, root, flop_line, spot.stack)
            if not nodes:
                return None
            weights = _weights_of(blueprint, nodes, spot.cards)
            strategy: dict[str, FloatArray] = {}
            for node, weight in zip(nodes, weights, strict=True):
                decision = blueprint.decision_at(node, spot.cards)
                for action, shares in zip(decision.actions, decision.strategy, strict=True):
                    name = str(_cut(action, spot.stack))
                    # Several bets of more than the other can call are one all-in.
                    strategy[name] = strategy.get(name, 0.0) + weight * shares
            return strategy

        return played

    return make


def _nodes_after(tree: BettingTree, root: int, flop_line: str, stack: float) -> list[int]:
    """The decisions of a blueprint to which a line of a spot leads; none if it lacks the line.

    All-in with the shorter stack is any bet of more than the other can call: a larger stack may
    have to raise by more than that, to A4.4 where the other has 3.9.
    """
    (part,) = parse_line(flop_line)
    nodes = [root]
    for action in part.actions:
        nodes = [
            child
            for node in nodes
            if tree.kind[node] == DECISION
            for child, move in zip(tree.children(node), tree.moves(node), strict=True)
            if _cut(move, stack) == action
        ]
    return [node for node in nodes if tree.kind[node] == DECISION and tree.street[node] == 1]


def _weights_of(blueprint: Blueprint, nodes: list[int], board: tuple[int, ...]) -> FloatArray:
    """How much decisions count that are one in a spot: as often as the other player bets there."""
    if len(nodes) == 1:
        return np.ones(1)
    bettor = 1 - int(blueprint.tree.player[nodes[0]])
    reach = np.array([ranges_at(blueprint, node, board)[bettor].sum() for node in nodes])
    return reach / reach.sum() if reach.any() else np.full(len(nodes), 1 / len(nodes))


def _cut(action: Action, stack: float) -> Action:
    """An action in a spot, where nobody can put in more than the shorter stack."""
    if action.amount < stack:
        return action
    return Action(Kind.ALL_IN, stack)


def flop_start(blueprint: Blueprint, line: str) -> FlopStart:
    """Find what a spot begins with after a line of a blueprint before the flop.

    Args:
        blueprint: The blueprint.
        line: The actions before the flop, the last of which calls or checks: `R2.5-C`.

    Returns:
        The ranges and amounts.

    Raises:
        NotationError: The line is not offered, or the flop does not begin after it.
        UnsupportedError: The blueprint has more than two seats.
    """
    check_two_seats(blueprint.hand, "a spot", "take a blueprint of two seats")
    tree, rules = blueprint.tree, blueprint.hand.rules
    node = node_at(tree, line)
    parent = int(tree.parent[node])
    if tree.street[node] != 1 or tree.kind[parent] != DEAL:
        raise NotationError(
            "no betting on the flop begins after this line",
            line,
            len(line),
            option="line",
            given=line,
            expected="a line that ends before the flop with a call or a check",
            remedy="give the actions before the flop, such as C-X",
        )
    stakes = tree.stake[parent].tolist()
    left = min(stack - stake for stack, stake in zip(rules.stacks, stakes, strict=True))
    small, big = (Range.from_weights(to_digits(weights)) for weights in ranges_at(blueprint, node))
    chips = rules.scale.chips
    reach = reach_of(blueprint, node)
    return FlopStart(big, small, chips(sum(stakes)), chips(left), rules.scale.unit, reach)
