"""What spots are worth to both seats, with bounds; and strategies carried into a larger spot.

A best response holds the value of a zero-sum game in bounds: a seat wins at least the pot less what
the other's best response wins against it, and at most what its own best response wins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.betting.street_tree import ACTION, CHANCE
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.node_rows import AverageOf
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Callbacks, Progress
from equilibrist.solvers.run.stopping import StopReason, StopRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import Int32Array


class SearchEndedError(Exception):
    """The user, a callback or the clock ended the search within a solve."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason


class BoundedValue(NamedTuple):
    """The value of a spot for a seat, in chips."""

    ev: float
    """What the average strategies win against each other."""
    low: float
    """What the seat's average strategy wins at least."""
    high: float
    """What a best response wins against the other seat's."""


class SpotValue(NamedTuple):
    """The value of a solved spot for both seats."""

    seats: tuple[BoundedValue, BoundedValue]
    iterations: int
    seconds: float
    is_partial: bool = False
    """Whether it was given up before its target."""


class HeldStrategies(NamedTuple):
    """The average strategies of a solver that is gone."""

    tree: PublicTree
    places: Mapping[int, int]
    """The place in the program of each decision of the tree."""
    strategy: AverageOf


@dataclass(frozen=True)
class SpotRuns:
    """How all spots of a search are solved.

    Attributes:
        rule: When each run ends; `seconds` count from the beginning of the search.
        variant: The variant of CFR.
        storage: How regrets and strategy sums are stored.
        threads: How many work.
        callbacks: Functions that are called.
    """

    rule: StopRule
    variant: Variant
    storage: Storage
    threads: int
    callbacks: Callbacks

    def value(
        self,
        spot: Spot,
        *,
        gives_up: Callable[[SpotValue], bool] | None = None,
        look: Callable[[PostflopResult], None] | None = None,
        hold: Callable[[SpotValue, Callable[[], HeldStrategies]], None] | None = None,
    ) -> SpotValue:
        """Solve a spot.

        Args:
            spot: The spot, without rake.
            gives_up: Asked after each measurement whether the bounds known by then suffice.
            look: Is shown the solution, which answers no longer afterwards.
            hold: Is given the value, and what copies the strategies.

        Returns:
            The value.

        Raises:
            SearchEndedError: The run ended before its target, by an interrupt or the clock.
        """
        begun, measured = time.perf_counter(), [0]
        solver = SpotSolver(spot, self.variant, storage=self.storage, threads=self.threads)
        solver.on_stage = self.callbacks.stage
        given_up: list[SpotValue] = []

        def tell(progress: Progress) -> bool:
            own = self.callbacks.on_progress
            if own is not None and own(progress) is False:
                return False
            at = progress.measured_at or 0
            if gives_up is None or at <= measured[0] or at != progress.iteration:
                return True
            measured[0] = at
            value = _value(solver, begun, is_partial=True)
            if gives_up(value):
                given_up.append(value)
            return not given_up

        try:
            solution = solved(spot, solver, self.rule, Callbacks(tell))
            if given_up:
                return given_up[0]
            reason = solution.stopped_by
            if reason in ("interrupted", "callback", "seconds"):
                raise SearchEndedError(reason)
            value = _value(solver, begun)
            if look is not None:
                look(solution)
            if hold is not None:
                hold(value, lambda: _held(solver))
            return value
        finally:
            solver.close()


def _value(solver: SpotSolver, begun: float, *, is_partial: bool = False) -> SpotValue:
    """The values of a solver's average strategies."""
    spot, engine = solver.spot, solver.engine
    per_chip = spot.rules().scale.per_chip
    ev = engine.expected(0) / per_chip
    best = [engine.expected(seat, best=True) / per_chip for seat in (0, 1)]
    return SpotValue(
        seats=(
            BoundedValue(ev=ev, low=spot.pot - best[1], high=best[0]),
            BoundedValue(ev=spot.pot - ev, low=spot.pot - best[0], high=best[1]),
        ),
        iterations=solver.iteration,
        seconds=time.perf_counter() - begun,
        is_partial=is_partial,
    )


