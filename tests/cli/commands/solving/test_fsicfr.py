"""`equilibrist solve --algorithm fsicfr`, as a user types it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MemoryBudgetError, RecallError, UnsupportedError
from tests.cli.command import Shell

EXAMPLES = Path(__file__).parents[4] / "examples"


@pytest.mark.slow
def test_from_the_command_line(shell: Shell) -> None:
    ran = shell("solve 'dudo(sides=3,memory=1)' -a fsicfr -n 2000 --seed 1 --quiet").ok()
    assert "dudo(sides=3): 2,000 iterations of fsicfr" in ran.out
    assert "Solved as dudo(sides=3,memory=1), 36 infosets; given and measured in" in ran.out
    assert "an iteration visited 45 states, which stand for 129 histories (seed 1)" in ran.out
    again = shell("solve 'dudo(sides=3,memory=1)' -a fsicfr -n 2000 --seed 1 --json").ok().json
    straight = eq.solve("dudo(sides=3,memory=1)", "fsicfr", iterations=2_000, seed=1)
    assert again["exploitability"] == straight.exploitability
    shell("solve battle_of_the_sexes -a fsicfr -n 10").refused(
        UnsupportedError, option="payoffs", given="battle_of_the_sexes"
    )
    shell("solve 'dudo(dice=2,memory=1)' -a fsicfr -n 10").refused(
        MemoryBudgetError, option="memory"
    )


def test_a_game_of_ones_own_says_what_its_states_forget(shell: Shell) -> None:
    spec = f"{EXAMPLES / 'forgetful_game.py'}:Stakes(limit=6)"
    document = shell(f"solve '{spec}' -a fsicfr -n 2000 --json").ok().json
    assert document["exploitability"] < 0.05
    assert "in 97 states" in document["notes"][1]
    shell(f"solve '{spec}' -a dcfr -n 5").refused(RecallError, infoset="player 0, card 1, 6")
    error = shell(f"play '{spec}' --seats ai,ai").refused(ConfigError, option="game").error
    assert "`full_recall`" in error.remedy, "whose name loads nothing"


def test_who_forgets_is_sent_where_nobody_does(shell: Shell) -> None:
    """One plays and compares in the game of full recall, where the strategy is given."""
    shell("solve 'dudo(sides=3,memory=1)' -a fsicfr -n 500 --out short.safetensors -q").ok()
    for line in ("match fsicfr uniform --game", "play --seats ai,ai"):
        shell(f"{line} 'dudo(sides=3,memory=1)'").refused(
            ConfigError, option="game", given="dudo(sides=3,memory=1)", expected="dudo(sides=3)"
        )
    shell("match short.safetensors uniform").ok()
    shell("play short.safetensors --seats ai,ai --hands 2").ok()


@pytest.mark.parametrize("players", [1, 2, 3])
def test_players_who_forget_without_an_algorithm(
    shell: Shell, rules: Callable[[str], str], players: int
) -> None:
    """One player, three, or no constant sum: nothing names fsicfr, which refuses such games."""
    game = rules(
        f"""
        num_players = {players}
        keep = False

        def player(self, state):
            return TERMINAL if len(state) == 2 else 0

        def payoffs(self, state):
            return [float(len(set(state)))] * self.num_players

        def infoset(self, state):
            return str(len(state)) + (state if self.keep else "")

        def full_recall(self):
            game = Bad()
            game.keep = True
            return game
        """
    )
    for command in ("check", "inspect"):
        said = shell(f"{command} {game}").ok().err
        _, _, line = said.partition("Next: equilibrist ")
        shell(line.splitlines()[0]).ok()
    refused = shell(f"solve {game} -q").refused(RecallError)
    assert "fsicfr" not in refused.err
    option = "payoffs" if players == 2 else "num_players"
    shell(f"solve {game} -q -a fsicfr").refused(UnsupportedError, option=option)
