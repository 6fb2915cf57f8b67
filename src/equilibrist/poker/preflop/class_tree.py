"""Betting before the flop as arrays for the sampling kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels.preflop.sampled_values import ClassTree
from equilibrist.poker.preflop.pots import weak_orders
from equilibrist.typing import FloatArray, Int64Array


class Branch(NamedTuple):
    """A decision: who acts, and what follows each action."""

    player: int
    children: tuple[Branch | Ending, ...]


class Ending(NamedTuple):
    """An end of the hand."""

    showing: tuple[int, ...]
    """The seats that show hands, ascending; at most one where nobody has to."""
    payoffs: FloatArray
    """float64[orders, n]: as `weak_orders` of these seats lists the orders of their hands."""


def class_tree(root: Branch | Ending, seats: int) -> ClassTree:
    """Lay a tree out in preorder."""
    arrays: dict[str, list[int]] = {
        name: [] for name in ("player", "actions", "end", "decision", "row", "live", "number")
    }
    showing: list[int] = []
    payoffs: list[FloatArray] = []
    counts = {"decisions": 0, "rows": 0}

    def add(node: Branch | Ending) -> None:
        place = len(arrays["player"])
        is_branch = isinstance(node, Branch)
        for array in arrays.values():
            array.append(0)
        arrays["decision"][place] = counts["decisions"] if is_branch else -1
        if isinstance(node, Branch):
            counts["decisions"] += 1
            arrays["player"][place] = node.player
            arrays["actions"][place] = len(node.children)
            for child in node.children:
                add(child)
        else:
            arrays["player"][place] = -1
            arrays["row"][place] = counts["rows"]
            arrays["live"][place] = len(showing)
            arrays["number"][place] = len(node.showing)
            counts["rows"] += len(node.payoffs)
            showing.extend(node.showing)
            payoffs.append(node.payoffs)
        arrays["end"][place] = len(arrays["player"])

    add(root)
    order, order_row = _order_codes(seats)
    return ClassTree(
        **{name: np.array(column, np.int64) for name, column in arrays.items()},
        seats=np.array(showing, np.int64),
        order=order,
        order_row=order_row,
        payoffs=np.concatenate(payoffs),
    )


def own_before(tree: ClassTree, seats: int) -> Int64Array:
    """The decision of the same seat before each decision, and the action that it took there.

    Args:
        tree: The tree.
        seats: The number of seats.

    Returns:
        int64[decisions, 2]; -1 where the seat acts for the first time.
    """
    last_own = np.full((int(tree.decision.max()) + 1, 2), -1)
    waiting = [(0, ((-1, -1),) * seats)]
    while waiting:
        node, last = waiting.pop()
        decision = int(tree.decision[node])
        if decision < 0:
            continue
        player = int(tree.player[node])
        last_own[decision] = last[player]
        child = node + 1
        for action in range(int(tree.actions[node])):
            waiting.append((child, (*last[:player], (decision, action), *last[player + 1 :])))
            child = int(tree.end[child])
    return last_own


def _order_codes(seats: int) -> tuple[Int64Array, Int64Array]:
    """The row of an order of k hands by their ranks among all, as digits of a number.

    The ranks of k of n hands have gaps; what counts is their order.
    """
    begin = [0, 0]
    rows: list[Int64Array] = []
    for number in range(2, seats + 1):
        begin.append(sum(len(row) for row in rows))
        codes = np.indices((seats,) * number).reshape(number, -1).T
        dense = (codes[:, None, :] < codes[:, :, None]) & _first_of_each(codes)[:, None, :]
        ranks = dense.sum(axis=2)
        orders = weak_orders(number)
        digits = number ** np.arange(number)[::-1]
        rows.append(np.searchsorted(orders @ digits, ranks @ digits))
    return np.array(begin, np.int64), np.concatenate(rows).astype(np.int64)


def _first_of_each(codes: Int64Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """bool[n, k]: no earlier digit of the row is the same."""
    first = np.ones(codes.shape, np.bool_)
    for k in range(1, codes.shape[1]):
        first[:, k] = (codes[:, :k] != codes[:, k : k + 1]).all(axis=1)
    return first
