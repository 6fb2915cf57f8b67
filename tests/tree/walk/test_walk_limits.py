"""Games that are too large, or never end: the walk stops with a clear error."""

from __future__ import annotations

import math
import re
import time
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

from equilibrist.errors import GameError, GameSpecError, MemoryBudgetError
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.walk import budget
from equilibrist.tree.walk.estimate import estimate_histories
from tests.altered_games import Hooked
from tests.refusals import refuses
from tests.small_games import Chain, Endless, Written
from tests.tree.checks.broken_rules import kuhn


def test_the_limit_of_histories() -> None:
    with refuses(MemoryBudgetError, option="max_histories", given=1000, histories=1024) as caught:
        compile_game(load_game("leduc"), max_histories=1000)
    error = caught.value
    assert error.histories > 1000
    assert error.estimate == pytest.approx(9457, rel=0.2)
    assert f"{error.estimate:,.0f}"[:2] == "8,"
    assert error.remedy
    assert "`max_histories`" in error.remedy


def test_a_limit_that_is_just_met() -> None:
    assert compile_game(load_game("kuhn"), max_histories=58).num_nodes == 58
    limit = dict(option="max_histories", given=57)
    with refuses(MemoryBudgetError, **limit, histories=58, estimate=58.0):
        compile_game(load_game("kuhn"), max_histories=57)


def test_the_limit_that_stops_a_walk_is_the_one_to_raise() -> None:
    both: dict[str, Any] = {"memory": 1000, "max_histories": 10}
    for limits in (both, {"memory": 1000}, {"max_histories": 10}):
        with refuses(MemoryBudgetError) as caught:
            compile_game(load_game("kuhn"), **limits)
        for name in ("memory", "max_histories"):
            assert (f"`{name}`" in str(caught.value.remedy)) == (name in limits)


def test_an_estimate_that_is_not_finite_is_none() -> None:
    limit = dict(option="max_histories", given=100)
    with refuses(MemoryBudgetError, **limit, estimate=None):
        compile_game(Hooked(Endless(), actions=lambda s: ("on",)), max_histories=100)


def test_the_memory_budget_stops_a_large_game_early(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    with refuses(MemoryBudgetError, option="memory", given=8388608, histories=130048) as caught:
        compile_game(load_game("leduc(ranks=13,suits=4)"), memory=1 << 23, on_walk=seen.append)
    assert caught.value.histories == seen[-1] < 300_000
    assert caught.value.estimate > 1e6
    monkeypatch.setattr(budget, "default_memory", lambda: 1 << 10)
    with pytest.raises(MemoryBudgetError):
        compile_game(load_game("kuhn"))


def test_running_out_of_memory_is_one_clear_error() -> None:
    def payoffs(state):
        raise MemoryError

    with refuses(MemoryBudgetError, option="memory", histories=5):
        compile_game(kuhn(payoffs=payoffs))


@pytest.mark.parametrize(("period", "before"), [(1, 0), (7, 100)])
def test_a_loop_is_found(period: int, before: int) -> None:
    with refuses(GameError, kind="loop") as caught:
        compile_game(Endless(period, before))
    assert caught.value.history == ("on",) * (before + period)


def test_a_game_without_end_is_found_without_a_repeated_state() -> None:
    """It must not take until the memory is full."""
    with refuses(GameError, kind="endless", option="max_depth", given=10000) as caught:
        compile_game(Endless())
    assert len(caught.value.history) == 10_001
    assert len(str(caught.value)) < 2000


def test_deep_games_are_not_loops() -> None:
    tree = compile_game(Chain(5000))
    assert tree.num_nodes == 10001
    assert tree.depth == 5000


def test_the_estimate_of_a_regular_tree_is_exact() -> None:
    nodes: tuple[Any, ...] = (1.0,)
    for level in range(6):
        nodes = (0, f"level {level}", {"a": nodes, "b": nodes, "c": nodes})
    assert estimate_histories(Written(nodes, 1), 5) == sum(3**k for k in range(7))


@pytest.mark.slow
def test_the_estimate_is_unbiased() -> None:
    game = load_game("random_tree(seed=5,depth=8)")
    count = compile_game(game).num_nodes
    for width, runs, near in ((1, 20_000, 0.1), (7, 3_000, 0.05)):
        found = [estimate_histories(game, width, seed=seed) for seed in range(runs)]
        assert fmean(found) == pytest.approx(count, rel=near)
        assert max(found) > 1.2 * count
    assert estimate_histories(game, 10_000) == count


class Lopsided:
    """Of `doors` doors one leads into a binary tree of `depth` moves, the others out at once."""

    num_players = 1
    name = "lopsided"

    def __init__(self, doors: int, good: int, depth: int) -> None:
        self.doors = doors
        self.good = good
        self.depth = depth

    def initial_state(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...], /) -> int:
        if len(state) > 1 and (state[0] != self.good or len(state) == self.depth + 2):
            return TERMINAL
        return 0

    def actions(self, state: tuple[int, ...], /) -> tuple[str, ...]:
        return ("a", "b") if state else tuple(map(str, range(self.doors)))

    def chance(self, state: tuple[int, ...], /) -> tuple[float, ...]:
        return ()

    def next(self, state: tuple[int, ...], action: int, /) -> tuple[int, ...]:
        return (*state, action)

    def payoffs(self, state: tuple[int, ...], /) -> tuple[float, ...]:
        return (float(sum(state)),)

    def infoset(self, state: tuple[int, ...], /) -> str:
        return str(state)


