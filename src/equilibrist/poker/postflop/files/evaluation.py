"""What best responses gain against a solved spot, by player: computed again from its strategies."""

from __future__ import annotations

from dataclasses import dataclass

from equilibrist.errors import UnsupportedError
from equilibrist.parsing.arguments import instance
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.value_unit import ValueUnit

Pair = tuple[float, float]
"""A figure of OOP and of IP."""


@dataclass(frozen=True)
class SpotEvaluation:
    """Values and best responses of a solved spot. All figures are in chips, OOP's first.

    Where the spot is played for prizes all are in prizes.

    Attributes:
        values: The EV of both players.
        best_response_values: The EV of a best response to the other player's strategy. Where a
            player's own strategy is locked the best response keeps to it.
        gains: `best_response_values` minus `values`.
        unlocked_gains: The same for best responses that break the player's own locks; None without
            locks.
        constant_sum: Whether payoffs have a constant sum, that is without rake and payouts.
    """

    values: Pair
    best_response_values: Pair
    gains: Pair
    unlocked_gains: Pair | None
    constant_sum: bool

    @property
    def mean_gain(self) -> float:
        """The mean of both gains, in chips: the exploitability, where payoffs have a constant sum.

        Rounding may make it differ from the figure of the run in the last digits.
        """
        return sum(self.gains) / 2

    @property
    def unlocked_mean_gain(self) -> float | None:
        """The mean of both unlocked gains, in chips; None without locks."""
        return None if self.unlocked_gains is None else sum(self.unlocked_gains) / 2

    @property
    def exploitability(self) -> float | None:
        """`mean_gain` where payoffs have a constant sum; None with rake."""
        return self.mean_gain if self.constant_sum else None


def evaluate_spot(
    solution: PostflopResult, *, threads: int | None = None, memory: int | None = None
) -> SpotEvaluation:
    """Compute values and best responses of a solution again, in the whole spot.

    It takes the time of about two iterations, and the memory of solving.

    Args:
        solution: What `solve`, `resume` or `load_result` returned, with all streets.
        threads: Threads to work with, by default one for each processor that the process may use.
        memory: The most bytes that it may take, by default half of the machine's memory.

    Returns:
        The figures of both players.

    Raises:
        UnsupportedError: The solution does not keep all streets, or frequencies are locked, whose
            best responses need more than the strategies.
        MemoryBudgetError: It does not fit into `memory`.
        FileFormatError: The file of the solution is damaged.
    """
    spot = instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve").spot
    engine = solved_engine(solution, threads=thread_count(threads), memory=memory)
    try:
        return _evaluated(engine, spot.value_unit, has_locks=bool(spot.locked_nodes))
    finally:
        engine.traversal.team.release()


def solved_engine(solution: PostflopResult, *, threads: int, memory: int | None = None) -> Engine:
    """An engine that stands where a solution stands, for passes over its strategies.

    Args:
        solution: The solution, with all streets.
        threads: Threads to work with.
        memory: The most bytes that it may take, by default half of the machine's memory.

    Returns:
        The engine, whose threads the caller releases.

    Raises:
        UnsupportedError: The solution does not keep all streets, or frequencies are locked.
        MemoryBudgetError: It does not fit into `memory`.
        FileFormatError: The file of the solution is damaged.
    """
    spot = solution.spot
    if solution.keep != "all" or solution.parts is None:
        raise UnsupportedError(
            "best responses need the strategies of all streets",
            option="keep",
            given=solution.keep,
            expected="all",
            remedy="solve the spot again and keep all streets",
        )
    if any(node.has_frequency_locks for node in spot.locked_nodes):
        raise UnsupportedError(
            "best responses to locked frequencies cannot be computed from the strategies alone",
            option="locks",
            remedy="use mean_gain, which the run has measured",
        )
    check_fits(spot, memory, solution.storage, predicts=False, threads=threads)
    _, arrays = solution.parts(3 - spot.first_street)
    engine = Engine(holdem_game(spot), solution.storage, threads=threads)
    store = engine.arena.store
    store.total[:] = arrays["total"]
    store.total_scale[:] = arrays["total_scale"]
    return engine


def _evaluated(engine: Engine, unit: ValueUnit, *, has_locks: bool) -> SpotEvaluation:
    """The figures of an engine's average strategies, in a unit of values."""

    def of_both(*, best: bool = False, unlocked: bool = False) -> Pair:
        values_of_both = [
            float(unit.value(p, engine.expected(p, best=best, unlocked=unlocked))) for p in (0, 1)
        ]
        return values_of_both[0], values_of_both[1]

    def above(best: Pair) -> Pair:
        return max(best[0] - values[0], 0.0), max(best[1] - values[1], 0.0)

    values, best = of_both(), of_both(best=True)
    unlocked = above(of_both(unlocked=True)) if has_locks else None
    constant = engine.game.constant_sum is not None
    return SpotEvaluation(values, best, above(best), unlocked, constant)
