"""The hands of a board as points of a grid of strength, and what they win if all check.

A hand's equity is its mean share at showdowns against the other hands of the board, ties counting
half; its spread is the standard deviation of that share over the rivers to come, so that a draw and
a made hand of the same equity stand apart. Both are the same for suit images of a board. A grid has
a knot for some equities and spreads, and a hand lies between the four (on the river two) nearest:
what is known at the knots is interpolated at the hands, and weights of hands are shared among their
knots by the same numbers.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.learned.dense import dense
from equilibrist.kernels.learned.leaf_grid import CORNERS
from equilibrist.learned.network import Float32Array
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD, without_cards
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.typing import FloatArray, Int32Array

GRID_SIZES: Final[dict[str, tuple[int, int]]] = {"turn": (32, 5), "river": (64, 1)}
"""Knots of equity and of spread, by the street that begins."""
_MOST_SPREAD: Final = 0.4
"""The spread of the last knots; a hand with more counts as one with so much."""


class Corners(NamedTuple):
    """Where hands are on a grid: the knots around each, all four or with others of share 0."""

    knot: Int32Array  # int32[H, CORNERS]
    share: Float32Array  # float32[H, CORNERS]; each row sums to 1


class BoardHands:
    """The hands that a board of four or five cards leaves.

    Args:
        cards: The cards of the board.
    """

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards
        self.street = {4: "turn", 5: "river"}[len(cards)]
        self.hands: Int32Array = np.flatnonzero(without_cards(card_mask(cards))).astype(np.int32)
        """int32[H]: the combos, ascending."""

    @cached_property
    def equity_and_spread(self) -> tuple[FloatArray, FloatArray]:
        """float64[H] each: mean and standard deviation of the share over the rivers."""
        shares = np.stack([_shares(row) for row in self._strengths])[:, self.hands]
        blocked = np.isnan(shares)
        count = (~blocked).sum(axis=0)
        mean = np.where(blocked, 0.0, shares).sum(axis=0) / count
        squares = np.where(blocked, 0.0, (shares - mean) ** 2).sum(axis=0) / count
        return mean, np.sqrt(squares)

    @cached_property
    def corners(self) -> Corners:
        """The knots around each hand, and their shares of it."""
        equities, spreads = GRID_SIZES[self.street]
        equity, spread = self.equity_and_spread
        along, left = _between(equity, equities)
        across, low = _between(np.minimum(spread / _MOST_SPREAD, 1.0), spreads)
        knot = across[:, :, None] * equities + along[:, None, :]
        share = low[:, :, None] * left[:, None, :]
        return Corners(
            knot.reshape(len(equity), CORNERS).astype(np.int32),
            share.reshape(len(equity), CORNERS).astype(np.float32),
        )

    @cached_property
    def interpolation(self) -> Float32Array:
        """float32[H, G]: values at hands are this times values at knots; rows sum to 1."""
        equities, spreads = GRID_SIZES[self.street]
        matrix = np.zeros((len(self.hands), spreads * equities), np.float32)
        hands = np.arange(len(self.hands))
        for corner in range(CORNERS):  # two may be one knot, one of them without a share
            matrix[hands, self.corners.knot[:, corner]] += self.corners.share[:, corner]
        return matrix

    @cached_property
    def hands_at_knots(self) -> Float32Array:
        """float32[G]: how many hands the board has at each knot, relative to the mean."""
        return np.asarray(self.interpolation.mean(axis=0) * self.interpolation.shape[1])

    @cached_property
    def check_down(self) -> Float32Array:
        """float32[H, H]: what a hand wins of the pot, less one half, if nobody bets any more.

        0 for two hands that share a card. The other player's matrix is the same one.
        """
        strength = self._strengths[:, self.hands].astype(np.int16)
        # A blocked hand has strength 0, and wins nothing; here it loses nothing, either.
        ceiling = np.where(strength > 0, strength, np.iinfo(np.int16).max).astype(np.int16)
        wins = np.zeros((len(self.hands), len(self.hands)), np.int8)  # of 46 rivers at most
        beats = np.empty(wins.shape, np.bool_)
        for own, theirs in zip(strength, ceiling, strict=True):
            np.greater(own[:, None], theirs, out=beats)
            wins += beats.view(np.int8)
        meets = (COMBO_MASKS[self.hands][:, None] & COMBO_MASKS[self.hands]) == 0
        rivers = len(strength) - 4 if self.street == "turn" else 1  # those that block neither
        return np.where(meets, (wins - wins.T) / np.float32(2 * rivers), np.float32(0.0))

    @cached_property
    def _strengths(self) -> NDArray[np.uint16]:
        """uint16[boards, 1326]: strengths on each river; 0 where it blocks the hand."""
        if self.street == "river":
            return combo_strengths(self.cards)[None]
        rivers = [card for card in range(NUM_CARDS) if card not in self.cards]
        return np.stack([combo_strengths((*self.cards, river)) for river in rivers])

    @cached_property
    def _holds(self) -> Float32Array:
        """float32[H, 52]: 1 for the two cards of each hand."""
        holds = np.zeros((len(self.hands), NUM_CARDS), np.float32)
        rows = np.arange(len(self.hands))
        holds[rows, FIRST_CARD[self.hands]] = holds[rows, SECOND_CARD[self.hands]] = 1.0
        return holds

    def unblocked(self, ranges: Float32Array) -> Float32Array:
        """The weight of a range that shares no card with each hand.

        Args:
            ranges: float32[..., H].

        Returns:
            float32[..., H].
        """
        by_card = times(ranges, self._holds)
        # Inclusion-exclusion: the hand itself was taken off once per card.
        held = by_card[..., FIRST_CARD[self.hands]] + by_card[..., SECOND_CARD[self.hands]]
        left = ranges.sum(axis=-1, keepdims=True) - held + ranges
        return np.asarray(np.maximum(left, 0.0), np.float32)


def times(rows: Float32Array, matrix: Float32Array) -> Float32Array:
    """Multiply stacked rows by a matrix, with the kernel of networks, on one thread.

    Products of one board are so small that the threads of BLAS take several times as long to meet
    as to multiply. Zeros in rows, which ranges are full of, take no time here.

    Args:
        rows: float32[..., H].
        matrix: float32[H, K].

    Returns:
        float32[..., K]: the same bits for a row whatever rows are beside it.
    """
    inputs, outputs = matrix.shape
    layer = np.zeros((inputs + 1) * outputs, np.float32)  # with a bias of 0
    layer[: matrix.size] = matrix.ravel()
    product = np.empty((*rows.shape[:-1], outputs), np.float32)
    flat = np.ascontiguousarray(rows, dtype=np.float32).ravel()
    dense(layer, np.array([inputs, outputs]), flat, product.reshape(-1), np.empty(2, np.float32))
    return product


class HeldHands(BoardHands):
    """Some hands of a board: those that players may hold, at the same places of its grid.

    What a network reads and says of ranges of these hands is what it reads and says with all hands
    of the board, for a part of the work: products are over pairs of hands.

    Args:
        board: The board with all its hands.
        combos: int32[n]: the combos; those that the board blocks are left out.
    """

    def __init__(self, board: BoardHands, combos: Int32Array) -> None:
        super().__init__(board.cards)
        rows = np.flatnonzero(np.isin(self.hands, combos))
        self.hands = self.hands[rows]
        self.__dict__["interpolation"] = board.interpolation[rows]
        self.__dict__["hands_at_knots"] = board.hands_at_knots


def _shares(strength: NDArray[np.uint16]) -> FloatArray:
    """float64[1326]: the share of a board's hands that each beats, ties half; NaN if blocked."""
    ranked = np.sort(strength[strength > 0])
    twice = np.searchsorted(ranked, strength, "left") + np.searchsorted(ranked, strength, "right")
    return np.where(strength > 0, twice / (2 * len(ranked)), np.nan)


def _between(points: FloatArray, knots: int) -> tuple[Int32Array, FloatArray]:
    """[n, 2]: the equally distant knots on [0, 1] around points, and their shares of them."""
    places = points * (knots - 1)
    lower = np.minimum(places.astype(np.int32), max(knots - 2, 0))
    around = np.stack([lower, np.minimum(lower + 1, knots - 1)], axis=1)
    shares = np.maximum(0.0, 1.0 - np.abs(places[:, None] - (lower[:, None] + [0, 1])))
    return around, shares
