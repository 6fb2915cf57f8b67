"""Runs of hands: limits, checkpoints, files, and the figures of nodes before the flop."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import CheckpointError, ConfigError, FileFormatError, MemoryBudgetError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact import solving
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.pairs import PairMatrices
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solver import ExactSolver
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.ranges.range import Range
from equilibrist.progress import Callbacks
from equilibrist.typing import Int16Array
from tests.refusals import refuses

HAND = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
solve = partial(solve_preflop, threads=1)
"""Waiting threads would take the processor from other tests."""


@pytest.fixture(scope="module")
def solution() -> PreflopSolution:
    return solve(HAND, iterations=150)


def test_the_run_ends_at_its_limits() -> None:
    found = solve(HAND, target="40mbb", iterations=500)
    assert found.stopped_by == "target"
    assert found.exploitability <= 40
    assert solve(HAND, iterations=3).stopped_by == "iterations"
    assert solve(HAND, seconds=0.01).iterations >= 1


def test_the_progress_can_stop_a_run() -> None:
    found = solve(HAND, iterations=500, callbacks=lambda progress: progress.iteration < 5)
    assert found.stopped_by == "callback"
    assert found.iterations < 500


def test_values_at_the_root_are_those_of_the_run(solution: PreflopSolution) -> None:
    root = solution.at()
    assert root.seat_name == "small blind"
    assert root.reach[root.dealt] == pytest.approx(1.0)
    assert np.nansum(root.combos * root.ev) / root.combos.sum() == pytest.approx(
        solution.values[0], abs=1e-6
    )
    assert root.strategy[:, root.dealt].sum(axis=0) == pytest.approx(1.0)
    assert root.ev is not None
    assert root.action_ev is not None
    mean = (root.strategy * root.action_ev).sum(axis=0)
    assert mean[root.dealt] == pytest.approx(root.ev[root.dealt])


def test_a_fold_costs_what_was_posted(solution: PreflopSolution) -> None:
    root = solution.at()
    assert root.action_ev is not None
    assert root.action_ev[root.codes.index("F"), root.dealt] == pytest.approx(-0.5)


def test_ranges_are_read_by_the_range_parser(solution: PreflopSolution) -> None:
    texts = solution.ranges()
    for name, text in texts.items():
        if text:
            assert Range(text).weights.sum() > 0, name
    shares = solution.at().frequencies
    parsed = [Range(texts[code]).weights.sum() for code in solution.at().codes if texts[code]]
    whole = solution.at().combos.sum()
    assert np.array(parsed) / whole == pytest.approx(shares[shares > 0.01], abs=0.01)


def test_the_table_has_a_row_for_each_action_of_each_hand(solution: PreflopSolution) -> None:
    rows = list(csv.DictReader(io.StringIO(solution.to_csv())))
    nodes = list(solution.nodes())
    assert len(rows) == sum(len(node.dealt) * len(node.actions) for node in nodes)
    assert rows[0]["hand"] == "AA"
    assert float(rows[0]["frequency"]) == pytest.approx(nodes[0].strategy[0, 0], abs=1e-5)


def test_a_file_has_the_same_figures(solution: PreflopSolution, tmp_path: Path) -> None:
    file = solution.save(tmp_path / "hand.safetensors")
    again = load_result(file)
    assert again.to_dict() == solution.to_dict()
    damaged = bytearray(file.read_bytes())
    damaged[-3] ^= 255
    file.write_bytes(bytes(damaged))
    with pytest.raises(FileFormatError):
        load_result(file)


def test_a_resumed_run_has_the_same_bits(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"
    solve(HAND, iterations=7, checkpoint=file)
    resumed = solve(resume=file, iterations=20)
    whole = solve(HAND, iterations=20)
    assert resumed.iterations == 20
    assert resumed.exploitability == whole.exploitability
    for node, strategy in whole.strategies.items():
        assert np.array_equal(resumed.strategies[node], strategy)


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"
    solve(HAND, iterations=2, checkpoint=file)
    with pytest.raises(CheckpointError) as hand:
        solve(HAND.replace(stack=7), resume=file, iterations=9)
    assert hand.value.option == "stack"
    with pytest.raises(CheckpointError) as flops:
        solve(resume=file, flops=3, iterations=9)
    assert flops.value.option == "flops"
    with pytest.raises(CheckpointError) as algorithm:
        solve(HAND, "lcfr", resume=file, iterations=9)
    assert algorithm.value.option == "algorithm"
    with pytest.raises(CheckpointError) as past:
        solve(resume=file, iterations=1)
    assert past.value.option == "iterations"
    with pytest.raises(CheckpointError) as missing:
        solve(resume=tmp_path / "none", iterations=1)
    assert missing.value.option == "resume"


def test_a_new_run_overwrites_no_other(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"
    solve(HAND, iterations=2, checkpoint=file)
    before = file.read_bytes()
    for resume in (None, tmp_path / "other.ckpt"):
        if resume is not None:
            solve(HAND, iterations=1, checkpoint=resume)
        with pytest.raises(CheckpointError) as error:
            solve(HAND, iterations=3, checkpoint=file, resume=resume)
        assert (error.value.option, error.value.given) == ("iteration", 2)
        assert file.read_bytes() == before
    assert solve(iterations=3, checkpoint=file, resume=file).iterations == 3


def test_bad_runs_are_refused_before_anything_is_allocated() -> None:
    for keys, option in (
        ({"target": "5%"}, "target"),
        ({"target": 5}, "target"),
        ({"target": "5"}, "target"),
        ({"target": 0}, "target"),
        ({"algorithm": "pcfr+"}, "algorithm"),
        ({"threads": 0}, "threads"),
    ):
        with pytest.raises(ConfigError) as caught:
            solve(HAND, iterations=1 if "target" not in keys else None, **keys)
        assert caught.value.option == option
    with pytest.raises(MemoryBudgetError) as large:
        solve(HAND, iterations=1, memory=1_000_000)
    assert large.value.option == "memory"


def test_drawn_flops_give_a_game_of_their_own() -> None:
    hand = Hand(stack=6, bets="a|a", raises="a", board="3/1", deck="T", last_street="flop")
    solver = ExactSolver(ExactGame.of(hand, flops=12), threads=1).run(300)
    measure = solver.measure()
    assert sum(measure.values) == pytest.approx(0.0, abs=1e-5)
    assert 0.0 <= measure.exploitability < 0.02


def test_a_run_that_iterations_help_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes back to the best strategies, with their bits, and says so."""
    monkeypatch.setattr(solving, "has_stalled", lambda trace: len(trace) > 3)
    found = solve(HAND, "cfr", target="1e-9mbb")
    best = min(found.trace, key=lambda point: point.measure)
    assert found.stopped_by == "stalled"
    assert found.iterations == best.iteration
    assert found.exploitability == 1000 * best.measure
    assert f"since iteration {best.iteration:,}" in found.advice
    assert solve(HAND, "cfr", iterations=2).advice == ""


