"""When `solve` stops, and whom it tells what on the way."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import equilibrist as eq
from equilibrist import _jit
from equilibrist.errors import EquilibristError, GameError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.progress import Callbacks, Progress
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.run.trace import Schedule
from equilibrist.solving import explicit, methods, solve, walking
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.solve_options import grouped
from tests.solving.comparing import same


def test_the_target_stops_it(kuhn: GameTree) -> None:
    result = solve(kuhn, target=1e-3)
    assert result.stopped_by == "target"
    assert result.exploitability is not None
    assert result.exploitability <= 1e-3 < result.trace[-2].measure
    assert Schedule().includes(result.iterations)
    assert result.target == 1e-3
    assert result.notes == ()


def test_time_stops_it(kuhn: GameTree) -> None:
    result = solve(kuhn, seconds=0.05)
    assert result.stopped_by == "seconds"
    assert result.trace[-1].iteration == result.iterations


def test_the_default_is_said_and_kept(kuhn: GameTree) -> None:
    result = solve(kuhn)
    assert result.target == 1e-4 * 4.0  # payoffs from -2 to 2
    assert result.stopped_by == "target"
    (note,) = result.notes
    assert "No stopping option was given" in note
    assert "exploitability is at most 0.0004" in note
    assert "at most 10,000 iterations" in note


def test_the_default_ends_where_nothing_converges() -> None:
    """As Shapley's game, but lopsided: play goes in circles."""
    tables = "[[2,0,0],[0,1,0],[0,0,1]],[[0,1,0],[0,0,1],[1,0,0]]"
    result = solve(f"matrix(payoffs=[{tables}])", "cfr")
    assert (result.stopped_by, result.iterations) == ("iterations", 10_000)
    assert "NashConv is at most" in result.notes[0]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kuhn(cards=4)", dict(traversal=eq.Traversal(tremble=0.05))),
        ("leduc", dict(abstraction="cards(JQ.K,pair)")),
        ("matrix(payoffs=[[[2,0,0],[0,1,0],[0,0,1]],[[0,1,0],[0,0,1],[1,0,0]]])", {}),
    ],
)
def test_a_target_below_the_floor_of_a_run_does_not_keep_it_going(
    game: str, options: dict[str, Any]
) -> None:
    result = solve(game, "cfr", target=1e-9, **options)
    assert result.stopped_by == "stalled"
    assert 10_000 <= result.iterations < 1_000_000
    floor = min(point.measure for point in result.trace)
    longer = solve(game, "cfr", iterations=3 * result.iterations, **options)
    assert longer.stopped_by == "iterations"
    assert min(point.measure for point in longer.trace) > 0.98 * floor > 0.0


@pytest.mark.slow
def test_a_warm_start_that_is_nearer_than_what_follows_does_not_end_a_run() -> None:
    near = solve("leduc", "dcfr", target=1e-4).strategy
    warm = eq.Traversal(warm_start=near)
    result = solve("leduc", "cfr", target=8e-5, traversal=warm)
    assert result.stopped_by == "target"
    assert result.iterations > 40_000


def test_a_run_that_converges_meets_its_target() -> None:
    """By 1/sqrt(T), the slowest rate that is proven."""
    result = solve("kuhn", "cfr", target=2e-6)
    assert result.stopped_by == "target"
    assert result.iterations > 10_000


def test_a_game_without_anything_to_win_is_solved_at_once() -> None:
    result = solve("matrix(payoffs=[[1,1],[1,1]])")
    assert (result.stopped_by, result.iterations, result.exploitability) == ("target", 1, 0.0)


def test_a_callback_receives_progress_and_may_stop_the_run(kuhn: GameTree) -> None:
    seen: list[Progress] = []

    def callback(progress: Progress) -> bool:
        seen.append(progress)
        return progress.iteration < 49

    result = solve(kuhn, iterations=10_000, target=1e-9, callbacks=callback)
    assert (result.stopped_by, result.iterations) == ("callback", 49)
    measured = [p.iteration for p in seen if p.measured_at == p.iteration]  # slow runs report more
    assert measured == [p.iteration for p in result.trace]
    last = seen[-1]
    assert last.evaluation == result.evaluation
    assert (last.measured_at, last.target) == (49, 1e-9)
    assert last.iterations_per_second > 0.0
    assert last.eta_seconds is not None


def test_callbacks_change_nothing(kuhn: GameTree) -> None:
    told = solve(kuhn, iterations=500, callbacks=lambda _: None)
    assert same(told, solve(kuhn, iterations=500))


