"""Strategies: made, mixed, sampled, shown; refused with the infoset where they are wrong."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from equilibrist.errors import (
    ConfigError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.evaluation import expected_values
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.strategy.random_strategies import random_strategy

MIXABLE = (
    "kuhn",
    "leduc",
    "random_tree(seed=2,depth=7,branching=4)",
    "random_tree(seed=3,depth=7,players=3,zero_sum=false,forced=0.5)",
)


@cache
def tree_of(spec: str = "kuhn") -> GameTree:
    return compile_game(load_game(spec))


def test_uniform_and_first_action() -> None:
    tree = tree_of("leduc")
    for key, row in Strategy.uniform(tree).to_dict().items():
        assert set(row.values()) == {1 / len(row)}, key
    for row in Strategy.first_action(tree).to_dict().values():
        assert list(row.values()) == [1.0] + [0.0] * (len(row) - 1)


def test_a_strategy_is_a_table() -> None:
    strategy = random_strategy(tree_of(), 1)
    assert len(strategy) == 12
    assert list(strategy) == list(tree_of().infoset_keys)
    assert "1pb" in strategy
    assert "nonsense" not in strategy
    assert strategy["1pb"] == strategy.to_dict()["1pb"]
    assert Strategy.from_dict(tree_of(), strategy.to_dict()).probabilities.tolist() == (
        strategy.probabilities.tolist()
    )
    with refuses(UnknownNameError, option="infoset", name="1ppb", suggestions=("1pb", "1p", "1b")):
        strategy["1ppb"]


def test_probabilities_are_a_read_only_copy() -> None:
    given = Strategy.uniform(tree_of()).probabilities.copy()
    strategy = Strategy(tree_of(), given)
    given[0] = 0.9
    assert strategy.probabilities[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        strategy.probabilities[0] = 0.9


@pytest.mark.parametrize(
    "row",
    [
        (0.5, 0.6),
        (0.5, 0.49999),
        (1.5, -0.5),
        (np.nan, 1.0),
        (np.inf, -np.inf),
    ],
)
@pytest.mark.parametrize("infoset", [0, 5, 11])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_bad_probabilities_name_their_infoset(infoset: int, row: list[float]) -> None:
    tree = tree_of()
    values = Strategy.uniform(tree).probabilities.copy()
    values[tree.actions_of(infoset)] = row
    place = f"infoset {tree.infoset_keys[infoset]!r}"
    with refuses(ConfigError, option="probabilities", given=list(row), place=place):
        Strategy(tree, values)


def test_rounded_probabilities_are_taken() -> None:
    values = Strategy.uniform(tree_of()).probabilities.copy()
    values[0] += 4e-7
    assert Strategy(tree_of(), values).probabilities[0] == values[0]


def test_the_wrong_length_is_another_game() -> None:
    with refuses(MismatchError, option="probabilities", given="(23,)", expected=24):
        Strategy(tree_of(), np.full(23, 0.5))


def test_tables_are_checked() -> None:
    tree = tree_of()
    table = Strategy.uniform(tree).to_dict()
    with refuses(UnknownNameError, option="infoset", name="9"):
        Strategy.from_dict(tree, table | {"9": {"pass": 1.0}})
    with refuses(UnknownNameError, option="action at infoset '1'", name="raise"):
        Strategy.from_dict(tree, table | {"1": {"raise": 1.0}})
    del table["2p"], table["3b"]
    with refuses(ConfigError, option="infosets", given="2p"):
        Strategy.from_dict(tree, table)


def test_actions_left_out_are_never_played() -> None:
    table = {key: {"bet": 1.0} for key in tree_of().infoset_keys}
    assert Strategy.from_dict(tree_of(), table)["1"] == {"pass": 0.0, "bet": 1.0}


# --- mixing, replacing, sampling --------------------------------------------------------------


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("spec", MIXABLE)
def test_the_value_of_a_mixture_is_the_mean(spec: str, weight: float) -> None:
    """If one player tosses the coin, values are the weighted mean (Kuhn's theorem)."""
    tree = tree_of(spec)
    one, other = random_strategy(tree, 1), random_strategy(tree, 2)
    for player in range(tree.num_players):
        second = one.replace(player, other)
        mixed = one.mix(second, weight)
        wanted = (1 - weight) * np.array(expected_values(one)) + weight * np.array(
            expected_values(second)
        )
        assert expected_values(mixed) == pytest.approx(wanted, abs=1e-12)


def test_mixing_behaviour_by_itself_would_be_wrong() -> None:
    tree = tree_of()
    one, second = (
        random_strategy(tree, 1),
        random_strategy(tree, 1).replace(0, random_strategy(tree, 2)),
    )
    naive = Strategy(tree, (one.probabilities + second.probabilities) / 2)
    wanted = (np.array(expected_values(one)) + np.array(expected_values(second))) / 2
    assert abs(np.array(expected_values(naive)) - wanted).max() > 1e-4


def test_mixtures_need_one_game_and_a_weight() -> None:
    one = Strategy.uniform(tree_of())
    with refuses(MismatchError, option="game", given="leduc", expected="kuhn"):
        one.mix(Strategy.uniform(tree_of("leduc")), 0.5)
    for weight in (-0.1, 1.1, float("nan")):
        with refuses(ConfigError, option="weight", given=weight):
            one.mix(one, weight)
    again = compile_game(load_game("kuhn"))
    assert one.mix(Strategy.first_action(again), 0.5)["1"] == {"pass": 0.75, "bet": 0.25}


def test_one_players_part_is_replaced() -> None:
    tree = tree_of()
    one, other = random_strategy(tree, 1), random_strategy(tree, 2)
    both = one.replace(1, other)
    for i, key in enumerate(tree.infoset_keys):
        assert both[key] == (other if tree.infoset_player[i] == 1 else one)[key]


def test_samples_follow_the_probabilities() -> None:
    table = Strategy.uniform(tree_of()).to_dict() | {"1": {"pass": 0.8, "bet": 0.2}}
    strategy = Strategy.from_dict(tree_of(), table)
    generator = np.random.default_rng(1)
    drawn = [strategy.sample("1", generator) for _ in range(2000)]
    assert drawn.count("bet") == pytest.approx(400, abs=80)
    first = [strategy.sample("2", np.random.default_rng(7)) for _ in range(5)]
    assert len(set(first)) == 1
    pure = Strategy.first_action(tree_of())
    assert {pure.sample("3", generator) for _ in range(20)} == {"pass"}


def test_strategies_show_themselves() -> None:
    assert repr(Strategy.uniform(tree_of("leduc"))) == "Strategy('leduc', 936 infosets)"
    html = Strategy.uniform(tree_of())._repr_html_()
    assert "<caption>kuhn</caption>" in html
    assert "pass 0.5000, bet 0.5000" in html
    assert "more infosets" not in html
    assert "and 736 more infosets" in Strategy.uniform(tree_of("leduc"))._repr_html_()
