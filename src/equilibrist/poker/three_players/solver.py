"""CFR for a spot with three players: seats update in turn, each against the newest strategies.

Own reach weighs the averages; without it they stall. The averages are what is measured and kept:
with three players nothing is promised of them, and the last iterates can leave an almost settled
state for a while. The first street's board is solved here; what the next street's boards are worth
to it is added up by `runouts`, on a flop by `turns`. Rivers of a flop take nearly all of the
memory, so of them regrets and strategy sums alone are kept, where the algorithm plays in proportion
to its regrets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.three_decisions import (
    add_best,
    add_played,
    learn,
)
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.three_players.form_values import working_bytes
from equilibrist.poker.three_players.forms import SEATS
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.lock_rows import SeatLocks, free_seat
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    Measure,
    in_proportion,
    uniform_strategy,
)
from equilibrist.poker.three_players.runouts import (
    Learned,
    RunoutPasses,
    board_lists,
    runout_bytes,
)
from equilibrist.poker.three_players.spot_locks import SpotLocks, locked_bytes
from equilibrist.poker.three_players.street import SeatPasses, StreetForms
from equilibrist.poker.three_players.tables import Tables, list_bytes
from equilibrist.poker.three_players.turns import TurnPasses, Turns, led, turn_bytes
from equilibrist.solvers.run.threads import ThreadTeam
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray, Int32Array

KERNEL: Final = "equilibrist.kernels.poker.three_ranges.evaluate_lines"
"""The kernel of a run on a river that takes longest to compile."""
TURN_KERNEL: Final = "equilibrist.kernels.poker.three_runouts.learn_runouts"
"""That of a run on a turn or a flop."""
_ROW_BYTES: Final = 4 * 4 + 4 * 8
"""Per number of a row of the first street: regrets, strategy sums, strategy and reach in float32;
in float64 the averages, their reach, the averages that are kept, and those that replace them."""
_MEASURE_BYTES: Final = 2 * 8
"""Per number of a row of one seat: its worth, and that of a best response."""
_FORM_BYTES: Final = 4 + 8
"""Per number of a form: in either precision."""
_ALMOST_NO_REGRET: Final = 1e-20
"""In proportion to a strategy that is drawn, such regrets play it once; what is learned then is
far more."""
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
        self._forms = StreetForms(tables.widths, laid_out.games, precision)
        self._passes = [SeatPasses(game, precision) for game in laid_out.games]
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
        # Hands that are images of each other keep the same strategy to the last bit.
        self._alike = [led(held, laid_out.group) for held in laid_out.hands]
        self._means = [np.zeros((2, width), precision) for width in tables.widths]
        self._reach = [
            passes.reach(weights, strategy)
            for passes, weights, strategy in zip(
                self._passes, self._weights, self._strategies, strict=True
            )
        ]
        self._later = _later(self._valuer, self._locks, variant, precision)

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

    def begin_on_board(self, street: int, seat: int, board: int, strategy: FloatArray) -> None:
        """Set what a seat plays on a board of a later street in the first iteration.

        Args:
            street: The number of the street, 0 for the next one.
            seat: The seat.
            board: The number of the board; rivers of a flop are numbered through.
            strategy: float64[R, H], H the hands that the board leaves.
        """
        assert self._later is not None
        self._later.begin(street, seat, board, strategy)

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
                tables = self._valuer.tables
                forms = self._forms.values(tables, seat, self._reach[j], self._reach[k])
                worth = passes.worth(forms)
                if self._later is not None:
                    self._later.learn(seat, factors, self._reach, worth)
                    others, leaders = self._alike[seat]
                    worth[:, others] = worth[:, leaders]
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
            For each seat float[B, R, W], its strategy sums; of a flop first those of the turns,
            then those of the rivers, float[B, R - N, W]; nothing on a river.
        """
        if not into:
            return [sums.copy() for sums in self.later_sums]
        for copied, sums in zip(into, self.later_sums, strict=True):
            copied[:] = sums
        return list(into)

    @property
    def later_sums(self) -> list[Floats]:
        """What `copy_later` copies, as it is now."""
        return [] if self._later is None else self._later.held_sums()

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
        return self._valuer.measure(self._averages(), self.later_sums, self._locks)


