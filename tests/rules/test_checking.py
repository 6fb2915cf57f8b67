"""check_game on rules modules: every kind of mistake is found, and sound ones pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from equilibrist.game import PublicGame
from equilibrist.game_loading import check_game
from equilibrist.games import load_game
from equilibrist.tree.checks.report import KINDS, Problem
from tests.rules.own_rules import OWN, write_rules


def first(folder: Path, text: str, kind: str) -> Problem:
    """The first problem of a kind in these rules."""
    report = check_game(load_game(f"rules:{write_rules(folder, text)}"))
    assert kind in KINDS
    found = [problem for problem in report.problems if problem.kind == kind]
    assert found, str(report)
    return found[0]


@pytest.mark.slow
def test_sound_rules(tmp_path: Path) -> None:
    report = check_game(load_game(f"rules:{write_rules(tmp_path)}"))
    assert report.ok, str(report)
    assert (report.num_histories, report.num_terminals, report.depth) == (15, 8, 3)
    assert (report.num_infosets, report.constant_sum) == (3, 0)


@pytest.mark.slow
def test_rules_that_say_what_is_public(tmp_path: Path) -> None:
    text = OWN + PUBLIC.format("np.uint64(s[1])")
    game = load_game(f"rules:{write_rules(tmp_path, text)}")
    assert check_game(game).ok
    assert isinstance(game, PublicGame)
    assert game.public_state((1, 2, -1)) == "1.2"
    assert not isinstance(load_game("rules:goofspiel"), PublicGame)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        "liars_dice(dice=2,sides=6)",
        "goofspiel(cards=8)",
        "goofspiel(order=0,imp_info=0,returns=1)",
        "leduc(players=3)",
        "leduc(ranks=5,suits=3)",
    ],
)
def test_the_shipped_rules_are_sound(game: str) -> None:
    report = check_game(load_game(f"rules:{game}"), max_histories=1500)
    assert report.ok, str(report)
    assert not report.complete


def change(old: str, new: str, rounds: int = 2) -> str:
    """The rules with one text replaced, and played over so many rounds."""
    assert OWN.count(old) == 1
    return OWN.replace(old, new).replace('"rounds": 2', f'"rounds": {rounds}')


TEXT = "\ndef text(g, s):\n    return {}\n"
PROBABILITY = "\ndef probability(g, s, a):\n    return {}\n"
UNPACK = """
def unpack(g, key, s):
    {}
"""
PUBLIC = "\ndef public_state(g, s, out):\n    out[0] = np.uint64(s[0])\n    out[1] = {}\n"
COUNT = "    return 2\n\n\ndef apply"
SUM = "np.uint64(s[1])"


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (change("    s[1] = 0\n", ""), "start", r"start\(\) leaves s\[1\] as before"),
        (change("    s[2] = -1\n", "    s[2] = min(-1, s[2])\n"), "start", "depends on that"),
        (change("    return 2\n\n\ndef max_m", "    return 1\n\n\ndef max_m"), "sizes", "2 act"),
        (change("return g[0] + 1", "return g[0]"), "endless",
         r"longer than max_moves\(\) = 2 moves"),
        (change("return g[0] + 1", "return 10**8"), "sizes",
         r"max_moves\(\) = 100,000,000 moves with state_size\(\) = 3 numbers each takes"),
        (change("        s[0] += 1\n", ""), "endless",
         r"longer than max_moves\(\) = 3 moves"),
        (change(SUM, "np.uint64(0)").replace(COUNT, COUNT.replace("2", "2 - s[1] // 2")), "actions",
         "has the actions"),
        (change("np.uint64(s[0])", "np.uint64(0)", 3), "owners", "belongs to player"),
        (OWN.replace('"rounds": 2', '"rounds": 3'), "recall", "player 0 forgets"),
        (change(SUM, "s[1] / 2"), "packing", "not two whole numbers from 0"),
        (change(SUM, "-s[1]"), "packing", "not two whole numbers from 0"),
        (change(f"    out[1] = {SUM}\n", ""), "packing", r"key\(\) sets \[.*None\]"),
        (change(SUM, f"np.uint64(2**63) * {SUM}"), "exception", "FloatingPointError: overflow"),
        (OWN + TEXT.format("str(s[0])"), "packing", "'1' has the keys 1.1 and 1.2"),
        (change(SUM, "np.uint64(0)") + TEXT.format("str(s)"), "packing", "the key 1.0 stands for"),
        (OWN + UNPACK.format("s[0] = 1"), "packing", "gives a state with another key"),
        (OWN + UNPACK.format("1 / 0"), "packing", "raised ZeroDivisionError"),
        (
            OWN + UNPACK.format("s[:2] = key; s[2] = 7") + TEXT.format("str(s)"),
            "packing",
            "after unpack.* the infoset is",
        ),
        (OWN + PUBLIC.format("s[1] / 2"), "packing", r"public_state\(\) sets \[.*not two whole"),
        (OWN + PUBLIC.format("0") + "    s[1] = 0\n", "mutated", r"public_state\(\) changes the"),
        (change(SUM, "np.uint64(0)") + PUBLIC.format("np.uint64(s[1])"), "public",
         "player 1 does not know what is public"),
        (OWN + PUBLIC.format("np.uint64(int(s[1]) * 2**62 * 4 // 2**62)"), "compiling",
         r"the compiled public_state\(\) gives"),
        (change("    out[0] =", "    s[1] += 1\n    out[0] ="), "mutated", "changes the state"),
        (change("        s[2] = a", "        s[3] = a"), "exception", "IndexError: index 3"),
        (change("        s[2] = a", "        g[0] = a"), "exception", "ValueError: assignment"),
        (change("value = s[1]", "value = s[1] * np.inf"), "payoffs", "inf"),
        (OWN + PROBABILITY.format("0.6"), "probabilities", "add up"),
        (OWN + PROBABILITY.format("1.5 - a * 2"), "probabilities", "gave 1.5 as"),
        (change("return -1 if s[2] < 0", "return 2 if s[2] < 0"), "players", "not a player"),
        (change("value = s[1]", "value = sum(map(int, [str(s[1])]))"), "compiling", "be compiled"),
        (change("    value = s[1] - 1.5 * g[0]", "    value = int(s[1]) * 2**62 * 4 / 2.0"),
         "compiling", r"after 3 moves, the compiled payoff\(\) gives \("),
    ],
)  # fmt: skip
def test_mistakes_are_found(tmp_path: Path, text: str, kind: str, message: str) -> None:
    problem = first(tmp_path, text, kind)
    assert re.search(message, problem.message), problem.message
    assert problem.remedy


def test_users_lines_are_shown(tmp_path: Path) -> None:
    problem = first(tmp_path, change("        s[2] = a", "        s[3] = a"), "exception")
    assert problem.message.splitlines()[1].endswith("in apply: s[3] = a")
    assert problem.history == ("0", "0")
