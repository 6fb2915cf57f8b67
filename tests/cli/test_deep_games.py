"""Lines of play longer than the default limit, in every command that walks the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, GameError
from tests.cli.command import Shell

RULES = '''
from equilibrist.games import TERMINAL


class Race:
    """Two players in turn go on or stop, which the other is paid for; the last step pays most."""

    num_players = 2

    def __init__(self, length=12_000):
        self.length = length
        self.name = f"race(length={length})"

    def initial_state(self):
        return 0, "on"

    def player(self, state):
        step, last = state
        return TERMINAL if last == "stop" or step == self.length else step % 2

    def actions(self, state):
        return ["on", "stop"]

    def chance(self, state):
        return []

    def next(self, state, action_index):
        step, _ = state
        return (step + 1, "on") if action_index == 0 else (step, "stop")

    def payoffs(self, state):
        step, last = state
        won = -1 if last == "on" else 1 + step % 2
        return [won, -won] if step % 2 else [-won, won]

    def infoset(self, state):
        return f"step {state[0]}"
'''

WALKS = [
    "solve rules.py:Race --iterations 20 --json",
    "solve rules.py:Race --algorithm lp --json",
    "games rules.py:Race --json",
    "inspect rules.py:Race --json",
]


@pytest.fixture(autouse=True)
def rules_of_a_race(folder: Path) -> None:
    (folder / "rules.py").write_text(RULES)


@pytest.mark.slow
@pytest.mark.parametrize("line", WALKS)
def test_the_limit_can_be_raised(shell: Shell, line: str) -> None:
    shell(f"{line} --max-depth 12e3").ok()
    shell(line).refused(GameError, kind="endless", option="max_depth", given=10000)
    shell(f"{line} --max-depth 11,999").refused(
        GameError, kind="endless", option="max_depth", given=11999
    )


@pytest.mark.slow
def test_files_of_deep_games(shell: Shell) -> None:
    shell("solve rules.py:Race -q --iterations 20 --max-depth 12000 --out deep.safetensors").ok()
    for command in ("evaluate", "inspect"):
        line = f"{command} deep.safetensors --game rules.py:Race"
        assert "race(length=12000)" in shell(f"{line} --max-depth 12000").ok().out
        shell(line).refused(GameError, kind="endless", option="max_depth", given=10000)
    line = "evaluate deep.safetensors --game rules.py:Race --best-response best.csv"
    shell(f"{line} --max-depth 12000").ok()
    assert "12,000 infosets" in shell("export deep.safetensors deep.json").ok().err


def test_drawings_of_deep_games(shell: Shell) -> None:
    line = "inspect 'rules.py:Race(length=2000)' --draw whole.svg --max-nodes 1e5"
    assert "4,001 histories" in shell(line).ok().err


def test_checks_of_deep_games(shell: Shell) -> None:
    assert "no problem found" in shell("check rules.py:Race --max-depth 12000").ok().out
    ran = shell("check rules.py:Race")
    assert ran.code == 1
    assert "endless: a line of play is longer than 10,000 moves" in ran.out
    assert "allow longer lines with --max-depth" in ran.out
    assert len(ran.out) < 1500


def test_limits_that_are_no_count(shell: Shell) -> None:
    for line in (*WALKS, "check rules.py:Race"):
        shell(f"{line} --max-depth 0").refused(ConfigError, option="max_depth", given="0")
