"""Limits on the weights of ranges, whose ratios must be representable in float32."""

from __future__ import annotations

from math import frexp
from typing import Final

import numpy as np

from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.typing import FloatArray

_MIN_RELATIVE_WEIGHT: Final = 1e-30
"""Hands below this fraction of a range's largest weight count as not held."""
MIN_LARGEST_WEIGHT: Final = 1e-100
"""The smallest allowed value of a range's largest weight, so that products do not underflow."""
MIN_MEETING_SHARE: Final = 1e-5
"""The smallest share of pairs of hands, by weight, that share no card; smaller sums are lost in
float32."""


def drop_negligible(weights: FloatArray) -> FloatArray:
    """The weights, with 0 for hands that are too light to affect any result."""
    return np.where(weights < _MIN_RELATIVE_WEIGHT * weights.max(initial=0.0), 0.0, weights)


def to_digits(weights: FloatArray, digits: int = 4, least: float = 1e-9) -> FloatArray:
    """Weights as texts have them: to so many significant digits, however small they are.

    Args:
        weights: Numbers of at least 0.
        digits: Significant digits of each, whose error is at most half of the last one.
        least: Weights below this fraction of the largest are left out.

    Returns:
        The rounded weights; 0 where they were left out.
    """
    held = weights >= max(least * float(weights.max(initial=0.0)), np.finfo(np.float64).tiny)
    rounded = [float(f"{weight:.{digits - 1}e}") for weight in weights[held].tolist()]
    found = np.zeros(weights.shape)
    found[held] = rounded
    return found


def exponent(weights: FloatArray) -> int:
    """The power of two that scales the largest weight into (1/2, 1]."""
    fraction, power = frexp(float(weights.max(initial=0.0)))
    return power - (fraction == 0.5)


def share_that_meets(oop: FloatArray, ip: FloatArray) -> float:
    """The share of all pairs of hands, by weight, that share no card; both float64[1326]."""
    (first, first_weights), (second, second_weights) = (
        (COMBO_MASKS[held], weights[held] / weights.sum())
        for weights, held in ((oop, oop > 0), (ip, ip > 0))
    )
    return float(first_weights @ (first[:, None] & second == 0) @ second_weights)
