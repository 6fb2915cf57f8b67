"""Runs of small stiff spots: the longer, the better; and runs that nothing helps any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.cli.main import run
from equilibrist.errors import MemoryBudgetError
from equilibrist.poker import Spot, evaluate_spot, resume, solve
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.estimate.size import estimate
from equilibrist.poker.postflop.solving.precision import widened
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS
from equilibrist.solvers.run.stall import best_point

FEW = Spot(
    board="KsKhKd2c", oop="KcQs,9s8s,9h8h", ip="AsAh", pot=10, stack=40, oop_bets="e"
)  # fmt: skip
STALLING = FEW.replace(oop="KcQs,KcQh,KcQd,KcQc,98,76s,7s6h,7s6d,7s6c,7h6s")
RIVER = Spot(board="KsKhKd2c7h", oop="KcQs,9s8s,9h8h", ip="AsAh,QdQc", pot=10, stack=40, bets="e")
TOY = Spot(board="2c2d2h3s3d", oop="AA,QQ", ip="KK", pot=10, stack=10, bets="a")
LOCKED = RIVER.replace(locks=[": X 0.4"])
RAKED = RIVER.replace(rake=0.05)
DEEP = Spot(
    board="Ks8d5h2c2s", oop="AA,88,QJ,T9s", ip="KQ,KJ,99", pot=20, stack=900, bets="33%, e, a",
    raises="50%, a",
)  # fmt: skip
NUTS = Spot(
    board="As8d5h2c2s", oop="AhAd,KsQs,KhQh", ip="AcKc,8h8c", pot=10, stack=500,
    bets="33%, e, a", raises="e, a",
)  # fmt: skip
POLAR = Spot(
    board="Ks8d5h2c2s", oop="KK,88,QJs,T9s,76s", ip="AK,KQ,KJ", pot=10, stack=1000, bets="e, a",
    raises="3x, a",
)  # fmt: skip
UNEVEN = Spot(
    board="Ks8d5h2c2s", oop="KK:0.000001,QJs,76s:0.5,AA:0.001", ip="AK,KQ:0.000001,99:0.01",
    pot=10, stack=100, bets="50%, a", raises="60%",
)  # fmt: skip


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs may stall after 1,000 iterations."""
    monkeypatch.setattr("equilibrist.solvers.run.stall.LEAST_ITERATIONS", 1_000)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """All spots are too large to go on in float64."""
    monkeypatch.setattr("equilibrist.poker.postflop.solving.precision.SMALL_BYTES", 100)


def made(spot: Spot, algorithm: str | None = None, **given: Any) -> SpotSolver:
    return SpotSolver(spot, algorithm, threads=1, **given)


@pytest.mark.slow
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


@pytest.mark.parametrize("algorithm", [None, "cfr+", "linear-cfr", "pcfr+"])
@pytest.mark.parametrize("spot", [DEEP, NUTS, POLAR], ids=["deep", "nuts", "polar"])
def test_sixteen_bits_are_no_worse_later(spot: Spot, algorithm: str | None) -> None:
    """In 16 bits throughout, `cfr+` and `linear-cfr` became several times worse from 300 on."""
    solver, found = made(spot, algorithm, storage="int16"), []
    for count in (300, 1_400, 14_000):
        solver.run(count - solver.iteration)
        found.append(solver.mean_gain())
    assert found[0] > found[1] > found[2]
    assert solver.storage == "float64"


