"""Abstractions on the command line: every command that reads the solution lifts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, UnknownNameError, UnsupportedError
from tests.cli.command import Shell

RULES = "def merge(key, player, facts):\n    return 'x' + key[1:] if key[0] in '12' else None\n"


@pytest.fixture
def merged(shell: Shell, folder: Path) -> str:
    """A solution that was found with a function which is no longer there."""
    (folder / "merge.py").write_text(RULES)
    shell("solve kuhn --abstraction merge.py:merge -a cfr+ -n 50 -o merged.safetensors -q").ok()
    (folder / "merge.py").unlink()
    return "merged.safetensors"


def test_evaluate_measures_in_the_full_game(shell: Shell, merged: str) -> None:
    document = shell(f"evaluate {merged} --json").ok().json
    assert document["num_infosets"] == 12
    assert document["abstraction"] == {
        "name": "merge.py:merge",
        "recall": ["perfect", "perfect"],
        "num_infosets": 8,
    }
    assert document["exploitability"] > 0.05
    assert "merge.py:merge" in shell(f"evaluate {merged}").ok().out


def test_inspect_names_the_abstract_infoset(shell: Shell, merged: str) -> None:
    for options in ("", "--no-values"):
        document = shell(f"inspect {merged} 1b 2b 3b --json {options}").ok().json
        found = document["infosets"]
        assert [row["abstract_infoset"] for row in found] == ["xb", "xb", "3b"]
        assert found[0]["strategy"] == found[1]["strategy"] != found[2]["strategy"]
    assert "which stands for 2 infosets" in shell(f"inspect {merged} 1").ok().out
    assert "abstraction merge.py:merge" in shell(f"inspect {merged}").ok().out
    plain = shell("inspect kuhn 1 --json").ok().json
    assert plain["infosets"][0]["abstract_infoset"] is None


def test_match_and_export_play_the_lifted_strategy(shell: Shell, merged: str) -> None:
    shell(f"export {merged} table.csv").ok()
    exported = shell("evaluate table.csv --game kuhn --json").ok().json
    own = shell(f"evaluate {merged} --json").ok().json
    assert exported["exploitability"] == own["exploitability"]
    match = shell(f"match {merged} table.csv --game kuhn --json").ok().json
    for row in match["values"]:
        assert row == pytest.approx(own["values"], abs=1e-12)


def test_solve_says_what_it_merged(shell: Shell) -> None:
    document = shell('solve leduc --abstraction "cards(JQ.K,pair)" -n 2 --json').ok().json
    assert document["abstraction"]["num_infosets"] == 132
    assert document["num_infosets"] == 936
    assert document["config"]["abstraction"] == "cards(JQ.K,pair)"
    text = shell('solve kuhn --abstraction "0:cards(JQ.K)" -n 2').ok().out
    assert "Abstraction 0:cards(JQ.K): 10 abstract infosets stand for 12" in text


def test_refusals(shell: Shell) -> None:
    shell("solve kuhn --abstraction card").refused(UnknownNameError, option="abstraction")
    shell('solve kuhn --abstraction "cards(JQ)"').refused(ConfigError, option="abstraction")
    shell('solve kuhn -a lp --abstraction "memory(last=0)"').refused(
        UnsupportedError, option="algorithm"
    )