class Valuer:
    """Values of three strategies, and of best responses to them, in float64.

    Args:
        laid_out: The spot.
        threads: How many threads share the rivers.

    Attributes:
        laid_out: The spot.
        tables: The lists of the first street's board.
    """

    def __init__(self, laid_out: HandsAndGames, threads: int = 1) -> None:
        self.laid_out, self._threads = laid_out, threads
        self._team = ThreadTeam(threads)
        self.tables = Tables(laid_out.spot.cards, laid_out.hands)
        self._lists = board_lists(laid_out.last_boards) if laid_out.later else None
        self._turns = _turns(laid_out) if laid_out.rivers else None
        self._forms = StreetForms(self.tables.widths, laid_out.games, np.float64)
        self._passes = [SeatPasses(game, np.float64) for game in laid_out.games]
        self._ranges = [
            widened(weights, width)
            for weights, width in zip(laid_out.weights, self.tables.widths, strict=True)
        ]
        self._later = self.passes(np.float64)
        self._free = SpotLocks.free(laid_out)

    def passes(self, precision: type[Any]) -> RunoutPasses | TurnPasses | None:
        """Passes over the boards of the next street.

        Args:
            precision: float32 or float64.

        Returns:
            Their passes, with working memory of their own; None on a river.
        """
        laid_out = self.laid_out
        if self._lists is None:
            return None
        last = RunoutPasses(
            laid_out.last_boards, self._lists, laid_out.later[-1], precision, self._team,
            self._threads,
        )  # fmt: skip
        if self._turns is None:
            return last
        return TurnPasses(self._turns, laid_out.later[0], last, precision)

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
                are taken on the next street; of a flop also those of the rivers.
            locks: The locks to which they are held; None for no locks.

        Returns:
            The value of each seat, and what it gains by a best response. Incentives, by which locks
            hold frequencies, count for gains alone.
        """
        reach = self.reach(played)
        values, gains, worth = self._figures(played, reach, later, None)
        if locks is None or not locks.are_any:
            return Measure(values, gains, worth=worth)
        _, bound, _ = self._figures(played, reach, later, locks)
        return Measure(values, bound, gains, locks.frequency_error, worth)

    def _figures(
        self,
        played: Sequence[FloatArray],
        reach: Sequence[FloatArray],
        later: Sequence[Floats],
        locks: SpotLocks | None,
    ) -> tuple[tuple[float, ...], tuple[float, ...], tuple[FloatArray, ...]]:
        """Of each seat its value, its gain where these locks bind it, and the worth of its rows."""
        values, gains, rows = [], [], []
        for seat, held in enumerate(self.laid_out.hands):
            worth, best = self.worth(seat, played, reach, later, locks)
            share = self._ranges[seat] / self.laid_out.total
            values.append(float(share @ worth[0]))
            gains.append(float(share @ (best[0] - worth[0])))
            rows.append(worth[:, : len(held)])
        return tuple(values), tuple(gains), tuple(rows)

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
            later: As of `measure`.
            locks: The locks that bind it; None for no locks.

        Returns:
            float64[R, V] if the seat plays its strategy, then if it plays a best response.
        """
        j, k = OTHERS[seat]
        binding = self._free if locks is None else locks
        own = binding.first[seat].arrays
        passes = self._passes[seat]
        worth = passes.worth(self._forms.values(self.tables, seat, reach[j], reach[k]))
        best = worth.copy()
        if isinstance(self._later, TurnPasses):
            self._later.measure(seat, later[:SEATS], later[SEATS:], reach, worth, best)
        elif self._later is not None:
            self._later.measure(0, seat, later, binding.later, reach, worth, best)
        add_played(passes.game.parent, passes.game.first, played[seat], own, reach[seat], worth)
        add_best(passes.game.parent, passes.game.first, own, best)
        return worth, best


class _Rivers:
    """What is learned on the rivers of a turn."""

    def __init__(
        self,
        laid_out: HandsAndGames,
        passes: RunoutPasses,
        locks: Sequence[SeatLocks],
        precision: type[Any],
    ) -> None:
        self._passes, self._locks = passes, locks
        self._learned = _learned(laid_out, 0, precision)
        for seat, strategy in zip(locks, self._learned.strategies, strict=True):
            seat.hold(strategy)

    def begin(self, street: int, seat: int, board: int, strategy: FloatArray) -> None:
        """Set what a seat plays on a board in the first iteration."""
        _begin(self._learned, seat, board, strategy)

    def learn(self, seat: int, factors: Floats, reach: Sequence[Floats], worth: Floats) -> None:
        """Update a seat on all boards, and add what they are worth to the first street's rows."""
        self._passes.learn(0, seat, factors, self._learned, self._locks, reach, worth)

    def held_sums(self) -> list[Floats]:
        """The strategy sums, where locks say what hands play that never come, too."""
        for locks, sums in zip(self._locks, self._learned.sums, strict=True):
            locks.hold(sums)
        return list(self._learned.sums)


class _TurnsAndRivers:
    """What is learned on the turns of a flop and on their rivers."""

    def __init__(
        self,
        laid_out: HandsAndGames,
        passes: TurnPasses,
        precision: type[Any],
        *,
        predicts: bool,
    ) -> None:
        self._passes = passes
        self._on_turns = _learned(laid_out, 0, precision)
        self._on_rivers = _learned(laid_out, 1, precision, keeps_strategies=predicts)

    def begin(self, street: int, seat: int, board: int, strategy: FloatArray) -> None:
        """Set what a seat plays on a turn or a river in the first iteration."""
        _begin(self._on_rivers if street else self._on_turns, seat, board, strategy)

    def learn(self, seat: int, factors: Floats, reach: Sequence[Floats], worth: Floats) -> None:
        """Update a seat on all boards, and add what they are worth to the first street's rows."""
        self._passes.learn(seat, factors, self._on_turns, self._on_rivers, reach, worth)

    def held_sums(self) -> list[Floats]:
        """The strategy sums of each seat on the turns, then those on the rivers."""
        return [*self._on_turns.sums, *self._on_rivers.sums]


