"""The solver of rivers with three players: its iterations, and games whose values are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.poker.equities.multiway import multiway_equity
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.three_players.game import OTHERS
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    add_decisions,
    row_reach,
    row_worth,
)
from equilibrist.poker.three_players.solver import ThreeSolver, exact_forms
from equilibrist.poker.three_players.solving import solve_three
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.typing import FloatArray
from tests.poker.three_players.plain import measure, plain_forms
from tests.poker.three_players.recursion import random_strategies
from tests.poker.three_players.test_profile import SMALL, SPOTS

WIDE: dict[str, Any] = {
    "board": "Qs9h5d3cJs",
    "oop": "22+,A9s+,KTs+,QTs+,J9s+,T8s+,98s,87s,AJo+,KQo",
    "middle": "22+,A2s+,K9s+,QTs+,J9s+,T8s+,98s,AJo+,KJo+",
    "ip": "22+,A2s+,K9s+,Q9s+,J8s+,T8s+,ATo+,KTo+,QTo+",
    "pot": 60,
    "bets": "50%, a",
    "raises": "a",
}


def kernel_forms(laid_out: HandsAndGames) -> Forms:
    """What evaluates the forms of the first street by the kernels, in float64."""
    return exact_forms(laid_out.spot.cards, laid_out.hands, laid_out.games)


def shares(numbers: FloatArray) -> FloatArray:
    """The numbers over the sum of their column; uniform where it is 0."""
    total = numbers.sum(axis=0)
    return np.where(total > 0, numbers / np.where(total > 0, total, 1), 1 / len(numbers))


def plain_iterations(laid_out: HandsAndGames, algorithm: str, count: int) -> list[FloatArray]:
    """The averages of so many iterations, by the formulas of `Variant` over plain forms."""
    strategies = laid_out.uniform()
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
                gained = worth[rows] - (strategies[seat][rows] * worth[rows]).sum(axis=0)
                old = regrets[seat][rows]
                new = np.where(old > 0, c.positive, c.negative) * old + gained
                regrets[seat][rows] = new = np.maximum(new, c.floor)
                matched = np.maximum(c.lookahead * new + c.prediction * gained, 0)
                strategies[seat][rows] = shares(matched)
    averages = laid_out.uniform()
    for seat, game in enumerate(laid_out.games):
        for d in range(game.num_decisions):
            rows = slice(game.first[d], game.first[d + 1])
            averages[seat][rows] = shares(sums[seat][rows])
    return averages


@pytest.mark.parametrize("algorithm", ["dcfr(alpha=1.4,beta=0.2,gamma=5)", "pcfr+"])
def test_iterations_are_those_of_the_formulas(algorithm: str) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SMALL | {"stacks": [100, 40, 250], "raises": ""}))
    solver = ThreeSolver(laid_out, get_variant(algorithm), precision=np.float64)
    solver.run(1)
    solver.run(4)
    for mine, plain in zip(
        solver.averages(), plain_iterations(laid_out, algorithm, 5), strict=True
    ):
        np.testing.assert_allclose(mine, plain, rtol=0, atol=1e-11)


@pytest.mark.parametrize("changes", SPOTS.values(), ids=SPOTS)
def test_kernels_measure_what_plain_forms_do(changes: dict[str, Any]) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**(SMALL | changes)))
    strategies = random_strategies(laid_out, 3)
    plain = measure(laid_out, strategies, plain_forms(laid_out))
    by_kernels = measure(laid_out, strategies, kernel_forms(laid_out))
    assert by_kernels.values == pytest.approx(plain.values, abs=1e-11)
    assert by_kernels.gains == pytest.approx(plain.gains, abs=1e-11)


def test_a_solver_measures_its_averages() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SMALL, stacks=[100, 40, 250]))
    solver = ThreeSolver(laid_out, get_variant("dcfr"))
    solver.run(7)
    mine, plain = solver.measure(), measure(laid_out, solver.averages(), plain_forms(laid_out))
    assert mine.values == pytest.approx(plain.values, abs=1e-11)
    assert mine.gains == pytest.approx(plain.gains, abs=1e-11)
    assert mine.nash_conv == pytest.approx(sum(mine.gains))


def test_without_bets_values_are_equities_whoever_acts_first() -> None:
    ranges = ["AA,KTs,98s:0.5", "22+,AJs", "AK,QJ,T8s"]
    equities = multiway_equity(ranges, WIDE["board"], exact=True).equities
    for order in ((0, 1, 2), (2, 0, 1), (1, 0, 2)):
        oop, middle, ip = (ranges[seat] for seat in order)
        spot = ThreeSpot(board=WIDE["board"], oop=oop, middle=middle, ip=ip, pot=60, stack=100)
        solution = solve_three(spot, iterations=1)
        expected = [60 * equities[seat] for seat in order]
        assert solution.values == pytest.approx(expected, abs=1e-9)
        assert solution.gains == pytest.approx([0, 0, 0], abs=1e-9)


def test_equal_ranges_share_a_pot_that_is_checked() -> None:
    spot = ThreeSpot(
        board="Qs9h5d3cJs", oop="22+,AK", middle="22+,AK", ip="22+,AK", pot=90, stack=1
    )
    assert solve_three(spot, iterations=1).values == pytest.approx([30, 30, 30], abs=1e-9)


def test_a_third_player_who_only_folds_leaves_the_game_of_two() -> None:
    """One hand that loses to all others: without its cards the engine of two players has it all."""
    keys = {key: WIDE[key] for key in ("board", "pot", "bets", "raises")}
    gone, cards = Range("4c2d"), (8, 1)  # 4c2d by number
    two = Spot(
        **keys,
        stack=100,
        oop=Range(WIDE["oop"]).without(cards),
        ip=Range(WIDE["ip"]).without(cards),
    )
    solved = solve(two, target="0.3%")
    three = ThreeSpot(**keys, stack=100, oop=WIDE["oop"], middle=gone, ip=WIDE["ip"])
    laid_out = HandsAndGames.of(three)
    strategies, betting = laid_out.uniform(), three.betting
    first_of = [dict(zip(g.node.tolist(), g.first.tolist(), strict=False)) for g in laid_out.games]

    def fill(node: int, line: str) -> None:
        if betting.kind[node] != DECISION:
            return
        seat, children = int(betting.player[node]), betting.children(node)
        first = first_of[seat][node]
        if seat == 1:  # folds if it must, else checks: the first action in either case
            strategies[1][first : first + len(children)] = 0.0
            strategies[1][first] = 1.0
            fill(children[0], line)
            return
        decision = solved.at(line).decision
        assert list(decision.codes) == [betting.label(child) for child in children]
        held = decision.strategy[:, laid_out.hands[seat]]
        known = np.isfinite(held).all(axis=0) & (held.sum(axis=0) > 0.5)
        rows = slice(first, first + len(children))
        strategies[seat][rows] = np.where(known, held, strategies[seat][rows])
        for child in children:
            fill(child, f"{line}-{betting.label(child)}".lstrip("-"))

    fill(0, "")
    measured = measure(laid_out, strategies, kernel_forms(laid_out))
    pot = WIDE["pot"]
    assert measured.values[0] == pytest.approx(solved.ev[0], abs=1e-6 * pot)
    assert measured.values[2] == pytest.approx(solved.ev[1], abs=1e-6 * pot)
    assert measured.values[1] == pytest.approx(0, abs=1e-9)
    gain = (measured.gains[0] + measured.gains[2]) / 2
    assert gain == pytest.approx(solved.mean_gain, abs=1e-6 * pot)


@pytest.mark.parametrize("stacks", [[100, 100, 100], [100, 40, 250], [0, 90, 50]])
def test_gains_fall_below_the_target(stacks: list[int]) -> None:
    solution = solve_three(ThreeSpot(**WIDE, stacks=stacks), target="0.3%")
    assert solution.stopped_by == "target"
    assert solution.nash_conv <= 0.003 * 60
    assert min(solution.gains) > -1e-9
    assert sum(solution.values) == pytest.approx(60, abs=1e-9)
    assert solution.iterations < 1000
