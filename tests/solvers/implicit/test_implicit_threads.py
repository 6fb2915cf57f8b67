"""Several threads without a tree: the tree's plan, bit for bit, within the bound of memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, ConfigError, GameError, MemoryBudgetError
from equilibrist.evaluation import nash_conv
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.table_run import ImplicitRun
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.slow_cases import slow, slow_unless
from tests.solvers.implicit.implicit_runs import LARGE, SMALL, contents, same_state

THREE = "leduc(players=3,ranks=2,raise_cap=1)"


RUNS = [
    ("external", "cfr", "stochastic"),
    ("external", "dcfr", "stochastic"),
    ("external", "lcfr", "walk"),
    ("external(prune=1)", "cfr", "stochastic"),
    ("outcome", "dcfr", "stochastic"),
    ("outcome", "lcfr", "walk"),
    ("average-strategy", "cfr", "stochastic"),
    ("probing", "cfr", "stochastic"),
    ("chance", "lcfr", "own-reach"),
    ("robust", "dcfr", "walk"),
]
THREADS = {"liars_dice(sides=3)": 2, "goofspiel(cards=4)": 3, THREE: 4}


def is_soon_compiled(spec: str, run: tuple[str, str, str]) -> bool:
    """Kernels are compiled for each sampler and each file of rules."""
    if spec == THREE:
        return run[:2] == ("external", "cfr")
    return spec == "liars_dice(sides=3)" and run[:2] in (("external", "cfr"), ("outcome", "dcfr"))


def is_tried(case: Any) -> bool:
    """The runs by turns in the three games."""
    spec, run = getattr(case, "values", case)
    return is_soon_compiled(spec, run) or (list(THREADS).index(spec) + RUNS.index(run)) % 3 == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "run"), [*filter(is_tried, slow_unless(is_soon_compiled, THREADS, RUNS))]
)
def test_the_table_is_that_of_the_tree(spec: str, run: tuple[str, str, str]) -> None:
    """Bit for bit, though most rows are found by one thread before the others; within a round."""
    game = load_game(f"rules:{spec}")
    assert isinstance(game, RulesGame)
    sampler, variant, averaging = run
    options: dict[str, Any] = {"averaging": averaging, "seed": 7, "period": 90}
    options["threads"] = THREADS[spec]
    tree, keys = compile_game(game), game.packed_keys()
    solver = ImplicitMCCFR(game, variant, sampler=sampler, **options)
    on_tree = MCCFR(tree, variant, sampler=sampler, **options)
    for iterations in (180, 260):
        state, found = on_tree.run(iterations).state, contents(solver.run(iterations))
        assert found.keys() <= set(keys.values())
        for i, text in enumerate(tree.infoset_keys):
            row = tree.actions_of(i)
            zeros = [0.0] * (row.stop - row.start)
            expected = (state.regret[row].tolist(), state.strategy_sum[row].tolist())
            assert found.get(keys[text], (zeros, zeros)) == expected
        assert solver.nodes_touched == on_tree.nodes_touched


@pytest.mark.slow
@pytest.mark.parametrize("sampler", ["external", "outcome"])
@pytest.mark.parametrize(
    ("variant", "averaging"), [("cfr", "stochastic"), ("dcfr", "stochastic"), ("dcfr", "walk")]
)
def test_executor_cuts_and_checkpoints_change_no_bit(
    tmp_path: Path, variant: str, averaging: str, sampler: str
) -> None:
    options: dict[str, Any] = {"averaging": averaging, "sampler": sampler, "seed": 3}
    options |= {"period": 64, "threads": 3}

    def fresh(executor: str) -> ImplicitMCCFR:
        return ImplicitMCCFR(SMALL, variant, executor=executor, **options)

    whole = fresh("threads").run(1000)
    assert same_state(fresh("serial").run(1000), whole)
    pieces = fresh("threads")
    for count in (1, 63, 0, 1, 300, 35):
        pieces.run(count)
    path = tmp_path / "run.ckpt"
    pieces.checkpoint(path)
    again = fresh("serial").resume(path)
    assert again.iteration == 400
    assert same_state(again, pieces)
    assert same_state(again.run(600), whole)
    assert same_state(pieces.run(600), whole)
    assert same_state(fresh("threads").run(384).run(616), whole)
    assert not same_state(fresh("threads").run(999), whole)


def test_large_tables_are_the_same_too() -> None:
    """Private tables and the merged one grow by different ways."""
    options: dict[str, Any] = {"period": 12, "threads": 3, "memory": 1 << 28}
    whole = ImplicitMCCFR(LARGE, "dcfr", **options).run(40)
    pieces = ImplicitMCCFR(LARGE, "dcfr", executor="serial", **options)
    for count in (5, 20, 15):
        pieces.run(count)
    assert whole.num_infosets > 30_000
    assert same_state(pieces, whole)


@pytest.mark.parametrize("executor", ["serial", "threads"])
@pytest.mark.parametrize(("memory", "threads"), [(2_000_000, 2), (6_000_000, 2), (20_000_000, 4)])
def test_the_bound_of_memory_is_held(memory: int, threads: int, executor: str) -> None:
    """By all tables together, whole rounds and parts of them, and what is read out at the end."""
    rules = load_rules("liars_dice", dice=2, sides=6)
    options: dict[str, Any] = {"memory": memory, "threads": threads, "period": 8}
    options["executor"] = executor
    ImplicitMCCFR(rules, "dcfr", **options).run(11).average_strategy()  # imports, compiles
    tracemalloc.start()
    solver = ImplicitMCCFR(rules, "dcfr", **options)
    for count in [8, 8, 3, 5, 11, 5, 80, 3]:
        solver.run(count)
    average = solver.average_strategy()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert memory / 3 < peak < memory
    assert solver.is_full
    assert average.num_infosets > 1000


def test_a_full_table_resumes_with_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    options: dict[str, Any] = {"threads": 2, "period": 16}
    whole = ImplicitMCCFR(LARGE, memory=2_000_000, **options).run(80)
    first = ImplicitMCCFR(LARGE, memory=2_000_000, **options).run(40)
    assert first.is_full
    first.checkpoint(path)
    second = ImplicitMCCFR(LARGE, memory=2_000_000, **options).resume(path)
    assert second.is_full
    assert same_state(second.run(40), whole)
    with refuses(MemoryBudgetError, option="memory", given=1000000, histories=0):
        ImplicitMCCFR(LARGE, memory=1_000_000, **options).resume(path)
    more = ImplicitMCCFR(LARGE, memory=1 << 27, **options).resume(path).run(40)
    assert not more.is_full
    assert more.num_infosets > whole.num_infosets


def test_a_full_table_takes_no_row_of_any_thread() -> None:
    """What it holds goes on learning."""
    solver = ImplicitMCCFR(SMALL, threads=2, period=10).run(10)
    solver.table.used[2] = 1
    slots, numbers = len(solver.table.row), solver.table.pool.shape[1]
    solver.table.used[1] = numbers  # no room for a row of any length
    before = contents(solver)
    after = contents(solver.run(200))
    assert after.keys() == before.keys()
    assert after != before
    assert (len(solver.table.row), solver.table.pool.shape[1]) == (slots, numbers)
    assert not solver.table.pool[:, 1 : 1 + solver.rules.max_actions].any()


def test_logs_that_lengthen_change_nothing() -> None:
    usual = ImplicitMCCFR(SMALL, "dcfr", threads=2, period=50).run(300)
    short = ImplicitMCCFR(SMALL, "dcfr", threads=2, period=50)
    short.log_size = short.rules.max_actions
    assert same_state(short.run(300), usual)
    assert short.rules.max_actions < short.log_size < usual.log_size


def test_a_long_log_beside_a_large_table_passes_no_bound(tmp_path: Path) -> None:
    """One thread needs a long log, another many rows: each may, but not both together."""
    options: dict[str, Any] = {"memory": 2_000_000, "threads": 2, "period": 16}
    solver = ImplicitMCCFR(LARGE, **options)
    run = ImplicitRun(solver.rules, solver.sampler, solver.key, solver.memory, 3)
    run.begin(solver.run_state, 0)
    base = int(solver.table.used[1])
    run.keep_gain(base)
    run.log_size *= 8
    run.refuse_more_than_memory(len(run.table.row), run.table.pool.shape[1], run.log_size)
    solver.run(48)
    assert solver.is_full
    solver.merge(run, base, 2)
    solver.checkpoint(tmp_path / "run.ckpt")
    ImplicitMCCFR(LARGE, **options).resume(tmp_path / "run.ckpt")


def test_a_private_table_that_is_full_closes_the_merged_one() -> None:
    """Else a batch would find again, round after round, that there is no room."""
    solver = ImplicitMCCFR(SMALL, threads=2, period=10).run(10)
    run = ImplicitRun(solver.rules, solver.sampler, solver.key, solver.memory, 3)
    run.begin(solver.run_state, 10)
    base = int(solver.table.used[1])
    run.table.used[2] = 1
    run.keep_gain(base)
    assert not solver.is_full
    solver.merge(run, base, 2)
    assert solver.is_full


@pytest.mark.parametrize("averaging", ["stochastic", slow("walk")])
def test_every_batch_counts_what_its_period_counts(averaging: str) -> None:
    """The named variants weigh by decay alone: each batch's own weight is 1 there."""
    late = Variant("late", average=lambda t, _horizon: (1.0, t))
    options: dict[str, Any] = {"averaging": averaging, "seed": 7, "period": 90, "threads": 2}
    game = load_game(SMALL)
    tree = compile_game(game)
    average = ImplicitMCCFR(game, late, **options).run(800).average_strategy()
    on_tree = MCCFR(tree, late, sampler="external", **options).run(800).average_strategy()
    found = Strategy.from_packed(tree, average).probabilities
    assert found == pytest.approx(on_tree.probabilities, abs=1e-12)


