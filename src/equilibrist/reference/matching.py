"""Regret matching: play actions in proportion to their positive regrets.

Hart and Mas-Colell, Econometrica 2000. After T rounds with payoffs in a range of width Delta and
A actions, the total regret of regret matching is at most Delta * sqrt(A * T), whatever the
others do; so the average regret tends to zero.
"""

from __future__ import annotations

from collections.abc import Sequence


def regret_matching(regrets: Sequence[float]) -> list[float]:
    """The strategy in proportion to the positive parts; uniform where there are none.

    >>> regret_matching([0.0, 2.0, 1.0])
    [0.0, 0.6666666666666666, 0.3333333333333333]
    >>> regret_matching([-1.0, -3.0])
    [0.5, 0.5]

    Args:
        regrets: One number per action.

    Returns:
        One probability per action.
    """
    positive = [max(x, 0.0) for x in regrets]
    total = 0.0
    for x in positive:
        total += x
    if total <= 0.0:
        return [1.0 / len(positive)] * len(positive)
    return [x / total for x in positive]


def instant_regrets(values: Sequence[float], strategy: Sequence[float]) -> list[float]:
    """How much more each action was worth than the strategy as a whole.

    I played rock, the other paper (win 1, lose -1; my rock, scissors and paper would have earned
    -1, 1 and 0):

    >>> instant_regrets([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    [0.0, 2.0, 1.0]

    Args:
        values: What each action was worth.
        strategy: The probability of each action; for a single action that was played, 1 there and 0
            elsewhere.

    Returns:
        One number per action.
    """
    expected = mean(strategy, values)
    return [v - expected for v in values]


def mean(weights: Sequence[float], values: Sequence[float]) -> float:
    """The sum of weight * value, added from left to right.

    The built-in `sum` rounds differently from Python 3.12 on. After some hundred iterations
    such differences reach the third digit of a figure, and published figures were summed plainly.

    Args:
        weights: The weights.
        values: As many values.

    Returns:
        The sum.
    """
    total = 0.0
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total
