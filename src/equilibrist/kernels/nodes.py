"""Reading a tree of histories: the columns of a node, and what chance draws."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel

FIRST, BASE, CHILDREN, PLAYER = (np.uintp(k) for k in range(4))
"""Columns of `HistoryArrays.node`."""
CHANCE = -1
TERMINAL = -2


@inner_kernel
def pick_outcome(tree, node, u):
    """The child of a chance node that a number u in [0, 1) picks."""
    base = np.uintp(tree.node[node, BASE])
    count = np.uintp(tree.node[node, CHILDREN])
    scaled = u * count
    k = min(np.uintp(scaled), count - np.uintp(1))
    if scaled - k >= tree.chance_threshold[base + k]:
        k = np.uintp(tree.chance_alias[base + k])
    return np.uintp(tree.node[node, FIRST]) + k
