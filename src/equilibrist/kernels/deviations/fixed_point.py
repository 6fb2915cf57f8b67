"""Fixed points of weighted deviations: stationary distributions of small Markov chains.

rate[a, b] is the weight of playing b where a is recommended. Where the chain falls apart, so that
there are several fixed points, the one of least Euclidean norm is taken. Actions are eliminated one
after another without a subtraction, as Grassmann, Taksar and Heyman do it (Operations Research 33,
1985): small rates lose no digits. `reference.efr.fixed_point` is the same in plain Python.
"""

from __future__ import annotations

from typing import NamedTuple

from equilibrist._jit import inner_kernel
from equilibrist.typing import FloatArray

NEGLIGIBLE = 1e-12
"""The share of all rates of an infoset below which one is taken for rounding."""
HUGE = 1e100
"""Ratios beyond it are scaled down, before one overflows."""
TINY = 1e-100
"""Products of rates below it may have lost digits."""


class ChainScratch(NamedTuple):
    """Working memory for infosets of at most A actions."""

    rate: FloatArray  # [A, A]; the diagonal is not read
    leaves: FloatArray  # [A], the rate out of an eliminated action; 0 for those that stay
    measure: FloatArray  # [A]
    point: FloatArray  # [A], the fixed point


@inner_kernel
def without_rounding(actions, rate):
    """Set negligible rates to zero."""
    total = 0.0
    for a in range(actions):
        for b in range(actions):
            if a != b:
                total += rate[a, b]
    for a in range(actions):
        for b in range(actions):
            if not rate[a, b] > NEGLIGIBLE * total:
                rate[a, b] = 0.0


@inner_kernel
def eliminate(actions, scratch):
    """Eliminate actions, the last one first; one from which nothing leads away stays."""
    rate, leaves = scratch.rate, scratch.leaves
    for a in range(actions):
        leaves[a] = 0.0
    for back in range(actions):
        k = actions - 1 - back
        total = 0.0
        for b in range(actions):
            if b < k or (b > k and leaves[b] == 0.0):
                total += rate[k, b]
        if not total > 0.0:
            continue
        leaves[k] = total
        for b in range(actions):
            if b < k or (b > k and leaves[b] == 0.0):
                share = rate[k, b] / total
                for a in range(actions):
                    if a != b and (a < k or (a > k and leaves[a] == 0.0)):
                        rate[a, b] += rate[a, k] * share


@inner_kernel
def fixed_point(actions, scratch):
    """Find the fixed point of the chain with the rates scratch.rate, which are used up."""
    rate, leaves = scratch.rate, scratch.leaves
    measure, point = scratch.measure, scratch.point
    eliminate(actions, scratch)
    for a in range(actions):
        point[a] = 0.0
    whole = 0.0
    for root in range(actions):
        if leaves[root] > 0.0:
            continue
        for a in range(actions):
            measure[a] = 0.0
        measure[root] = 1.0
        for k in range(actions):  # the last one eliminated first
            if leaves[k] > 0.0:
                inflow = 0.0
                for a in range(actions):
                    if a < k or (a > k and leaves[a] == 0.0):
                        inflow += measure[a] * rate[a, k]
                measure[k] = inflow / leaves[k]
                if measure[k] > HUGE:
                    for a in range(actions):
                        if a != k:
                            measure[a] /= measure[k]
                    measure[k] = 1.0
        total = squares = 0.0
        for a in range(actions):
            total += measure[a]
            squares += measure[a] * measure[a]
        # As a distribution its squared norm is squares / total^2: least with shares inverse to it.
        share = total / squares
        for a in range(actions):
            point[a] += share * measure[a]
        whole += share * total
    for a in range(actions):
        point[a] /= whole
