"""The local update of optimistic mirror descent in the Euclidean geometry of the simplex.

Rakhlin and Sridharan, Optimization, Learning, and Games with Predictable Sequences, NIPS 2013;
at every infoset on its own: Farina, Kroer and Sandholm, Optimistic Regret Minimization for
Extensive-Form Games via Dilated Distance-Generating Functions, NeurIPS 2019.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.sequence_form.local_steps import ITERATION, OWN
from equilibrist.typing import FloatArray


class MirrorMemory(NamedTuple):
    """float64[S] each; what belongs to an infoset stands at its first action."""

    centre: FloatArray  # z, where the steps are made from
    previous: FloatArray  # r of the iteration before
    surprise: FloatArray  # sum of |r - previous r|^2


@inner_kernel
def project(s, size, actions, point):
    """Replace the numbers at s, s + size, ... by the nearest distribution.

    Michelot, J. Optim. Theory Appl. 50, 1986: subtract what makes the sum 1 and drop what falls
    below zero, until nothing does.
    """
    best = point[s]
    for a in range(actions):
        best = max(best, point[s + np.uintp(a) * size])
    for a in range(actions):
        point[s + np.uintp(a) * size] -= best  # so that 1 is not lost beside large numbers
    threshold, left = -math.inf, actions + np.uintp(1)
    while True:
        total, count = -1.0, np.uintp(0)
        for a in range(actions):
            x = point[s + np.uintp(a) * size]
            if x > threshold:
                total += x
                count += np.uintp(1)
        if count >= left or count == 0:  # more by rounding; none after an overflow
            break
        left, threshold = count, total / count
    for a in range(actions):
        k = s + np.uintp(a) * size
        point[k] = max(point[k] - threshold, 0.0)


def learn_by_descent(memory, s, size, actions, row, regret, instant, behaviour):
    """Z <- P(z + step * r); sigma <- P(z + step * r); P: the nearest distribution.

    step = eta / sqrt(surprise). The infoset's actions stand at s, s + size, ...; row[OWN] is eta.
    """
    surprise, at_stake = memory.surprise[s], 0.0
    for a in range(actions):
        k = s + np.uintp(a) * size
        if row[ITERATION] == 1.0:
            memory.centre[k] = 1.0 / actions
        regret[k] += instant[k]
        surprise += (instant[k] - memory.previous[k]) ** 2
        at_stake += abs(instant[k])
        memory.previous[k] = instant[k]
    memory.surprise[s] = surprise
    # Where nothing was at stake nothing is projected either, which would blur exact zeros.
    moves = at_stake > 0.0 and surprise > 0.0
    step = row[OWN] / math.sqrt(surprise) if moves else 0.0
    if moves:
        for a in range(actions):
            k = s + np.uintp(a) * size
            memory.centre[k] += step * instant[k]
        project(s, size, actions, memory.centre)
    for a in range(actions):
        k = s + np.uintp(a) * size
        behaviour[k] = memory.centre[k] + step * instant[k]
    if moves:
        project(s, size, actions, behaviour)
