"""Results without a tree: what their files keep, and what they refuse to say."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, UnsupportedError
from equilibrist.results import ImplicitResult, Result, SamplingDetails
from equilibrist.rules.strategy import PackedStrategy
from tests.refusals import refuses, unchecked

RULES = "rules:liars_dice(sides=3)"


@pytest.fixture(scope="module")
def result() -> ImplicitResult:
    return eq.solve(
        RULES, iterations=30, sampling="outcome(epsilon=0.3)", seed=3, explicit_tree=False
    )


def plain(result: Result[Any]) -> dict[str, Any]:
    """All fields but the arrays and the file."""
    found = {f.name: getattr(result, f.name) for f in fields(result)}
    del found["strategy"], found["solution_file"], found["stages"]
    return found


def test_what_is_loaded_is_what_was_saved(result: ImplicitResult, tmp_path: Path) -> None:
    path = result.save(tmp_path / "s")
    assert path == tmp_path / "s"
    loaded = Result.load(path)
    assert isinstance(loaded, ImplicitResult)
    assert plain(loaded) == plain(result)
    there = replace(result, solution_file=path)
    assert loaded.to_dict() == json.loads(json.dumps(there.to_dict()))
    assert loaded.strategy.probabilities.tobytes() == result.strategy.probabilities.tobytes()
    assert ImplicitResult.load(path).details == SamplingDetails(
        sampler="outcome(epsilon=0.3)",
        averaging="stochastic",
        averaging_every=None,
        period=1000,
        seed=3,
        nodes_touched=result.to_dict()["nodes_touched"],
        table_bytes=result.to_dict()["table_bytes"],
    )


def test_what_was_not_measured_is_not_said(result: ImplicitResult) -> None:
    assert result.evaluation is None
    for name in ("values", "gains", "nash_conv", "exploitability", "measure", "measure_name"):
        with refuses(UnsupportedError, option=name, given=RULES):
            getattr(result, name)
        assert result.to_dict().get(name) is None
    assert f"<th>infosets visited</th><td>{result.num_infosets:,}</td>" in result._repr_html_()
    assert result.strategy._repr_html_() in result._repr_html_()


def test_tables_hold_the_infosets_with_a_row(result: ImplicitResult, tmp_path: Path) -> None:
    rows = result.strategy.to_dict()
    assert 0 < len(rows) == result.strategy.num_infosets
    assert result.num_unplayed == result.num_infosets - len(rows) > 0
    document = json.loads(result.export(tmp_path / "s.json").read_text("utf-8"))
    assert document == {**json.loads(json.dumps(result.to_dict())), "strategy": rows}
    lines = result.export(tmp_path / "s.csv").read_text("utf-8").splitlines()
    assert lines[0] == "player,infoset,action,probability"
    assert len(lines) == 1 + sum(map(len, rows.values()))
    with refuses(UnsupportedError, option="strategy", given=RULES):
        _ = result.num_nodes


def test_a_strategy_made_by_hand_is_a_result_too(result: ImplicitResult, tmp_path: Path) -> None:
    by_hand = replace(result.strategy, provenance={"by": "hand"})
    loaded = Result.load(by_hand.save(tmp_path / "s"))
    assert isinstance(loaded, ImplicitResult)
    assert (loaded.game, loaded.algorithm, loaded.iterations) == (RULES, "given", 0)
    assert loaded.num_infosets == by_hand.num_infosets
    assert loaded.details is None
    assert loaded.to_dict()["values"] is None


def test_each_class_reads_its_own_kind(result: ImplicitResult, tmp_path: Path) -> None:
    found = eq.solve("kuhn", iterations=3).save(tmp_path / "tree")
    with refuses(
        FileFormatError,
        option="format",
        given="solution",
        expected="packed-strategy",
        remedy="`load_result(path)` opens it",
    ):
        ImplicitResult.load(found)
    assert not isinstance(Result.load(found), ImplicitResult)
    for kind in (Result, ImplicitResult):
        with refuses(ConfigError, option="path", given=3):
            kind.load(unchecked(3))


def test_a_document_that_does_not_fit_is_refused(result: ImplicitResult, tmp_path: Path) -> None:
    document = result.to_dict()
    for change in ({"iterations": "many"}, {"seed": None}, {"config": 3}):
        made = {**document, **change}
        path = replace(result.strategy, provenance=made).save(tmp_path / "s")
        assert PackedStrategy.load(path).provenance == made  # which is none of its business
        with refuses(FileFormatError, option="content"):
            Result.load(path)
