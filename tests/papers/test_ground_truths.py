"""Known values and bounds of standard games, through the fast engine."""

from __future__ import annotations

from functools import cache

import pytest

from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered
from tests.reference.test_response import HEADER, MEASURED, TABLES

GOOFSPIEL4 = "goofspiel(cards=4,imp_info=true,points_order=descending)"


@cache
def tree_of(spec: str) -> GameTree:
    return compile_game(load_game(spec))


@pytest.mark.parametrize(
    ("spec", "algorithm", "iterations", "value"),
    [
        ("kuhn", "pdcfr+", 1000, -1 / 18),
        ("leduc", "cfr+", 2000, -0.085606424078),
        ("liars_dice(sides=3)", "pdcfr+", 1000, 1 / 9),
        ("liars_dice(sides=4)", "pdcfr+", 1000, 1 / 16),
        ("liars_dice(sides=5)", "pdcfr+", 1000, 1 / 125),
        (GOOFSPIEL4, "pdcfr+", 1000, 0.0),
    ],
)
def test_best_responses_bracket_the_value(spec, algorithm, iterations, value) -> None:
    """Whatever the strategy: the value lies between -BR of player 1 and BR of player 0."""
    evaluation = evaluate(CFR(tree_of(spec), algorithm).run(iterations).average_strategy())
    best = evaluation.best_response_values
    assert -best[1] - 1e-11 <= value <= best[0] + 1e-11
    assert best[0] + best[1] < 3e-4


@pytest.mark.slow
def test_liars_dice_with_six_sides_lies_in_the_published_bracket() -> None:
    evaluation = evaluate(CFR(tree_of("liars_dice(sides=6)"), "dcfr").run(300).average_strategy())
    best = evaluation.best_response_values
    assert -best[1] <= -7 / 258 <= best[0]
    assert -0.027503 < evaluation.values[0] < -0.026136


def test_imperfect_information_goofspiel_meets_the_thesis_figures() -> None:
    """At most 0.01 after 1,000 iterations in falling order, 0.1 after 100 in random order."""
    falling = evaluate(CFR(tree_of(GOOFSPIEL4), "cfr").run(1000).average_strategy())
    assert falling.exploitability < 0.01
    shuffled = tree_of("goofspiel(cards=4,imp_info=true,points_order=random)")
    assert evaluate(CFR(shuffled, "cfr").run(100).average_strategy()).exploitability < 0.1


@pytest.mark.parametrize("name", TABLES)
def test_strategy_tables_of_the_tutorials(name: str) -> None:
    passing = dict(zip(HEADER, map(float, TABLES[name].split()), strict=True))
    tree = tree_of("kuhn")
    strategy = Strategy.from_dict(tree, {k: {"pass": p, "bet": 1 - p} for k, p in passing.items()})
    evaluation = evaluate(strategy)
    assert evaluation.exploitability == pytest.approx(MEASURED[name], abs=5e-7)
    assert evaluation.values[0] == pytest.approx(-1 / 18, abs=2e-3)


def test_the_outcome_sampling_table() -> None:
    numbers = (0.805, 0.97, 0.68, 0.97, 0.97, 0.56, 0.94, 0.47, 0.422, 0.03, 0.03, 0.03)
    passing = dict(zip(HEADER, numbers, strict=True))
    table = {k: {"pass": p, "bet": 1 - p} for k, p in passing.items()}
    evaluation = evaluate(Strategy.from_dict(tree_of("kuhn"), table))
    assert evaluation.exploitability == pytest.approx(1.866e-2, abs=5e-6)
    assert evaluation.values[0] == pytest.approx(-0.0507, abs=5e-5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sizes_of_kuhn_poker(players: int) -> None:
    """n 2^(n-1) + 1 ends per deal, n (n + 1) 2^(n-1) infosets."""
    tree = tree_of(f"kuhn(players={players})")
    deals = 1
    for k in range(players):
        deals *= players + 1 - k
    assert tree.num_terminals == deals * (players * 2 ** (players - 1) + 1)
    assert tree.num_infosets == players * (players + 1) * 2 ** (players - 1)


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_sizes_of_liars_dice(sides: int) -> None:
    tree = tree_of(f"liars_dice(sides={sides})")
    bids = 2 ** (2 * sides)
    assert tree.num_nodes == 1 + sides + sides**2 * (2 * bids - 1)
    assert tree.num_infosets == sides * bids
    assert tree.num_terminals == sides**2 * (bids - 1)


def test_general_sums_need_not_settle() -> None:
    """Shapley's game, a little off balance: CFR's averages stay far from any equilibrium.

    In balance the uniform strategy, where CFR starts, is the equilibrium, and it never leaves.
    """
    assert evaluate(Strategy.uniform(tree_of("shapley"))).nash_conv == pytest.approx(0.0, abs=1e-15)
    solver = CFR(compile_game(Jittered(load_game("shapley"))), "cfr")
    for _ in range(3):
        evaluation = evaluate(solver.run(3000).average_strategy())
        assert evaluation.exploitability is None
        assert 0.2 < evaluation.nash_conv < 0.4


def test_dominated_actions_die_out() -> None:
    """Gibson 2013: play at dominated actions ends; in the average it shrinks like 1 / T."""
    tree = tree_of("kuhn(players=3)")
    solver = CFR(tree, "cfr+").run(500)
    dominated = [("1ppb", "bet"), ("1pbp", "bet"), ("1pbb", "bet"), ("4ppb", "pass")]
    for key, action in dominated:
        assert solver.current_strategy()[key][action] == 0.0
        assert 0.0 < solver.average_strategy()[key][action] < 1e-3
