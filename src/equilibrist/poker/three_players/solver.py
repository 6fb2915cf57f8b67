"""CFR for a river with three players: seats update in turn, each against the newest strategies.

Own reach weighs the averages; without it they stall. The averages are what is measured and kept:
with three players nothing is promised of them, and the last iterates can leave an almost settled
state for a while.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.three_decisions import (
    LEAST,
    add_best,
    add_forms,
    add_played,
    learn,
    pass_reach,
)
from equilibrist.kernels.poker.three_ranges import FormLines
from equilibrist.poker.three_players.form_values import evaluate_forms, working_memory
from equilibrist.poker.three_players.forms import SEATS, Form
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.profile import Forms, HandsAndGames, Measure
from equilibrist.poker.three_players.tables import Tables
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

KERNEL: Final = "equilibrist.kernels.poker.three_ranges.evaluate_lines"
"""The kernel of a run that takes longest to compile."""
_ROW_BYTES: Final = 4 * 4 + 4 * 8
"""Per number of a row: regrets, strategy sums, strategy and reach in float32; in float64 the
uniform strategy, averages, their reach, and the averages that are kept."""
_MEASURE_BYTES: Final = 2 * 8
"""Per number of a row of one seat: its worth, and that of a best response."""
_FORM_BYTES: Final = 4 + 8
"""Per number of a form: in either precision."""
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
        self._real = precision
        tables = Tables(laid_out.spot.cards, laid_out.hands)
        self._forms = _Forms(tables, laid_out, precision)
        self._exact_forms = _Forms(tables, laid_out, np.float64)
        self._uniform = [
            _widened(strategy, width)
            for strategy, width in zip(laid_out.uniform(), tables.widths, strict=True)
        ]
        self._ranges = [
            _widened(weights, width)
            for weights, width in zip(laid_out.weights, tables.widths, strict=True)
        ]
        self._exact = [_Passes(game, np.float64) for game in laid_out.games]
        self._passes = [_Passes(game, precision) for game in laid_out.games]
        self._weights = [weights.astype(precision) for weights in self._ranges]
        self._strategies = [strategy.astype(precision) for strategy in self._uniform]
        self._regrets = [np.zeros_like(strategy) for strategy in self._strategies]
        self._sums = [np.zeros_like(strategy) for strategy in self._strategies]
        self._means = [np.zeros((2, width), precision) for width in tables.widths]
        self._reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(
                self._passes, self._weights, self._strategies, strict=True
            )
        ]

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
        hands = self.laid_out.hands
        return [
            np.ascontiguousarray(average[:, : len(held)])
            for average, held in zip(self._averages(), hands, strict=True)
        ]

    def _averages(self) -> list[FloatArray]:
        """The averages, in rows as wide as those of the kernels."""
        averages = []
        for game, sums, uniform in zip(self.laid_out.games, self._sums, self._uniform, strict=True):
            average = uniform.copy()
            if game.num_decisions:
                counts = np.diff(game.first)
                totals = np.add.reduceat(sums.astype(np.float64), game.first[:-1], axis=0)
                total = np.repeat(totals, counts, axis=0)
                np.divide(sums[1:], total, out=average[1:], where=total > LEAST)
            averages.append(average)
        return averages

    def measure(self) -> Measure:
        """Measure the averages by exact best responses, in float64.

        Returns:
            The value of each seat, and what it gains by a best response.
        """
        played = self._averages()
        reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(self._exact, self._ranges, played, strict=True)
        ]
        values, gains = [], []
        for seat, passes in enumerate(self._exact):
            j, k = OTHERS[seat]
            worth = passes.worth(self._exact_forms(seat, reach[j], reach[k]))
            best = worth.copy()
            add_played(passes.game.parent, passes.game.first, played[seat], worth)
            add_best(passes.game.parent, passes.game.first, best)
            share = self._ranges[seat] / self.laid_out.total
            values.append(float(share @ worth[0]))
            gains.append(float(share @ (best[0] - worth[0])))
        return Measure(tuple(values), tuple(gains))


def memory_needed(laid_out: HandsAndGames) -> int:
    """The bytes that a run in float32 takes, with its measurements and the averages that it keeps.

    Args:
        laid_out: The spot.

    Returns:
        The bytes, within a tenth from a few megabytes on.
    """
    widths = [filled_up(len(held), TILE) for held in laid_out.hands]
    games = laid_out.games
    rows = [game.num_rows * width for game, width in zip(games, widths, strict=True)]
    forms = [len(game.kind) * width for game, width in zip(games, widths, strict=True)]
    return _ROW_BYTES * sum(rows) + _MEASURE_BYTES * max(rows) + _FORM_BYTES * sum(forms)


def exact_forms(laid_out: HandsAndGames) -> Forms:
    """What evaluates the forms of a spot in float64.

    Args:
        laid_out: The spot.

    Returns:
        A function of a seat and of the reach of both opponents, float64[rows, hands].
    """
    tables = Tables(laid_out.spot.cards, laid_out.hands)
    forms = _Forms(tables, laid_out, np.float64)

    def evaluate(seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        j, k = OTHERS[seat]
        wide_j, wide_k = _widened(reach_j, tables.widths[j]), _widened(reach_k, tables.widths[k])
        return forms(seat, wide_j, wide_k)[:, : len(laid_out.hands[seat])].copy()

    return evaluate


class _Forms:
    """Evaluates forms in one precision; all rows are as wide as those of the kernels."""

    def __init__(self, tables: Tables, laid_out: HandsAndGames, precision: Any) -> None:
        self._tables, self._scratch = tables, working_memory(tables, precision)
        self._lines = [_lines_of(game, precision) for game in laid_out.games]
        self._values = [
            np.empty((len(game.kind), width), precision)
            for game, width in zip(laid_out.games, tables.widths, strict=True)
        ]

    def __call__(self, seat: int, reach_j: Floats, reach_k: Floats) -> Floats:
        """The forms of a seat, float[F, W], valid until it is asked again."""
        values = self._values[seat]
        values.fill(0.0)
        evaluate_forms(
            self._tables, seat, self._lines[seat], reach_j, reach_k, values, self._scratch
        )
        return values


def _lines_of(game: SeatGame, precision: Any) -> FormLines:
    """The forms of a game as the kernels take them."""
    return FormLines(
        begin=np.searchsorted(game.kind, np.arange(len(Form) + 1)).astype(np.int64),
        row_j=np.ascontiguousarray(game.rows[:, 0]),
        row_k=np.ascontiguousarray(game.rows[:, 1]),
        row_out=np.arange(len(game.kind), dtype=np.int32),
        coefficient=np.ones(len(game.kind), precision),
    )


def _widened(numbers: FloatArray, width: int) -> FloatArray:
    """The numbers with zeros behind each row, up to a width."""
    rows = np.zeros((*numbers.shape[:-1], width))
    rows[..., : numbers.shape[-1]] = numbers
    return rows


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
