"""CFR for a spot with three players: seats update in turn, each against the newest strategies.

Own reach weighs the averages; without it they stall. The averages are what is measured and kept:
with three players nothing is promised of them, and the last iterates can leave an almost settled
state for a while. The first street's board is solved here; what the next street's boards are worth
to it is added up by `runouts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.three_decisions import (
    add_best,
    add_forms,
    add_played,
    learn,
    pass_reach,
)
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.three_players.form_values import (
    evaluate_forms,
    working_bytes,
    working_memory,
)
from equilibrist.poker.three_players.forms import SEATS
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    Measure,
    in_proportion,
    uniform_strategy,
)
from equilibrist.poker.three_players.runouts import (
    RunoutPasses,
    lines_of,
    runout_bytes,
    runout_lists,
)
from equilibrist.poker.three_players.spot_locks import SpotLocks, locked_bytes
from equilibrist.poker.three_players.tables import Tables, list_bytes
from equilibrist.solvers.run.threads import ThreadTeam
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray, Int32Array, Int64Array

KERNEL: Final = "equilibrist.kernels.poker.three_ranges.evaluate_lines"
"""The kernel of a run on a river that takes longest to compile."""
TURN_KERNEL: Final = "equilibrist.kernels.poker.three_runouts.learn_runouts"
"""That of a run on a turn."""
_ROW_BYTES: Final = 4 * 4 + 4 * 8
"""Per number of a row of the first street: regrets, strategy sums, strategy and reach in float32;
in float64 the averages, their reach, the averages that are kept, and those that replace them."""
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
        threads: How many threads share the boards of the next street.
        tremble: The least probability of every action; 0 without trembles.
    """

    def __init__(
        self,
        laid_out: HandsAndGames,
        variant: Variant,
        precision: type[np.float32] | type[np.float64] = np.float32,
        threads: int = 1,
        tremble: float = 0.0,
    ) -> None:
        self.laid_out, self.variant, self.tremble = laid_out, variant, tremble
        self.iteration = 0
        self._real = precision
        self._locks = SpotLocks.of(laid_out)
        self._valuer = Valuer(laid_out, threads)
        tables = self._valuer.tables
        self._forms = _Forms(tables, laid_out.games, precision)
        self._passes = [_Passes(game, precision) for game in laid_out.games]
        self._weights = [
            widened(weights, width).astype(precision)
            for weights, width in zip(laid_out.weights, tables.widths, strict=True)
        ]
        self._strategies = [
            uniform_strategy(game, width).astype(precision)
            for game, width in zip(laid_out.games, tables.widths, strict=True)
        ]
        for locks, strategy in zip(self._locks.first, self._strategies, strict=True):
            locks.hold(strategy)
        self._regrets = [np.zeros_like(strategy) for strategy in self._strategies]
        self._sums = [np.zeros_like(strategy) for strategy in self._strategies]
        self._means = [np.zeros((2, width), precision) for width in tables.widths]
        self._reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(
                self._passes, self._weights, self._strategies, strict=True
            )
        ]
        self._later = _Later(self._valuer, self._locks, precision) if laid_out.later else None

    def begin_with(self, strategies: Sequence[FloatArray]) -> None:
        """Set what the seats play in the first iteration, in place of uniform strategies.

        Args:
            strategies: For each seat float64[R, H], as `HandsAndGames.uniform` has them.
        """
        for seat, strategy in enumerate(strategies):
            self._strategies[seat][:, : strategy.shape[1]] = strategy
            self._locks.first[seat].hold(self._strategies[seat])
            passes, weights = self._passes[seat], self._weights[seat]
            passes.reach(weights, self._strategies[seat], self._reach[seat])

    def begin_on_board(self, seat: int, board: int, strategy: FloatArray) -> None:
        """Set what a seat plays on a board of the next street in the first iteration.

        Args:
            seat: The seat.
            board: The number of the board.
            strategy: float64[R, H], H the hands that the board leaves.
        """
        assert self._later is not None
        self._later.begin(seat, board, strategy)

    def run(self, iterations: int, /) -> None:
        """Run iterations.

        Args:
            iterations: How many more.
        """
        table = self.variant.table(self.iteration + 1, iterations)
        rows = np.column_stack([table, np.full(len(table), self.tremble)]).astype(self._real)
        for factors in rows:
            for seat in range(SEATS):
                j, k = OTHERS[seat]
                passes = self._passes[seat]
                worth = passes.worth(self._forms(seat, self._reach[j], self._reach[k]))
                if self._later is not None:
                    self._later.learn(seat, factors, self._reach, worth)
                learn(
                    passes.game.parent, passes.game.first, passes.uniform, factors,
                    self._locks.first[seat].arrays, self._reach[seat], worth, self._regrets[seat],
                    self._sums[seat], self._strategies[seat], self._means[seat],
                )  # fmt: skip
                passes.reach(self._weights[seat], self._strategies[seat], self._reach[seat])
            self.iteration += 1

    def averages(self) -> list[FloatArray]:
        """The average strategies of the three seats on the first street.

        Returns:
            For each seat float64[R, H]; uniform where it never came with a hand.
        """
        hands = self.laid_out.hands
        return [
            np.ascontiguousarray(average[:, : len(held)])
            for average, held in zip(self._averages(), hands, strict=True)
        ]

    def copy_later(self, into: Sequence[Floats] | None = None) -> list[Floats]:
        """Copy what the averages of the next street are in proportion to.

        Args:
            into: An earlier copy, which is overwritten; None for new memory.

        Returns:
            For each seat float[B, R, W], its strategy sums; nothing on a river.
        """
        if self._later is None:
            return []
        held = self._later.held_sums()
        if not into:
            return [sums.copy() for sums in held]
        for copied, sums in zip(into, held, strict=True):
            copied[:] = sums
        return list(into)

    def _averages(self) -> list[FloatArray]:
        """The averages, in rows as wide as those of the kernels."""
        averages = [
            in_proportion(game, sums)
            for game, sums in zip(self.laid_out.games, self._sums, strict=True)
        ]
        for locks, average in zip(self._locks.first, averages, strict=True):
            locks.hold(average)
        return averages

    def measure(self) -> Measure:
        """Measure the averages by exact best responses, in float64.

        Returns:
            The value of each seat, and what it gains by a best response.
        """
        later = [] if self._later is None else self._later.held_sums()
        return self._valuer.measure(self._averages(), later, self._locks)


