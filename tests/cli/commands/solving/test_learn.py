"""`equilibrist learn`, through a pipe and at a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.commands.solving import learn
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    UnknownNameError,
)
from tests.cli.command import Shell


def test_a_pipe_gets_all_pages(shell: Shell) -> None:
    out = shell("learn kuhn").ok().out
    assert out.count("Infoset ") == 12
    assert "R(pass)    0 + 1/12 = 1/12" in out
    assert "NashConv" in out


def test_infosets_and_iterations_may_be_chosen(shell: Shell) -> None:
    out = shell("learn kuhn -a cfr+ -n 3 -i 1pb -i 2b --simultaneous").ok().out
    assert out.startswith("Iteration 3, all players from one profile")
    assert out.count("Infoset ") == 2


def test_at_a_terminal_q_ends_the_lesson(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "q"])
    monkeypatch.setattr(learn, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _prompt: next(answers))
    assert shell("learn kuhn").ok().out.count("Infoset ") == 1


def test_the_end_of_input_ends_the_lesson(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(learn, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", ended)
    assert "Infoset" not in shell("learn kuhn").ok().out


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("khun", UnknownNameError, dict(option="game", name="khun")),
        ("kuhn -i 9", UnknownNameError, dict(option="infoset", name="9")),
        ("kuhn -a lp", ConfigError, dict(option="--algorithm", given="lp")),
        ("kuhn --seed 3", ConfigError, dict(option="--seed", given=3)),
        ("kuhn --sampler outcom", UnknownNameError, dict(option="sampler", name="outcom")),
        ("kuhn --sampler outcome -a dcfr", ConfigError, dict(option="--algorithm", given="dcfr")),
        ("kuhn --sampler outcome --simultaneous", ConfigError, dict(option="--simultaneous")),
        ("kuhn --sampler 'outcome(epsilon=2)'", ConfigError, dict(option="epsilon", given=2)),
        ("kuhn --sampler 'external(prune=9)'", ConfigError, dict(option="prune", given=9)),
        ("rps --sampler public-chance", ConfigError, dict(option="public_state")),
        ("kuhn --sampler external -i 9", UnknownNameError, dict(option="infoset", name="9")),
        ("kuhn -n 0", ConfigError, dict(option="iteration", given="0")),
        ("leduc -n 529", ConfigError, dict(option="--iteration", given=529)),
        (
            "'liars_dice(sides=5,dice=2)'",
            ConfigError,
            dict(option="game", given="liars_dice(sides=5,dice=2)"),
        ),
    ],
)
def test_bad_input_ends_with_2_and_a_remedy(
    shell: Shell, arguments: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"learn {arguments}").refused(kind, **fields)


def test_it_starts_where_it_is_told_to(shell: Shell) -> None:
    first = shell("learn rps --start first").ok().out
    assert "rock 0, paper 1, scissors -1" in first
    assert shell("learn rps --start uniform").ok().out == shell("learn rps").ok().out
    Path("rock.json").write_text(
        '{"row": {"rock": 1, "paper": 0, "scissors": 0}, '
        '"column": {"rock": 1, "paper": 0, "scissors": 0}}'
    )
    assert shell("learn rps --start rock.json").ok().out == first
    shell("learn kuhn --start rock.json").refused(UnknownNameError, name="row")
    shell("learn kuhn --start gone.json").refused(FileFormatError, option="file")


def test_one_sampled_iteration_is_worked_out(shell: Shell) -> None:
    out = shell("learn kuhn --sampler outcome --seed 3").ok().out
    assert out.startswith("Iteration 1 of outcome sampling, seed 3")
    assert "w_I        u(z)*pi_-i(h) / q(z) = -2*1/6/(1/48) = -16" in out
    assert out.count("After the traversal") == 2
    assert shell("learn kuhn -s outcome --seed 3").ok().out == out
    assert shell("learn kuhn --sampler outcome").ok().out != out
    wide = shell("learn 'kuhn(cards=9)' --sampler 'robust(k=2)' --start first -n 2").ok()
    assert "q(a)       2 of 2, each with pass 1, bet 1" in wide.out
    assert "... (9 moves)" in wide.out
    assert "--sampler 'robust(k=2)'" in wide.err


def test_the_average_of_solve_is_named_with_three_players(shell: Shell) -> None:
    out = " ".join(shell("learn 'kuhn(players=3)' --sampler external").ok().out.split())
    assert "biased with 3 players, where solve takes walk" in out
    assert "where solve takes" not in shell("learn kuhn --sampler external").ok().out


def test_games_and_samplers_of_ones_own_are_worked_out(shell: Shell) -> None:
    Path("coins.py").write_text(COINS, "utf-8")
    out = shell("learn coins.py:Coins --sampler coins.py:Coin --seed 2").ok().out
    assert "Infoset what did they hide? of player 1, who traverses, at heads up" in out
    assert "u(call 'heads')" in out
    shell("learn kuhn --sampler coins.py:Fails").refused(ConfigError, option="sampler")


COINS = """
from equilibrist.solvers import OwnSampler

class Coins:
    name = "coins"
    num_players = 2
    def initial_state(self): return ()
    def player(self, s): return -2 if len(s) == 2 else len(s)
    def actions(self, s):
        return ("heads up", "tails up") if not s else ("call 'heads'", "call tails")
    def chance(self, s): return ()
    def next(self, s, a): return (*s, a)
    def payoffs(self, s): return (1.0, -1.0) if s[0] != s[1] else (-1.0, 1.0)
    def infoset(self, s): return "what did they hide?" if s else "hide"

class Coin(OwnSampler):
    def choose(self, node): return node.each([0.5, 0.75]) if node.is_own else node.one()

class Fails(OwnSampler):
    def choose(self, node): return node.one(node.nothing)
"""
