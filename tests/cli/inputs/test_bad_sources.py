"""Strategy files that do not fit, and games that are named wrongly: one clear error for each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    GameSpecError,
    MemoryBudgetError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.games import load_game
from tests.cli.command import Shell
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("name", "text", "kind", "fields"),
    [
        (
            "a.csv",
            "infoset,probability\n1,0.5\n",
            FileFormatError,
            dict(option="columns", given="['infoset', 'probability']", path="a.csv"),
        ),
        (
            "a.csv",
            "infoset,action,probability\n1,pass,often\n",
            FileFormatError,
            dict(option="probability", given="often", path="a.csv", place="line 2"),
        ),
        ("a.json", "{", FileFormatError, dict(option="format", path="a.json")),
        ("a.json", "[" * 100_000, FileFormatError, dict(option="file", path="a.json")),
        ("a.json", "[1]", FileFormatError, dict(option="strategy", path="a.json")),
        (
            "a.json",
            '{"1": {"pass": "often"}}',
            FileFormatError,
            dict(
                option="probability",
                given="often",
                path="a.json",
                place="infoset '1', action 'pass'",
            ),
        ),
        (
            "a.json",
            '{"1": {"pass": 0.5, "bet": 0.5}}',
            ConfigError,
            dict(option="infosets", given="1pb"),
        ),
        (
            "a.json",
            '{"1": {"pas": 1.0}}',
            UnknownNameError,
            dict(option="action at infoset '1'", name="pas"),
        ),
        (
            "a.json",
            '{"9z": {"pass": 1.0}}',
            UnknownNameError,
            dict(option="infoset", name="9z"),
        ),
    ],
)
def test_tables_that_do_not_fit(
    shell: Shell,
    folder: Path,
    name: str,
    text: str,
    kind: type[EquilibristError],
    fields: dict[str, Any],
) -> None:
    (folder / name).write_text(text)
    shell(f"evaluate {name} --game kuhn").refused(kind, **fields)


@pytest.mark.parametrize("keys", ["{card}{line}", "{card}{theirs}"])
def test_a_table_that_contradicts_itself_or_the_game(shell: Shell, folder: Path, keys: str) -> None:
    """In our notation of Kuhn poker and in that of others."""
    rows = [
        f"{len(line) % 2},{keys.format(card=card, line=line, theirs=theirs)},{action},0.5\n"
        for card in "123"
        for line, theirs in (("", ""), ("p", "k"), ("b", "b"), ("pb", "kb"))
        for action in ("pass", "bet")
    ]
    heading = "player,infoset,action,probability\n"
    (folder / "a.csv").write_text(heading + "".join(rows))
    shell("evaluate a.csv --game kuhn").ok()
    (folder / "b.csv").write_text(heading + "".join(rows) + rows[0])
    for command in ("evaluate", "inspect"):
        shell(f"{command} b.csv --game kuhn").refused(
            FileFormatError, option="action", given="pass", path="b.csv", place="line 26"
        )
    swapped = [row.replace("0", "1", 1) if row[0] == "0" else "0" + row[1:] for row in rows]
    (folder / "c.csv").write_text(heading + "".join(swapped))
    for command in ("evaluate", "inspect"):
        shell(f"{command} c.csv --game kuhn").refused(
            MismatchError, option="player", given=1, expected=0, place="c.csv, line 2"
        )


def test_a_table_of_no_known_game(shell: Shell, folder: Path) -> None:
    (folder / "a.json").write_text('{"1": {"pass": 1.0}}')
    for command in ("evaluate", "inspect"):
        shell(f"{command} a.json").refused(ConfigError, option="--game", given="a.json")


@pytest.mark.parametrize(
    ("game", "remedy"),
    [
        ("kuhn(players=99)", "--game GAME"),
        ("kuhn(playrs=3)", "--game GAME"),
        ("kuhn(players=", "--game GAME"),
        ("leduk", "--game GAME"),
        ("my game", "--game rules.py:MyGame"),
        ("xyzzy", "--game rules.py:MyGame"),
    ],
)
def test_a_table_that_names_its_game_wrongly(
    shell: Shell, folder: Path, game: str, remedy: str
) -> None:
    (folder / "a.json").write_text(json.dumps({"game": game, "strategy": {"1": {"pass": 1.0}}}))
    ran = shell("evaluate a.json").refused(ConfigError, option="--game", given=game)
    assert remedy in ran.err


@pytest.mark.parametrize("name", ["kuhn-dcfr.safetensors", "kept"])
def test_a_solution_is_no_game(shell: Shell, name: str) -> None:
    shell(f"solve kuhn -n 5 --out {name}").ok()
    for line in ("solve {}", "compare {}", "check {}", "games {}"):
        ran = shell(line.format(name)).refused(GameSpecError, option="game", given=name)
        assert f"{name} is not a game, but the solution of a game" in ran.err
        assert "`equilibrist inspect` shows it, `equilibrist evaluate` how good it is" in ran.err
    with refuses(GameSpecError, option="game", given=name):
        load_game(name)
    shell("solve kuhn -n 5 --checkpoint run.ckpt").ok()
    ran = shell("solve run.ckpt").refused(GameSpecError, option="game", given="run.ckpt")
    assert "the checkpoint of a run on a tree; resume it" in ran.err


def test_a_solution_of_another_game(shell: Shell, rules) -> None:
    shell("solve kuhn -n 5 --out kuhn-dcfr.safetensors").ok()
    ran = shell("evaluate kuhn-dcfr.safetensors --game 'kuhn(players=3)'").refused(
        MismatchError, option="game", given="kuhn", expected="kuhn(players=3)"
    )
    assert "Strategy.from_dict" not in ran.err
    assert "leave out --game" in ran.err
    for line in (  # here no --game could be left out
        "solve leduc -q --warm-start kuhn-dcfr.safetensors",
        "compare leduc -q -a cfr --warm-start kuhn-dcfr.safetensors",
        "play leduc --strategy kuhn-dcfr.safetensors --seats ai,uniform --hands 1",
        "play leduc --seats kuhn-dcfr.safetensors,uniform --hands 1",
    ):
        ran = shell(line).refused(MismatchError, option="game", given="kuhn", expected="leduc")
        assert "give a strategy of 'leduc'" in ran.err
        assert "--game" not in ran.err
    rules("name = 'kuhn'")
    shell("solve rules.py:Tiny -n 5").ok()
    shell("evaluate last --game kuhn").refused(
        MismatchError, option="game", given="tiny", expected="kuhn"
    )
    shell("evaluate kuhn-dcfr.safetensors --game rules.py:Bad").refused(
        MismatchError, option="game", given="kuhn", expected="kuhn"
    )


GAMES_IN_A_FILE = """
from equilibrist.games.library.kuhn import Kuhn
import equilibrist.games.library.leduc
from dataclasses import dataclass

