"""How often seats get to nodes with their hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from equilibrist.poker.preflop.exact.number_layout import NumberLayout
from equilibrist.typing import FloatArray


def reach_along(
    layout: NumberLayout,
    strategy: Callable[[int, int], FloatArray],
    node: int,
    start: FloatArray,
    boards: Sequence[int],
    beginning: int = 0,
) -> FloatArray:
    """How often each seat gets to a node with each class of hands if the other lets it.

    Args:
        layout: The tree and the boards.
        strategy: (decision, board) -> float64[A, R].
        node: The node.
        start: float64[2, R], at the beginning.
        boards: The boards from that of the beginning on, one a street, to that of the node.
        beginning: A node on the way.

    Returns:
        float64[2, R], by rows of the last board.
    """
    tree, path = layout.tree, list[tuple[int, int]]()
    while node > beginning:
        parent = int(tree.parent[node])
        path.append((parent, node))
        node = parent
    reach, streets = start, iter(boards)
    board = next(streets)
    for parent, child in reversed(path):
        player = int(tree.player[parent])
        if player < 0:
            board = next(streets)
            first, count = int(layout.rows.first[board]), int(layout.table.rows[board])
            reach = reach[:, layout.rows.above[first : first + count].astype(np.int64)]
            continue
        chosen = tree.children(parent).index(child)
        reach = reach.copy()
        reach[player] *= strategy(parent, board)[chosen]
    return reach