def test_a_lopsided_game_that_fits_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the first estimates say: here three doors of four are not among those drawn."""
    monkeypatch.setattr(budget, "_LOOK_AHEAD", 1 << 10)
    monkeypatch.setattr(budget, "_WIDTH", 64)
    wild = 0
    for good in range(16):
        game = Lopsided(256, good, 11)
        count = 1 + 256 + 2 * 255 + 2**13 - 2
        wild += estimate_histories(game, 64) > 3 * count
        assert compile_game(game, max_histories=count).num_nodes == count
    assert wild  # the first of the estimates alone would refuse


@pytest.mark.slow
def test_a_game_far_beyond_the_budget_is_refused_early() -> None:
    seen: list[int] = []
    game = load_game("liars_dice(sides=12)")
    with refuses(MemoryBudgetError, option="max_histories", given=200_000_000) as caught:
        compile_game(game, max_histories=200_000_000, memory=1 << 45, on_walk=seen.append)
    assert caught.value.histories == seen[-1] < 400_000
    count = 144 * (2**25 - 1) + 13
    assert count / 2 < caught.value.estimate < 2 * count


def test_a_slow_and_endlessly_large_game_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """As chess of OpenSpiel is: its estimate does not end, and the walk does not come far."""
    monkeypatch.setattr(budget, "_LONG", 0.0)
    monkeypatch.setattr(budget, "_DEPTH", 20)
    with refuses(MemoryBudgetError, option="memory", given=1 << 30, estimate=None) as caught:
        compile_game(load_game("liars_dice(sides=100)"), memory=1 << 30)
    assert caught.value.histories < 10_000


def test_a_look_ahead_that_time_cuts_short_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow rules of a game far beyond the budget: not all estimates are made at once."""
    now = 0.0
    seeds: list[int] = []
    check = budget.Budget.check

    def checked(*given):
        nonlocal now
        now += 1.0  # the walk has gone on for as long as a look ahead may take
        return check(*given)

    def estimate(game, width, depth, seed, seconds, *rest):
        nonlocal now
        seeds.append(seed)
        if seed in (5, 12) and seeds.count(seed) == 1:
            now += seconds
            return math.inf  # its time is over
        return estimate_histories(game, width, depth, seed, math.inf, *rest)

    monkeypatch.setattr(budget, "_LONG", 0.0)
    monkeypatch.setattr(budget, "_GLANCE", 1.0)
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(budget.Budget, "check", checked)
    monkeypatch.setattr(budget, "estimate_histories", estimate)
    game = load_game("leduc(ranks=13,suits=4)")
    with refuses(MemoryBudgetError, option="max_histories", given=1_000_000) as caught:
        compile_game(game, max_histories=1_000_000)
    assert caught.value.histories < 1_000_000
    assert sorted(set(seeds)) == list(range(20))
    made = seeds[: seeds.index(19) + 1]
    assert made == sorted(made)
    assert min(made.count(5), made.count(12)) >= 2  # where time was over it goes on


def test_unthinkable_sizes_are_orders_of_magnitude() -> None:
    with refuses(MemoryBudgetError, option="max_histories", given=1000) as caught:
        compile_game(load_game("liars_dice(sides=100)"), max_histories=1000)
    assert re.search(r"about \d\.\de\+\d\d ", str(caught.value))


@pytest.mark.slow
def test_what_bounds_the_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_LOOK_AHEAD", 1 << 10)
    with refuses(MemoryBudgetError, option="memory", given=1048576, histories=1024):
        compile_game(load_game("leduc(players=3)"), memory=1 << 20, max_histories=10**6)


def test_a_budget_that_is_nearly_met_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that passes its budget a little is counted until it does."""
    monkeypatch.setattr(budget, "_LOOK_AHEAD", 1 << 10)
    with refuses(MemoryBudgetError, option="max_histories", given=7000, histories=7168):
        compile_game(load_game("leduc"), max_histories=7000)


def test_rules_that_raise_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_LOOK_AHEAD", 1 << 10)

    def player(state):
        if state and state[0] >= 128:
            raise ValueError("a locked door")
        return lopsided.player(state)

    lopsided = Lopsided(256, 0, 11)
    with refuses(GameError, kind="exception", option="player", given="ValueError") as caught:
        compile_game(Hooked(lopsided, player=player), max_histories=10_000)
    assert caught.value.history == ("128",)


def test_the_estimate_gives_up_on_endless_games() -> None:
    assert estimate_histories(Endless(), depth_limit=3) == math.inf


def test_bad_parameters_are_not_the_walks_business() -> None:
    with pytest.raises(GameSpecError):
        load_game("kuhn(players=1)")


def test_slow_rules_are_not_estimated_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal comes all the same, without an estimate."""
    assert estimate_histories(load_game("kuhn"), seconds=600) == 58
    assert math.isinf(estimate_histories(load_game("kuhn"), seconds=0))
    moves: list[int] = []

    def slow_next(state, action):
        moves.append(action)
        time.sleep(0.02)
        return leduc.next(state, action)

    leduc = load_game("leduc")
    assert math.isinf(estimate_histories(Hooked(leduc, next=slow_next), seconds=0.01))
    assert len(moves) == 1  # the clock is looked at after each move, not after each round of them
    monkeypatch.setattr(budget, "_PATIENCE", 0.0)
    with refuses(MemoryBudgetError, option="max_histories", given=1000, histories=1024) as caught:
        compile_game(load_game("leduc"), max_histories=1000)
    assert caught.value.estimate is None
