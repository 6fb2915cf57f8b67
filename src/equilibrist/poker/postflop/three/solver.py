"""CFR for a river with three players: seats update in turn, each against the newest strategies.

Own reach weighs the averages; without it they stall. The averages are what is measured and kept:
with three players nothing is promised of them, and the last iterates can leave an almost settled
state for a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.three_decisions import (
    LEAST,
    add_best,
    add_forms,
    add_played,
    learn,
    pass_reach,
)
from equilibrist.poker.postflop.three.forms import SEATS
from equilibrist.poker.postflop.three.game import OTHERS, SeatGame
from equilibrist.poker.postflop.three.profile import Forms, HandsAndGames, Measure
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

KERNEL: Final = "equilibrist.kernels.poker.three_decisions.learn"
"""The last kernel that a run calls."""
Floats = NDArray[Any]
"""Arrays of the precision of a solver."""


class ThreeSolver:
    """A run of CFR on a spot of three.

    Args:
        laid_out: The spot.
        variant: The variant of CFR; one that needs no horizon.
        precision: float32 or float64, of regrets, strategy sums and values; what is measured is
            float64.
    """

    def __init__(
        self,
        laid_out: HandsAndGames,
        variant: Variant,
        precision: type[np.float32] | type[np.float64] = np.float32,
    ) -> None:
        self.laid_out, self.variant = laid_out, variant
        self.iteration = 0
        self._exact_forms, self._real = exact_forms(laid_out), precision
        self._forms = self._exact_forms
        self._uniform = laid_out.uniform()
        self._exact = [_Passes(game, np.float64) for game in laid_out.games]
        self._passes = [_Passes(game, precision) for game in laid_out.games]
        self._weights = [weights.astype(precision) for weights in laid_out.weights]
        self._strategies = [strategy.astype(precision) for strategy in self._uniform]
        self._regrets = [np.zeros_like(strategy) for strategy in self._strategies]
        self._sums = [np.zeros_like(strategy) for strategy in self._strategies]
        self._means = [np.zeros((2, len(held)), precision) for held in laid_out.hands]
        self._reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(
                self._passes, self._weights, self._strategies, strict=True
            )
        ]

    @property
    def memory_bytes(self) -> int:
        """The bytes of regrets, strategy sums, strategies and reach."""
        kept = (self._regrets, self._sums, self._strategies, self._reach)
        return sum(array.nbytes for arrays in kept for array in arrays)

    def run(self, iterations: int, /) -> None:
        """Run iterations.

        Args:
            iterations: How many more.
        """
        rows = self.variant.table(self.iteration + 1, iterations).astype(self._real)
        for factors in rows:
            for seat in range(SEATS):
                j, k = OTHERS[seat]
                passes = self._passes[seat]
                worth = passes.worth(self._forms(seat, self._reach[j], self._reach[k]))
                learn(
                    passes.game.parent, passes.game.first, passes.uniform, factors,
                    self._reach[seat], worth, self._regrets[seat], self._sums[seat],
                    self._strategies[seat], self._means[seat],
                )  # fmt: skip
                passes.reach(self._weights[seat], self._strategies[seat], self._reach[seat])
            self.iteration += 1

    def averages(self) -> list[FloatArray]:
        """The average strategies of the three seats.

        Returns:
            For each seat float64[R, H]; uniform where it never came with a hand.
        """
        averages = []
        for game, sums, uniform in zip(
            self.laid_out.games, self._sums, self._uniform, strict=True
        ):
            average = uniform.copy()
            if game.num_decisions:
                counts = np.diff(game.first)
                totals = np.add.reduceat(sums.astype(np.float64), game.first[:-1], axis=0)
                total = np.repeat(totals, counts, axis=0)
                np.divide(sums[1:], total, out=average[1:], where=total > LEAST)
            averages.append(average)
        return averages

    def measure(self, strategies: Sequence[FloatArray] | None = None) -> Measure:
        """Measure strategies by exact best responses, in float64.

        Args:
            strategies: For each seat float64[R, H]; by default the averages.

        Returns:
            The value of each seat, and what it gains by a best response.
        """
        laid_out = self.laid_out
        played = self.averages() if strategies is None else strategies
        reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(
                self._exact, laid_out.weights, played, strict=True
            )
        ]
        values, gains = [], []
        for seat, passes in enumerate(self._exact):
            j, k = OTHERS[seat]
            worth = passes.worth(self._exact_forms(seat, reach[j], reach[k]))
            best = worth.copy()
            add_played(passes.game.parent, passes.game.first, played[seat], worth)
            add_best(passes.game.parent, passes.game.first, best)
            share = laid_out.weights[seat] / laid_out.total
            values.append(float(share @ worth[0]))
            gains.append(float(share @ (best[0] - worth[0])))
        return Measure(tuple(values), tuple(gains))


def exact_forms(laid_out: HandsAndGames) -> Forms:
    """What evaluates the forms of a spot in float64.

    Args:
        laid_out: The spot.

    Returns:
        A function of a seat and the reach of both opponents.
    """
    return laid_out.plain_forms


class _Passes:
    """The passes over the game of a seat in one precision."""

    def __init__(self, game: SeatGame, precision: Any) -> None:
        self.game = game
        self.uniform = (1.0 / np.diff(game.first)).astype(precision)
        self._coefficient = game.coefficient.astype(precision)

    def reach(self, weights: Floats, strategy: Floats, out: Floats | None = None) -> Floats:
        """The reach of each row, written to `out` if it is given."""
        reach = np.empty_like(strategy) if out is None else out
        pass_reach(self.game.parent, self.game.first, weights, strategy, reach)
        return reach

    def worth(self, forms: Floats) -> Floats:
        """What each row is worth by itself."""
        worth = np.empty((self.game.num_rows, forms.shape[1]), forms.dtype)
        add_forms(self.game.start, self.game.form, self._coefficient, forms, worth)
        return worth
