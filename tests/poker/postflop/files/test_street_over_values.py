"""A street over leaf values: its result and its file, and later streets that are re-solved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError
from equilibrist.library.opponents import holdem_opponent
from equilibrist.play import spot_drill
from equilibrist.poker import PostflopResult, solve
from equilibrist.poker.postflop.files.street_over_values import solve_over_values
from equilibrist.poker.postflop.leaf_values.check_down import CheckDown
from equilibrist.poker.postflop.solving.leaf_solver import LEAF_ITERATIONS, LeafSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.run.stopping import Stop
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from tests.refusals import refuses

TURN = Spot(
    board="Ts3s2h5h", oop="AcAd,QcQd,7s6s", ip="KcKd,9s8s", pot=60, stack=90, bets="50%,a",
    raises="a",
)  # fmt: skip


class Named(CheckDown):
    """Check-down under the name of a file."""

    name, identity = "river.safetensors", "0123456789abcdef"


@pytest.mark.slow
def test_the_first_street_is_kept_and_later_ones_are_re_solved(tmp_path: Path) -> None:
    solution = solve_over_values(TURN, Named(5), threads=1)
    assert (solution.iterations, solution.stopped_by) == (LEAF_ITERATIONS, "iterations")
    solver = LeafSolver(TURN, Named(5)).run(LEAF_ITERATIONS)
    per_chip = TURN.rules().scale.per_chip
    wanted = [solver.engine.expected(player) / per_chip for player in (0, 1)]
    path = solution.save(tmp_path / "over.spot")
    loaded = load_result(path)
    assert isinstance(loaded, PostflopResult)
    for result in (solution, loaded):
        assert result.ev == pytest.approx(wanted, abs=1e-9)
        assert result.keep == "first-street"
        assert result.exploitability is None
        assert result.measure_name == "estimated gain"
        assert result.mean_gain == pytest.approx(solver.estimated_gain(), abs=1e-12)
        assert result.leaf_values is not None
        assert (result.leaf_values.name, result.leaf_values.identity) == (
            "river.safetensors",
            "0123456789abcdef",
        )
        assert result.facts()["exploitability_chips"] is None
        assert result.facts()["leaf_values"]["name"] == "river.safetensors"
        assert result.known_error is None
        assert np.isnan(result.nash_conv)
        assert not result.converged
        assert not result.facts()["converged"]
        assert "not converged" not in str(result)
        assert {point.measure_name for point in result.trace} == {"estimated gain"}
        assert np.isnan([point.nash_conv for point in result.trace]).all()
        assert result.trace[-1].measure == pytest.approx(result.mean_gain)
    assert loaded.trace == solution.trace or str(loaded.trace) == str(solution.trace)
    river = loaded.at("X-X|9c")
    assert river.resolved is not None
    ranges = [loaded.at("X-X").range_of(player) for player in (0, 1)]
    alone = solve(TURN.replace(board=f"{TURN.board}9c", oop=ranges[0], ip=ranges[1]), target="0.3%")
    assert river.totals.ev == pytest.approx(alone.ev, abs=0.01 * TURN.pot)
    assert loaded.at("X-X").values.strategy.shape[0] == 0


def test_strategies_are_those_of_the_solver() -> None:
    solution = solve_over_values(TURN, CheckDown(5), iterations=30)
    solver = LeafSolver(TURN, CheckDown(5)).run(30)
    layout, tree = solver.engine.layout, solution.tree
    (place,) = np.flatnonzero(layout.betting.node == 0)
    held = np.flatnonzero(TURN.ranges[0].weights)
    rows = solver.engine.arena.strategy(int(place), 0)
    np.testing.assert_allclose(solution.at().values.strategy[:, held], rows, atol=1e-12)
    assert int(tree.player[0]) == 0


def test_what_is_refused() -> None:
    with refuses(ConfigError, option="target"):
        solve_over_values(TURN, CheckDown(5), stop=Stop(target="1%"))
    with refuses(ConfigError, option="iterations"):
        solve_over_values(TURN, CheckDown(5), iterations=0)


def test_an_estimated_gain_is_no_error_that_is_forgiven() -> None:
    """Drills and tables grade by the EV loss alone."""
    solution = solve_over_values(TURN, CheckDown(5), iterations=2)
    assert solution.mean_gain > 0
    assert spot_drill(solution)._error == 0.0
    opponent = holdem_opponent("over", SPOT_SOLUTION, solution)
    assert (opponent.error, opponent.measure_name) == (0.0, "")
    exact = solve(TURN, iterations=2)
    assert exact.facts()["leaf_values"] is None
    assert spot_drill(exact)._error == exact.known_error == exact.mean_gain > 0
