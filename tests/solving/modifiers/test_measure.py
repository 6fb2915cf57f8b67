"""`solve(measure=...)`: the gap of the history of play, as figure, target, trace and file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.equilibria import CorrelationDevice, GapMeter
from equilibrist.equilibria.history import PlayHistory
from equilibrist.errors import CheckpointError, ConfigError, MemoryBudgetError
from equilibrist.evaluation import nash_conv
from equilibrist.game_loading import compile_game
from equilibrist.progress import Progress
from equilibrist.results import Result
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.watching import decay_and_weight
from equilibrist.solvers.run.checkpoint import Checkpoint
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solving import Files, solve
from equilibrist.solving.comparison import compare
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped

GAME = "kuhn(players=3)"
ALGORITHMS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "hedge", "apcfr+")


def play(algorithm: str, iterations: int) -> tuple[CFR, GapMeter]:
    """A run whose meter is told of each iteration from outside."""
    tree = compile_game(GAME)
    solver, meter = CFR(tree, algorithm, alternating=False), GapMeter(tree)
    for t in range(1, iterations + 1):
        decay, weight = decay_and_weight(solver.variant, solver.variant.table(t, 1)[0])
        meter.add_engine(weight, solver.current_behaviour(), decay)
        solver.run(1)
    return solver, meter


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_watched_run_is_the_run_and_its_gap_that_of_its_play(algorithm: str) -> None:
    plain, meter = play(algorithm, 40)
    for record in (None, 40):
        watched = CFR(plain.tree, algorithm, alternating=False)
        history = PlayHistory(plain.tree, "efce", record=record)
        watched.watch(history)
        watched.run(15).run(25)
        for name in ("regret", "behaviour", "strategy_sum"):
            assert np.array_equal(getattr(watched.state, name), getattr(plain.state, name)), name
        for concept in ("efce", "efcce", "cce"):
            found, wanted = history.meter.gaps(concept), meter.gaps(concept)
            assert found.players == pytest.approx(wanted.players, abs=1e-14)
    device = history.device()
    assert device.gaps().players == pytest.approx(meter.gaps().players, abs=1e-13)
    assert len(device) <= 40


def test_the_result_tells_the_gap_everywhere(tmp_path: Path) -> None:
    seen: list[Progress] = []
    out = tmp_path / "k3.safetensors"
    result = solve(
        GAME, "cfr", measure="efce", iterations=100, files=Files(out=out), callbacks=seen.append
    )
    _, meter = play("cfr", 100)
    gap = meter.gaps()
    assert result.evaluation is not None
    assert result.evaluation.gap is not None
    assert result.evaluation.gap.players == pytest.approx(gap.players, abs=1e-14)
    assert result.measure == pytest.approx(gap.total, abs=1e-14)
    assert result.measure_name == "EFCE gap"
    assert result.trace[-1].gap == result.measure
    assert result.trace[-1].concept == "efce"
    assert result.nash_conv == pytest.approx(nash_conv(result.strategy), abs=1e-14)
    assert (seen[-1].measure, seen[-1].measure_name) == (result.measure, "EFCE gap")
    assert any("simultaneous" in note for note in result.notes)
    document = result.to_dict()
    assert document["gap"]["total"] == result.measure
    assert document["gap"]["largest"]["infoset"] in result.strategy.tree.infoset_keys
    assert document["trace"][-1]["gap"] == result.measure
    again = Result.load(out)
    assert again.evaluation == result.evaluation
    assert again.trace == result.trace
    plain = solve(GAME, "cfr", iterations=10).to_dict()
    assert "gap" not in plain
    assert "gap" not in plain["trace"][-1]


@pytest.mark.parametrize(("measure", "name"), [("efcce", "EFCCE gap"), ("cce", "NFCCE gap")])
def test_the_target_is_the_gap(measure: Any, name: str) -> None:
    result = solve(GAME, measure=measure, target=0.01)
    assert result.stopped_by == "target"
    assert result.measure_name == name
    assert result.measure <= 0.01
    assert all(point.measure > 0.01 for point in result.trace[:-1])


def test_games_without_constant_sum_and_for_one_player_are_measured() -> None:
    for game in ("shapley", "random_tree(seed=1,players=1,zero_sum=false)", "leduc"):
        result = solve(game, "cfr+", measure="efce", iterations=20)
        assert result.evaluation is not None
        assert result.evaluation.gap is not None
        assert result.measure == result.evaluation.gap.total


def until(iteration: int) -> Callable[[Progress], bool]:
    return lambda progress: progress.iteration < iteration


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("algorithm", ["cfr", "dcfr", "hedge"])
def test_a_resumed_run_ends_with_the_same_bits(
    tmp_path: Path, algorithm: str, record: bool
) -> None:
    device: dict[str, Any] = {"save_device": tmp_path / "a.device"} if record else {}
    whole = solve(GAME, algorithm, measure="efce", iterations=60, **grouped(device))
    checkpoint = tmp_path / "run.ckpt"
    if record:
        device = {"save_device": tmp_path / "b.device"}
    part = solve(
        GAME, algorithm, measure="efce", iterations=60,
        callbacks=until(20), **grouped(device, checkpoint=checkpoint),
    )  # fmt: skip
    assert part.iterations < 60
    assert Checkpoint(checkpoint).state.watched
    result = solve(
        GAME,
        algorithm,
        measure="efce",
        iterations=60,
        **grouped(device, checkpoint=checkpoint, resume=True),
    )
    assert result.evaluation == whole.evaluation
    assert figures(result.trace) == figures(whole.trace)
    if record:
        first, second = (CorrelationDevice.load(tmp_path / f"{n}.device") for n in "ab")
        assert np.array_equal(first.weights, second.weights)
        assert np.array_equal(first.strategies, second.strategies)
        assert first.gaps().total == pytest.approx(whole.measure, abs=1e-13)
    with refuses(CheckpointError, option="watched"):
        solve(
            GAME,
            algorithm,
            measure="cce",
            iterations=60,
            files=Files(checkpoint=checkpoint, resume=True),
        )


def figures(trace: tuple[TracePoint, ...]) -> list[tuple[object, ...]]:
    return [(p.iteration, p.nash_conv, p.gap, p.values) for p in trace]


def test_a_race_is_about_the_gap(tmp_path: Path) -> None:
    race = compare(GAME, ["cfr", "pcfr+"], measure="efce", iterations=100, levels=[0.2])
    assert race.measure_name == "EFCE gap"
    for run in race.runs:
        point = run.reached(0.2)
        assert point is not None
        assert point.gap is not None
        assert point.gap <= 0.2
    assert race.columns[-1] == "gap"
    race.export(tmp_path / "race.csv")
    assert (tmp_path / "race.csv").read_text().startswith(",".join(race.columns))
    assert race.to_dict()["algorithms"][0]["gap"] == race.runs[0].result.measure
    with refuses(ConfigError, option="measure", given="efce"):
        compare(GAME, ["cfr", "@external"], measure="efce", iterations=10)


@pytest.mark.parametrize(
    "options",
    [
        {"sampler": "external"},
        {"algorithm": "lp"},
        {"algorithm": "xfp"},
        {"algorithm": "cfr-br"},
        {"algorithm": "fsicfr"},
        {"alternating": True},
        {"output": "last"},
    ],
    ids=str,
)
def test_what_has_no_history_of_profiles_is_refused(options: dict[str, Any]) -> None:
    with refuses(ConfigError, option="measure", given="efce"):
        solve("kuhn", measure="efce", **grouped(options))


def test_other_bad_input_is_refused(tmp_path: Path) -> None:
    with refuses(ConfigError, option="measure", given="nash"):
        solve("kuhn", measure=unchecked("nash"))
    with refuses(ConfigError, option="save_device", given=tmp_path / "d"):
        solve("kuhn", files=Files(save_device=tmp_path / "d"))
    with refuses(ConfigError, option="iterations"):
        solve("kuhn", measure="cce", target=0.1, files=Files(save_device=tmp_path / "d"))
    with refuses(MemoryBudgetError, option="memory", given=1_000_000, expected=2_000_000):
        solve("kuhn", measure="cce", memory=1_000_000, files=Files(save_device=tmp_path / "d"))
    with refuses(MemoryBudgetError, option="memory", given=20_000):
        solve(compile_game("leduc"), measure="efce", memory=20_000, iterations=1)
    with refuses(ConfigError, option="alternating", given=True):
        CFR("kuhn").watch(PlayHistory(compile_game("kuhn")))
    assert not (tmp_path / "d").exists()
