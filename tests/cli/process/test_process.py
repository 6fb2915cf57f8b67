"""How the process of a command begins and ends: what it loads, what it waits for and frees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from equilibrist.rules.shipped import leduc
from tests.cli.command import PROGRAM, spawn

HEAVY = {"numba", "scipy", "matplotlib", "numpy"}


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    while threading.main_thread().is_alive():  # until it waits for the other threads
        time.sleep(0.01)
    if interrupted:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30.0)
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
