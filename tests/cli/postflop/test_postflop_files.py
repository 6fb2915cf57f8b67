"""Files of `equilibrist postflop solve`: checkpoints, and solutions with fewer streets."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest

from equilibrist import load_result
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    FileFormatError,
    OutputError,
    UnknownNameError,
)
from equilibrist.library.names import newest
from equilibrist.poker import Spot
from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint
from equilibrist.poker.postflop.solving.solver import SpotSolver
from tests.cli.command import Shell

TURN = "--board Ts3h2h5c --oop AA,QQ --ip KK,QsJs:0.5 --pot 100 --stack 100 --bets 50%"
SPOT = Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%")


def interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    run = SpotSolver.run

    def interrupted(self: SpotSolver, iterations: int, /) -> None:
        run(self, iterations)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SpotSolver, "run", interrupted)


def test_an_interrupt_pauses(shell: Shell, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    with monkeypatch.context() as patch:
        interrupt(patch)
        paused = shell(f"postflop solve {TURN} --iterations 40 --checkpoint 'my run' -o out.spot")
    assert paused.code == 130
    said = paused.err.splitlines()[-1]
    assert said.startswith("Paused; resume with: equilibrist postflop solve ")
    again = said.partition("equilibrist ")[2]
    assert "--iterations 40 --out out.spot --resume 'my run'" in again
    before = SpotCheckpoint(folder / "my run").iteration
    assert 0 < before < 40
    resumed = shell(f"{again} --json").ok()
    assert SpotCheckpoint(folder / "my run").iteration == 40
    document = shell(f"postflop solve {TURN} --iterations 40 --json").ok().json
    assert resumed.json | {"seconds": 0} == document | {"seconds": 0}
    shown = shell("postflop show out.spot --json").ok().json
    assert shown | {"seconds": 0} == document | {"seconds": 0}


def test_the_way_on_has_all_options(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    given = {
        "--storage": "int16",
        "--target": "1%",
        "--iterations": "900",
        "--time": "3600.0",
        "--algorithm": "dcfr+",
        "--threads": "2",
        "--memory": "1000000000",
        "--checkpoint-every": "300",
        "--out": "small",
        "--keep": "no-rivers",
    }
    line = " ".join(f"{name} {value}" for name, value in given.items())
    with monkeypatch.context() as patch:
        interrupt(patch)
        paused = shell(f"postflop solve {TURN} {line} --json --combos --quiet --checkpoint run")
    assert paused.code == 130
    again = shlex.split(paused.err.splitlines()[-1].partition("equilibrist ")[2])
    assert again[-3:] == ["--combos", "--json", "--quiet"]
    typed = dict(zip(again[2:-3:2], again[3:-3:2], strict=True))
    assert typed == given | {"--resume": "run"}
    (folder / "small").unlink()
    assert shell(shlex.join(again)).ok().json["stopped_by"] == "target"
    assert load_result(folder / "small").keep == "no-rivers"
    assert SpotCheckpoint(folder / "run").algorithm == "dcfr+"


def test_resumed_by_what_it_was(shell: Shell, folder: Path) -> None:
    shell(f"postflop solve {TURN} --iterations 5 --algorithm dcfr+ --checkpoint run").ok()
    shell(f"postflop solve {TURN} --resume run --iterations 6 --algorithm dcfr+").ok()
    assert SpotCheckpoint(folder / "run").iteration == 6
    shell("postflop solve --resume run --iterations 8 --checkpoint other").ok()
    assert SpotCheckpoint(folder / "run").iteration == 6
    assert SpotCheckpoint(folder / "other").iteration == 8
    shell(f"postflop solve {TURN} --iterations 5 --algorithm dcfr-restarts --checkpoint named").ok()
    shell("postflop solve --resume named --iterations 6 --algorithm dcfr-restarts").ok()
    shell("postflop solve --resume named --algorithm nothing").refused(
        UnknownNameError, option="algorithm", name="nothing"
    )
    shell("postflop solve --resume none").refused(CheckpointError, path="none")
    shell("postflop solve").refused(ConfigError, option="spot")
    shell(f"postflop solve {TURN} --pot 90 --resume run").refused(
        CheckpointError, option="pot", given="90", expected="100", path="run"
    )
    for options, key, given, expected in (
        ("--pot 90", "pot", "90", "100"),
        ("--raises 2x", "raises", "2x", "none"),
        ("--lock 'X: Check 1'", "locks", "X: Check 1", "none"),
        ("--board Ts3h2h5c --oop AA --ip KK --pot 100 --stack 100", "oop", "AA", "AA,QQ"),
    ):
        shell(f"postflop solve --resume run {options}").refused(
            CheckpointError, option=key, given=given, expected=expected, path="run"
        )
    shell("postflop solve --resume none --pot 90").refused(CheckpointError, path="none")
    shell("postflop solve --resume run --pot 100 --iterations 9").ok()
    assert SpotCheckpoint(folder / "run").iteration == 9
    shell("postflop solve --resume run --storage int16").refused(
        CheckpointError, option="storage", given="int16", expected="float32", path="run"
    )
    shell("postflop solve --resume run --algorithm cfr").refused(CheckpointError, path="run")
    shell("postflop solve --resume run --iterations 6 --out run").refused(
        ConfigError, option="--out", given="run"
    )
    shell(f"postflop solve {TURN} --checkpoint run").refused(CheckpointError, path="run")
    shell(f"postflop solve {TURN} --checkpoint run --checkpoint-every soon").refused(
        ConfigError, option="checkpoint_every", given="soon"
    )
    shell(f"postflop solve {TURN} --checkpoint-every 5").refused(
        ConfigError, option="--checkpoint-every", given=5.0
    )


def test_fewer_streets(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell(f"postflop solve {TURN} --target 1% -o small --keep no-rivers").ok()
    assert load_result(folder / "small").keep == "no-rivers"
    ran = shell("postflop show small --line X-X|8h").ok()
    assert "not in the file: re-solved, exploitability" in ran.out
    with monkeypatch.context() as patch:
        patch.setattr("equilibrist.cli.text.progress._FIRST_LINE", 0.0)
        assert "re-solving  iteration 10  " in shell("postflop show small --line X-X|8h").ok().err
        assert shell("postflop show small --line X-X").ok().err == ""
    assert "re-solved" not in shell("postflop show small --line X-X").ok().out
    hand = shell("postflop show small --line X-X|8h --hand AsAh").ok().out
    assert "re-solved" in hand
    shell(f"postflop solve {TURN} --keep no-rivers").refused(
        ConfigError, option="--keep", given="no-rivers"
    )
    shell(f"postflop solve {TURN} -o x --keep turns").misused("turns")
    river = TURN.replace("5c", "5c9s")
    shell(f"postflop solve {river} -o x --keep no-rivers").refused(
        ConfigError, option="keep", given="no-rivers", remedy="keep all"
    )
    assert not (folder / "x").exists()


def test_wrong_files(shell: Shell, folder: Path) -> None:
    (folder / "notes").write_text("mine")
    for option in ("--out", "--checkpoint"):
        kind = {"--out": "spot-solution", "--checkpoint": "spot-checkpoint"}[option]
        shell(f"postflop solve {TURN} {option} notes").refused(
            OutputError, option="out", expected=kind
        )
        shell(f"postflop solve {TURN} {option} none/x").refused(OutputError, option="folder")
    shell("postflop show notes").refused(FileFormatError, option="file", path="notes")
    shell("postflop solve --resume notes").refused(CheckpointError, path="notes")
    assert (folder / "notes").read_text() == "mine"


def test_files_of_another_kind(shell: Shell, folder: Path) -> None:
    (folder / "a.toml").write_text(SPOT.to_toml())
    shell("postflop solve a.toml --iterations 2 --checkpoint a.ckpt --out a.spot").ok()
    for command in ("solve", "estimate", "batch --flops subset:1 --out b"):
        name, _, options = command.partition(" ")
        solution = shell(f"postflop {name} a.spot {options}")
        solution.refused(FileFormatError, path="a.spot")
        checkpoint = shell(f"postflop {name} a.ckpt {options}")
        checkpoint.refused(FileFormatError, path="a.ckpt")
    shell("postflop show a.toml").refused(FileFormatError, path="a.toml")
    shell("postflop show a.ckpt").refused(
        FileFormatError,
        option="format",
        given="spot-checkpoint",
        expected="spot-solution, three-spot-solution, batch",
        path="a.ckpt",
    )
    (folder / "a.toml").write_bytes(b"\xff")
    shell("postflop solve a.toml").refused(FileFormatError, path="a.toml")


def test_a_full_disk_costs_no_solution(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the solution is full; the folder for temporary files is not."""
    sync = os.fsync

    def full(number: int) -> None:
        if folder == Path(f"/proc/self/fd/{number}").readlink().parent:
            raise OSError(28, "No space left on device")
        sync(number)

    monkeypatch.setattr(os, "fsync", full)
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    ran = shell(f"postflop solve {TURN} --iterations 20 --out out.spot --keep no-rivers")
    assert ran.code == 2
    assert "root: OOP to act" in ran.out
    assert "cannot write" in ran.err
    assert "another disk; the solution was saved as" in ran.err
    kept = Path(shlex.split(ran.err.partition("was saved as ")[2])[0])
    assert load_result(kept).iterations == 20
    assert load_result(kept).keep == "no-rivers"
    assert [file.name for file in folder.iterdir()] == ["temporary"]
    stopped = shell(f"postflop solve {TURN} --iterations 20 --checkpoint run")
    assert stopped.code == 2
    assert "root: OOP to act" in stopped.out
    assert "run: No space left on device" in stopped.err
    assert "its solution is in last" in stopped.err
    (rest,) = newest()[:1]
    assert load_result(rest).keep == "all"
