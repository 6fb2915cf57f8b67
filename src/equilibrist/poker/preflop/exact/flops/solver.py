"""Solving the rest of a hand on one flop."""

from __future__ import annotations

import time
from math import comb
from typing import Final

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.kernels.exact_holdem.arrays import BEST, VALUE
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.preflop.exact.betting_layout import street_of
from equilibrist.poker.preflop.exact.boards import free_hands
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.flops.game import IN, OUT, FlopGame
from equilibrist.poker.preflop.exact.flops.solution import FlopSolution
from equilibrist.poker.preflop.exact.rows import rows_of_hands
from equilibrist.poker.preflop.exact.solver import exact_variant
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    as_callbacks,
    progress_of,
    shows_progress,
    timed,
)
from equilibrist.solvers.run.loop import Answer, Loop, Outcome, ProgressEvent
from equilibrist.solvers.run.stopping import Stop, StopRule, merge_stop
from equilibrist.solvers.run.target import Target
from equilibrist.solvers.run.trace import HasMeasure, Schedule
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import FloatArray

TARGET: Final = 0.005
"""The gain of a best response at which solving ends, as a share of the pot on the flop."""
SECONDS: Final = 8.0
"""Seconds after which it ends, unless the gain is still poor."""
POOR: Final = 0.05
"""A share of the pot above which a gain is poor: then solving goes on."""
PATIENCE: Final = 10.0
"""The multiple of the seconds after which it ends in any case."""
_ALGORITHM: Final = "dcfr(gamma=4)"
"""The best after few iterations of those that were tried."""
_LEAST_WEIGHT: Final = 1e-6
"""The weight of hands outside a range, relative to the largest: too small to change what is found,
but these hands get strategies, which a player needs who has left the lines of the solution."""
_NUMBER_BYTES: Final = 4
_ROW_BYTES: Final = 13
_PAIR_BYTES: Final = 2


def flop_bytes(game: FlopGame) -> int:
    """The memory that a flop takes, counted without allocating it.

    Args:
        game: What is left of the hand.

    Returns:
        Bytes; boards that the suits make alike count one by one.
    """
    rules, tree = game.rules, game.tree
    street, deck = street_of(tree), NUM_CARDS - 4 * rules.lowest_rank
    total, boards, known = 0, 1, 0
    for s in range(1, len(game.dealt)):
        if s > 1:
            boards *= comb(deck - known, game.dealt[s])
        known += game.dealt[s]
        rows = comb(deck - known, 2)
        slots = int(tree.num_children[(street == s) & (tree.kind == DECISION)].sum())
        total += boards * rows * (2 * _NUMBER_BYTES * slots + _ROW_BYTES)
        if sum(rules.board[s + 1 :]):
            total += _PAIR_BYTES * boards * rows * rows
    return total


def check_flop_fits(game: FlopGame, memory: int | None = None) -> None:
    """Raise MemoryBudgetError for a flop that takes too much memory to be solved.

    Args:
        game: What is left of the hand.
        memory: The most bytes; by default half of the machine's memory.
    """
    limit, needed = default_memory() if memory is None else memory, flop_bytes(game)
    if needed > limit:
        raise MemoryBudgetError(
            f"solving a flop takes {bytes_text(needed)}, which exceeds the limit of "
            f"{bytes_text(limit)}",
            needed,
            needed,
            remedy="Solve the hand with fewer sizes, a raise cap, or an earlier last street.",
            option="memory",
            given=limit,
        )


@shows_progress
def solve_flop(
    game: FlopGame,
    ranges: FloatArray,
    *,
    stop: Stop | None = None,
    seconds: float | None = None,
    target: str | Target | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    threads: int | None = None,
    memory: int | None = None,
) -> FlopSolution:
    """Solve the rest of a hand on one flop, by the algorithm of whole hands.

    The run ends at 0.5 % of the pot or after 8 seconds, where no other limit is given in their
    place.

    Args:
        game: What is left of the hand.
        ranges: float64[2, R]: how often each seat brings a hand of each class there.
        stop: When the run ends: its `seconds` and `target`. They can be given directly, in its
            place.
        seconds: The most seconds from the call on, preparing included, if the gain is then at most
            5 % of the pot; ten times as many in any case. One iteration is made at least.
        target: Ends the run: what a best response gains, on average over both seats, in percent of
            the pot on the flop, such as `"0.5%"`.
        callbacks: Functions called as the run progresses; amounts are big blinds.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.
        threads: Threads to work with, by default one for each processor.
        memory: The most bytes, by default half of the machine's memory.

    Returns:
        The solution.

    Raises:
        ConfigError: A limit is out of range.
        MemoryBudgetError: The flop takes more memory; nothing has been allocated then.
        KeyboardInterrupt: Ctrl-C was pressed; the iteration was finished.
    """
    listeners, limits = timed(as_callbacks(callbacks)), read_flop_stop(stop, seconds, target)
    check_flop_fits(game, memory)
    begun = time.perf_counter()
    since = listeners.clock.counts_from
    solver = _FlopSolver(game, ranges, thread_count(threads))
    tell = listeners.on_progress

    def report(event: ProgressEvent[_FlopMeasure]) -> Answer:
        assert tell is not None
        return tell(progress_of(event, solver.variant.name, "mean gain", pot=game.pot))

    def run(most: float, share: float) -> Outcome[_FlopMeasure]:
        """Run on, for at most so many seconds, until the gain is this share of the pot."""
        rule = StopRule(
            seconds=most, target=share * game.pot, since=begun if since is None else since
        )
        ended = Loop(
            solver, solver.measure, rule, report=report if tell else None, schedule=_SCHEDULE
        ).run()
        if ended.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return ended

    assert limits.seconds is not None
    share = Target.read(limits.target, ("%",)).amount / 100.0
    outcome = run(limits.seconds, share)
    if outcome.stopped_by == "seconds" and outcome.measured.measure > POOR * game.pot:
        outcome = run(PATIENCE * limits.seconds, max(POOR, share))
    solver.engine.keep_averages()
    measured = outcome.measured
    return FlopSolution(
        game=game,
        ranges=np.asarray(ranges, np.float64),
        values=measured.values,
        gain=measured.measure,
        iterations=solver.iteration,
        seconds=time.perf_counter() - begun,
        stopped_by=outcome.stopped_by,
        engine=solver.engine,
    )


