"""ESCHER's sampling: a fixed way to explore, exact history values, no importance weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.baselines import value_of_children
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE
from equilibrist.kernels.traversal.steps import advance_to_own_decision, child, start
from equilibrist.kernels.traversal.visits import Stochastic
from equilibrist.kernels.tree.nodes import CHILDREN, FIRST


class EscherSetup(NamedTuple):
    """Parameters and scratch space of the sampler."""

    weight: float  # what a visit adds to the strategy sum; 0 adds nothing
    value: Any  # float64[N]


@inner_kernel
def end_below(tree, node):
    """One past the last node below `node`: blocks of siblings are numbered depth-first."""
    while tree.node[node, CHILDREN] > 0:
        last = np.uintp(tree.node[node, CHILDREN]) - np.uintp(1)
        node = np.uintp(tree.node[node, FIRST]) + last
    return np.uintp(tree.node[node, FIRST])  # where the next block begins


@inner_kernel
def value_below(tree, node, traverser, regret, out_value):
    """Write the traverser's exact values of a node and all below to out_value: how many below."""
    first = np.uintp(tree.node[node, FIRST])
    end = end_below(tree, node)
    below = end
    while below > first:
        below -= np.uintp(1)
        out_value[below] = value_of_children(tree, below, traverser, regret, out_value)
    out_value[node] = value_of_children(tree, node, traverser, regret, out_value)
    return end - first


@inner_kernel
def escher_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited or valued.

    McAleer, Farina, Lanctot, Sandholm, ESCHER (ICLR 2023), with exact values: those of all nodes
    below the traverser's first decision, where the only draws so far are chance's and the others'.
    """
    value = setup.value
    touched = 0
    valued = False
    node = start(play)
    while True:
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, Stochastic(), node, traverser, setup.weight, state, 0
        )
        touched += steps
        if ended != DECISION:
            return DONE, state, touched
        if not valued:
            touched += np.int64(value_below(play.tree, node, traverser, play.regret, value))
            valued = True
        state = advance(state)
        for a in range(actions):
            k = np.uintp(a)
            play.regret[base + k] += value[child(play, node, k)] - value[node]
        drawn = np.uintp(uniform(state) * actions)
        node = child(play, node, min(drawn, actions - np.uintp(1)))


escher_sampling = sampling_kernel(escher_traversal, "escher_sampling")
