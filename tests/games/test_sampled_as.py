"""Games that are too large for a tree, and the rules with which they are sampled instead."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import MemoryBudgetError
from equilibrist.rules import load_rules
from tests.refusals import refuses

SMALL = [
    "goofspiel(cards=3)",
    "goofspiel(cards=3,imp_info=true,points_order=descending)",
    "goofspiel(cards=3,points_order=ascending,returns_type=point_difference)",
    "goofspiel(cards=2,players=3,returns_type=total_points)",
    "liars_dice(sides=3)",
    "liars_dice(players=3,sides=2)",
    "leduc",
    "leduc(players=3,ranks=2,ante=2,bets=[1,3],raise_cap=1)",
]


@pytest.mark.parametrize("name", SMALL)
def test_the_rules_are_those_of_the_game(name: str) -> None:
    game: Any = eq.load_game(name)
    ours, theirs = eq.compile_game(game), eq.compile_game(game.sampled_as)
    for what in ("num_players", "num_nodes", "num_infosets", "num_sequences"):
        assert getattr(ours, what) == getattr(theirs, what), what
    values = [eq.evaluate(eq.Strategy.uniform(tree)) for tree in (ours, theirs)]
    assert np.allclose(values[0].values, values[1].values, atol=1e-12)
    assert np.allclose(values[0].gains, values[1].gains, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goofspiel(cards=8)", "liars_dice(dice=3)"])
def test_a_game_beyond_any_memory_is_to_be_sampled(name: str) -> None:
    with refuses(MemoryBudgetError, option="memory", given=1 << 30) as caught:
        eq.compile_game(name, memory=1 << 30)
    remedy, game = str(caught.value.remedy), cast("Any", eq.load_game(name))
    assert repr(load_rules(game.sampled_as).name) in remedy
    assert "sampling='external'" in remedy
    assert "`memory`" not in remedy, "which no machine has"


def test_what_more_memory_would_help_is_said() -> None:
    with refuses(MemoryBudgetError, option="max_histories", given=100) as caught:
        eq.compile_game("leduc", max_histories=100)
    assert "Raise `max_histories`," in str(caught.value.remedy)
    assert "rules:leduc" in str(caught.value.remedy)


def test_what_has_no_rules_is_not_to_be_sampled() -> None:
    for spec in ("liars_dice(dice=[1,2])", "leduc(ante=0.5)"):
        game: Any = eq.load_game(spec)
        assert game.sampled_as is None
    with refuses(MemoryBudgetError, option="memory") as caught:
        eq.compile_game("dudo(dice=4)", memory=1 << 28)
    assert "sampler" not in str(caught.value.remedy)