def read_flop_stop(stop: Stop | None, seconds: float | None, target: str | Target | None) -> Stop:
    """When the run on a flop ends; 8 seconds and 0.5 % of the pot hold where one is left out.

    Args:
        stop: The limits, or None where they are given one by one.
        seconds: The most seconds.
        target: The gain, in percent of the pot.

    Returns:
        Both limits.

    Raises:
        ConfigError: A limit is out of range, given twice, or no limit of such a run.
    """
    limits = Stop(**merge_stop(stop, units=("%",), seconds=seconds, target=target))
    gain = Target(100 * TARGET, "%") if limits.target is None else limits.target
    return Stop(seconds=limits.seconds or SECONDS, target=Target.read(gain, ("%",)))


class _FlopMeasure(HasMeasure):
    """A mean gain, in big blinds, and the values of both seats."""

    def __init__(self, gain: float, values: tuple[float, float]) -> None:
        self.exploitability, self.nash_conv, self.values = gain, 2 * gain, values


class _FlopSolver:
    """CFR on what is left of a hand, with both ranges as strategies that stay fixed.

    Attributes:
        engine: Its regrets and average strategies.
        iteration: How many iterations have run.
        variant: The algorithm.
    """

    def __init__(self, game: FlopGame, ranges: FloatArray, threads: int) -> None:
        self.engine = Engine(game, threads, stored=True)
        self.iteration = 0
        self.variant = exact_variant(_ALGORITHM)
        self._weights = _positive(ranges)
        self._deals = _pairs(game, self.engine, self._weights)

    def run(self, iterations: int) -> None:
        """Run that many more."""
        for _ in range(iterations):
            self.iteration += 1
            row = self.variant.table(self.iteration, 1)
            for player in (0, 1):
                self._play_ranges(self.engine.regrets)
                self.engine.run(row, (player,))

    def measure(self) -> _FlopMeasure:
        """What a best response to the average strategies gains, the mean of both seats; exact."""
        self._play_ranges(self.engine.totals)
        engine = self.engine
        values, best = (
            np.sum(engine.many * self._weights * engine.below(mode)[:, 0], axis=1) / self._deals
            for mode in (VALUE, BEST)
        )
        gain = float((best - values).sum()) / 2.0
        return _FlopMeasure(gain, (float(values[0]), float(values[1])))

    def _play_ranges(self, numbers: tuple[FloatArray, ...]) -> None:
        """Let both seats bring their ranges, in regrets or in sums of strategies."""
        for seat in (0, 1):
            self.engine.put(numbers, seat, _chances(self._weights[seat]))


class _FirstThenEven(Schedule):
    """When a run is measured: after 10, 20 and 40 iterations, then after every 40 more."""

    def next(self, iteration: int) -> int:
        for point in (10, 20):
            if point > iteration:
                return point
        return (iteration // 40 + 1) * 40


_SCHEDULE: Final = _FirstThenEven()


def _pairs(game: FlopGame, engine: Engine, weights: FloatArray) -> float:
    """How many pairs of hands come to the flop, by the weights of either range."""
    rows = rows_of_hands(engine.table, engine.rows, 0)
    free = free_hands(game.cards, game.rules.lowest_rank)
    own, other = np.where(free, weights[:, rows], 0.0)
    total = float(own.sum() * other.sum() + own @ other)
    for cards in (FIRST_CARD, SECOND_CARD):
        for others in (FIRST_CARD, SECOND_CARD):
            with_card = np.bincount(others, other, NUM_CARDS)
            total -= float(own @ with_card[cards])
    return total


def _positive(ranges: FloatArray) -> FloatArray:
    """The ranges with their largest weights at 1, and no weight of 0."""
    most = ranges.max(axis=1, keepdims=True)
    scaled = np.divide(ranges, most, out=np.ones_like(ranges, np.float64), where=most > 0.0)
    weights: FloatArray = np.maximum(scaled, _LEAST_WEIGHT)
    return weights


def _chances(weights: FloatArray) -> FloatArray:
    """float64[2, R]: of being out, and of playing on."""
    chances = np.empty((2, len(weights)))
    chances[OUT], chances[IN] = 1.0 - weights, weights
    return chances
