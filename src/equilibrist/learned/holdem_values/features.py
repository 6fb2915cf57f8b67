"""What a network reads of a situation, and how its outputs become values of hands.

A network reads both ranges at the knots of the grid of the board (`hand_grid`), and the ratio of
stack to pot. Its outputs are, at each knot and for each player, by how much a match-up (two hands
that share no card) is worth more than if nobody bets any more. A hand's value is then

    value(h) = check_down(h) + met(h) * output interpolated at h - surplus * met(h)

where met(h) is the share of the opponent's range that h does not block, check_down(h) is exact, and
the surplus makes the means of both players' values opposite. Features and values are the same for
suit images of a situation: no row need be repeated with other suits.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.holdem_values.hand_grid import GRID_SIZES, BoardHands, times
from equilibrist.learned.network import Float32Array
from equilibrist.typing import FloatArray

FEATURES: Final = "holdem-equity-grid/1"
"""Name and version of the features."""
_RATIOS: Final = np.log([0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0])
"""Knots of the logarithm of stack / pot."""


def num_outputs(street: str) -> int:
    """Outputs of a network of a street: the knots of OOP, then those of IP."""
    equities, spreads = GRID_SIZES[street]
    return 2 * equities * spreads


def num_inputs(street: str) -> int:
    """Inputs of a network of a street."""
    return 3 * num_outputs(street) + num_outputs(street) // 2 + len(_RATIOS)


def network_inputs(board: BoardHands, ranges: Float32Array, ratio: NDArray[Any]) -> Float32Array:
    """What a network reads of n situations on one board.

    Args:
        board: The board.
        ranges: float32[n, 2, H]: both players' weights, each with sum 1.
        ratio: float[n]: stack / pot.

    Returns:
        float32[n, F]: at the knots of OOP, then of IP, the weight of match-ups (which is what the
        mean of the outputs is taken over), the root of the weight of hands, and the weight up to
        an equity; at the knots the number of hands of the board; and where the ratio is.
    """
    count, grid = len(ranges), board.interpolation
    met = board.unblocked(ranges[:, ::-1])
    matched, weight = times(np.stack((ranges * met, ranges)), grid)
    equities, spreads = GRID_SIZES[board.street]
    below = weight.reshape(count, 2, spreads, equities).cumsum(axis=-1)
    hands = board.hands_at_knots
    parts = (
        matched.reshape(count, -1),
        np.sqrt(np.maximum(weight, 0.0)).reshape(count, -1),
        below.reshape(count, -1),
        np.broadcast_to(hands, (count, len(hands))),
        ratio_inputs(ratio),
    )
    return np.concatenate(parts, axis=1, dtype=np.float32)


def ratio_inputs(ratio: NDArray[Any]) -> FloatArray:
    """float64[n, 10]: where ratios of stack to pot are between the knots, the last inputs."""
    at = np.interp(np.log(np.maximum(ratio, 1e-9)), _RATIOS, np.arange(len(_RATIOS)))
    return np.asarray(np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(len(_RATIOS)))))


def hand_values(
    board: BoardHands,
    ranges: Float32Array,
    outputs: Float32Array,
    check_down: Float32Array | None = None,
) -> Float32Array:
    """The values of all hands of n situations on one board.

    Args:
        board: The board.
        ranges: float32[n, 2, H]: both players' weights, each with sum 1.
        outputs: float32[n, 2 * G]: what the network says.
        check_down: float32[n, 2, H]: the values if nobody bets; None to compute them.

    Returns:
        float32[n, 2, H]: counterfactual values in pots per unit of the opponent's range; the means
        of both players over their ranges are opposite to rounding.
    """
    opponents = ranges[:, ::-1]
    met = board.unblocked(opponents)
    if check_down is None:
        check_down = -times(opponents, board.check_down)  # it is antisymmetric
    knots = outputs.reshape(len(ranges), 2, -1)
    values = check_down + met * times(knots, board.interpolation.T)
    mass = (ranges.astype(np.float64) * met).sum(axis=(1, 2), keepdims=True)
    surplus = (ranges.astype(np.float64) * values).sum(axis=(1, 2), keepdims=True)
    return np.asarray(values - surplus / np.maximum(mass, 1e-30) * met, np.float32)


def knot_targets(
    board: BoardHands, ranges: Float32Array, values: Float32Array, check_down: Float32Array
) -> tuple[Float32Array, NDArray[np.bool_]]:
    """The outputs whose interpolation is nearest to the values of one situation.

    Least squares over all hands whose values are known, each of which counts once. The result is
    what an ideal network would say, and what it misses is the error of the grid.

    Args:
        board: The board.
        ranges: float32[2, H].
        values: float32[2, H]; NaN where they are not known.
        check_down: float32[2, H].

    Returns:
        float32[2 * G], and bool[2 * G]: the knots near which there are hands.
    """
    met = board.unblocked(ranges[::-1])
    knots = board.interpolation.shape[1]
    targets = np.zeros((2, knots), np.float32)
    held = np.zeros((2, knots), np.bool_)
    for player in (0, 1):
        known = np.isfinite(values[player])
        matrix = (board.interpolation * met[player][:, None])[known]
        normal = (matrix.T @ matrix).astype(np.float64)
        support = np.diagonal(normal)
        held[player] = support > _LEAST_SUPPORT
        # The ridge bounds knots that few hands are near; it moves the others by parts of 1,000.
        ridge = normal + np.diag(np.full(knots, _RIDGE))
        right = matrix.T @ (values[player] - check_down[player])[known]
        targets[player] = np.linalg.solve(ridge, right.astype(np.float64))
    return targets.ravel(), held.ravel()


_RIDGE: Final = 0.01
_LEAST_SUPPORT: Final = 0.25
"""The squared interpolation weights of the hands near a knot from which on it is trained."""
