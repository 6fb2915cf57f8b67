"""How far a profile is from a quantal response equilibrium, and from one of a trembling game."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from equilibrist.parsing.arguments import bad_argument, finite_number, real_number
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import FloatArray

Choice = Callable[[FloatArray], float]
"""The value of an infoset from the values of its actions."""


def quantal_gap(strategy: Strategy, alpha: float) -> float:
    """Sum what players could gain if their plans' entropy paid them `alpha` per unit.

    Each player earns their payoff plus alpha times the dilated entropy of their plan: the sum over
    own infosets of own reach times the entropy of the behaviour there. Their best responses in
    that game are softmax responses; the sum of the gains is 0 exactly at the quantal response
    equilibrium that `qre(alpha=...)` approaches.

    Args:
        strategy: A profile.
        alpha: Above 0, in payoff units.

    Returns:
        The sum of the gains, in payoff units.

    Raises:
        ConfigError: `alpha` is not above 0, or `strategy` is not a Strategy.
        RecallError: The game has imperfect recall.
    """
    if not finite_number("alpha", alpha) > 0.0:
        raise bad_argument("alpha", alpha, "a number above 0")
    sigma = checked_strategy(strategy).tree.sequence_form.to_engine(strategy.probabilities)

    def respond(values: FloatArray) -> float:
        best = float(values.max())  # taken out, so that no exponential overflows
        return best + alpha * float(np.log(np.exp((values - best) / alpha).sum()))

    def own(rows: FloatArray, values: FloatArray) -> float:
        played = rows > 0.0
        entropy = -float((rows[played] * np.log(rows[played])).sum())
        return float(rows @ values) + alpha * entropy

    return _gap(strategy, sigma, respond, own)


def trembling_gap(strategy: Strategy, epsilon: float) -> float:
    """Sum what players could gain if each action must be played with at least a probability.

    Args:
        strategy: A profile in which each action is.
        epsilon: That probability.

    Returns:
        The sum of the gains, in payoff units: NashConv of the game with trembles.

    Raises:
        ConfigError: `epsilon` is out of range, or `strategy` is not a Strategy.
        RecallError: The game has imperfect recall.
    """
    real_number("epsilon", epsilon, 0.0, 1.0)
    sigma = checked_strategy(strategy).tree.sequence_form.to_engine(strategy.probabilities)

    def respond(values: FloatArray) -> float:
        free = 1.0 - epsilon * len(values)
        return free * float(values.max()) + epsilon * float(values.sum())

    return _gap(strategy, sigma, respond, lambda rows, values: float(rows @ values))


def _gap(
    strategy: Strategy,
    sigma: FloatArray,
    respond: Choice,
    own: Callable[[FloatArray, FloatArray], float],
) -> float:
    from equilibrist.kernels.sequence_form.local_rules import push_values

    form = strategy.tree.sequence_form
    reach = form.reach(sigma)
    total = 0.0
    for player in range(form.num_players):
        value = form.scratch()
        push_values(form.arrays, player, reach, value)
        best = value.copy()
        for parent, actions in reversed(form.infosets_of(player)):  # infosets below come first
            value[parent] += own(sigma[actions], value[actions])
            best[parent] += respond(best[actions])
        root = int(form.arrays.sequence_offset[player])
        total += float(best[root] - value[root])
    return total
