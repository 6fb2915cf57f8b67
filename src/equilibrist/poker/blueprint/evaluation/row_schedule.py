"""The order in which a walk with rows of hands processes the nodes of a betting tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels import ENDS, TILE, filled_up
from equilibrist.kernels.blueprint.arrays import (
    ASCEND,
    DESCEND,
    ENDS_OF,
    GROUP,
    KNOWN,
    Betting,
    Work,
)
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.walk_arrays import end_arrays, hand_arrays, tree_arrays
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.state import DEAL, DECISION, SHOWDOWN


class Schedule(NamedTuple):
    """A betting tree as the kernels walk it."""

    betting: Betting
    """The arrays."""
    reach_rows: int
    """Rows of reach that a board needs."""
    value_rows: int
    """Rows of values of each player."""


class _Builder:
    def __init__(self, tree: BettingTree, known_street: int) -> None:
        self._tree = tree
        self.reach_row = np.zeros((tree.num_nodes, 2), np.int32)
        self.value_row = np.zeros(tree.num_nodes, np.int32)
        self.reach_rows, self.value_rows = 1, 0  # the first row of reach is that of the root
        self.ends: list[int] = []
        self.ends_begin = [0]
        self.is_showdown: list[bool] = []
        decisions = np.flatnonzero(tree.kind == DECISION).tolist()
        for node in decisions:
            self.value_row[node] = self._value_rows(1)
            self._place_children(node)
        self.steps = [(DESCEND, node) for node in decisions]
        ends = (tree.kind != DECISION) & (tree.kind != DEAL)
        self.known = np.flatnonzero(ends & (tree.street <= known_street)).tolist()
        for number, node in enumerate(self.known):
            self.value_row[node] = self._value_rows(1)
            self.steps.append((KNOWN, number))
        self._groups(np.flatnonzero(ends & (tree.street > known_street)).tolist())
        self.steps += [(ASCEND, node) for node in decisions[::-1]]
        deals = np.flatnonzero(tree.kind == DEAL)
        self.value_row[deals] = self.value_row[deals + 1]

    def _value_rows(self, count: int) -> int:
        """The first of some new rows of values."""
        self.value_rows += count
        return self.value_rows - count

    def _place_children(self, node: int) -> None:
        player = int(self._tree.player[node])
        for child in self._tree.children(node):
            rows = self.reach_row[node].copy()
            rows[player] = self.reach_rows
            self.reach_rows += 1
            self.reach_row[child] = rows
            if self._tree.kind[child] == DEAL:
                self.reach_row[child + 1] = rows

    def _groups(self, ends: list[int]) -> None:
        """Steps for terminal nodes that are evaluated together."""
        for showdown in (True, False):
            alike = [node for node in ends if (self._tree.kind[node] == SHOWDOWN) == showdown]
            for begin in range(0, len(alike), GROUP):
                group = alike[begin : begin + GROUP]
                row = self._value_rows(GROUP)
                self.value_row[group] = np.arange(row, row + len(group))
                self.steps.append((ENDS_OF, len(self.is_showdown)))
                self.ends += group
                self.ends_begin.append(len(self.ends))
                self.is_showdown.append(showdown)


def build_schedule(game: AbstractGame, known_street: int = -1) -> Schedule:
    """Order the nodes of a game's betting tree.

    Args:
        game: The abstract game.
        known_street: The last street at whose terminal nodes the values are given to the walk.

    Returns:
        The arrays of the kernels, and how many rows they need.
    """
    built = _Builder(game.tree, known_street)
    betting = Betting(
        **tree_arrays(game),
        **end_arrays(game, built.ends, built.ends_begin, built.known),
        reach_row=built.reach_row,
        value_row=built.value_row,
        steps=np.array(built.steps, np.int32),
        is_showdown=np.array(built.is_showdown, np.bool_),
    )
    return Schedule(betting, built.reach_rows, built.value_rows)


def work_for(schedule: Schedule, hands: int) -> Work:
    """The memory of one thread, for so many hands on a board."""
    width = filled_up(hands, TILE)
    return Work(
        **hand_arrays(width),
        reach=np.zeros(schedule.reach_rows * width, np.float32),
        values=np.zeros(2 * schedule.value_rows * width, np.float32),
        stage=np.zeros(GROUP * width, np.float32),
        faced=np.zeros(ENDS * width, np.float32),
        results=np.zeros(ENDS * width, np.float32),
        ranks=np.arange(width, dtype=np.uint16),
    )
