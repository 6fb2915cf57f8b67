"""Who may sit at the table of `equilibrist play`, and what is refused before a hand begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    MemoryBudgetError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
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


def test_the_case_of_letters_does_not_matter(shell: Shell, folder: Path) -> None:
    found = [
        shell(f"play kuhn --seats {seats} --hands 3 --seed 5 -q").ok().out
        for seats in ("ai,uniform", "AI,Uniform")
    ]
    assert found[0] == found[1]
    for line in ("match {} kuhn-dcfr.safetensors", "evaluate kuhn-dcfr.safetensors --against {}"):
        assert shell(line.format("UNIFORM")).ok().out == shell(line.format("uniform")).ok().out
    shell("play kuhn --seats AI,robot").refused(ConfigError, option="--seats", given="robot")
    (folder / "UNIFORM").write_bytes((folder / "kuhn-dcfr.safetensors").read_bytes())
    line = "match {} kuhn-dcfr.safetensors --json"
    means = [shell(line.format(word)).ok().json["mean"] for word in ("UNIFORM", "Uniform")]
    assert abs(means[0]) < 1e-12 < abs(means[1])  # a file of that name, and play at random


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
    shell("play p.safetensors --coach --max-histories 1000").refused(
        ConfigError, option="game", given="rules:liars_dice(dice=2,sides=4)"
    )
    game = "'rules:liars_dice(dice=2,sides=4)'"
    shell(f"play {game} --max-histories 1000").refused(
        ConfigError, option="game", given="rules:liars_dice(dice=2,sides=4)"
    )


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("play kuhm", UnknownNameError, dict(option="game", name="kuhm")),
        ("play kuhn --seats human", ConfigError, dict(option="--seats", given=1, expected=2)),
        ("play kuhn --seats human,ai,ai", ConfigError, dict(option="--seats", given=3, expected=2)),
        ("play kuhn --seats human,robot", ConfigError, dict(option="--seats", given="robot")),
        ("play kuhn --seats human,", ConfigError, dict(option="--seats", given="")),
        ("play kuhn --seats human,none.csv", FileFormatError, dict(option="file", path="none.csv")),
        ("play none.safetensors", FileFormatError, dict(option="file", path="none.safetensors")),
        (
            "play kuhn --seats human,leduc-dcfr.safetensors",
            MismatchError,
            dict(option="game", given="leduc", expected="kuhn"),
        ),
        (
            "play kuhn --strategy leduc-dcfr.safetensors",
            MismatchError,
            dict(option="game", given="leduc", expected="kuhn"),
        ),
        (
            "play kuhn --strategy bad.csv",
            FileFormatError,
            dict(option="columns", given="['a', 'b']", path="bad.csv"),
        ),
        ("play kuhn --strategy short.json", ConfigError, dict(option="infosets", given="1pb")),
        (
            "play kuhn --strategy wrong.json",
            ConfigError,
            dict(option="probabilities", given="[0.4, 0.0]"),
        ),
        (
            "play kuhn-dcfr.safetensors --strategy kuhn-dcfr.safetensors",
            ConfigError,
            dict(option="--strategy", given="kuhn-dcfr.safetensors"),
        ),
        ("play kuhn --game leduc", ConfigError, dict(option="--game", given="leduc")),
        ("play kuhn --hands 0", ConfigError, dict(option="hands", given="0")),
        ("play kuhn --hands x", ConfigError, dict(option="hands", given="x")),
        ("play kuhn --seed -1", ConfigError, dict(option="seed", given=-1)),
        ("play kuhn --seats ai,ai --coach", ConfigError, dict(option="--coach")),
        (
            "play kuhn --seats human,uniform --strategy kuhn-dcfr.safetensors",
            ConfigError,
            dict(option="--strategy", given="kuhn-dcfr.safetensors"),
        ),
        (
            "play kuhn --log bad.jsonl",
            FileFormatError,
            dict(option="line", path="bad.jsonl", place="line 1"),
        ),
        ("play kuhn --log x.phh", ConfigError, dict(option="log", given="x.phh")),
        ("play kuhn --log x.csv", ConfigError, dict(option="log", given="x.csv")),
        ("play kuhn --log x.PHHS", ConfigError, dict(option="log")),  # kuhn is not hold'em
        ("play kuhn --log none/hands.jsonl", OutputError, dict(option="folder")),
        (
            "play leduc --max-histories 10",
            MemoryBudgetError,
            dict(option="max_histories", given=10, histories=1024),
        ),
        ("play bad.safetensors", FileFormatError, dict(option="file", path="bad.safetensors")),
    ],
)
def test_bad_input_is_one_error(
    shell: Shell, line: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    for name in ("bad.csv", "bad.jsonl"):
        Path(name).write_text("a,b\nx,y\n")
    Path("bad.safetensors").write_text("nothing")
    Path("short.json").write_text('{"1": {"pass": 1}}')
    rows = {key: {"pass": 0.4} for key in eq.compile_game("kuhn").infoset_keys}
    Path("wrong.json").write_text(json.dumps(rows))
    before = sorted((path.name, path.read_bytes()) for path in Path().iterdir())
    shell(line).refused(kind, **fields)
    assert sorted((path.name, path.read_bytes()) for path in Path().iterdir()) == before
