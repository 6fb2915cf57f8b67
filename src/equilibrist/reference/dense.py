"""A dense network as its definition has it, in float64."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.typing import FloatArray


def dense(layers: Sequence[tuple[np.ndarray, np.ndarray]], x: np.ndarray) -> FloatArray:
    """Evaluate a network with rectified hidden layers.

    Args:
        layers: Per layer W[outputs, inputs] and b[outputs].
        x: [n, inputs].

    Returns:
        float64[n, outputs].
    """
    values = np.asarray(x, dtype=np.float64)
    for number, (weights, bias) in enumerate(layers, 1):
        values = values @ weights.astype(np.float64).T + bias.astype(np.float64)
        if number < len(layers):
            values = np.maximum(values, 0.0)
    return values
