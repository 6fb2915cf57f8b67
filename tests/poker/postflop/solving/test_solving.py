"""Solving: limits, progress, and true figures from the reference solver."""

from __future__ import annotations

import signal
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from equilibrist import load_result, poker
from equilibrist.errors import ConfigError
from equilibrist.poker.postflop.estimate.runtime import iterations_to
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import LEAST_TARGET, read_stop
from equilibrist.poker.postflop.solving.run import MeasuredSolver, _EveryTenth, solved
from equilibrist.poker.postflop.solving.spot_runs import resume
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Progress
from equilibrist.solvers.run.stopping import Stop, StopRule
from tests.poker.postflop.solving.reference_spot import ReferenceSolver, solve
from tests.refusals import refuses

POLAR = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
TURN = Spot(
    board="Ts3h2h5c", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="50%", raises="a"
)


@cache
def a_little_solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=3)


def test_aces_jam_and_queens_bluff_half() -> None:
    solution = solve(POLAR, target="0.05%")
    assert solution.stopped_by == "target"
    assert solution.exploitability <= 0.05 == solution.target
    assert solution.exploitability_percent == pytest.approx(solution.exploitability)
    assert solution.ev == pytest.approx((75, 25), abs=0.2)
    assert solution.equity == pytest.approx((0.5, 0.5))
    assert solution.eqr == pytest.approx((1.5, 0.5), abs=0.01)
    root = solution.at()
    assert root.frequency["All-in 100"] == pytest.approx(0.75, abs=0.02)
    assert root.strategy.loc["AsAh", "All-in 100"] == pytest.approx(1, abs=0.02)
    assert root.strategy.loc["QsQh", "All-in 100"] == pytest.approx(0.5, abs=0.02)
    facing = solution.at("A")
    assert facing.frequency["Call"] == pytest.approx(0.5, abs=0.02)
    assert facing.totals.equity[1] == pytest.approx(1 / 3, abs=0.01)
    assert facing.pot == 200
    assert facing.to_dict()["hands"]["KsKh"]["ev"] == pytest.approx(0, abs=1)


@pytest.mark.by_default(5)
@pytest.mark.parametrize("keys", [{}, {"rake": 0.05, "rake_cap": 4}])
@pytest.mark.parametrize(
    "line", ["", "X", "B30", "B30-C", "B30-A-F", "B30-A-C", "X-X|2c", "X-B30-C|Ah|X", "B30-A-C|Qd"]
)
def test_both_evs_add_up_to_the_pot(line: str, keys: dict[str, Any]) -> None:
    solution = a_little_solved(TURN.model_copy(update=keys))
    node = solution.at(line)
    rake = 4 if keys else 0
    assert node.pot - rake - 1e-9 <= sum(node.totals.ev) <= node.pot - (rake and 3) + 1e-9
    assert sum(node.totals.equity) == pytest.approx(1)
    assert sum(node.frequency.values()) == pytest.approx(1.0 if node.actions else 0.0)


def test_actions_lead_to_their_share_of_the_range() -> None:
    solution = a_little_solved(TURN)
    before, after = solution.at("X"), solution.at("X-B30")
    assert after.player == 0
    bet = np.nan_to_num(before.values.strategy[1]) * before.values.weight[1]
    assert after.values.weight[1] == pytest.approx(bet)
    assert before.frequency_by_combos["Bet 30"] == pytest.approx(
        after.values.weight[1].sum() / before.values.weight[1].sum()
    )


def test_limits() -> None:
    assert read_stop(200) == read_stop(200, done=1000) == StopRule(1000, target=0.6)
    assert read_stop(200, done=1001) == StopRule(2000, target=0.6)
    assert read_stop(200, Stop(iterations=7), done=1001) == StopRule(7)
    assert read_stop(200, Stop(target="0.3%")).target == pytest.approx(0.6)
    assert read_stop(200, Stop(target=" .5 % ")).target == pytest.approx(1)
    assert read_stop(200, Stop(target="0.5c")) == StopRule(target=0.5)
    assert read_stop(200, Stop(50, 1.5, "2 chips")) == StopRule(50, 1.5, 2.0)
    assert read_stop(200, Stop(7)) == StopRule(7)
    assert read_stop(200, Stop(target="1e-3%")).target == pytest.approx(0.002)
    assert read_stop(200, Stop(target="5E-1c")).target == 0.5
    for pot in range(1, 200):
        assert read_stop(pot, Stop(target="1e-6%")).target == pytest.approx(pot * LEAST_TARGET)
        assert read_stop(pot, Stop(target=f"{pot}e-8c")).target == pytest.approx(pot * LEAST_TARGET)


