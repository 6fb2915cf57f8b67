"""Theory commands on files of games that forbid actions by a penalty, and whose payoffs are stacks.

Where nobody does what is forbidden, a game is worth what it is worth without it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Shell

LAST_MOVE = """EFG 2 R "one choice" { "A" "B" }
p "" 2 1 "" { "go" "illegal" } 0
p "" 1 1 "" { "a" "b" "illegal" } 0
t "" 1 "" { -1 1 }
t "" 2 "" { 2 -2 }
t "" 3 "" { -PENALTY PENALTY }
t "" 4 "" { PENALTY -PENALTY }
"""
"""Worth 2 to A."""

STAKES = """EFG 2 R "rock, paper, scissors of unequal stakes" { "A" "B" }
p "" 1 1 "" { "r" "p" "s" "illegal" } 0
p "" 2 1 "" { "r" "p" "s" "illegal" } 0
t "" 1 "" { 0 0 }
t "" 2 "" { -1 1 }
t "" 3 "" { 2 -2 }
t "" 4 "" { PENALTY -PENALTY }
p "" 2 1 "" { "r" "p" "s" "illegal" } 0
t "" 5 "" { 1 -1 }
t "" 6 "" { 0 0 }
t "" 7 "" { -1 1 }
t "" 8 "" { PENALTY -PENALTY }
p "" 2 1 "" { "r" "p" "s" "illegal" } 0
t "" 9 "" { -1 1 }
t "" 10 "" { 1 -1 }
t "" 11 "" { 0 0 }
t "" 12 "" { PENALTY -PENALTY }
t "" 13 "" { -PENALTY PENALTY }
"""
"""Worth 1/12 to A, who plays (1/4, 5/12, 1/3)."""

TEAM = """EFG 2 R "two against A" { "A" "B" "C" }
p "" 1 1 "" { "on" "illegal" } 0
p "" 3 1 "" { "l" "r" "illegal" } 0
c "" 1 "" { "x" 1/2 "y" 1/4 "z" 1/4 } 0
t "" 1 "" { 2 2 -4 }
t "" 2 "" { -5 0 5 }
t "" 3 "" { 5 -3 -2 }
p "" 2 1 "" { "l" "r" "illegal" } 0
t "" 4 "" { 4 1 -5 }
t "" 5 "" { 0 0 0 }
t "" 6 "" { HALF -PENALTY HALF }
t "" 7 "" { HALF HALF -PENALTY }
t "" 8 "" { -PENALTY HALF HALF }
"""
"""B and C get 0 by r, r; by l they lose 1 on average."""

CHICKEN = """EFG 2 R "chicken" { "A" "B" }
p "" 1 1 "" { "dare" "yield" } 0
p "" 2 1 "" { "dare" "yield" } 0
t "" 1 "" { -PENALTY -PENALTY }
t "" 2 "" { 7 2 }
p "" 2 1 "" { "dare" "yield" } 0
t "" 3 "" { 2 7 }
t "" 4 "" { 6 6 }
"""


def written(folder: Path, text: str, penalty: int) -> str:
    """The name of a file with the game."""
    text = text.replace("HALF", str(penalty // 2)).replace("PENALTY", str(penalty))
    (folder / "game.efg").write_text(text)
    return "game.efg"


@pytest.mark.parametrize("penalty", [10**7, 10**9, 10**12])
@pytest.mark.parametrize(("text", "value"), [(LAST_MOVE, 2.0), (STAKES, 1 / 12)])
def test_what_is_forbidden_changes_no_value(
    shell: Shell, folder: Path, text: str, value: float, penalty: int
) -> None:
    game = written(folder, text, penalty)
    rounding = 1e-7 + 4e-15 * penalty
    for command in (
        f"solve {game} --algorithm lp",
        f"equilibria {game} --select entropy",
        f"equilibria {game} --select against:uniform",
    ):
        found = shell(f"{command} --json").ok().json
        assert found["values"][0] == pytest.approx(value, abs=rounding), command
        assert found["nash_conv"] <= rounding, command
    found = shell(f"correlate {game} --concept ce --json").ok().json
    assert found["values"][0] == pytest.approx(value, abs=rounding)
    assert found["gap"]["total"] <= rounding
    found = shell(f"exploit {game} --opponent uniform --safe 0.1 --json").ok().json
    assert found["game_value"] == pytest.approx(value, abs=rounding)
    assert found["guarantee"] >= value - 0.1 - rounding


@pytest.mark.parametrize("penalty", [10**7, 10**9, 10**12])
def test_a_team_secures_what_it_can(shell: Shell, folder: Path, penalty: int) -> None:
    found = shell(f"team {written(folder, TEAM, penalty)} --adversary 0 --json").ok().json
    assert found["value"] == pytest.approx(0.0, abs=4e-15 * penalty)
    assert found["bound"] == pytest.approx(0.0, abs=4e-15 * penalty)
    assert found["plans"][0]["members"][1]["player 3, infoset 1"] == "r"


@pytest.mark.parametrize("concept", ["ce", "efce", "efcce", "cce"])
@pytest.mark.parametrize("penalty", [10**7, 10**9, 10**12])
def test_nobody_gains_by_deviating(shell: Shell, folder: Path, concept: str, penalty: int) -> None:
    game = written(folder, CHICKEN, penalty)
    found = shell(f"correlate {game} --concept {concept} --json").ok().json
    assert found["gap"]["total"] <= 1e-9 + 1e-15 * penalty
    assert found["optimum"] == pytest.approx(12.0, abs=1e-5)


@pytest.mark.parametrize("kind", ["", "--plans", "--sequences"])
@pytest.mark.parametrize("penalty", [10**7, 10**9, 10**12])
def test_margins_are_found_beside_penalties(
    shell: Shell, folder: Path, kind: str, penalty: int
) -> None:
    """A's b is ahead of a by 3 wherever A moves, and what is illegal is worse than anything."""
    game = written(folder, LAST_MOVE, penalty)
    found = shell(f"dominated {game} {kind} --json").ok().json["dominated"]
    plain = shell(f"dominated {written(folder, LAST_MOVE, 100)} {kind} --json").ok().json
    told = [(one["player"], one.get("action", one.get("plan")), one["round"]) for one in found]
    assert told == [
        (one["player"], one.get("action", one.get("plan")), one["round"])
        for one in plain["dominated"]
    ]
    assert len(told) >= 2
