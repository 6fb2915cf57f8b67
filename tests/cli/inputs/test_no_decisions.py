"""A game in which nobody decides: commands answer, or say that there is nothing to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError
from tests.cli.command import Shell

COIN = """
class Coin:
    name, num_players = "coin", 2

    def initial_state(self):
        return ""

    def player(self, state):
        return -2 if state else -1

    def actions(self, state):
        return "H", "T"

    def chance(self, state):
        return 0.5, 0.5

    def next(self, state, action):
        return "HT"[action]

    def payoffs(self, state):
        return (1, -1) if state == "H" else (-1, 1)

    def infoset(self, state):
        return state
"""


@pytest.fixture
def coin(folder: Path) -> str:
    (folder / "coin.py").write_text(COIN)
    return "coin.py"


def test_commands_that_answer(shell: Shell, coin: str) -> None:
    assert shell(f"solve {coin} -n 2 --json").ok().json["exploitability"] == 0
    ran = shell(f"solve {coin} -n 2").ok()
    assert "play" not in ran.err
    ran = shell(f"play {coin} --hands 2").ok()
    assert "--coach" not in ran.err
    for line in (
        f"evaluate last --game {coin}",
        f"match last uniform --game {coin}",
        f"dominated {coin}",
        f"exploit {coin} --opponent uniform",
        f"learn {coin}",
        f"abstract {coin} --lossless",
    ):
        shell(line).ok()


def test_commands_that_have_nothing_to_do(shell: Shell, coin: str) -> None:
    shell(f"solve {coin} -n 2").ok()
    shell(f"graft last --game {coin} --block *").refused(ConfigError, option="block", given="*")
    shell(f"play {coin} --drill *").refused(ConfigError, option="pattern", given="*")
    shell(f"play {coin}").refused(ConfigError, option="--hands")
    ran = shell("evaluate last").refused(ConfigError, option="--game", given="coin")
    assert "--game coin.py:Coin" in ran.err