def test_private_tables_hold_only_what_was_visited() -> None:
    """Elsewhere they may hold anything: here what is left of earlier batches."""
    solver = ImplicitMCCFR(LARGE, threads=2, period=4).run(40)
    run = ImplicitRun(solver.rules, solver.sampler, solver.key, solver.memory)
    run.begin(solver.run_state, 40)
    run.advance(41, 1.0)
    touched = run.table.row[run.table.row != -1]
    assert 0 < len(touched) < solver.num_infosets / 5
    assert int(run.table.used[0]) >= solver.num_infosets


def test_threads_that_contradict_each_other() -> None:
    """Each sees the rules keep to one number of actions, but not to the same."""
    solver = ImplicitMCCFR(SMALL, threads=2, period=2)
    runs = [ImplicitRun(solver.rules, solver.sampler, solver.key, 1 << 24) for _ in range(2)]
    base = int(solver.table.used[1])
    for run in runs:
        run.begin(solver.run_state, 0)
        run.advance(1, 1.0)
        run.keep_gain(base)
    taken = np.flatnonzero(runs[1].table.row != -1)
    runs[1].table.row[taken] ^= 1
    solver.merge(runs[0], base, 2)
    with refuses(GameError, kind="sizes"):
        solver.merge(runs[1], base, 2)


