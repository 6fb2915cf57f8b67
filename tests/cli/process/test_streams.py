"""Standard output and standard error: what goes where, pipes, full disks, closed streams."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from equilibrist.results import Result
from tests.cli.command import PROGRAM, spawn
from tests.slow_cases import slow


@pytest.mark.slow
def test_results_go_to_stdout_and_the_rest_to_stderr(folder: Path) -> None:
    ran = spawn("solve kuhn -n 50 --json")
    assert ran.code == 0
    assert Result.load(ran.json["solution_file"]).iterations == 50
    assert "walking the rules" in ran.err
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.slow
def test_no_styles_in_pipes(folder: Path) -> None:
    ran = spawn("solve kuhn -n 50", env={"NO_COLOR": "", "TERM": "xterm"})
    assert ran.out.startswith("kuhn: 50 iterations")
    assert "\x1b" not in ran.out + ran.err


def test_errors_go_to_stderr_with_exit_code_2(folder: Path) -> None:
    assert "'leduk'" in spawn("solve leduk").one_error().err
    ran = spawn("solve kuhn --nonsense").one_error()
    assert "--nonsense" in ran.err
    assert "equilibrist solve --help" in ran.err


def test_a_closed_pipe_is_not_an_error(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, "games"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("line", ["--help", "solve --help", "--version"])
def test_a_closed_pipe_after_help_is_not_an_error(folder: Path, line: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *line.split()], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code"), [("solve kuhn -n 9 --out a.safetensors", 0), ("solve leduk", 2)]
)
def test_a_standard_error_that_takes_nothing_costs_no_result(
    folder: Path, line: str, code: int
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with Path("/dev/full").open("w") as full:
        for stream in (full, writer):
            done = subprocess.run(
                [*PROGRAM, *line.split()], stdout=subprocess.DEVNULL, stderr=stream, check=False
            )
            assert done.returncode == code
            assert (folder / "a.safetensors").exists() is (code == 0)
    os.close(writer)


def test_a_full_standard_output(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to standard output: No space left on device\n"


SPOT = "--board Ts3h2h5c9s --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a --iterations 5"
LINES = [
    "--version",
    "games",
    "solve kuhn -n 10 --json",
    f"postflop solve {SPOT} --out jam.spot",
    "postflop show jam.spot",
    "postflop show jam.spot --line A-C",
    "range AA",
]


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("closed", "lines"),
    [
        (">&-", LINES[:1]),
        (">&- 2>&-", LINES[1:2]),
        ("<&- >&- 2>&-", LINES[2:4]),
        *(slow(closed, LINES) for closed in (">&-", ">&- 2>&-", "<&- >&- 2>&-")),
    ],
)
def test_closed_streams(folder: Path, closed: str, lines: list[str]) -> None:
    """Nobody wants to see anything; all else is done."""
    for line in lines:
        done = subprocess.run(
            f"exec {sys.executable} -m equilibrist {line} {closed}",
            shell=True,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        assert "error" not in done.stderr
    assert (folder / "jam.spot").exists() is any(line.endswith("jam.spot") for line in lines)


@pytest.mark.slow
def test_a_full_disk_costs_no_earlier_result(folder: Path) -> None:
    """Files may not grow beyond 2,000 bytes: the solution cannot be written."""
    assert spawn("solve kuhn -n 5 --out a.safetensors").code == 0
    before = (folder / "a.safetensors").read_bytes()
    ran = spawn(
        "solve kuhn -n 50 --out a.safetensors -q",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert ran.code == 2
    warning, error = ran.err.splitlines()
    assert warning.startswith("warning: the solution is not stored as `last`")
    assert error.startswith("error: cannot write ")
    assert "a.safetensors" in error
    assert "player 0" in ran.out
    assert (folder / "a.safetensors").read_bytes() == before
    assert [p.name for p in folder.iterdir()] == ["a.safetensors"]


@pytest.mark.slow
def test_a_device_as_output_is_refused(folder: Path) -> None:
    """`--out /dev/full` must neither succeed nor replace the device."""
    ran = spawn("solve kuhn -n 5 -q --out /dev/full")
    assert ran.code == 2
    assert "/dev/full" in ran.err
    assert Path("/dev/full").is_char_device()


def test_output_survives_any_encoding(folder: Path) -> None:
    (folder / "my.py").write_text(
        "from equilibrist.solvers.variants.variant import Variant\n"
        "Mine = Variant('mine', summary='\N{GREEK SMALL LETTER ALPHA}')\n",
        encoding="utf-8",
    )
    ran = spawn("algorithms my.py:Mine", env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0, ran.err
    assert "\\u03b1" in ran.out
