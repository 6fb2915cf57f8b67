"""Random ranges of hands, in which neighbours in strength are alike.

DeepStack's generator R(S, p): the weaker half of the hands S gets a part of the mass p that is
uniform on [0, p], the stronger half the rest, and so on down to single hands. Moravcik et al.,
DeepStack (Science 356, 2017), supplement.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equilibrist.typing import FloatArray


def random_range(strength: NDArray[np.floating], generator: np.random.Generator) -> FloatArray:
    """Draw a range over hands.

    Args:
        strength: float[n], n >= 1; the larger, the stronger. Equal hands come in random order.
        generator: What draws.

    Returns:
        float64[n]: the weights, which sum to 1.
    """
    count = len(strength)
    order = np.lexsort((generator.random(count), strength))
    mass = np.ones(1)
    sizes = np.array([count])
    while sizes.max() > 1:  # one level of halves at a time
        share = generator.random(len(sizes))
        weaker = np.where(sizes > 1, sizes // 2, 0)
        below = np.where(sizes > 1, share * mass, 0.0)
        mass = np.stack([below, mass - below], axis=1).ravel()
        sizes = np.stack([weaker, sizes - weaker], axis=1).ravel()
        mass, sizes = mass[sizes > 0], sizes[sizes > 0]
    weights = np.empty(count)
    weights[order] = mass
    return weights