@pytest.mark.parametrize("cuts", [(1_500,), (999, 1, 1, 499), (1_000, 500), (1_001, 499)])
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_pieces_change_no_bit(storage: str, cuts: tuple[int, ...]) -> None:
    whole, pieces = made(RIVER, storage=storage).run(1_500), made(RIVER, storage=storage)
    for count in (*[99, 1, 1] * (storage == "int16"), *cuts):
        pieces.run(min(count, 1_500 - pieces.iteration))
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
    after = load_result(file)
    assert after.storage == "float64"
    assert after.ev == found.ev
    assert evaluate_spot(after, threads=1).mean_gain == pytest.approx(found.mean_gain, abs=1e-12)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_large_spots_stay_in_their_storage(large: None, storage: str) -> None:
    assert made(TOY, storage=storage).run(1_001).storage == storage


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_memory_of_long_runs(storage: Any) -> None:
    size, given = estimate(RIVER), {"storage": storage, "threads": 1}
    narrow = NARROW_ITERATIONS[storage]
    solver = SpotSolver(RIVER, **given).run(narrow)
    assert solver.storage == storage
    assert size.memory_bytes(**given) >= solver.memory_bytes
    assert size.long_run_bytes(**given) >= solver.memory_bytes + solver.run(1).memory_bytes
    most = size.long_run_bytes(**given) - 1
    assert solve(RIVER, memory=most, iterations=3, **given).iterations == 3
    for limits in ({"iterations": narrow + 1}, {"target": "0.1%"}):
        with pytest.raises(MemoryBudgetError) as error:
            solve(RIVER, memory=most, **given, **limits)
        assert error.value.expected == most + 1


@pytest.mark.parametrize("algorithm", [None, "pcfr+"])
@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("spot", [FEW, LOCKED], ids=["turn", "locked"])
def test_wider_numbers_are_the_same(spot: Spot, storage: Any, algorithm: str | None) -> None:
    variant = made(spot, algorithm).variant
    narrow = Engine(holdem_game(spot), storage, predicts=variant.predicts)
    narrow.run(variant.table(1, 50))
    gain, regrets = narrow.mean_gain(), narrow.arena.store.regret.astype(np.float64)
    wide = widened(narrow)
    assert (wide.iteration, wide.arena.storage) == (50, "float64")
    assert wide.mean_gain() == pytest.approx(gain, rel=1e-5, abs=5e-6)
    store = narrow.arena.store
    if storage == "int16":  # each row of sixteen is of one decision, whose largest is 32,767 steps
        rows = wide.arena.store.regret.reshape(-1, 16)
        steps = regrets.reshape(-1, 16)
        row, hand = np.nonzero(steps)
        assert set((rows[row, hand] / steps[row, hand]).astype(np.float32)) <= {*store.regret_scale}
    else:
        np.testing.assert_array_equal(wide.arena.store.regret, regrets)


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("spot", [NUTS, UNEVEN], ids=["nuts", "uneven"])
def test_runs_end_with_strategies_that_are_not_much_worse_than_others(
    spot: Spot, storage: Any
) -> None:
    """After 1,000 iterations, 5 times the least before in float32, and 10 times in 16 bits."""
    for count in (100, 330, 700, 1_000, 2_000):
        found = solve(spot, storage=storage, iterations=count, threads=1)
        best, last = best_point(found.trace), found.trace[-1]
        assert last.iteration == count
        assert found.mean_gain <= 2 * best.measure
        assert found.iterations in (best.iteration, count)
        if found.iterations != count:
            assert f"The strategies of iteration {best.iteration:,} were kept" in found.guarantee
        others = [p.measure for p in found.trace if p.iteration * 10 <= count]
        assert all(found.mean_gain < measure for measure in others)


def test_a_measure_that_wavers_changes_no_run() -> None:
    found = solve(POLAR, iterations=150, threads=1)
    least, last = min(point.measure for point in found.trace), found.trace[-1].measure
    assert least < last <= 2 * least
    assert (found.iterations, found.mean_gain) == (150, last)
    assert "kept" not in found.guarantee


@pytest.mark.parametrize("pause", [330, 490, 700, 1_000])
def test_a_run_that_is_resumed_ends_with_the_same_strategies(pause: int, tmp_path: Path) -> None:
    whole = solve(NUTS, iterations=1_000, threads=1)
    assert whole.iterations < 1_000
    file = tmp_path / "a.ckpt"
    solve(NUTS, iterations=pause, checkpoint=file, threads=1)
    found = resume(file, iterations=1_000, threads=1)
    assert (found.iterations, found.mean_gain) == (whole.iterations, whole.mean_gain)
    assert found.ev == whole.ev
    longer = solve(NUTS, iterations=1_300, threads=1)
    assert resume(file, iterations=1_300, threads=1).mean_gain == longer.mean_gain