class Valuer:
    """Values of three strategies, and of best responses to them, in float64.

    Args:
        laid_out: The spot.
        threads: How many threads share the boards of the next street.

    Attributes:
        laid_out: The spot.
        tables: The lists of the first street's board.
        lists: Those of the next street's boards, by seat; none on a river.
        team: The threads.
        threads: How many of them.
    """

    def __init__(self, laid_out: HandsAndGames, threads: int = 1) -> None:
        self.laid_out, self.threads = laid_out, threads
        self.team = ThreadTeam(threads)
        self.tables = Tables(laid_out.spot.cards, laid_out.hands)
        self.lists = runout_lists(laid_out.runouts) if laid_out.later else []
        self._forms = _Forms(self.tables, laid_out.games, np.float64)
        self._passes = [_Passes(game, np.float64) for game in laid_out.games]
        self._ranges = [
            widened(weights, width)
            for weights, width in zip(laid_out.weights, self.tables.widths, strict=True)
        ]
        self._later = self.passes(np.float64) if laid_out.later else None
        self._free = SpotLocks.free(laid_out)

    def passes(self, precision: Any) -> RunoutPasses:
        """Passes over the boards of the next street.

        Args:
            precision: float32 or float64.

        Returns:
            Their passes, with working memory of their own.
        """
        laid_out = self.laid_out
        return RunoutPasses(
            laid_out.runouts, self.lists, laid_out.later[0], precision, self.team, self.threads
        )

    def measure(
        self,
        played: Sequence[FloatArray],
        later: Sequence[Floats],
        locks: SpotLocks | None = None,
    ) -> Measure:
        """Measure three strategies by exact best responses.

        Args:
            played: For each seat float64[R, V], the strategy of the first street, in rows as wide
                as those of the tables.
            later: For each seat float[B, R, W], weights in proportion to which actions
                are taken on the next street.
            locks: The locks to which they are held; None for no locks.

        Returns:
            The value of each seat, and what it gains by a best response. Incentives, by which locks
            hold frequencies, count for gains alone.
        """
        reach = self.reach(played)
        values, gains = self._figures(played, reach, later, None)
        if locks is None or not locks.are_any:
            return Measure(values, gains)
        _, bound = self._figures(played, reach, later, locks)
        return Measure(values, bound, gains, locks.frequency_error)

    def _figures(
        self,
        played: Sequence[FloatArray],
        reach: Sequence[FloatArray],
        later: Sequence[Floats],
        locks: SpotLocks | None,
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The value of each seat, and what it gains where these locks bind it."""
        values, gains = [], []
        for seat in range(SEATS):
            worth, best = self.worth(seat, played, reach, later, locks)
            share = self._ranges[seat] / self.laid_out.total
            values.append(float(share @ worth[0]))
            gains.append(float(share @ (best[0] - worth[0])))
        return tuple(values), tuple(gains)

    def reach(self, played: Sequence[FloatArray]) -> list[FloatArray]:
        """How often each seat brings its hands to each row of the first street.

        Args:
            played: For each seat float64[R, V].

        Returns:
            For each seat float64[R, V].
        """
        return [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(self._passes, self._ranges, played, strict=True)
        ]

    def worth(
        self,
        seat: int,
        played: Sequence[FloatArray],
        reach: Sequence[FloatArray],
        later: Sequence[Floats],
        locks: SpotLocks | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """What the rows of a seat are worth on the first street, times the reach of the others.

        Args:
            seat: The seat.
            played: For each seat float64[R, V].
            reach: For each seat float64[R, V].
            later: For each seat float[B, R, W], weights in proportion to which actions
                are taken on the next street.
            locks: The locks that bind it; None for no locks.

        Returns:
            float64[R, V] if the seat plays its strategy, then if it plays a best response.
        """
        j, k = OTHERS[seat]
        binding = self._free if locks is None else locks
        own = binding.first[seat].arrays
        passes = self._passes[seat]
        worth = passes.worth(self._forms(seat, reach[j], reach[k]))
        best = worth.copy()
        if self._later is not None:
            self._later.measure(seat, later, binding.later, reach, worth, best)
        add_played(passes.game.parent, passes.game.first, played[seat], own, reach[seat], worth)
        add_best(passes.game.parent, passes.game.first, own, best)
        return worth, best


class _Later:
    """What is learned on the boards of the next street."""

    def __init__(self, valuer: Valuer, locks: SpotLocks, precision: Any) -> None:
        laid_out = valuer.laid_out
        self._locks = locks.later
        runouts, games = laid_out.runouts, laid_out.later[0]
        self._passes = valuer.passes(precision)
        shapes = [
            (runouts.count, game.num_rows, width)
            for game, width in zip(games, runouts.widths, strict=True)
        ]
        self._regrets, self.sums, self._strategies = (
            [_rows(shape, precision) for shape in shapes] for _ in range(3)
        )
        for game, strategy in zip(games, self._strategies, strict=True):
            strategy[:] = uniform_strategy(game, 1).astype(precision)
        for seat, strategy in zip(self._locks, self._strategies, strict=True):
            seat.hold(strategy)
        # Hands that are images of each other keep the same strategy to the last bit.
        self._alike = [_led(alike) for alike in laid_out.alike]

    def begin(self, seat: int, board: int, strategy: FloatArray) -> None:
        """Set what a seat plays on a board in the first iteration."""
        self._strategies[seat][board, :, : strategy.shape[1]] = strategy

    def learn(self, seat: int, factors: Floats, reach: Sequence[Floats], worth: Floats) -> None:
        """Update a seat on all boards, and add what they are worth to the first street's rows."""
        self._passes.learn(
            seat, factors, self._strategies, self._locks, self._regrets[seat], self.sums[seat],
            reach, worth,
        )  # fmt: skip
        others, leaders = self._alike[seat]
        worth[:, others] = worth[:, leaders]

    def held_sums(self) -> list[Floats]:
        """The strategy sums, where locks say what hands play that never come, too."""
        for locks, sums in zip(self._locks, self.sums, strict=True):
            locks.hold(sums)
        return self.sums


def memory_needed(laid_out: HandsAndGames, threads: int = 1) -> int:
    """The bytes that a run in float32 takes, with its measurements and the averages that it keeps.

    Args:
        laid_out: The spot.
        threads: How many threads share the boards of the next street.

    Returns:
        The bytes, within a twentieth from a few megabytes on.
    """
    widths = [filled_up(len(held), TILE) for held in laid_out.hands]
    games = laid_out.games
    rows = [game.num_rows * width for game, width in zip(games, widths, strict=True)]
    forms = [len(game.kind) * width for game, width in zip(games, widths, strict=True)]
    needed = _ROW_BYTES * sum(rows) + _MEASURE_BYTES * max(rows) + _FORM_BYTES * sum(forms)
    needed += list_bytes(laid_out.spot.cards, laid_out.hands)
    needed += sum(working_bytes(widths, dtype) for dtype in (np.float32, np.float64))
    if laid_out.later:
        needed += runout_bytes(laid_out.runouts, laid_out.later[0], threads)
    return needed + locked_bytes(laid_out)


def exact_forms(
    board: Sequence[int], hands: Sequence[Int32Array], games: Sequence[SeatGame]
) -> Forms:
    """What evaluates the forms of a street on a board in float64.

    Args:
        board: Its cards.
        hands: For each seat, its combos there.
        games: The game of each seat.

    Returns:
        A function of a seat and of the reach of both opponents, float64[rows, hands].
    """
    tables = Tables(board, hands)
    forms = _Forms(tables, games, np.float64)

    def evaluate(seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        j, k = OTHERS[seat]
        wide_j, wide_k = widened(reach_j, tables.widths[j]), widened(reach_k, tables.widths[k])
        return forms(seat, wide_j, wide_k)[:, : len(hands[seat])].copy()

    return evaluate


class _Forms:
    """Evaluates forms in one precision; all rows are as wide as those of the kernels."""

    def __init__(self, tables: Tables, games: Sequence[SeatGame], precision: Any) -> None:
        self._tables, self._scratch = tables, working_memory(tables.widths, precision)
        self._lines = [lines_of(game, precision) for game in games]
        self._values = [
            np.empty((len(game.kind), width), precision)
            for game, width in zip(games, tables.widths, strict=True)
        ]

    def __call__(self, seat: int, reach_j: Floats, reach_k: Floats) -> Floats:
        """The forms of a seat, float[F, W], valid until it is asked again."""
        values = self._values[seat]
        values.fill(0.0)
        evaluate_forms(
            self._tables, seat, self._lines[seat], reach_j, reach_k, values, self._scratch
        )
        return values


def _rows(shape: tuple[int, ...], precision: Any) -> Floats:
    """Zeros, aligned to a cache line."""
    return numbers(int(np.prod(shape)), precision).reshape(shape)


def _led(alike: Int32Array) -> tuple[Int64Array, Int64Array]:
    """The columns of hands that are images of another one, and those of that one."""
    others = np.flatnonzero(alike != np.arange(len(alike)))
    return others, alike[others].astype(np.int64)


def widened(narrow: FloatArray, width: int) -> FloatArray:
    """Numbers with zeros behind each row, up to a width.

    Args:
        narrow: float64[..., H].
        width: At least H.

    Returns:
        float64[..., width].
    """
    rows = np.zeros((*narrow.shape[:-1], width))
    rows[..., : narrow.shape[-1]] = narrow
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
        reach[0] = weights
        pass_reach(self.game.parent, self.game.first, strategy, reach)
        return reach

    def worth(self, forms: Floats) -> Floats:
        """What each row is worth by itself."""
        worth = np.empty((self.game.num_rows, forms.shape[1]), forms.dtype)
        add_forms(self.game.start, self.game.form, self._coefficient, forms, worth)
        return worth
