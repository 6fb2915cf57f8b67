"""Magnetic mirror descent with dilated entropy, towards quantal response equilibria.

Sokota, D'Orazio, Kolter, Loizou, Lanctot, Mitliagkas, Brown and Kroer, A Unified Approach to
Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games, ICLR 2023, with
uniform play as the magnet. The step over whole plans splits into one per infoset, deepest first:

    z(a) = (ln sigma(a) + step * value(a)) / (1 + step * alpha),   sigma <- softmax(z),

and what an infoset adds to the value of the sequence above it is (1 + step * alpha) / step times
the logarithm of the sum of exp(z).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from equilibrist.kernels.sequence_form.local_steps import DECAY, ITERATION, OWN, WEIGHT
from equilibrist.typing import FloatArray


class MagneticMemory(NamedTuple):
    """What the step of an infoset reads besides values."""

    logit: FloatArray  # float64[S]: ln sigma
    largest: FloatArray  # [1]: the greatest payoff times chance of a pair of sequences


def learn_by_magnet(
    memory, arrays, group, row, _regret, behaviour, strategy_sum, reach, value, out_value, _total
):
    """One step of a group; out_value[i] is what infoset i adds above, and sums the last play.

    `memory` is a MagneticMemory; `kernels.full_traversals.run` describes the other arrays.
    """
    logit = memory.logit
    alpha = row[OWN]
    step = row[OWN + 1] * alpha / memory.largest[0] ** 2
    shrink = 1.0 / (1.0 + step * alpha)
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    for i in range(size):
        s = first + np.uintp(i)
        best = -math.inf
        for a in range(actions):
            k = s + np.uintp(a) * size
            strategy_sum[k] = row[DECAY] * strategy_sum[k] + row[WEIGHT] * reach[k]
            before = -math.log(actions) if row[ITERATION] == 1.0 else logit[k]
            logit[k] = (before + step * value[k]) * shrink
            best = max(best, logit[k])
        total = 0.0
        for a in range(actions):
            total += math.exp(logit[s + np.uintp(a) * size] - best)
        whole = best + math.log(total)
        for a in range(actions):
            k = s + np.uintp(a) * size
            logit[k] -= whole
            behaviour[k] = math.exp(logit[k])
        out_value[np.uintp(i)] = whole / (shrink * step)
