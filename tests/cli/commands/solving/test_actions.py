"""Action abstractions on the command line: every command that reads the solution takes it."""

from __future__ import annotations

import io

import pytest

from equilibrist.errors import ConfigError, UnknownNameError
from tests.cli.command import Shell

GAME = "'kuhn_bets(cards=5)'"


@pytest.fixture
def limited(shell: Shell) -> str:
    """A solution with the bets 1 and 3."""
    shell(f"solve {GAME} --actions bets=1,3 -a cfr+ -n 50 -o limited.safetensors -q").ok()
    return "limited.safetensors"


def test_solve_says_what_it_left_out(shell: Shell) -> None:
    ran = shell(f"solve {GAME} --actions bets=1,3 --translate half -n 20 --json").ok()
    assert ran.json["actions"] == {"name": "bets=1,3", "translate": "half", "num_actions": 90}
    assert ran.json["config"]["actions"] == "bets=1,3"
    assert ran.json["strategy"]["1"]["bet 2"] == 0.0
    assert ran.json["strategy"]["2:b2"]["call"] > 0.0
    text = shell(f"solve {GAME} --actions bets=1,3 -n 2").ok().out
    assert "Action abstraction bets=1,3: the abstract game has 306 of 426 histories" in text
    assert "(pseudo-harmonic)" in text


def test_evaluate_measures_in_the_full_game(shell: Shell, limited: str) -> None:
    document = shell(f"evaluate {limited} --json").ok().json
    assert document["num_infosets"] == 40
    assert document["actions"]["name"] == "bets=1,3"
    assert document["abstraction"] is None
    assert "bets=1,3" in shell(f"evaluate {limited}").ok().out


def test_inspect_says_what_an_infoset_is_taken_for(shell: Shell, limited: str) -> None:
    for options in ("", "--no-values"):
        document = shell(f"inspect {limited} 2:b2 2:b1 2 --json {options}").ok().json
        found = {row["infoset"]: row for row in document["infosets"]}
        assert found["2:b2"]["taken_for"] == {"2:b1": 0.375, "2:b3": 0.625}
        assert found["2:b1"]["taken_for"] == {"2:b1": 1.0}
        assert found["2"]["left_out"] == ["bet 2"]
    text = shell(f"inspect {limited} 2:b2 2").ok().out
    assert "taken for 2:b1 with weight 0.375, 2:b3 with weight 0.625" in text
    assert "solved without bet 2" in text
    assert "actions bets=1,3 (pseudo-harmonic)" in shell(f"inspect {limited}").ok().out
    plain = shell("inspect kuhn 1 --json").ok().json
    assert plain["infosets"][0]["taken_for"] is None


def test_match_export_and_play_take_the_translated_strategy(
    shell: Shell, limited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(f"export {limited} table.csv").ok()
    own = shell(f"evaluate {limited} --json").ok().json
    exported = shell(f"evaluate table.csv --game {GAME} --json").ok().json
    assert exported["exploitability"] == own["exploitability"]
    match = shell(f"match {limited} table.csv --game {GAME} --json").ok().json
    for row in match["values"]:
        assert row == pytest.approx(own["values"], abs=1e-12)
    monkeypatch.setattr("sys.stdin", io.StringIO("bet 2\n"))
    played = shell(f"play {limited} --seats human,ai --hands 1 --seed 1").ok()
    assert "bet 2" in played.out


def test_refusals(shell: Shell) -> None:
    shell(f"solve {GAME} --actions bets=7").refused(ConfigError, option="actions", given="7")
    shell(f"solve {GAME} --translate half").refused(ConfigError, option="translate")
    shell(f"solve {GAME} --actions bets=1 --translate harmonic").refused(
        UnknownNameError, option="translate"
    )
