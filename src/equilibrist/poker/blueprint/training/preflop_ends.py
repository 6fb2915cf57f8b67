"""Exact values at the ends of the betting before the flop, which need no boards.

A walk of a sampled board would take the showdown of an all-in before the flop on that board, and
the folds with the hands that the board leaves. What hands of two classes win on average over all
boards is known from the all-in table: so it takes the place of the sample, which is right on
average and has less noise. A board that leaves the own hand leaves 990 of the 1,225 hands that an
opponent may have, and so the values are that much smaller.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.walk_arrays import Float32, payoffs
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.hands.state import DECISION, SHOWDOWN
from equilibrist.poker.preflop.allin_table import CLASS_SIZES, AllInTable
from equilibrist.typing import FloatArray, Int32Array, Int64Array

_KEPT = 1081 / 1326
"""The share of boards that leave a hand."""
_LEFT = 990 / 1225
"""The share of an opponent's hands that a board leaves, which leaves the own hand."""


class PreflopEnds:
    """The values of both seats at the terminal nodes before the flop.

    Args:
        game: The abstract game, with 52 cards.
        cards: Its card buckets.
        nodes: int32[K], the nodes.
    """

    def __init__(self, game: AbstractGame, cards: CardBuckets, nodes: Int32Array) -> None:
        self._game, self._nodes = game, nodes
        self._bucket = _bucket_of_class(cards)
        self._payoffs = payoffs(game, self._nodes)
        table = AllInTable.load()
        self._met = _LEFT * table.pairs / CLASS_SIZES[:, None]
        self._won = self._met * table.equities

    def values(self, sigma: Float32) -> Float32:
        """The values for strategies.

        Args:
            sigma: float32[slots], of both seats.

        Returns:
            float32[K, 2, 1326]: counterfactual values by node, seat and hand, on a board that
            leaves the hand.
        """
        tree = self._game.tree
        values = np.zeros((len(self._nodes), 2, NUM_CLASSES))
        reach = self._reach(sigma)
        lose, gain = self._payoffs
        for k, node in enumerate(self._nodes.tolist()):
            for seat in range(2):
                other = reach[node][1 - seat]
                values[k, seat] = float(lose[k, seat]) * (self._met @ other)
                if tree.kind[node] == SHOWDOWN:
                    values[k, seat] += 2 * float(gain[k, seat]) * (self._won @ other)
        return values.astype(np.float32)[:, :, CLASS_OF_COMBO]

    def won(self, sigma: Float32) -> FloatArray:
        """Sum what the seats win at these nodes on an average board, in the scale of a walk.

        Args:
            sigma: float32[slots], of both seats.

        Returns:
            float64[2]: by seat, the sum over the hands that a board leaves.
        """
        tree = self._game.tree
        won = np.zeros(2)
        reach = self._reach(sigma)
        lose, gain = self._payoffs
        for k, node in enumerate(self._nodes.tolist()):
            for seat in range(2):
                own = _KEPT * CLASS_SIZES * reach[node][seat]
                other = reach[node][1 - seat]
                won[seat] += float(lose[k, seat]) * float(own @ self._met @ other)
                if tree.kind[node] == SHOWDOWN:
                    won[seat] += 2 * float(gain[k, seat]) * float(own @ self._won @ other)
        return won

    def _reach(self, sigma: Float32) -> dict[int, FloatArray]:
        """The reach of both seats at the nodes before the flop: float64[2, 169]."""
        tree, game = self._game.tree, self._game
        preflop = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0))
        reach = {0: np.ones((2, NUM_CLASSES))}
        for node in preflop.tolist():
            actions, buckets = game.shape(node)
            begin, seat = int(game.layout.slot[node]), int(tree.player[node])
            chances = sigma[begin : begin + actions * buckets].reshape(actions, buckets)
            for chance, child in zip(chances, tree.children(node), strict=True):
                reach[child] = reach[node].copy()
                reach[child][seat] *= chance[self._bucket]
        return reach


def _bucket_of_class(cards: CardBuckets) -> Int64Array:
    """int64[169]: the bucket of each class before the flop."""
    row: NDArray[np.int64] = np.asarray(cards.rows(0)[0]).astype(np.int64)
    bucket = np.zeros(NUM_CLASSES, np.int64)
    bucket[CLASS_OF_COMBO] = row
    return bucket
