"""Duplicate deals: what is won on average is the exact value, and luck of the deal goes out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation import expected_values
from equilibrist.evaluation.duplicates import Estimate, Match, play_duplicates, student_95
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.poker.blueprint.evaluation.values import estimate
from equilibrist.rules.game import RulesGame
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.strategy import Strategy
from tests.refusals import refuses

GAMES = [
    "liars_dice(sides=3)",
    "leduc(ranks=2,raise_cap=1)",
    "leduc(players=3,ranks=2,raise_cap=1)",
]


def opened(spec: str) -> RulesGame:
    game = load_game(f"rules:{spec}")
    assert isinstance(game, RulesGame)
    return game


def trained(game: RulesGame, iterations: int = 30, seed: int = 0) -> PackedStrategy:
    """A strategy that is not uniform, whatever the number of players."""
    solver = ImplicitMCCFR(game, averaging="stochastic", seed=seed).run(iterations)
    return solver.average_strategy()


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_the_mean_is_the_exact_value(spec: str) -> None:
    """Within four standard errors, for strategies that are not all over the table."""
    game = opened(spec)
    tree = compile_game(game)
    first = trained(game, 30, seed=1)
    second = trained(game, 10, seed=2)
    both = Strategy.from_packed(tree, first), Strategy.from_packed(tree, second)
    exact = np.mean(
        [expected_values(both[1].replace(p, both[0]))[p] for p in range(tree.num_players)]
    )
    played = play_duplicates(game.rules, first, second, deals=40_000, seed=5)
    assert abs(played.mean - exact) < 2 * played.half_width
    assert 0 < played.half_width < 0.1
    for lines, narrower in ((7, 1.0), (10**9, 0.8)):
        weighed = play_duplicates(game.rules, first, second, deals=40_000, lines=lines, seed=5)
        assert abs(weighed.mean - exact) < 2 * weighed.half_width
        assert 0 < weighed.half_width < narrower * played.half_width
    uniform = play_duplicates(game.rules, first, deals=40_000)
    against = Strategy.uniform(tree)
    exact = np.mean(
        [expected_values(against.replace(p, both[0]))[p] for p in range(tree.num_players)]
    )
    assert abs(uniform.mean - exact) < 2 * uniform.half_width


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spec", GAMES)
def test_a_strategy_wins_nothing_from_itself_on_any_deal(spec: str) -> None:
    """All games of a deal are then one and the same, and its payoffs add up to zero."""
    game = opened(spec)
    strategy = trained(game)
    for one, lines in product((strategy, PackedStrategy.uniform(game.rules)), (1, 5, 10**6)):
        match = play_duplicates(game.rules, one, one, deals=500, lines=lines)
        assert abs(match.mean) < 1e-12
        assert match.half_width < 1e-12


@pytest.mark.slow
def test_with_all_lines_nothing_but_the_deal_is_drawn() -> None:
    """Goofspiel in descending order has no chance: every deal is worth the exact value."""
    game = opened("goofspiel(cards=4)")
    tree = compile_game(game)
    strategy = trained(game)
    on_tree, uniform = Strategy.from_packed(tree, strategy), Strategy.uniform(tree)
    exact = np.mean([expected_values(uniform.replace(p, on_tree))[p] for p in range(2)])
    match = play_duplicates(game.rules, strategy, deals=10, lines=10**6)
    assert match.mean == pytest.approx(exact, abs=1e-12)
    assert match.half_width < 1e-6


def test_the_same_seed_plays_the_same_games() -> None:
    game = opened("liars_dice(sides=3)")
    strategy = trained(game)
    one, two, other = (play_duplicates(game.rules, strategy, deals=300, seed=s) for s in (4, 4, 5))
    assert one == two
    assert one.mean != other.mean
    low, high = one.interval
    assert low < one.mean < high


def test_what_makes_no_sense_is_refused() -> None:
    game, other = opened("liars_dice(sides=3)"), opened("liars_dice(sides=2)")
    strategy = PackedStrategy.uniform(other.rules)
    with refuses(
        MismatchError,
        option="game",
        given="rules:liars_dice(sides=2)",
        expected="rules:liars_dice(sides=3)",
    ):
        play_duplicates(game.rules, strategy)
    with refuses(ConfigError, option="deals", given=1):
        play_duplicates(other.rules, strategy, deals=1)


def test_a_match_in_words() -> None:
    text = "+0.25000 ± 0.00100 per game (1,000,000 duplicate deals)"
    assert str(Match(0.25, 0.001, deals=1_000_000, seed=0)) == text


@pytest.mark.parametrize("count", [2, 4, 8, 40])
def test_intervals_of_few_numbers_hold_as_often_as_they_say(count: int) -> None:
    """With the normal quantile those of 2, 4 and 8 numbers held 70, 85 and 91 % of the time."""
    numbers = np.random.default_rng(count).normal(3.0, 2.0, (4000, count))
    own = [Estimate.of_sums(count, row.sum(), row @ row) for row in numbers]
    from_boards = [estimate(row) for row in numbers]
    for found in (own, from_boards):
        held = np.mean([abs(each.mean - 3.0) <= each.half_width for each in found])
        assert held == pytest.approx(0.95, abs=0.013)
    assert own[0].half_width == pytest.approx(from_boards[0].half_width)


def test_the_quantile_is_that_of_tables() -> None:
    assert [student_95(n) for n in (2, 3, 8, 21)] == pytest.approx(
        [12.706, 4.303, 2.365, 2.086], abs=6e-4
    )
    assert student_95(10**7) == pytest.approx(1.959964, abs=1e-5)
