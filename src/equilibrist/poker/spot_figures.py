"""From hands on boards that were solved to the figures of all combos on any runout."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.cards import card_names
from equilibrist.poker.combos import NUM_COMBOS
from equilibrist.poker.engine import NodeRows
from equilibrist.poker.equities import equity
from equilibrist.poker.isomorphism import representative, symmetries
from equilibrist.poker.node_values import NodeValues
from equilibrist.poker.public_tree import PublicTree
from equilibrist.poker.ranges import Range
from equilibrist.poker.spot import Spot
from equilibrist.typing import FloatArray, Int32Array


class SpotFigures:
    """Figures at nodes of a spot, of which images of a deal were solved once."""

    def __init__(self, spot: Spot, tree: PublicTree, *, isomorphism: bool = True) -> None:
        weights = [held.weights for held in spot.ranges]
        self._board = spot.cards
        self._tree = tree
        self._group = symmetries(spot.cards, weights)[: None if isomorphism else 1]
        self._combos = [np.flatnonzero(held) for held in weights]

    def at(
        self,
        node: int,
        runout: tuple[int, ...],
        rows: Callable[[int, tuple[int, ...]], NodeRows],
    ) -> NodeValues:
        """The figures at a node; `rows` has them on the boards that were solved."""
        cards, images = representative(self._board, self._group, runout)
        found = rows(node, cards)
        weight, facing = np.zeros((2, NUM_COMBOS)), np.zeros((2, NUM_COMBOS))
        ev = np.full((2, NUM_COMBOS), np.nan)
        actions = len(found.strategy)
        strategy = np.full((actions, NUM_COMBOS), np.nan)
        for player in (0, 1):
            combos = self._on_runout(images, found, player)
            weight[player, combos] = found.weight[player]
            facing[player, combos] = found.matchups[player]
            ev[player, combos] = found.ev[player]
            if actions and player == self._tree.player[node]:
                strategy[:, combos] = found.strategy
        equities = _equities(weight, (*self._board, *runout))
        return NodeValues(weight, facing, ev, equities, strategy)

    def _on_runout(self, images: Int32Array, found: NodeRows, player: int) -> Int32Array:
        """The combos on a runout of the hands on the board that was solved in its place."""
        back = np.empty(NUM_COMBOS, np.int32)
        back[images] = np.arange(NUM_COMBOS, dtype=np.int32)
        combos: Int32Array = back[self._combos[player][found.hands[player]]]
        return combos


def _equities(weight: FloatArray, board: tuple[int, ...]) -> FloatArray:
    """float64[2, 1326] of two ranges, NaN for hands that are not held or meet nobody."""
    found = np.full((2, NUM_COMBOS), np.nan)
    with suppress(ConfigError):  # no two hands can meet
        shares = equity(
            Range.from_weights(weight[0]), Range.from_weights(weight[1]), card_names(board)
        )
        found[0], found[1] = shares.oop_hands, shares.ip_hands
    return found
