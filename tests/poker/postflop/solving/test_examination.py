"""Examinations: what a locked street loses, against linear programmes of whole games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError, UnsupportedError
from equilibrist.game import CHANCE
from equilibrist.game_loading import compile_game
from equilibrist.poker import solve
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.estimate.size import estimate
from equilibrist.poker.postflop.solution.street_strategy import (
    StreetStrategy,
    lock_street,
    strategy_of_locks,
    strategy_of_spot,
)
from equilibrist.poker.postflop.solving.examination import SolvedValue, examine, summarise_losses
from equilibrist.poker.postflop.solving.examination import _digest as examine_digest
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.spot_game import SpotGame, SpotState, equilibrium
from tests.refusals import refuses

TURN = Spot(
    board="Ts3s2h5h", oop="AcAd,QcQd,7s6s", ip="KcKd,9s8s", pot=60, stack=90, bets="50%,a",
    raises="a",
)  # fmt: skip
RIVER = TURN.replace(board="Ts3s2h5h9c")
FINE = "0.02%"
TOLERANCE = 100 * 2 * 0.0002


@dataclass(frozen=True)
class LockedGame(SpotGame):
    """A spot in which a seat's first street is played by chance, as a table says."""

    seat: int = 0
    shares: tuple[tuple[str, int, tuple[float, ...]], ...] = ()

    def player(self, state: SpotState, /) -> int:
        return CHANCE if self._table(state) else super().player(state)

    def _table(self, state: SpotState) -> tuple[float, ...]:
        if super().player(state) != self.seat or len(state.betting.line) > 1:
            return ()
        line = "-".join(action.code for action in state.betting.line[0])
        combo = state.combos[self.seat]
        return next((row for at, who, row in self.shares if (at, who) == (line, combo)), ())

    def actions(self, state: SpotState, /) -> list[str]:
        if self._table(state):
            return [str(action) for action in self.spot.rules().actions(state.betting)]
        return list(super().actions(state))

    def chance(self, state: SpotState, /) -> list[float]:
        return [*self._table(state)] or list(super().chance(state))

    def next(self, state: SpotState, action_index: int, /) -> SpotState:
        if self._table(state):
            rules, betting = self.spot.rules(), state.betting
            return state._replace(betting=rules.next(betting, rules.actions(betting)[action_index]))
        return super().next(state, action_index)


Rows = list[tuple[str, int, tuple[float, ...]]]


def random_strategy(spot: Spot, seed: int) -> tuple[StreetStrategy, dict[int, Rows]]:
    """Something else for every hand and line, and the same as rows for a `LockedGame`."""
    drawn, rules = np.random.default_rng(seed), spot.rules()
    rows: dict[int, Rows] = {0: [], 1: []}
    tables: dict[str, dict[str, FloatArray]] = {}

    def played(line: str) -> dict[str, FloatArray]:
        if line not in tables:
            state = rules.follow(line).state
            actions = rules.actions(state)
            shares = drawn.dirichlet(np.full(len(actions), 0.7), NUM_COMBOS).T
            tables[line] = dict(zip(map(str, actions), shares, strict=True))
            for combo in np.flatnonzero(spot.ranges[state.player].weights).tolist():
                rows[state.player].append((line, combo, tuple(shares[:, combo].tolist())))
        return tables[line]

    return played, rows


@pytest.mark.parametrize(
    ("spot", "seat"), [(RIVER, 0), (RIVER, 1), pytest.param(TURN, 1, marks=pytest.mark.slow)]
)
def test_losses_are_those_of_a_linear_programme(spot: Spot, seat: int) -> None:
    strategy, rows = random_strategy(spot, seed=seat)
    (loss,) = examine(spot, lambda _: strategy, seats=[seat], target=FINE).seats
    locked = solve_lp(compile_game(LockedGame(spot, seat=seat, shares=tuple(rows[seat]))))
    exact = equilibrium(spot)
    wanted = 100 * (exact.values[seat] - locked.values[seat]) / spot.pot
    assert wanted > 1.0
    assert loss.loss == pytest.approx(wanted, abs=loss.margin + 1e-4)
    assert loss.margin < TOLERANCE
    assert loss.free == 0


@pytest.mark.slow
def test_the_solution_loses_nothing_and_folding_the_whole_value() -> None:
    solution = solve(TURN, target=FINE)
    for seat in examine(TURN, lambda _: strategy_of_spot(solution.strategy), target=FINE).seats:
        assert -seat.margin <= seat.loss <= seat.margin + 100 * 2 * solution.mean_gain / TURN.pot

    def folds(line: str) -> dict[str, FloatArray]:
        actions = list(map(str, RIVER.rules().actions(RIVER.rules().follow(line).state)))
        chosen = "Fold" if "Fold" in actions else "Check"
        return {action: np.full(NUM_COMBOS, float(action == chosen)) for action in actions}

    examined = examine(RIVER, lambda _: folds, target=FINE)
    whole = [100 * value / RIVER.pot for value in equilibrium(RIVER).values]
    for seat, value in zip(examined.seats, whole, strict=True):
        assert seat.loss == pytest.approx(value, abs=seat.margin + 1e-4)
    summary = summarise_losses([examined.row()])
    assert summary.num_losses == 2
    assert summary.mean == pytest.approx(50.0, abs=TOLERANCE)
    assert summarise_losses([examined.row()], "ip").most == examined.seats[1].loss


