"""A solved spot is a result like others: what its file keeps, and what it cannot say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import load_result
from equilibrist.errors import FileFormatError, UnsupportedError
from equilibrist.poker import PostflopResult, Spot, solve
from equilibrist.results import Result
from tests.refusals import refuses

SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")


@pytest.fixture(scope="module", params=[0.0, 0.05])
def result(request: pytest.FixtureRequest) -> PostflopResult:
    """Without rake, and with."""
    return solve(SPOT.replace(rake=request.param), iterations=30)


def test_what_is_loaded_is_what_was_saved(result: PostflopResult, tmp_path: Path) -> None:
    path = result.save(tmp_path / "river.spot")
    assert path == tmp_path / "river.spot"
    assert result.save(path) == path
    loaded = eq.load_result(path)
    assert isinstance(loaded, PostflopResult)
    for line in ("", "A", "X"):
        assert json.dumps(loaded.to_dict(line)) == json.dumps(result.to_dict(line))
    for name in ("game", "algorithm", "config", "guarantee", "versions", "trace", "target",
                 "stopped_by", "storage", "values", "nash_conv", "measure"):  # fmt: skip
        assert getattr(loaded, name) == getattr(result, name), name
    assert loaded.solution_file == path
    assert (result.solution_file, result.evaluation, loaded.details) == (None, None, None)


def test_its_figures_have_the_names_of_all_results(result: PostflopResult) -> None:
    assert isinstance(result, Result)
    assert result.game == "holdem(board=Ts3h2h5c9s,pot=100,stack=100)"
    assert result.algorithm == "dcfr(alpha=1.4,beta=0.2,gamma=5)"
    assert result.config == {"algorithm": result.algorithm, "storage": "float32"}
    assert result.values == result.ev
    assert result.nash_conv == 2 * result.mean_gain == 2 * result.measure
    raked = result.spot.is_raked
    assert result.measure_name == ("mean gain" if raked else "exploitability")
    assert result.exploitability == (None if raked else result.mean_gain)
    assert result.num_players == 2
    assert [point.iteration for point in result.trace] == [10, 20, 30]
    assert result.trace[-1].nash_conv == result.nash_conv
    assert result.trace[-1].exploitability == result.exploitability
    for name in ("gains", "num_infosets", "num_nodes"):
        with refuses(UnsupportedError):
            getattr(result, name)


def test_its_strategy_is_looked_up_by_line(result: PostflopResult) -> None:
    played = result.strategy["A"]
    node = result.at("A")
    assert list(played) == list(node.frequency) == ["Fold", "Call"]
    rows = np.array([*played.values()])
    assert np.array_equal(rows, node.values.strategy, equal_nan=True)


def test_its_picture_and_its_nodes_are_written(result: PostflopResult, tmp_path: Path) -> None:
    assert result.plot(tmp_path / "p.svg") == tmp_path / "p.svg"
    loaded = load_result(result.save(tmp_path / "river.spot"))
    loaded.plot(tmp_path / "q.svg")
    assert (tmp_path / "q.svg").read_bytes() == (tmp_path / "p.svg").read_bytes()
    assert result.export(tmp_path / "n.csv", line="A") == tmp_path / "n.csv"
    assert eq.poker.export(result, tmp_path / "m.csv", line="A") == 1
    assert (tmp_path / "n.csv").read_bytes() == (tmp_path / "m.csv").read_bytes()


def test_solve_says_where_the_result_is(tmp_path: Path) -> None:
    solved = eq.solve(SPOT, iterations=5, files=eq.Files(out=tmp_path / "river.spot"))
    assert solved.solution_file == tmp_path / "river.spot"
    assert load_result(tmp_path / "river.spot").to_dict() == solved.to_dict()


def test_classes_that_cannot_solve_do_not_open_it(result: PostflopResult, tmp_path: Path) -> None:
    path = result.save(tmp_path / "river.spot")
    for kind in (Result, PostflopResult):
        with refuses(FileFormatError, option="format"):
            kind.load(path)
