"""Frames: the betting of a seat that knows a menu, where the other seat may bet any amount.

In a frame both seats bet by the menu. The first frame is the whole hand; every bet of the other
seat that a frame lacks begins another one, with the true size. So the frames of a seat hold all
that it can meet as long as it plays by the menu itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting import after, deal, start
from equilibrist.poker.hands.betting_tree import (
    ACTION_KINDS,
    DEAL,
    DECISION,
    BettingTree,
    betting_tree,
)
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.typing import Int64Array

_FOLD: Final = ACTION_KINDS.index(Kind.FOLD)
_FOLDED, _PASSIVE = -1, 0
"""In place of the total of a bet."""
STREETS: Final = 2
"""Streets with betting of a hand that is searched."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A part of the betting in which both seats bet by the menu.

    Attributes:
        number: Its place among the frames of the seat.
        tree: Its betting, N nodes.
        nodes: int64[N]: the node of the whole betting that each stands for.
        parent: The number of the frame above; -1 for the first frame.
        decision: The node of the frame above at which the other seat bets off the menu; -1 for the
            first frame.
        street: The street on which it begins.
        depth: How many frames lie above it.
    """

    number: int
    tree: BettingTree
    nodes: Int64Array
    parent: int
    decision: int
    street: int
    depth: int

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def actions(self) -> Int64Array:
        """int64[streets]: the actions at the decisions of each street."""
        above = self.tree.parent[1:]
        decided = above[self.tree.kind[above] == DECISION]
        return np.bincount(self.tree.street[decided], minlength=STREETS)


@dataclass(frozen=True, eq=False)
class Frames:
    """All frames of a seat.

    Attributes:
        menu: The game of the menu.
        full: The game in which the other seat may bet any amount.
        seat: Who plays by the menu.
        frames: The frames; one that is above another comes before it.
        place: By node of the whole betting at which the seat decides, the number of its frame and
            the node there.
    """

    menu: ExactGame
    full: ExactGame
    seat: int
    frames: tuple[Frame, ...] = field(repr=False)
    place: dict[int, tuple[int, int]] = field(repr=False)

    @classmethod
    def of(cls, menu: ExactGame, full: ExactGame, seat: int) -> Frames:
        """List the frames of a seat.

        Args:
            menu: The game of the menu.
            full: The game with more bets.
            seat: Who plays by the menu.

        Returns:
            The frames.
        """
        rules, large = full.rules, full.tree
        frames: list[Frame] = []
        place: dict[int, tuple[int, int]] = {}
        # A frame to be laid out: its tree, its root's state and node, and where it comes from.
        waiting = [(menu.tree, start(rules).without_line(), 0, -1, -1, 0)]
        while waiting:
            tree, root, whole, parent, decision, depth = waiting.pop(0)
            number = len(frames)
            nodes = np.full(tree.num_nodes, -1, np.int64)
            nodes[0] = whole
            states: dict[int, HandState] = {0: root}
            for node in range(tree.num_nodes):
                there, state = int(nodes[node]), states.pop(node)
                if tree.kind[node] == DEAL:
                    below = int(tree.first_child[node])
                    nodes[below] = large.first_child[there]
                    states[below] = deal(rules, state)
                if tree.kind[node] != DECISION:
                    continue
                if tree.player[node] == seat:
                    place[there] = (number, node)
                ways = {_total(large, child): child for child in large.children(there)}
                for child, action in zip(tree.children(node), tree.moves(node), strict=True):
                    nodes[child] = ways.pop(_total(tree, child))
                    states[child] = after(rules, state, action).without_line()
                if tree.player[node] == seat:
                    continue
                for child in ways.values():
                    action = large.moves(there)[large.children(there).index(child)]
                    beyond = after(rules, state, action).without_line()
                    below_bet = betting_tree(rules, menu.menu, root=beyond)
                    waiting.append((below_bet, beyond, child, number, node, depth + 1))
            street = int(root.street)
            frames.append(Frame(number, tree, nodes, parent, decision, street, depth))
        return cls(menu, full, seat, tuple(frames), place)

    def __repr__(self) -> str:
        return brief_repr(self)

    def __len__(self) -> int:
        return len(self.frames)

    def at(self, street: int) -> list[Frame]:
        """The frames that begin on a street with a bet off the menu.

        Args:
            street: The street.

        Returns:
            The frames, in their order.
        """
        return [frame for frame in self.frames if frame.parent >= 0 and frame.street == street]


def forest(trees: Sequence[BettingTree]) -> BettingTree:
    """Put trees one after the other.

    Args:
        trees: One tree or more, of the same hand.

    Returns:
        Their nodes, with a root for each.
    """
    if len(trees) == 1:
        return trees[0]
    sizes = np.array([tree.num_nodes for tree in trees])
    shift = np.repeat(np.cumsum(sizes) - sizes, sizes).astype(np.int32)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(tree, name) for tree in trees])
        for name in BettingTree._fields[:-1]
    }
    for name in ("parent", "first_child", "next_sibling"):
        numbers = columns[name]
        columns[name] = np.where(numbers >= 0, numbers + shift, -1).astype(np.int32)
    return BettingTree(**columns, scale=trees[0].scale)


def _total(tree: BettingTree, node: int) -> int:
    """What tells an action from the others at a decision: a bet's total on the street."""
    kind = int(tree.action[node])
    if kind == _FOLD:
        return _FOLDED
    return int(tree.amount[node]) or _PASSIVE
