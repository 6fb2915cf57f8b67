"""Runs of small stiff spots: the longer, the better; and runs that nothing helps any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.cli.main import run
from equilibrist.errors import MemoryBudgetError
from equilibrist.poker import Spot, evaluate_spot, load, resume, solve
from equilibrist.poker.engine.engine import Engine
from equilibrist.poker.engine.holdem_game import holdem_game
from equilibrist.poker.estimates.size import estimate
from equilibrist.poker.solving.precision import in_storage
from equilibrist.poker.solving.solver import SpotSolver
from equilibrist.poker.spots.fields import SINGLE_ITERATIONS

FEW = Spot(
    board="KsKhKd2c", oop="KcQs,9s8s,9h8h", ip="AsAh", pot=10, stack=40, oop_bets="e"
)  # fmt: skip
STALLING = FEW.replace(oop="KcQs,KcQh,KcQd,KcQc,98,76s,7s6h,7s6d,7s6c,7h6s")
RIVER = Spot(board="KsKhKd2c7h", oop="KcQs,9s8s,9h8h", ip="AsAh,QdQc", pot=10, stack=40, bets="e")
TOY = Spot(board="2c2d2h3s3d", oop="AA,QQ", ip="KK", pot=10, stack=10, bets="a")
LOCKED = RIVER.replace(locks=[": X 0.4"])
RAKED = RIVER.replace(rake=0.05)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs may stall after 1,000 iterations."""
    monkeypatch.setattr("equilibrist.solvers.run.stall.LEAST_ITERATIONS", 1_000)


def made(spot: Spot, algorithm: str | None = None, **given: Any) -> SpotSolver:
    return SpotSolver(spot, algorithm, threads=1, **given)


def test_predicting_regret_matching_falls_on() -> None:
    """In float32 it had 3.7e-6 chips after 3,000 iterations, and 1.9e-4 after 30,000."""
    solver = made(STALLING, "pcfr+").run(3_000)
    before = solver.mean_gain()
    assert before < 1e-5
    assert solver.run(3_000).mean_gain() < before / 2
    assert solver.storage == "float64"


@pytest.mark.slow
def test_ten_times_the_iterations() -> None:
    """In float32 it was 5.9e-4 chips after 10,000 iterations, and 6.7e-4 after 100,000."""
    solver = made(FEW).run(10_000)
    before = solver.mean_gain()
    assert solver.run(90_000).mean_gain() < before


@pytest.mark.parametrize("algorithm", [None, "pcfr+", "cfr+", "dcfr(gamma=2)", "lcfr"])
@pytest.mark.parametrize("spot", [RIVER, TOY, LOCKED, RAKED], ids=["river", "toy", "lock", "rake"])
def test_ten_times_the_iterations_are_no_worse(spot: Spot, algorithm: str | None) -> None:
    """Beyond the rounding of float32, in which the first two are measured."""
    solver, found = made(spot, algorithm), []
    for count in (100, 1_000, 10_000):
        solver.run(count - solver.iteration)
        found.append(solver.mean_gain() / spot.pot)
    assert found[1] <= found[0] + 1e-6
    assert found[2] <= found[1] + 1e-7


@pytest.mark.parametrize("cuts", [(1_500,), (999, 1, 1, 499), (1_000, 500), (1_001, 499)])
def test_pieces_change_no_bit(cuts: tuple[int, ...]) -> None:
    whole, pieces = made(RIVER).run(1_500), made(RIVER)
    for count in cuts:
        pieces.run(count)
    assert pieces.storage == whole.storage == "float64"
    for name, array in whole.state.arrays.items():
        np.testing.assert_array_equal(array, pieces.state.arrays[name])


def test_states_go_back_and_forth() -> None:
    solver = made(RIVER).run(900)
    early = solver.state
    late = solver.run(200).state
    found = made(RIVER).restore(late).run(100)
    again = solver.restore(early)
    assert again.storage == "float32"
    assert again.run(300).mean_gain() == found.mean_gain()


def test_checkpoints_on_both_sides(tmp_path: Path) -> None:
    whole = solve(RIVER, iterations=1_300, threads=1)
    for pause in (990, 1_000, 1_200):
        file = tmp_path / f"{pause}.ckpt"
        solve(RIVER, iterations=pause, checkpoint=file, threads=1)
        found = resume(file, iterations=1_300, threads=1)
        assert (found.mean_gain, found.storage) == (whole.mean_gain, "float64")


