"""Examining a strategy by locking one seat's first street, and solving the rest exactly."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
from equilibrist.poker.postflop.solution.street_strategy import (
    LockedStreet,
    StreetStrategy,
    lock_street,
)
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import checked_run
from equilibrist.poker.postflop.spot.fields import SEATS, Storage
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, timed
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.variants.variant import Variant

EXAMINED_TARGET: Final = "0.1%"
"""The exploitability to which everything is solved unless another limit is given."""
Strategist = Callable[[Spot], StreetStrategy]
"""Gives the strategy that is examined on a spot, or makes it; how long that takes is measured."""


@dataclass(frozen=True)
class SolvedValue:
    """The value of a spot for the player out of position, which best responses hold in bounds.

    Attributes:
        value: The middle of both bounds, in chips.
        margin: How far the true value may be from it, in chips: the mean gain.
        iterations: How many were run.
        seconds: How long they took.
        spot: A digest of the spot, without locks.
    """

    value: float
    margin: float
    iterations: int
    seconds: float
    spot: str

    def of(self, seat: int, pot: float) -> float:
        """The value for a seat; both share the pot.

        Args:
            seat: 0 out of position, 1 in position.
            pot: The pot.

        Returns:
            Chips.
        """
        return pot - self.value if seat else self.value


@dataclass(frozen=True)
class SeatLoss:
    """What one seat loses whose first street is locked at the strategy.

    Attributes:
        seat: `oop` or `ip`.
        loss: What the locked street costs its seat, in percent of the pot. It is at least 0, up to
            `margin`.
        margin: How far the true loss may be from it, in percent of the pot: the gains of best
            responses to which both values were solved.
        value: The value for the seat with its street locked, in chips.
        free: Decisions of the seat of which the strategy says nothing; they were solved.
        free_weight: Of the range that comes to a locked decision, the share of hands of which the
            strategy says nothing; they were solved, too. The largest, over the decisions.
        iterations: How many iterations the locked spot took.
        seconds: How long solving it took.
    """

    seat: str
    loss: float
    margin: float
    value: float
    free: int
    free_weight: float
    iterations: int
    seconds: float


@dataclass(frozen=True)
class Examination:
    """What a strategy loses on one board.

    Attributes:
        board: The board.
        pot: The chips in the middle.
        exact: The value of the whole spot.
        strategy_seconds: How long making the strategy took.
        seats: Each examined seat.
    """

    board: str
    pot: float
    exact: SolvedValue
    strategy_seconds: float
    seats: tuple[SeatLoss, ...]

    def __repr__(self) -> str:
        return brief_repr(self)

    def row(self) -> dict[str, Any]:
        """The figures as a row of a table.

        Returns:
            Plain values; losses and margins are in percent of the pot.
        """
        row: dict[str, Any] = {
            "board": self.board,
            "ev_oop": self.exact.value,
            "exact_iterations": self.exact.iterations,
            "exact_seconds": self.exact.seconds,
            "strategy_seconds": self.strategy_seconds,
        }
        for seat in self.seats:
            row |= {
                f"loss_{seat.seat}": seat.loss,
                f"margin_{seat.seat}": seat.margin,
                f"free_{seat.seat}": seat.free,
                f"free_weight_{seat.seat}": seat.free_weight,
                f"seconds_{seat.seat}": seat.seconds,
            }
        return row


class LossSummary(NamedTuple):
    """Losses over boards, in percent of the pot."""

    num_losses: int
    """How many losses: of each board and seat."""
    mean: float
    """Their mean."""
    median: float
    """Half of them are at most this."""
    percentile_90: float
    """Nine of ten losses are at most this."""
    most: float
    """The largest."""
    margin: float
    """The mean margin: so far the true mean may be from `mean`."""


def summarise_losses(rows: Sequence[dict[str, Any]], seat: str | None = None) -> LossSummary:
    """The mean, the median and the 90th percentile of the losses of some boards.

    Args:
        rows: What `Examination.row` gives, one at least.
        seat: `oop` or `ip`; None for both together.

    Returns:
        The figures.

    Raises:
        ConfigError: There are no losses.
    """
    seats = SEATS if seat is None else (seat,)
    pairs = [
        (row[f"loss_{name}"], row[f"margin_{name}"])
        for row in rows
        for name in seats
        if f"loss_{name}" in row
    ]
    if not pairs:
        raise ConfigError("no board was examined", option="boards", given=len(rows))
    losses, margins = np.array(pairs).T
    return LossSummary(
        num_losses=len(losses),
        mean=float(losses.mean()),
        median=float(np.median(losses)),
        percentile_90=float(np.percentile(losses, 90)),
        most=float(losses.max()),
        margin=float(margins.mean()),
    )


def examine(
    spot: Spot,
    strategist: Strategist,
    algorithm: Variant | str | None = None,
    *,
    seats: Sequence[int] = (0, 1),
    exact: SolvedValue | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    storage: Storage | None = None,
    threads: int | None = None,
    memory: int | None = None,
) -> Examination:
    """Measure what a strategy of the first street loses.

    One seat's decisions on the first street are locked at the strategy, and everything else is
    solved: the other seat, and all later streets of both. What the seat then gets less than in the
    unlocked spot is what the strategy costs. Decisions of which the strategy says nothing are
    solved, too.

    Args:
        spot: The spot, without locks and without rake.
        strategist: Gives the strategy, what is played after a line, see `StreetStrategy`.
        algorithm: The variant of CFR that solves the spot, or its text; by default that of
            `poker.solve`.
        seats: The seats to examine: 0 out of position, 1 in position.
        exact: The `exact` of an earlier examination in the same spot, which is not solved again.
            Its margin is that of its own run.
        stop: When each of the runs ends; by default at 0.1 % of the pot.
        iterations: The most iterations of each run.
        seconds: The most seconds of each run.
        target: The exploitability that ends a run.
        callbacks: Functions called as the runs go on; `on_stage` is told which one begins.
        storage: How regrets and strategy sums are stored: `float32` (the default), `int16` or
            `float64`.
        threads: Threads to solve with, by default one for each processor.
        memory: The most bytes that each run may take, by default half of the machine's memory.

    Returns:
        The losses, with the margins that the gains of best responses leave.

    Raises:
        ConfigError: The strategy does not fit the spot, or an argument is wrong.
        UnsupportedError: The spot has rake, so that it has no single value.
        MemoryBudgetError: The spot does not fit into `memory`.
        MismatchError: `exact` is of another spot.
        KeyboardInterrupt: A run was interrupted.
    """
    check_examinable(checked_spot(spot))
    if exact is not None:
        _check_exact(exact, spot)
    listeners = as_callbacks(callbacks)
    limits = Stop(
        **merge_stop(
            stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target
        )
    )
    run = _Run(
        spot=spot,
        stop=Stop(target=EXAMINED_TARGET) if limits.is_default else limits,
        algorithm=algorithm,
        storage="float32" if storage is None else storage,
        threads=threads,
        memory=memory,
        callbacks=listeners,
    )
    listeners.stage(f"{spot.board}: the strategy")
    begun = time.perf_counter()
    played = strategist(spot)
    strategy_seconds = time.perf_counter() - begun
    locked = {seat: lock_street(spot, played, seat) for seat in seats}
    if exact is None:
        exact = run.value((), "the exact value")
    return Examination(
        board=spot.board,
        pot=spot.pot,
        exact=exact,
        strategy_seconds=strategy_seconds,
        seats=tuple(_loss(run, exact, seat, street) for seat, street in locked.items()),
    )


def _check_exact(exact: SolvedValue, spot: Spot) -> None:
    """Refuse the value of another spot."""
    wanted = _digest(spot)
    if exact.spot != wanted:
        raise MismatchError(
            f"`exact` is the value of another spot than this one on {spot.board}",
            option="exact",
            given=exact.spot,
            expected=wanted,
            remedy="give the value of the same spot, or leave it out",
        )


def check_examinable(spot: Spot) -> None:
    """Refuse spots that have no single value, or whose first street is locked already.

    Args:
        spot: The spot.

    Raises:
        UnsupportedError: It has rake.
        ConfigError: It has locks.
    """
    refuse_prizes(spot, "an examination")
    if spot.is_raked:
        raise UnsupportedError(
            "a spot with rake has no single value against which losses could be measured",
            option="rake",
            given=spot.rake,
            remedy="leave out the rake",
        )
    if spot.locks:
        raise ConfigError(
            "the spot of an examination has no locks of its own",
            option="locks",
            given=len(spot.locks),
            remedy="give the locks as the strategy that is examined",
        )


@dataclass(frozen=True)
class _Run:
    """How the spot is solved, with locks and without."""

    spot: Spot
    stop: Stop
    algorithm: Variant | str | None
    storage: Storage
    threads: int | None
    memory: int | None
    callbacks: Callbacks

    def value(self, locked: Sequence[LockedNode], name: str) -> SolvedValue:
        """The value with some nodes locked; `name` says what is solved."""
        spot, begun = self.spot, time.perf_counter()
        threads, variant = checked_run(self.storage, self.threads, self.algorithm)
        check_fits(
            spot, self.memory, self.storage, predicts=variant.predicts, threads=threads,
            iterations=self.stop.iterations, locked=locked,
        )  # fmt: skip
        listeners = timed(Callbacks(self.callbacks.on_progress))
        self.callbacks.stage(f"{spot.board}: {name}")
        rule = read_stop(spot.pot, self.stop, since=listeners.clock.counts_from)
        solver = SpotSolver(spot, variant, storage=self.storage, threads=threads, locked=locked)
        try:
            solution = solved(spot, solver, rule, listeners)
            if solution.stopped_by in ("interrupted", "callback"):
                raise KeyboardInterrupt
            best = [solver.engine.expected(player, best=True) for player in (0, 1)]
        finally:
            solver.close()
        per_chip = spot.rules().scale.per_chip
        high, low = best[0] / per_chip, spot.pot - best[1] / per_chip
        return SolvedValue(
            value=(high + low) / 2,
            margin=max((high - low) / 2, 0.0),
            iterations=solution.iterations,
            seconds=time.perf_counter() - begun,
            spot=_digest(spot),
        )


def _digest(spot: Spot) -> str:
    """A digest of all keys of a spot."""
    return hashlib.sha256(spot.to_toml().encode()).hexdigest()


def _loss(run: _Run, exact: SolvedValue, seat: int, street: LockedStreet) -> SeatLoss:
    """What a seat loses with its street locked."""
    spot, name = run.spot, SEATS[seat]
    locked = run.value(street.nodes, f"{name} locked")
    percent = 100 / spot.pot
    return SeatLoss(
        seat=name,
        loss=percent * (exact.of(seat, spot.pot) - locked.of(seat, spot.pot)),
        margin=percent * (exact.margin + locked.margin),
        value=locked.of(seat, spot.pot),
        free=street.free,
        free_weight=street.free_weight,
        iterations=locked.iterations,
        seconds=locked.seconds,
    )
