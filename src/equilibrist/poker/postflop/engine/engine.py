"""The engine: solves a game with a public tree and measures the solution."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import BEST, TREMBLING, UNLOCKED, VALUE
from equilibrist.kernels.primitives.barrier import BEGUN, COUNTERS
from equilibrist.poker.postflop.engine.arena import Arena, real_of
from equilibrist.poker.postflop.engine.layout import Layout, fill_pairs
from equilibrist.poker.postflop.engine.node_reader import NodeReader
from equilibrist.poker.postflop.engine.node_rows import total_weight
from equilibrist.poker.postflop.engine.perturbation import Perturbation
from equilibrist.poker.postflop.engine.traversal import Traversal
from equilibrist.poker.postflop.engine.vector_game import PairWeights, VectorGame
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.typing import FloatArray


class Engine:
    """The state of a solve, and measurements of it.

    `predicts` allocates the predicted regrets of predictive variants. With a `perturbation` play
    comes to every node; a quantal run has coefficients of its own, see `kernels.poker.quantal`.

    Attributes:
        layout: The layout of the game in arrays.
        arena: Regrets and strategy sums.
        traversal: The passes over them.
        reader: Reads single nodes.
        total: The total weight of all matchups at the root.
    """

    def __init__(
        self,
        game: VectorGame,
        storage: Storage = "float32",
        *,
        threads: int = 1,
        predicts: bool = False,
        perturbation: Perturbation | None = None,
    ) -> None:
        self.game = game
        self.layout = Layout.of(game, real_of(storage))
        self.arena = Arena(self.layout, storage, predicts=predicts, perturbation=perturbation)
        self.traversal = Traversal(self.layout, self.arena, threads)
        self.reader = NodeReader(self.layout, self.arena)
        self._weights = [np.asarray(held, np.float64) for held in game.weights]
        self.total = total_weight(game)
        self._measured = False
        self._working = RLock()  # reentrant, so that one leaked by Ctrl-C does not block its thread
        self.iteration = 0

    @property
    def iteration(self) -> int:
        """Completed iterations; during a run all of its iterations count."""
        before, count, counters = self._last
        return before + count * int(counters[BEGUN] > 0)

    @iteration.setter
    def iteration(self, number: int) -> None:
        self._last = number, 0, np.zeros(COUNTERS, np.int64)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the solver state, the tables of the game and working memory."""
        parts = self.layout.memory_bytes + self.traversal.memory_bytes
        return self.arena.nbytes + self.arena.target_frequencies.nbytes + parts

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Continue from what another engine of the same layout had stored; as `Arena.restore`."""
        with self._working:
            self.arena.restore(arrays)
            self._measured = False
            self.iteration = iteration

    def clear(self) -> None:
        """Forget all iterations; not for games with locked frequencies, see `Arena.clear`."""
        with self._working:
            self.arena.clear()
            self._measured = False
            self.iteration = 0

    def load(self) -> None:
        """Load or compile the kernel before timing starts."""
        self.traversal.load()

    def run(self, coefficients: FloatArray, *, weigh: bool = False) -> None:
        """Run an iteration per row of `coefficients`, float64[T, 7]; `weigh` averages by own reach.

        With locked frequencies averages are always weighted by reach: otherwise they need not have
        the frequencies that all iterations have.
        """
        weigh = weigh or self.arena.has_frequency_locks
        table = np.column_stack([coefficients, np.full(len(coefficients), weigh)])
        with self._working:
            self._measured = False
            last = self._last = self.iteration, len(table), np.zeros(COUNTERS, np.int64)
            self.traversal.update(table, last[-1])

    def update(self, player: int, coefficients: FloatArray, *, weigh: bool = False) -> FloatArray:
        """Run one player's pass of an iteration, for those who change roots between passes.

        Whoever has run both sets `iteration`. Without changes at the roots that has the bits of
        `run`.

        Args:
            player: The player.
            coefficients: float64[7], those of the iteration.
            weigh: As in `run`.

        Returns:
            float64[n]: the counterfactual value of each hand with the strategies of both players
            before the pass.
        """
        table = np.append(coefficients, weigh or self.arena.has_frequency_locks)[None]
        with self._working:
            self._measured = False
            counters = np.zeros(COUNTERS, np.int64)
            return self.traversal.update_one(player, table, counters)

    def set_root(self, player: int, reach: FloatArray) -> None:
        """Let a player come to the root with other weights than those of the game.

        `values`, `update` and the reader go by them; means over all matchups do not.

        Args:
            player: The player.
            reach: float64[n], in the order of the hands of the game.
        """
        with self._working:
            order = self.layout.table.held(0)[player]
            self.layout.root[player][: len(order)] = reach[order]

    def values(self, player: int, *, best: bool = False, unlocked: bool = False) -> FloatArray:
        """float64[n]: the counterfactual value of each hand, summed over unblocked opponent hands.

        For the average strategies, or for a best response to the opponent's. The best response
        respects the player's own locks unless `unlocked`; locked frequencies through incentives.
        """
        with self._working:
            mode = UNLOCKED if unlocked else BEST if best else VALUE
            return self.traversal.values(player, mode)

    def expected(self, player: int, *, best: bool = False, unlocked: bool = False) -> float:
        """The mean of `values` over all matchups, in chips."""
        return self._mean(player, self.values(player, best=best, unlocked=unlocked))

    def ev_by(self, weights: Sequence[PairWeights]) -> list[float]:
        """The mean value of player 0 by other weights of pairs of hands, in units.

        Args:
            weights: Each in place of those of the game, which has some.
        """
        pairs, values = self.layout.pairs, []
        assert pairs is not None
        with self._working:
            kept = pairs.weight.copy()
            try:
                for other in weights:
                    game = replace(self.game, pair_weights=other)
                    fill_pairs(pairs, game, self.layout.table, other)
                    won = float(self._weights[0] @ self.values(0))
                    values.append(won / total_weight(game))
            finally:
                pairs.weight[:] = kept
        return values

    def mean_gain(self, *, unlocked: bool = False) -> float:
        """The mean gain of both players' best responses over the average strategies, in chips.

        This is the exploitability if payoffs have a constant sum, which they lack with rake. Best
        responses respect the player's own locks unless `unlocked`. Gains that rounding makes
        slightly negative count as 0. With locked frequencies it is the mean gain in the game with
        incentives: an equilibrium of that game with the right frequencies is an equilibrium of the
        locked game.

        NaN where a value is not finite, so that no maximum can hide it.
        """
        constant = self.game.constant_sum
        paid = self.arena.has_frequency_locks and not unlocked
        with self._working:
            best = self._sum_of_both(UNLOCKED if unlocked else BEST)
            if constant is None or paid:
                constant = self._sum_of_both(VALUE, incentives=paid)
        gain = (best - constant) / 2
        return max(gain, 0.0) if math.isfinite(gain) else math.nan

    def trembling_gain(self) -> float:
        """The mean gain of best responses that tremble as the players do, in units.

        It falls to 0 at an equilibrium of the game with trembles.
        """
        with self._working:
            gain = (self._sum_of_both(TREMBLING) - self._sum_of_both(VALUE)) / 2
        return max(gain, 0.0) if math.isfinite(gain) else math.nan

    def frequency_error(self) -> float:
        """The largest error of a locked frequency of the average strategies; 0 without any."""
        with self._working:
            if self.arena.has_frequency_locks and not self._measured:
                self._sum_of_both(VALUE, incentives=True)
            return self.arena.frequency_error()

    def _sum_of_both(self, mode: int, *, incentives: bool = False) -> float:
        """The sum of both players' mean values."""
        values_of_both = self.traversal.values_of_both(mode, incentives=incentives)
        self._measured |= incentives
        return sum(self._mean(player, values) for player, values in enumerate(values_of_both))

    def _mean(self, player: int, values: FloatArray) -> float:
        """Over all matchups."""
        return float(self._weights[player] @ values) / self.total
