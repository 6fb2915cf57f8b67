"""Nodes of a betting tree by the line that leads there, and the decisions on the way."""

from __future__ import annotations

from typing import Final

from equilibrist.errors import NotationError
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.state import DEAL, DECISION

_ALL_IN: Final = "A"


def node_at(tree: BettingTree, line: str) -> int:
    """The node that a line leads to.

    Args:
        tree: The betting tree.
        line: Actions, streets separated by bars: `R2.5-C|X-B3`; `A` for any all-in. Bars may be
            left out, since a street ends with its last call or check.

    Returns:
        The node; the decision of the next street where a street ends.

    Raises:
        NotationError: No such action is offered there; says which are.
    """
    node = 0
    position = 0
    for word in line.replace("|", "-").split("-"):
        code = word.strip().upper()
        if code:
            node = _after(tree, node, code, line, position)
        position += len(word) + 1
    return node


def _after(tree: BettingTree, node: int, code: str, line: str, position: int) -> int:
    offered = {tree.label(child): child for child in tree.children(node)}
    if tree.kind[node] != DECISION:
        offered = {}
    child = offered.get(code)
    if child is None and code == _ALL_IN:
        child = next((offered[label] for label in offered if label.startswith(_ALL_IN)), None)
    if child is None:
        known = ", ".join(offered) or "no action: the hand is over"
        raise NotationError(
            f"{code} is not offered after {tree.line(node) or 'the deal'}; offered: {known}",
            line,
            position,
            option="line",
            given=code,
            expected=known,
            remedy="give one of the actions that are offered",
        )
    return child + 1 if tree.kind[child] == DEAL else child


def path_to(tree: BettingTree, node: int) -> list[tuple[int, int]]:
    """The decisions on the way to a node.

    Args:
        tree: The betting tree.
        node: The node.

    Returns:
        Each decision, the first one first, with the number of the action that was taken.
    """
    decisions: list[tuple[int, int]] = []
    while node:
        parent = int(tree.parent[node])
        if tree.kind[parent] == DECISION:
            decisions.append((parent, tree.children(parent).index(node)))
        node = parent
    return decisions[::-1]
