"""A long iteration can be left: the state is that of before it, and goes on with the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.learned import solver as solver_module
from equilibrist.learned.algorithms.registry import ALGORITHMS, get_neural
from equilibrist.learned.solver import NeuralSolver
from equilibrist.learned.training import train
from tests.refusals import refuses

KUHN = eq.compile_game("kuhn")
EPISODIC = ("ppo", "mmd", "r-nad")
"""Which take steps of their own, also on tables."""


def left_now_and_then(solver: NeuralSolver, iterations: int, questions: int) -> int:
    """Run, but leave the first attempt at every iteration at one of its first questions."""
    times = 0
    while solver.iteration < iterations:
        asked = [0]
        ends = 1 + solver.iteration % questions

        def stop(asked: list[int] = asked, ends: int = ends) -> bool:
            asked[0] += 1
            return asked[0] == ends

        before = solver.iteration
        solver.should_stop = stop
        solver.run(1)
        solver.should_stop = None
        times += solver.iteration == before
        if solver.iteration == before:
            solver.run(1)
    return times


def same_state(first: NeuralSolver, second: NeuralSolver) -> None:
    one, other = first.state, second.state
    assert one.kept.keys() == other.kept.keys()
    for name, array in one.kept.items():
        assert np.array_equal(array, other.kept[name]), name
    assert np.array_equal(one.regret, other.regret)
    assert np.array_equal(one.strategy_sum, other.strategy_sum)
    assert (one.iteration, one.nodes_touched) == (other.iteration, other.nodes_touched)
    assert first.losses == second.losses


def check_leaving(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "_LONG", -1.0)
    whole, other = (get_neural(spec).solver(KUHN, 5) for _ in range(2))
    whole.run(6)
    assert left_now_and_then(other, 6, 1 if spec.startswith("r-nad") else 2) == 6
    same_state(whole, other)


@pytest.mark.parametrize("name", EPISODIC)
def test_tables_that_are_moved_step_by_step(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = "walks=40" if name == "r-nad" else "walks=40,epochs=3"
    check_leaving(f"{name}({numbers},learner=table)", monkeypatch)


@pytest.mark.nets
@pytest.mark.parametrize("name", ALGORITHMS)
def test_networks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = "walks=60,width=16,depth=2"
    check_leaving(f"{name}({numbers}{'' if name in EPISODIC else ',steps=60'})", monkeypatch)


def test_short_iterations_are_finished() -> None:
    solver = get_neural("ppo(walks=40,learner=table)").solver(KUHN, 5)
    solver.run(1)
    solver.should_stop = lambda: True
    solver.run(1)
    assert solver.iteration == 2


@pytest.mark.slow
def test_an_endless_iteration_ends_with_the_time_and_when_a_callback_says_so() -> None:
    endless = "ppo(learner=table,epochs=1000000000)"
    result = train("kuhn", endless, seconds=0.2)
    assert (result.stopped_by, result.iterations) == ("seconds", 0)
    assert result.exploitability == eq.evaluate(eq.Strategy.uniform(KUHN)).exploitability
    result = train("kuhn", endless, callbacks=eq.Callbacks(on_progress=lambda _: False))
    assert (result.stopped_by, result.iterations) == ("callback", 0)


def test_steps_of_a_closed_form_are_limited() -> None:
    with refuses(ConfigError, option="epochs", given=10_001):
        get_neural("ppo-q(epochs=10001)")
