"""CFR on public trees: against the core, which knows histories and infosets only, and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.evaluation.response import evaluate
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.reference.postflop import (
    PublicCFR,
    Strategies,
    best_response_values,
    expected_values,
    exploitability,
    shared,
    values_at,
)
from equilibrist.reference.public_game import Place
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.posed_games import ANTE, KUHN, LEDUC, Posed
from tests.poker.postflop.engine.public_games import combos_of, hand, node, public_game

GAMES = {"kuhn": KUHN, "leduc": LEDUC}
NAN = float("nan")


def assert_equal(posed: Posed, ours: Strategies, core: dict[str, dict[str, float]]) -> None:
    seen = 0
    for place, table in ours.items():
        for held, row in enumerate(table.T):
            if held not in place[1]:
                expected = list(core[posed.key(place, held)].values())
                assert row == pytest.approx(expected, abs=1e-9), posed.key(place, held)
                seen += 1
    assert seen == len(core)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("variant", ["cfr", "cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("name", GAMES)
def test_equals_the_core(name: str, variant: str) -> None:
    posed = GAMES[name]
    game = posed.public_game
    ours = PublicCFR(game, VARIANTS[variant], weighted=True)
    core = CFR(name, variant)
    ours.run(20)
    core.run(20)
    assert_equal(posed, ours.strategy, core.current_strategy().to_dict())
    average = core.average_strategy()
    assert_equal(posed, ours.average(), average.to_dict())
    deals = len(posed.deck) * (len(posed.deck) - 1)
    regrets = {place: table / deals for place, table in ours.regret.items()}
    assert_equal(posed, regrets, core.regrets())
    measured = evaluate(average)
    values = values_at(game, ours.average())
    for player in (0, 1):
        assert values.mean(player) - ANTE == pytest.approx(measured.values[player], abs=1e-9)
    assert exploitability(game, ours.average()) == pytest.approx(measured.exploitability, abs=1e-9)


def test_an_average_that_is_not_weighted() -> None:
    """Plain CFR: the mean of what was played, however likely the player came there."""
    solver = PublicCFR(KUHN.public_game, VARIANTS["cfr"])
    sums = {place: 0.0 * table for place, table in solver.strategy.items()}
    for _ in range(5):
        before = {place: table.copy() for place, table in solver.strategy.items()}
        solver.run(1)
        for place, table in before.items():
            sums[place] += table / 5
    average = solver.average()
    for place, table in sums.items():
        assert average[place] == pytest.approx(table, abs=1e-12)


def test_what_locks_leave_is_shared() -> None:
    fixed = np.array([[NAN, 0.25, 0.2, 1.0], [NAN, NAN, NAN, 0.0], [NAN, NAN, 0.8, 0.0]])
    weights = np.array([[3.0, 9.0, 9.0, 9.0], [1.0, -1.0, -1.0, 9.0], [-1.0, -2.0, 9.0, 9.0]])
    expected = [[0.75, 0.25, 0.2, 1], [0.25, 0.375, 0, 0], [0, 0.375, 0.8, 0]]
    assert shared(weights, fixed) == pytest.approx(np.array(expected))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("line", ["X-X", "A-C"])
def test_showdown_on_the_flop_counts_every_runout(line: str) -> None:
    """All-in on the flop, or no bets until the river: uniform play tells nothing of the hands."""
    spot = Spot(
        board="AsKsQs", oop="TT,98s", ip="JJ,AhKh:0.5", pot=60, stack=50, bets="a||", ip_bets=""
    )
    game = public_game(spot)
    average = PublicCFR(game, VARIANTS["cfr"]).average()
    place: Place = node(spot, line), ()
    nodes: Any = game.nodes
    values, pot = values_at(game, average, place), nodes.pot[place[0]]
    expected = equity(spot.oop, spot.ip, spot.board)
    paid = (pot - 60) / 2
    assert values.mean(0) == pytest.approx(pot * expected.oop - paid, abs=1e-9)
    assert values.mean(0) + values.mean(1) == pytest.approx(60, abs=1e-9)
    for player, shares in enumerate((expected.oop_hands, expected.ip_hands)):
        payoffs = pot * shares[combos_of(spot, player)] - paid
        assert values.ev[player] == pytest.approx(payoffs, abs=1e-9)


def test_uniform_play_on_the_river() -> None:
    """Half of the time 30, else a bet of 30: half of them 60, half 120 / 2 - 30."""
    spot = Spot(board="Td9d6h2c2s", oop="100%", ip="100%", pot=60, stack=100, oop_bets="50%")
    game = public_game(spot)
    values = values_at(game, PublicCFR(game, VARIANTS["dcfr"]).average())
    assert (values.mean(0), values.mean(1)) == pytest.approx((37.5, 22.5), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_half_of_the_bluffs(weighted: bool) -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    game = public_game(spot)
    solver = PublicCFR(game, VARIANTS["dcfr"], weighted)
    solver.run(2000)
    average = solver.average()
    assert exploitability(game, average) < 0.02
    values = values_at(game, average)
    assert (values.mean(0), values.mean(1)) == pytest.approx((75, 25), abs=0.05)
    jams = average[node(spot, ""), ()][1]
    paired = (jams * game.weights[0])[:6].mean(), jams[6:].mean()
    assert paired == pytest.approx((0.5, 1), abs=0.01)  # QQ come before AA
    calls = average[node(spot, "A"), ()][1]
    assert calls.mean() == pytest.approx(0.5, abs=0.01)


LOCKED = Spot(board="2s3h4d6c7c", oop="AsAh,QsQh", ip="KsKh", pot=20, stack=10, bets="a")


@pytest.mark.parametrize("fixed", [[[0.25], [NAN]], [[NAN], [0.75]], [[0.25], [0.75]]])
def test_one_locked_frequency(fixed: list[list[float]]) -> None:
    game = public_game(LOCKED)
    locks: dict[Place, FloatArray] = {(node(LOCKED, "A"), ()): np.array(fixed)}
    solver = PublicCFR(game, VARIANTS["dcfr"], locks=locks)
    solver.run(200)
    average = solver.average()
    values = values_at(game, average)
    aces, queens = hand(LOCKED, 0, "AsAh"), hand(LOCKED, 0, "QsQh")
    assert values.ev[0][[queens, aces]] == pytest.approx([0, 27.5], abs=0.01)
    assert values.ev[1] == pytest.approx([6.25], abs=0.01)
    assert average[0, ()][1, [queens, aces]] == pytest.approx([0, 1], abs=0.001)
    assert average[node(LOCKED, "A"), ()][:, 0] == pytest.approx([0.25, 0.75])
    assert exploitability(game, average, locks) == pytest.approx(0, abs=0.01)
    # who is not bound by the lock calls less against aces only: -7.5 becomes 0 half of the time
    free = best_response_values(game, 1, average) - expected_values(game, 1, average)
    assert free == pytest.approx([7.5], abs=0.05)
    assert exploitability(game, average) == pytest.approx(7.5 / 2 / 2, abs=0.02)


@pytest.mark.slow
def test_what_is_free_beside_a_lock_is_played_well() -> None:
    """Queens must bet 30 % all-in and choose between half pot and nothing for the rest."""
    spot = Spot(board="2s3h4d6c7c", oop="AsAh,QsQh", ip="KsKh", pot=20, stack=10, bets="5c, a")
    game = public_game(spot)
    queens = hand(spot, 0, "QsQh")
    fixed = np.full((3, 2), NAN)
    fixed[2, queens] = 0.3
    locks: dict[Place, FloatArray] = {(0, ()): fixed}
    solver = PublicCFR(game, VARIANTS["dcfr"], weighted=True, locks=locks)
    played = solver.strategy[0, ()].copy()
    solver.run(1)
    assert (played * solver.regret[0, ()]).sum(axis=0) == pytest.approx(0)  # of the free part, too
    assert np.ptp(solver.regret[0, ()][:2, queens]) > 1
    solver.run(2000)
    average = solver.average()
    assert average[0, ()][2, queens] == 0.3
    assert average[0, ()].sum(axis=0) == pytest.approx(1)
    assert exploitability(game, average, locks) < 0.01
    assert exploitability(game, average) >= exploitability(game, average, locks)


def test_a_place_in_the_middle() -> None:
    """The values at a place, from all that may follow: the turn card, or the actions."""
    spot = Spot(board="AsKsQs2d", oop="TT,98s", ip="JJ,AhKh", pot=60, stack=30, bets="50%")
    game = public_game(spot)
    solver = PublicCFR(game, VARIANTS["cfr"])
    solver.run(3)
    average = solver.average()
    deal = node(spot, "X-X")
    here = values_at(game, average, (deal, ()))
    there = [values_at(game, average, place) for place in game.below((deal, ()))]
    for player in (0, 1):
        matchups = sum(values.matchups[player] * game.deal_probability(()) for values in there)
        total = sum(np.nan_to_num(values.ev[player] * values.matchups[player]) for values in there)
        assert here.matchups[player] == pytest.approx(matchups)
        assert here.ev[player] == pytest.approx(total / 44 / here.matchups[player])
        assert here.mean(0) + here.mean(1) == pytest.approx(60)


def test_reach_of_a_place() -> None:
    spot = Spot(
        board="Ts3h2h5c9s", oop="AA,QQ:0.5", ip="KK,JJ", pot=100, stack=100, bets="50c", raises="a"
    )
    game = public_game(spot)
    solver = PublicCFR(game, VARIANTS["cfr"])
    solver.run(3)
    average = solver.average()
    weight = values_at(game, average, (node(spot, "X-B50-A"), ())).weight
    oop = average[0, ()][0] * average[node(spot, "X-B50"), ()][2]
    assert weight[0] == pytest.approx(game.weights[0] * oop)
    assert weight[1] == pytest.approx(average[node(spot, "X"), ()][1])
    assert np.ptp(weight[0]) > 0.01
    assert weight[1].max() < 0.9
