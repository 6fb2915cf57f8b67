"""`equilibrist abstract GAME --actions`: sizes, translations, and what they cost."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, GameSpecError, UnsupportedError
from tests.cli.command import Shell

GAME = "'kuhn_bets(cards=13)' --actions bets=1,3"


def test_what_is_left_out(shell: Shell) -> None:
    found = shell(f"abstract {GAME} --json").ok().json
    assert found["sizes"] == [[52, 39], [52, 39]]
    assert (found["num_nodes"], found["num_abstract_nodes"]) == (3290, 2354)
    assert found["left_out"]["7"] == ["bet 2"]
    assert "7:b1" not in found["left_out"]
    assert found["translate"] == "pseudo-harmonic"
    assert {
        "infoset": "7:k",
        "action": "bet 2",
        "shares": {"bet 1": 0.375, "bet 3": 0.625},
    } in found["taken"]
    assert len(found["taken"]) == 26
    ran = shell(f"abstract {GAME} --translate up").ok()
    assert "bet 2           26  bet 3 1" in ran.out
    assert "--report" in ran.err


def test_the_report_has_all_translations(shell: Shell) -> None:
    ran = shell(f"abstract {GAME} --report").ok()
    for line in (
        "pseudo-harmonic                               1.12e-03   4.49e-04   1.79e-03",
        "down                                           0.05593     0.0434    0.06846",
        "up                                             0.08667    0.03923     0.1341",
        "half                                          4.17e-03   2.69e-03   5.64e-03",
    ):
        assert line in ran.out
    assert "equilibrist solve" in ran.err
    numbers = shell(f"abstract {GAME} --report --translate half --json").ok().json["report"]
    assert [one["mapping"] for one in numbers["translations"]] == ["half"]
    losses = numbers["translations"][0]["equilibrium"]["losses"]
    assert losses == pytest.approx([0.002692, 0.005641], abs=5.1e-7)


def test_refusals(shell: Shell) -> None:
    for options, option in (
        ("--abstraction none", "--abstraction"),
        ("--lossless", "--lossless"),
        ("--seat 0", "--seat"),
        ("--report --iterations 5", "--iterations"),
    ):
        shell(f"abstract {GAME} {options}").refused(ConfigError, option=option)
    shell("abstract kuhn_bets --translate half").refused(ConfigError, option="--translate")
    shell("abstract sheriff --actions offer=0,3").refused(GameSpecError, option="translate")
    shell("abstract sheriff --actions offer=0,3 --report").refused(UnsupportedError, option="game")
    shell("abstract kuhn").refused(ConfigError, option="--abstraction")
