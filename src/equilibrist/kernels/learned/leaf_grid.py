"""Ranges on the knots of hand grids, and values of knots at hands, for all leaves of a street.

A leaf is a line (L of them) with a next card (B). The hands of both players stand one after
another: those of OOP from first[0] = 0 on, those of IP from first[1] on, N = first[2] in all; knots
likewise, OOP's from knots[0] = 0 on, D = knots[2] in all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist._jit import uncounted_kernel
from equilibrist.typing import BoolArray, FloatArray, Int64Array, UInt8Array

CORNERS = 4
"""The knots around a hand; on a grid without spreads the last two have no share."""


class LeafGrid(NamedTuple):
    """The hands of a street on the grids of its next cards."""

    first: Int64Array  # int64[3]: where the hands of each player begin
    cards: UInt8Array  # uint8[2, N]: both cards of each hand
    same: Int64Array  # int64[N]: the other player's hand of the same cards; -1 without one
    root: FloatArray  # float64[N]: the weight when the street began
    free: BoolArray  # bool[B, N]: hands that the next card leaves
    knots: Int64Array  # int64[3]: where the knots of each player begin
    starts: BoolArray  # bool[D]: the first knot of a spread
    corner: NDArray[np.uint16]  # uint16[B, N, CORNERS]: knots around each hand
    share: NDArray[np.float32]  # float32[B, N, CORNERS]: and their shares


@uncounted_kernel
def ranges_on_grid(
    grid,  # LeafGrid
    reach,  # float64[L, N]: both players' weights
    player,  # whose values are wanted
    inputs,  # float32[L, B, 3 * D], written: weights of match-ups, roots of weights, sums of them
    met,  # float64[L, B, n], written: the weight that each hand of the player meets
    weight,  # float64[2, N]: scratch
    by_card,  # float64[2, 52]: scratch
    at_knots,  # float64[2, D]: scratch
):
    """Share both ranges at every leaf among the knots of its grid.

    Where no hand of a player comes, the range of the root stands in; if it is the opponent's, the
    hands of `player` meet nobody.
    """
    lines, cards = inputs.shape[0], inputs.shape[1]
    depth = np.uintp(grid.knots[2])
    own = np.uintp(grid.first[player])
    for line in range(lines):
        for card in range(cards):
            opponents = 0.0
            for who in range(2):
                begin, end = np.uintp(grid.first[who]), np.uintp(grid.first[who + 1])
                total = 0.0
                for hand in range(begin, end):
                    weight[who, hand] = reach[line, hand] if grid.free[card, hand] else 0.0
                    total += weight[who, hand]
                if who != player:
                    opponents = total
                if not total > 0.0:
                    total = 0.0
                    for hand in range(begin, end):
                        weight[who, hand] = grid.root[hand] if grid.free[card, hand] else 0.0
                        total += weight[who, hand]
                scale = 1.0 / total if total > 0.0 else 0.0
                by_card[who, :] = 0.0
                for hand in range(begin, end):
                    weight[who, hand] *= scale
                    by_card[who, grid.cards[0, hand]] += weight[who, hand]
                    by_card[who, grid.cards[1, hand]] += weight[who, hand]
            at_knots[:, :] = 0.0
            for who in range(2):
                other = 1 - who
                begin, end = np.uintp(grid.first[who]), np.uintp(grid.first[who + 1])
                for hand in range(begin, end):
                    if not grid.free[card, hand]:
                        if who == player:
                            met[line, card, hand - own] = 0.0
                        continue
                    # Inclusion-exclusion: the hand of the same cards was taken off once per card.
                    left = 1.0 - by_card[other, grid.cards[0, hand]]
                    left -= by_card[other, grid.cards[1, hand]]
                    if grid.same[hand] >= 0:
                        left += weight[other, grid.same[hand]]
                    left = max(left, 0.0)
                    if who == player:
                        met[line, card, hand - own] = left * opponents
                    own_weight = weight[who, hand]
                    if own_weight > 0.0:
                        for number in range(CORNERS):
                            knot = grid.corner[card, hand, number]
                            part = own_weight * grid.share[card, hand, number]
                            at_knots[0, knot] += part * left
                            at_knots[1, knot] += part
            below = 0.0
            for knot in range(depth):
                if grid.starts[knot]:
                    below = 0.0
                below += at_knots[1, knot]
                inputs[line, card, knot] = at_knots[0, knot]
                inputs[line, card, depth + knot] = np.sqrt(at_knots[1, knot])
                inputs[line, card, 2 * depth + knot] = below


@uncounted_kernel
def values_at_hands(
    grid,  # LeafGrid
    player,  # whose values are wanted
    inputs,  # float32[L, B, 3 * D], as `ranges_on_grid` wrote them
    outputs,  # float32[L, B, D]: what a match-up is worth at each knot
    met,  # float64[L, B, n], as `ranges_on_grid` wrote it; becomes the values
):
    """Interpolate outputs at the hands of a player, less what both players' add up to."""
    lines, cards = inputs.shape[0], inputs.shape[1]
    depth = np.uintp(grid.knots[2])
    begin = np.uintp(grid.first[player])
    count = np.uintp(met.shape[2])
    for line in range(lines):
        for card in range(cards):
            mass, surplus = 0.0, 0.0
            for knot in range(depth):
                matched = np.float64(inputs[line, card, knot])
                mass += matched
                surplus += matched * outputs[line, card, knot]
            surplus /= max(mass, 1e-30)
            for hand in range(count):
                if met[line, card, hand] != 0.0:
                    value = -surplus
                    for number in range(CORNERS):
                        knot = grid.corner[card, begin + hand, number]
                        value += grid.share[card, begin + hand, number] * outputs[line, card, knot]
                    met[line, card, hand] *= value
