"""Turns with three players: against plain recursion over rivers, and against other solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.equities.multiway import multiway_equity
from equilibrist.poker.hands.betting_tree import DEAL, DECISION
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.three_players.forms import Showdown
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    Measure,
    add_decisions,
    in_proportion,
    row_reach,
    row_worth,
    uniform_strategy,
)
from equilibrist.poker.three_players.solver import ThreeSolver, Valuer, widened
from equilibrist.poker.three_players.solving import solve_three
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.poker.three_players.turns import led
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.typing import FloatArray, Int32Array
from tests.poker.three_players.plain import plain_forms
from tests.poker.three_players.turn_recursion import Strategies, TurnRecursion

FEW: dict[str, Any] = {
    "board": "Qs9h5d3c",
    "oop": "AhQd,KsTs:0.5",
    "middle": "AcQh,8s8h:0.25",
    "ip": "AhQh,7s6s:0.75",
    "pot": 60,
    "bets": "a",
}
SPOTS: dict[str, dict[str, Any]] = {
    "equal stacks": {"stack": 100},
    "unequal stacks": {"stacks": [100, 40, 250]},
    "one all-in already": {"stacks": [0, 90, 50], "bets": "50%, a", "raises": "a"},
    "rake": {"stacks": [40, 250, 70], "rake": "5%", "rake_cap": 4},
    "bets that are called go on": {"stacks": [90, 90, 30], "bets": "40c|40c|a"},
}


def measured(laid_out: HandsAndGames, strategies: Strategies, threads: int = 1) -> Measure:
    valuer = Valuer(laid_out, threads)
    played = [
        widened(rows, width)
        for rows, width in zip(strategies.first, valuer.tables.widths, strict=True)
    ]
    return valuer.measure(played, strategies.later)


@pytest.mark.slow
@pytest.mark.parametrize("changes", SPOTS.values(), ids=SPOTS)
def test_values_and_best_responses_are_those_of_all_deals_and_rivers(
    changes: dict[str, Any],
) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**(FEW | changes)))
    oracle, strategies = TurnRecursion(laid_out), Strategies.random(laid_out, 4)
    mine, values = measured(laid_out, strategies), oracle.values_of(strategies)
    assert mine.values == pytest.approx(values, abs=1e-12 * 300)
    for seat in range(3):
        gain = oracle.best_value_of(seat, strategies) - values[seat]
        assert mine.gains[seat] == pytest.approx(gain, abs=1e-12 * 300)


SUITS: dict[str, Any] = {
    "board": "QsQh7s7h",
    "oop": "88+:0.5,AT+,KJ+,JTs",
    "middle": "66+,A9+,KT+,QJ",
    "ip": "55+,A8+,KT+,QJ,T9s",
    "pot": 60,
    "stack": 100,
    "bets": "50%, a",
}
"""Hearts and spades are alike, and clubs and diamonds."""


class PlainTurn:
    """Iterations by the formulas of `Variant` over plain forms, river by river."""

    def __init__(self, laid_out: HandsAndGames) -> None:
        self.laid_out, runouts = laid_out, laid_out.runouts
        self.parts: list[tuple[Sequence[SeatGame], Sequence[Int32Array], Forms]] = [
            (laid_out.games, laid_out.hands, plain_forms(laid_out))
        ]
        for board, hands in zip(runouts.boards, runouts.hands, strict=True):
            games = laid_out.later[0]
            forms = plain_forms(laid_out, games, hands, Showdown(board, hands))
            self.parts.append((games, hands, forms))
        self.strategies, self.regrets, self.sums = [], [], []
        for of_street, held, _ in self.parts:
            uniform = [uniform_strategy(g, len(h)) for g, h in zip(of_street, held, strict=True)]
            self.strategies.append(uniform)
            self.regrets.append([np.zeros_like(rows) for rows in uniform])
            self.sums.append([np.zeros_like(rows) for rows in uniform])

    def reach(self, part: int) -> list[FloatArray]:
        """The reach of all seats on the turn, or on a river."""
        games, hands, _ = self.parts[part]
        if not part:
            entered = list(self.laid_out.weights)
        else:
            entered = [
                rows[game.entry][:, np.searchsorted(whole, held)]
                for rows, game, whole, held in zip(
                    self.reach(0), games, self.laid_out.hands, hands, strict=True
                )
            ]
        return [
            row_reach(game, weights, rows)
            for game, weights, rows in zip(games, entered, self.strategies[part], strict=True)
        ]

    def learn(self, seat: int, part: int, c: Any, below: FloatArray | None) -> FloatArray:
        """Update a seat there; returns the worth of its rows."""
        games, _, forms = self.parts[part]
        game, reach, (j, k) = games[seat], self.reach(part), OTHERS[seat]
        worth = row_worth(game, forms(seat, reach[j], reach[k]))
        if below is not None:
            worth += below
        played, regrets = self.strategies[part][seat], self.regrets[part][seat]
        add_decisions(game, worth, played)
        sums = self.sums[part][seat]
        sums[:] = c.decay * sums + c.weight * reach[seat]
        matched = np.zeros_like(regrets)
        for d in range(game.num_decisions):
            rows = slice(game.first[d], game.first[d + 1])
            gained = worth[rows] - (played[rows] * worth[rows]).sum(axis=0)
            new = np.where(regrets[rows] > 0, c.positive, c.negative) * regrets[rows] + gained
            regrets[rows] = new = np.maximum(new, c.floor)
            matched[rows] = np.maximum(c.lookahead * new + c.prediction * gained, 0)
        self.strategies[part][seat] = in_proportion(game, matched)
        return worth

    def run(self, algorithm: str, count: int) -> None:
        for t in range(1, count + 1):
            c = get_variant(algorithm).coefficients(t)
            for seat, whole in enumerate(self.laid_out.hands):
                below = np.zeros_like(self.strategies[0][seat])
                for part in range(1, len(self.parts)):
                    games, hands, _ = self.parts[part]
                    worth = self.learn(seat, part, c, None)
                    game, columns = games[seat], np.searchsorted(whole, hands[seat])
                    for entered, row in enumerate(game.entry):
                        below[row, columns] += worth[entered] / 42
                self.learn(seat, 0, c, below)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["dcfr(alpha=1.4,beta=0.2,gamma=5)", "pcfr+"])
def test_iterations_are_those_of_the_formulas(algorithm: str) -> None:
    # No hands block each other: where nothing can come, rounding would decide what is played.
    apart = {"oop": "AhQd,KsTs:0.5", "middle": "AcJc,8s8h:0.25", "ip": "KdJd,7s6s:0.75"}
    laid_out = HandsAndGames.of(ThreeSpot(**FEW | apart, stacks=[100, 40, 250]))
    solver = ThreeSolver(laid_out, get_variant(algorithm), precision=np.float64, threads=2)
    solver.run(1)
    solver.run(2)
    plain = PlainTurn(laid_out)
    plain.run(algorithm, 3)
    later, games = solver.copy_later(), (laid_out.games, laid_out.later[0])
    for seat in range(3):
        first = in_proportion(games[0][seat], plain.sums[0][seat])
        np.testing.assert_allclose(solver.averages()[seat], first, rtol=0, atol=1e-11)
        for board, sums in enumerate(plain.sums[1:]):
            held = sums[seat].shape[1]
            entries = games[1][seat].num_entries
            mine = later[seat][board, entries:, :held]
            np.testing.assert_allclose(mine, sums[seat][entries:], rtol=0, atol=1e-11)


def test_a_solver_measures_its_averages() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**FEW, stacks=[100, 40, 250]))
    solver = ThreeSolver(laid_out, get_variant("dcfr"))
    solver.run(5)
    strategies = Strategies(laid_out, solver.averages(), solver.copy_later())
    oracle, mine = TurnRecursion(laid_out), solver.measure()
    assert mine.values == pytest.approx(oracle.values_of(strategies), abs=1e-10)
    best = oracle.best_value_of(1, strategies)
    assert mine.gains[1] == pytest.approx(best - mine.values[1], abs=1e-10)


def test_values_sum_to_the_pot() -> None:
    spot = ThreeSpot(**SUITS, raises="a").replace(stack=None, stacks=[90, 30, 140])
    laid_out = HandsAndGames.of(spot)
    solver = ThreeSolver(laid_out, get_variant("dcfr"))
    for _ in range(3):
        solver.run(3)
        assert sum(solver.measure().values) == pytest.approx(60, abs=1e-9)


@pytest.mark.slow
def test_rivers_that_differ_by_suits_are_merged_exactly() -> None:
    spot = ThreeSpot(**SUITS)
    merged, apart = (HandsAndGames.of(spot, merges_suits=merges) for merges in (True, False))
    assert merged.runouts.count < 30
    assert apart.runouts.count == 48
    one, other = (ThreeSolver(each, get_variant("dcfr"), np.float64) for each in (merged, apart))
    # From the second iteration on rounding decides what is played where nobody comes.
    one.run(1)
    other.run(1)
    for mine, plain in zip(one.averages(), other.averages(), strict=True):
        np.testing.assert_allclose(mine, plain, rtol=0, atol=1e-12)
    sums = spread(one.copy_later(), merged, apart)
    for mine, plain in zip(sums, other.copy_later(), strict=True):
        np.testing.assert_allclose(mine, plain, rtol=0, atol=1e-12)
    one.run(20)
    first, later = one.averages(), spread(one.copy_later(), merged, apart)
    measure = one.measure()
    plain_measure = measured(apart, Strategies(apart, first, later))
    assert measure.values == pytest.approx(plain_measure.values, abs=1e-10)
    assert measure.gains == pytest.approx(plain_measure.gains, abs=1e-10)


def spread(
    later: Sequence[FloatArray], merged: HandsAndGames, apart: HandsAndGames
) -> list[FloatArray]:
    """What is played on merged rivers, on all of them."""
    runouts, games = apart.runouts, apart.later[0]
    spread_out = [
        np.zeros((runouts.count, game.num_rows, width))
        for game, width in zip(games, runouts.widths, strict=True)
    ]
    for number, board in enumerate(runouts.boards):
        solved, images = merged.runouts.find(board[-1])
        for seat, held in enumerate(runouts.hands[number]):
            columns = np.searchsorted(merged.runouts.hands[solved][seat], images[held])
            spread_out[seat][number, :, : len(held)] = later[seat][solved][:, columns]
    return spread_out


def test_hands_that_are_images_of_each_other_play_alike_to_the_bit() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SUITS))
    solver = ThreeSolver(laid_out, get_variant("dcfr"))
    solver.run(30)
    for seat, average in enumerate(solver.averages()):
        others, leaders = led(laid_out.hands[seat], laid_out.group)
        assert len(others)
        assert (average[:, others] == average[:, leaders]).all()


def test_threads_change_nothing() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SUITS), merges_suits=False)
    alone, shared = (ThreeSolver(laid_out, get_variant("dcfr"), threads=n) for n in (1, 3))
    for solver in (alone, shared):
        solver.run(10)
    assert alone.measure() == shared.measure()
    for one, other in zip(alone.copy_later(), shared.copy_later(), strict=True):
        assert (one == other).all()


@pytest.mark.slow
def test_a_third_player_who_only_folds_leaves_the_game_of_two() -> None:
    """OOP always bets, and any two cards fold to it: they block all rivers and hands alike."""
    keys: dict[str, Any] = {"board": "Qs9h5d3c", "pot": 60, "stack": 60, "bets": "50%"}
    oop, ip = "88+:0.5,AT+,KJ+,JTs", "55+,A8+,KT+,QJ,T9s"
    solved = solve(Spot(**keys, oop=oop, ip=ip, locks=[": B30 1"]), iterations=40)
    spot = ThreeSpot(**keys, oop=oop, middle="100%", ip=ip)
    laid_out, betting = HandsAndGames.of(spot), spot.betting
    runouts, games = laid_out.runouts, (laid_out.games, laid_out.later[0])
    first = laid_out.uniform()
    later = [
        np.zeros((runouts.count, game.num_rows, width))
        for game, width in zip(games[1], runouts.widths, strict=True)
    ]

    def strategy(line: str, rows: FloatArray, hands: Any) -> None:
        held = solved.at(line).decision.strategy[:, hands]
        rows[:, : len(hands)] = np.where(held.sum(axis=0) > 0.5, held, 1 / len(held))

    def fill(node: int, street: int, two: str) -> None:
        if betting.kind[node] == DEAL:
            fill(betting.children(node)[0], 1, f"{two}|")
        if betting.kind[node] != DECISION:
            return
        seat, children = int(betting.player[node]), betting.children(node)
        game = games[street][seat]
        place = game.node.tolist().index(node)
        rows = slice(game.first[place], game.first[place + 1])
        if seat == 1:
            assert betting.label(children[0]) == "F"
            first[1][rows] = 0.0
            first[1][rows.start] = 1.0
            fill(children[0], street, two)
            return
        if not node:
            first[0][rows] = 0.0
            bet = [betting.label(child) for child in children].index("B30")
            first[0][rows.start + bet] = 1.0
            fill(children[bet], 0, "B30")
            return
        if not street:
            strategy(two, first[seat][rows], laid_out.hands[seat])
        else:
            for number, board in enumerate(runouts.boards):
                head, tail = two.split("|")
                line = f"{head}|{card_names(board[-1:])}" + (f"|{tail}" if tail else "")
                strategy(line, later[seat][number][rows], runouts.hands[number][seat])
        for child in children:
            fill(child, street, f"{two}-{betting.label(child)}".replace("|-", "|"))

    fill(0, 0, "")
    mine = measured(laid_out, Strategies(laid_out, first, later))
    assert mine.values[0] == pytest.approx(solved.ev[0], abs=1e-6 * 60)
    assert mine.values[1] == pytest.approx(0, abs=1e-9)
    assert mine.values[2] == pytest.approx(solved.ev[1], abs=1e-6 * 60)


def test_without_bets_values_are_equities() -> None:
    ranges = ["AA,KTs,98s:0.5", "22+,AJs", "AK,QJ,T8s"]
    equities = multiway_equity(ranges, FEW["board"], exact=True).equities
    for order in ((0, 1, 2), (2, 0, 1)):
        oop, middle, ip = (ranges[seat] for seat in order)
        spot = ThreeSpot(board=FEW["board"], oop=oop, middle=middle, ip=ip, pot=60, stack=100)
        solution = solve_three(spot, iterations=1)
        expected = [60 * equities[seat] for seat in order]
        assert solution.values == pytest.approx(expected, abs=1e-9)
        assert solution.gains == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("stacks", [[100, 100, 100], [100, 30, 250], [0, 90, 50]])
def test_gains_fall_below_the_target(stacks: list[int]) -> None:
    keys = {key: value for key, value in SUITS.items() if key != "stack"}
    solution = solve_three(ThreeSpot(**keys, stacks=stacks), target="0.5%")
    assert solution.stopped_by == "target"
    assert min(solution.gains) > -1e-9
    assert sum(solution.values) == pytest.approx(60, abs=1e-9)
    assert solution.iterations < 500