def _later(
    valuer: Valuer, locks: SpotLocks, variant: Variant, precision: type[Any]
) -> _Rivers | _TurnsAndRivers | None:
    """What is learned after the first street."""
    passes, laid_out = valuer.passes(precision), valuer.laid_out
    if isinstance(passes, TurnPasses):
        return _TurnsAndRivers(laid_out, passes, precision, predicts=variant.predicts)
    return None if passes is None else _Rivers(laid_out, passes, locks.later, precision)


def _learned(
    laid_out: HandsAndGames, street: int, precision: type[Any], *, keeps_strategies: bool = True
) -> Learned:
    """Nothing yet, and uniform strategies, which follow from no regrets where they are not kept."""
    strategies, regrets, sums = [], [], []
    shapes = laid_out.later_shapes[SEATS * street : SEATS * (street + 1)]
    for game, shape in zip(laid_out.later[street], shapes, strict=True):
        boards, _, width = shape
        strategy = _rows((boards if keeps_strategies else 0, game.num_rows, width), precision)
        strategy[:] = uniform_strategy(game, 1).astype(precision)
        strategies.append(strategy)
        regrets.append(_rows(shape, precision))
        sums.append(_rows(shape, precision))
    return Learned(strategies, regrets, sums)


def _begin(learned: Learned, seat: int, board: int, strategy: FloatArray) -> None:
    """Set what a seat plays on a board; where it follows from regrets, by regrets next to none."""
    hands = strategy.shape[1]
    if len(learned.strategies[seat]):
        learned.strategies[seat][board, :, :hands] = strategy
    else:
        regrets = learned.regrets[seat]
        entries = len(strategy) - regrets.shape[1]
        regrets[board, :, :hands] = _ALMOST_NO_REGRET * strategy[entries:]


def _turns(laid_out: HandsAndGames) -> Turns:
    """The turns of a flop, with lists."""
    boards = laid_out.runouts
    tables = [
        Tables(board, hands, widths=boards.widths)
        for board, hands in zip(boards.boards, boards.hands, strict=True)
    ]
    return Turns(boards, laid_out.rivers, tables, laid_out.river_begins)


def memory_needed(laid_out: HandsAndGames, threads: int = 1, *, predicts: bool = False) -> int:
    """The bytes that a run in float32 takes, with its measurements and the averages that it keeps.

    Args:
        laid_out: The spot.
        threads: How many threads share the rivers.
        predicts: Whether the variant does, so that on the rivers of a flop strategies are kept.

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
    needed += locked_bytes(laid_out)
    if not laid_out.later:
        return needed
    last = laid_out.last_boards
    needed += runout_bytes(last, laid_out.later[-1], threads)
    if laid_out.rivers:
        needed += turn_bytes(laid_out.runouts, laid_out.later[0])
    # Regrets and strategy sums; strategies; and on a turn the strategy sums that are kept.
    needed += 2 * 4 * sum(map(math.prod, laid_out.later_shapes[-SEATS:]))
    if not laid_out.rivers:
        return needed + 2 * 4 * sum(map(math.prod, laid_out.later_shapes))
    if predicts:
        boards = sum(of_board.count for of_board in last)
        for game, width in zip(laid_out.later[-1], last[0].widths, strict=True):
            needed += 4 * boards * game.num_rows * width
    return needed


def add_rivers(
    laid_out: HandsAndGames,
    turn: int,
    weights: Sequence[Floats],
    reach: Sequence[FloatArray],
    worth: Sequence[FloatArray],
) -> None:
    """Add to the rows of a turn of a flop what its rivers are worth.

    Args:
        laid_out: The spot.
        turn: The number of the turn.
        weights: For each seat float[B, R - N, W]: in proportion to which actions are taken.
        reach: For each seat float64[R, H] on the turn.
        worth: For each seat float64[R, H], added to.
    """
    rivers, threads = (laid_out.rivers[turn],), thread_count(None)
    passes = RunoutPasses(
        rivers, board_lists(rivers), laid_out.later[-1], np.float64, ThreadTeam(threads), threads
    )
    widths = [filled_up(rows.shape[1], TILE) for rows in reach]
    before = [widened(rows, width) for rows, width in zip(reach, widths, strict=True)]
    free = [free_seat(rivers[0].count)] * SEATS
    for seat, added in enumerate(before):
        played, best = np.zeros_like(added), np.zeros_like(added)
        passes.measure(0, seat, weights, free, before, played, best)
        worth[seat][:] += played[:, : worth[seat].shape[1]]


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
    forms = StreetForms(tables.widths, games, np.float64)

    def evaluate(seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        j, k = OTHERS[seat]
        wide_j, wide_k = widened(reach_j, tables.widths[j]), widened(reach_k, tables.widths[k])
        return forms.values(tables, seat, wide_j, wide_k)[:, : len(hands[seat])].copy()

    return evaluate


def _rows(shape: tuple[int, ...], precision: Any) -> Floats:
    """Zeros, aligned to a cache line."""
    return numbers(int(np.prod(shape)), precision).reshape(shape)


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
