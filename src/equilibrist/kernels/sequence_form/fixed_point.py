"""Fixed points of weighted deviations: stationary distributions of small Markov chains.

flow[a, b] is the rate from action a to action b. The fixed point is what a strategy tends to when
the mixture of deviations is applied to it again and again (the mean of what it passes), which is
unique even where the chain falls apart. Actions are eliminated one after another without a
subtraction, as Grassmann, Taksar and Heyman do it (Operations Research 33, 1985): small rates lose
no digits. `reference.efr.fixed_point` is the same in plain Python.
"""

from __future__ import annotations

from typing import NamedTuple

from equilibrist._jit import inner_kernel
from equilibrist.typing import FloatArray

HUGE = 1e100
"""Ratios beyond it are scaled down, before one overflows."""


class ChainScratch(NamedTuple):
    """Working memory for infosets of at most A actions."""

    flow: FloatArray  # [A, A], rates off the diagonal
    arrives: FloatArray  # [A], what ends up at each action; before, the strategy to start from
    leaves: FloatArray  # [A], the rate out of an eliminated action; 0 for those that stay
    measure: FloatArray  # [A]
    found: FloatArray  # [A], the fixed point


@inner_kernel
def eliminate(actions, scratch):
    """Eliminate actions, the last one first; one from which nothing leads away stays."""
    flow, arrives, leaves = scratch.flow, scratch.arrives, scratch.leaves
    for a in range(actions):
        leaves[a] = 0.0
    for back in range(actions):
        k = actions - 1 - back
        total = 0.0
        for b in range(actions):
            if b < k or (b > k and leaves[b] == 0.0):
                total += flow[k, b]
        if total <= 0.0:
            continue
        leaves[k] = total
        for b in range(actions):
            if b < k or (b > k and leaves[b] == 0.0):
                share = flow[k, b] / total
                arrives[b] += arrives[k] * share
                for a in range(actions):
                    if a != b and (a < k or (a > k and leaves[a] == 0.0)):
                        flow[a, b] += flow[a, k] * share
        arrives[k] = 0.0


@inner_kernel
def fixed_point(actions, scratch):
    """Find the fixed point of scratch.flow from scratch.arrives; both are used up."""
    flow, arrives, leaves = scratch.flow, scratch.arrives, scratch.leaves
    measure, found = scratch.measure, scratch.found
    eliminate(actions, scratch)
    for a in range(actions):
        found[a] = 0.0
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
                        inflow += measure[a] * flow[a, k]
                measure[k] = inflow / leaves[k]
                if measure[k] > HUGE:
                    scale = measure[k]
                    for a in range(actions):
                        measure[a] /= scale
                    measure[k] = 1.0
        total = 0.0
        for a in range(actions):
            total += measure[a]
        for a in range(actions):
            found[a] += arrives[root] * measure[a] / total
        whole += arrives[root]
    for a in range(actions):
        found[a] /= whole
