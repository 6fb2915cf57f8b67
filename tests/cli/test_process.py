"""The command in a process of its own: streams, exit codes, signals, pipes, full disks."""

from __future__ import annotations

import builtins
import fcntl
import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from equilibrist.__main__ import main as begin
from equilibrist.results import Result
from equilibrist.rules.shipped import leduc
from tests.cli.command import PROGRAM, spawn
from tests.slow_cases import slow, slow_but

HEAVY = {"numba", "scipy", "matplotlib", "numpy"}


def test_results_go_to_stdout_and_the_rest_to_stderr(folder: Path) -> None:
    ran = spawn("solve kuhn -n 50 --json")
    assert ran.code == 0
    assert Result.load(ran.json["solution_file"]).iterations == 50
    assert "walking the rules" in ran.err
    assert "\x1b" not in ran.out + ran.err


def test_no_styles_in_pipes(folder: Path) -> None:
    ran = spawn("solve kuhn -n 50", env={"NO_COLOR": "", "TERM": "xterm"})
    assert ran.out.startswith("kuhn: 50 iterations")
    assert "\x1b" not in ran.out + ran.err


def test_errors_go_to_stderr_with_exit_code_2(folder: Path) -> None:
    assert "'leduk'" in spawn("solve leduk").one_error().err
    ran = spawn("solve kuhn --nonsense").one_error()
    assert "--nonsense" in ran.err
    assert "equilibrist solve --help" in ran.err


def test_help_and_usage_errors_import_nothing_heavy(folder: Path) -> None:
    lines = ["--help", "solve --help", "--version", "solve", "games nogame"]
    script = (
        "import sys; from equilibrist.cli.main import run\n"
        "for number, line in enumerate(sys.argv[1:]):\n"
        "    run(line.split())\n"
        "    print(*sys.modules, file=open(f'modules-{number}.txt', 'w'))"
    )
    subprocess.run([sys.executable, "-c", script, *lines], check=True, capture_output=True)
    for number, line in enumerate(lines):
        modules = Path(f"modules-{number}.txt").read_text().split()
        assert set(modules) & HEAVY == set(), line


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


def test_ctrl_c_while_the_program_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def interrupted(name: str, *rest: Any) -> Any:
        if name == "equilibrist.cli.main":
            raise KeyboardInterrupt
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as ended:
        begin()
    assert ended.value.code == 130


LATE = """
import atexit, threading, time
from pathlib import Path
from equilibrist.games.library.kuhn import Kuhn

atexit.register(lambda: Path("at_exit").write_text("ran"))

def late():
    time.sleep(1)
    Path("thread").write_text("ran")

threading.Thread(target=late).start()

class Mine(Kuhn):
    pass
"""


def test_threads_and_exit_handlers_of_rules_run_to_their_end(folder: Path) -> None:
    (folder / "late.py").write_text(LATE)
    ran = spawn("check late.py:Mine")
    assert ran.code == 0
    assert ran.out
    assert (folder / "at_exit").read_text() == (folder / "thread").read_text() == "ran"


OPEN = """
from tempfile import NamedTemporaryFile
from equilibrist.games.library.kuhn import Kuhn

LOG = open("log", "w")
LOG.write("written")
FOR_A_WHILE = NamedTemporaryFile(dir=".", prefix="temporary")

class Mine(Kuhn):
    pass
"""


@pytest.mark.parametrize(("more", "code"), [("", 0), ("raise ValueError", 2)])
def test_files_that_rules_left_open_are_written(folder: Path, more: str, code: int) -> None:
    (folder / "open.py").write_text(OPEN + more)
    assert spawn("check open.py:Mine").code == code
    assert (folder / "log").read_text() == "written"
    assert not [*folder.glob("temporary*")]


def test_files_that_rules_modules_left_open_are_written(folder: Path) -> None:
    shipped = Path(leduc.__file__).read_text()
    (folder / "mine.py").write_text(f"{shipped}\nLOG = open('log', 'w')\nLOG.write('written')\n")
    spawn("check rules:mine.py").ok()
    assert (folder / "log").read_text() == "written"


ENDING = """
import atexit, os, signal, sys, threading, time
from pathlib import Path
from equilibrist.__main__ import main

class Kept:
    def __del__(self):
        Path("freed").touch()

def late():
    time.sleep(0.5)
    if interrupted:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
    Path("thread").touch()

kept, interrupted = Kept(), sys.argv[1] == "interrupted"
atexit.register(Path("at_exit").touch)
threading.Thread(target=late).start()
sys.argv[1:] = sys.argv[2:]
main()
"""