def test_a_run_whose_measure_rises_by_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with the best strategies; here by much is by anything."""
    monkeypatch.setattr("equilibrist.solvers.run.stall._MUCH", 1.0)
    found = solve(HAND, "lcfr", iterations=450)
    best = min(found.trace, key=lambda point: point.measure)
    assert found.trace[-1].measure > best.measure
    assert (found.iterations, found.exploitability) == (best.iteration, 1000 * best.measure)
    assert f"iteration {best.iteration:,} were kept" in found.advice


def test_beginning_again() -> None:
    solver = ExactSolver(ExactGame.of(HAND), threads=1).run(4)
    before = solver.state
    solver.run(3).begin_again()
    assert solver.iteration == 0
    again = solver.run(4).state
    for name, array in before.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])


class Clock:
    """Ten seconds pass whenever somebody looks."""

    def __init__(self) -> None:
        self.looks = 0

    def perf_counter(self) -> float:
        self.looks += 1
        return time.perf_counter() + 10.0 * self.looks


def test_time_that_is_over_while_boards_are_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "time", Clock())
    stages: list[str] = []
    with refuses(ConfigError, option="seconds", given=25.0):
        solve_preflop(HAND, seconds=25.0, callbacks=Callbacks(on_stage=stages.append))
    first, *counts = stages
    assert first == "preparing the boards"
    assert counts[0].startswith("preparing the boards: 1 of ")
    assert len(counts) == 2  # at 20 s and 30 s: 5 s too late and more are too much


def test_a_run_whose_boards_are_prepared_makes_an_iteration() -> None:
    solution = solve(HAND, seconds=1e-6)
    assert (solution.iterations, solution.stopped_by) == (1, "seconds")


def test_what_ends_the_preparation_ends_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards that no thread has begun are not counted any more."""
    counted: list[int] = []
    wanted: list[int] = []

    def slow(_self: PairMatrices, board: int, _out: Int16Array, _place: int) -> None:
        time.sleep(0.1)
        counted.append(board)

    def stop(_done: int, boards: int) -> None:
        wanted.append(boards)
        raise KeyboardInterrupt

    monkeypatch.setattr(PairMatrices, "_count", slow)
    with pytest.raises(KeyboardInterrupt):
        ExactSolver(ExactGame.of(HAND), threads=1, on_board=stop)
    assert len(counted) < wanted[0]


def test_the_value_of_the_game_is_between_what_best_responses_win(
    solution: PreflopSolution, tmp_path: Path
) -> None:
    low, high = solution.value_interval
    assert low <= solution.values[0] <= high
    assert 1000 * (high - low) == pytest.approx(solution.nash_conv, rel=1e-6)
    better = solve(HAND, iterations=600)
    assert low - 1e-9 <= better.value_interval[0] <= better.value_interval[1] <= high + 1e-9
    loaded = load_result(solution.save(tmp_path / "hand.safetensors"))
    assert loaded.value_interval == (low, high)
    older = replace(solution, best_values=())
    assert older.value_interval[0] <= low
    assert high <= older.value_interval[1]