def test_ctrl_c_gives_what_it_has_and_can_be_resumed(kuhn: GameTree, tmp_path: Path) -> None:
    def callback(progress: Progress) -> None:
        if progress.iteration == 100:
            os.kill(os.getpid(), signal.SIGINT)

    path = tmp_path / "c"
    result = solve(kuhn, iterations=700, files=eq.Files(checkpoint=path), callbacks=callback)
    assert result.stopped_by == "interrupted"
    assert 100 <= result.iterations < 700
    stopped = CFR(kuhn).run(result.iterations).average_strategy()
    assert result.evaluation == evaluate(stopped)
    resumed = solve(kuhn, iterations=700, files=eq.Files(checkpoint=path, resume=True))
    assert same(resumed, solve(kuhn, iterations=700))


def test_stages_are_reported(kuhn: GameTree, monkeypatch: pytest.MonkeyPatch) -> None:
    stages: list[str] = []
    histories: list[int] = []
    solve("leduc", iterations=2, callbacks=Callbacks(None, stages.append, histories.append))
    assert stages == ["walking the rules", "solving"]
    assert histories == sorted(histories)
    monkeypatch.setattr(_jit, "cache_is_warm", lambda *_: False)
    for algorithm in ("dcfr", "lp", "regret-matching"):
        stages.clear()
        options: dict[str, Any] = {} if algorithm == "lp" else {"iterations": 2}
        game = "rps" if algorithm == "regret-matching" else kuhn
        solve(game, algorithm, **grouped(options), callbacks=Callbacks(on_stage=stages.append))
        assert stages[-1] == "solving"
        assert stages[-2].startswith("compiling (first run only")
    monkeypatch.setattr(explicit, "cache_is_warm", lambda _: False)
    stages.clear()
    solve("kuhn", iterations=2, callbacks=Callbacks(on_stage=stages.append))
    assert stages[0].startswith("walking the rules, compiling (first run only, about ")


def test_rules_that_share_a_kernel_compile_it_each(
    kuhn: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm: set[tuple[str, str]] = set()
    monkeypatch.setattr(_jit, "cache_is_warm", lambda *kernel: kernel in warm)
    monkeypatch.setattr(_jit, "mark_warm", lambda *kernel: warm.add(kernel))
    told: dict[str, Any] = {}
    for algorithm in ("hedge", "omd", "hedge", "hedge(2)", "apcfr+", "omd"):
        stages: list[str] = []
        solve(kuhn, algorithm, iterations=2, callbacks=Callbacks(on_stage=stages.append))
        compiled = any(stage.startswith("compiling") for stage in stages)
        told.setdefault(algorithm, []).append(compiled)
    assert told == {
        "hedge": [True, False],
        "omd": [True, False],
        "hedge(2)": [False],
        "apcfr+": [True],
    }


def test_kernels_are_loaded_by_another_game(
    kuhn: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second solver of a large game would double the memory, and run for nothing."""
    built: list[GameTree] = []

    class Counted(FullTraversals):
        def __init__(self, tree: GameTree, *arguments: Any, **options: Any) -> None:
            built.append(tree)
            super().__init__(tree, *arguments, **options)

    monkeypatch.setattr(methods, "FullTraversals", Counted)
    solve(kuhn, iterations=2)
    assert sum(tree is kuhn for tree in built) == 1
    assert max(tree.num_nodes for tree in built) <= 58


def test_the_linear_programme_is_timed_without_what_precedes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    tree = compile_game(load_game("kuhn"))
    form = type(tree.sequence_form)
    entries = form.payoff_entries

    def noted_entries(self: Any) -> Any:
        order.append("form")
        return entries(self)

    def clock() -> float:
        order.append("clock")
        return time.perf_counter()

    monkeypatch.setattr(form, "payoff_entries", noted_entries)
    monkeypatch.setattr(methods, "time", SimpleNamespace(perf_counter=clock))
    solve(tree, "lp")
    assert order == ["form", "clock", "form", "clock"]


def test_numbers_beyond_floating_point_are_said(
    kuhn: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(evaluate(eq.Strategy.uniform(kuhn)), nash_conv=float("inf"))
    monkeypatch.setattr(methods, "evaluate_behaviour", lambda *_: broken)
    with refuses(GameError, kind="payoffs", option="iteration", given=1):
        solve(kuhn, iterations=5)


def test_a_walk_that_takes_longer_than_the_seconds_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walked: list[int] = []
    assert solve("kuhn", seconds=1e-9).iterations == 1  # walked within what is allowed
    monkeypatch.setattr(walking, "allowed_overrun", lambda seconds: 0.0)
    with refuses(EquilibristError, option="seconds", given=0.05):
        solve(
            "goofspiel(cards=5)",
            sampling="external",
            seconds=0.05,
            callbacks=Callbacks(on_walk=walked.append),
        )
    assert 0 < max(walked) < 3_000_000
