"""Steps of local rules, Hedge and APCFR+, and the columns of their tables."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from equilibrist.typing import FloatArray

DECAY, WEIGHT, ITERATION, OWN = range(4)
"""Columns of the table of a local rule: those that all have, and where its own begin."""


class AdaptiveMemory(NamedTuple):
    """float64[S] each; sums over time stand at the first action of their infoset."""

    previous: FloatArray  # r of the iteration before
    surprise: FloatArray  # sum of |r - previous r|^2
    movement: FloatArray  # sum of |new R - old R|^2


def learn_adaptively(memory, s, size, actions, row, regret, instant, behaviour):
    """R <- max(R + r, 0); sigma <- RM(R + r / (1 + a)), a = min(sqrt(surprise / movement), cap).

    The infoset's actions stand at s, s + size, ...; row[OWN] is the cap.
    """
    surprise, movement = memory.surprise[s], memory.movement[s]
    for a in range(actions):
        k = s + np.uintp(a) * size
        r, old = instant[k], regret[k]
        new = max(old + r, 0.0)
        regret[k] = new
        surprise += (r - memory.previous[k]) ** 2
        movement += (new - old) ** 2
        memory.previous[k] = r
    memory.surprise[s], memory.movement[s] = surprise, movement
    # Regrets that never moved were never anything but zero, and so were the instantaneous ones.
    asymmetry = min(math.sqrt(surprise / movement), row[OWN]) if movement > 0.0 else 0.0
    step = 1.0 / (1.0 + asymmetry)
    total = 0.0
    for a in range(actions):
        k = s + np.uintp(a) * size
        expected = max(regret[k] + step * instant[k], 0.0)
        behaviour[k] = expected
        total += expected
    for a in range(actions):
        k = s + np.uintp(a) * size
        behaviour[k] = 1.0 / actions if total <= 0.0 else behaviour[k] / total


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