@pytest.mark.parametrize(
    ("how", "line", "code", "left"),
    [
        ("alone", "--version", 0, {"at_exit", "thread"}),
        ("alone", "nonsense", 2, {"at_exit", "thread", "freed"}),
        ("interrupted", "--version", 130, {"at_exit"}),
    ],
)
def test_the_end_of_a_process(folder: Path, how: str, line: str, code: int, left: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDING, how, line], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert {path.name for path in folder.iterdir()} == left


def test_a_profiler_sees_a_command_to_its_end(folder: Path) -> None:
    words = [sys.executable, "-m", "cProfile", "-o", "profile", *PROGRAM[1:], "games"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"kuhn")
    assert (folder / "profile").stat().st_size


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


def test_a_device_as_output_is_refused(folder: Path) -> None:
    """`--out /dev/full` must neither succeed nor replace the device."""
    ran = spawn("solve kuhn -n 5 -q --out /dev/full")
    assert ran.code == 2
    assert "/dev/full" in ran.err
    assert Path("/dev/full").is_char_device()


def start(line: str) -> subprocess.Popen[str]:
    """Start a solve and wait until it iterates."""
    process = subprocess.Popen(
        [*PROGRAM, *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    for text in process.stderr:
        if text.startswith("iteration "):
            break
    return process


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Both streams to their end; a process that does not end is killed."""
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_ends_with_what_there_is(folder: Path, number: signal.Signals) -> None:
    process = start("solve leduc -n 1000000000 --json --checkpoint run.ckpt")
    process.send_signal(number)
    out, err = ended(process)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["stopped_by"] == "interrupted"
    assert 0 < document["iterations"] < 1_000_000_000
    assert document["exploitability"] > 0
    assert Result.load(document["solution_file"]).iterations == document["iterations"]
    assert (folder / "run.ckpt").exists()


def test_nohup_lives_on_when_the_terminal_closes(folder: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup starts it
    try:
        process = start("solve leduc -n 1000000000 --json --checkpoint run.ckpt")
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130, err
    assert json.loads(out)["iterations"] > 0


def test_ctrl_c_before_there_is_anything(folder: Path) -> None:
    (folder / "slow.py").write_text(
        "import time\nfrom equilibrist.games.library.kuhn import Kuhn\n"
        "class Slow(Kuhn):\n"
        "    def payoffs(self, state):\n"
        "        time.sleep(0.5)\n"
        "        return super().payoffs(state)\n"
    )
    process = subprocess.Popen(
        [*PROGRAM, "solve", "slow.py:Slow"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "walking the rules\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130
    assert out == ""
    assert err == "interrupted before there was anything to show\n"


def test_output_survives_any_encoding(folder: Path) -> None:
    (folder / "my.py").write_text(
        "from equilibrist.solvers.variants.variant import Variant\n"
        "Mine = Variant('mine', summary='\N{GREEK SMALL LETTER ALPHA}')\n",
        encoding="utf-8",
    )
    ran = spawn("algorithms my.py:Mine", env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0, ran.err
    assert "\\u03b1" in ran.out


@pytest.mark.parametrize(
    ("variables", "bold"), [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]
)
def test_colour_only_on_terminals_that_want_it(
    folder: Path, variables: dict[str, str], bold: bool
) -> None:
    leader, follower = os.openpty()
    subprocess.run(
        [*PROGRAM, "games", "rps"],
        stdout=follower,
        check=True,
        env={**os.environ, "TERM": "xterm", **variables},
    )
    os.close(follower)
    written = b""
    try:
        while chunk := os.read(leader, 4096):
            written += chunk
    except OSError:  # a closed terminal ends so
        pass
    os.close(leader)
    assert b"rock_paper_scissors" in written
    assert (b"\x1b[1m" in written) is bold


def test_a_terminal_sees_a_live_line(folder: Path) -> None:
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc", "--time", "0.5"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:
        pass
    os.close(leader)
    out, _ = ended(process)
    assert process.returncode == 0
    assert b"\x1b" not in out
    assert b"exploitability" in seen
    assert b"it/s" in seen
    assert b"ETA" in seen


@pytest.mark.parametrize("width", slow_but([40, 80], [40, 60, 79, 80, 120]))
def test_the_live_line_never_wraps(folder: Path, width: int) -> None:
    leader, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}}
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc(players=2)", "--time", "0.3", "--target", "1e-9"],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env={**environment, "TERM": "xterm"},
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:
        pass
    os.close(leader)
    assert process.wait(timeout=60) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", text.partition("Next: ")[0])]
    assert max(map(len, lines)) < width
    assert any("exploitability" in line for line in lines)
    assert all(line == "" or line[0] in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" for line in lines)
