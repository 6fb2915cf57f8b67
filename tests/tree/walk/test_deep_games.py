"""Long lines of play: the limit, and games far beyond the depth of Python's own stack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, GameError, MemoryBudgetError
from equilibrist.evaluation import best_response, evaluate
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import TERMINAL
from equilibrist.solvers import MCCFR
from equilibrist.tree.walk.budget import _first_deeper
from tests.altered_games import Hooked
from tests.refusals import refuses
from tests.small_games import Chain, Endless, Written
from tests.solve_options import grouped

DEEP = 25_000


class Duel(Chain):
    """Two players alternately continue or stop; the one who stops gets the payoff there."""

    num_players = 2

    def player(self, state: tuple[int, bool], /) -> int:
        return state[0] % 2 if super().player(state) == 0 else TERMINAL

    def payoffs(self, state: tuple[int, bool], /) -> tuple[float, ...]:
        won = state[0] * 7919 % 101 / 101 - 0.5
        return (won, -won)


def value_of(game: Duel) -> float:
    """Player 0's value by backward induction."""
    value = game.payoffs((game.length, False))[0]
    for step in range(game.length - 1, -1, -1):
        stop = game.payoffs((step, True))[0]
        value = min(value, stop) if step % 2 else max(value, stop)
    return value


@pytest.fixture(scope="module")
def deep() -> eq.GameTree:
    return compile_game(Duel(DEEP), max_depth=DEEP)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("length", [2, 7, 64, 1500, 12_000])
def test_the_limit_is_exact_and_the_same_for_both(length: int) -> None:
    game = Chain(length)
    assert compile_game(game, max_depth=length).depth == length
    assert check_game(game, max_depth=length).ok
    with refuses(GameError, kind="endless", option="max_depth", given=length - 1) as caught:
        compile_game(game, max_depth=length - 1)
    (problem,) = check_game(game, max_depth=length - 1).problems
    assert problem.kind == "endless"
    assert problem.history == caught.value.history == ("on",) * length
    for words in (str(problem), str(caught.value)):
        assert "`max_depth`" in words
        assert len(words) < 1000


def test_a_long_line_amid_short_ones_is_found() -> None:
    """The walk checks the depth periodically; this one ends before the first check."""
    line: Any = (1.0,)
    for step in range(30, 0, -1):
        line = (0, f"line {step}", {"on": line, "stop": (0.0,)})
    short = (0, "short", {"left": (0.0,), "right": (1.0,)})
    game = Written((0, "first", {"short": short, "long": line, "other": (0.0,)}), 1)
    assert compile_game(game, max_depth=31).depth == 31
    with pytest.raises(GameError) as caught:
        compile_game(game, max_depth=30)
    assert caught.value.history == ("long", *["on"] * 30)
    assert check_game(game, max_depth=30).problems[0].history == caught.value.history


@pytest.mark.parametrize("seed", range(20))
def test_the_first_node_below_the_limit(seed: int) -> None:
    generator = np.random.default_rng(seed)
    parent, depth = [-1], [0]
    while len(parent) < 200:  # a random tree in preorder: some node on the path to the last one
        above = len(parent) - 1
        for _ in range(int(generator.integers(0, 3 if seed % 2 else 9))):
            above = max(parent[above], 0)
        parent.append(above)
        depth.append(depth[above] + 1)
    column = np.array(parent, dtype=np.int32)
    for limit in range(1, max(depth) + 3):
        deeper = [node for node in range(len(depth)) if depth[node] > limit]
        assert _first_deeper(column, limit) == (deeper[0] if deeper else -1)


def test_endless_games_are_refused_at_the_default() -> None:
    with refuses(GameError, kind="endless", option="max_depth", given=10000) as caught:
        compile_game(Endless())
    report = check_game(Endless())
    assert report.problems[0].history == caught.value.history == ("on",) * 10_001
    with refuses(GameError, kind="endless", option="max_depth", given=12):
        compile_game(Endless(), max_depth=12)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "9", None, True])
def test_limits_that_are_none(limit: Any) -> None:
    for ask in (compile_game, check_game):
        with refuses(ConfigError, option="max_depth", given=limit):
            ask(Chain(3), max_depth=limit)


def test_the_estimate_goes_as_deep_as_the_walk() -> None:
    line = Hooked(Chain(12_000), actions=lambda s: ("on",))
    with pytest.raises(MemoryBudgetError) as caught:
        compile_game(line, max_histories=100, max_depth=12_000)
    assert caught.value.estimate == 12_001


def test_deep_games_are_checked() -> None:
    report = check_game(Duel(DEEP), max_depth=DEEP)
    assert report.ok
    assert (report.depth, report.num_histories) == (DEEP, 2 * DEEP + 1)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["lp", "dcfr", "pcfr+"])
def test_deep_games_are_solved(deep: eq.GameTree, algorithm: str, tmp_path: Path) -> None:
    stop: dict[str, Any] = {} if algorithm == "lp" else {"target": 1e-4}
    result = eq.solve(deep, algorithm, **grouped(stop, out=tmp_path / "deep.solution"))
    assert result.values[0] == pytest.approx(value_of(Duel(DEEP)), abs=2e-4)
    assert result.exploitability <= 1e-4
    assert "num_infosets" in json.dumps(result.to_dict())
    assert result._repr_html_()
    saved = eq.Result.load(tmp_path / "deep.solution")
    assert saved.strategy.on(deep).to_dict() == result.strategy.to_dict()


def test_sampled_passes_go_as_deep_as_reach_is_positive(deep: eq.GameTree) -> None:
    """Both begin with 1/2: after 1,074 decisions each, reach is less than any number."""
    per_player = MCCFR(deep, sampler="chance").run(1).nodes_touched / 2
    assert per_player >= 2 * 2 * 1074


@pytest.mark.slow
def test_python_takes_the_limit_wherever_it_walks() -> None:
    for walks in (eq.compile_game, eq.check_game):
        assert walks(Duel(12_000), max_depth=12_000).depth == 12_000
    assert (
        eq.solve(Duel(12_000), iterations=2, limits=eq.GameLimits(max_depth=12_000)).iterations == 2
    )
    with refuses(GameError, kind="endless", option="max_depth", given=10000):
        eq.solve(Duel(12_000), iterations=2)


@pytest.mark.slow
def test_deep_games_are_evaluated(deep: eq.GameTree) -> None:
    uniform = eq.Strategy.uniform(deep)
    found = evaluate(uniform)
    expected, chance = 0.0, 1.0
    for step in range(60):  # further down it is reached less than once in 10^18
        chance /= 2
        expected += chance * deep.game.payoffs((step, True))[0]
    assert found.values[0] == pytest.approx(expected, abs=1e-12)
    for player in (0, 1):
        assert best_response(uniform, player).value == found.best_response_values[player]
    assert deep.depth == DEEP
    assert len(deep.fingerprint) == 64
    assert uniform.mix(uniform, 0.5)[str(DEEP - 1)] == {"on": 0.5, "stop": 0.5}