@pytest.mark.slow
def test_what_is_not_said_is_solved() -> None:
    """Locks of one hand: others are free; a smaller menu: answers to other bets are free."""
    locks = TURN.replace(locks=[": QcQd = All-in 90 100%"])
    (oop,) = examine(TURN, lambda _: strategy_of_locks(locks), seats=[0], target=FINE).seats
    assert oop.free == 3
    exact = solve(TURN, target=FINE)
    fixed = solve(locks, target=FINE)
    wanted = 100 * (exact.ev[0] - fixed.ev[0]) / TURN.pot
    assert oop.loss == pytest.approx(wanted, abs=2 * TOLERANCE)
    small = solve(TURN.replace(bets="a", raises=""), target=FINE)
    street = lock_street(TURN, strategy_of_spot(small.strategy), 1)
    assert street.free == 2


def test_symmetric_strategies_keep_the_symmetry_of_suits() -> None:
    spot = Spot(board="Ts3s2h5c", oop="AA,QQ", ip="KK,98s", pot=60, stack=60, bets="a")
    spot = spot.replace(board="Td9d6h5d")
    assert len(spot.symmetries) > 1
    solution = solve(spot, iterations=20)
    (node,) = lock_street(spot, strategy_of_spot(solution.strategy), 0).nodes[:1]
    assert all(node.stays(number) for number in spot.symmetries.tolist())


def test_what_is_refused() -> None:
    played = strategy_of_spot(solve(TURN.replace(bets="75%,a"), iterations=5).strategy)
    half = {name: np.full(NUM_COMBOS, 0.1) for name in ("Check", "Bet 30", "All-in 90")}
    with refuses(ConfigError, option="strategy", given="Bet 45", place="at the root"):
        examine(TURN, lambda _: played)
    with refuses(ConfigError, option="strategy", given="oop"):
        examine(TURN, lambda _: lambda _: None)
    with refuses(ConfigError, option="strategy", expected=1, place="at the root"):
        examine(TURN, lambda _: lambda _: half)
    with refuses(UnsupportedError, option="rake", given=0.05):
        examine(TURN.replace(rake=0.05), lambda _: lambda _: half)
    with refuses(ConfigError, option="locks", given=1):
        examine(TURN.replace(locks=[": Check 1"]), lambda _: lambda _: half)
    with refuses(ConfigError, option="boards", given=0):
        summarise_losses([])


def test_memory_is_counted_without_the_symmetry_that_locks_break() -> None:
    spot = TURN.replace(board="Td9d6h5d", oop="AA,QQ", ip="KK,JJ")
    assert len(spot.symmetries) > 1
    strategy, _ = random_strategy(spot, seed=1)
    locked = lock_street(spot, strategy, 0).nodes
    needed = estimate(spot, locked=locked).memory_bytes(threads=1)
    assert needed > estimate(spot).memory_bytes(threads=1)
    solver = SpotSolver(spot, threads=1, locked=locked)
    assert solver.memory_bytes <= needed
    whole = SolvedValue(30.0, 0.0, 1, 0.0, examine_digest(spot))
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        examine(
            spot, lambda _: strategy, seats=[0], exact=whole, memory=needed - 1, threads=1,
            iterations=1,
        )  # fmt: skip


def test_states_are_those_of_the_same_locks_and_deck() -> None:
    strategy, _ = random_strategy(RIVER, seed=1)
    locked = lock_street(RIVER, strategy, 0).nodes
    state = SpotSolver(RIVER, threads=1).run(1).state
    with refuses(MismatchError, option="locked", given=""):
        SpotSolver(RIVER, threads=1, locked=locked).restore(state)
    other, _ = random_strategy(RIVER, seed=2)
    mine = SpotSolver(RIVER, threads=1, locked=locked).run(1)
    with refuses(MismatchError, option="locked"):
        SpotSolver(RIVER, threads=1, locked=lock_street(RIVER, other, 0).nodes).restore(mine.state)
    assert SpotSolver(RIVER, threads=1, locked=locked).restore(mine.state).iteration == 1
    high = TURN.replace(board="Ts9s8h7h", oop="AA,QQ", ip="KK,JJ")
    short = SpotSolver(high, threads=1, lowest_rank=4)
    with refuses(MismatchError, option="lowest_rank", given=4, expected=0):
        SpotSolver(high, threads=1).restore(short.state)


def test_an_exact_value_is_that_of_the_same_spot() -> None:
    strategy, _ = random_strategy(RIVER, seed=0)
    examined = examine(RIVER, lambda _: strategy, seats=[0], iterations=5)
    again = examine(RIVER, lambda _: strategy, seats=[0], iterations=5, exact=examined.exact)
    assert again.seats[0].loss == examined.seats[0].loss
    with refuses(MismatchError, option="exact"):
        examine(RIVER.replace(pot=61), lambda _: strategy, exact=examined.exact)
