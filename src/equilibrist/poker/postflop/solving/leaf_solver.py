"""Solving one street of a spot over leaf values: the solver, and its run."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Self

from equilibrist.errors import UnsupportedError
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.leaf_engine import LeafEngine
from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues, checked_leaf_values
from equilibrist.poker.postflop.engine.snapshot import Arrays, digest_of, query_arrays
from equilibrist.poker.postflop.solution.street_strategy import (
    StreetStrategy,
    strategy_of_arena,
)
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.progress import Callbacks, progress_of
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.stopping import StopReason, StopRule, checked_iterations
from equilibrist.solvers.run.trace import HasMeasure, Schedule, TracePoint
from equilibrist.solvers.variants.variant import Variant

LEAF_ITERATIONS: Final = 200
"""The iterations of a street over leaf values, unless a limit is given."""
ESTIMATED_GAIN: Final = "estimated gain"
"""What the measure is called: responses against leaves as they are valued now bound nothing."""


class LeafSolver:
    """Discounted CFR on the first street of a spot, whose later streets are values of leaves.

    Attributes:
        spot: The spot.
        variant: The variant of CFR.
        engine: The engine of the street.
    """

    def __init__(
        self,
        spot: Spot,
        leaf_values: HoldemLeafValues,
        algorithm: Variant | str | None = None,
        *,
        isomorphism: bool = True,
    ) -> None:
        """Prepare to solve a street.

        Args:
            spot: The spot, from the flop or the turn on, without rake and locked frequencies.
            leaf_values: What says what leaves are worth.
            algorithm: As in `poker.solve`.
            isomorphism: Whether cards that are alike but for the names of suits are valued once.

        Raises:
            ConfigError: An argument is wrong.
            MismatchError: The values are of another street.
            UnsupportedError: The spot has rake, locked frequencies, or no later street.
        """
        check_over_values(checked_spot(spot))
        checked_leaf_values(leaf_values)
        self.spot = spot
        self.variant = spot_variant(algorithm)
        self.leaf_values = leaf_values
        self._game = holdem_game(spot, isomorphism=isomorphism)
        self.engine = LeafEngine(spot, self._game, leaf_values, predicts=self.variant.predicts)
        self.engine.load()

    @property
    def iteration(self) -> int:
        """Iterations so far."""
        return self.engine.iteration

    @property
    def memory_bytes(self) -> int:
        """Bytes of the solver state, and of the ranges and values of leaves."""
        return self.engine.memory_bytes

    def run(self, iterations: int, /) -> Self:
        """Run more iterations.

        Args:
            iterations: How many to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: `iterations` is not a whole number from 0.
        """
        count = checked_iterations(iterations)
        if count:
            self.engine.run(self.variant.table(self.iteration + 1, count))
        return self

    def estimated_gain(self) -> float:
        """In chips, what responses on the street gain against leaves as they are valued now.

        Returns:
            The mean of both players. It is no bound: to responses leaves would be worth other
            values.
        """
        return self.engine.estimated_gain() / self.spot.rules().scale.per_chip

    def parts(self, streets: int, /) -> tuple[dict[str, Any], Arrays]:
        """Give what a file needs to answer for nodes of the street, as `SpotSolver.parts`.

        Args:
            streets: How many streets; 1.

        Returns:
            Entries of a header, and arrays by name.
        """
        layout = self.engine.layout
        header = {
            "storage": "float64",
            "variant": self.variant.name,
            "layout": digest_of(self._game, layout.betting),
        }
        return header, query_arrays(self.engine, streets)


def check_over_values(spot: Spot) -> None:
    """Refuse spots that cannot be solved over leaf values.

    Args:
        spot: The spot.

    Raises:
        UnsupportedError: It has rake, locked frequencies, or no later street.
    """
    if spot.is_raked:
        raise UnsupportedError(
            "leaf values know no rake",
            option="rake",
            given=spot.rake,
            remedy="leave out the rake, or solve the spot to the end",
        )
    if len(spot.cards) == 5:
        raise UnsupportedError(
            f"the spot on {spot.board} has no later street whose values could be used",
            option="values",
            given=spot.board,
            remedy="solve the river without values: it takes less time than they would",
        )
    if any(lock.frequency for lock in spot.locks):
        raise UnsupportedError(
            "locked frequencies need the whole spot",
            option="locks",
            remedy="lock hands, or solve the spot to the end",
        )


class LeafRun(NamedTuple):
    """How a run over leaf values ended."""

    estimated_gain: float
    """In chips."""
    trace: tuple[TracePoint, ...]
    seconds: float
    stopped_by: StopReason


def run_over_values(
    solver: LeafSolver,
    stop: StopRule,
    callbacks: Callbacks = Callbacks(),  # noqa: B008 - frozen
) -> LeafRun:
    """Run a solver until a limit or an interrupt (Ctrl-C) stops it.

    Args:
        solver: The solver.
        stop: When the run ends; a target is not one of its limits.
        callbacks: Receive its progress.

    Returns:
        How it ended.
    """
    spot, tell = solver.spot, callbacks.on_progress

    def report(event: ProgressEvent[_Estimate]) -> Answer:
        assert tell is not None
        return tell(progress_of(event, solver.variant.name, ESTIMATED_GAIN, pot=spot.pot))

    loop = Loop(
        solver,
        lambda: _Estimate(solver.estimated_gain()),
        stop,
        report=report if tell else None,
        schedule=_SCHEDULE,
    )
    outcome = loop.run()
    return LeafRun(
        estimated_gain=outcome.measured.measure,
        trace=outcome.trace,
        seconds=outcome.seconds,
        stopped_by=outcome.stopped_by,
    )


class _Estimate(HasMeasure):
    """An estimated gain as what the loop around solvers measures."""

    values: tuple[float, ...] = ()
    exploitability = None

    def __init__(self, gain: float) -> None:
        self.nash_conv = 2 * gain
        self._gain = gain

    @property
    def measure(self) -> float:
        """The estimate, in chips."""
        return self._gain


class _EveryFiftieth(Schedule):
    """Every 50th iteration: a measurement costs two iterations."""

    def next(self, iteration: int) -> int:
        return (iteration // 50 + 1) * 50


_SCHEDULE: Final = _EveryFiftieth()


def street_strategy(solver: LeafSolver) -> StreetStrategy:
    """The average strategies of a solver on its street, for an examination.

    Args:
        solver: The solver, which may run on.

    Returns:
        What is played after a line; None after lines that it lacks.
    """
    return strategy_of_arena(solver.spot, solver.engine.layout, solver.engine.arena)
