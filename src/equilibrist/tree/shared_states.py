"""The state graph of any compiled game: histories with the same future share a state.

Rules whose states forget the past give such a graph directly (`build_state_graph`). Most states
hold the whole history; here it is the compiled tree that says which histories have one future.
"""

from __future__ import annotations

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.forms.chance import cumulative
from equilibrist.tree.state_graph import GraphArrays, StateGraph, levels_of


def share_states(tree: GameTree) -> StateGraph:
    """Merge the histories of a tree that nothing tells apart any more.

    Two histories are one state if the same player acts at the same infoset (or chance with the same
    probabilities) and each move leads from both to one state again; ends are one state if they pay
    the same. Where infosets have been merged, more histories have the same future.

    Args:
        tree: The compiled game, which may have imperfect recall.

    Returns:
        The graph, with the infosets of the tree in their order.

    Raises:
        ConfigError: `tree` is not a compiled game.
    """
    arrays = checked_tree(tree).history_tree.arrays
    rows = arrays.node.tolist()
    probability = arrays.chance_probability.tolist()
    numbers: dict[tuple[object, ...], int] = {}
    state_of = [0] * len(rows)
    for node in range(len(rows) - 1, -1, -1):  # children come after their parents
        first, base, count, player = rows[node]
        if player == TERMINAL:
            key: tuple[object, ...] = (TERMINAL, base)
        else:
            odds = tuple(probability[base : base + count]) if player == CHANCE else base
            key = (player, odds, *state_of[first : first + count])
        state_of[node] = numbers.setdefault(key, len(numbers))
    return _graph(tree, list(numbers)[::-1])


def _graph(tree: GameTree, keys: list[tuple[object, ...]]) -> StateGraph:
    """The graph of states by their keys, the last found first: moves lead to higher numbers."""
    last = len(keys) - 1
    node: list[tuple[int, int, int, int]] = []
    child: list[int] = []
    odds: list[float] = []
    counts: list[int] = []
    for player, what, *following in keys:
        base = what
        if isinstance(what, tuple):
            base = len(odds)
            odds += what
            counts.append(len(what))
        node.append((len(child), base, len(following), player))  # type: ignore[arg-type]
        child += [last - number for number in following]  # type: ignore[operator]
    table = np.array(node, dtype=np.int32)
    children = np.array(child, dtype=np.int32)
    arrays = GraphArrays(
        node=table,
        level=levels_of(table, children),
        child=children,
        chance_cumulative=cumulative(np.array(counts, dtype=np.int32), np.array(odds)),
        payoff=tree.history_tree.arrays.payoff,
    )
    for array in arrays:
        array.flags.writeable = False
    return StateGraph(tree.game, arrays, tree.infoset_keys, tree.action_labels, tree.action_offset)
