"""The engine: it solves a game with a public tree, and measures how well it is solved."""

from __future__ import annotations

from threading import RLock

import numpy as np

from equilibrist.kernels.poker.postflop_arrays import BEST, UNLOCKED, VALUE
from equilibrist.kernels.primitives.barrier import BEGUN, COUNTERS
from equilibrist.poker.engine.arena import Arena, EngineStorage, real_of
from equilibrist.poker.engine.layout import Layout
from equilibrist.poker.engine.node_reader import NodeReader
from equilibrist.poker.engine.node_rows import facing_weights
from equilibrist.poker.engine.traversal import Traversal
from equilibrist.poker.engine.vector_game import VectorGame
from equilibrist.typing import FloatArray


class Engine:
    """The state of a solution that is being found, and what can be asked of it as a whole.

    `predicts` makes room for what predictive variants foresee.

    Attributes:
        layout: How the game is laid out in arrays.
        arena: Regrets and strategy sums.
        traversal: Passes over them.
        reader: Looks single nodes up.
        total: The weight of all matchups at the root.
    """

    def __init__(
        self,
        game: VectorGame,
        storage: EngineStorage = "float32",
        *,
        threads: int = 1,
        predicts: bool = False,
    ) -> None:
        self.game = game
        self.layout = Layout.of(game, real_of(storage))
        self.arena = Arena(self.layout, storage, predicts=predicts)
        self.traversal = Traversal(self.layout, self.arena, threads)
        self.reader = NodeReader(self.layout, self.arena)
        self._weights = [np.asarray(held, np.float64) for held in game.weights]
        self.total = float(self._weights[0] @ facing_weights(game.cards, self._weights)[0])
        self._measured = False
        self._working = RLock()  # of runs; one that Ctrl-C leaks still lets its own thread in
        self.iteration = 0

    @property
    def iteration(self) -> int:
        """Iterations so far, as the state has them; while a run goes on all of it counts."""
        before, count, counters = self._last
        return before + count * int(counters[BEGUN] > 0)

    @iteration.setter
    def iteration(self, number: int) -> None:
        self._last = number, 0, np.zeros(COUNTERS, np.int64)

    @property
    def memory_bytes(self) -> int:
        """Bytes of what is learnt, of the tables of the game, and of working memory."""
        parts = self.layout.memory_bytes + self.traversal.memory_bytes
        return self.arena.nbytes + self.arena.aims.nbytes + parts

    def load(self) -> None:
        """Have the kernel ready, compiled now if need be, before a clock starts."""
        self.traversal.load()

    def run(self, coefficients: FloatArray, *, weigh: bool = False) -> None:
        """An iteration per row of `coefficients`, float64[T, 7]; `weigh` averages by own reach.

        With frequencies they always are: else averages need not meet what all iterations met.
        """
        weigh = weigh or self.arena.has_aims
        table = np.column_stack([coefficients, np.full(len(coefficients), weigh)])
        with self._working:
            self._measured = False
            last = self._last = self.iteration, len(table), np.zeros(COUNTERS, np.int64)
            self.traversal.update(table, last[-1])

    def values(self, player: int, *, best: bool = False, unlocked: bool = False) -> FloatArray:
        """float64[n]: what each hand of a player wins, summed over the hands that it faces.

        With the average strategies of both, or with a best response to the other's, which keeps to
        the player's own locks unless `unlocked`: to frequencies by the incentives to meet them.
        """
        with self._working:
            mode = UNLOCKED if unlocked else BEST if best else VALUE
            return self.traversal.values(player, mode)

    def expected(self, player: int, *, best: bool = False, unlocked: bool = False) -> float:
        """The mean of `values` over all matchups, in chips."""
        return self._mean(player, self.values(player, best=best, unlocked=unlocked))

    def mean_gain(self, *, unlocked: bool = False) -> float:
        """What best responses gain on the average strategies, the mean of both players, in chips.

        This is the exploitability where payoffs have a constant sum; with rake they have none. Best
        responses keep to the player's own locks unless `unlocked`. Rounding can put them a
        hair below the strategies themselves: that is 0. With frequencies it is the mean gain
        in the game with their incentives, of which an equilibrium that meets the frequencies is one
        of the game without: nobody who meets them too gains anything.
        """
        constant = self.game.constant_sum
        paid = self.arena.has_aims and not unlocked
        with self._working:
            best = self._sum_of_both(UNLOCKED if unlocked else BEST)
            if constant is None or paid:
                constant = self._sum_of_both(VALUE, incentives=paid)
        return max((best - constant) / 2, 0.0)

    def missed(self) -> float:
        """By how much averages miss a frequency at a node, the worst of them; 0 without any."""
        with self._working:
            if self.arena.has_aims and not self._measured:
                self._sum_of_both(VALUE, incentives=True)
            return self.arena.missed()

    def _sum_of_both(self, mode: int, *, incentives: bool = False) -> float:
        """What both win in the mean."""
        found = self.traversal.values_of_both(mode, incentives=incentives)
        self._measured |= incentives
        return sum(self._mean(player, values) for player, values in enumerate(found))

    def _mean(self, player: int, values: FloatArray) -> float:
        """Over all matchups."""
        return float(self._weights[player] @ values) / self.total
