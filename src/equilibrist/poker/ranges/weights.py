"""Weights of ranges as a solver in 32 bits can tell them apart; only their ratios matter to it."""

from __future__ import annotations

from math import frexp
from typing import Final

import numpy as np

from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.typing import FloatArray

TRACE: Final = 1e-30
"""Of the largest weight of a range: hands below it count as not held."""
LEAST: Final = 1e-100
"""The smallest that the largest weight of a range may be, so that products of both are numbers."""
LEAST_SHARE: Final = 1e-5
"""The least share of two hands that can meet: in 32 bits the sums over fewer are lost."""


def without_traces(weights: FloatArray) -> FloatArray:
    """The weights, 0 for hands that no figure would notice."""
    return np.where(weights < TRACE * weights.max(initial=0.0), 0.0, weights)


def exponent(weights: FloatArray) -> int:
    """The power of two by which the largest weight is divided to lie above 1/2, up to 1."""
    fraction, power = frexp(float(weights.max(initial=0.0)))
    return power - (fraction == 0.5)


def share_that_meets(oop: FloatArray, ip: FloatArray) -> float:
    """Of all pairs of hands, by weight, those that share no card; two float64[1326]."""
    (first, first_weights), (second, second_weights) = (
        (COMBO_MASKS[held], weights[held] / weights.sum())
        for weights, held in ((oop, oop > 0), (ip, ip > 0))
    )
    return float(first_weights @ (first[:, None] & second == 0) @ second_weights)
