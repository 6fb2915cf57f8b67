"""Stand-ins for the functions of a rules module, replaced before compiling.

The functions named rule_* stand for the module's: `equilibrist.rules.binding` compiles a copy of a
kernel in which the module's own have taken their place.
"""

from __future__ import annotations

import numpy as np

CHANCE = -1
TERMINAL = -2


def rule_start(g, s):  # noqa: D103
    raise NotImplementedError


def rule_player(g, s):  # noqa: D103
    raise NotImplementedError


def rule_num_actions(g, s):  # noqa: D103
    raise NotImplementedError


def rule_apply(g, s, a):  # noqa: D103
    raise NotImplementedError


def rule_payoff(g, s, p):  # noqa: D103
    raise NotImplementedError


def rule_key(g, s, out):  # noqa: D103
    raise NotImplementedError


def rule_public_state(g, s, out):  # noqa: D103
    raise NotImplementedError


def nothing_public(g, s, out):  # noqa: ARG001 - takes what the module's own would
    """Write zeros as the public state, of rules that do not say what is public."""
    out[0] = np.uint64(0)
    out[1] = np.uint64(0)


def rule_outcome(g, s, u):
    """The chance outcome that a number u in [0, 1) picks."""
    raise NotImplementedError


def outcome_uniformly(g, s, u):
    """The chance outcome that a number u in [0, 1) picks, where all are equally likely."""
    count = rule_num_actions(g, s)
    return min(np.int64(u * count), np.int64(count - 1))


def outcome_by_probability(g, s, u):
    """The chance outcome that a number u in [0, 1) picks by the probabilities of the rules."""
    count = np.int64(rule_num_actions(g, s))
    below = 0.0
    possible = np.int64(0)
    for a in range(count):
        p = rule_probability(g, s, a)
        if p > 0.0:
            possible = np.int64(a)
            below += p
            if below > u:
                break
    return possible


def rule_probability(g, s, a):  # noqa: D103
    raise NotImplementedError