def test_the_bound_nash_conv_counts_every_thread() -> None:
    game = load_game(SMALL)
    solver = ImplicitMCCFR(game, threads=4, period=400).run(4000)
    largest = sum(max(0.0, *regrets) for regrets, _ in contents(solver).values())
    bound = solver.bound_nash_conv()
    assert bound == pytest.approx(4 * largest / 4000, rel=1e-12)
    measured = nash_conv(Strategy.from_packed(compile_game(game), solver.average_strategy()))
    assert 0.0 < measured < bound < 20 * measured


def test_the_usual_period_hides_what_a_round_costs() -> None:
    alone = ImplicitMCCFR(SMALL)
    two = ImplicitMCCFR(SMALL, threads=2)
    four = ImplicitMCCFR(SMALL, threads=4, memory=1 << 24)
    assert (alone.period, alone.step_multiple) == (1000, 1)
    assert four.period == four.step_multiple == 2 * two.period
    visited = two.run(two.period).nodes_touched
    assert visited == pytest.approx(2e6, rel=0.3)
    two.close()


def test_threads_start_again_after_close() -> None:
    solver = ImplicitMCCFR(SMALL, threads=2, period=100).run(150)
    solver.close()
    solver.run(150).close()
    assert same_state(solver, ImplicitMCCFR(SMALL, threads=2, period=100).run(300))


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"threads": 2, "shared": True}, dict(option="shared", given=True)),
        ({"threads": 2, "executor": "ray"}, dict(option="executor", given="ray")),
        ({"executor": "serial"}, dict(option="executor")),
        ({"threads": 0}, dict(option="threads", given=0)),
        ({"threads": 2, "address": "here:1"}, dict(option="address", given="here:1")),
        ({"threads": 2, "sampler": "pure"}, dict(option="threads", given=2)),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        ImplicitMCCFR(SMALL, **options)


