"""Linear programmes beside penalties of many orders of magnitude, held against smaller games."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.solvers.matrix.quiet import quiet
from equilibrist.solvers.matrix.refinement import Point, Programme
from equilibrist.typing import FloatArray
from tests.altered_games import Forbidding, Repaid

PENALTIES = (1e6, 1e7, 1e9, 1e12)


def solved(table: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """The value of a matrix game by its linear programme, and the mixtures of both players."""
    rows, columns = table.shape
    scale = float(np.ptp(table))
    found = minimise(
        np.append(np.zeros(rows), -1.0),
        np.append(-table.T / scale, np.ones((columns, 1)), axis=1),
        np.zeros(columns),
        np.append(np.ones(rows), 0.0)[None, :],
        [1.0],
        [(0.0, None)] * rows + [(None, None)],
    )
    mixtures = found.x[:rows], -found.ineqlin.marginals
    own, other = (np.where(mixture > found.negligible, mixture, 0.0) for mixture in mixtures)
    return -float(found.fun) * scale, own / own.sum(), other / other.sum()


def test_every_way_to_miss_an_optimum_is_a_shortfall() -> None:
    """Minimise x where x >= 1, x <= 9 and -x <= -1: the optimum is 1, its multiplier -1."""
    programme = Programme.of(np.ones(1), [[-1.0]], [-1.0], np.zeros((0, 1)), [], [(0.0, 9.0)])

    def missed(x: float, multiplier: float) -> float:
        point = Point(np.array([x]), np.array([multiplier]), np.zeros(0))
        return programme.shortfall(point).worst

    assert missed(1.0, -1.0) == 0.0
    assert missed(2.0, -1.0) == pytest.approx(1.0)  # the row has slack, and a multiplier
    assert missed(0.5, -1.0) == pytest.approx(0.5)  # the row is violated
    assert missed(2.0, 0.0) == pytest.approx(2.0)  # x could be less
    assert missed(1.0, 0.5) >= 0.5  # a multiplier with the wrong sign


@pytest.mark.parametrize("penalty", PENALTIES)
def test_what_nobody_plays_does_not_change_a_value(penalty: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        rows, columns = rng.integers(2, 8, 2)
        table = rng.integers(-9, 10, (rows, columns)).astype(np.float64)
        wide = np.vstack([table, rng.integers(-9, 10, columns) - penalty])
        wide = np.column_stack([wide, rng.integers(-9, 10, rows + 1) + penalty])
        value, own, other = solved(wide)
        assert value == pytest.approx(solved(table)[0], abs=1e-9)
        assert (own @ wide).min() == pytest.approx(value, abs=1e-9)
        assert (wide @ other).max() == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("penalty", [1e8, 1e9, 1e10])
def test_a_promise_is_kept_or_refused(penalty: float) -> None:
    """Any cell may pay the penalty, so that equilibria mix with probabilities of its inverse."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        table = rng.integers(-9, 10, rng.integers(2, 8, 2)).astype(np.float64)
        far = rng.random(table.shape) < 0.15
        table[far] += penalty * rng.choice([-1, 1], far.sum())
        try:
            value, own, other = solved(table)
        except UnsupportedError as refusal:
            if refusal.option != "payoffs":
                raise
            continue
        tolerance = 1e-6 * max(1.0, abs(value))
        assert (own @ table).min() == pytest.approx(value, abs=tolerance)
        assert (table @ other).max() == pytest.approx(value, abs=tolerance)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_equilibria_of_trees_beside_penalties(penalty: float) -> None:
    for seed in range(8):
        game = load_game(f"random_tree(seed={seed},depth=4)")
        plain = solve_lp(compile_game(game))
        found = solve_lp(compile_game(Forbidding(game, penalty)))
        assert found.value == pytest.approx(plain.value, abs=1e-8)
        assert evaluate(found.strategy).nash_conv <= 1e-8 + 1e-14 * penalty


@pytest.mark.parametrize(("scale", "shift"), [(1e-12, 0), (1e12, 0), (1, 1e4), (1, -1e8)])
def test_scaled_and_shifted_payoffs(scale: float, shift: float) -> None:
    game = load_game("leduc(suit_isomorphism=true)")
    found = solve_lp(compile_game(Repaid(game, scale, (shift, 2.0 * shift))))
    assert (found.value - shift) / scale == pytest.approx(-0.085606424078, abs=1e-7)
    assert evaluate(found.strategy).nash_conv / scale < 1e-7


def test_what_others_print_is_kept() -> None:
    """HiGHS prints from C++, whatever its options; lines of other threads come after the call."""
    code = """
import ctypes, os, threading
from equilibrist.solvers.matrix.quiet import quiet
libc = ctypes.CDLL(None)
with quiet():
    libc.puts(b"HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();")
    with quiet():
        thread = threading.Thread(target=print, args=("kept",), kwargs={"flush": True})
        thread.start()
        thread.join()
print("after")
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True
    )
    assert run.stdout == "kept\nafter\n"


def test_standard_output_is_the_same_after_calls_at_the_same_time() -> None:
    before = os.fstat(1)

    def enter() -> None:
        for _ in range(50):
            with quiet():
                pass

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (os.fstat(1).st_ino, os.fstat(1).st_dev) == (before.st_ino, before.st_dev)
