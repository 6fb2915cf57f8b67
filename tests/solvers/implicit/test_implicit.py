"""Sampling without a tree: the same table as on the tree, within its memory, resumable."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError
from equilibrist.evaluation import nash_conv
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.implicit.infoset_table import new_table
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solving.config import SolveConfig
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.slow_cases import slow, slow_unless
from tests.solvers.implicit.implicit_runs import LARGE, SMALL, contents, same_state

SAMPLERS = ["external", "outcome", "outcome(epsilon=0.2)", "chance", "external(prune=0.5)"]
AVERAGES = [("cfr", "own"), ("lcfr", "own"), ("dcfr", "own"), ("cfr", "walk"), ("dcfr", "walk")]
THREE = "leduc(players=3,ranks=2,raise_cap=1)"
ITERATIONS = {
    "liars_dice(sides=3)": 2000,
    "goofspiel(cards=4)": 2000,
    "goofspiel(cards=3,order=0)": 500,
    "leduc": 2000,
    THREE: 300,
}


def is_soon_compiled(spec: str, average: tuple[str, str], sampler: str) -> bool:
    """Kernels are compiled for each sampler and each file of rules."""
    return spec == "liars_dice(sides=3)" and average == ("cfr", "own") and sampler == "external"


def is_tried(case: Any) -> bool:
    """Every sampler and average in each game, twice in the first; in Goofspiel none prunes."""
    spec, average, sampler = getattr(case, "values", case)
    if "goofspiel" in spec and "prune" in sampler:
        return False
    turn = list(ITERATIONS).index(spec)
    place = (AVERAGES.index(average) + SAMPLERS.index(sampler) + turn) % len(SAMPLERS)
    return place == 0 or (turn == 0 and place == 2)


@pytest.mark.parametrize(
    ("spec", "average", "sampler"),
    [*filter(is_tried, slow_unless(is_soon_compiled, ITERATIONS, AVERAGES, SAMPLERS))],
)
def test_the_table_is_that_of_the_tree(spec: str, average: tuple[str, str], sampler: str) -> None:
    """Bit for bit, and the same number of visits: rows that are missing were never touched."""
    game = load_game(f"rules:{spec}")
    assert isinstance(game, RulesGame)
    (variant, averaging), iterations = average, ITERATIONS[spec]
    own = get_sampler(sampler).averagings[0]
    options: dict[str, Any] = {"seed": 7, "period": 100}
    options["averaging"] = own if averaging == "own" else averaging
    solver = ImplicitMCCFR(game, variant, sampler=sampler, **options).run(iterations)
    tree = compile_game(game)
    on_tree = MCCFR(tree, variant, sampler=sampler, **options)
    state = on_tree.run(iterations).state
    found = contents(solver)
    keys = game.packed_keys()
    assert found.keys() <= set(keys.values())
    for i, text in enumerate(tree.infoset_keys):
        row = tree.actions_of(i)
        zeros = [0.0] * (row.stop - row.start)
        expected = (state.regret[row].tolist(), state.strategy_sum[row].tolist())
        assert found.get(keys[text], (zeros, zeros)) == expected
    assert solver.nodes_touched == on_tree.nodes_touched
    found_average = Strategy.from_packed(tree, solver.average_strategy()).probabilities
    assert np.allclose(found_average, on_tree.average_strategy().probabilities, rtol=0, atol=1e-15)


def test_pruning_skips_and_keeps_a_floor() -> None:
    plain = ImplicitMCCFR(SMALL, seed=7).run(2000)
    pruned = ImplicitMCCFR(SMALL, sampler="external(prune=0.5)", seed=7).run(2000)
    assert pruned.nodes_touched < 0.9 * plain.nodes_touched
    lowest = [min(min(regrets) for regrets, _ in contents(s).values()) for s in (plain, pruned)]
    assert lowest[0] < -10
    assert lowest[1] == -0.5 * 31 / 30
    assert pruned.why_no_bound() == ""


@pytest.mark.slow
def test_the_usual_average_is_unbiased() -> None:
    assert ImplicitMCCFR("rules:leduc").averaging == "stochastic"
    three = ImplicitMCCFR("rules:leduc(players=3)")
    assert (three.averaging, three.averaging_every) == ("walk", 64)
    assert ImplicitMCCFR("rules:leduc(players=3)", sampler="chance").averaging == "own-reach"
    assert ImplicitMCCFR(SMALL, averaging=" WALK").averaging == "walk"
    with refuses(ConfigError, option="averaging", given="full"):
        ImplicitMCCFR(SMALL, averaging="full")
    with refuses(ConfigError, option="averaging_every", given=3):
        ImplicitMCCFR(SMALL, averaging_every=3)


def test_more_memory_changes_nothing_but_where_the_table_ends() -> None:
    small = ImplicitMCCFR(LARGE, memory=4 << 20).run(30)
    large = ImplicitMCCFR(LARGE, memory=1 << 28).run(30)
    assert not large.is_full
    assert small.is_full
    known = contents(small)
    assert known.keys() < contents(large).keys()
    assert small.num_infosets == len(known)


@pytest.mark.parametrize("memory", [600_000, 2_000_000, 9_000_000])
def test_the_bound_of_memory_is_held(memory: int) -> None:
    """Everything that NumPy allocates, from the empty table to the strategy that is read out."""
    rules = load_rules("liars_dice", dice=2, sides=6)
    ImplicitMCCFR(rules, "dcfr", memory=memory, period=2).run(
        3
    ).average_strategy()  # imports, compiles
    tracemalloc.start()
    solver = ImplicitMCCFR(rules, "dcfr", memory=memory, period=2)
    open_until = 0
    while solver.iteration < 60:
        open_until += not solver.run(1).is_full
    average = solver.average_strategy()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert memory / 4 < peak < memory
    assert 0 < open_until < 50
    assert solver.table_bytes + solver.scratch_bytes <= memory
    assert average.num_infosets > 100


def test_outcome_sampling_holds_the_bound_of_memory() -> None:
    """The same, from a table that grows to one that is closed, through which regrets still pass."""
    rules = load_rules("liars_dice", dice=2, sides=6)
    options: dict[str, Any] = {"sampler": "outcome", "memory": 600_000, "period": 100}
    ImplicitMCCFR(rules, "dcfr", **options).run(101).average_strategy()
    tracemalloc.start()
    solver = ImplicitMCCFR(rules, "dcfr", **options)
    open_until = 0
    while solver.iteration < 6000:
        open_until += not solver.run(100).is_full
    average = solver.average_strategy()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 150_000 < peak < 600_000
    assert 0 < open_until < 50
    assert average.num_infosets > 100


@pytest.mark.slow
def test_outcome_sampling_learns_above_infosets_without_a_row() -> None:
    """Their values go up, and only they learn nothing.

    In the first trajectory everybody plays uniformly, with a row or without, so that the rows that
    a table of three has must be those of a table with room for all.
    """
    game = load_game("rules:goofspiel(cards=4)")
    assert isinstance(game, RulesGame)
    tree, keys = compile_game(game), game.packed_keys()
    own = {keys[text] for i, text in enumerate(tree.infoset_keys) if tree.infoset_player[i] == 0}
    hidden = 0
    for seed in range(30):
        few = ImplicitMCCFR(game, sampler="outcome", seed=seed)
        few.table = new_table(4, 64, game.rules.max_actions)
        few.table.used[2] = 1
        found = contents(few.run(1))
        whole = contents(ImplicitMCCFR(game, sampler="outcome", seed=seed).run(1))
        assert len(found) <= 3
        assert not few.table.pool[:, 1 : 1 + game.rules.max_actions].any()
        for key in own & found.keys():
            assert np.allclose(found[key][0], whole[key][0], rtol=1e-12, atol=0)
        below = own & whole.keys() - found.keys()
        hidden += any(any(whole[key][0]) for key in below)
    assert hidden > 5


@pytest.mark.slow
def test_chance_sampling_holds_the_bound_of_memory() -> None:
    """Also of a closed table, whose log is entered before the end."""
    rules = load_rules("goofspiel", cards=5)
    for memory in (650_000, 1_600_000):  # what is loaded on the way is not the solver's
        ImplicitMCCFR(rules, "dcfr", sampler="chance", memory=memory, period=2).run(
            10
        ).average_strategy()
    for memory, closed in [(650_000, True), (1_600_000, False)]:
        tracemalloc.start()
        solver = ImplicitMCCFR(rules, "dcfr", sampler="chance", memory=memory, period=2)
        tracemalloc.reset_peak()
        average = solver.run(10).average_strategy()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert solver.is_full == closed
        assert memory / 4 < peak < memory
        assert average.num_infosets > 100
        measured = nash_conv(Strategy.from_packed(compile_game(RulesGame(rules)), average))
        assert measured < 1.4  # that of uniform play is 1.55


def test_chance_sampling_refuses_games_too_large_for_it() -> None:
    """By what can be played after a deal: not by what can be dealt."""
    with refuses(MemoryBudgetError, option="memory", given=1073741824, histories=0):
        ImplicitMCCFR("rules:goofspiel(cards=8)", sampler="chance")


@pytest.mark.slow
def test_chance_sampling_takes_a_game_with_many_deals() -> None:
    wide = ImplicitMCCFR("rules:leduc(ranks=13,suits=4)", sampler="chance").run(1)
    assert 0 < wide.nodes_touched < 1000


@pytest.mark.parametrize("sampler", ["external", "outcome", slow("chance"), "external(prune=0.5)"])
def test_a_log_that_is_full_changes_nothing(sampler: str) -> None:
    """It grows, and the traversal is run again."""
    usual = ImplicitMCCFR(SMALL, "dcfr", sampler=sampler).run(2000)
    short = ImplicitMCCFR(SMALL, "dcfr", sampler=sampler)
    short.log_size = short.rules.max_actions
    assert same_state(short.run(2000), usual)
    assert short.rules.max_actions < short.log_size < usual.log_size


def test_a_log_that_cannot_grow_is_entered_earlier() -> None:
    """With a closed table; for outcome sampling it holds strategy sums alone: the same bits."""
    usual, short = (ImplicitMCCFR(SMALL, sampler="outcome").run(30) for _ in range(2))
    short.log_size, short._log = short.rules.max_actions, None
    for solver in (usual, short):
        solver.table.used[2] = 1
        solver.run(2000)
    assert same_state(short, usual)
    assert short.log_size == short.rules.max_actions


def test_a_full_table_resumes_with_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    whole = ImplicitMCCFR(LARGE, memory=600_000).run(60)
    first = ImplicitMCCFR(LARGE, memory=600_000).run(40)
    assert first.is_full
    first.checkpoint(path)
    second = ImplicitMCCFR(LARGE, memory=600_000).resume(path)
    assert second.is_full
    assert same_state(second.run(20), whole)
    with refuses(MemoryBudgetError, option="memory", given=300000, histories=0):
        ImplicitMCCFR(LARGE, memory=300_000).resume(path)
    more = ImplicitMCCFR(LARGE, memory=1 << 26).resume(path).run(20)
    assert not more.is_full
    assert more.num_infosets > whole.num_infosets


def test_too_little_memory_for_any_table_is_refused() -> None:
    with refuses(MemoryBudgetError, option="memory", given=1000, histories=0):
        ImplicitMCCFR(LARGE, memory=1000)


def test_the_average_of_several_runs() -> None:
    """Strategy sums add up, infoset by infoset."""
    runs = [ImplicitMCCFR(SMALL, seed=seed).run(7) for seed in (1, 2, 3)]
    expected: dict[tuple[int, int], np.ndarray] = {}
    for run in runs:
        for key, (_, sums) in contents(run).items():
            expected[key] = expected.get(key, np.zeros(len(sums))) + sums
    together = runs[0].average_strategy(*runs[1:])
    assert together.num_infosets == sum(sums.any() for sums in expected.values())
    assert together.num_infosets > max(run.average_strategy().num_infosets for run in runs)
    for key, total in expected.items():
        row = together.row(*key)
        assert (row is None) == (not total.any())
        assert row is None or np.allclose(row, total / total.sum(), rtol=0, atol=1e-15)
    with refuses(
        MismatchError,
        option="game",
        given="rules:liars_dice(sides=2)",
        expected="rules:liars_dice(sides=3)",
    ):
        runs[0].average_strategy(ImplicitMCCFR("rules:liars_dice(sides=2)"))


@pytest.mark.parametrize(
    "sampler",
    [
        "chance(prune=1)",
        "external(baseline=learned)",
        "outcome(baseline=learned)",
    ],
)
def test_other_samplers_need_a_tree(sampler: str) -> None:
    with refuses(ConfigError, option="sampler"):
        ImplicitMCCFR(SMALL, sampler=sampler)


def test_what_makes_no_sense_is_refused() -> None:
    with refuses(ConfigError, option="algorithm", given="cfr+"):
        ImplicitMCCFR(SMALL, "cfr+")
    with refuses(ConfigError, option="rules", given=load_game("kuhn")):
        ImplicitMCCFR(load_game("kuhn"))
    with refuses(ConfigError, option="period", given=0):
        ImplicitMCCFR(SMALL, period=0)


def test_a_packed_strategy_belongs_to_its_rules() -> None:
    found = ImplicitMCCFR(SMALL).run(20).average_strategy()
    with refuses(MismatchError, option="game", given="kuhn", expected="rules:liars_dice(sides=3)"):
        Strategy.from_packed(compile_game(load_game("kuhn")), found)
    with refuses(
        MismatchError,
        option="game",
        given="rules:liars_dice(sides=3)",
        expected="rules:liars_dice(sides=2)",
    ):
        Strategy.from_packed(compile_game(load_game("rules:liars_dice(sides=2)")), found)


def test_strategies_as_files(tmp_path: Path) -> None:
    game = load_game(SMALL)
    assert isinstance(game, RulesGame)
    found = ImplicitMCCFR(game).run(200).average_strategy()
    path = found.save(tmp_path / "found.safetensors")
    again = PackedStrategy.load(path)
    for name in ("game", "fingerprint", "provenance"):
        assert getattr(again, name) == getattr(found, name)
    for name in ("high", "low", "actions", "probabilities"):
        assert np.array_equal(getattr(again, name), getattr(found, name))
    rolled = game.next(game.next(game.initial_state(), 0), 2)
    row = again.behaviour(game, rolled)
    assert list(row) == list(game.actions(rolled))
    assert sum(row.values()) == pytest.approx(1.0, abs=1e-12)
    assert len(set(row.values())) > 1
    uniform = PackedStrategy.uniform(game.rules).behaviour(game, rolled)
    assert set(uniform.values()) == {1 / len(uniform)}


@pytest.mark.parametrize("solver", [ImplicitMCCFR, MCCFR])
def test_walks_that_no_number_counts_are_refused(solver: Any) -> None:
    with refuses(ConfigError, option="averaging_every", given=10**21):
        solver(SMALL, averaging="walk", averaging_every=10**21)
    with refuses(ConfigError, option="averaging_every", given=10**21):
        SolveConfig.build(sampler="external", averaging="walk", averaging_every=10**21)
    with refuses(ConfigError, option="period", given=10**21):
        SolveConfig.build(sampler="external", algorithm="lcfr", period=10**21)
