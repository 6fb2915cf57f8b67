"""Charts of hands with a betting tree: exact solutions, several seats, blueprints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.blueprint.lines import classes_at
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import CLASS_NAMES, NUM_CLASSES
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, BettingTree
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.tree_lines import node_at, path_to
from equilibrist.web.documents.charts.places import Choice, Hands, Place
from equilibrist.web.documents.study import action_roles

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution

_CARDS: Final = (0, 3, 4, 5)
"""Board cards by street."""


def tree_way(
    tree: BettingTree, line: str, seats: Sequence[str], last_street: int
) -> tuple[int, list[tuple[int, Place]]]:
    """The decision that a line leads to, and the way there, that decision last.

    Args:
        tree: The betting.
        line: The line.
        seats: The names of the seats.
        last_street: The last street that the file has strategies for.

    Returns:
        The node, and nodes with their places.

    Raises:
        NotationError: No such action is offered.
        ConfigError: Nobody acts there, or the file has no strategy there.
    """
    node = node_at(tree, line)
    if tree.kind[node] != DECISION or tree.street[node] > last_street:
        raise ConfigError(
            f"there is no strategy after {line}",
            option="line",
            given=line,
            expected="the line of a decision",
            remedy="leave out the last actions",
        )
    way = [
        (earlier, replace(_place(tree, earlier, seats, last_street), chosen=action))
        for earlier, action in path_to(tree, node)
    ]
    return node, [*way, (node, _place(tree, node, seats, last_street))]


def _place(tree: BettingTree, node: int, seats: Sequence[str], last_street: int) -> Place:
    children = tree.children(node)
    moves = tree.moves(node)
    choices = []
    for child, move, role in zip(children, moves, action_roles(moves), strict=True):
        then = child + 1 if tree.kind[child] == DEAL else child
        goes_on = tree.kind[then] == DECISION and tree.street[then] <= last_street
        line = tree.line(then) if goes_on else None
        choices.append(Choice(tree.label(child), str(move), role, line))
    street = STREET_NAMES[tree.street[node]]
    return Place(tree.line(node), seats[tree.player[node]], street, tuple(choices))


def exact_hands(solution: PreflopSolution, line: str) -> Hands:
    """What the classes do at a node of an exact solution."""
    node = solution.at(line)
    at = [CLASS_NAMES.index(name) for name in node.names]
    spread = np.zeros((2, NUM_CLASSES))
    spread[:, at] = node.combos, node.reach
    count = len(node.actions)
    wide = np.full((2 * count + 1, NUM_CLASSES), np.nan)
    wide[:, at] = np.concatenate([node.strategy, node.action_ev, node.ev[None]])
    strategy = np.nan_to_num(wide[:count])
    return Hands(spread[0], spread[1], strategy, wide[-1], wide[count:-1])


def multiway_hands(solution: MultiwaySolution, line: str) -> Hands:
    """What the classes do at a node of a hand of several seats."""
    node = solution.at(line)
    return Hands(node.combos, node.reach, node.strategy, node.ev, node.action_ev)


def blueprint_hands(blueprint: Blueprint, node: int, board: str) -> Hands:
    """What the classes do at a node of a blueprint, on a board after the flop.

    Raises:
        NotationError: The board cannot be read.
        ConfigError: It has too few cards for the street.
    """
    tree = blueprint.tree
    street = int(tree.street[node])
    cards = parse_board(board)[: _CARDS[street]] if street and board else ()
    if len(cards) != _CARDS[street]:
        raise ConfigError(
            f"strategies on the {STREET_NAMES[street]} depend on the board",
            option="board",
            given=board,
            expected=f"{_CARDS[street]} cards",
            remedy="give the board",
        )
    return Hands(*classes_at(blueprint, node, cards))
