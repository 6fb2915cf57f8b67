"""What buckets of hands cost: their strategies, learnt in two ways, measured with all hands."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import optional_whole_number, real_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.abstract.percentiles import (
    bucket_counts,
    percentile_buckets,
)
from equilibrist.poker.preflop.exact.abstract.solver import BucketSolver, Opponent
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.local_response import local_response
from equilibrist.poker.preflop.exact.size import check_fits
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, timed
from equilibrist.solvers.variants.variant import Variant

ITERATIONS: Final = 100
"""Iterations unless a limit is given."""
_MILLI: Final = 1000.0


@dataclass(frozen=True)
class BucketPoint:
    """What the strategies lose after some iterations, in mbb a hand.

    Attributes:
        iteration: The iterations.
        average: Exploitability of the average strategies, NashConv / 2, with all hands.
        last: The same of the strategies that the next iteration plays.
        seconds: Seconds so far.
    """

    iteration: int
    average: float
    last: float
    seconds: float


@dataclass(frozen=True)
class BucketReport:
    """What buckets of hands cost.

    Attributes:
        buckets: What the buckets are.
        infosets: Decisions times buckets, of both players.
        opponent: What each seat learnt against.
        algorithm: The variant of CFR.
        trace: The measurements, the last one at the end.
        local: What local best responses gain, in mbb by seat, against the averages; None where
            they were not asked for.
    """

    buckets: str
    infosets: int
    opponent: str
    algorithm: str
    trace: tuple[BucketPoint, ...]
    local: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them.

        Returns:
            Values by name.
        """
        return document(self)


def bucket_report(
    hand: Hand,
    buckets: str = "5/5",
    *,
    nested: bool = True,
    opponent: Opponent = "best response",
    algorithm: Variant | str = "cfr",
    iterations: int | None = None,
    seconds: float | None = None,
    local: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    callbacks: Callbacks | OnProgress | None = None,
) -> BucketReport:
    """Learn a strategy over percentile buckets, and measure it in the hand with all hands.

    Args:
        hand: A hand of two seats that is shown down after its last betting.
        buckets: Into how many parts hands are cut on each street: `5/5`; `all/570` leaves hands
            before the flop as they are.
        nested: Whether those of a street are cut within each bucket of the street before.
        opponent: `abstract` for CFR in the abstract game, `best response` for CFR-BR, `all hands`
            for an opponent that learns, too, and has no buckets.
        algorithm: A variant of CFR that updates in turn and does not predict.
        iterations: The most iterations.
        seconds: The most seconds, counted from the call; at least one iteration is made and
            measured.
        local: Whether local best responses are valued, too.
        threads: Threads to work with.
        memory: The most bytes that it may take, by default half of the machine's memory.
        callbacks: Functions that are told what is done.

    Returns:
        The figures; after Ctrl-C in an iteration nothing.

    Raises:
        ConfigError: An argument is wrong, or the hand is not of two seats.
        UnsupportedError: Cards are dealt after the last betting.
        MemoryBudgetError: The game does not fit into `memory`; nothing was allocated.
    """
    optional_whole_number("iterations", iterations, 1)
    if seconds is not None:
        real_number("seconds", seconds, 0.0, math.inf)
    listeners = timed(as_callbacks(callbacks))
    most = iterations or (ITERATIONS if seconds is None else None)
    game = ExactGame.of(hand)
    if game.to_come or game.rules.final_street < 1:
        raise ConfigError(
            "buckets are for hands with betting on a board and a showdown after it",
            option="last_street",
            given=game.last_street,
            remedy="give the board in full, such as board = 3",
        )
    counts = bucket_counts(buckets)
    check_fits(game, memory)
    listeners.stage("preparing the boards")
    engine = Engine(game, thread_count(threads))
    try:
        listeners.stage("cutting hands into buckets")
        cut = percentile_buckets(engine, counts, nested=nested)
        solver = BucketSolver(engine, cut, opponent, algorithm)
        listeners.stage("solving")
        begun, trace = time.perf_counter(), list[BucketPoint]()
        counts_from = listeners.clock.counts_from
        end = math.inf if seconds is None else (counts_from or begun) + seconds
        is_over = False
        while not is_over:
            point = max(solver.iteration + 1, solver.iteration * 3 // 2)
            point = point if most is None else min(point, most)
            while solver.iteration < point and not is_over:
                solver.run(1)
                is_over = solver.iteration == most or time.perf_counter() >= end
            trace.append(_point(solver, begun))
            listeners.stage(f"{solver.iteration:,} iterations: {trace[-1].average:.1f} mbb")
            is_over = is_over or time.perf_counter() >= end
        gains = None
        if local:
            listeners.stage("local best responses")
            solver.play(last=False)
            first, second = (local_response(engine, player) for player in (0, 1))
            gains = _MILLI * first.gain, _MILLI * second.gain
        return BucketReport(
            buckets=cut.name,
            infosets=solver.num_infosets,
            opponent=opponent,
            algorithm=solver.variant.name,
            trace=tuple(trace),
            local=gains,
        )
    finally:
        engine.team.release()


def _point(solver: BucketSolver, begun: float) -> BucketPoint:
    average, last = solver.measure(), solver.measure(last=True)
    return BucketPoint(
        iteration=solver.iteration,
        average=0.5 * _MILLI * average.nash_conv,
        last=0.5 * _MILLI * last.nash_conv,
        seconds=time.perf_counter() - begun,
    )
