"""The order in which a board's walk processes the nodes of a betting tree, and its memory.

Rows of hands of a whole tree would not stay in a processor's cache. So subtrees of few nodes are
gathered into chunks, whose rows are used again by the next chunk; only the rows of the nodes above
them, and of their roots, are kept for the whole board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from equilibrist.blueprint.abstract_game import AbstractGame
from equilibrist.kernels import ENDS, filled_up
from equilibrist.kernels.blueprint.arrays import (
    ASCEND,
    DESCEND,
    ENDS_OF,
    GROUP,
    KNOWN,
    Betting,
    Work,
)
from equilibrist.kernels.poker.postflop_arrays import SUMS
from equilibrist.poker.holdem.betting_tree import BettingTree
from equilibrist.poker.holdem.state import DEAL, DECISION, SHOWDOWN
from equilibrist.typing import Int32Array

Float32: TypeAlias = NDArray[np.float32]
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
    def __init__(self, game: AbstractGame, chunk_nodes: int, known_street: int) -> None:
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
        self.known: list[int] = []
        self.steps: list[tuple[int, int]] = []
        self._known_street = known_street
        top, loose, chunks = self._parts(chunk_nodes)
        for node in top:
            self.value_row[node] = self.value.keep()
            self._place_children(node, self.reach.keep)
        for roots in chunks:
            for root in roots:
                self.value_row[self._decision(root)] = self.value.keep()
        self.steps += [(DESCEND, node) for node in top]
        for roots in chunks:
            self._chunk(roots)
        self._groups(loose, self.value.keep)
        self.steps += [(ASCEND, node) for node in top[::-1]]
        deals = np.flatnonzero(self.tree.kind == DEAL)
        self.value_row[deals] = self.value_row[deals + 1]

    def _parts(self, most: int) -> tuple[list[int], list[int], list[list[int]]]:
        """Decisions above the chunks, terminal nodes below those, and roots of chunks."""
        tree = self.tree
        top: list[int] = []
        loose: list[int] = []
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
                top.append(node)
            node += 1
        return top, loose, chunks

    def _decision(self, node: int) -> int:
        """The node itself, or the decision below a deal."""
        return node + 1 if self.tree.kind[node] == DEAL else node

    def _place_children(self, node: int, new_row: Callable[[], int]) -> None:
        player = int(self.tree.player[node])
        for child in self.tree.children(node):
            rows = self.reach_row[node].copy()
            rows[player] = new_row()
            self.reach_row[child] = rows
            self.reach_row[self._decision(child)] = rows

    def _chunk(self, roots: list[int]) -> None:
        tree = self.tree
        self.reach.begin_chunk()
        self.value.begin_chunk()
        ends: list[int] = []
        inner: list[int] = []
        for root in roots:
            for node in range(root, int(self.end[root])):
                if tree.kind[node] == DECISION:
                    inner.append(node)
                    if node != self._decision(root):
                        self.value_row[node] = self.value.take()
                    self._place_children(node, self.reach.take)
                elif tree.kind[node] != DEAL:
                    ends.append(node)
        self.steps += [(DESCEND, node) for node in inner]
        self._groups(ends, self.value.take)
        self.steps += [(ASCEND, node) for node in inner[::-1]]

    def _groups(self, ends: list[int], new_rows: Callable[[int], int]) -> None:
        """Steps for terminal nodes: those that are known, and groups of the others."""
        kinds, streets = self.tree.kind, self.tree.street
        for node in ends:
            if streets[node] <= self._known_street:
                self.value_row[node] = new_rows(1)
                self.steps.append((KNOWN, len(self.known)))
                self.known.append(node)
        rest = [node for node in ends if streets[node] > self._known_street]
        for showdown in (True, False):
            found = [node for node in rest if (kinds[node] == SHOWDOWN) == showdown]
            for begin in range(0, len(found), GROUP):
                group = found[begin : begin + GROUP]
                row = new_rows(GROUP)
                for k, node in enumerate(group):
                    self.value_row[node] = row + k if row >= 0 else row - k
                self.steps.append((ENDS_OF, len(self.is_showdown)))
                self.ends += group
                self.ends_begin.append(len(self.ends))
                self.is_showdown.append(showdown)


def build_schedule(
    game: AbstractGame, chunk_nodes: int = CHUNK_NODES, known_street: int = -1
) -> Schedule:
    """Order the nodes of a game's betting tree.

    Args:
        game: The abstract game.
        chunk_nodes: The most nodes of a chunk.
        known_street: The last street at whose terminal nodes the values are given to the walk.

    Returns:
        The arrays of the kernels, and how many rows they need.
    """
    built, tree = _Builder(game, chunk_nodes, known_street), game.tree
    layout = game.layout
    ends = np.array(built.ends, np.int32)
    lose, gain = payoffs(game, ends)
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
        steps=np.array(built.steps, np.int32),
        ends=ends,
        ends_begin=np.array(built.ends_begin, np.int32),
        is_showdown=np.array(built.is_showdown, np.bool_),
        lose=lose,
        gain=gain,
        known=np.array(built.known, np.int32),
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
        combo=np.zeros(width, np.int32),
        levels=np.zeros(width, np.int32),
        ranks=np.arange(width, dtype=np.uint16),
    )


def payoffs(game: AbstractGame, ends: Int32Array) -> tuple[Float32, Float32]:
    """What terminal nodes pay in big blinds: `lose` and `gain` as `Betting` has them."""
    tree = game.tree
    stake = tree.stake[ends].astype(np.float64) / game.hand.rules.big_blind
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
