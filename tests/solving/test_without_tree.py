"""`solve` without an explicit tree: stopping, files, reports, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MemoryBudgetError,
    OutputError,
)
from equilibrist.games import load_game
from equilibrist.progress import Callbacks, Progress
from equilibrist.results import ImplicitResult
from equilibrist.rules.game import RulesGame
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solving import Files, solve
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.form import tree_or_rules
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.solve_options import grouped

LARGE = "rules:liars_dice(dice=2,sides=6)"
SMALL = "rules:liars_dice(sides=3)"


def implicit(problem: str, algorithm: str | None = None, **options: Any) -> Any:
    return solve(problem, algorithm, explicit_tree=False, **grouped(options))


def rules(spec: str) -> RulesGame:
    game = load_game(spec)
    assert isinstance(game, RulesGame)
    return game


def same(one: PackedStrategy, other: PackedStrategy) -> bool:
    parts = ("high", "low", "actions", "probabilities")
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in parts)


def test_the_result_is_the_solver_s(tmp_path: Path) -> None:
    result = implicit(LARGE, iterations=20, seed=4, out=tmp_path / "found")
    solver = ImplicitMCCFR(LARGE, seed=4).run(20)
    assert same(result.strategy, solver.average_strategy())
    assert (result.iterations, result.stopped_by, result.algorithm) == (20, "iterations", "cfr")
    assert result.details is not None
    assert result.details.nodes_touched == solver.nodes_touched
    assert result.num_infosets == solver.num_infosets > result.strategy.num_infosets
    assert result.details.table_bytes == solver.table_bytes
    assert result.memory == 1 << 30
    assert not result.is_full
    assert "was not measured" in result.guarantee
    assert "approach a Nash equilibrium" in result.guarantee
    assert same(PackedStrategy.load(tmp_path / "found"), result.strategy)


def test_outcome_sampling_is_the_solver_s(tmp_path: Path) -> None:
    result = implicit(LARGE, iterations=500, sampler="outcome(epsilon=0.3)")
    solver = ImplicitMCCFR(LARGE, sampler="outcome(epsilon=0.3)").run(500)
    assert same(result.strategy, solver.average_strategy())
    assert result.details is not None
    assert result.details.nodes_touched == solver.nodes_touched
    assert result.to_dict()["sampler"] == "outcome(epsilon=0.3)"


def test_pruning_is_the_solver_s() -> None:
    result = implicit(SMALL, iterations=300, sampler="external(prune=2)")
    solver = ImplicitMCCFR(SMALL, sampler="external(prune=2)").run(300)
    assert same(result.strategy, solver.average_strategy())
    assert result.to_dict()["sampler"] == "external(prune=2.0)"
    assert "which has no convergence guarantee" in result.guarantee


def test_the_document_has_the_keys_of_a_solve_and_nulls(tmp_path: Path) -> None:
    result = implicit(SMALL, "dcfr", iterations=5, period=2, out=tmp_path / "found")
    document = result.to_dict()
    measured = solve("kuhn", sampling="external", iterations=5).to_dict()
    assert set(document) - set(measured) == {
        "memory", "bound_nash_conv", "bound_cce_gap", "bound_unstored_share", "table_is_full"
    }  # fmt: skip
    assert set(measured) <= set(document)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    for name in ("values", "nash_conv", "exploitability", "gains", "measure_name", "num_nodes"):
        assert document[name] is None
    assert document["period"] == 2
    made = PackedStrategy.load(tmp_path / "found").provenance
    assert made == {name: value for name, value in document.items() if name != "solution_file"}
    assert "There is no convergence guarantee" in document["guarantee"]


def test_a_resumed_run_is_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "c"
    straight = implicit(LARGE, "lcfr", iterations=60, period=7)
    implicit(LARGE, "lcfr", iterations=23, period=7, checkpoint=path)
    resumed = implicit(LARGE, "lcfr", iterations=60, period=7, resume=path)
    assert same(resumed.strategy, straight.strategy)
    assert resumed.to_dict()["nodes_touched"] == straight.to_dict()["nodes_touched"]
    assert resumed.notes == (f"Resumed from {path} at iteration 23.",)
    with refuses(CheckpointError, option="iterations", given=59, expected=60):
        implicit(LARGE, "lcfr", iterations=59, period=7, resume=path)


def test_an_earlier_run_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "c"
    implicit(SMALL, iterations=3, checkpoint=path)
    before = path.read_bytes()
    with refuses(CheckpointError, option="iteration", given=3):
        implicit(SMALL, iterations=3, checkpoint=path)
    solve("kuhn", iterations=3, files=Files(checkpoint=tmp_path / "tree"))
    with refuses(OutputError, given="checkpoint", expected="treeless-checkpoint"):
        implicit(SMALL, iterations=3, checkpoint=tmp_path / "tree")
    with refuses(CheckpointError, given="treeless-checkpoint", expected="checkpoint"):
        solve("kuhn", iterations=3, files=Files(resume=path))
    solve("kuhn", iterations=3, files=Files(out=tmp_path / "solution"))
    with refuses(OutputError, given="solution", expected="packed-strategy"):
        implicit(SMALL, iterations=3, out=tmp_path / "solution")
    assert path.read_bytes() == before


def test_a_full_table_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "c"
    result = implicit(LARGE, iterations=60, memory=600_000, checkpoint=path)
    assert result.is_full
    assert "has reached its bound of 600,000 bytes" in result.notes[0]
    assert (
        "% comes from infosets without a row; more iterations do not reduce that part"
        in result.guarantee
    )
    assert "Play against others tells more" in result.guarantee
    with refuses(MemoryBudgetError, histories=0):
        implicit(LARGE, iterations=60, memory=10_000)
    result = implicit(LARGE, iterations=61, memory=100_000_000, resume=path)
    assert not result.is_full
    assert "% comes from infosets without a row while the table was full" in result.guarantee


def test_time_and_callbacks_end_a_run() -> None:
    told: list[Progress] = []
    stages: list[str] = []

    def callback(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    result = implicit(LARGE, seconds=60, callbacks=Callbacks(callback, stages.append))
    assert result.stopped_by == "callback"
    assert len(told) == 3
    assert stages[-1] == "solving"
    last = told[-1]
    assert (last.iteration, last.nodes_touched) == (
        result.iterations,
        result.details.nodes_touched if result.details else None,
    )
    assert last.trajectories_per_second > 0
    assert last.eta_seconds is not None
    assert last.num_infosets == result.num_infosets
    assert implicit(SMALL, seconds=0.02).stopped_by == "seconds"


def test_ctrl_c_gives_what_was_found(tmp_path: Path) -> None:
    def callback(progress: Progress) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "c"
    result = implicit(LARGE, seconds=60, callbacks=callback, checkpoint=path)
    assert result.stopped_by == "interrupted"
    assert result.iterations > 0
    assert ImplicitMCCFR(LARGE).resume(path).iteration == result.iterations


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({}, dict(option="iterations")),
        ({"iterations": 0}, dict(option="iterations", given=0)),
        ({"iterations": 5, "algorithm": "cfr+"}, dict(option="algorithm", given="cfr+")),
        ({"iterations": 5, "algorithm": "lp"}, dict(option="explicit_tree", given=False)),
        (
            {"iterations": 5, "sampler": "public-chance"},
            dict(option="sampler", given="public-chance"),
        ),
        ({"iterations": 5, "sampler": "external(epsilon=0.5)"}, dict(option="epsilon")),
        ({"iterations": 5, "callbacks": 3}, dict(option="callbacks", given=3)),
        ({"iterations": 5, "max_histories": 9}, dict(option="max_histories", given=9)),
        ({"iterations": 5, "max_depth": 9}, dict(option="max_depth", given=9)),
        ({"iterations": 5, "target": 0.1}, dict(option="target", given=0.1)),
        ({"iterations": 5, "problem": "kuhn"}, dict(option="explicit_tree", given=False)),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        implicit(**{"problem": SMALL, **options})


def test_a_checkpoint_that_cannot_be_written_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was reached is saved all the same, and the error says where."""
    from equilibrist.solvers.implicit.checkpoint import save_treeless

    def fail(path: Any, solver: ImplicitMCCFR, **given: Any) -> None:
        if solver.iteration > 0:
            raise OutputError("no space left", path)
        save_treeless(path, solver, **given)

    monkeypatch.setattr("equilibrist.solving.implicit.save_treeless", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with refuses(OutputError, path=tmp_path / "c"):
        implicit(SMALL, iterations=50, checkpoint=tmp_path / "c", checkpoint_every=0.0)
    saved = list(tmp_path.rglob("solution.safetensors"))
    assert PackedStrategy.load(saved[0]).provenance["stopped_by"] == "interrupted"


@pytest.mark.parametrize(
    ("game", "limit", "tree"),
    [(SMALL, None, True), (SMALL, 1146, False), (SMALL, 1147, True), (LARGE, None, False)],
)
def test_small_rules_become_a_tree(game: str, limit: int | None, tree: bool) -> None:
    config = SolveConfig.build(sampler="external", iterations=1, max_histories=limit)
    stages: list[str] = []
    found = tree_or_rules(rules(game), config, Callbacks(on_stage=stages.append))
    assert isinstance(found, GameTree if tree else RulesGame)
    assert ("sampling without a tree" in stages[-1]) != tree


@pytest.mark.slow
def test_large_rules_are_refused_where_a_tree_is_needed() -> None:
    with refuses(MemoryBudgetError, option="max_histories", given=100000):
        solve("rules:liars_dice", "dcfr", iterations=1)


def test_a_result_in_short() -> None:
    result = implicit(SMALL, iterations=5)
    assert isinstance(result, ImplicitResult)
    assert repr(result).startswith(
        "ImplicitResult('rules:liars_dice(sides=3)', 'cfr', iterations=5"
    )