def _held(solver: SpotSolver) -> HeldStrategies:
    """A copy of a solver's average strategies."""
    engine = solver.engine
    return HeldStrategies(engine.game.tree, _places(engine), engine.arena.strategies())


def _places(engine: Engine) -> dict[int, int]:
    """The place in the program of each decision of the tree."""
    betting = engine.layout.betting
    places = np.flatnonzero(betting.program.count)
    return dict(zip(betting.node[places].tolist(), places.tolist(), strict=True))


def lifted_mean_gain(
    spot: Spot, strategies: Mapping[int, list[HeldStrategies]], threads: int
) -> float:
    """The exploitability, in a spot, of strategies that were found in spots with fewer bets.

    At each decision of a seat the first of its strategies is played whose spot has the line. Where
    none has it, the seat itself has left its menu, and no play of theirs comes there.

    Args:
        spot: The spot, with all bets.
        strategies: By seat, each from a spot with the same board, ranges and stacks.
        threads: How many work.

    Returns:
        The mean of what both best responses gain, in chips.
    """
    engine = Engine(holdem_game(spot), "float32", threads=threads)
    try:
        for seat, of_seat in strategies.items():
            _lift(engine, seat, of_seat)
        return engine.mean_gain() / spot.rules().scale.per_chip
    finally:
        engine.traversal.team.release()


def _lift(engine: Engine, seat: int, strategies: list[HeldStrategies]) -> None:
    """Write a seat's strategies as strategy sums of an engine."""
    layout, tree, store = engine.layout, engine.game.tree, engine.arena.store
    boards, program = layout.table.boards, layout.betting.program
    matches = [matching_nodes(tree, held.tree) for held in strategies]
    for node, place in _places(engine).items():
        if tree.player[node] != seat:
            continue
        pairs = zip(strategies, matches, strict=True)
        known = next(((held, match) for held, match in pairs if match[node] >= 0), None)
        if known is None:
            continue
        held, match = known
        there = int(match[node])
        count, first = int(tree.num_children[node]), int(tree.first_child[node])
        child = match[first : first + count] - held.tree.first_child[there]
        offered = match[first : first + count] >= 0
        street = int(np.searchsorted(program.nodes, place, side="right")) - 1
        for board in np.flatnonzero(boards.street == street).tolist():
            width, live = int(boards.width[seat, board]), int(boards.live[seat, board])
            start = int(boards.arena[seat, board]) + int(program.row[place]) * width
            rows = store.total[start : start + count * width].reshape(count, width)
            played = held.strategy(held.places[there], board)
            rows[offered, :live] = played[child[offered]]


def matching_nodes(tree: PublicTree, other: PublicTree) -> Int32Array:
    """The nodes of another tree at the end of the same lines.

    Args:
        tree: A tree.
        other: Another one of the same root.

    Returns:
        int32[N]: for each node of `tree` that of `other`, -1 where it lacks the line.
    """
    match = np.full(len(tree.kind), -1, np.int32)
    match[0] = 0
    for node in np.flatnonzero(tree.num_children).tolist():  # parents precede children
        there = int(match[node])
        if there < 0 or other.kind[there] != tree.kind[node]:
            continue
        first, first_there = int(tree.first_child[node]), int(other.first_child[there])
        if tree.kind[node] == CHANCE:
            match[first] = first_there
            continue
        assert tree.kind[node] == ACTION
        options = range(first_there, first_there + int(other.num_children[there]))
        by_action = {(int(other.action[n]), int(other.amount[n])): n for n in options}
        for child in range(first, first + int(tree.num_children[node])):
            key = int(tree.action[child]), int(tree.amount[child])
            match[child] = by_action.get(key, -1)
    return match
