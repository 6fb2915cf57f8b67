"""Games that are too large, or never end: the walk stops with a clear error."""

from __future__ import annotations

import math

import pytest

from equilibrist.errors import GameError, GameSpecError, MemoryBudgetError
from equilibrist.games import load_game
from equilibrist.tree import budget
from equilibrist.tree.compile import compile_game
from equilibrist.tree.estimate import knuth_estimate
from tests.altered_games import Hooked
from tests.small_games import Chain, Endless, Written
from tests.tree.broken_rules import kuhn


def test_the_limit_of_histories() -> None:
    with pytest.raises(MemoryBudgetError, match="limit of 1,000 histories") as caught:
        compile_game(load_game("leduc"), max_histories=1000)
    error = caught.value
    assert error.histories > 1000
    assert error.estimate == pytest.approx(9457, rel=0.5)
    assert "Knuth estimate" in str(error)
    assert "--max-histories" in str(error)


def test_a_limit_that_is_just_met() -> None:
    assert compile_game(load_game("kuhn"), max_histories=58).num_nodes == 58
    with pytest.raises(MemoryBudgetError) as caught:
        compile_game(load_game("kuhn"), max_histories=57)
    assert "kuhn has 58 histories, which passes the limit of 57 histories. Raise" in str(
        caught.value
    )
    assert (caught.value.histories, caught.value.estimate) == (58, 58.0)


def test_a_limit_below_the_whole_says_over() -> None:
    with pytest.raises(MemoryBudgetError, match="leduc has over 1,024 histories"):
        compile_game(load_game("leduc"), max_histories=1000)


def test_an_estimate_that_is_not_finite_is_none() -> None:
    with pytest.raises(MemoryBudgetError) as caught:
        compile_game(Hooked(Endless(), actions=lambda s: ("on",)), max_histories=100)
    assert caught.value.estimate is None
    assert "estimate" not in str(caught.value)


def test_the_memory_budget_stops_a_large_game_early(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    with pytest.raises(MemoryBudgetError, match=r"memory budget of 8 MiB; .* MiB") as caught:
        compile_game(load_game("leduc(ranks=13,suits=4)"), memory=1 << 23, progress=seen.append)
    assert caught.value.histories == seen[-1] < 300_000
    assert caught.value.estimate > 1e6
    monkeypatch.setattr(budget, "default_memory", lambda: 1 << 10)
    with pytest.raises(MemoryBudgetError):
        compile_game(load_game("kuhn"))


def test_running_out_of_memory_is_one_clear_error() -> None:
    def payoffs(state):
        raise MemoryError

    with pytest.raises(MemoryBudgetError, match="out of memory after"):
        compile_game(kuhn(payoffs=payoffs))


@pytest.mark.parametrize(("period", "before"), [(1, 0), (7, 100)])
def test_a_loop_is_found(period: int, before: int) -> None:
    with pytest.raises(GameError, match="a loop") as caught:
        compile_game(Endless(period, before))
    assert caught.value.history == ("on",) * (before + period)


def test_a_game_without_end_is_found_without_a_repeated_state() -> None:
    """It must not take until the memory is full."""
    with pytest.raises(GameError, match="goes on after 10,000 moves") as caught:
        compile_game(Endless())
    assert len(caught.value.history) == 10_001
    assert len(str(caught.value)) < 2000


def test_deep_games_are_no_loops() -> None:
    tree = compile_game(Chain(5000))
    assert tree.num_nodes == 10001
    assert tree.depth == 5000


def test_the_estimate_of_a_regular_tree_is_exact() -> None:
    nodes = (1.0,)
    for level in range(6):
        nodes = (0, f"level {level}", {"a": nodes, "b": nodes, "c": nodes})
    assert knuth_estimate(Written(nodes, 1)) == sum(3**k for k in range(7))


def test_the_estimate_is_unbiased() -> None:
    game = load_game("random_tree(seed=5,depth=8)")
    count = compile_game(game).num_nodes
    assert knuth_estimate(game, probes=20_000) == pytest.approx(count, rel=0.1)


def test_the_estimate_gives_up_on_endless_games() -> None:
    assert knuth_estimate(Endless(), probes=50, depth_limit=3) == math.inf


def test_bad_parameters_are_not_the_walks_business() -> None:
    with pytest.raises(GameSpecError):
        load_game("kuhn(players=1)")
