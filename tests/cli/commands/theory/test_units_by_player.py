"""What commands print of players who are paid in different units: digits of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Shell

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


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("correlate {} --objective player:0", "2.5e-07"),
        ("equilibria {} --method gambit", "2.5e-07"),
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