@pytest.mark.parametrize(("spot", "storage"), [(DEEP, "int16"), (NUTS, "float32")])
def test_small_spots_keep_their_best_state(
    spot: Spot, storage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that what is kept costs no time, and a limit of time holds."""
    again = solve(spot, "dcfr", iterations=3_000, storage=storage, threads=1)
    assert 1_000 < again.iterations < 3_000
    monkeypatch.setattr("equilibrist.poker.postflop.solving.run.go_back", None)
    found = solve(spot, "dcfr", iterations=3_000, storage=storage, threads=1)
    assert (found.iterations, found.mean_gain) == (again.iterations, again.mean_gain)
    assert found.mean_gain == best_point(found.trace).measure


def test_large_spots_go_back_unless_the_user_stops_them(large: None) -> None:
    limited = solve(NUTS, iterations=1_062, threads=1)
    best = best_point(limited.trace)
    assert limited.mean_gain == best.measure
    assert limited.iterations == best.iteration < 1_062
    stopped = solve(NUTS, iterations=9_999, callbacks=lambda p: p.iteration < 1_062, threads=1)
    assert stopped.iterations == 1_062  # where it is measured, and so told
    assert stopped.mean_gain > 2 * best.measure
    assert f"less at iteration {best.iteration:,}" in stopped.guarantee


def test_a_run_whose_target_is_far_says_so() -> None:
    """Also one that falls, and would only meet it after a million times its iterations."""
    found = solve(NUTS, target="0.000001%", iterations=500, threads=1)
    assert found.stopped_by == "iterations"
    assert "give a larger one" in found.guarantee
    assert "at this rate" not in solve(NUTS, iterations=500, threads=1).guarantee


def test_a_run_that_iterations_help_no_more(large: None) -> None:
    """It ends without any limit, with the best strategies that it had, and says what to do."""
    found = solve(RIVER, "pcfr+", target="0.000001%", threads=1)
    last = found.trace[-1].iteration
    assert found.stopped_by == "stalled"
    assert found.iterations * 10 <= last
    assert found.mean_gain == min(point.measure for point in found.trace)
    assert found.mean_gain > found.target
    assert not found.converged
    assert "float64" in found.guarantee


def test_it_is_told_and_saved(
    soon: None, large: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = "--board KsKhKd2c7h --oop KcQs,9s8s,9h8h --ip AsAh,QdQc --pot 10 --stack 40 --bets e"
    file = tmp_path / "a.safetensors"
    given = [*keys.split(), "--storage", "int16", "--target", "0.000001%", "--out", str(file)]
    assert run(["postflop", "solve", *given, "--threads", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    after = load_result(file)
    assert after.stopped_by == "stalled"
    assert "were kept; storage float64 goes further" in said
    assert f"iteration {after.iterations:,}" in said


def test_a_stalled_run_that_is_resumed(soon: None, large: None, tmp_path: Path) -> None:
    """It stops at once, with the same strategies, however it was cut into pieces."""
    file = tmp_path / "a.ckpt"
    given: dict[str, Any] = {"target": "0.000001%", "threads": 1}
    whole = solve(RAKED, storage="int16", checkpoint=file, **given)
    part = tmp_path / "b.ckpt"
    solve(RAKED, storage="int16", iterations=500, checkpoint=part, threads=1)
    for path in (part, file):
        found = resume(path, **given)
        assert found.stopped_by == whole.stopped_by == "stalled"
        assert (found.iterations, found.mean_gain) == (whole.iterations, whole.mean_gain)


def test_locked_frequencies_keep_the_last_strategies(soon: None, large: None) -> None:
    """Their errors are not in the trace, so that no earlier ones are known to be better."""
    spot = RIVER.replace(locks=[": frequency = X 60%"])
    found = solve(spot, storage="int16", target="0.000001%", threads=1)
    assert found.stopped_by == "stalled"
    assert found.iterations == found.trace[-1].iteration
    assert found.frequency_error < 0.05
