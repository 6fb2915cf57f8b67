"""Weights of ranges as a solver in 32 bits can tell them apart; only their ratios matter to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.combos import COMBO_MASKS
from equilibrist.poker.ranges import Range
from equilibrist.poker.spot_keys import SEATS
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


def refuse_ranges(board: str, given: Sequence[Range], left: Sequence[Range]) -> None:
    """Raise ConfigError for ranges that cannot be played, as given and as the board leaves them."""
    for seat, whole, held in zip(SEATS, given, left, strict=True):
        if not whole:
            raise ConfigError(f"{seat} has no hands; give a range, such as '88+,AJs+'")
        if not held:
            raise ConfigError(
                f"{seat} has no hands without the cards of the board {board}; add hands"
            )
        if (most := float(held.weights.max())) < LEAST:
            raise ConfigError(
                f"{seat}: the largest weight is {most:.3g}; give weights relative to 1"
            )
    share = share_that_meets(*(each.weights for each in left))
    if not share:
        raise ConfigError(
            "oop and ip leave no deal: every hand of one shares a card with every hand of the "
            f"other on {board}; add hands to one of them"
        )
    if share < LEAST_SHARE:
        raise ConfigError(
            f"oop and ip leave next to no deal: by weight, all but {share:.1g} of the pairs of "
            f"their hands share a card on {board}; give hands that can meet more weight"
        )
