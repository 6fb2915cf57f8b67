"""Checkpoints of sampling without a tree: the same bits, and refused where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, MemoryBudgetError, MismatchError
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.refusals import refuses
from tests.slow_cases import slow, slow_but
from tests.solvers.implicit.implicit_runs import LARGE, SMALL, same_state


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    "sampler",
    slow_but(["external", "outcome"], ["external", "outcome", "chance", "external(prune=0.5)"]),
)
@pytest.mark.parametrize(
    ("variant", "averaging"), [("cfr", None), ("dcfr", None), slow("dcfr", "walk")]
)
def test_cuts_and_checkpoints_change_nothing(
    tmp_path: Path, variant: str, averaging: str | None, sampler: str
) -> None:
    options: dict[str, Any] = {"averaging": averaging, "sampler": sampler, "seed": 3, "period": 64}

    def fresh() -> ImplicitMCCFR:
        return ImplicitMCCFR(SMALL, variant, **options)

    whole = fresh().run(1000)
    pieces = fresh()
    for count in (1, 63, 0, 1, 300, 35):
        pieces.run(count)
    path = tmp_path / "run.ckpt"
    pieces.checkpoint(path)
    again = fresh().resume(path)
    assert again.iteration == 400
    again.run(600)
    pieces.run(600)
    assert same_state(whole, pieces)
    assert same_state(whole, again)
    assert again.iteration == 1000
    assert again.run(1).iteration == 1001


@pytest.mark.parametrize(
    ("game", "options", "fields"),
    [
        (
            "rules:liars_dice(sides=2)",
            {},
            dict(
                option="game",
                given="rules:liars_dice(sides=3)",
                expected="rules:liars_dice(sides=2)",
            ),
        ),
        (SMALL, {"algorithm": "dcfr"}, dict(option="algorithm", given="cfr", expected="dcfr")),
        (SMALL, {"seed": 4}, dict(option="seed", given=3, expected=4)),
        (SMALL, {"period": 10}, dict(option="period", given=1000, expected=10)),
        slow(
            SMALL,
            {"averaging": "walk"},
            dict(option="averaging", given="stochastic", expected="walk"),
        ),
        (
            SMALL,
            {"sampler": "outcome"},
            dict(option="sampler", given="external", expected="outcome"),
        ),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    tmp_path: Path, game: str, options: dict[str, object], fields: dict[str, Any]
) -> None:
    path = tmp_path / "run.ckpt"
    ImplicitMCCFR(SMALL, seed=3).run(5).checkpoint(path)
    given: dict[str, Any] = {"seed": 3, **options}
    with refuses(CheckpointError, **fields):
        ImplicitMCCFR(game, **given).resume(path)


@pytest.mark.parametrize("threads", [1, slow(2)])
def test_a_state_is_a_copy_that_can_be_restored(threads: int) -> None:
    options: dict[str, Any] = {"seed": 3, "threads": threads, "period": 50}
    solver = ImplicitMCCFR(SMALL, **options).run(70)
    state = solver.state
    done = solver.run(80).table.pool.copy()
    for _ in range(2):  # what is restored is a copy, too
        again = ImplicitMCCFR(SMALL, **options).restore(state).run(80)
        assert again.iteration == 150
        assert np.array_equal(again.table.pool, done)


@pytest.mark.parametrize(
    ("game", "options", "fields", "unknown"),
    [
        (SMALL, {"seed": 4}, dict(option="seed", given=3), dict(option="state", expected=4)),
        (LARGE, {"seed": 3}, dict(option="game"), dict(option="state", given=3, expected=3)),
        (
            SMALL,
            {"seed": 3, "threads": 2, "period": 50},
            dict(option="period", given=1000, expected=50),
            dict(option="before"),
        ),
    ],
)
def test_a_state_of_another_run_is_refused(
    game: str, options: dict[str, Any], fields: dict[str, Any], unknown: dict[str, Any]
) -> None:
    """One that does not say of what run it is, too, where it cannot fit."""
    state = ImplicitMCCFR(SMALL, seed=3).run(70).state
    with refuses(MismatchError, **fields):
        ImplicitMCCFR(game, **options).restore(state)
    with refuses(MismatchError, **unknown):
        ImplicitMCCFR(game, **options).restore(replace(state, identity=None))


def test_a_checkpoint_of_another_epsilon_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    ImplicitMCCFR(SMALL, sampler="outcome(epsilon=0.5)").run(5).checkpoint(path)
    with refuses(
        CheckpointError, option="sampler", given="outcome(epsilon=0.5)", expected="outcome"
    ):
        ImplicitMCCFR(SMALL, sampler="outcome").resume(path)


def test_damaged_and_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    solver = ImplicitMCCFR(SMALL).run(5)
    with refuses(CheckpointError, option="file"):
        solver.resume(path)
    MCCFR("kuhn").run(1).checkpoint(path)
    with refuses(
        CheckpointError, option="format", given="checkpoint", expected="treeless-checkpoint"
    ):
        solver.resume(path)
    path.unlink()
    solver.checkpoint(path)
    path.write_bytes(path.read_bytes()[:-9] + b"damaged!!")
    with refuses(CheckpointError, option="checksum"):
        solver.resume(path)
    for field, wrong in (("row", 1 << 60), ("used", 3), ("pool", np.nan)):
        spoilt = ImplicitMCCFR(SMALL).run(5)
        array = getattr(spoilt.table, field)
        array.flat[np.flatnonzero(array.ravel() != -1)[0]] = wrong
        path.unlink()
        spoilt.checkpoint(path)
        with refuses(CheckpointError, option="content"):
            solver.resume(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slots", 0),
        ("row", -1),
        ("used", -1_000_000),
        ("used", 0),
        ("as before REOPENED", 3),
        ("log_size", 1),
        ("first row", 1),
        ("last row", 1),
        ("unseen", 5.0),
        ("unstored", 5.0),
        ("unstored of a full table", -5.0),
        ("sums", -5.0),
        ("progress", 2**63 - 1),
    ],
)
def test_a_checkpoint_that_would_lead_kernels_astray_is_refused(
    tmp_path: Path, field: str, value: Any
) -> None:
    path = tmp_path / "run.ckpt"
    spoilt = ImplicitMCCFR(SMALL)
    table = spoilt.table
    if field == "slots":
        none = np.zeros(0, dtype=np.uint64)
        spoilt.table = table._replace(high=none, low=none, row=np.zeros(0, dtype=np.int64))
    elif field == "row":
        table.row[5] = -2
    elif field.endswith("row"):  # over the zeros that all infosets without a row share
        spoilt.run(1)
        slot = np.flatnonzero(table.row != -1)[0]
        place = 0 if field == "first row" else spoilt.rules.max_actions
        table.row[slot] = place << 16 | 1
    elif field == "used":
        table.used[1] = value
    elif field == "as before REOPENED":
        spoilt.table = table._replace(used=table.used[:value])
    elif field == "log_size":
        spoilt.log_size = value
    elif field == "progress":
        spoilt.progress[0] = value
    else:
        table.used[2] = field == "unstored of a full table"
        table.pool[int(field == "sums"), int(field == "unseen")] = value
    spoilt.checkpoint(path)
    with refuses(CheckpointError, option="content"):
        ImplicitMCCFR(SMALL).resume(path)


def test_the_log_of_a_checkpoint_counts_as_memory(tmp_path: Path) -> None:
    solver = ImplicitMCCFR(SMALL)
    solver.log_size = 1 << 40
    solver.checkpoint(tmp_path / "run.ckpt")
    with refuses(MemoryBudgetError, option="memory", given=1073741824, histories=0):
        ImplicitMCCFR(SMALL).resume(tmp_path / "run.ckpt")
