"""Nodes of a board whose hands are handled together: arrays over nodes and hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_aggregates import (
    NodeMeans,
    Totals,
    in_order,
    means,
    realisation,
)
from equilibrist.typing import BoolArray, FloatArray, Int32Array


class NodeBatch:
    """N nodes of one board where the same player acts and has the same number of actions, A.

    Args:
        nodes: The nodes.
        only: bool[1326], the hands to write.

    Attributes:
        nodes: The nodes.
        player: The player to act, None if nobody does.
        hands: What each player holds at any of the nodes.
        strategy: float64[A, N, H], the probabilities of the actions of the player to act.
        action_ev: float64[A, N, H], their EV in chips.
    """

    def __init__(self, nodes: Sequence[Node], only: BoolArray) -> None:
        self.nodes = nodes
        self.player = nodes[0].player
        self.pots = np.array([float(node.of) for node in nodes])[:, None]
        self.hands = [PlayerHands(nodes, player, only, self.pots) for player in (0, 1)]
        combos = self.hands[self.player or 0].combos
        self.strategy = np.stack([node.values.strategy[:, combos] for node in nodes], axis=1)
        self.action_ev = np.stack([node.values.action_ev[:, combos] for node in nodes], axis=1)

    @cached_property
    def frequency(self) -> FloatArray:
        """float64[A, N]: of each action, by matchups; NaN where play never comes."""
        return means(self.strategy, self.hands[self.player or 0].met)

    @cached_property
    def mean_action_ev(self) -> FloatArray:
        """float64[A, N]: the mean EV of the hands that take each action, NaN if none does."""
        taken = self.hands[self.player or 0].met * np.nan_to_num(self.strategy)
        return means(self.action_ev, taken)

    def means(self) -> list[NodeMeans]:
        """Average the figures of all hands of each node."""
        oop, ip = self.hands
        by_combos = means(self.strategy, self.hands[self.player or 0].weight).T.tolist()
        by_matchups, evs = self.frequency.T.tolist(), self.mean_action_ev.T.tolist()
        pairs = [
            list(zip(*(hands.totals[kind].tolist() for hands in (oop, ip)), strict=True))
            for kind in range(3)
        ]
        return [
            NodeMeans(Totals(*figures), *rows)
            for figures, *rows in zip(
                zip(*pairs, strict=True), by_matchups, by_combos, evs, strict=True
            )
        ]


class PlayerHands:
    """The hands that a player holds at any of N nodes, H of them, by ascending combo.

    Attributes:
        combos: int32[H].
        weight: float64[N, H]; other figures are of the same shape.
        equity: As in `NodeValues`.
        ev: As in `NodeValues`, in chips.
        met: Weight times matchups.
        shown: bool[N, H], which hands are held at a node, and are to be written.
    """

    def __init__(
        self, nodes: Sequence[Node], player: int, only: BoolArray, pots: FloatArray
    ) -> None:
        weight = np.stack([node.values.weight[player] for node in nodes])
        self.combos: Int32Array = np.flatnonzero(weight.any(axis=0)).astype(np.int32)
        combos = self.combos
        self.weight = weight[:, combos]
        self.equity = np.stack([node.values.equity[player, combos] for node in nodes])
        self.ev = np.stack([node.values.ev[player, combos] for node in nodes])
        self.met = self.weight * np.stack([node.values.matchups[player, combos] for node in nodes])
        self.shown: BoolArray = (self.weight > 0) & only[combos]
        self._pots = pots

    @cached_property
    def eqr(self) -> FloatArray:
        """float64[N, H]: the equity realisation."""
        return realisation(self.ev, self.equity, self._pots)

    @cached_property
    def totals(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Three float64[N]: equity, EV and EQR of all hands."""
        equity, ev = means(self.equity, self.met), means(self.ev, self.met)
        return equity, ev, realisation(ev, equity, self._pots[:, 0])

    @property
    def whole_weight(self) -> FloatArray:
        """float64[N]: the weight of all hands."""
        return in_order(self.weight)


def batches(nodes: Sequence[Node], only: BoolArray) -> Iterator[tuple[list[int], NodeBatch]]:
    """The nodes of a board in batches, each with the places of its nodes among them."""
    groups: dict[tuple[int | None, int], list[int]] = {}
    for place, node in enumerate(nodes):
        groups.setdefault((node.player, len(node.actions)), []).append(place)
    for places in groups.values():
        yield places, NodeBatch([nodes[place] for place in places], only)
