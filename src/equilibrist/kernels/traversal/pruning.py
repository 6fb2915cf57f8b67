"""Regret-based pruning: which actions a traversal skips, and the update without them.

An action is poor if its regret is below a bound, it is not played now, and it goes on: there are
histories of its infoset in which it does not end the game. Most traversals skip poor actions. In
the others all that is found from a poor action down counts LIFT times, so that pruning changes
nothing on average.

Brown and Sandholm, Superhuman AI for multiplayer poker (Science 2019), supplement: the share of
full traversals, and the floor under the regrets. There nothing is lifted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform

FULL = 0.05
"""The probability that a traversal skips nothing."""
LIFT = 1.0 / FULL
LOWEST = 31.0 / 30.0
"""Regrets are kept from falling further below zero than this many times the threshold."""


class Pruning(NamedTuple):
    """What is skipped: D levels, A actions at most. None stands for no pruning."""

    bound: float  # regrets below it are pruned
    floor: float  # regrets fall no lower
    goes_on: Any  # bool[Q]: the action does not end the game, or not always; None without a tree
    lifts: Any  # float64[D], scratch: how often what is found at each saved decision counts
    poor: Any  # bool[D * A], scratch: one row per saved decision


@inner_kernel
def draw_skipping(pruning, state):
    """Whether a traversal skips poor actions, with probability 1 - FULL; and the random state."""
    state = advance(state)
    return uniform(state) >= FULL, state


@inner_kernel
def skip_nothing(pruning, state):
    """Without pruning no traversal skips actions; the random state is not advanced."""
    return False, state


begin_pruning = chosen_by_type({Pruning: draw_skipping, type(None): skip_nothing})
"""Whether a traversal skips poor actions, and the random state."""


@inner_kernel
def keep_lift(pruning, level, lift):
    """Note how often what is found at a saved decision counts."""
    pruning.lifts[level] = lift


@inner_kernel
def keep_nothing(pruning, level, lift):
    """Without pruning everything counts once: note nothing."""


note_lift = chosen_by_type({Pruning: keep_lift, type(None): keep_nothing})
"""Take note of how often what is found at a decision counts."""


@inner_kernel
def next_not_poor(pruning, row, actions, a, skipping):
    """The first action from `a` on that is not skipped for being poor; `actions` if none is."""
    poor = pruning.poor
    while skipping and a < actions and poor[row + a]:
        a += np.uintp(1)
    return a


@inner_kernel
def next_of_all(pruning, row, actions, a, skipping):
    """Without pruning the next action is `a`."""
    return a


next_walked = chosen_by_type({Pruning: next_not_poor, type(None): next_of_all})
"""The first action from `a` on that is not skipped; `actions` if there is none."""


@inner_kernel
def lift_if_poor(pruning, level, row, a):
    """Below a poor action all counts LIFT times, else as often as at the decision."""
    return LIFT if pruning.poor[row + a] else pruning.lifts[level]


@inner_kernel
def lift_nothing(pruning, level, row, a):
    """Without pruning everything counts once."""
    return 1.0


lift_below = chosen_by_type({Pruning: lift_if_poor, type(None): lift_nothing})
"""How often what is found below an action of a saved decision counts."""


@inner_kernel
def kept_lift(pruning, level):
    """How often what is found at a saved decision counts, as it was noted."""
    return pruning.lifts[level]


@inner_kernel
def no_lift(pruning, level):
    """Without pruning what is found at a decision counts once."""
    return 1.0


lift_at = chosen_by_type({Pruning: kept_lift, type(None): no_lift})
"""How often what is found at a saved decision counts."""
