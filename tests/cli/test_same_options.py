"""Options that mean the same have the same spelling in all commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError
from tests.cli.command import Shell
from tests.cli.text.test_help_text import leaf_commands

SPOT = "--board 2c3d4h5s9h --oop AA --ip KK --pot 100 --stack 100 --bets a --iterations 5"
QUIET = [
    "correlate chicken", "dominated gibson", "equilibria kuhn --select entropy",
    "team 'kuhn(players=3)' --adversary 2", "exploit kuhn --opponent uniform",
    "abstract kuhn --lossless",
    "graft last --block *", "match uniform uniform --game kuhn", "inspect last", "evaluate last",
    "export last out.csv", "check kuhn", "games kuhn", f"postflop estimate {SPOT}",
    "play kuhn --seats ai,ai --hands 1", "solve kuhn -n 5", "compare kuhn -a cfr -n 5",
    "preflop pushfold --stack 2", "icm 5/3 --payouts 5", "range AA", "samplers external",
    "algorithms cfr", "last", "learn kuhn", "cache info", "postflop flops --subset 23",
    "preflop count --stack 2",
]  # fmt: skip


@pytest.mark.by_default(6)
@pytest.mark.parametrize("line", QUIET)
def test_every_command_takes_q(shell: Shell, solutions: None, line: str) -> None:
    line = line.removesuffix(" --iterations 5")
    ran = shell(f"{line} -q").ok()
    assert "Next" not in ran.err
    assert "Next" not in shell(f"{line} --quiet").ok().err


def test_every_command_lists_q() -> None:
    without = [
        path
        for path, command in leaf_commands()
        if not any({"-q", "--quiet"} <= {*option.opts} for option in command.params)
    ]
    assert not without


@pytest.mark.parametrize("way", ["{}", "--out {}"])
def test_exports_name_their_file_in_both_ways(
    shell: Shell, folder: Path, solutions: None, way: str
) -> None:
    shell(f"export last {way.format('a.csv')}").ok()
    assert (folder / "a.csv").read_text().startswith("player,infoset")
    shell(f"postflop solve {SPOT} -q --out s.spot").ok()
    shell(f"postflop export s.spot {way.format('t.csv')} -q").ok()
    shell(f"export s.spot {way.format('u.csv')}").ok()
    assert (folder / "t.csv").read_bytes() == (folder / "u.csv").read_bytes()


@pytest.mark.parametrize("command", ["export last", f"postflop export {SPOT}"])
def test_exports_need_one_file(shell: Shell, solutions: None, command: str) -> None:
    shell(command).refused(ConfigError, option="out")
    if command == "export last":
        shell(f"{command} a.csv --out b.csv").refused(ConfigError, option="out", given="b.csv")
