"""Comparisons side by side: the same numbers, turns by seconds, and how they end."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, RecallError
from equilibrist.progress import Progress, RunClock
from equilibrist.solvers.run import loop
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solving.comparison import compare
from equilibrist.solving.comparison_runs.turns import Turns
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped
from tests.solving.comparing import same


def test_turns_go_to_the_run_with_the_fewest_seconds() -> None:
    """Runs whose slices take 3, 1 and 1 units of time get the same time, not as many slices."""
    turns, order = Turns([0.0, 0.0, float("inf")]), []

    def work(run: int, slice_seconds: float) -> None:
        with turns.part_of(run):
            for k in range(1, 7):
                order.append(run)
                turns.hand_over(run, k * slice_seconds)

    threads = [threading.Thread(target=work, args=(k, (3.0, 1.0, 1.0)[k])) for k in range(3)]
    for thread in threads:
        thread.start()
    turns.begin()
    assert turns.over(10.0)
    assert order == [0, 1, 1, 1, 0, 1, 1, 1, *[0] * 4, *[2] * 6]


def test_the_numbers_are_those_of_one_after_the_other() -> None:
    names = ("cfr+", "lcfr@external", "@outcome", "lp", "fsicfr", "regret-matching")
    games = {"kuhn": names[:4], "rps": ("dcfr", names[5])}
    for game, chosen in games.items():
        given: dict[str, Any] = {"iterations": 60, "seeds": 2, "threads": 1, "seed": 5}
        apart = compare(game, chosen, **grouped(given))
        beside = compare(game, chosen, side_by_side=True, **grouped(given))
        assert [run.name for run in beside.runs] == [run.name for run in apart.runs] == [*chosen]
        for one, other in zip(apart.runs, beside.runs, strict=True):
            assert len(one.results) == len(other.results)
            assert all(map(same, one.results, other.results)), one.name


def test_each_slice_goes_to_the_run_with_the_fewest_seconds() -> None:
    heard: list[tuple[tuple[str, int | None], float]] = []

    def told(progress: Progress) -> None:
        heard.append(((progress.algorithm, progress.run), progress.seconds))

    found = compare(
        "leduc",
        ("lp", "cfr", "dcfr@external"),
        iterations=150,
        seeds=2,
        threads=1,
        side_by_side=True,
        callbacks=told,
    )
    last = {run: k for k, (run, _) in enumerate(heard)}
    assert set(last) == {("cfr", 0), ("dcfr@external", 0), ("dcfr@external", 1)}
    spent = dict.fromkeys(last, 0.0)
    for k, (run, seconds) in enumerate(heard[:-1]):
        spent[run] = seconds
        later = [one for one in last if last[one] > k]
        assert heard[k + 1][0] == min(later, key=lambda one: spent[one])
    assert [run.name for run in found.runs] == ["lp", "cfr", "dcfr@external"]


def test_a_limit_of_seconds_does_not_count_the_turns_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run of 1 s of its own, an iteration of 0.125 s each, that waits for 5 s after each."""
    clock = SimpleNamespace(now=0.0, paused=0.0)
    monkeypatch.setattr(loop, "time", SimpleNamespace(perf_counter=lambda: clock.now))

    class Counting:
        iteration = 0

        def run(self, iterations: int) -> None:
            self.iteration += iterations
            clock.now += 0.125 * iterations

    def wait(_event: object) -> None:
        clock.now += 5.0
        clock.paused += 5.0

    solver, measured = Counting(), TracePoint(1, 0.0, 1.0, 0.5, (0.0, 0.0))
    rule = StopRule(seconds=1.0, paused=lambda: clock.paused)
    outcome = loop.Loop(solver, lambda: measured, rule, report=wait).run()
    assert outcome.stopped_by == "seconds"
    assert solver.iteration == 8
    assert outcome.seconds == pytest.approx(1.0)


def test_stages_do_not_count_the_turns_of_others() -> None:
    clock = RunClock()
    clock.enter("solving")
    clock.pause(100.0)
    assert clock.paused == 100.0
    assert sum(clock.read().values()) < 0.0  # 100 s of the less than 100 s since it began


def test_a_target_ends_one_run_and_the_others_go_on() -> None:
    found = compare("kuhn", ("cfr", "pcfr+"), target=1e-3, iterations=5000, side_by_side=True)
    assert [run.result.stopped_by for run in found.runs] == ["target", "target"]
    alone = compare("kuhn", ("cfr", "pcfr+"), target=1e-3, iterations=5000)
    assert [r.result.iterations for r in found.runs] == [r.result.iterations for r in alone.runs]


def test_a_callback_ends_one_run() -> None:
    found = compare(
        "leduc",
        ("cfr", "dcfr"),
        iterations=300,
        side_by_side=True,
        callbacks=lambda progress: unchecked(np.bool_(progress.algorithm != "cfr")),
    )
    assert [run.result.stopped_by for run in found.runs] == ["callback", "iterations"]


def test_ctrl_c_ends_all() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.algorithm == "dcfr":
            raise KeyboardInterrupt

    found = compare(
        "leduc", ("cfr", "dcfr"), iterations=10**7, side_by_side=True, callbacks=interrupt
    )
    assert found.interrupted
    assert {run.result.stopped_by for run in found.runs} == {"interrupted"}


def test_what_a_callback_raises_passes_through() -> None:
    def fail(progress: Progress) -> None:
        raise ValueError(progress.algorithm)

    with pytest.raises(ValueError, match="cfr"):
        compare("leduc", ("cfr", "dcfr"), iterations=10**7, side_by_side=True, callbacks=fail)


def test_an_algorithm_that_does_not_fit_is_left_out() -> None:
    found = compare("kuhn(players=3)", ("lp", "cfr"), iterations=9, side_by_side=True)
    assert [run.name for run in found.runs] == ["cfr"]
    assert [run.name for run in found.failed] == ["lp"]
    with pytest.raises(RecallError):
        compare("liar_die(memory=1,sides=3)", ("lp",), iterations=9, side_by_side=True)


def test_more_at_once_than_fits_is_refused() -> None:
    with refuses(ConfigError, option="side_by_side", given=40):
        compare("leduc", "@external", iterations=9, seeds=40, side_by_side=True, memory=2_000_000)
