"""Values at the nodes before the flop, from what the streets after it are worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED, BettingTree
from equilibrist.typing import FloatArray


class PreflopTables(NamedTuple):
    """What the values before the flop depend on besides strategies; R rows of hand classes."""

    met: FloatArray
    """float64[R, R]: hands of a class that a hand can meet."""
    beaten: FloatArray
    """float64[R, R]: how many of them it beats less how many beat it, over all boards."""
    below: FloatArray
    """float64[2, E, R]: what each hand of a player wins after each line to the next street."""


class NodeRows(NamedTuple):
    """Figures of the hand classes at a node, for the player to act."""

    strategy: FloatArray
    """float64[A, R]: the probability of each action."""
    reach: FloatArray
    """float64[R]: how often the player gets here with the class if the others let them."""
    ev: FloatArray
    """float64[R]: what a hand wins in the whole hand from here on, in big blinds; NaN where the
    opponent never gets here."""
    action_ev: FloatArray
    """float64[A, R]: the same after each action."""
    mass: FloatArray
    """float64[R]: the opponent's hands that get here, of those that the hand can meet."""


def preflop_nodes(
    tree: BettingTree, strategies: dict[int, FloatArray], tables: PreflopTables, unit: float
) -> dict[int, NodeRows]:
    """The figures at all decisions before the flop.

    Args:
        tree: The betting.
        strategies: By node float64[A, R], the probability of each action.
        tables: The tables of the game.
        unit: The units of the tree in a big blind.

    Returns:
        The figures by node.
    """
    nodes = [n for n in range(tree.num_nodes) if tree.street[n] == 0]
    rows = len(tables.met)
    reach = {0: (np.ones(rows), np.ones(rows))}
    lines: dict[int, int] = {}
    for node in nodes:
        if tree.kind[node] == DEAL:
            lines[node] = len(lines)
        if tree.kind[node] != DECISION:
            continue
        player = int(tree.player[node])
        for k, child in enumerate(tree.children(node)):
            both = list(reach[node])
            both[player] = both[player] * strategies[node][k]
            reach[child] = (both[0], both[1])
    worth: dict[int, tuple[FloatArray, FloatArray]] = {}
    rows_by_node: dict[int, NodeRows] = {}
    for node in reversed(nodes):
        if tree.kind[node] == DECISION:
            player = int(tree.player[node])
            children = tree.children(node)
            own = np.stack([worth[child][player] for child in children])
            other = np.sum([worth[child][1 - player] for child in children], axis=0)
            value = (strategies[node] * own).sum(axis=0)
            mass = tables.met @ reach[node][1 - player]
            with np.errstate(invalid="ignore", divide="ignore"):
                rows_by_node[node] = NodeRows(
                    strategies[node], reach[node][player], value / mass, own / mass, mass
                )
            worth[node] = (value, other) if player == 0 else (other, value)
        else:
            worth[node] = _at_end(tree, node, reach[node], lines, tables, unit)
    return rows_by_node


def _at_end(
    tree: BettingTree,
    node: int,
    reach: tuple[FloatArray, FloatArray],
    lines: dict[int, int],
    tables: PreflopTables,
    unit: float,
) -> tuple[FloatArray, FloatArray]:
    if tree.kind[node] == DEAL:
        return tables.below[0, lines[node]], tables.below[1, lines[node]]
    stake = float(tree.stake[node].min()) / unit
    if tree.kind[node] == FOLDED:
        signs = (stake, -stake) if tree.live[node] & 1 else (-stake, stake)
        return signs[0] * (tables.met @ reach[1]), signs[1] * (tables.met @ reach[0])
    return stake * (tables.beaten @ reach[1]), stake * (tables.beaten @ reach[0])