def test_files_of_long_runs(tmp_path: Path) -> None:
    found = solve(RIVER, iterations=1_300, threads=1)
    file = found.save(tmp_path / "a.safetensors")
    after = load(file)
    assert after.storage == "float64"
    assert after.ev == found.ev
    assert evaluate_spot(after, threads=1).mean_gain == pytest.approx(found.mean_gain, abs=1e-12)


def test_large_spots_stay_in_their_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.poker.solving.precision.SMALL_BYTES", 100)
    assert made(TOY).run(SINGLE_ITERATIONS + 1).storage == "float32"
    assert made(TOY, storage="int16").run(SINGLE_ITERATIONS + 1).storage == "int16"


def test_memory_of_long_runs() -> None:
    size = estimate(RIVER)
    solver = made(RIVER).run(SINGLE_ITERATIONS)
    assert size.memory_bytes(threads=1) >= solver.memory_bytes
    assert size.long_run_bytes(threads=1) >= solver.memory_bytes + solver.run(1).memory_bytes
    most = size.long_run_bytes(threads=1) - 1
    assert solve(RIVER, memory=most, iterations=3, threads=1).iterations == 3
    for limits in ({"iterations": SINGLE_ITERATIONS + 1}, {"target": "0.1%"}):
        with pytest.raises(MemoryBudgetError) as error:
            solve(RIVER, memory=most, threads=1, **limits)
        assert error.value.expected == most + 1


def test_the_other_storage_has_the_same_numbers() -> None:
    single = Engine(holdem_game(RIVER), "float32")
    single.run(made(RIVER).variant.table(1, 50))
    gain = single.mean_gain()
    double = in_storage(single, "float64")
    assert double.iteration == 50
    assert double.mean_gain() == pytest.approx(gain, rel=1e-5)
    assert in_storage(double, "float32").mean_gain() == gain


def test_a_run_that_iterations_help_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends without any limit, with the best strategies that it had, and says what to do."""
    monkeypatch.setattr("equilibrist.poker.solving.precision.SMALL_BYTES", 100)
    found = solve(RIVER, "pcfr+", target="0.000001%", threads=1)
    last = found.trace[-1].iteration
    assert found.stopped_by == "stalled"
    assert found.iterations * 10 <= last
    assert found.mean_gain == min(point.measure for point in found.trace)
    assert found.mean_gain > found.target
    assert not found.converged
    assert "float64" in found.guarantee


def test_it_is_told_and_saved(
    soon: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = "--board KsKhKd2c7h --oop KcQs,9s8s,9h8h --ip AsAh,QdQc --pot 10 --stack 40 --bets e"
    file = tmp_path / "a.safetensors"
    given = [*keys.split(), "--storage", "int16", "--target", "0.000001%", "--out", str(file)]
    assert run(["postflop", "solve", *given, "--threads", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    after = load(file)
    assert after.stopped_by == "stalled"
    assert "were kept; storage float64 goes further" in said
    assert f"iteration {after.iterations:,}" in said


def test_a_stalled_run_that_is_resumed(soon: None, tmp_path: Path) -> None:
    """It stops at once, with the same strategies, however it was cut into pieces."""
    file, given = tmp_path / "a.ckpt", {"target": "0.000001%", "threads": 1}
    whole = solve(RAKED, storage="int16", checkpoint=file, **given)
    part = tmp_path / "b.ckpt"
    solve(RAKED, storage="int16", iterations=500, checkpoint=part, threads=1)
    for path in (part, file):
        found = resume(path, **given)
        assert found.stopped_by == whole.stopped_by == "stalled"
        assert (found.iterations, found.mean_gain) == (whole.iterations, whole.mean_gain)


def test_locked_frequencies_keep_the_last_strategies(soon: None) -> None:
    """Their errors are not in the trace, so that no earlier ones are known to be better."""
    spot = RIVER.replace(locks=[": frequency = X 60%"])
    found = solve(spot, storage="int16", target="0.000001%", threads=1)
    assert found.stopped_by == "stalled"
    assert found.iterations == found.trace[-1].iteration
    assert found.frequency_error < 0.05
