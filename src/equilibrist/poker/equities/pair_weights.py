"""The weights of pairs of hands behind folded ranges, on one board after the other.

Players who folded hold hands of known ranges, no card twice. A pair of hands on a board thus has
the weight of the folded hands that share no card with it or the board. With t[c, d] the weight of a
folded hand of the cards c and d, s[c] the sum of t[c] and T that of all hands, one folded range
leaves to a pair of hands what inclusion and exclusion gives: T, less s of each of the four cards,
plus t of each two of them. Two ranges leave the product of what each leaves, less the folded hands
that share a card: the sum over c of s1[c] s2[c], less that of t1 t2, as hands that share both cards
are counted twice. What the pair leaves of s[c] is a number of the first hand less one of the
second, so that the sum over c is four matrix products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.typing import FloatArray, Int32Array, Int64Array

_PIECE: Final = 1 << 18
"""Multiplications up to which OpenBLAS works on one thread."""
_ROUNDING: Final = 1e-12
"""Part of the weight of all folded hands below which nothing is left."""


class _Hands(NamedTuple):
    """One player's hands on a board, n of them."""

    first: Int32Array  # [n]
    second: Int32Array  # [n]

    @classmethod
    def of(cls, combos: Int32Array | Int64Array) -> _Hands:
        """The hands of combos, int[n]."""
        return cls(FIRST_CARD[combos], SECOND_CARD[combos])

    def both(self, numbers: FloatArray) -> FloatArray:
        """float64[n, ...]: of numbers by card the sum for the two cards of each hand."""
        return np.asarray(numbers[self.first] + numbers[self.second])

    @property
    def free(self) -> FloatArray:
        """float64[n, 52]: 0 at the two cards of a hand, 1 elsewhere."""
        return np.asarray(1.0 - self.both(np.eye(NUM_CARDS)))


class Bunching:
    """What one or two folded ranges leave to pairs of hands.

    Attributes:
        cards: How many cards the folded hands hold.
        total: The share of all folded hands that the first board leaves, by weight; 0 for none.
    """

    def __init__(self, folded: FloatArray, board: Sequence[int]) -> None:
        """Take folded ranges.

        Args:
            folded: float64[1 or 2, 1326], their weights; none is empty.
            board: The first board.
        """
        self.cards = 2 * len(folded)
        folded = folded / folded.max(axis=1, keepdims=True)
        rows = [*folded, folded[0] * folded[1]] if len(folded) > 1 else [*folded]
        self._tables = np.zeros((len(rows), NUM_CARDS, NUM_CARDS))
        for table, weights in zip(self._tables, rows, strict=True):
            table[FIRST_CARD, SECOND_CARD] = table[SECOND_CARD, FIRST_CARD] = weights
        self._least = _ROUNDING * float(folded.sum(axis=1).prod())
        self._whole = self._weight(()) or 1.0
        self.total = self._weight(board) / self._whole

    def pairs(
        self, board: Sequence[int], oop: Int32Array | Int64Array, ip: Int32Array | Int64Array
    ) -> FloatArray:
        """The weights of all pairs of two players' hands on a board.

        Args:
            board: Its cards, the first board among them.
            oop: int[n], combos that it does not block.
            ip: int[m], combos that it does not block.

        Returns:
            float64[n, m]: the share of all folded hands that each pair leaves together with the
            board, so that boards compare; 0 where the two hands share a card.
        """
        tables = self._left(board)
        own, other = _Hands.of(oop), _Hands.of(ip)
        parts = [_one_range(table, own, other) for table in tables]
        weights = parts[0]
        if len(tables) > 1:
            weights = self._apart(parts, _shared(tables[0], tables[1], own, other))
        meet = (COMBO_MASKS[oop][:, None] & COMBO_MASKS[ip]) == 0
        return np.where(meet & (weights > self._least), weights / self._whole, 0.0)

    def meeting(self, board: Sequence[int], weights: Sequence[FloatArray]) -> float:
        """The weight of all pairs of hands of two players, together with what they leave.

        Args:
            board: Its cards, which block none of the hands.
            weights: float64[1326] of each player.
        """
        oop, ip = (np.flatnonzero(held) for held in weights)
        return float(weights[0][oop] @ self.pairs(board, oop, ip) @ weights[1][ip])

    def _weight(self, board: Sequence[int]) -> float:
        """The weight of all folded hands that a board leaves."""
        tables = self._left(board)
        sums = tables.sum(axis=2)
        totals = 0.5 * sums.sum(axis=1)
        weight = totals[0] if len(tables) == 1 else self._apart(totals, sums[0] @ sums[1])
        return float(weight) if weight > self._least else 0.0

    def _left(self, board: Sequence[int]) -> FloatArray:
        """float64[L, 52, 52]: the tables without the hands that a board blocks."""
        tables = self._tables.copy()
        cards = list(board)
        tables[:, cards] = tables[:, :, cards] = 0.0
        return tables

    @staticmethod
    def _apart(parts: Sequence[FloatArray], shared: FloatArray) -> FloatArray:
        """The weight of two folded hands without those that share a card."""
        return np.asarray(parts[0] * parts[1] - shared + parts[2])


def _one_range(table: FloatArray, own: _Hands, other: _Hands) -> FloatArray:
    """float64[n, m]: the weight of the hands of a table that two hands leave."""
    sums = table.sum(axis=1)
    gone = [hands.both(sums) - table[hands.first, hands.second] for hands in (own, other)]
    between = other.both(own.both(table).T).T
    return np.asarray(between + (0.5 * sums.sum() - gone[0])[:, None] - gone[1])


def _shared(one: FloatArray, two: FloatArray, own: _Hands, other: _Hands) -> FloatArray:
    """float64[n, m]: the sum over the cards c that two hands leave of s1[c] s2[c]."""
    free, other_free = own.free, other.free
    left = [free * (table.sum(axis=1) - own.both(table)) for table in (one, two)]
    gone = [other_free * other.both(table) for table in (one, two)]
    shared = products(left[0] * left[1], other_free) + products(free, gone[0] * gone[1])
    return np.asarray(shared - products(left[0], gone[1]) - products(left[1], gone[0]))


def products(rows: FloatArray, columns: FloatArray) -> FloatArray:
    """float64[n, m]: rows @ columns.T, in pieces so small that BLAS does not share them.

    Its threads take longer to meet than to multiply: where others keep the processors busy, ten
    times as long.
    """
    turned = np.ascontiguousarray(columns.T)
    found = np.empty((len(rows), len(columns)))
    step = max(_PIECE // max(turned.size, 1), 1)
    for begin in range(0, len(rows), step):
        np.matmul(rows[begin : begin + step], turned, out=found[begin : begin + step])
    return found
