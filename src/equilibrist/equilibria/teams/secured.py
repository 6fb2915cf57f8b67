"""What a search for the best mixture of a team ends with."""

from __future__ import annotations

from typing import NamedTuple

from equilibrist.typing import BoolArray, FloatArray

TOLERANCE = 1e-7
"""A search ends when no joint plan earns more than this share of what play meets more."""
DROPPED = 1e-9
"""Weights in mixtures up to this are rounding."""


class Secured(NamedTuple):
    """The mixtures of both sides, and the bounds between which the team value lies.

    `met` is the largest payoff times the probability with which play meets it.
    `weights[k]` is that of the joint plan `plans[k]`, bool[Q]. `answers` are the weights and
    strategies of the other side, float64[Q], of which only their own infosets count.
    """

    met: float
    value: float
    bound: float
    weights: FloatArray
    plans: list[BoolArray]
    answers: list[tuple[float, FloatArray]]
    columns: int
    iterations: int
    proofs: int
