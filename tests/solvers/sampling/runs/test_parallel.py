"""Several threads: the same bits with every executor, and the expectation of one run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError, MismatchError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.run.state import SamplingState
from equilibrist.solvers.sampling.batches import cut
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solving.sampling import measuring_stride
from tests.refusals import refuses
from tests.solve_options import grouped

KUHN = compile_game(load_game("kuhn"))
KUHN3 = compile_game(load_game("kuhn(players=3)"))
PLANS: list[dict[str, Any]] = [
    {},
    {"sampler": "outcome", "algorithm": "lcfr"},
    {"sampler": "average-strategy", "algorithm": "dcfr"},
    {"tree": KUHN3, "averaging": "walk", "averaging_every": 5},
    {"averaging": "full", "averaging_every": 4, "algorithm": "lcfr"},
    {"averaging": "snapshots", "averaging_every": 11, "threads": 2},
]


def fresh(**options: Any) -> MCCFR:
    settings = {"tree": KUHN, "threads": 3, "period": 50, "seed": 3, **options}
    return MCCFR(settings.pop("tree"), **settings)


def bits(solver: MCCFR) -> tuple[object, ...]:
    state = solver.state
    return (
        state.iteration,
        state.nodes_touched,
        state.regret.tobytes(),
        state.strategy_sum.tobytes(),
    )


# The same bits


@pytest.mark.parametrize("options", [{}, {"executor": "serial"}, {"shared": True}])
def test_threads_start_again_after_close(options: dict[str, Any]) -> None:
    solver = fresh(period=10, **options).run(23)
    solver.close()
    solver.close()
    assert solver.run(19).iteration == 42
    if "shared" not in options:  # whose bits depend on timing
        assert bits(solver) == bits(fresh(period=10).run(42))
    solver.close()


@pytest.mark.parametrize("plan", PLANS)
def test_executor_and_cuts_change_no_bit(plan: dict[str, Any], tmp_path: Path) -> None:
    whole = fresh(**plan).run(217)
    assert bits(fresh(executor="serial", **plan).run(217)) == bits(whole)
    parts = fresh(**plan)
    for count in (1, 3, 46, 50, 20, 20, 0, 10, 67):
        parts.run(count)
    assert bits(parts) == bits(whole)
    broken = fresh(**plan)
    for count in (
        17,
        33,
        120,
        12,
    ):  # within a first batch, at the end of a round, and within others
        broken.run(count).checkpoint(tmp_path / "c")
        broken = fresh(executor="serial", **plan).resume(tmp_path / "c")
    assert bits(broken.run(35)) == bits(whole)
    assert bits(fresh(**plan).run(216)) != bits(whole)


def test_seed_threads_and_period_matter() -> None:
    runs = [{}, {"seed": 4}, {"threads": 2}, {"period": 49}]
    assert len({bits(fresh(**options).run(100)) for options in runs}) == len(runs)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 40))
def test_batches_follow_each_other_and_are_equally_long(done: int, count: int, parts: int) -> None:
    batches = cut(done, done + count, parts)
    assert len(batches) == min(count, parts)
    at = done
    for batch in batches:
        assert batch.done == at
        at += batch.iterations
    assert at == done + count
    if batches:
        assert max(b.iterations for b in batches) - min(b.iterations for b in batches) <= 1


# What a round adds


@pytest.mark.parametrize("options", [{}, {"averaging": "walk", "averaging_every": 7}])
@pytest.mark.parametrize("period", [3, 30])
def test_a_round_merges_ordinary_runs_from_the_same_tables(
    period: int, options: dict[str, Any]
) -> None:
    """With period 3 every batch is one iteration: its expectation is that of any iteration."""
    solver = fresh(period=period, **options).run(2 * period)
    before = solver.state
    solver.run(period)
    regret, strategy_sum = before.regret.copy(), before.strategy_sum.copy()
    touched = before.nodes_touched
    for k in range(3):
        start = SamplingState(
            before.regret, before.strategy_sum, (6 + k) * period // 3, before.nodes_touched, 3
        )
        alone = fresh(threads=1, period=64, **options).restore(start).run(period // 3).state
        regret += (alone.regret - before.regret) / 3
        strategy_sum += alone.strategy_sum - before.strategy_sum
        touched += alone.nodes_touched - before.nodes_touched
    after = solver.state
    assert after.regret == pytest.approx(regret, abs=1e-12)
    assert after.strategy_sum == pytest.approx(strategy_sum, abs=1e-12)
    assert after.nodes_touched == touched


def test_discounts_come_between_rounds() -> None:
    solver = fresh(algorithm="lcfr").run(50)
    state = solver.state
    halved = SamplingState(
        state.regret * 0.5, state.strategy_sum * 0.5, 50, state.nodes_touched, state.seed
    )
    plain = fresh().restore(halved)
    for count in (20, 30):
        assert solver.run(count).state.regret == pytest.approx(
            plain.run(count).state.regret, abs=1e-12
        )


@pytest.mark.parametrize("options", [{}, {"shared": True}])
@pytest.mark.parametrize("sampler", ["external", "outcome"])
def test_threads_find_the_equilibrium(sampler: str, options: dict[str, Any]) -> None:
    solver = MCCFR(KUHN, sampler=sampler, threads=2, period=1000, seed=1, **options).run(500_000)
    found = evaluate(solver.average_strategy())
    assert found.values[0] == pytest.approx(-1 / 18, abs=0.01)
    assert found.nash_conv < 0.04


# One shared table


@pytest.mark.parametrize("variant", ["cfr", "lcfr"])
def test_one_iteration_on_a_shared_table_is_an_ordinary_one(variant: str) -> None:
    alone = fresh(algorithm=variant, threads=1).run(1)
    assert bits(fresh(algorithm=variant, shared=True).run(1)) == bits(alone)


def test_a_shared_table_is_saved_and_resumed(tmp_path: Path) -> None:
    solver = MCCFR(KUHN, threads=2, shared=True).run(500)
    solver.checkpoint(tmp_path / "c")
    resumed = MCCFR(KUHN, threads=2, shared=True).resume(tmp_path / "c")
    assert bits(resumed) == bits(solver)
    with refuses(CheckpointError, option="shared", given=True, expected=False):
        MCCFR(KUHN, threads=2).resume(tmp_path / "c")


# What is refused


COUNT = "a whole number from 1 to 4096"
EXECUTORS = "serial or threads or ray"
MORE = "give `threads`, the number of batches that run side by side, of at least 2"
ONE = "leave one of the two out"
OTHER = "use `threads=1`, or another averaging or sampler, such as external"


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"threads": 0}, dict(option="threads", given=0, expected=COUNT)),
        ({"threads": 5000}, dict(option="threads", given=5000, expected=COUNT)),
        ({"threads": 2.0}, dict(option="threads", given=2.0, expected=COUNT)),
        ({"shared": 1}, dict(option="shared", given=1, expected="True or False")),
        ({"shared": True}, dict(option="shared", remedy=MORE)),
        ({"executor": "serial"}, dict(option="executor", remedy=MORE)),
        (
            {"executor": "dask", "threads": 2},
            dict(option="executor", given="dask", expected=EXECUTORS),
        ),
        (
            {"executor": ["ray"], "threads": 2},
            dict(option="executor", given="['ray']", expected=EXECUTORS),
        ),
        (
            {"shared": True, "executor": "ray", "threads": 2},
            dict(option="shared", given=True, remedy=ONE),
        ),
        (
            {"shared": True, "executor": "serial", "threads": 2},
            dict(option="shared", given=True, remedy=ONE),
        ),
        (
            {"address": "here:1", "threads": 2},
            dict(
                option="address",
                given="here:1",
                remedy='give `executor="ray"`, or leave out `address`',
            ),
        ),
        (
            {"sampler": "pure", "threads": 2},
            dict(option="threads", given="pure_regret and pure_counts", remedy=OTHER),
        ),
        (
            {"sampler": "pure", "threads": 2, "shared": True},
            dict(option="threads", given="pure_regret and pure_counts", remedy=OTHER),
        ),
        (
            {"sampler": "outcome", "averaging": "lazy", "threads": 2},
            dict(option="threads", given="clock and taken", remedy=OTHER),
        ),
        (
            {"sampler": "outcome", "averaging": "optimistic", "threads": 2},
            dict(option="threads", given="clock and seen", remedy=OTHER),
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        MCCFR(KUHN, **options)
    with refuses(ConfigError, option=fields["option"]):
        eq.solve(KUHN, iterations=3, **(grouped({"sampler": "external"} | options)))


@pytest.mark.parametrize("name", sorted(set(SAMPLERS) - {"pure"}))
def test_all_other_samplers_take_threads(name: str) -> None:
    assert MCCFR(KUHN, sampler=name, threads=2, period=20).run(50).iteration == 50


def test_full_traversals_have_no_shared_table_and_no_executor() -> None:
    for options in ({"shared": True}, {"executor": "ray"}):
        ((option, given),) = options.items()
        with refuses(ConfigError, option=option, given=given):
            eq.solve(KUHN, iterations=3, **grouped(options))


def test_a_state_of_another_plan_is_refused(tmp_path: Path) -> None:
    within = fresh().run(60)
    others = ({"threads": 1}, {"period": 60}, {"threads": 2, "shared": True})
    for other, option in zip(others, ("threads", "period", "threads"), strict=True):
        with refuses(MismatchError, option=option):
            fresh(**other).restore(within.state)
        with refuses(
            MismatchError, option="period", given=60, remedy="give those it was made with"
        ):
            fresh(**other).restore(replace(within.state, identity=None))
    alone = fresh(threads=1).run(60).state
    with refuses(MismatchError, option="threads", given=1, expected=3):
        fresh().restore(alone)
    with refuses(MismatchError, option="period", given=60, remedy="give those it was made with"):
        fresh().restore(replace(alone, identity=None))
    within.checkpoint(tmp_path / "c")
    with refuses(CheckpointError, option="threads", given=3, expected=1):
        fresh(threads=1).resume(tmp_path / "c")


# In a solve


def test_a_solve_says_how_it_ran(tmp_path: Path) -> None:
    options: dict[str, Any] = {"sampler": "external", "threads": 2, "period": 400, "seed": 5}
    result = eq.solve(KUHN, iterations=9000, **grouped(options))
    told = {name: result.to_dict()[name] for name in ("executor", "threads", "shared", "period")}
    assert told == {"executor": "threads", "threads": 2, "shared": False, "period": 400}
    again = eq.solve(
        KUHN,
        iterations=4100,
        **grouped(options, executor="serial", checkpoint=tmp_path / "c"),
    )
    assert again.to_dict()["executor"] == "serial"
    again = eq.solve(KUHN, iterations=9000, **grouped(options, resume=tmp_path / "c"))
    assert again.strategy.probabilities.tobytes() == result.strategy.probabilities.tobytes()
    assert [(p.iteration, p.nash_conv) for p in again.trace] == [
        (p.iteration, p.nash_conv) for p in result.trace
    ]
    assert "Theory" in result.guarantee


def test_a_shared_table_is_labelled(tmp_path: Path) -> None:
    result = eq.solve(
        KUHN, sampling=eq.Sampling("external", shared=True), threads=2, iterations=500
    )
    assert result.to_dict()["shared"] is True
    assert any("not reproducible" in note for note in result.notes)
    assert "there is no convergence guarantee" in result.guarantee
    loaded = eq.Result.load(result.save(tmp_path / "s"))
    assert loaded.details == result.details


def test_measurements_wait_for_whole_rounds() -> None:
    assert measuring_stride(MCCFR(KUHN, threads=2, period=1009)) % 1009 == 0
    shared = MCCFR(KUHN, threads=2, period=1009, shared=True)
    assert measuring_stride(shared) == measuring_stride(MCCFR(KUHN))


@pytest.mark.parametrize("shared", [False, True])
def test_a_game_without_decisions(shared: bool) -> None:
    tree = compile_game(load_game("random_tree(depth=0)"))
    solver = MCCFR(tree, threads=2, period=4, shared=shared).run(1001)
    assert solver.nodes_touched == 1001 * tree.num_players
    assert np.array_equal(solver.average_strategy().probabilities, np.zeros(0))