def test_too_little_memory_for_all_tables_is_refused() -> None:
    ImplicitMCCFR(LARGE, memory=1_000_000, threads=2)
    with refuses(MemoryBudgetError, option="memory", given=1000000, histories=0):
        ImplicitMCCFR(LARGE, memory=1_000_000, threads=64)


@pytest.mark.slow
def test_walks_keep_to_the_bound_of_memory() -> None:
    """Trials that say how many there are, too; what is refused is said for all tables."""
    rules = load_rules("liars_dice", dice=2, sides=6)
    for threads in (1, 2):
        options: dict[str, Any] = {"averaging": "walk", "threads": threads, "period": 8}
        ImplicitMCCFR(rules, memory=600_000, **options)  # imports, compiles
        tracemalloc.start()
        ImplicitMCCFR(rules, memory=600_000, **options)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 600_000
    ImplicitMCCFR(rules, memory=390_000, **options)
    with refuses(MemoryBudgetError, option="memory", given=350000, histories=0):
        ImplicitMCCFR(rules, memory=350_000, **options)


def test_changes_after_a_deal_are_counted_for_every_table() -> None:
    spec = "rules:goofspiel(cards=5)"
    ImplicitMCCFR(spec, sampler="chance", memory=1_500_000)
    with refuses(MemoryBudgetError, option="memory", given=1500000, histories=0):
        ImplicitMCCFR(spec, sampler="chance", memory=1_500_000, threads=4)


def test_the_last_idle_table_goes_to_one_thread_only() -> None:
    """Whoever comes too late makes another."""

    class Taken(list[ImplicitRun]):
        def __bool__(self) -> bool:
            return True

    solver = ImplicitMCCFR(SMALL, threads=2, period=50)
    assert solver._rounds is not None
    solver._rounds.private.idle = Taken()
    assert same_state(solver.run(100), ImplicitMCCFR(SMALL, threads=2, period=50).run(100))


def test_threads_share_the_memory_for_the_changes_after_a_deal() -> None:
    """What one thread may keep, each of two may not."""
    options: dict[str, Any] = {"sampler": "chance", "memory": 1 << 29}
    ImplicitMCCFR(LARGE, **options)
    with refuses(MemoryBudgetError, option="memory", given=536870912, histories=0):
        ImplicitMCCFR(LARGE, threads=2, period=2, **options)


def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    solver = ImplicitMCCFR(SMALL, threads=2, period=50).run(70)
    solver.checkpoint(path)
    plans: list[tuple[dict[str, Any], str, int, int]] = [
        ({"threads": 3, "period": 50}, "threads", 2, 3),
        ({"period": 50}, "threads", 2, 1),
        ({"threads": 2, "period": 49}, "period", 50, 49),
    ]
    for options, option, given, expected in plans:
        with refuses(CheckpointError, option=option, given=given, expected=expected):
            ImplicitMCCFR(SMALL, **options).resume(path)
    assert solver._rounds is not None
    solver._rounds.before = None
    solver.checkpoint(path)
    with refuses(CheckpointError, option="content"):
        ImplicitMCCFR(SMALL, threads=2, period=50).resume(path)


@pytest.mark.slow
def test_the_floor_does_not_depend_on_threads() -> None:
    """Merged regrets are means, so they stop at the floor over the number of threads."""
    lowest = []
    for threads in (1, 2, 4):
        solver = ImplicitMCCFR(
            "rules:leduc", sampler="external(prune=2)", seed=7, threads=threads, period=200
        ).run(20_000)
        lowest.append(threads * min(min(regrets) for regrets, _ in contents(solver).values()))
    assert lowest == pytest.approx([-2 * 31 / 30] * 3)
