"""Random ranges of both players at public states."""

from __future__ import annotations

import numpy as np

from equilibrist.typing import FloatArray, Int64Array


def random_range(order: Int64Array, random: np.random.Generator) -> FloatArray:
    """Draw a range R(S, p) as DeepStack does: shares of halves, of halves of halves, and so on.

    Of what a set of hands has, the weaker half gets a uniform share and the stronger half the rest.
    So hands of like strength have much in common, and some sets have next to nothing.

    Matej Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
    poker", Science 356, 2017.

    Args:
        order: int64[H], the hands from the weakest to the strongest.
        random: Draws.

    Returns:
        float64[H], at least 0, which add up to 1.
    """
    share = np.zeros(len(order))
    parts = [(0, len(order), 1.0)]
    while parts:
        low, high, mass = parts.pop()
        if high - low == 1:
            share[order[low]] = mass
            continue
        middle = (low + high) // 2
        below = mass * random.uniform()
        parts += [(low, middle, below), (middle, high, mass - below)]
    return share
