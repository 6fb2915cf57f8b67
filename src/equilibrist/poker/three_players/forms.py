"""What a hand is worth against two ranges at the end of the betting, in plain NumPy.

With seat i and opponents j and k, every value is a sum over hands p and q of the opponents such
that no two of h, p and q share a card. For weights u of j's hands and v of k's let

    F(u, v)[h] = sum of u[p] v[q] over such p and q.

Two hands share 0, 1 or 2 cards, so that 1 - |p and q| + [p = q] is 1 if they are disjoint and else
0. Where u and v are 0 on hands that share a card with h = {a, b}, therefore

    F(u, v)[h] = U V - sum of U(c) V(c) over cards c + D,

with the sums U and U(c) of u over all hands and over those with card c, V likewise, and D the sum
of u[p] v[p]. That restriction is undone by inclusion-exclusion, see `disjoint_sums`.
`kernels.poker.three_ranges` evaluates the same forms for many lines of betting at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import NUM_CARDS, card_names
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD, combo_name
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.typing import FloatArray, Int32Array, UInt16Array

SEATS = 3


class Form(IntEnum):
    """What of the two opponents' ranges counts, first that of the lower seat.

    A: all hands, as a folded hand still blocks cards. M: hands that lose to one's own, and half of
    those that tie with it. Times the pot, MM is the value of a showdown of three, MA and AM that of
    a showdown with one opponent where the other has folded or is not in for this pot, and FF that
    of a pot nobody contests.
    """

    FF = 0
    MA = 1
    AM = 2
    MM = 3


class Showdown:
    """Three lists of hands on a board: the values of one seat's hands given the others' reach.

    Args:
        board: Five cards, by number; FF alone is right with four, too.
        hands: For each seat, int[n]: its hands by combo number, in any order.
        deck: The deck, whose ranking counts.

    Raises:
        ConfigError: A hand contains a card of the board, or comes twice.
    """

    def __init__(
        self, board: Sequence[int], hands: Sequence[Int32Array], deck: str | Deck = FULL_DECK
    ) -> None:
        self.hands = check_hands(board, hands)
        strengths = combo_strengths(board, deck)
        self.strengths: list[UInt16Array] = [strengths[held] for held in self.hands]

    def value(self, form: Form, seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        """The value of each of a seat's hands in a pot of 1, times the reach of the others.

        MM adds F(E_j, E_k) / 12 to F(M_j, M_k), where E are the hands that tie: a hand that ties
        with both gets 1/3 of the pot, not 1/4.

        Args:
            form: What counts of j and k, the two other seats in order.
            seat: The seat, 0 to 2.
            reach_j: float64[hands of j].
            reach_k: float64[hands of k].

        Returns:
            float64[hands of the seat]. Where reach is 0 or 1, sums are whole numbers and exact: FF
            is then the number of deals that a hand is part of.
        """
        j, k = (other for other in range(SEATS) if other != seat)
        if form == Form.FF:
            return disjoint_sums(
                self.hands[seat], self._matrix(j, reach_j), self._matrix(k, reach_k)
            )
        values = np.zeros(len(self.hands[seat]))
        for strength in np.unique(self.strengths[seat]):
            here = self.strengths[seat] == strength
            own = self.hands[seat][here]
            u, v = reach_j, reach_k
            if form != Form.AM:
                u = u * _beaten(self.strengths[j], strength)
            if form != Form.MA:
                v = v * _beaten(self.strengths[k], strength)
            values[here] = disjoint_sums(own, self._matrix(j, u), self._matrix(k, v))
            if form == Form.MM:
                u = reach_j * (self.strengths[j] == strength)
                v = reach_k * (self.strengths[k] == strength)
                values[here] += disjoint_sums(own, self._matrix(j, u), self._matrix(k, v)) / 12
        return values

    def _matrix(self, seat: int, weights: FloatArray) -> FloatArray:
        """float64[52, 52]: the weight of each hand by its two cards, in either order."""
        matrix = np.zeros((NUM_CARDS, NUM_CARDS))
        first, second = FIRST_CARD[self.hands[seat]], SECOND_CARD[self.hands[seat]]
        matrix[first, second] = matrix[second, first] = weights
        return matrix


def disjoint_sums(own: Int32Array, u: FloatArray, v: FloatArray) -> FloatArray:
    """F(u, v) of some hands: over all pairs of opponents' hands disjoint from it and each other.

    With t and t(c), s and s(c) the sums of u and v over all hands and over those with card c,
    P = sum of t(c) s(c), d and d(c) likewise of u v,
    W(a) = t(a) s(a) + sum over c of (t(c) v[ac] + s(c) u[ac]) - 2 d(a) and
    Q(h) = sum over c of (u[ac] v[bc] + v[ac] u[bc]):

        F(u, v)[h] = (t - t(a) - t(b) + u[h]) (s - s(a) - s(b) + v[h]) + d - P + W(a) + W(b)
                     - v[h] (t(a) + t(b)) - u[h] (s(a) + s(b)) + 3 u[h] v[h] - Q(h).

    Args:
        own: int[n], the hands by combo number.
        u: float64[52, 52], symmetric: weights of one opponent's hands by their cards.
        v: float64[52, 52], symmetric: those of the other's.

    Returns:
        float64[n].
    """
    a, b = FIRST_CARD[own], SECOND_CARD[own]
    t, s, both = u.sum(axis=1), v.sum(axis=1), u * v
    d = both.sum(axis=1)
    w = t * s + v @ t + u @ s - 2 * d
    paths = np.einsum("nc,nc->n", u[a], v[b]) + np.einsum("nc,nc->n", v[a], u[b])
    t_h, s_h, u_h, v_h = t[a] + t[b], s[a] + s[b], u[a, b], v[a, b]
    left = (t.sum() / 2 - t_h + u_h) * (s.sum() / 2 - s_h + v_h)
    sums: FloatArray = left + d.sum() / 2 - t @ s + w[a] + w[b]
    sums += 3 * u_h * v_h - v_h * t_h - u_h * s_h - paths
    return sums


def check_hands(board: Sequence[int], hands: Sequence[Int32Array]) -> list[Int32Array]:
    """Refuse hands that cannot be held on a board.

    Args:
        board: Cards by number.
        hands: For each seat, its hands by combo number.

    Returns:
        int32[n] for each seat.

    Raises:
        ConfigError: A hand contains a card of the board, or comes twice.
    """
    on_board = np.bitwise_or.reduce(np.uint64(1) << np.asarray(board, np.uint64))
    checked = [np.asarray(held, np.int32) for held in hands]
    for seat, held in enumerate(checked):
        blocked = held[(COMBO_MASKS[held] & on_board) != 0]
        if len(blocked):
            raise ConfigError(
                f"{combo_name(int(blocked[0]))} is in the range of seat {seat}, but contains a "
                "card of the board",
                option="hands",
                given=combo_name(int(blocked[0])),
                place=f"seat {seat}",
                remedy=f"leave out hands with a card of {''.join(card_names(board))}",
            )
        numbers, times = np.unique(held, return_counts=True)
        if (times > 1).any():
            twice = combo_name(int(numbers[times > 1][0]))
            raise ConfigError(
                f"{twice} comes twice in the range of seat {seat}",
                option="hands",
                given=twice,
                place=f"seat {seat}",
                remedy="give each hand once, with the sum of its weights",
            )
    return checked


def _beaten(strengths: UInt16Array, strength: np.uint16) -> FloatArray:
    """float64[n]: 1 for weaker hands, 1/2 for equal ones."""
    share: FloatArray = (strengths < strength) + 0.5 * (strengths == strength)
    return share
