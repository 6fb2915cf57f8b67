"""What commands print of small payoffs beside large ones: six significant digits of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Shell
from tests.slow_cases import slow

LOPSIDED = """EFG 2 R "the units of two players" { "A" "B" }
p "" 1 1 "a" { "L" "R" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 0 30000 }
t "" 2 "" { 1e-7 40000 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { 2.5e-7 10000 }
t "" 4 "" { 3e-7 0 }
"""
"""R is better than L by 2e-7 at least; B then plays l."""

FORBIDDEN = """EFG 2 R "a small unit beside a penalty" { "A" "B" }
p "" 1 1 "a" { "l" "r" "no" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 3e-6 -3e-6 }
t "" 2 "" { -1e-6 1e-6 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { -1e-6 1e-6 }
t "" 4 "" { 2e-6 -2e-6 }
t "" 5 "" { -PENALTY PENALTY }
"""
"""Worth 5/7 of the unit to A, who plays (3/7, 4/7) as B does; against (1/2, 1/2) l wins 1."""

SHIFTED = """EFG 2 R "a small unit, a penalty, and stacks" { "A" "B" }
p "" 1 1 "a" { "l" "r" "no" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 5.000003 4.999997 }
t "" 2 "" { 4.999999 5.000001 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { 4.999999 5.000001 }
t "" 4 "" { 5.000002 4.999998 }
t "" 5 "" { LOW HIGH }
"""
"""The same, and both have 5 more."""

TEAM = """EFG 2 R "two against A, in a small unit" { "A" "B" "C" }
p "" 1 1 "a" { "on" "no" } 0
p "" 2 1 "b" { "l" "r" } 0
p "" 3 1 "c" { "l" "r" } 0
t "" 1 "" { -2e-6 1e-6 1e-6 }
t "" 2 "" { 4e-6 1e-6 -5e-6 }
p "" 3 1 "c" { "l" "r" } 0
t "" 3 "" { 4e-6 -1e-6 -3e-6 }
t "" 4 "" { -1e-6 1e-6 0 }
t "" 5 "" { -PENALTY HALF HALF }
"""
"""B and C secure 2 of the unit by l, l."""

PENALTIES = [
    pytest.param(10**3, marks=pytest.mark.slow),
    pytest.param(10**6, marks=pytest.mark.slow),
    10**9,
]


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [10**3, 10**6, 10**9])
def test_digits_are_those_of_payoffs_in_play(shell: Shell, folder: Path, penalty: int) -> None:
    (folder / "game.efg").write_text(FORBIDDEN.replace("PENALTY", str(penalty)))
    value, won = "7.14286e-07", "1e-06"
    for arguments, shown in (
        ("solve game.efg --algorithm lp", value),
        ("evaluate last", value),
        ("evaluate last --best-response best.csv --player 0", f"value {value}"),
        ("inspect last b", f"-{value}"),
        ("match last last --game game.efg", value),
        ("equilibria game.efg --method lemke-howson", value),
        ("equilibria game.efg --select entropy", value),
        ("equilibria game.efg --select against:uniform", value),
        ("exploit game.efg --opponent uniform", won),
        ("exploit game.efg --opponent uniform", value),
        ("correlate game.efg --concept ce --objective player:0", value),
        ("abstract game.efg --lossless --report", value),
        ("dominated game.efg --plans", f"{penalty - 1e-6:,.2f}"),
    ):
        assert shown in shell(arguments).ok().out, arguments


@pytest.mark.parametrize("penalty", PENALTIES)
def test_digits_of_a_team(shell: Shell, folder: Path, penalty: int) -> None:
    text = TEAM.replace("PENALTY", str(penalty)).replace("HALF", str(penalty // 2))
    (folder / "team.efg").write_text(text)
    assert "2e-06" in shell("team team.efg --adversary 0").ok().out


@pytest.mark.parametrize("penalty", PENALTIES)
def test_digits_where_all_payoffs_share_a_part(shell: Shell, folder: Path, penalty: int) -> None:
    text = SHIFTED.replace("LOW", str(5 - penalty)).replace("HIGH", str(5 + penalty))
    (folder / "game.efg").write_text(text)
    ran = shell("solve game.efg --algorithm lp").ok().out
    assert "5.000000714286" in ran
    assert "player 0 gets at least 5.00000071429" in ran
    assert "player 1 gets at least 4.99999928571" in ran
    assert "5.000000714286" in shell("match last last --game game.efg").ok().out


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("correlate {} --objective player:0", "2.5e-07"),
        slow("equilibria {} --method gambit", "2.5e-07"),
        ("dominated {}", "2e-07"),
        ("dominated {} --plans", "2e-07"),
        ("dominated {} --sequences", "2e-07"),
        ("solve {} --iterations 5000", "2.5e-07"),
        ("exploit {} --opponent uniform --everywhere", "2.75e-07"),
        ("inspect {} a", "2.75e-07"),
        ("match uniform uniform --game {}", "1.625e-07"),
    ],
)
def test_small_payoffs_have_digits(shell: Shell, folder: Path, arguments: str, shown: str) -> None:
    (folder / "units.efg").write_text(LOPSIDED)
    assert shown in shell(arguments.format("units.efg")).ok().out
