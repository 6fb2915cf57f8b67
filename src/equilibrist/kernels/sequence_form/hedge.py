"""The local update of Hedge: weights that are exponential in the regrets.

Freund and Schapire, JCSS 1997; steps that shrink with what was seen: Cesa-Bianchi and Lugosi,
Prediction, Learning, and Games, 2006, Theorem 2.3, for payoffs of any range.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from equilibrist.kernels.sequence_form.local_columns import OWN
from equilibrist.typing import FloatArray


class HedgeMemory(NamedTuple):
    """float64[S]; what belongs to an infoset stands at its first action."""

    spread: FloatArray  # sum over time of (max r - min r)^2


def learn_by_weights(memory, s, size, actions, row, regret, instant, behaviour):
    """R <- R + r; sigma <- exp(step * R), normalised; step = eta * sqrt(8 ln(actions) / spread).

    The infoset's actions stand at s, s + size, ...; row[OWN] is eta.
    """
    low, high, best = math.inf, -math.inf, -math.inf
    for a in range(actions):
        k = s + np.uintp(a) * size
        regret[k] += instant[k]
        low, high, best = min(low, instant[k]), max(high, instant[k]), max(best, regret[k])
    memory.spread[s] += (high - low) ** 2
    spread = memory.spread[s]
    step = row[OWN] * math.sqrt(8.0 * math.log(actions) / spread) if spread > 0.0 else 0.0
    total = 0.0
    for a in range(actions):
        k = s + np.uintp(a) * size
        weight = math.exp(step * (regret[k] - best))
        behaviour[k] = weight
        total += weight
    for a in range(actions):
        behaviour[s + np.uintp(a) * size] /= total
