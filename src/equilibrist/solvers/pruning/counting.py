"""Histories by the last sequences of the players: what a traversal passes through is counted so.

A node is a history in the traversal for one player: chance, decisions of anybody, and terminals. It
is visited where every action of the others on the way has a probability above 0, and the traversal
does not skip an action of the player's own on the way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array


class Places(NamedTuple):
    """Where the N histories of a tree lie."""

    sequence: Int64Array  # [N, P]: each player's last sequence, in public order; see `empty`
    chance: FloatArray  # [N]: product of the probabilities of chance
    player: Int64Array  # [N]: who moves, CHANCE or TERMINAL
    base: Int64Array  # [N]: first action of the infoset, or row of payoffs


def places(tree: GameTree) -> Places:
    """Find the last sequences of all players at every history, level by level.

    The empty sequence of player p has the number Q + p.
    """
    arrays = tree.history_tree.arrays
    node = arrays.node.astype(np.int64)
    count, players = len(node), tree.num_players
    first, base, children, player = node.T
    sequence = np.empty((count, players), dtype=np.int64)
    sequence[0] = int(tree.action_offset[-1]) + np.arange(players)
    chance = np.ones(count)
    level = np.zeros(1, dtype=np.int64)
    while len(level := level[children[level] > 0]):
        num_children = children[level]
        parent = np.repeat(level, num_children)
        action = np.arange(len(parent)) - np.repeat(
            np.cumsum(num_children) - num_children, num_children
        )
        child, place = first[parent] + action, base[parent] + action
        sequence[child], chance[child] = sequence[parent], chance[parent]
        drawn = player[parent] == CHANCE
        chance[child[drawn]] *= arrays.chance_probability[place[drawn]]
        mover = player[parent[~drawn]]
        sequence[child[~drawn], mover] = place[~drawn]
        level = child
    return Places(sequence, chance, player, base)


def ends(histories: Places) -> BoolArray:
    """Which histories are terminal."""
    return np.equal(histories.player, TERMINAL)


class Visits(NamedTuple):
    """Histories that one player's traversals visit, of how many without pruning."""

    nodes: int
    nodes_unpruned: int
    terminals: int
    terminals_unpruned: int


def visits(visited: Int64Array, tree: GameTree, iterations: int) -> Visits:
    """Histories and terminals that traversals visited, and those without pruning.

    Args:
        visited: Histories and terminals; what follows is not read.
        tree: The compiled game.
        iterations: How many iterations were run, each with one traversal per player.
    """
    passes = iterations * tree.num_players
    return Visits(
        int(visited[0]), passes * tree.num_nodes, int(visited[1]), passes * tree.num_terminals
    )
