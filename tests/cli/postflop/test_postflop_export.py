"""`equilibrist postflop export`."""

from __future__ import annotations

import json
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    LineSyntaxError,
    OutputError,
    RangeSyntaxError,
)
from equilibrist.poker import solve
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from tests.cli.command import Shell

POLAR = "--board Ts3h2h5c9s --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a --iterations 30"
TURN = "--board Ts3s2h5h --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a --iterations 5"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a tree.json"


def test_export(shell: Shell, file: Path) -> None:
    ran = shell(f"postflop export {POLAR} --out {shlex.quote(str(file))}").ok()
    assert ran.out == ""
    assert f"4 nodes written to {file}" in ran.err
    assert "30 iterations, " in ran.err
    document = json.loads(file.read_text())
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    expected = solve(spot, iterations=30)
    assert [node["line"] for node in document["nodes"]] == ["", "X", "A100", "X-A100"]
    assert document["nodes"][2]["ev"] == expected.at("A").to_dict()["ev"]
    assert document["exploitability_percent"] == expected.facts()["exploitability_percent"]


def test_filters(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "tree.csv"
    given = f"postflop export {TURN} --quiet --out {out} --line 'X-X|2c' --hand AsAh"
    shell(given).ok()
    lines = out.read_text().splitlines()
    assert lines[0].startswith("line,street,board,runouts,pot,acts,player,hand,weight,")
    assert {line.split(",")[2] for line in lines[1:]} == {"Ts3s2h5h2c"}
    assert {line.split(",")[7] for line in lines[1:]} == {"all", "AsAh"}
    shell(f"{given} --ends").ok()
    assert len(out.read_text().splitlines()) > len(lines)
    shell(f"postflop export {TURN} --out {out} --street river").ok()
    some = out.read_text().splitlines()
    assert {line.split(",")[1] for line in some[1:]} == {"river"}
    shell(f"postflop export {TURN} --out {out} --street river --all-runouts").ok()
    assert len(out.read_text().splitlines()) > len(some)


@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        (
            "--out {folder}/tree.txt",
            ConfigError,
            dict(option="path", remedy="use a name that ends in .json, .jsonl, .csv or .parquet"),
        ),
        ("--out {folder}/no/tree.json", OutputError, dict(option="folder")),
        ("--out {folder}/tree.json --line B30", LineSyntaxError, dict(position=0)),
        (
            "--out {folder}/tree.json --street flop",
            ConfigError,
            dict(option="line", given="", remedy="use another line, or other streets"),
        ),
        ("--out {folder}/tree.json --hand AhA", RangeSyntaxError, dict(position=0)),
        (
            "--out {folder}/tree.json --hand 72o",
            ConfigError,
            dict(option="hands", given="Range('72o')", place="the root"),
        ),
        (
            "--out {folder}/tree.json --hand AsTs",
            ConfigError,
            dict(option="hands", given="Range('AsTs')", place="the root"),
        ),
        (
            "--out {folder}/tree.json --line X --hand 72o",
            ConfigError,
            dict(option="hands", given="Range('72o')", place="X"),
        ),
        (
            "--out {folder}/tree.json --hand ''",
            ConfigError,
            dict(option="hands", given="", remedy="give some, such as AhKh or QQ+"),
        ),
        (
            "--out {folder}/tree.json --target 0.3p",
            ConfigError,
            dict(option="target", given="0.3p"),
        ),
    ],
)
def test_what_is_refused_before_anything_is_solved(
    options: str,
    kind: type[EquilibristError],
    fields: dict[str, Any],
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(SpotSolver, "run")
    shell(f"postflop export {POLAR} {options.format(folder=tmp_path)}").refused(kind, **fields)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_is_exported(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = SpotSolver.run

    def interrupted(solver: SpotSolver, iterations: int, /) -> None:
        run(solver, iterations)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SpotSolver, "run", interrupted)
    ran = shell(f"postflop export {POLAR} --out {shlex.quote(str(file))}")
    assert ran.code == 130
    document = json.loads(file.read_text())
    assert document["stopped_by"] == "interrupted"
    assert document["iterations"] < 30


def test_saved_solutions_are_not_solved_again(shell: Shell, tmp_path: Path) -> None:
    solved, direct, later = (tmp_path / name for name in ("solved.spot", "a.csv", "b.csv"))
    shell(f"postflop solve {TURN} --quiet --out {solved}").ok()
    shell(f"postflop export {TURN} --quiet --out {direct}").ok()
    shell(f"postflop export {solved} --quiet --out {later}").ok()
    assert later.read_text() == direct.read_text()
    report = "--line X-X --csv --quiet"
    expected = shell(f"postflop report {TURN} {report}").ok().out
    assert shell(f"postflop report {solved} {report}").ok().out == expected
    for options, message in [("--iterations 9", "--iterations"), ("--pot 9", "--pot")]:
        ran = shell(f"postflop export {solved} --out {later} {options}")
        assert ran.code == 2
        assert f"solved already; leave out {message}" in ran.err
    ran = shell(f"postflop estimate {solved}")
    assert (ran.code, "not a spot file" in ran.err) == (2, True)
