"""Who may sit at the table of `equilibrist play`, and what is refused before a hand begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import equilibrist as eq
from tests.cli.command import Shell

pytestmark = pytest.mark.usefixtures("solutions")


def test_strategies_among_themselves(shell: Shell) -> None:
    ran = shell("play kuhn --seats ai,uniform --hands 3 --seed 5").ok()
    assert ran.out.count("is over:") == 3
    again = shell("play kuhn --seats ai,uniform --hands 3 --seed 5").ok()
    assert again.out == ran.out
    assert shell("play kuhn --seats ai,uniform").ok().out.count("is over:") == 10
    quiet = shell("play kuhn-dcfr.safetensors --seats ai,ai --hands 200 --quiet --seed 5").ok()
    assert "is over" not in quiet.out
    assert "AI 1" in quiet.out
    assert "200 hands" in quiet.out
    assert "--seed 5 deals the same hands again" in quiet.out


def test_files_and_tables_have_seats(shell: Shell, rules: Callable[[str], str]) -> None:
    shell("export kuhn-dcfr.safetensors kuhn.csv").ok()
    shell("play kuhn --seats kuhn.csv,kuhn-dcfr.safetensors --hands 2").ok()
    shell("play kuhn.csv --game kuhn --seats ai,uniform --hands 2").ok()
    shell("play kuhn --strategy kuhn.csv --seats uniform,ai --hands 2").ok()
    game = rules("pass")
    ran = shell(f"play {game} --seats ai,uniform --hands 2 --seed 1").ok()
    assert "pick" in ran.out
    shell("play 'kuhn(players=3)' --seats uniform,uniform,uniform --fixed-seats --hands 2").ok()


def test_strategies_without_a_tree_play_too(shell: Shell) -> None:
    line = (
        "solve 'rules:liars_dice(dice=2,sides=4)' --sampler external -n 200 -q --out p.safetensors"
    )
    shell(line).ok()
    ran = shell("play p.safetensors --seats ai,uniform --hands 3 --seed 1 --show-ai").ok()
    assert "liar" in ran.out
    shell("play p.safetensors --coach --max-histories 1000").refused("--coach and seats")
    game = "'rules:liars_dice(dice=2,sides=4)'"
    shell(f"play {game} --max-histories 1000").refused("equilibrist solve", "--sampler external")


@pytest.mark.parametrize(
    ("line", "fragments"),
    [
        ("play kuhm", ["unknown game 'kuhm'", "kuhn"]),
        ("play kuhn --seats human", ["2 players, --seats gives 1", "human,ai"]),
        ("play kuhn --seats human,ai,ai", ["--seats gives 3"]),
        ("play kuhn --seats human,robot", ["'robot'", "human, ai, uniform or a file"]),
        ("play kuhn --seats human,", ["''"]),
        ("play kuhn --seats human,none.csv", ["there is no file none.csv"]),
        ("play none.safetensors", ["there is no file none.safetensors"]),
        ("play kuhn --seats human,leduc-dcfr.safetensors", ["is a solution of 'leduc'"]),
        ("play kuhn --strategy leduc-dcfr.safetensors", ["is a solution of 'leduc'"]),
        ("play kuhn --strategy bad.csv", ["bad.csv"]),
        ("play kuhn --strategy short.json", ["lacks 11 of the 12 infosets"]),
        ("play kuhn --strategy wrong.json", ["add up to 1"]),
        ("play kuhn-dcfr.safetensors --strategy kuhn-dcfr.safetensors", ["--strategy"]),
        ("play kuhn --game leduc", ["--game"]),
        ("play kuhn --hands 0", ["0"]),
        ("play kuhn --hands x", ["x"]),
        ("play kuhn --seed -1", ["-1"]),
        ("play kuhn --seats ai,ai --coach", ["--coach"]),
        ("play kuhn --seats human,uniform --strategy kuhn-dcfr.safetensors", ["--strategy"]),
        ("play kuhn --log bad.csv", ["bad.csv is no log"]),
        ("play kuhn --log none/hands.jsonl", ["does not exist"]),
        ("play leduc --max-histories 10", ["10"]),
        ("play bad.safetensors", ["bad.safetensors"]),
    ],
)
def test_bad_input_is_one_error(shell: Shell, line: str, fragments: list[str]) -> None:
    Path("bad.csv").write_text("a,b\n1,2\n")
    Path("bad.safetensors").write_text("nothing")
    Path("short.json").write_text('{"1": {"pass": 1}}')
    rows = {key: {"pass": 0.4} for key in eq.compile_game("kuhn").infoset_keys}
    Path("wrong.json").write_text(json.dumps(rows))
    before = sorted((path.name, path.read_bytes()) for path in Path().iterdir())
    shell(line).refused(*fragments)
    assert sorted((path.name, path.read_bytes()) for path in Path().iterdir()) == before
