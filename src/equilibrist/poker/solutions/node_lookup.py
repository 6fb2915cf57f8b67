"""Maps results on solved boards to all combos on any runout."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.isomorphism import representative
from equilibrist.poker.engine.layout import Layout
from equilibrist.poker.engine.node_rows import AverageOf, BoardRows, NodeRows
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.equities.pair_equity import pair_shares
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.weights import exponent
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.poker.spots.spot import Spot
from equilibrist.typing import FloatArray, Int32Array

Solved = Callable[[tuple[int, ...]], BoardRows]
"""A map from the cards since the root to all nodes of a street on that solved board."""


class NodeLookup:
    """Looks up nodes of a spot on any runout; suit images of a deal were solved once."""

    def __init__(self, spot: Spot, tree: PublicTree, *, isomorphism: bool = True) -> None:
        weights = [held.weights for held in spot.ranges]
        self._board = spot.cards
        self._tree = tree
        self._group = spot.symmetries[: None if isomorphism else 1]
        self._combos = [np.flatnonzero(held) for held in weights]
        self._exponents = np.array([[exponent(held)] for held in weights])

    def load(self) -> None:
        """Load or compile the kernel of equities, so that a solution is shown at once."""
        if len(self._board) < 5:
            from equilibrist.poker.equities.runouts import load

            load()

    def at(self, node: int, runout: tuple[int, ...], solved: Solved) -> NodeValues:
        """The values at a node."""
        rows, combos = self._rows(runout, solved)
        found = self._over_combos(node, rows.at(node), combos)
        found = found._replace(equity=_equities(found.weight, (*self._board, *runout)))
        return self._as_given(found)

    def on_board(self, runout: tuple[int, ...], solved: Solved) -> Callable[[int], NodeValues]:
        """The values at all nodes of a street, as `poker.solutions.node_values.OnBoard`."""
        rows, combos = self._rows(runout, solved)
        shares = pair_shares((*self._board, *runout), *combos)

        def values(node: int) -> NodeValues:
            found = rows.at(node)
            won = shares @ found.weight[1], found.matchups[1] - found.weight[0] @ shares
            values = self._over_combos(node, found, combos)
            for player in (0, 1):
                there = (found.weight[player] > 0) & (found.matchups[player] > 0)
                equity = won[player][there] / found.matchups[player][there]
                values.equity[player, combos[player][there]] = np.clip(equity, 0.0, 1.0)
            return self._as_given(values)

        return values

    def strategy(
        self, node: int, runout: tuple[int, ...], layout: Layout, strategy_at: AverageOf
    ) -> FloatArray:
        """float64[A, 1326]: what is played at a node; NaN for hands that are not held."""
        cards, images = representative(self._board, self._group, runout)
        board, player = layout.path(cards)[-1], int(self._tree.player[node])
        (place,) = np.flatnonzero(layout.betting.node == node)
        rows = strategy_at(int(place), board)
        back = np.empty(NUM_COMBOS, np.int32)
        back[images] = np.arange(NUM_COMBOS, dtype=np.int32)
        found = np.full((len(rows), NUM_COMBOS), np.nan)
        found[:, back[self._combos[player][layout.table.held(board)[player]]]] = rows
        return found

    def _rows(self, runout: tuple[int, ...], solved: Solved) -> tuple[BoardRows, list[Int32Array]]:
        """The solved board for a runout, and the combos that its hands represent."""
        cards, images = representative(self._board, self._group, runout)
        rows = solved(cards)
        back = np.empty(NUM_COMBOS, np.int32)
        back[images] = np.arange(NUM_COMBOS, dtype=np.int32)
        hands = zip(self._combos, rows.hands, strict=True)
        return rows, [back[combos[own]] for combos, own in hands]

    def _over_combos(self, node: int, found: NodeRows, combos: list[Int32Array]) -> NodeValues:
        """The rows of a node over all combos, without equity."""
        weight, unblocked = np.zeros((2, NUM_COMBOS)), np.zeros((2, NUM_COMBOS))
        ev, equity = np.full((2, 2, NUM_COMBOS), np.nan)
        strategy, action_ev = np.full((2, len(found.strategy), NUM_COMBOS), np.nan)
        for player in (0, 1):
            weight[player, combos[player]] = found.weight[player]
            unblocked[player, combos[player]] = found.matchups[player]
            ev[player, combos[player]] = found.ev[player]
        if len(found.strategy):
            held = combos[self._tree.player[node]]
            strategy[:, held] = found.strategy
            action_ev[:, held] = found.action_ev
        return NodeValues(weight, unblocked, ev, equity, strategy, action_ev)

    def _as_given(self, values: NodeValues) -> NodeValues:
        """The values in chips with the weights of the ranges, undoing the scaling of the game."""
        per_chip = self._tree.scale.per_chip
        return values._replace(
            ev=values.ev / per_chip,
            action_ev=values.action_ev / per_chip,
            weight=np.ldexp(values.weight, self._exponents),
            matchups=np.ldexp(values.matchups, self._exponents[::-1]),
        )


def _equities(weight: FloatArray, board: tuple[int, ...]) -> FloatArray:
    """float64[2, 1326]: the equities of two ranges, NaN for hands not held or always blocked."""
    found = np.full((2, NUM_COMBOS), np.nan)
    with suppress(ConfigError):  # no pair of hands is compatible
        shares = equity(
            Range.from_weights(weight[0]), Range.from_weights(weight[1]), card_names(board)
        )
        found[0], found[1] = shares.oop_hands, shares.ip_hands
    return found
