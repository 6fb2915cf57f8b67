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


def test_cards_are_those_of_the_pages(shell: Shell) -> None:
    """J, Q and K; infosets may be given so, and by their keys."""
    out = shell("learn kuhn -i Jpb").ok().out
    assert out == shell("learn kuhn -i 1pb").ok().out
    assert "Infoset Jpb (1pb) of player 0" in out
    assert "history    J K pass bet" in out
    assert "\n  Qb         pass" in out
    sampled = shell("learn kuhn --sampler outcome --seed 1").ok().out
    assert "one, by J 1/3, Q 1/3, K 1/3" in sampled
    assert "Infoset J (1) of player 0, who traverses, at J/K" in sampled
    assert "J R(pass)  0 - 1 = -1" in sampled


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


def test_documents_have_the_numbers_of_the_pages(shell: Shell) -> None:
    """Of the full traversal those of the hand calculation; of a sample what the pages print."""
    full = shell("learn kuhn -n 2 -a cfr+ -i 1pb --json").ok().json
    (turn,) = full["turns"]
    assert (turn["infoset"], full["algorithm"], full["num_steps"]) == ("1pb", "cfr+", 73)
    assert sum(turn["instant"][k] * turn["strategy"][k] for k in (0, 1)) == pytest.approx(0)
    sampled = shell("learn kuhn --sampler outcome --seed 3 --json").ok().json
    assert (sampled["sampler"], sampled["seed"], sampled["num_steps"]) == ("outcome", 3, 14)
    (step,) = [
        s for s in sampled["steps"] if s.get("infoset") == "1" and s["traverser"] == 0
    ]  # as `--sampler outcome --seed 3` prints it
    assert step["history"] == ["1", "3"]
    assert (step["weight"], step["values"], step["regret"]) == (1, [-4, 0], [-2, 2])
    assert step["trajectory"]["weight"] == pytest.approx(-16)
    assert step["trajectory"]["tail_after"] == 2 * step["trajectory"]["tail"] == 0.25
    updates = sampled["steps"][6]
    assert (updates["kind"], updates["traverser"]) == ("updates", 0)
    changed = {one["infoset"]: one["regret_change"] for one in updates["infosets"]}
    assert changed == {"1": [-2, 2], "1pb": [4, -4], "3p": None}
    only = shell("learn kuhn --sampler outcome --seed 3 -i 1 --json").ok().json
    assert {s["infoset"] for s in only["steps"] if s["kind"] != "updates"} == {"1"}
    shell("learn kuhn -i 9 --json").refused(UnknownNameError, option="infoset", name="9")


@pytest.mark.parametrize(
    "sampler", ["chance", "external", "robust", "pure", "escher", "textbook", "probing"]
)
def test_documents_of_samplers_add_up(shell: Shell, sampler: str) -> None:
    """What histories add is what the traversal changes."""
    document = shell(f"learn kuhn --sampler {sampler} --seed 5 -n 3 --json").ok().json
    added: dict[str, list[float]] = {}
    for step in document["steps"]:
        if step["kind"] != "updates":
            if step["regret"]:
                row = added.setdefault(step["infoset"], [0.0] * len(step["regret"]))
                added[step["infoset"]] = [x + y for x, y in zip(row, step["regret"], strict=True)]
            continue
        for one in step["infosets"]:
            if one["regret_change"] is not None:
                assert one["regret_change"] == pytest.approx(added[one["infoset"]])
        added = {}
    assert set(document["actions"]) == set(document["ending"]["average"])
