"""Matches: exact values against evaluation, deals against exact values."""

from __future__ import annotations

import pytest

import equilibrist as eq
from equilibrist import evaluation
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.play import match_by_deals, match_exactly
from equilibrist.reference.response import expected_values
from tests.refusals import refuses, unchecked
from tests.strategy.random_strategies import random_strategy

GAMES = ["kuhn", "leduc(ranks=2)", "kuhn(players=3)", "bos", "liars_dice(sides=2)"]


@pytest.mark.parametrize("name", GAMES)
def test_exact_matches_are_values_of_mixed_profiles(name: str) -> None:
    tree = eq.compile_game(name)
    first, second = random_strategy(tree, 1), random_strategy(tree, 2)
    found = match_exactly(first, second)
    mine = []
    for place, values in enumerate(found.values):
        table = {
            key: list(
                (first if tree.infoset_player[tree.index(key)] == place else second)[key].values()
            )
            for key in tree.infoset_keys
        }
        assert values == pytest.approx(expected_values(tree.game, table), abs=1e-12)
        mine.append(values[place])
    assert found.mean == pytest.approx(sum(mine) / tree.num_players)
    assert found.even == pytest.approx(sum(evaluation.expected_values(second)) / tree.num_players)
    if tree.constant_sum == 0.0:
        assert found.even == pytest.approx(0.0, abs=1e-12)
        assert found.mean + (tree.num_players - 1) * found.second_mean == pytest.approx(0.0)
    if tree.num_players == 2:
        assert match_exactly(second, first).mean == pytest.approx(found.second_mean)


def test_a_strategy_wins_nothing_from_itself() -> None:
    strategy = random_strategy(eq.compile_game("leduc(ranks=2)"), 3)
    assert match_exactly(strategy, strategy).mean == pytest.approx(0.0, abs=1e-12)
    bos = random_strategy(eq.compile_game("bos"), 3)
    found = match_exactly(bos, bos)
    assert found.mean == pytest.approx(found.even)
    assert found.second_mean == pytest.approx(found.even)
    same = match_by_deals(strategy, strategy, deals=500)
    assert (same.mean, same.half_width) == (0.0, 0.0)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_deals_agree_with_the_exact_value(name: str, seed: int) -> None:
    """Within 2.2 half-widths: more than four standard errors."""
    tree = eq.compile_game(name)
    first, second = random_strategy(tree, 1), random_strategy(tree, 2)
    exact = match_exactly(first, second).mean
    drawn = match_by_deals(first, second, deals=20_000, seed=seed)
    assert drawn.half_width > 0
    assert abs(drawn.mean - exact) <= 2.2 * drawn.half_width
    assert drawn == match_by_deals(first, second, deals=20_000, seed=seed)


def test_duplicate_deals_take_luck_out() -> None:
    """Two strategies that hardly differ: the interval is far narrower than that of single games."""
    tree = eq.compile_game("leduc")
    first = random_strategy(tree, 1)
    second = first.mix(eq.Strategy.uniform(tree), 0.01)
    near = match_by_deals(first, second, deals=5_000)
    far = match_by_deals(first, random_strategy(tree, 9), deals=5_000)
    assert near.half_width < far.half_width / 4


def test_long_matches_are_cut_into_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    from equilibrist.play import match

    tree = eq.compile_game("kuhn")
    first, second = random_strategy(tree, 1), random_strategy(tree, 2)
    monkeypatch.setattr(match, "_NUMBERS", 3_000)
    drawn = match_by_deals(first, second, deals=20_000)
    assert abs(drawn.mean - match_exactly(first, second).mean) <= 2.2 * drawn.half_width


def test_what_cannot_be_matched() -> None:
    kuhn = eq.Strategy.uniform(eq.compile_game("kuhn"))
    leduc = eq.Strategy.uniform(eq.compile_game("leduc"))
    for play in (match_exactly, match_by_deals):
        with pytest.raises(MismatchError):
            play(kuhn, leduc)
        with pytest.raises(ConfigError):
            play(kuhn, unchecked("uniform"))
    with refuses(ConfigError, option="deals", given=1):
        match_by_deals(kuhn, kuhn, deals=1)
