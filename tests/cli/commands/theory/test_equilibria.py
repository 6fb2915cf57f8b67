"""`equilibria`: every selection, files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist.equilibria.nash.candidates import Candidates
from equilibrist.equilibria.nash.solving import METHODS
from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError, UnsupportedError
from tests.cli.command import Shell


def test_the_selections_of_kuhn(shell: Shell) -> None:
    perfect = shell("equilibria kuhn --select tremble --json").ok().json
    assert perfect["perturbed_value"] == pytest.approx(-0.055278, abs=6e-7)
    assert perfect["strategy"]["1"]["bet"] == pytest.approx(0.333)
    quasi = shell("equilibria kuhn --select quasi-perfect --epsilon 1e-4 --json").ok().json
    assert quasi["strategy"]["1"]["bet"] == pytest.approx(0.9999 / 3)
    entropic = shell("equilibria kuhn --select entropy --json").ok().json
    assert entropic["strategy"]["1"]["bet"] == pytest.approx(0.200761, abs=6e-7)
    assert entropic["wins"] is None
    winning = shell("equilibria kuhn --select against:uniform --json").ok().json
    assert winning["wins"] == pytest.approx([1 / 6, 1 / 6])
    assert winning["exploitability"] == pytest.approx(0.0, abs=1e-9)


def test_the_reports(shell: Shell) -> None:
    out = shell("equilibria kuhn --select tremble").ok().out
    assert "-0.055278" in out
    assert "alpha = 0.3330" in out
    assert "0.166667 against uniform" in shell("equilibria kuhn --select against:uniform").ok().out


def test_a_saved_equilibrium(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = shell("equilibria kuhn --select entropy --out chosen.csv").ok()
    assert "inspect chosen.csv" in ran.err
    kept = shell("evaluate chosen.csv --game kuhn --json").ok().json
    assert kept["exploitability"] == pytest.approx(0.0, abs=1e-9)
    found = shell("equilibria kuhn --select against:chosen.csv --json").ok().json
    assert found["wins"] == pytest.approx([-1 / 18, 1 / 18], abs=1e-6)


def test_against_a_stored_solution(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -q -n 20").ok()
    found = shell("equilibria kuhn --select against:last --json").ok().json
    assert found["wins"] == pytest.approx([-1 / 18, 1 / 18], abs=0.5)


def test_what_is_refused(shell: Shell) -> None:
    shell("equilibria kuhn").refused(ConfigError, option="--select", given=None)
    shell("equilibria kuhn --select proper").refused(UnknownNameError, option="--select")
    shell("equilibria kuhn --select against:").refused(ConfigError, option="--select")
    shell("equilibria kuhn --select against:no.csv").refused(FileFormatError, option="file")
    shell("equilibria kuhn --select against:nobody").refused(
        ConfigError, option="--select", given="nobody"
    )
    shell("equilibria kuhn --select entropy --epsilon 0.1").refused(ConfigError, option="--epsilon")
    shell("equilibria kuhn --select tremble --epsilon 0.7").refused(
        ConfigError, option="epsilon", given=0.7
    )
    shell('equilibria "kuhn(players=3)" --select entropy').refused(
        UnsupportedError, option="num_players", given=3
    )


@pytest.mark.slow
def test_the_list_of_battle_of_the_sexes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = shell("equilibria battle_of_the_sexes --method gambit --json").ok().json
    assert [one["values"] for one in found["equilibria"]] == [
        pytest.approx([3.0, 2.0]),
        pytest.approx([2.0, 3.0]),
        pytest.approx([1.2, 1.2]),
    ]
    assert found["equilibria"][2]["strategy"]["row"]["bach"] == pytest.approx(0.6)
    assert (found["rejected"], found["file"]) == (0, None)
    ran = shell("equilibria battle_of_the_sexes --method gambit --number 3 --out mixed.csv").ok()
    assert "3 Nash equilibria" in ran.out
    assert "inspect mixed.csv" in ran.err
    kept = shell("evaluate mixed.csv --game battle_of_the_sexes --json").ok().json
    assert kept["values"] == pytest.approx([1.2, 1.2])


def test_a_list_of_none(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Candidates("a method", "all were missed", ())
    monkeypatch.setitem(METHODS, "gambit", lambda tree: nothing)
    ran = shell("equilibria chicken --method gambit").ok()
    assert "0 Nash equilibria" in ran.out
    assert "every finite game has one" in ran.out
    assert "Verified" not in ran.out
    assert ran.err == ""
    found = shell("equilibria chicken --method gambit --json").ok().json
    assert found["equilibria"] == []


@pytest.mark.slow
def test_what_a_list_is_refused(shell: Shell) -> None:
    shell("equilibria kuhn --method simplex").refused(UnknownNameError, option="--method")
    both = "equilibria kuhn --method gambit --select entropy"
    shell(both).refused(ConfigError, option="--select")
    shell("equilibria chicken --method gambit --epsilon 0.1").refused(
        ConfigError, option="--epsilon"
    )
    shell("equilibria chicken --method gambit --number 2").refused(ConfigError, option="--number")
    shell("equilibria chicken --method gambit --number 4 --out a.csv").refused(
        ConfigError, option="--number", given=4, expected="1 to 3"
    )
    assert not Path("a.csv").exists()


@pytest.mark.parametrize("how", ["tremble", "entropy", "against:uniform"])
def test_the_document_holds_all_that_is_printed(shell: Shell, how: str) -> None:
    document = shell(f"equilibria kuhn --select {how} --json").ok().json
    gains = np.subtract(document["best_response_values"], document["values"])
    assert document["gains"] == pytest.approx(gains, abs=1e-12)
    assert document["nash_conv"] == pytest.approx(sum(document["gains"]), abs=1e-12)
    alpha = document["strategy"]["1"]["bet"]
    assert document["family"]["parameters"]["alpha"] == pytest.approx(alpha)
