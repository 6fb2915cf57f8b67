"""The solver of a spot: the engine on the game of the spot, and figures at its nodes."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from equilibrist.arguments import refused, whole_number
from equilibrist.errors import ConfigError
from equilibrist.poker.cards import card_names
from equilibrist.poker.combos import NUM_COMBOS
from equilibrist.poker.engine import STORAGES, Engine, NodeRows, Storage
from equilibrist.poker.equities import equity
from equilibrist.poker.isomorphism import representative, symmetries
from equilibrist.poker.node_values import NodeValues
from equilibrist.poker.ranges import Range
from equilibrist.poker.restarts import SPOT_VARIANT
from equilibrist.poker.spot import Spot
from equilibrist.poker.vector_game import holdem_game
from equilibrist.solvers.executors import MOST_THREADS
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import as_variant
from equilibrist.typing import FloatArray, Int32Array


class HoldemSolver:
    """What `equilibrist.poker.solving.SpotSolver` asks for; raises ConfigError.

    `weighted` averages by the player's own reach, as the theory of CFR says; without it hands that
    a player does not bring along are averaged alike, which is as good and says what they would do.
    """

    def __init__(
        self,
        spot: Spot,
        storage: Storage = "float32",
        threads: int = 1,
        variant: Variant | str | None = None,
        *,
        weighted: bool = False,
        isomorphism: bool = True,
    ) -> None:
        if storage not in STORAGES:
            raise refused("storage", storage, "'float32' or 'int16'")
        whole_number("threads", threads, 1, MOST_THREADS)
        self.spot = spot
        self.variant = SPOT_VARIANT if variant is None else as_variant(variant)
        if not self.variant.alternating:
            raise ConfigError(
                f"spots are solved by alternating updates; {self.variant.name} is not"
            )
        self.weighted = weighted
        self.iteration = 0
        weights = [held.weights for held in spot.ranges]
        self._group = symmetries(spot.cards, weights)[: None if isomorphism else 1]
        self._combos = [np.flatnonzero(held) for held in weights]
        self.engine = Engine(
            holdem_game(spot, isomorphism=isomorphism),
            storage,
            threads=threads,
            predicts=self.variant.prediction != 0.0,
        )

    @property
    def memory_bytes(self) -> int:
        """What is learnt and all that the engine works with, in bytes."""
        return self.engine.memory_bytes

    def run(self, iterations: int, /) -> None:
        """Run that many more."""
        rows = self.variant.table(self.iteration + 1, iterations)
        self.engine.run(rows, weigh=self.weighted)
        self.iteration += iterations

    def exploitability(self) -> float:
        """What best responses to the average strategies gain, the mean of both, in chips."""
        return self.engine.exploitability()

    def values(self, node: int, runout: tuple[int, ...], /) -> NodeValues:
        """The figures at a node, as `equilibrist.poker.solution.Evaluate`."""
        cards, images = representative(self.spot.cards, self._group, runout)
        found = self.engine.at(node, cards)
        weight, facing = np.zeros((2, NUM_COMBOS)), np.zeros((2, NUM_COMBOS))
        ev = np.full((2, NUM_COMBOS), np.nan)
        actions = len(found.strategy)
        strategy = np.full((actions, NUM_COMBOS), np.nan)
        for player in (0, 1):
            combos = self._on(runout, images, found, player)
            weight[player, combos] = found.weight[player]
            facing[player, combos] = found.matchups[player]
            ev[player, combos] = found.ev[player]
            if actions and player == self.engine.game.tree.player[node]:
                strategy[:, combos] = found.strategy
        board = (*self.spot.cards, *runout)
        return NodeValues(weight, facing, ev, _equities(weight, board), strategy)

    def _on(
        self, runout: tuple[int, ...], images: Int32Array, found: NodeRows, player: int
    ) -> Int32Array:
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