class Mine:
    def payoffs(self, state): raise SystemExit("the file must not be run")

@dataclass
class Bigger(Kuhn): ...
class _Hidden(Mine): ...
class Settings: ...
ready = Bigger()
number = 3
raise SystemExit("the file must not be run")
"""


@pytest.mark.parametrize(
    "line",
    ["solve {} -q", "check {}", "games {}", "inspect {}", "evaluate a.csv --game {}"],
)
@pytest.mark.parametrize("spec", ["rules.py", "rules.py:", "'rules.py(a=3)'", "sub/rules.py"])
def test_a_file_without_the_name_of_the_game(
    shell: Shell, folder: Path, line: str, spec: str
) -> None:
    (folder / "sub").mkdir()
    (folder / "a.csv").write_text("infoset,action,probability\n")
    for place in (folder, folder / "sub"):
        (place / "rules.py").write_text(GAMES_IN_A_FILE)
    path = "sub/rules.py" if "sub" in spec else "rules.py"
    ran = shell(line.format(spec)).refused(
        GameSpecError, option="game", given=spec.strip("'"), position=len(path)
    )
    assert f"{path}:Mine, {path}:Bigger, {path}:ready\n" in ran.err


def test_a_file_with_nothing_that_looks_like_a_game(shell: Shell, folder: Path) -> None:
    (folder / "rules.py").write_text("def make(): ...\nnumber = 3\n")
    shell("solve rules.py -q").refused(GameSpecError, option="game", given="rules.py", position=8)
    (folder / "rules.py").write_text("(")
    shell("solve rules.py -q").refused(
        GameSpecError, option="file", given="SyntaxError", place="rules.py"
    )
    shell("solve absent.py -q").refused(GameSpecError, option="game", given="absent.py", position=9)


def test_a_checkpoint_beyond_the_end(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 10050 -q --checkpoint run.ckpt").ok()
    ran = shell("solve kuhn -q --resume run.ckpt").refused(
        CheckpointError, option="iterations", given=10000, expected=10050, path="run.ckpt"
    )
    assert "asked for" not in ran.err
    shell("solve kuhn -n 9 -q --resume run.ckpt").refused(
        CheckpointError, option="iterations", given=9, expected=10050, path="run.ckpt"
    )


def test_a_solution_whose_rules_are_elsewhere(shell: Shell, rules) -> None:
    rules()
    shell("solve rules.py:Tiny -n 5").ok()
    shell("evaluate last").refused(ConfigError, option="--game", given="tiny")
    shell("evaluate last --game rules.py:Tiny").ok()
    assert "0.5000" in shell("inspect last").ok().out


def test_a_file_cannot_have_python_run(shell: Shell, rules, folder: Path) -> None:
    """A table or a solution may name any game; only the user may name one that is code."""
    spec = rules("name = 'rules.py:Bad'")
    table = '{"pick": {"a": 1}, "guess": {"a": 1}}'
    (folder / "a.json").write_text(f'{{"game": "rules.py:Bad", "strategy": {table}}}')
    shell(f"solve {spec} -n 5 -q --out a.safetensors").ok()
    with (folder / "rules.py").open("a") as file:
        file.write("from pathlib import Path\nPath('ran').touch()\n")
    shell("evaluate a.json").refused(ConfigError, option="--game", given="rules.py:Bad")
    shell("evaluate a.safetensors").refused(ConfigError, option="--game", given="rules.py:Bad")
    shell("inspect a.safetensors").ok()
    shell("inspect a.safetensors --draw a.svg").refused(
        ConfigError, option="--game", given="rules.py:Bad"
    )
    assert not (folder / "ran").exists()
    shell("evaluate a.json --game rules.py:Bad").ok()
    assert (folder / "ran").exists()


def test_games_of_openspiel_from_solve_to_evaluate(shell: Shell, folder: Path) -> None:
    document = shell("solve 'openspiel:kuhn_poker(players=3)' -n 20 --json").ok().json
    assert document["num_infosets"] == 48
    assert "openspiel-kuhn_poker-players-3-dcfr" in document["solution_file"]
    found = shell(f"evaluate {document['solution_file']} --json").ok().json
    assert found["nash_conv"] == document["nash_conv"]
    shell(f"export {document['solution_file']} a.json").ok()
    assert shell("evaluate a.json --json").ok().json["gains"] == found["gains"]
    assert "no problem found" in shell("check openspiel:kuhn_poker").ok().out
    turns = "openspiel:turn_based_simultaneous_game(game=matrix_rps())"
    assert "infosets" in shell(f"games '{turns}'").ok().out
    assert "0pb" in shell("inspect openspiel:kuhn_poker").ok().out


@pytest.mark.parametrize("command", ["solve {} -q", "games {}", "check {}", "inspect {}"])
def test_games_that_openspiel_lacks(shell: Shell, command: str) -> None:
    refused = shell(command.format("openspiel:kuhn_pokr")).refused(
        UnknownNameError, option="game of OpenSpiel", name="kuhn_pokr"
    )
    assert refused.error.suggestions == ("kuhn_poker", "python_kuhn_poker")
    shell(command.format("'openspiel:leduc_poker(players=77)'")).refused(
        GameSpecError, option="game", given="leduc_poker(players=77)"
    )
    shell(command.format("openspiel:negotiation")).refused(
        GameSpecError, option="game", given="negotiation"
    )
    shell(command.format("openspiel:matrix_rps")).refused(
        GameSpecError, option="game", given="matrix_rps()"
    )


def test_openspiel_is_named_where_it_is_missing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    shell("solve openspiel:kuhn_poker").refused(ConfigError, option="package", given="open-spiel")


def test_a_large_game_of_openspiel_is_refused_early(shell: Shell) -> None:
    shell("solve openspiel:connect_four --max-histories 2000 -q").refused(
        MemoryBudgetError, option="max_histories", given=2000, histories=3072
    )


def test_files_of_gambit_from_export_to_evaluate(shell: Shell, folder: Path) -> None:
    shell("export 'kuhn(players=3)' a.efg").ok()
    document = shell("solve a.efg -n 30 --json").ok().json
    ours = shell("solve 'kuhn(players=3)' -n 30 --json").ok().json
    assert document["game"] == "a.efg"
    assert document["nash_conv"] == ours["nash_conv"]
    assert document["strategy"] == ours["strategy"]
    assert shell(f"evaluate {document['solution_file']} --json").ok().json["gains"] == ours["gains"]
    assert "617" in shell("games a.efg").ok().out
    assert "1pb" in shell("inspect a.efg").ok().out
    assert "no problem found" in shell("check efg:a.efg").ok().out
    before = (folder / "a.efg").read_text()
    assert shell("export a.efg - --format efg").ok().out == before
    shell(f"export {ours['solution_file']} a.efg").ok()
    assert (folder / "a.efg").read_text() == before


def test_files_of_gambit_that_do_not_fit(shell: Shell, folder: Path) -> None:
    (folder / "a.efg").write_text('EFG 2 R "x" { "a" }\nt "" 1\n')
    for command in ("solve a.efg -q", "games a.efg", "check a.efg", "inspect a.efg"):
        shell(command).refused(GameSpecError, position=27)
    shell("inspect none.efg").refused(GameSpecError, option="file", given="none.efg")
    (folder / "b.efg").write_text("my notes")
    shell("export kuhn b.efg").refused(OutputError, option="file", path="b.efg")
    shell("export leduc c.efg --max-histories 100").refused(
        MemoryBudgetError, option="max_histories", given=100, histories=1024
    )
    assert not (folder / "c.efg").exists()
    shell("export kuhn a.txt").refused(ConfigError, option="--format", given="a.txt")


@pytest.mark.parametrize(
    "command", ["exploit kuhn --opponent", "equilibria kuhn --select against:"]
)
def test_a_game_is_no_opponent(command: str, shell: Shell, folder: Path) -> None:
    """A file of another kind is named, and what solves it can be typed."""
    for name, typed in (("g.efg", "g.efg"), ("noext", "efg:noext")):
        Path(name).write_text('EFG 2 R "one" { "A" "B" }\nt "" 1 "" { 1 -1 }\n')
        line = f"{command}{name}" if command.endswith(":") else f"{command} {name}"
        error = shell(line).refused(FileFormatError, option="file").error
        assert error is not None
        assert error.remedy == f"use `equilibrist solve {typed}`"
