"""Runs without a stopping option where a few payoffs dwarf those that play is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist import Stop, solve
from equilibrist.solving import Files, Traversal
from tests.forbidding_games import Forbidding

RPS = [[0, -1, 2], [1, 0, -1], [-1, 1, 0]]
"""Worth 1/12 to the first player."""


def forbidding(penalty: float, unit: float = 1.0, offset: float = 0.0) -> str:
    """`RPS` with a fourth action for both, which costs a penalty unless both take it."""
    rows = [[*row, penalty] for row in RPS] + [[-penalty] * 3 + [0]]
    first = [[unit * x + offset for x in row] for row in rows]
    second = [[-unit * x + offset for x in row] for row in rows]
    return f"matrix(payoffs={[first, second]})"


@pytest.mark.parametrize("penalty", [1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize(("unit", "offset"), [(1.0, 0.0), (1e-9, 0.0), (1e9, 0.0), (1.0, 100.0)])
@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_penalties_that_nobody_pays_do_not_end_a_run(
    penalty: float, unit: float, offset: float, algorithm: str
) -> None:
    result = solve(forbidding(penalty, unit, offset), algorithm)
    assert result.stopped_by == "target"
    assert result.target == pytest.approx(3e-4 * unit)
    assert result.exploitability is not None
    assert result.exploitability <= 3e-4 * unit
    assert result.evaluation.values[0] - offset == pytest.approx(unit / 12, abs=6e-4 * unit)


@pytest.mark.parametrize("paid", [True, False])
@pytest.mark.parametrize("penalty", [1e3, 1e6, 1e12])
@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "leduc"])
@pytest.mark.by_default(8)
def test_games_with_a_forbidden_action_are_solved_like_those_without(
    game: str, penalty: float, paid: bool
) -> None:
    plain = solve(game)
    result = solve(Forbidding(game, penalty, paid=paid))
    assert result.stopped_by == "target"
    assert result.target == pytest.approx(plain.target)
    assert result.evaluation.nash_conv <= 2 * result.target
    if plain.exploitability is not None:
        assert result.evaluation.values[0] == pytest.approx(
            plain.evaluation.values[0], abs=4 * result.target
        )


def test_a_risk_that_may_be_taken_is_measured_by_what_is_played() -> None:
    """Nobody is sure to avoid 1,000,000 here: only mixtures tell that it is never risked."""
    result = solve("matrix(payoffs=[[-1000000, 1], [0, 0]])")
    assert result.stopped_by == "target"
    assert result.target == pytest.approx(1e-4)


def test_of_many_losses_only_those_that_nobody_takes_are_set_aside() -> None:
    result = solve("matrix(payoffs=[[0], [-400], [-1000000]])")
    assert result.stopped_by == "target"
    assert result.target == pytest.approx(0.04)


def test_a_run_that_does_not_get_there_says_so() -> None:
    result = solve(forbidding(1e6), "hedge")
    assert result.stopped_by == "iterations"
    assert result.target is not None
    assert result.measure > result.target
    assert any("2e+06" in note and "not reached" in note for note in result.notes)


def test_given_iterations_are_those_of_the_algorithm() -> None:
    """A penalty changes no iterate that was asked for by number."""
    result = solve(forbidding(1e6), stop=Stop(iterations=16))
    assert result.exploitability == pytest.approx(167.28, abs=0.01)
    assert result.notes == ()


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel(cards=3)"])
def test_in_ordinary_games_the_target_is_a_share_of_the_payoffs(game: str) -> None:
    result = solve(game)
    span = {"kuhn": 4.0, "leduc": 26.0, "goofspiel(cards=3)": 2.0}[game]
    assert result.target == 1e-4 * span
    assert len(result.notes) == 1


def test_penalties_of_several_sizes_are_given_up_one_after_the_other() -> None:
    rows = [[*row, 1e4, 1e8] for row in RPS] + [[-1e4] * 3 + [0, 1e8], [-1e8] * 4 + [0]]
    result = solve(f"matrix(payoffs={rows})")
    assert result.stopped_by == "target"
    assert result.target == pytest.approx(3e-4)


def test_a_run_that_is_resumed_or_pruned_ends_with_the_same_bits(tmp_path: Path) -> None:
    game = Forbidding("kuhn", 1e6, paid=True)
    whole = solve(game)
    solve(
        game, files=Files(checkpoint=tmp_path / "run.ckpt"), callbacks=lambda at: at.iteration < 60
    )
    resumed = solve(game, files=Files(resume=tmp_path / "run.ckpt"))
    assert resumed.iterations == whole.iterations
    assert resumed.strategy.probabilities.tobytes() == whole.strategy.probabilities.tobytes()
    pruned = solve(game, traversal=Traversal(prune="partial"))
    assert pruned.strategy.probabilities.tobytes() == whole.strategy.probabilities.tobytes()
