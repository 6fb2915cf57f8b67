"""Comparisons of algorithms: the same budget for all, and what each reached when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, OutputError, UnknownNameError, UnsupportedError
from equilibrist.progress import Progress
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solving.comparison import compare
from tests.refusals import refuses
from tests.solve_options import grouped


def test_compared_runs_are_independent() -> None:
    comparison = compare("kuhn", ("cfr+", "dcfr(gamma=4)"), iterations=50)
    assert [run.name for run in comparison.runs] == ["cfr+", "dcfr(gamma=4)"]
    for run in comparison.runs:
        alone = eq.solve("kuhn", run.name, iterations=50)
        assert run.result.nash_conv == alone.nash_conv
        one, other = run.result.strategy.probabilities, alone.strategy.probabilities
        assert np.array_equal(one, other)
        assert [p.iteration for p in run.points] == [p.iteration for p in alone.trace]


def test_levels_are_first_reached_where_the_trace_says() -> None:
    comparison = compare("leduc", ("dcfr",), iterations=400, levels=(1e-3, 1e-1, 1e-9))
    assert comparison.levels == (1e-1, 1e-3, 1e-9)
    (run,) = comparison.runs
    assert run.reached(1e-9) is None
    for level in (1e-1, 1e-3):
        point = run.reached(level)
        assert point is not None
        assert point.measure <= level
        before = [p.measure for p in run.points if p.iteration < point.iteration]
        assert min(before) > level


def test_a_target_ends_each_run_for_itself() -> None:
    comparison = compare("kuhn", ("cfr", "pcfr+"), target=1e-3, iterations=10_000)
    ends = [run.result for run in comparison.runs]
    assert [r.stopped_by for r in ends] == ["target", "target"]
    assert ends[0].iterations > ends[1].iterations


@pytest.mark.slow
def test_runs_that_do_not_begin_with_uniform_play_say_so() -> None:
    game = "matrix(payoffs=[[0,-1,1e6],[1,0,1e6],[-1e6,-1e6,0]])"
    far = compare(game, ("cfr", "dcfr", "cfr@external"), target=1e-3, iterations=None, seconds=5)
    for run in far.runs:
        alone = [note for note in run.result.notes if "uniform" in note]
        assert len(alone) == (run.name != "cfr@external")
        assert [*run.notes] == run.to_dict(far.levels)["notes"] == alone
    assert not any(run.notes for run in compare(game, ("cfr", "dcfr"), iterations=10).runs)


def test_samplers_and_the_exact_solution_are_compared_too() -> None:
    comparison = compare(
        "kuhn", ("lcfr@external", "@outcome(epsilon=0.4)", "lp"), iterations=300, seed=3
    )
    one, other, exact = comparison.runs
    assert one.result.config["sampler"] == "external"
    assert other.result.config["sampler"] == "outcome(epsilon=0.4)"
    assert other.result.algorithm == "cfr"
    again = compare("kuhn", ("lcfr@external",), iterations=300, seed=3).runs[0]
    assert again.result.nash_conv == one.result.nash_conv
    point = exact.reached(1e-9)
    assert point is not None
    assert point.iteration == 0


def test_more_players_are_compared_by_nash_conv() -> None:
    comparison = compare("kuhn(players=3)", ("cfr+",), iterations=20)
    assert comparison.measure_name == "NashConv"
    document = comparison.to_dict()
    assert document["algorithms"][0]["exploitability"] is None
    assert document["algorithms"][0]["trace"][-1]["measure"] == comparison.runs[0].result.nash_conv


def test_a_callback_ends_one_run_and_the_comparison_continues() -> None:
    heard: list[str] = []

    def told(progress: Progress) -> bool:
        heard.append(progress.algorithm)
        return progress.algorithm != "cfr"

    comparison = compare("leduc", ("cfr", "dcfr"), iterations=2000, callbacks=told)
    assert [r.result.stopped_by for r in comparison.runs] == ["callback", "iterations"]
    assert set(heard) == {"cfr", "dcfr"}
    assert not comparison.interrupted


def test_ctrl_c_ends_the_comparison_with_what_it_has() -> None:
    def told(_progress: Progress) -> None:
        raise KeyboardInterrupt

    comparison = compare("leduc", ("cfr", "dcfr"), iterations=100_000, callbacks=told)
    assert [r.name for r in comparison.runs] == ["cfr"]
    assert comparison.interrupted


@pytest.mark.parametrize(
    ("algorithms", "options", "fields"),
    [
        ((), {}, dict(option="algorithms")),
        (("cfr", "cfr"), {}, dict(option="algorithms", given="cfr")),
        (("hs-dcfr",), {"target": 1e-3}, dict(option="iterations")),
        (("cfr@",), {}, dict(option="sampler", given="cfr@")),
        (("cfr+@external",), {"iterations": 10}, dict(option="algorithm", given="cfr+")),
        ((3,), {}, dict(option="algorithms", given=3)),
        (("cfr",), {"levels": (0.0,)}, dict(option="level", given=0.0)),
        (("cfr",), {"levels": (float("nan"),)}, dict(option="level", given=float("nan"))),
        (("cfr",), {"seconds": -1.0}, dict(option="seconds", given=-1.0)),
        (("cfr", "lp"), {"warm_iterations": 5}, dict(option="warm_iterations", given=5)),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_runs(
    algorithms, options, fields: dict[str, Any]
) -> None:
    def walked(_count: int) -> None:
        raise AssertionError("the game was walked")

    given = {"iterations": None, **options}
    with refuses(ConfigError, **fields):
        compare("leduc", algorithms, **grouped(given))


def test_the_nearest_name_is_suggested() -> None:
    with refuses(UnknownNameError, option="algorithm", name="dcfrr"):
        compare("kuhn", ("dcfrr",))


def test_the_picture_has_both_axes(tmp_path: Path) -> None:
    comparison = compare("kuhn", ("cfr", "dcfr"), iterations=100)
    text = comparison.plot(tmp_path / "compare.svg").read_text("utf-8")
    assert "<svg" in text
    from equilibrist.plotting import comparison_figure

    figure = comparison_figure({r.name: r.points for r in comparison.runs}, title="kuhn")
    left, right = figure.axes
    assert (left.get_xlabel(), right.get_xlabel()) == ("iterations", "seconds")
    for axes in (left, right):
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert [line.get_label() for line in axes.lines] == ["cfr", "dcfr"]
    seconds = [p.seconds for p in comparison.runs[0].points if p.measure > 0]
    assert np.asarray(right.lines[0].get_xdata()).tolist() == seconds
    assert "<table>" in comparison._repr_html_()


def test_who_refuses_or_fails_costs_the_others_nothing() -> None:
    comparison = compare("kuhn", ("regret-matching", "dcfr", "regret-matching+"), iterations=50)
    assert [run.name for run in comparison.runs] == ["dcfr"]
    assert [out.name for out in comparison.failed] == ["regret-matching", "regret-matching+"]
    document = comparison.to_dict()
    assert document["failed"][0]["algorithm"] == "regret-matching"
    assert "not a matrix game" in document["failed"][0]["error"]
    alone = compare("kuhn", ("dcfr",), iterations=50)
    assert alone.failed == ()
    assert alone.runs[0].result.nash_conv == comparison.runs[0].result.nash_conv
    with refuses(UnsupportedError, option="game", given="kuhn"):
        compare("kuhn", ("regret-matching",), iterations=50)


def test_one_algorithm_needs_no_list() -> None:
    for alone, name in (("dcfr(gamma=3)", None), ("lcfr@external", None), (VARIANTS["cfr"], "cfr")):
        found = compare("kuhn", alone, iterations=3)
        assert [run.name for run in found.runs] == [name or alone]


def test_seeds_are_runs_of_their_own() -> None:
    comparison = compare(
        "kuhn", ("cfr", "@external"), iterations=400, seed=5, seeds=3, levels=(0.2, 1e-9)
    )
    plain, drawn = comparison.runs
    assert (len(plain.results), len(drawn.results)) == (1, 3)
    alone = [eq.solve("kuhn", sampling="external", iterations=400, seed=5 + k) for k in range(3)]
    assert [r.exploitability for r in drawn.results] == [r.exploitability for r in alone]
    ends = sorted(r.measure for r in alone)
    assert (drawn.measure.low, drawn.measure.median, drawn.measure.high) == tuple(ends)
    found = drawn.reached_by_all(0.2)
    firsts = [next((p.iteration for p in r.trace if p.measure <= 0.2), np.inf) for r in alone]
    assert found.count == sum(np.isfinite(firsts))
    assert found.iterations.median == sorted(firsts)[1]
    never = drawn.reached_by_all(1e-9)
    assert (never.count, never.text) == (0, "-")
    document = comparison.to_dict()["algorithms"][1]
    assert [run["seed"] for run in document["runs"]] == [5, 6, 7]
    assert document["medians"]["measure"]["median"] == ends[1]
    assert document["medians"]["reached"]["1e-09"]["iterations"]["median"] is None
    assert [p.iteration for p in drawn.medians] == [row[0] for row in drawn.band]
    last = drawn.band[-1]
    assert last[2:] == (ends[0], ends[2])
    assert drawn.medians[-1].measure == ends[1]


def test_repeats_differ_in_seconds_only() -> None:
    (run,) = compare("kuhn", "dcfr", iterations=50, repeat=3, levels=(1e-2,)).runs
    assert len(run.results) == 3
    assert len({r.nash_conv for r in run.results}) == 1
    assert (run.measure.runs, run.iterations.runs, run.seconds.runs) == (1, 1, 3)
    assert run.seconds.median == sorted(r.seconds for r in run.results)[1]
    assert run.band == ()
    assert [p.measure for p in run.medians] == [p.measure for p in run.points]
    (both,) = compare("kuhn", "@external", iterations=50, repeat=2, seeds=2).runs
    assert [r.config["seed"] for r in both.results] == [0, 0, 1, 1]
    assert (both.measure.runs, both.seconds.runs) == (2, 2)
    first, second = both.by_seed
    means = [sum(r.seconds for r in runs) / 2 for runs in (first, second)]
    assert both.seconds.low == pytest.approx(min(means))


@pytest.mark.parametrize(
    ("target", "levels"),
    [
        (None, (1e-3, 1e-4, 1e-6)),
        (1e-4, (1e-3, 1e-4)),
        (5e-2, (5e-2,)),
        (1e-8, (1e-3, 1e-4, 1e-6, 1e-8)),
    ],
)
def test_the_target_is_the_last_level_by_default(
    target: float | None, levels: tuple[float, ...]
) -> None:
    assert compare("kuhn", "cfr", iterations=4, target=target).levels == levels


def test_measurements_go_to_other_programs(tmp_path: Path) -> None:
    comparison = compare("kuhn", ("dcfr", "lp", "@external"), iterations=20, seeds=2, repeat=2)
    frame = comparison.to_frame()
    names = ["algorithm", "seed", "run", "iteration", "seconds", "nash_conv", "exploitability"]
    assert [*frame.columns] == names
    assert frame.attrs["game"] == "kuhn"
    runs = frame.groupby(["algorithm", "seed", "run"]).size()
    dcfr, _, drawn = comparison.runs
    assert runs["dcfr"].tolist() == [len(dcfr.points)] * 2
    assert runs["lp"].tolist() == [1, 1]
    assert [*runs["@external"].index] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    end = frame[(frame.algorithm == "@external") & (frame.seed == 1) & (frame.run == 2)].iloc[-1]
    assert end.nash_conv == drawn.results[-1].nash_conv
    path = comparison.export(tmp_path / "race.csv")
    assert rows_of(path) == [tuple(row) for row in frame.astype(str).to_numpy()]
    comparison.export(path)
    assert pandas.read_parquet(comparison.export(tmp_path / "race.parquet")).equals(frame)
    comparison.export(tmp_path / "race.parquet")
    document = json.loads(comparison.export(tmp_path / "race.json").read_text("utf-8"))
    assert document == json.loads(json.dumps(comparison.to_dict()))
    (tmp_path / "mine.csv").write_text("player,infoset,action,probability\n", "utf-8")
    (tmp_path / "mine.parquet").write_bytes(b"PAR1")
    for name in ("mine.csv", "mine.parquet"):
        with refuses(OutputError, option="file", given=name):
            comparison.export(tmp_path / name)
    with refuses(ConfigError, option="file", given="race.txt"):
        comparison.export(tmp_path / "race.txt")


def rows_of(path: Path) -> list[tuple[str, ...]]:
    """The rows of a CSV file, without that of names."""
    return [tuple(line.split(",")) for line in path.read_text("utf-8").splitlines()[1:]]


def test_three_players_have_no_exploitability_in_tables(tmp_path: Path) -> None:
    comparison = compare("kuhn(players=3)", "cfr", iterations=5, repeat=2)
    assert comparison.to_frame()["exploitability"].isna().all()
    assert comparison.runs[0].medians[-1].exploitability is None
    assert comparison.export(tmp_path / "s.csv").read_text("utf-8").endswith(",\n")


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"seeds": 0}, {"option": "seeds", "given": 0}),
        ({"repeat": 1.5}, {"option": "repeat", "given": 1.5}),
        ({"seeds": 3}, {"option": "seeds", "given": 3}),
    ],
)
def test_seeds_that_make_no_sense(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        compare("kuhn", ("cfr", "lp"), iterations=5, **grouped(options))


def test_ctrl_c_ends_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    def interrupt(progress: Progress) -> None:
        nonlocal seen
        seen += progress.iteration == 1
        if seen == 2:
            raise KeyboardInterrupt

    comparison = compare("kuhn", ("dcfr", "cfr"), iterations=50, repeat=3, callbacks=interrupt)
    assert comparison.interrupted
    (run,) = comparison.runs
    assert [r.stopped_by for r in run.results] == ["iterations", "interrupted"]
