"""`team` as a user types it, and the mixture that it saves."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.equilibria import CorrelationDevice
from equilibrist.errors import ConfigError, OutputError, UnsupportedError
from tests.cli.command import Shell


def test_a_team_and_its_file(shell: Shell, folder: Path) -> None:
    line = "team 'kuhn(players=3)' --adversary 2"
    ran = shell(f"{line} --out team.safetensors").ok()
    assert "players 0 and 1 against player 2" in ran.out
    assert "-0.041667" in ran.out
    assert "constant sum" not in ran.out
    assert "--mediator team.safetensors" in ran.err
    device = CorrelationDevice.load("team.safetensors")
    assert sum(device.values[:2]) == pytest.approx(-1 / 24, abs=1e-9)
    document = shell(f"{line} --json").ok().json
    assert document["team"] == [0, 1]
    assert document["value"] == pytest.approx(-1 / 24, abs=1e-9)
    assert document["duality_gap"] <= 1e-7
    assert document["support"] == len(document["plans"])
    assert sum(plan["weight"] for plan in document["plans"]) == pytest.approx(1.0)
    assert all(len(plan["members"]) == 2 for plan in document["plans"])
    assert document["file"] is None
    hands = "play 'kuhn(players=3)' --mediator team.safetensors --seats ai,ai,ai --hands 5 --quiet"
    assert "5 hands" in shell(hands).ok().out


def test_a_game_of_no_constant_sum(shell: Shell) -> None:
    ran = shell("team chsh --adversary 0").ok()
    assert "players 1 and 2 against player 0" in ran.out
    assert "no constant sum" in ran.out


def test_two_against_two(shell: Shell) -> None:
    game = "'random_tree(seed=1,players=4,depth=4,branching=2,stop=0.05)'"
    ran = shell(f"team {game} --adversary 1,3").ok()
    assert "players 0 and 2 against players 1 and 3" in ran.out
    document = shell(f"team {game} --adversary 3,1 --json").ok().json
    assert document["adversaries"] == [1, 3]
    assert document["duality_gap"] <= 1e-6


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("team kuhn --adversary 0", UnsupportedError, {"option": "players", "given": 2}),
        ("team chsh --adversary 3", ConfigError, {"option": "adversary", "given": 3}),
        ("team chsh --adversary one", ConfigError, {"option": "adversary"}),
        ("team chsh --adversary 0 --out team.json", ConfigError,
         {"option": "--out", "given": "team.json"}),
        ("team chsh --adversary 0 --out no/team.safetensors", OutputError, {}),
    ],
)  # fmt: skip
def test_what_is_refused(
    shell: Shell, folder: Path, line: str, kind: type, fields: dict[str, object]
) -> None:
    shell(line).refused(kind, **fields)


def test_rows_fit_the_terminal(shell: Shell) -> None:
    """A plan is a row for each member, folded like all last columns."""
    out = shell('team "kuhn(players=3)" --adversary 2').ok().out
    table = [line for line in out.splitlines() if line.startswith("  ")]
    assert table[0].split() == ["drawn", "for", "plan"]
    assert table[1].split()[1:3] == ["player", "0"]
    assert max(map(len, table)) <= 120


FAR = """EFG 2 R "far" { "A" "B" "C" }
c "" 1 "" { "sun" 0.9 "ruin" 0.1 } 0
p "" 1 1 "" { "a" "b" } 0
p "" 3 2 "" { "a" "b" } 0
t "" 1 "" { 1 0 -1 }
t "" 2 "" { 0 0 0 }
p "" 3 2 "" { "a" "b" } 0
t "" 3 "" { 0 0 0 }
t "" 4 "" { 1 0 -1 }
t "" 5 "" { -PENALTY 0 PENALTY }
"""


@pytest.mark.parametrize("penalty", ["30", "1000000000", "100000000000"])
def test_what_chance_alone_decides_hides_nothing(penalty: str, shell: Shell, folder: Path) -> None:
    Path("far.efg").write_text(FAR.replace("PENALTY", penalty))
    ran = shell("team far.efg --adversary 2 --json").ok().json
    assert ran["value"] == pytest.approx(0.45 - 0.1 * float(penalty), rel=1e-15, abs=1e-9)
    assert ran["duality_gap"] <= 1e-15 * float(penalty)
    assert "proved that no other one earns more." in shell("team far.efg --adversary 2").ok().out


LARGE = """EFG 2 R "team363" { "P0" "P1" "P2" }
p "" 2 1 "h1" { "a0" "a1" } 0
p "" 3 2 "h2" { "a0" "a1" } 0
p "" 1 3 "h3" { "a0" "a1" "a2" } 0
p "" 1 4 "h4" { "a0" "a1" "a2" } 0
t "" 1 "" { 1 995 1004 }
t "" 2 "" { 0 1004 996 }
t "" 3 "" { -2 999 1003 }
p "" 1 5 "h5" { "a0" "a1" } 0
t "" 4 "" { 3 1002 995 }
t "" 5 "" { 4 1000 996 }
t "" 6 "" { -2 -99998996 100000998 }
t "" 7 "" { -4 1001 1003 }
p "" 2 6 "h6" { "a0" "a1" } 0
p "" 2 7 "h7" { "a0" "a1" } 0
t "" 8 "" { -1 996 1005 }
p "" 1 8 "h8" { "a0" "a1" "a2" } 0
t "" 9 "" { 99999997 996 -99998993 }
t "" 10 "" { 4 998 998 }
t "" 11 "" { 3 995 1002 }
p "" 3 2 "h2" { "a0" "a1" } 0
p "" 1 8 "h8" { "a0" "a1" "a2" } 0
t "" 12 "" { -3 996 1007 }
t "" 13 "" { -2 100000999 -99998997 }
t "" 14 "" { 4 1000 996 }
p "" 3 9 "h9" { "a0" "a1" "a2" } 0
t "" 15 "" { 3 1001 996 }
t "" 16 "" { 0 1004 996 }
t "" 17 "" { -3 1004 999 }
"""


def test_a_bound_above_the_value_is_not_called_the_value(shell: Shell, folder: Path) -> None:
    """Beside 1e8, which play meets, four more count as rounding: they are not proven away."""
    Path("far.efg").write_text(LARGE)
    ran = shell("team far.efg --adversary 2").ok()
    document = shell("team far.efg --adversary 2 --json").ok().json
    assert document["duality_gap"] > 1.0
    assert "no other one earns more." not in ran.out
    assert "than the bound" in ran.out
