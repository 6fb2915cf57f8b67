"""The order in which a board's walk processes the nodes of a betting tree, and its memory.

Rows of hands of a whole tree would not stay in a processor's cache. So subtrees of few nodes are
gathered into chunks, whose rows are used again by the next chunk; only the rows of the nodes above
them, and of their roots, are kept for the whole board.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.blueprint.abstract_game import AbstractGame
from equilibrist.kernels import ENDS, filled_up
from equilibrist.kernels.blueprint.arrays import GROUP, Betting, Work
from equilibrist.kernels.poker.postflop_arrays import SUMS
from equilibrist.poker.holdem.betting_tree import BettingTree
from equilibrist.poker.holdem.state import DEAL, DECISION, SHOWDOWN
from equilibrist.typing import Int32Array

CHUNK_NODES: Final = 160
"""The most nodes of a chunk: its rows should stay in the second-level cache."""


class Schedule(NamedTuple):
    """A betting tree as the kernels walk it."""

    betting: Betting
    """The arrays."""
    reach_rows: int
    """Rows of reach that a board needs."""
    value_rows: int
    """Rows of values of each player."""


class _Rows:
    """Numbers of rows: kept ones first, then those that every chunk uses again."""

    def __init__(self) -> None:
        self.kept, self.most, self._used = 0, 0, 0

    def keep(self, count: int = 1) -> int:
        self.kept += count
        return self.kept - count

    def begin_chunk(self) -> None:
        self._used = 0

    def take(self, count: int = 1) -> int:
        """A row of the chunk, as a negative number: see `final`."""
        self._used += count
        self.most = max(self.most, self._used)
        return -1 - (self._used - count)

    def final(self, rows: Int32Array) -> Int32Array:
        return np.where(rows < 0, self.kept - 1 - rows, rows).astype(np.int32)


class _Builder:
    def __init__(self, game: AbstractGame, chunk_nodes: int) -> None:
        self.tree: BettingTree = game.tree
        nodes = self.tree.num_nodes
        self.end = _subtree_ends(self.tree)
        self.reach_row = np.zeros((nodes, 2), np.int32)
        self.value_row = np.zeros(nodes, np.int32)
        self.reach, self.value = _Rows(), _Rows()
        self.reach.keep()  # of the root
        self.ends: list[int] = []
        self.ends_begin = [0]
        self.is_showdown: list[bool] = []
        self.top: list[int] = []
        self.inner: list[int] = []
        self.inner_begin = [0]
        self.group_begin = [0]
        loose, chunks = self._parts(chunk_nodes)
        for node in self.top:
            self.value_row[node] = self.value.keep()
            self._place_children(node, self.reach.keep)
        for roots in chunks:
            for root in roots:
                self.value_row[self._decision(root)] = self.value.keep()
        for roots in chunks:
            self._chunk(roots)
        self._groups(loose, self.value.keep)
        self._alias_deals()

    def _parts(self, most: int) -> tuple[list[int], list[list[int]]]:
        """Fill `top`; terminal nodes below it, and the roots of small subtrees by chunk."""
        tree, loose = self.tree, []
        chunks: list[list[int]] = []
        room, node = 0, 0
        while node < tree.num_nodes:
            size = int(self.end[node]) - node
            if tree.kind[node] not in {DECISION, DEAL}:
                loose.append(node)
            elif size <= most:
                if size > room:
                    chunks.append([])
                    room = most
                chunks[-1].append(node)
                room -= size
                node = int(self.end[node])
                continue
            elif tree.kind[node] == DECISION:
                self.top.append(node)
            node += 1
        return loose, chunks

    def _decision(self, node: int) -> int:
        """The node itself, or the decision below a deal."""
        return node + 1 if self.tree.kind[node] == DEAL else node

    def _place_children(self, node: int, new_row: object) -> None:
        player = int(self.tree.player[node])
        for child in self.tree.children(node):
            rows = self.reach_row[node].copy()
            rows[player] = new_row()  # type: ignore[operator]
            self.reach_row[child] = rows
            self.reach_row[self._decision(child)] = rows

    def _chunk(self, roots: list[int]) -> None:
        tree = self.tree
        self.reach.begin_chunk()
        self.value.begin_chunk()
        ends: list[int] = []
        for root in roots:
            for node in range(root, int(self.end[root])):
                if tree.kind[node] == DECISION:
                    self.inner.append(node)
                    if node != self._decision(root):
                        self.value_row[node] = self.value.take()
                    self._place_children(node, self.reach.take)
                elif tree.kind[node] != DEAL:
                    ends.append(node)
        self.inner_begin.append(len(self.inner))
        self._groups(ends, self.value.take)

    def _groups(self, ends: list[int], new_rows: object) -> None:
        kinds = self.tree.kind
        for showdown in (True, False):
            found = [node for node in ends if (kinds[node] == SHOWDOWN) == showdown]
            for begin in range(0, len(found), GROUP):
                group = found[begin : begin + GROUP]
                row = new_rows(GROUP)  # type: ignore[operator]
                for k, node in enumerate(group):
                    self.value_row[node] = row + k if row >= 0 else row - k
                self.ends += group
                self.ends_begin.append(len(self.ends))
                self.is_showdown.append(showdown)
        self.group_begin.append(len(self.is_showdown))

    def _alias_deals(self) -> None:
        deals = np.flatnonzero(self.tree.kind == DEAL)
        self.value_row[deals] = self.value_row[deals + 1]


def build_schedule(game: AbstractGame, chunk_nodes: int = CHUNK_NODES) -> Schedule:
    """Order the nodes of a game's betting tree.

    Args:
        game: The abstract game.
        chunk_nodes: The most nodes of a chunk.

    Returns:
        The arrays of the kernels, and how many rows they need.
    """
    built, tree = _Builder(game, chunk_nodes), game.tree
    layout = game.layout
    ends = np.array(built.ends, np.int32)
    lose, gain = _payoffs(game, ends)
    betting = Betting(
        player=tree.player,
        street=tree.street,
        actions=tree.num_children,
        first_child=tree.first_child,
        next_sibling=tree.next_sibling,
        slot=layout.slot,
        state=layout.state,
        reach_row=np.ascontiguousarray(built.reach.final(built.reach_row)),
        value_row=built.value.final(built.value_row),
        buckets=np.array([*game.buckets, *[0] * 4][:4], np.int64),
        top=np.array(built.top, np.int32),
        inner=np.array(built.inner, np.int32),
        inner_begin=np.array(built.inner_begin, np.int32),
        group_begin=np.array(built.group_begin, np.int32),
        ends=ends,
        ends_begin=np.array(built.ends_begin, np.int32),
        is_showdown=np.array(built.is_showdown, np.bool_),
        lose=lose,
        gain=gain,
    )
    return Schedule(
        betting, built.reach.kept + built.reach.most, built.value.kept + built.value.most
    )


def work_for(schedule: Schedule, hands: int) -> Work:
    """The memory of one thread, for so many hands on a board."""
    width = filled_up(hands, 16)
    return Work(
        reach=np.zeros(schedule.reach_rows * width, np.float32),
        values=np.zeros(2 * schedule.value_rows * width, np.float32),
        stage=np.zeros(GROUP * width, np.float32),
        faced=np.zeros(ENDS * width, np.float32),
        results=np.zeros(ENDS * width, np.float32),
        sums=np.zeros(SUMS, np.float32),
        lose=np.zeros(ENDS, np.float32),
        gain=np.zeros(ENDS, np.float32),
        bucket=np.zeros(4 * width, np.int32),
        first=np.zeros(width, np.uint8),
        second=np.zeros(width, np.uint8),
        levels=np.zeros(width, np.int32),
        ranks=np.arange(width, dtype=np.uint16),
    )


def _payoffs(game: AbstractGame, ends: Int32Array) -> tuple[object, object]:
    """What terminal nodes pay in big blinds: `lose` and `gain` as `Betting` has them."""
    tree, rules = game.tree, game.hand.rules
    unit = float(max(rules.blinds) or max(rules.antes))
    stake = tree.stake[ends].astype(np.float64) / unit
    pot, live = stake.sum(axis=1), tree.live[ends]
    lose, gain = -stake, np.repeat(pot[:, None] / 2, 2, axis=1)
    alone = tree.kind[ends] != SHOWDOWN
    for player in range(2):
        wins = alone & (live == 1 << player)
        lose[wins, player] += pot[wins]
    gain[alone] = 0.0
    return lose.astype(np.float32), gain.astype(np.float32)


def _subtree_ends(tree: BettingTree) -> Int32Array:
    """int32[N]: the node after the last one below each node."""
    end = np.arange(1, tree.num_nodes + 1, dtype=np.int32)
    for node in range(tree.num_nodes - 1, 0, -1):
        parent = tree.parent[node]
        end[parent] = max(end[parent], end[node])
    return end
