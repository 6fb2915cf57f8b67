"""Algorithms that train networks race beside those of `solve`; tables stand in their place."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.learned import train
from equilibrist.learned.algorithms.registry import ALGORITHMS, get_neural
from equilibrist.solving.comparison import count_runs, read_entries
from equilibrist.solving.comparison_runs.contenders import Contender, contenders, get_contestant
from tests.refusals import refuses

TABLE = "sd-cfr(walks=40,learner=table)"


def test_all_of_them_are_contenders() -> None:
    assert list(contenders()) == list(ALGORITHMS)
    for name in ALGORITHMS:
        contender = get_contestant(f"{name}(learner=table)")
        assert isinstance(contender, Contender)
        info = contender.info
        assert info.name == contender.name == f"{name}(learner=table)"
        assert (info.parameters["learner"], bool(info.summary and info.when)) == ("table", True)


@pytest.mark.parametrize("side_by_side", [False, True])
def test_a_race_has_the_numbers_of_trainings(*, side_by_side: bool) -> None:
    names = ["dcfr", TABLE, "nfsp(walks=10,learner=table)"]
    race = eq.compare("kuhn", names, iterations=9, seeds=2, seed=3, side_by_side=side_by_side)
    assert [len(run.results) for run in race.runs] == [1, 2, 2]
    for run in race.runs[1:]:
        for seed, result in zip((3, 4), run.results, strict=True):
            alone = train("kuhn", run.name, iterations=9, seed=seed)
            assert [p.measure for p in result.trace] == [p.measure for p in alone.trace]
            one, other = result.strategy.probabilities, alone.strategy.probabilities
            assert np.array_equal(one, other)
    low, high = race.runs[1].measure.low, race.runs[1].measure.high
    assert low < high
    assert set(race.to_frame().query(f"algorithm == '{TABLE}'")["seed"]) == {3, 4}


def test_limits_hold_for_all() -> None:
    race = eq.compare("kuhn", ["cfr", TABLE], iterations=500, target=0.1)
    assert [run.result.stopped_by for run in race.runs] == ["target", "target"]
    assert race.runs[1].reached(0.1) is not None


def test_seeds_count_for_them() -> None:
    assert count_runs(5, read_entries([TABLE], None)) == 5


@pytest.mark.parametrize(
    ("text", "options", "kind", "fields"),
    [
        ("sd-cfrr", {}, UnknownNameError, {"name": "sd-cfrr", "option": "algorithm"}),
        ("sd-cfr(wolks=3)", {}, ConfigError, {"option": "wolks", "place": "sd-cfr"}),
        (f"{TABLE}@external", {}, ConfigError, {"option": "sampler", "given": "external"}),
        (TABLE, {"measure": "efce"}, ConfigError, {"option": "measure", "place": TABLE}),
    ],
)
def test_what_cannot_race_is_refused(
    text: str, options: dict[str, str], kind: type[EquilibristError], fields: dict[str, str]
) -> None:
    with pytest.raises(kind) as caught:
        eq.compare("kuhn", ["cfr", text], iterations=2, **options)  # type: ignore[arg-type]
    assert {name: getattr(caught.value, name) for name in fields} == fields


@pytest.mark.parametrize("side_by_side", [False, True])
def test_what_needs_more_memory_than_there_is_is_left_out(*, side_by_side: bool) -> None:
    huge = f"sd-cfr(walks={10**12},learner=table)"
    race = eq.compare("kuhn", ["cfr", huge], iterations=2, side_by_side=side_by_side)
    assert [run.name for run in race.runs] == ["cfr"]
    assert [failed.name for failed in race.failed] == [huge]
    error = race.failed[0].error
    assert isinstance(error, MemoryBudgetError)
    assert (error.option, error.given) == ("algorithm", f"sd-cfr(walks={10**12},learner=table)")


@pytest.mark.parametrize("option", ["walks", "batch"])
def test_numbers_that_no_array_can_have_are_refused(option: str) -> None:
    with pytest.raises(ConfigError) as caught:
        get_neural(f"dream({option}={10**18})")
    assert (caught.value.option, caught.value.given) == (option, 10**18)


def test_the_nearest_names_are_of_both_kinds() -> None:
    with pytest.raises(UnknownNameError) as caught:
        read_entries(["dceam"], None)
    assert "dream" in caught.value.suggestions


@pytest.mark.parametrize("text", ["sd-cfr", "sd_cfr(walks=3)"])
def test_solve_says_who_trains_networks(text: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        eq.solve("kuhn", text, iterations=2)
    assert (caught.value.option, caught.value.suggestions) == ("algorithm", ())
    assert "equilibrist train" in str(caught.value)


def test_what_a_file_lacks_is_said_of_the_file(tmp_path: Path) -> None:
    rules = tmp_path / "mine.py"
    rules.write_text("from equilibrist.solvers.variants.families import cfr\nMINE = cfr()\n")
    for run in (eq.compare, eq.solve):
        with refuses(ConfigError, option="nothing"):
            run("kuhn", f"{rules}:nothing", iterations=2)


def test_without_pytorch_networks_are_refused_and_tables_race(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    walked: list[str] = []
    with pytest.raises(ConfigError) as caught:
        eq.compare("kuhn", ["cfr", "sd-cfr"], callbacks=eq.Callbacks(on_stage=walked.append))
    assert (caught.value.option, caught.value.given) == ("package", "torch")
    assert "equilibrist[nets]" in (caught.value.remedy or "")
    assert walked == []
    assert len(eq.compare("kuhn", [TABLE], iterations=2).runs) == 1


def test_a_broken_pytorch_is_told_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('a library is missing')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    walked: list[str] = []
    with refuses(ConfigError, option="package", given="torch"):
        eq.compare("kuhn", ["cfr", "sd-cfr"], callbacks=eq.Callbacks(on_stage=walked.append))
    assert walked == []


@pytest.mark.nets
def test_networks_race() -> None:
    spec = "sd-cfr(walks=20,steps=4,width=8,depth=1)"
    (run,) = eq.compare("kuhn", spec, iterations=2, seeds=2).runs
    alone = train("kuhn", spec, iterations=2, seed=1)
    assert run.results[1].measure == alone.measure
    assert run.results[1].networks is not None
