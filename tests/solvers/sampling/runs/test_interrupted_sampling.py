"""Ctrl-C during a run from Python: the solver stands where a period ends, and can go on."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

from equilibrist.solvers import MCCFR
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR


def interrupted(solver: MCCFR | ImplicitMCCFR) -> None:
    """Start a long run and press Ctrl-C in the middle of it."""
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.run(10**9)
    timer.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_on_a_tree(threads: int) -> None:
    def fresh() -> MCCFR:
        return MCCFR(
            "leduc", "lcfr", sampler="external", seed=3, threads=threads, period=2_000
        ).run(1)

    solver = fresh()
    interrupted(solver)
    assert solver.iteration > 1
    assert solver.iteration % 2_000 == 0
    solver.run(5_000)
    whole = fresh().run(solver.iteration - 1)
    assert np.array_equal(solver.state.regret, whole.state.regret)
    assert np.array_equal(solver.state.strategy_sum, whole.state.strategy_sum)
    solver.close()
    whole.close()


@pytest.mark.by_default(1)
@pytest.mark.parametrize("threads", [1, 2])
def test_without_a_tree(threads: int) -> None:
    def fresh() -> ImplicitMCCFR:
        game = "rules:leduc(players=2)"
        return ImplicitMCCFR(game, algorithm="lcfr", seed=3, threads=threads, period=2_000).run(1)

    solver = fresh()
    interrupted(solver)
    assert solver.iteration > 1
    assert solver.iteration % 2_000 == 0
    solver.run(5_000)
    whole = fresh().run(solver.iteration - 1)
    one, other = (s.average_strategy() for s in (solver, whole))
    assert np.array_equal(one.probabilities, other.probabilities)
    assert np.array_equal(one.high, other.high)
    assert np.array_equal(one.low, other.low)
    solver.close()
    whole.close()
