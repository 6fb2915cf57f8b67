"""Logits: logarithms of probabilities, up to a constant of the infoset.

I infosets, Q infoset-action pairs in public flat order, A outputs of a network.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.solvers.run.state import in_proportion
from equilibrist.typing import BoolArray, FloatArray, Int64Array

LEAST: Final = 1e-300
"""The logarithm of a probability is never that of less."""


def logarithm(policy: FloatArray) -> FloatArray:
    """The logarithm of probabilities; that of 0 is finite."""
    return np.log(np.maximum(policy, LEAST))


def odds(logits: FloatArray, offset: Int64Array) -> FloatArray:
    """What probabilities are in proportion to: exp of logits, 1 for the largest of an infoset.

    Args:
        logits: float64[Q].
        offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

    Returns:
        float64[Q].
    """
    if not len(logits):
        return logits.copy()
    most = np.repeat(np.maximum.reduceat(logits, offset[:-1]), np.diff(offset))
    powers: FloatArray = np.exp(logits - most)
    return powers


def softmax(logits: FloatArray, offset: Int64Array) -> FloatArray:
    """Probabilities by infoset: exp of logits, normalised.

    Args:
        logits: float64[Q].
        offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

    Returns:
        float64[Q].
    """
    return in_proportion(odds(logits, offset), offset)


def softmax_of_rows(logits: NDArray[np.floating], mask: BoolArray) -> NDArray[np.floating]:
    """Probabilities by row: exp of logits at outputs that count, normalised.

    Args:
        logits: float[n, A].
        mask: bool[n, A]: the outputs that count, at least one of each row.

    Returns:
        float[n, A], of the type of the logits: 0 at other outputs.
    """
    legal = np.where(mask, logits, -np.inf)
    powers = np.exp(legal - legal.max(axis=1, keepdims=True))
    probabilities: NDArray[np.floating] = powers / powers.sum(axis=1, keepdims=True)
    return probabilities
