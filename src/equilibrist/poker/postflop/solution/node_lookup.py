"""Maps results on solved boards to all combos on any runout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.decks import Deck
from equilibrist.poker.cards.isomorphism import representative
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.equities.runouts import pair_shares, pair_shares_behind
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.node_rows import AverageOf, BoardRows, NodeRows
from equilibrist.poker.postflop.solution.node_aggregates import NodesOfBoard, NodeValues
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range, exponent
from equilibrist.typing import FloatArray, Int32Array

_RIVER_CARDS: Final = 5
_KEPT: Final = 8
"""Runouts whose shares of pairs of hands are kept."""
Solved = Callable[[tuple[int, ...]], BoardRows]
"""A map from the cards since the root to all nodes of a street on that solved board."""


class NodeLookup:
    """Looks up nodes of a spot on any runout; suit images of a deal were solved once.

    `group` are the suit symmetries by which they were, those of the spot unless it is given.
    """

    def __init__(self, spot: Spot, tree: PublicTree, *, group: Int32Array | None = None) -> None:
        weights = [held.weights for held in spot.ranges]
        self._board, self._deck = spot.cards, spot.whole_deck
        self._tree, self._unit = tree, spot.value_unit
        self._group = spot.symmetries if group is None else group
        self._combos = [np.flatnonzero(held) for held in weights]
        self._exponents = np.array([[exponent(held)] for held in weights])
        self._bunching = spot.bunching
        self._shares: dict[tuple[int, ...], tuple[FloatArray, FloatArray]] = {}
        self._keeping = Lock()

    def load(self) -> None:
        """Load or compile the kernel of equities, so that a solution is shown at once."""
        if len(self._board) < 5:
            from equilibrist.poker.equities.runouts import load

            load()

    def at(self, node: int, runout: tuple[int, ...], solved: Solved) -> NodeValues:
        """The values at a node."""
        if self._bunching is not None:  # all pairs of hands are compared for one node, too
            (values,) = self.on_board(runout, solved)([node])
            return values
        rows, combos = self._rows(runout, solved)
        (values,) = self._over_combos([node], rows.at([node]), combos)
        held = np.ldexp(values.weight, -self._exponents)  # the weights of the game
        equities = _equities(held, (*self._board, *runout), self._deck)
        # What meets next to nothing of the opponent's range has neither: the EV is of rounding.
        return values._replace(equity=np.where(np.isnan(values.ev), np.nan, equities))

    def on_board(self, runout: tuple[int, ...], solved: Solved) -> NodesOfBoard:
        """The values at all nodes of a street, as `node_aggregates.OnBoard` of solutions."""
        rows, combos = self._rows(runout, solved)
        oop_shares, ip_shares = self._pair_shares(runout, combos)

        def values(nodes: Sequence[int]) -> list[NodeValues]:
            node_rows = rows.at(nodes)
            won = node_rows.weight[1] @ oop_shares.T, node_rows.weight[0] @ ip_shares
            equities = []
            for weight, met, won_by_hand in zip(
                node_rows.weight, node_rows.matchups, won, strict=True
            ):
                share = np.full(won_by_hand.shape, np.nan)
                np.divide(won_by_hand, met, out=share, where=(weight > 0) & (met > 0))
                equities.append(np.clip(share, 0.0, 1.0))
            return self._over_combos(nodes, node_rows, combos, equities)

        return values

    def _pair_shares(
        self, runout: tuple[int, ...], combos: list[Int32Array]
    ) -> tuple[FloatArray, FloatArray]:
        """The shares of the pot of all pairs of hands, times their weights behind folded hands.

        Those of the last runouts behind folded hands are kept: on a flop they take seconds.
        """
        board, (oop, ip) = (*self._board, *runout), combos
        if self._bunching is None:
            return pair_shares(board, oop, ip, deck=self._deck)
        with self._keeping:
            shares = self._shares.pop(runout, None)
        if shares is None:
            shares = pair_shares_behind(self._bunching, board, oop, ip, deck=self._deck)
        if len(board) < _RIVER_CARDS:
            with self._keeping:
                self._shares[runout] = shares  # behind all others, of which the first goes
                if len(self._shares) > _KEPT:
                    del self._shares[next(iter(self._shares))]
        return shares

    def counterfactual(
        self, node: int, runout: tuple[int, ...], player: int, solved: Solved
    ) -> FloatArray:
        """float64[1326]: `BoardRows.counterfactual` in chips, with the weights of the ranges.

        NaN for hands that are not held.
        """
        rows, combos = self._rows(runout, solved)
        values = np.full(NUM_COMBOS, np.nan)
        won = np.ldexp(rows.counterfactual(node, player), self._exponents[1 - player])
        values[combos[player]] = won / self._tree.scale.per_chip
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
        strategy = np.full((len(rows), NUM_COMBOS), np.nan)
        strategy[:, back[self._combos[player][layout.table.held(board)[player]]]] = rows
        return strategy

    def _rows(self, runout: tuple[int, ...], solved: Solved) -> tuple[BoardRows, list[Int32Array]]:
        """The solved board for a runout, and the combos that its hands represent."""
        cards, images = representative(self._board, self._group, runout)
        rows = solved(cards)
        back = np.empty(NUM_COMBOS, np.int32)
        back[images] = np.arange(NUM_COMBOS, dtype=np.int32)
        hands = zip(self._combos, rows.hands, strict=True)
        return rows, [back[combos[own]] for combos, own in hands]

    def _over_combos(
        self,
        nodes: Sequence[int],
        rows: NodeRows,
        combos: list[Int32Array],
        equities: Sequence[FloatArray] = (),
    ) -> list[NodeValues]:
        """The rows of each node over all combos, in chips, with the weights of the ranges.

        The scaling of the game is undone. Equities are NaN where they are not given.
        """
        unit = self._unit
        weight, unblocked = np.zeros((2, len(nodes), 2, NUM_COMBOS))
        ev, equity = np.full((2, len(nodes), 2, NUM_COMBOS), np.nan)
        for player in (0, 1):
            held, own = combos[player], self._exponents[player]
            weight[:, player, held] = np.ldexp(rows.weight[player], own)
            unblocked[:, player, held] = np.ldexp(
                rows.matchups[player], self._exponents[1 - player]
            )
            ev[:, player, held] = unit.value(player, rows.ev[player])
            if equities:
                equity[:, player, held] = equities[player]
        values = []
        for number, node in enumerate(nodes):
            strategy, action_ev = np.full((2, len(rows.strategy[number]), NUM_COMBOS), np.nan)
            if len(strategy):
                acts = int(self._tree.player[node])
                strategy[:, combos[acts]] = rows.strategy[number]
                action_ev[:, combos[acts]] = unit.value(acts, rows.action_ev[number])
            shared = weight[number], unblocked[number], ev[number], equity[number]
            values.append(NodeValues(*shared, strategy, action_ev))
        return values


def _equities(weight: FloatArray, board: tuple[int, ...], deck: Deck) -> FloatArray:
    """float64[2, 1326]: the equities of two ranges, NaN for hands not held or always blocked."""
    equities = np.full((2, NUM_COMBOS), np.nan)
    with suppress(ConfigError):  # no pair of hands is compatible
        shares = equity(
            Range.from_weights(weight[0]),
            Range.from_weights(weight[1]),
            card_names(board),
            deck=deck,
        )
        equities[0], equities[1] = shares.oop_hands, shares.ip_hands
    return equities
