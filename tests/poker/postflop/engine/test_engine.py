"""The engine of hold'em, iterate by iterate against the textbook of `reference.postflop`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.evaluation.response import evaluate
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.reference.postflop import PublicCFR, Strategies, exploitability, values_at
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.solvers.variants.registry import VARIANTS
from tests.poker.postflop.engine.engine_games import averages, run, vector_game
from tests.poker.postflop.engine.posed_games import ANTE, KUHN, LEDUC
from tests.poker.postflop.engine.public_games import public_game
from tests.refusals import refuses
from tests.slow_cases import slow

POSED = {"kuhn": (KUHN, 1), "leduc": (LEDUC, 2)}
RIVER = Spot(
    board="QsJh2h7c7d",
    oop="AA,QTs,J9s,98s,54s:0.5",
    ip="KK,QJs,T9s,76s,65s:0.25",
    pot=40,
    stack=150,
    bets="50%, a",
    raises="3x, a",
    rake=0.05,
    rake_cap=4,
)
TURN = RIVER.replace(board="QsJh2h7c", oop="AA,J9s,54s:0.5", ip="KK,76s,65s:0.25", stack=60, rake=0)
WIDE = RIVER.replace(
    board="QsJh2h7c", oop="TT+,A9s+", ip="99-66,KTs+,JTs,T9s", stack=60, rake=0, raises="a"
)
"""Rows of several tiles, in which a card that is dealt takes hands here and there."""
FLOP = Spot(board="Ts5s2s", oop="AA,QQ", ip="KK", pot=60, stack=90, bets="a")


def assert_equal(ours: Strategies, textbook: Strategies) -> None:
    assert ours.keys() == textbook.keys()
    for place, table in ours.items():
        there = ~np.isnan(table[0])
        assert table[:, there] == pytest.approx(textbook[place][:, there], abs=1e-9), place


@pytest.mark.by_default(1)
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("variant", ["cfr", "cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("name", POSED)
def test_kuhn_and_leduc(name: str, variant: str, weighted: bool) -> None:
    posed, streets = POSED[name]
    game = posed.public_game
    predicts = VARIANTS[variant].prediction != 0
    engine = Engine(vector_game(game, streets, 2.0), "float64", predicts=predicts)
    textbook = PublicCFR(game, VARIANTS[variant], weighted)
    for _ in range(2):
        engine.run(VARIANTS[variant].table(textbook.iteration + 1, 10), weigh=weighted)
        textbook.run(10)
        average = textbook.average()
        assert_equal(averages(engine), average)
        values = values_at(game, average)
        for player in (0, 1):
            assert engine.expected(player) == pytest.approx(values.mean(player), abs=1e-9)
        assert engine.mean_gain() == pytest.approx(exploitability(game, average), abs=1e-9)


@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", -0.0856064)])
def test_values_of_kuhn_and_leduc_equal_those_of_the_core(name: str, value: float) -> None:
    """No textbook between them: the same iterations here and in the core, the linear programme,
    and what is published."""
    posed, streets = POSED[name]
    engine = Engine(vector_game(posed.public_game, streets, 2.0 * ANTE), "float64")
    core = CFR(name, "dcfr")
    run(engine, "dcfr", 3000, weigh=True)
    core.run(3000)
    ours = [engine.expected(player) - ANTE for player in (0, 1)]
    assert ours == pytest.approx(evaluate(core.average_strategy()).values, abs=1e-6)
    assert ours == pytest.approx(solve_lp(core.tree).values, abs=1e-6)
    assert ours == pytest.approx((value, -value), abs=1e-6)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("spot", "iterations", "variant"),
    [
        (RIVER, 5, "dcfr"),
        (RIVER, 5, "pcfr+"),
        (TURN, 2, "dcfr"),
        (TURN, 2, "pcfr+"),
        (WIDE, 2, "dcfr"),
        slow(FLOP, 2, "dcfr"),
    ],
)
def test_spots(spot: Spot, iterations: int, variant: str) -> None:
    """Before rounding decides ties of hands that play alike."""
    game = public_game(spot)
    solver = SpotSolver(spot, storage="float64", algorithm=variant, isomorphism=False)
    textbook = PublicCFR(game, VARIANTS[variant])
    solver.run(iterations)
    textbook.run(iterations)
    average = textbook.average()
    assert_equal(averages(solver.engine), average)
    assert solver.mean_gain() == pytest.approx(exploitability(game, average), abs=1e-9)


@pytest.mark.parametrize(
    ("menu", "showdowns", "folds"),
    [
        ({"bets": "10%, 20%, 30%, 40%, 50%, 60%, 70%, 80%", "raises": ""}, 25, 0),
        ({"bets": "20%, 40%, 60%, 80%", "raises": "50%, 100%"}, 64, 21),
        ({"bets": "10%, 20%, 30%, 40%, 50%, 60%, 70%, 80%", "raises": "50%, 100%"}, 128, 41),
    ],
)
def test_lanes_of_many_lines(menu: dict[str, str], showdowns: int, folds: int) -> None:
    """Folds that fill up showdowns, that are left over, and that need more than a block."""
    spot = RIVER.replace(pot=100, stack=1000, raise_cap=2, **menu)
    solver = SpotSolver(spot, storage="float64", algorithm="dcfr")
    program = solver.engine.layout.betting.program
    assert program.showdowns.tolist() == [[showdowns]] * 2
    assert program.folds.tolist() == [[folds]] * 2
    textbook = PublicCFR(public_game(spot), VARIANTS["dcfr"])
    for each in (solver, textbook):
        each.run(4)
    assert_equal(averages(solver.engine), textbook.average())
    single = SpotSolver(spot, storage="float32", algorithm="dcfr")
    single.run(4)
    assert single.engine.expected(0) == pytest.approx(solver.engine.expected(0), abs=1e-3)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("isomorphism", [True, False])
def test_hands_stay_in_order_and_ranks_are_by_strength(isomorphism: bool) -> None:
    game = holdem_game(FLOP.replace(oop="QQ,A5s,76s", ip="KK,QTs,43s"), isomorphism=isomorphism)
    table = Engine(game).layout.table
    boards = table.boards
    for number, dealt in enumerate(table.dealt):
        strengths = game.strengths(dealt.cards) if dealt.street == 2 else None
        for player, held in enumerate(table.held(number)):
            left = [k for k, hand in enumerate(game.cards[player]) if not {*hand} & {*dealt.cards}]
            assert held.tolist() == left
            assert boards.live[player, number] == len(left)
            start = boards.hands[player, number]
            ranks = boards.rank[start : start + boards.width[player, number]]
            assert sorted(ranks) == list(range(len(ranks)))
            by_rank = held[np.argsort(ranks[: len(held)])]
            if strengths is None:
                assert by_rank.tolist() == left
            else:
                assert (np.diff(strengths[player][by_rank].astype(int)) >= 0).all()
            cards = np.stack([boards.card_a, boards.card_b], 1)[start : start + len(held)]
            assert (cards == game.cards[player][by_rank]).all()


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("spot", [TURN, FLOP], ids=["turn", "flop"])
def test_threads_change_no_bit(spot: Spot, storage: Storage) -> None:
    game = holdem_game(spot)
    alone, shared = (Engine(game, storage, threads=n) for n in (1, 3))
    for engine in (alone, shared):
        run(engine, "dcfr", 7)
        assert engine.expected(0, best=True) == alone.expected(0, best=True)
    for ours, others in zip(alone.arena.store, shared.arena.store, strict=True):
        assert np.array_equal(ours, others)


def test_averages_are_shares_of_the_sums() -> None:
    """By hand, on sums that are written into the store; three actions of five hands."""
    hands = ["AsAh", "KsKh", "TsTd", "9s9d", "8s8d"]
    spot = RIVER.replace(oop=",".join(hands), ip="6s6h", locks=[
        ": TsTd = A 20%; 9s9d = X 30%, B20 30%; 8s8d = X 25%, B20 75%, A 0"
    ])  # fmt: skip
    engine = SpotSolver(spot, storage="float64").engine
    order = np.flatnonzero(spot.oop.weights)[engine.layout.table.held(0)[0]].tolist()
    place = [order.index(parse_combo(hand)) for hand in hands]
    width = int(engine.layout.table.boards.width[0, 0])
    table = engine.arena.store.total[: 3 * width].reshape(3, width)
    table[:, place] = np.transpose([[2, 5, 1], [0, 0, 0], [6, 2, 9], [0, 0, 0], [4, 3, 1]])
    expected = np.array([
        [0.25, 0.625, 0.125],
        [1 / 3, 1 / 3, 1 / 3],
        [0.6, 0.2, 0.2],
        [0.3, 0.3, 0.4],
        [0.25, 0.75, 0],
    ])  # fmt: skip
    np.testing.assert_allclose(engine.arena.strategy(0, 0)[:, place].T, expected, atol=1e-15)


def test_runs_are_cut_anywhere() -> None:
    whole, cut = SpotSolver(TURN), SpotSolver(TURN)
    whole.run(9)
    for count in (1, 5, 3):
        cut.run(count)
    for ours, others in zip(whole.engine.arena.store, cut.engine.arena.store, strict=True):
        assert np.array_equal(ours, others)


def test_a_run_keeps_no_arrays() -> None:
    """The kernel counts no references: what it is given is let go all the same."""
    solver = SpotSolver(TURN)
    solver.run(1)
    solver.engine.values(0)
    arrays = [
        *solver.engine.arena.store,
        *solver.engine.layout.table.boards,
        *solver.engine.layout.table.deals,
        *solver.engine.layout.betting.program,
    ]
    before = [sys.getrefcount(array) for array in arrays]
    solver.run(3)
    solver.engine.values(1, best=True)
    assert [sys.getrefcount(array) for array in arrays] == before


@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        ({"algorithm": "hs-dcfr(15)"}, ConfigError, dict(option="algorithm")),
        ({"algorithm": "nonsense"}, UnknownNameError, dict(option="algorithm", name="nonsense")),
        ({"storage": "float16"}, ConfigError, dict(option="storage", given="float16")),
        ({"threads": 0}, ConfigError, dict(option="threads", given=0)),
    ],
)
def test_what_cannot_be_is_refused(
    options: dict[str, Any], kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    with refuses(kind, **fields):
        SpotSolver(RIVER, **options)


def test_a_best_response_wins_no_less() -> None:
    """Without bets float32 puts it 3e-6 chips below the pot."""
    keys: dict[str, Any] = {
        "oop": "88+,A8s+:0.3",
        "ip": "KK-22,AQs-A2s,72o:0.7",
        "pot": 100,
        "stack": 100,
    }
    solver = SpotSolver(Spot(board="Td9d6h2c7c", **keys))
    best = sum(solver.engine.expected(player, best=True) for player in (0, 1))
    assert best < 100
    assert solver.mean_gain() == 0
