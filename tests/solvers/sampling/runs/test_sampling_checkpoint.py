"""Checkpoints of sampling runs: the same bits as without a break, never those of another run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.samplers import SAMPLERS
from tests.refusals import refuses

KUHN = compile_game(load_game("kuhn"))
KUHN3 = compile_game(load_game("kuhn(players=3)"))


def bits(solver: MCCFR) -> list[object]:
    state = solver.state
    arrays = {"regret": state.regret, "sum": state.strategy_sum, **state.kept}
    return [state.iteration, state.nodes_touched, {k: a.tobytes() for k, a in arrays.items()}]


@pytest.mark.by_default(13)
@pytest.mark.parametrize("averaging", [None, "walk", "full"])
@pytest.mark.parametrize(
    ("sampler", "variant"),
    [(s, v) for s in SAMPLERS for v in ("cfr", "lcfr", "dcfr") if s != "pure" or v == "cfr"],
)
def test_a_resumed_run_ends_with_the_same_bits(
    sampler: str, variant: str, averaging: str | None, tmp_path: Path
) -> None:
    def fresh() -> MCCFR:
        return MCCFR(KUHN, variant, sampler=sampler, averaging=averaging, seed=3, period=9)

    straight = fresh().run(200)
    broken = fresh()
    for part in (1, 36, 100):
        broken.run(part).checkpoint(tmp_path / "run")
        broken = fresh().resume(tmp_path / "run")
    broken.run(63)
    assert bits(broken) == bits(straight)
    assert bits(fresh().run(199)) != bits(straight)


def test_what_a_sampler_keeps_is_kept(tmp_path: Path) -> None:
    solver = MCCFR(KUHN, seed=1).run(5)
    solver._tables.keep("clock", (2, 3), np.int64)[:] = np.arange(6).reshape(2, 3)
    solver._tables.keep("baseline", 4)[:] = 0.1
    solver.checkpoint(tmp_path / "c")
    resumed = MCCFR(KUHN, seed=1).resume(tmp_path / "c")
    assert bits(resumed) == bits(solver)
    kept = resumed._tables.keep("clock", (2, 3), np.int64)
    assert kept.dtype == np.int64
    kept += 1  # it can be written to


OTHERS: dict[str, tuple[dict[str, Any], object, object]] = {
    "game": ({"tree": KUHN3}, "kuhn", "kuhn(players=3)"),
    "algorithm": ({"algorithm": "lcfr"}, "cfr", "lcfr"),
    "averaging": ({"averaging": "walk"}, "stochastic", "walk"),
    "period": ({"period": 5}, 64, 5),
    "seed": ({"seed": 4}, 0, 4),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, name: str) -> None:
    options, given, expected = OTHERS[name]
    MCCFR(KUHN).run(3).checkpoint(tmp_path / "c")
    settings: dict[str, Any] = {"tree": KUHN} | options
    with refuses(CheckpointError, option=name, given=given, expected=expected):
        MCCFR(settings.pop("tree"), **settings).resume(tmp_path / "c")


def test_how_often_the_average_is_taken_matters(tmp_path: Path) -> None:
    MCCFR(KUHN, averaging="full", averaging_every=7).run(3).checkpoint(tmp_path / "c")
    with refuses(CheckpointError, option="averaging_every", given=7, expected=8):
        MCCFR(KUHN, averaging="full", averaging_every=8).resume(tmp_path / "c")


def test_full_passes_and_sampling_do_not_mix(tmp_path: Path) -> None:
    CFR(KUHN, "cfr").run(3).checkpoint(tmp_path / "full")
    MCCFR(KUHN, "cfr", sampler="external").run(3).checkpoint(tmp_path / "sampled")
    with refuses(CheckpointError, option="sampler", expected="external"):
        MCCFR(KUHN, "cfr", sampler="external").resume(tmp_path / "full")
    with refuses(CheckpointError, option="sampler", given="external"):
        CFR(KUHN, "cfr").resume(tmp_path / "sampled")


def test_every_cut_of_a_checkpoint_is_refused(tmp_path: Path) -> None:
    MCCFR(KUHN).run(3).checkpoint(tmp_path / "c")
    whole = (tmp_path / "c").read_bytes()
    for size in range(0, len(whole), 97):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(CheckpointError):
            MCCFR(KUHN).resume(tmp_path / "cut")
