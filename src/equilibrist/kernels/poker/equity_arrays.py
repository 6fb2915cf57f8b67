"""The arrays of two ranges whose equity is calculated, for kernels and NumPy."""

from __future__ import annotations

from typing import NamedTuple

from equilibrist.typing import FloatArray, UInt64Array

ALL = 52
"""The index of the sum over all cards, after those of the 52 cards."""


class Hands(NamedTuple):
    """The hands of both players, and their results on the boards so far."""

    first: UInt64Array  # [n]: the cards, as uintp
    second: UInt64Array  # [n]
    weight: FloatArray  # [2, n]: of the hand in each player's range
    won: FloatArray  # [2, n]: the weight that the hand beats, half of what it ties with
    met: FloatArray  # [2, n]: the weight of the other player's hands that it meets
