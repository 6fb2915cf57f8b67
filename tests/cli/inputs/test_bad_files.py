"""Files of another kind, run or owner: one clear error, and they stay as they were."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    CheckpointError,
    FileFormatError,
    GameSpecError,
    OutputError,
)
from equilibrist.results import Result
from tests.cli.command import Shell

FOREIGN = {
    "empty": b"",
    "text": b"my diary\n",
    "pickle": pickle.dumps({"strategy": [1, 2, 3]}),
    "zeros": bytes(5000),
}


@pytest.mark.parametrize("command", ["evaluate {}", "inspect {}", "export {} out.csv"])
@pytest.mark.parametrize("kind", [*FOREIGN, "cut", "flipped", "checkpoint"])
def test_files_that_are_no_solutions(shell: Shell, folder: Path, command: str, kind: str) -> None:
    file = folder / "given.safetensors"
    if kind in FOREIGN:
        file.write_bytes(FOREIGN[kind])
    else:
        shell("solve kuhn -n 5 --out good.safetensors --checkpoint run.ckpt").ok()
        content = bytearray((folder / "good.safetensors").read_bytes())
        if kind == "cut":
            file.write_bytes(content[:-100])
        elif kind == "flipped":
            content[-1] ^= 1
            file.write_bytes(content)
        else:
            (folder / "run.ckpt").rename(file)
    before = sorted(folder.iterdir())
    if kind == "checkpoint" and command == "inspect {}":
        assert "Next: equilibrist solve kuhn" in shell(f"inspect {file.name}").ok().err
        return
    option = {"flipped": "checksum", "checkpoint": "format"}.get(kind, "file")
    shell(command.format(file.name)).refused(FileFormatError, option=option, path=file.name)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ("leduc", dict(option="game", given="kuhn", expected="leduc")),
        ("'kuhn(bet=2)'", dict(option="game", given="kuhn", expected="kuhn(bet=2)")),
        ("kuhn -a cfr", dict(option="algorithm", given="dcfr", expected="cfr")),
        ("kuhn --simultaneous", dict(option="alternating", given=True, expected=False)),
    ],
)
def test_a_checkpoint_of_another_run(
    shell: Shell, folder: Path, given: str, fields: dict[str, Any]
) -> None:
    shell("solve kuhn -n 5 --checkpoint run.ckpt").ok()
    before = (folder / "run.ckpt").read_bytes()
    shell(f"solve {given} -q --resume run.ckpt").refused(CheckpointError, path="run.ckpt", **fields)
    assert (folder / "run.ckpt").read_bytes() == before


def test_an_existing_checkpoint_is_not_overwritten(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 5 --checkpoint run.ckpt").ok()
    before = (folder / "run.ckpt").read_bytes()
    shell("solve kuhn -n 7 -q --checkpoint run.ckpt").refused(
        CheckpointError, option="iteration", given=5, path="run.ckpt"
    )
    assert (folder / "run.ckpt").read_bytes() == before


def test_out_replaces_solutions_and_nothing_else(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 5 --out a.safetensors").ok()
    shell("solve kuhn -n 3 --out a.safetensors").ok()
    assert Result.load("a.safetensors").iterations == 3
    (folder / "rules.py").write_text("precious = 1\n")
    shell("solve kuhn -n 5 -q --out rules.py").refused(
        OutputError, option="out", expected="solution"
    )
    assert (folder / "rules.py").read_text() == "precious = 1\n"


CUT = '{"1": {"pass": 0.5, "bet": 0.5},\n "2": {"pa'


@pytest.mark.parametrize(
    "line",
    [
        "solve kuhn --warm-start cut.json",
        "learn kuhn --start cut.json",
        "compare kuhn -a cfr --warm-start cut.json",
        "evaluate cut.json --game kuhn",
        "inspect cut.json --game kuhn",
        "export cut.json x.csv",
        "match cut.json uniform --game kuhn",
        "play kuhn --strategy cut.json",
        "play cut.json --game kuhn",
        "graft cut.json --game kuhn --block *b*",
        "exploit kuhn --opponent cut.json",
        "exploit kuhn --frequencies cut.json",
        "equilibria kuhn --select against:cut.json",
        "correlate chicken --measure cut.json",
        "postflop solve cut.json",
        "postflop show cut.json",
        "blueprint show cut.json",
        "preflop pushfold cut.json",
        "range cut.json",
    ],
)
def test_json_that_is_cut_short_is_said_where(shell: Shell, folder: Path, line: str) -> None:
    (folder / "cut.json").write_text(CUT)
    shell(line).refused(FileFormatError, place="cut.json, line 2, column 8")


@pytest.mark.parametrize("command", ["solve", "check", "games"])
def test_a_game_that_is_cut_json_is_said_where(shell: Shell, folder: Path, command: str) -> None:
    (folder / "cut.json").write_text(CUT)
    shell(f"{command} cut.json").refused(GameSpecError, place="cut.json, line 2, column 8")
