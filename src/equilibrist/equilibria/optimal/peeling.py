"""From probabilities of relevant pairs to a mixture of plans, one pair of plans after the other.

Plans of both players are built so that all their pairs have a positive probability. The least of
these probabilities is the weight of the plans; subtracted from all their pairs it leaves a mixture
again, with one pair fewer. So there are at most as many plans as pairs, and the mixture has exactly
the probabilities that it began with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.equilibria.optimal.relevant_pairs import RelevantPairs
from equilibrist.errors import EquilibristError
from equilibrist.tree.levels import Levels
from equilibrist.typing import BoolArray, FloatArray, Int64Array

ZERO = 1e-10
"""Probabilities up to this are what a linear programme leaves of 0."""
_DUST = 1e-16
"""What subtraction leaves of equal probabilities."""
LEFT_OVER = 1e-6
"""The most probability that rounding may leave undistributed."""
MOST_STEPS = 200_000
"""The most decisions that are tried for one pair of plans."""


class _Decision(NamedTuple):
    """An infoset with its pairs: actions [A], the other's relevant sequences [n], pairs [A, n]."""

    above: int
    actions: Int64Array
    partners: Int64Array
    pairs: Int64Array


def peel(pairs: RelevantPairs, x: FloatArray, zero: float = ZERO) -> tuple[FloatArray, FloatArray]:
    """Plans whose mixture gives relevant pairs their probabilities.

    Args:
        pairs: The pairs of a game without private chance.
        x: float64[X], their probabilities.
        zero: Probabilities up to this are zero.

    Returns:
        Weights, float64[K], and profiles of pure strategies, float64[K, Q] in public order.

    Raises:
        EquilibristError: They are not the probabilities of a mixture of plans.
    """
    tree = pairs.connections.sequences.tree
    decisions = _in_order(pairs)
    left = np.where(x > zero, x, 0.0)
    whole = pairs.number[-1, -1]
    weights: list[float] = []
    plans: list[BoolArray] = []
    while left[whole] > max(zero, _DUST):
        drawn = _plans(decisions, left, int(tree.action_offset[-1]))
        if drawn is None:
            break
        taken, played = drawn
        weight = float(left[taken].min())
        left[taken] -= weight
        left[left <= max(zero, _DUST)] = 0.0
        weights.append(weight)
        plans.append(played)
    if not weights or left[whole] > LEFT_OVER:
        raise EquilibristError(
            f"the optimum on relevant pairs of {tree.name} is no mixture of plans: "
            f"{left[whole]:g} of it is left over",
            option="method",
            given="pairs",
            expected="plans",
            remedy="use the method plans",
        )
    total = np.array(weights)
    return total / total.sum(), _strategies(pairs, np.array(plans))


def _in_order(pairs: RelevantPairs) -> list[_Decision]:
    """All infosets, those that come early in the game first."""
    sequences = pairs.connections.sequences
    tree = sequences.tree
    levels = Levels.of(tree)
    depth = np.full(tree.num_infosets, len(levels.bound))
    for level, (low, high) in enumerate(zip(levels.bound, levels.bound[1:], strict=False)):
        met = levels.infoset[low:high]
        np.minimum.at(depth, met[met >= 0], level)
    decisions = []
    for infoset in np.argsort(depth, kind="stable").tolist():
        span = tree.actions_of(infoset)
        actions = np.arange(span.start, span.stop)
        partners = np.array(pairs.partners[infoset], dtype=np.int64)
        first = int(tree.infoset_player[infoset]) == 0
        number = [
            [pairs.number[(a, s) if first else (s, a)] for s in pairs.partners[infoset]]
            for a in actions.tolist()
        ]
        above = int(sequences.above[infoset])
        decisions.append(_Decision(above, actions, partners, np.array(number, dtype=np.int64)))
    return decisions


def _plans(
    decisions: list[_Decision], left: FloatArray, size: int
) -> tuple[Int64Array, BoolArray] | None:
    """A plan of each player all of whose pairs are left: the pairs, and bool[Q + 1]; or None.

    Of the actions the one that leaves most is tried first, others where that leads nowhere.
    """
    played = np.zeros(size + 1, dtype=bool)
    played[-1] = True  # the empty sequence
    trail: list[tuple[int, list[int]]] = []  # decisions, and the actions not tried yet; taken last
    taken: list[Int64Array] = []
    position = steps = 0
    while position < len(decisions):
        decision = decisions[position]
        if decision.above >= 0 and not played[decision.above]:
            position += 1
            continue
        steps += 1
        if steps > MOST_STEPS:
            return None
        relevant = decision.pairs[:, played[decision.partners]]
        least = left[relevant].min(axis=1)
        options = [int(a) for a in np.argsort(least, kind="stable") if least[a] > 0.0]
        while not options:  # a dead end: try another action at the last decision
            if not trail:
                return None
            position, options = trail.pop()
            taken.pop()
            decision = decisions[position]
            played[decision.actions] = False
            relevant = decision.pairs[:, played[decision.partners]]
        a = options.pop()
        played[decision.actions[a]] = True
        taken.append(relevant[a])
        trail.append((position, options))
        position += 1
    return np.unique(np.concatenate([*taken, [_WHOLE]])), played


_WHOLE = 0
"""The number of the pair of empty sequences."""


def _strategies(pairs: RelevantPairs, played: BoolArray) -> FloatArray:
    """Pure strategies: plans, and the first action where they say nothing."""
    tree = pairs.connections.sequences.tree
    rows: FloatArray = played[:, :-1].astype(np.float64)
    first = tree.action_offset[:-1]
    rows[:, first] += np.add.reduceat(rows, first, axis=1) == 0.0
    return rows
