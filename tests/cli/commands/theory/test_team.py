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