@pytest.mark.parametrize(
    ("limits", "fields"),
    [
        ({"target": "0.3"}, dict(option="target", given="0.3")),
        ({"target": "-1%"}, dict(option="target", given="-1%")),
        ({"target": "0%"}, dict(option="target", given="0%")),
        ({"target": ".0 chips"}, dict(option="target", given=".0 chips")),
        ({"target": "nan%"}, dict(option="target", given="nan%")),
        ({"target": 0.003}, dict(option="target", given=0.003)),
        ({"target": 5}, dict(option="target", given=5)),
        ({"target": "1e-9%"}, dict(option="target", given="1e-9%")),
        ({"target": "0.0000019c"}, dict(option="target", given="0.0000019c")),
        ({"target": "1e999c"}, dict(option="target", given="1e999c")),
        ({"target": "200%"}, dict(option="target", given="200%")),
        ({"target": float("nan")}, dict(option="target", given=float("nan"))),
        ({"iterations": 0}, dict(option="iterations", given=0)),
        ({"seconds": -1}, dict(option="seconds", given=-1)),
    ],
)
def test_wrong_limits(limits: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        read_stop(200, Stop(**limits))


def test_a_target_without_a_unit_is_refused_with_both_units() -> None:
    with refuses(ConfigError, option="target", given=0.005) as caught:
        poker.solve(POLAR, target=cast("Any", 0.005))
    assert caught.value.remedy == "add the unit, % or c"


def test_progress() -> None:
    seen: list[Progress] = []
    solution = solve(POLAR, lambda progress: seen.append(progress), target="0.05%", iterations=5000)
    assert [progress.iteration for progress in seen] == sorted(
        progress.iteration for progress in seen
    )
    first, last = seen[0], seen[-1]
    usual = iterations_to(0.0005)
    assert first.eta_seconds is not None  # by the measured speed, before any trace can tell
    assert first.eta_seconds >= (usual - first.iteration) / first.iterations_per_second
    assert last.iteration == solution.iterations
    assert last.measure == solution.exploitability
    assert last.measure_percent == solution.exploitability_percent
    assert last.target == pytest.approx(0.05)
    assert last.eta_seconds == 0


def test_progress_is_a_function(tmp_path: Path) -> None:
    wrong = cast("Any", 5)
    state, file = tmp_path / "state", tmp_path / "solution"
    poker.solve(POLAR, iterations=3, checkpoint=state).save(file)
    with refuses(ConfigError, option="callbacks", given=5):
        poker.solve(POLAR, callbacks=wrong)
    with refuses(ConfigError, option="callbacks", given=5):
        load_result(file, callbacks=wrong)
    with refuses(ConfigError, option="callbacks", given=5):
        resume(state, iterations=5, callbacks=wrong)


def test_stopping() -> None:
    stopped = solve(POLAR, lambda progress: progress.iteration < 5, iterations=100)
    assert stopped.stopped_by == "callback"
    assert 5 <= stopped.iterations < 100
    done = solve(POLAR, iterations=25)
    assert (done.stopped_by, done.iterations, done.target) == ("iterations", 25, None)
    timed = solve(POLAR, seconds=1e-9)
    assert timed.stopped_by == "seconds"
    assert timed.iterations >= 1

    def interrupt(progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    interrupted = solve(POLAR, interrupt, iterations=100)
    assert interrupted.stopped_by == "interrupted"
    assert interrupted.at("A-C").pot == 300


def test_an_interrupt_at_the_very_end_loses_nothing() -> None:
    spot = POLAR.replace(locks=["A: Fold 25%"])

    class Interrupted(ReferenceSolver):
        def mean_gain(self, *, unlocked: bool = False) -> float:
            if unlocked:
                signal.raise_signal(signal.SIGINT)
            return super().mean_gain()

    solution = solved(spot, Interrupted(spot), StopRule(3))
    assert solution.unlocked_exploitability == solution.exploitability


def test_measurements_do_not_depend_on_the_clock() -> None:
    points, at = [], 0
    while at < 1000:
        at = _EveryTenth().next(at)
        points.append(at)
    assert points[:21] == list(range(10, 211, 10))
    assert len(points) < 70
    assert all(_EveryTenth().includes(point) for point in points)
    assert not any(_EveryTenth().includes(point) for point in set(range(1000)) - set(points))


def test_one_measurement_each() -> None:
    measured = []

    class Counting(ReferenceSolver):
        def mean_gain(self, *, unlocked: bool = False) -> float:
            measured.append(self.iteration)
            return super().mean_gain()

    solver: MeasuredSolver = Counting(POLAR)
    solved(POLAR, solver, StopRule(25, target=1e-12))
    assert measured == [10, 20, 25]
