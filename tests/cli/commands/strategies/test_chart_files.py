"""`inspect` and `export` of charts and exact solutions: lines, hands, pictures, ranges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import CLASS_NAMES, Hand
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.push_fold.game import PushFold
from tests.cli.command import Ran, Shell
from tests.play.solutions.test_charts import multiway, pushes

TWO = Hand(stack=6, bets="2x,a", raises="a", board="1/1", deck="T", last_street="flop")
Inspect = Callable[..., Ran]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("charts")
    three = pushes(PushFold((9.0, 9.0, 9.0)), BTN="KK", SB="AA KK", BB="QQ")
    three.save(folder / "jam.safetensors")
    multiway("").save(folder / "several.safetensors")
    exact = solve_preflop(TWO.replace(bets="2x,a|a"), iterations=2, threads=1)
    exact.save(folder / "exact.safetensors")
    return folder


@pytest.fixture
def inspect(shell: Shell, files: Path) -> Inspect:
    return lambda name, options="": shell(f"inspect {files / name}.safetensors {options}")


def test_a_chart_of_push_or_fold_by_its_line(inspect: Inspect) -> None:
    assert inspect("jam", "--line f-A --json").ok().json["against"] == ["SB"]
    found = inspect("jam", "QQ 72o --line A-A --json").ok().json
    assert [one["hand"] for one in found["hands"]] == ["QQ", "72o"]
    assert [one["strategy"]["A"] for one in found["hands"]] == [1.0, 0.0]
    gain = float(np.linspace(-1.0, 2.0, 169)[CLASS_NAMES.index("QQ")])
    assert found["hands"][0]["gain"]["A"] == pytest.approx(gain)
    for line in ("F-F", "A-A-A", "x"):
        error = inspect("jam", f"--line {line}").error
        assert isinstance(error, ConfigError)
        assert (error.option, error.given) == ("line", line)


def test_hands_at_decisions_of_other_solutions(inspect: Inspect) -> None:
    found = inspect("several", "AhKh --json").ok().json["hands"]
    assert [(one["hand"], one["strategy"]["F"]) for one in found] == [("AKs", pytest.approx(1 / 3))]
    out = inspect("exact", "AA --line C").ok().out
    assert "EV X" in out
    assert "AA" in out
    error = inspect("exact", "22").error
    assert isinstance(error, ConfigError)
    assert error.option == "KEY"


def test_a_line_after_the_flop_is_named(inspect: Inspect) -> None:
    error = inspect("exact", "--line C-X|X").error
    assert isinstance(error, ConfigError)
    assert error.option == "line"


def test_charts_are_drawn(inspect: Inspect, tmp_path: Path) -> None:
    for name in ("jam", "several", "exact"):
        drawn = tmp_path / f"{name}.svg"
        inspect(name, f"--draw {drawn}").ok()
        assert drawn.read_text("utf-8").startswith("<svg")
    error = inspect("jam", "--draw chart.gif").error
    assert isinstance(error, ConfigError)
    assert error.option == "--draw"


def test_ranges_are_written(shell: Shell, files: Path, tmp_path: Path) -> None:
    shell(f"export {files / 'jam'}.safetensors {tmp_path / 'jam.txt'}").ok()
    printed = shell(f"export {files / 'jam'}.safetensors - --format txt").ok().out
    assert printed == (tmp_path / "jam.txt").read_text("utf-8")
    lines = dict(line.split("\t") for line in (tmp_path / "jam.txt").read_text().splitlines())
    assert lines["BTN pushes"] == "KK"
    assert lines["SB calls BTN"] == "KK+"
    shell(f"export {files / 'several'}.safetensors {tmp_path / 'several.txt'}").ok()
    several = (tmp_path / "several.txt").read_text().splitlines()
    assert several[0].split("\t")[0] == "F"
