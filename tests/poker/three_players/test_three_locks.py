"""Locks of spots with three players: held, learned around, and refused as those of two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import EquilibristError
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.three_players.game import OTHERS
from equilibrist.poker.three_players.profile import (
    HandsAndGames,
    add_decisions,
    row_reach,
    row_worth,
)
from equilibrist.poker.three_players.solution import read_three
from equilibrist.poker.three_players.solver import ThreeSolver
from equilibrist.poker.three_players.solving import solve_three
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.typing import FloatArray
from tests.poker.three_players.plain import plain_forms
from tests.poker.three_players.recursion import Recursion
from tests.poker.three_players.test_profile import SMALL
from tests.poker.three_players.test_solver import WIDE, shares
from tests.poker.three_players.test_turns import FEW
from tests.poker.three_players.turn_recursion import Strategies, TurnRecursion

LOCKS = (
    "X-X-B30: 9c9d = Call 0.25; AhQd = F 1; KsTs = Fold 50%, Call 20%",
    "B30: AcQh = C 1; 8s8h = F 0.3",
    "X: Bet 30 40%",
)
SPOT: dict[str, Any] = SMALL | {"stacks": [100, 40, 250], "locks": LOCKS}
Fixed = list[dict[int, FloatArray]]
"""For each seat by decision float64[A, H], NaN where free."""


def fixed_of(laid_out: HandsAndGames) -> Fixed:
    """What `LOCKS` fix, read from their texts: by hand, apart from the code that lays locks out."""
    spot, fixed = laid_out.spot, list[dict[int, FloatArray]]([{}, {}, {}])
    for lock in spot.locks:
        node = node_at(spot.betting, lock.line.partition("|")[0])
        seat = int(spot.betting.player[node])
        codes = [spot.betting.label(child) for child in spot.betting.children(node)]
        (d,) = np.flatnonzero(laid_out.games[seat].node == node)
        rows = np.full((len(codes), len(laid_out.hands[seat])), np.nan)
        for entry in reversed(lock.entries):
            named = np.isin(laid_out.hands[seat], np.flatnonzero(Range(entry.hands).weights))
            rows[:, named] = np.nan
            for action, share in entry.shares:
                rows[codes.index(action.code), named] = share
            total = np.nansum(rows[:, named], axis=0)
            rows[:, named] = np.where(total == 1, np.nan_to_num(rows[:, named]), rows[:, named])
        fixed[seat][int(d)] = rows
    return fixed


def held(strategy: FloatArray, fixed: FloatArray) -> FloatArray:
    """A strategy whose free actions share what is left as in `strategy`."""
    free = np.isnan(fixed)
    left = 1 - np.nansum(fixed, axis=0)
    among = np.where(free, shares(np.where(free, strategy, 0)), 0)
    count = np.maximum(free.sum(axis=0), 1)
    among = np.where(np.where(free, strategy, 0).sum(axis=0) > 0, among, free / count)
    return np.where(free, left * among, fixed)


def plain_iterations(laid_out: HandsAndGames, algorithm: str, count: int) -> list[FloatArray]:
    """The averages of so many iterations with locks, by the formulas, in plain NumPy."""
    fixed, strategies = fixed_of(laid_out), laid_out.uniform()

    def hold(seat: int, strategy: FloatArray) -> None:
        game = laid_out.games[seat]
        for d, rows in fixed[seat].items():
            own = slice(game.first[d], game.first[d + 1])
            strategy[own] = held(strategy[own], rows)

    for seat, strategy in enumerate(strategies):
        hold(seat, strategy)
    regrets = [np.zeros_like(strategy) for strategy in strategies]
    sums = [np.zeros_like(strategy) for strategy in strategies]
    for t in range(1, count + 1):
        c = get_variant(algorithm).coefficients(t)
        for seat, game in enumerate(laid_out.games):
            reach = [
                row_reach(laid_out.games[s], laid_out.weights[s], strategies[s]) for s in range(3)
            ]
            j, k = OTHERS[seat]
            worth = row_worth(game, plain_forms(laid_out)(seat, reach[j], reach[k]))
            add_decisions(game, worth, strategies[seat])
            sums[seat] = c.decay * sums[seat] + c.weight * reach[seat]
            for d in range(game.num_decisions):
                rows = slice(game.first[d], game.first[d + 1])
                played = strategies[seat][rows]
                free = np.isnan(fixed[seat].get(d, np.full(played.shape, np.nan)))
                weight = np.where(free, played, 0).sum(axis=0)
                mean = np.where(free, played * worth[rows], 0).sum(axis=0)
                mean = mean / np.where(weight > 0, weight, 1)
                gained = np.where(free & (weight > 0), worth[rows] - mean, 0)
                gained[np.abs(gained) < 1e-12] = 0  # else rounding decides where nobody comes
                old = regrets[seat][rows]
                new = np.where(old > 0, c.positive, c.negative) * old + gained
                regrets[seat][rows] = new = np.maximum(new, c.floor)
                matched = np.maximum(c.lookahead * new + c.prediction * gained, 0)
                strategies[seat][rows] = shares(matched)
                if d in fixed[seat]:
                    strategies[seat][rows] = held(matched, fixed[seat][d])
    averages = laid_out.uniform()
    for seat, game in enumerate(laid_out.games):
        for d in range(game.num_decisions):
            rows = slice(game.first[d], game.first[d + 1])
            averages[seat][rows] = shares(sums[seat][rows])
        hold(seat, averages[seat])
    return averages


class LockedRecursion(Recursion):
    """Best responses that keep to locks."""

    def _best(self, seat: int, node: int, deals: Any, strategies: list[FloatArray]) -> float:
        player = int(self.betting.player[node])
        if self.betting.kind[node] != DECISION or player != seat or not deals:
            return super()._best(seat, node, deals, strategies)
        (d,) = np.flatnonzero(self.laid_out.games[seat].node == node)
        worth = [
            self._best(seat, child, deals, strategies) for child in self.betting.children(node)
        ]
        rows = fixed_of(self.laid_out)[seat].get(int(d))
        return best_of(worth, None if rows is None else rows[:, deals[0][0][seat]])


def best_of(worth: list[float], fixed: FloatArray | None) -> float:
    """The best of the free actions takes what the fixed ones leave."""
    if fixed is None:
        return max(worth)
    free = np.isnan(fixed)
    bound = float(np.nan_to_num(fixed) @ worth)
    left = 1 - float(np.nansum(fixed))
    return bound + (left * max(np.array(worth)[free]) if free.any() else 0.0)


@pytest.mark.parametrize("algorithm", ["dcfr(alpha=1.4,beta=0.2,gamma=5)", "pcfr+"])
def test_iterations_learn_among_free_actions(algorithm: str) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SPOT))
    solver = ThreeSolver(laid_out, get_variant(algorithm), precision=np.float64)
    solver.run(1)
    solver.run(4)
    plain = plain_iterations(laid_out, algorithm, 5)
    for mine, expected in zip(solver.averages(), plain, strict=True):
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-11)


@pytest.mark.by_default(3)
def test_gains_are_those_of_best_responses_that_keep_locks() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SPOT))
    solver = ThreeSolver(laid_out, get_variant("dcfr"))
    solver.run(3)
    averages, measured = solver.averages(), solver.measure()
    bound, free = LockedRecursion(laid_out), Recursion(laid_out)
    values = bound.values(averages)
    assert measured.values == pytest.approx(values, abs=1e-10)
    assert measured.unlocked_gains is not None
    for seat in range(3):
        gain = bound.best_value(seat, averages) - values[seat]
        unlocked = free.best_value(seat, averages) - values[seat]
        assert measured.gains[seat] == pytest.approx(gain, abs=1e-10)
        assert measured.unlocked_gains[seat] == pytest.approx(unlocked, abs=1e-10)


def two_and_three(*locks: str) -> tuple[Spot, ThreeSpot]:
    """A spot of two, and the same with a third seat: all-in, with a hand that loses to all."""
    keys = {key: WIDE[key] for key in ("board", "pot", "bets", "raises")} | {"locks": locks}
    gone = (8, 1)  # 4c2d by number
    oop, ip = (Range(WIDE[seat]).without(gone) for seat in ("oop", "ip"))
    two = Spot(**keys, stack=100, oop=oop, ip=ip)
    return two, ThreeSpot(**keys, stacks=[100, 0, 100], oop=oop, middle="4c2d", ip=ip)


@pytest.mark.parametrize(
    "locks",
    [
        ("X: Bet 30 100%", "B30: AA,KQ = Call 100%; 22-77 = Fold 25%"),
        (": frequency = Bet 30 40%",),
        ("X: frequency = Bet 30 60%; QQ = X 1", ": AA = A 1"),
    ],
)
def test_beside_a_hand_that_always_loses_locks_are_those_of_two(locks: tuple[str, ...]) -> None:
    two, three = two_and_three(*locks)
    solved, solution = solve(two, target="0.05%"), solve_three(three, target="0.1%")
    pot = WIDE["pot"]
    values = solution.values[0], solution.values[2]
    assert values == pytest.approx(solved.ev, abs=2e-3 * pot)
    assert solution.unlocked_gains is not None
    assert solved.unlocked_mean_gain is not None
    assert sum(solution.unlocked_gains) / 2 == pytest.approx(
        solved.unlocked_mean_gain, abs=2e-3 * pot
    )
    if "frequency" in " ".join(locks):
        assert solution.frequency_error is not None
        assert solution.frequency_error < 5e-3
        line, wanted = ("", 0.4) if locks[0].startswith(":") else ("X", 0.6)
        decision = solution.at(line)
        taken = dict(zip(decision.codes, decision.strategy @ decision.reach, strict=True))
        assert taken["B30"] / decision.reach.sum() == pytest.approx(wanted, abs=5e-3)
    else:
        assert solution.frequency_error is None


TURN_LOCKS = (
    "X-X-X|: AhQd = X 0.6",
    "X-X-X|7c|: KsTs = X 1",
    "X-X-X|7c|X: AcQh = A 0.75",
    "X: 8s8h = A 0.1",
)


class LockedTurn(TurnRecursion):
    """Best responses that keep to `TURN_LOCKS`."""

    def _best_on(
        self, seat: int, node: int, deals: Any, card: int | None, strategies: Strategies
    ) -> float:
        player = int(self.betting.player[node])
        if self.betting.kind[node] != DECISION or player != seat or not deals:
            return super()._best_on(seat, node, deals, card, strategies)
        worth = [
            self._best_on(seat, child, deals, card, strategies)
            for child in self.betting.children(node)
        ]
        return best_of(worth, self.fixed(seat, node, deals[0][0][seat], card))

    def fixed(self, seat: int, node: int, place: int, card: int | None) -> FloatArray | None:
        """What is fixed for a hand, float64[A]; None where it is free."""
        hand, codes = int(self.laid_out.hands[seat][place]), ["X", "A"]
        for lock in reversed(self.spot.locks):
            line, _, rest = lock.line.partition("|")
            dealt, _, river = rest.partition("|")
            if node_at(self.betting, f"{line}|{river}") != node:
                continue
            if dealt and (card,) != parse_cards(dealt):
                continue
            for entry in lock.entries:
                if Range(entry.hands).weights[hand] > 0:
                    row = np.full(2, np.nan)
                    for action, share in entry.shares:
                        row[codes.index(action.code[0])] = share
                    return np.nan_to_num(row) if np.nansum(row) == 1 else row
        return None


@pytest.mark.slow
def test_locks_of_rivers_hold_on_their_card() -> None:
    spot = ThreeSpot(**FEW, stack=100, locks=TURN_LOCKS)
    laid_out = HandsAndGames.of(spot)
    solution = solve_three(spot, iterations=20)
    on_any = solution.at("X-X-X|2c")
    ahqd, ksts, acqh = (int(np.flatnonzero(Range(h).weights)[0]) for h in ("AhQd", "KsTs", "AcQh"))
    assert on_any.strategy[:, ahqd] == pytest.approx([0.6, 0.4], abs=1e-6)
    there = solution.at("X-X-X|7c|")
    assert there.strategy[:, ksts] == pytest.approx([1, 0], abs=1e-12)
    assert there.strategy[:, ahqd] == pytest.approx([0.6, 0.4], abs=1e-6)
    assert solution.at("X-X-X|7c|X").strategy[1, acqh] == pytest.approx(0.75, abs=1e-6)
    assert solution.at("X-X-X|7d|X").strategy[1, acqh] != pytest.approx(0.75, abs=1e-3)
    strategies = Strategies(laid_out, solution.strategies, solution.later)
    bound, free = LockedTurn(laid_out), TurnRecursion(laid_out)
    values = bound.values_of(strategies)
    assert solution.values == pytest.approx(values, abs=1e-9)
    assert solution.unlocked_gains is not None
    for seat in range(3):
        gain = bound.best_value_of(seat, strategies) - values[seat]
        unlocked = free.best_value_of(seat, strategies) - values[seat]
        assert solution.gains[seat] == pytest.approx(gain, abs=1e-9)
        assert solution.unlocked_gains[seat] == pytest.approx(unlocked, abs=1e-9)


BAD = [
    ("X-X: Check 1", "X-X-X: Check 1"),
    ("B31: Fold 1",) * 2,
    ("B30-F: Fold 1", "B30-F-F: Fold 1"),
    ("B30: Check 1",) * 2,
    ("B30: 22 = Fold 1",) * 2,
    ("B30: Fold 0.5, Call 0.2, A 0.2",) * 2,
    ("B30: Fold 0.5, Fold 0.2",) * 2,
    ("B30: Fold 1; frequency = Call 50%",) * 2,
    ("B30 Fold 1",) * 2,
    ("|7c|X: Check 1",) * 2,
]


@pytest.mark.parametrize(("of_two", "of_three"), BAD)
def test_what_two_refuse_three_refuse_with_the_same_fields(of_two: str, of_three: str) -> None:
    keys = {key: SMALL[key] for key in ("board", "pot", "bets", "raises", "ip", "oop")}
    with pytest.raises(EquilibristError) as two:
        Spot(**keys, stack=100, locks=[of_two])
    with pytest.raises(EquilibristError) as three:
        ThreeSpot(**SMALL, stack=100, locks=[of_three])
    assert (type(three.value), three.value.option) == (type(two.value), two.value.option)
    if of_two == of_three:
        assert three.value.place == two.value.place


def test_symmetries_and_runs_keep_locks(tmp_path: Path) -> None:
    spot = ThreeSpot(
        board="QsQh7s7h", oop="99+,AK", middle="99+,AQ", ip="99+,KQ", pot=60, stack=60, bets="a"
    )
    assert len(HandsAndGames.of(spot).group) == 4
    locked = spot.replace(locks=["X: AsAh,AcAd = A 1", "X-X-X|2c|: A 0"])
    group = HandsAndGames.of(locked).group
    assert len(group) == 2  # spades and hearts alone are alike: the card is a club
    again = ThreeSpot(**{"locks": locked.locks, **_keys(spot)})
    assert again == locked
    path = tmp_path / "three.toml"
    path.write_text(locked.to_toml())
    assert ThreeSpot.from_toml(path) == locked
    assert ThreeSpot.from_toml(path, locks=["X: A 1"]).locks == (Lock.parse("X: A 1"),)


def _keys(spot: ThreeSpot) -> dict[str, Any]:
    names = ("board", "oop", "middle", "ip", "pot", "stack", "bets")
    return {name: getattr(spot, name) for name in names}


def test_a_saved_solution_knows_its_locks_and_makes_one(tmp_path: Path) -> None:
    solution = solve_three(ThreeSpot(**SPOT), iterations=10)
    file = solution.save(tmp_path / "locked.spot")
    back = read_three(file)
    assert back.spot.locks == solution.spot.locks
    assert back.unlocked_gains == solution.unlocked_gains
    assert back.facts() == solution.facts()
    lock = solution.lock("X-X-B30")
    there = solve_three(ThreeSpot(**(SPOT | {"locks": [lock]})), iterations=3).at("X-X-B30")
    before = solution.at("X-X-B30")
    held_hands = before.combos > 0
    np.testing.assert_allclose(
        there.strategy[:, held_hands], before.strategy[:, held_hands], atol=2e-6
    )
