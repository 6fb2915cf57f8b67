"""`graft`: bases of all kinds, ways to combine grafts, files, warnings and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, UnsupportedError
from equilibrist.grafting import graft
from tests.cli.command import Shell
from tests.refusals import unchecked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def base(shell: Shell, folder: Path) -> str:
    """A solution of an abstract game, in a file that carries the map."""
    shell(
        "solve kuhn --abstraction cards(JQ.K) --algorithm cfr+ --iterations 20 "
        "--out base.safetensors"
    ).ok()
    return "base.safetensors"


def read(path: str) -> eq.Strategy:
    return eq.load_result(path).strategy.on(eq.compile_game("kuhn"))


@pytest.mark.parametrize("method", ["sequential", "joint", "independent", "static"])
def test_the_document_and_the_file(shell: Shell, base: str, method: str) -> None:
    flag = "" if method == "sequential" else f"--{method}"
    line = f"graft {base} --block *b --block ?p {flag} --out new.safetensors"
    document = shell(f"{line} --json").ok().json
    strategy = read(base)
    found = graft(strategy, ["*b", "?p"], method=unchecked(method))
    for name, value in found.to_dict().items():
        assert document[name] == value, name
    assert document["base_abstraction"] == "cards(JQ.K)"
    assert document["file"] == "new.safetensors"
    saved = read("new.safetensors")
    np.testing.assert_array_equal(saved.probabilities, found.strategy.probabilities)
    assert document["strategy"] == saved.to_dict()
    measured = shell("evaluate new.safetensors --json").ok().json
    assert measured["exploitability"] == pytest.approx(sum(document["after"]) / 2, abs=1e-9)
    assert measured["abstraction"] is None
    for key in ("1", "2", "3"):
        assert saved[key] == strategy[key]


def test_what_people_read(shell: Shell, base: str) -> None:
    found = shell(f"graft {base} --block *b --block ?p").ok()
    assert "by true best responses" in found.out
    assert "left out" in found.out
    assert "Warning" not in found.err
    assert f"equilibrist graft {base} --block '*b' --block '?p' --out" in found.err
    for way in ("independent", "static"):
        assert "Warning" in shell(f"graft {base} --block *b --block ?p --{way}").ok().err
    static = shell(f"graft {base} --block ?p --static").ok()
    assert "Seat 1 is worse off" in static.err


def test_what_an_expert_is_not_told(shell: Shell, folder: Path) -> None:
    eq.Strategy.first_action(eq.compile_game("kuhn")).save("passing.csv")
    found = shell("graft passing.csv --game kuhn --block *b --static").ok()
    assert "At 6 infosets" in found.err


def test_seats_abstractions_and_iterations(shell: Shell, base: str) -> None:
    found = shell(f"graft {base} --block *b --seat 1 --json").ok().json
    assert {step["player"] for step in found["steps"]} == {1}
    found = shell(f"graft {base} --block *b --abstraction cards(J.QK) --json").ok().json
    assert found["strategy"]["2b"] == found["strategy"]["3b"] or not found["steps"][1]["taken"]
    found = shell(f"graft {base} --block *b --iterations 1e2 --json").ok().json
    assert found["iterations"] == 100
    assert not found["guaranteed"]


def test_three_players(shell: Shell, folder: Path) -> None:
    shell("solve kuhn(players=3) --iterations 5 --out three.safetensors").ok()
    found = shell("graft three.safetensors --block *b* --iterations 100 --out g.csv").ok()
    assert "NashConv" in found.out
    assert "No guarantee is known" in found.out
    assert "--game 'kuhn(players=3)'" in found.err
    document = shell("graft three.safetensors --block *b* --iterations 100 --json").ok().json
    assert document["after"][0] <= document["before"][0]


def test_bad_input(shell: Shell, base: str) -> None:
    for options, kind, option in (
        ("--block *x*", ConfigError, "block"),
        ("--block ?", ConfigError, "block"),
        ("--block *b --block 1b", ConfigError, "block"),
        ("--block *b --joint --static", ConfigError, "--static"),
        ("--block *b --seat 2", ConfigError, "seat"),
        ("--block *b --iterations 0", ConfigError, "iterations"),
        ("--block *b --abstraction none --abstraction none", ConfigError, "abstraction"),
        (f"--block *b --out {base}", ConfigError, "out"),
        ("--block *b --out new.txt", ConfigError, "out"),
    ):
        shell(f"graft {base} {options}").refused(kind, option=option)


def test_files_of_other_kinds(shell: Shell, folder: Path) -> None:
    Path("spot.toml").write_text("[spot]\n")
    shell("graft spot.toml --block *").refused(FileFormatError)
    Path("mine.csv").write_text("infoset,action,probability\n")
    shell("graft mine.csv --block *").refused(ConfigError, option="--game")


def test_large_games_are_refused(shell: Shell, folder: Path) -> None:
    eq.Strategy.uniform(eq.compile_game("liars_dice(sides=5)")).save("large.json")
    found = shell("graft large.json --block *").refused(UnsupportedError, option="sequences")
    assert "--iterations" in found.err


def test_a_seat_that_is_given_twice_is_named(shell: Shell, base: str) -> None:
    ran = shell(f"graft {base} --block *b --seat 1 --seat 1")
    ran.refused(ConfigError, option="seat", given=1)
    assert "--seat is 1" in ran.err
