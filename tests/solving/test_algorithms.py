"""Algorithms that are not CFR: the linear programme and regret matching."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import UnknownNameError, UnsupportedError
from equilibrist.games import load_game
from equilibrist.solvers.matrix.matching_result import MatchingResult
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solving import Files, solve
from tests.refusals import refuses
from tests.solving.comparing import same


def test_the_linear_programme_is_exact() -> None:
    result = solve("kuhn", "lp")
    assert (result.stopped_by, result.iterations, result.trace) == ("exact", 0, ())
    assert result.values[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert result.exploitability == pytest.approx(0.0, abs=1e-12)
    assert "linear programming" in result.guarantee
    assert result.seconds > 0.0
    assert result.family is not None


@pytest.mark.parametrize(
    ("name", "way"),
    [("escher", "--sampler escher"), ("esher", "--sampler escher"), ("Outcome", "outcome"),
     ("dcf", "dcfr"), ("fscfr", "fsicfr")],
)  # fmt: skip
def test_samplers_in_the_place_of_algorithms(name: str, way: str) -> None:
    with refuses(UnknownNameError, option="algorithm", given=name) as caught:
        solve("kuhn", name, iterations=1)
    assert way in str(caught.value)


def test_algorithms_in_the_place_of_samplers() -> None:
    with refuses(UnknownNameError, option="sampler", given="PCFR+") as caught:
        solve("kuhn", sampling="PCFR+", iterations=1)
    assert "--algorithm pcfr+" in str(caught.value)


def test_the_linear_programme_refuses_three_players() -> None:
    with refuses(UnsupportedError, option="num_players", given=3):
        solve("kuhn(players=3)", "lp")


@pytest.mark.parametrize("algorithm", ["regret-matching", "regret-matching+"])
def test_regret_matching_is_that_of_the_library(algorithm: str) -> None:
    game = load_game("biased_rps")
    result = solve(game, algorithm, iterations=500, seed=3)
    expected = RegretMatching(game, algorithm, seed=3).run(500).result()
    rows = [list(row.values()) for row in expected.average_strategy]
    assert result.strategy.probabilities.tolist() == [p for row in rows for p in row]
    assert isinstance(result.details, MatchingResult)
    assert result.details.trace == expected.trace
    assert result.notes == ()
    assert not same(result, solve(game, algorithm, iterations=500, seed=4))
    last = solve(game, algorithm, iterations=500, seed=3, output="last")
    rows = [list(row.values()) for row in expected.current_strategy]
    assert last.strategy.probabilities.tolist() == [p for row in rows for p in row]


def test_regret_matching_has_a_trace_and_a_target(tmp_path: Path) -> None:
    result = solve(
        "biased_rps", "regret-matching", target=0.1, files=Files(plot=tmp_path / "a.svg")
    )
    assert result.stopped_by == "target"
    assert result.exploitability is not None
    assert result.exploitability <= 0.1
    assert result.trace[-1].measure == result.exploitability
    assert (tmp_path / "a.svg").exists()


def test_regret_matching_refuses_games_with_more_than_one_move() -> None:
    with refuses(UnsupportedError, option="game", given="kuhn"):
        solve("kuhn", "regret-matching")
