"""The blocks of a betting tree, in the order in which a board's walk processes them.

A block is the betting on a street below the decision that begins the street. Its terminal nodes are
evaluated together in groups; through its deals a walk enters the blocks of the next street.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels import ENDS, TILE, filled_up
from equilibrist.kernels.blueprint.arrays import ENTER, LEAVE, TAKE_KNOWN, Blocks, BlockWork
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.walk_arrays import (
    STREETS,
    end_arrays,
    hand_arrays,
    tree_arrays,
)
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.state import DEAL, DECISION


class BlockSchedule(NamedTuple):
    """A betting tree as the walk of boards takes it."""

    blocks: Blocks
    """The arrays."""
    share_rows: int
    """Rows of shares that a block needs."""
    total_rows: int
    """Rows of values by bucket that it needs."""


class _Builder:
    def __init__(self, tree: BettingTree, known_street: int) -> None:
        self._tree, self._known_street = tree, known_street
        nodes = tree.num_nodes
        self.share_row = np.zeros((nodes, 2), np.int32)
        self.total_row = np.zeros(nodes, np.int32)
        self.steps: list[tuple[int, int]] = []
        self.after: list[int] = []
        self.deal: list[int] = []
        self.inner: list[int] = []
        self.inner_begin = [0]
        self.groups: list[tuple[int, int]] = []
        self.ends: list[int] = []
        self.ends_begin = [0]
        self.known: list[int] = []
        self.share_rows = self.total_rows = 0
        self._block(-1)

    def _block(self, deal: int) -> None:
        """A block, and those that it leads to."""
        block = len(self.deal)
        self.deal.append(deal)
        self.after.append(0)
        ends, deals = self._place(deal + 1)
        self.inner_begin.append(len(self.inner))
        first = len(self.ends_begin) - 1
        rest = [node for node in ends if self._tree.street[node] > self._known_street]
        for begin in range(0, len(rest), ENDS):
            self.ends += rest[begin : begin + ENDS]
            self.ends_begin.append(len(self.ends))
        self.groups.append((first, len(self.ends_begin) - 1))
        self.steps.append((ENTER, block))
        for node in ends:
            if self._tree.street[node] <= self._known_street:
                self.steps.append((TAKE_KNOWN, len(self.known)))
                self.known.append(node)
        for node in deals:
            self._block(node)
        self.steps.append((LEAVE, block))
        self.after[block] = len(self.steps)

    def _place(self, root: int) -> tuple[list[int], list[int]]:
        """Give rows to the nodes of a block; its terminal nodes and its deals."""
        tree, shares, totals = self._tree, 1, 1
        ends: list[int] = []
        deals: list[int] = []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            self.inner.append(node)
            for child in tree.children(node):
                self.share_row[child] = self.share_row[node]
                self.share_row[child, int(tree.player[node])] = shares
                self.total_row[child] = totals
                shares, totals = shares + 1, totals + 1
                kind = tree.kind[child]
                (waiting if kind == DECISION else deals if kind == DEAL else ends).append(child)
        self.share_rows, self.total_rows = (
            max(self.share_rows, shares),
            max(self.total_rows, totals),
        )
        return sorted(ends), sorted(deals)


def build_blocks(game: AbstractGame, known_street: int = -1) -> BlockSchedule:
    """Cut a game's betting tree into blocks.

    Args:
        game: The abstract game.
        known_street: The last street at whose terminal nodes the values are given to the walk.

    Returns:
        The arrays of the kernels, and how many rows they need.
    """
    built = _Builder(game.tree, known_street)
    blocks = Blocks(
        **tree_arrays(game),
        **end_arrays(game, built.ends, built.ends_begin, built.known),
        actions=game.tree.num_children,
        state=game.layout.state,
        share_row=built.share_row,
        total_row=built.total_row,
        steps=np.array(built.steps, np.int32),
        after=np.array(built.after, np.int32),
        deal=np.array(built.deal, np.int32),
        inner=np.array(built.inner, np.int32),
        inner_begin=np.array(built.inner_begin, np.int32),
        groups=np.array(built.groups, np.int32),
    )
    return BlockSchedule(blocks, built.share_rows, built.total_rows)


def block_work(schedule: BlockSchedule, hands: int) -> BlockWork:
    """The memory of one thread, for so many hands on a board."""
    width, most = filled_up(hands, TILE), int(schedule.blocks.buckets.max())
    columns = min(most, width)
    by_player = (STREETS, 2, width)
    return BlockWork(
        **hand_arrays(width),
        columns=np.zeros(STREETS, np.int64),
        names=np.zeros((STREETS, columns), np.int32),
        column_of=np.full(most, -1, np.int32),
        alive=np.zeros(by_player, np.int32),
        alive_reach=np.zeros(by_player, np.float32),
        alive_count=np.zeros((STREETS, 2), np.int64),
        values=np.zeros(by_player, np.float32),
        known_values=np.zeros(width, np.float32),
        shares=np.zeros((STREETS, schedule.share_rows * columns), np.float32),
        totals=np.zeros((STREETS, 2, schedule.total_rows * columns), np.float32),
        root_reach=np.zeros((2, columns), np.float32),
        line=np.zeros(columns, np.float32),
        own_shares=np.zeros(ENDS * columns, np.float32),
        faced_shares=np.zeros(ENDS * columns, np.float32),
        end_totals=np.zeros(ENDS * columns, np.float32),
    )
