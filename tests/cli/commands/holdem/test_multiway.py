"""`equilibrist preflop multiway`, and the files of push or fold and of several seats."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from equilibrist.errors import CheckpointError, ConfigError, EquilibristError
from equilibrist.poker import Hand, push_fold, solve_multiway
from tests.cli.command import Shell

GAME = '--seats 3 --stack 162 --blinds 1/2 --bets 100% --raise-cap 1 --board ""'
RUN = "--deals 2000 --seed 4 --threads 1"


def test_the_result_is_that_of_python(shell: Shell, tmp_path: Path) -> None:
    file, table = tmp_path / "hand.safetensors", tmp_path / "hand.csv"
    out = shell(f"preflop multiway {GAME} {RUN} -o {file} --csv {table} --json").ok().json
    hand = Hand(seats=3, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")
    found = solve_multiway(hand.replace(last_street="preflop"), deals=2_000, seed=4)
    expected = json.loads(json.dumps(found.to_dict()))
    del out["seconds"], expected["seconds"]
    assert out == expected
    rows = [*csv.DictReader(table.read_text("utf-8").splitlines())]
    assert {row["line"] for row in rows} == {*found.lines()}
    assert len(rows) == 39 * 169
    shown = shell(f"inspect {file} --line C-F --json").ok().json
    assert shown["nodes"] == [node for node in out["nodes"] if node["line"] == "C-F"]
    text = shell(f"inspect {file} --line C-F").ok().out
    assert "BB after C-F, which " in text
    assert shell(f"evaluate {file} --json").ok().json["nash_conv"] == out["nash_conv"]
    exported = tmp_path / "again.csv"
    shell(f"export {file} {exported}").ok()
    assert exported.read_text("utf-8") == table.read_text("utf-8")


def test_a_run_is_resumed(shell: Shell, tmp_path: Path) -> None:
    state = tmp_path / "run.ckpt"
    shell(f"preflop multiway {GAME} {RUN} --checkpoint {state}").ok()
    facts = shell(f"inspect {state} --json").ok().json
    assert (facts["seed"], facts["iteration"]) == (4, 40)
    assert facts["resume"] == f"equilibrist preflop multiway --resume {state}"
    more = shell(f"{facts['resume'].removeprefix('equilibrist ')} --deals 3000 --json").ok().json
    whole = shell(f"preflop multiway {GAME} --deals 3000 --seed 4 --json").ok().json
    assert more["nodes"] == whole["nodes"]


def test_push_or_fold_is_saved_and_resumed(shell: Shell, tmp_path: Path) -> None:
    file, state = tmp_path / "chart.safetensors", tmp_path / "run.ckpt"
    shell(f"preflop pushfold --stack 10 --seats 3 --deals 1000 --checkpoint {state}").ok()
    again = shell(f"preflop pushfold --resume {state} --deals 2000 --seed 7")
    again.refused(CheckpointError, option="seed", given=7, expected=0)
    shell(f"preflop pushfold --resume {state} --deals 2000 -o {file}").ok()
    found = push_fold(10, seats=3, deals=2_000)
    expected = json.loads(json.dumps(found.to_dict()))
    assert shell(f"inspect {file} --json").ok().json == expected
    table = tmp_path / "chart.csv"
    shell(f"export {file} {table}").ok()
    assert len(table.read_text("utf-8").splitlines()) == 1 + 6 * 169


@pytest.mark.parametrize(
    ("line", "kind", "option"),
    [
        ("preflop multiway --deals 2000", ConfigError, "hand"),
        ("preflop multiway --stack 5 --blinds 5/5 --bets a", ConfigError, "stack"),
        ("preflop solve --stack 5 --blinds 5/5 --bets a", ConfigError, "stack"),
        ("blueprint size --stack 5 --blinds 5/5 --bets a --buckets 1/1/1/1", ConfigError, "stack"),
        ("preflop multiway --stack 10 --bets a --deals 1e9 --line F", ConfigError, "--line"),
        ("preflop pushfold --stack 5,10 -o chart.safetensors", ConfigError, "--out"),
        ("preflop pushfold --stack 10 --checkpoint run.ckpt", ConfigError, "checkpoint"),
    ],
)
def test_bad_input(shell: Shell, line: str, kind: type[EquilibristError], option: str) -> None:
    shell(line).refused(kind, option=option)


@pytest.mark.slow
def test_betting_ends_before_the_flop_without_being_told(shell: Shell, tmp_path: Path) -> None:
    """Sizes that only raises have are enough, as there is no first bet on a flop."""
    keys = "--seats 3 --stack 12 --bets 2.5x --raises a"
    found = shell(f"preflop multiway {keys} {RUN} --json").ok().json
    assert found == shell(
        f"preflop multiway {keys} --last-street preflop {RUN} --json"
    ).ok().json | {"seconds": found["seconds"]}
    file = tmp_path / "hand.toml"
    file.write_text('stack = 12\nseats = 3\nbets = "2.5x"\nraises = "a"\n', "utf-8")
    assert shell(f"preflop multiway {file} {RUN} --json").ok().json["nodes"] == found["nodes"]
    file.write_text('stack = 12\nbets = "0%"\n', "utf-8")
    shell(f"preflop multiway {file}").refused(ConfigError, option="bets", place=str(file))


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("preflop solve", ("--seats", "--straddle", "--suits", "--hole-cards")),
        ("preflop multiway", ("--suits", "--hole-cards")),
        ("blueprint train", ("--suits", "--hole-cards", "--board")),
        ("blueprint size", ("--suits", "--hole-cards", "--board")),
    ],
)
def test_no_option_is_offered_of_which_one_value_is_taken(
    shell: Shell, command: str, flags: tuple[str, ...]
) -> None:
    out = shell(f"{command} --help").ok().out
    shell("preflop multiway --stack 10 --bets a --last-street flop").misused("preflop")
    for flag in flags:
        assert f"{flag} " not in out
        shell(f"{command} --stack 10 --bets a {flag} 3").misused(flag)
