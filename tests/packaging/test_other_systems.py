"""What Linux has and other systems lack: the package runs without it.

Nothing here replaces a run on Windows or macOS: the names that they lack are taken away, and
kernels are compiled for their processors.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.poker import Spot, solve
from equilibrist.storage import mapped_archive

SOURCES = Path(__file__).parents[2] / "src" / "equilibrist"
POOR = """
import os, pathlib, signal, sys
import matplotlib, numba, numpy, pydantic, rich, safetensors.numpy, scipy, typer

for module, names in {
    os: ["sched_getaffinity", "sysconf", "fork", "register_at_fork", "mkfifo", "uname", "getuid",
         "fchmod", "chown", "killpg", "getpgid", "O_NONBLOCK", "O_DIRECTORY"],
    signal: ["SIGHUP", "SIGKILL", "SIGALRM", "setitimer", "pthread_sigmask", "sigwait"],
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp"):
    sys.modules[name] = None
opened = os.open

def no_folders(path, *arguments, **named):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, *arguments, **named)

os.open = no_folders
read_bytes, read_text = pathlib.Path.read_bytes, pathlib.Path.read_text

def no_proc(read):
    def read_file(path, *arguments, **named):
        if str(path).startswith(("/proc", "/sys")):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return read(path, *arguments, **named)
    return read_file

pathlib.Path.read_bytes, pathlib.Path.read_text = no_proc(read_bytes), no_proc(read_text)

from equilibrist.storage import mapped_archive
mapped_archive._MAPS = False

import equilibrist as eq
from equilibrist.cli.main import run
from equilibrist.play import HandLog, Session, UniformAgent, read_log
from equilibrist.poker import Spot, export

for part in (1, 2):
    files = eq.Files(checkpoint="kuhn.ckpt", resume=part == 2)
    result = eq.solve("kuhn", iterations=200 * part, files=files)
assert result.exploitability < 0.01
result.save("kuhn.safetensors")
assert eq.load_result("kuhn.safetensors").values == result.values
assert eq.solve("leduc", sampling="external", iterations=1000, seed=1).iterations == 1000
assert eq.load_game("rules:leduc").num_players == 2
spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
for part in (1, 2):
    files = eq.Files(checkpoint="spot.ckpt", resume=part == 2)
    solution = eq.solve(spot, iterations=50 * part, files=files, threads=2)
path = solution.save("jam.spot")
loaded = eq.load_result(path)
assert loaded.at("A").ev.equals(solution.at("A").ev)
loaded.save("jam.spot")
assert eq.load_result(path).ev == solution.ev
export(loaded, "tree.csv")
with HandLog("hands.log") as log:
    session = Session(eq.load_game("kuhn"), [UniformAgent(), UniformAgent()], seed=1)
    log.begin(session)
    for record in session.play(3):
        log.add(record)
assert len(read_log("hands.log")[0].hands) == 3
assert run(["solve", "kuhn", "--quiet", "--out", "again.safetensors"]) == 0
assert run(["postflop", "show", "jam.spot"]) == 0
print("done")
"""


COMPILED = """
import gc, sys
import llvmlite.binding as llvm
from numba.core.dispatcher import Dispatcher
import equilibrist as eq
from equilibrist.poker import Spot

eq.solve("kuhn", iterations=2)
spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
eq.solve(spot, iterations=2, storage="int16", threads=2)  # of all functions for spots most
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
kernels = [each for each in gc.get_objects() if isinstance(each, Dispatcher)]
texts = {
    (kernel.py_func.__module__, kernel.py_func.__name__, signature): text
    for kernel in kernels
    if kernel.py_func.__module__.startswith("equilibrist.")
    for signature, text in kernel.inspect_llvm().items()
}
assert len(texts) > 20, len(texts)
for triple in sys.argv[1:]:
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=0, reloc="pic")
    for name, text in texts.items():
        assert "llvm.x86" not in text and " asm " not in text, name
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = triple, str(machine.target_data)
        assert len(machine.emit_object(module)) > 500, name
print(len(texts), "kernels")
"""


@pytest.mark.slow
def test_kernels_compile_for_other_processors() -> None:
    """All of a solve of each kind, without instructions that only one processor has."""
    triples = ["arm64-apple-macosx", "x86_64-pc-windows-msvc"]
    done = subprocess.run(
        [sys.executable, "-c", COMPILED, *triples],
        # Optimised code is that of this machine's processor.
        env={**os.environ, "EQUILIBRIST_NUMBA_CACHE": "0", "NUMBA_OPT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(" kernels\n")


@pytest.mark.slow
def test_without_what_posix_has(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", POOR],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")


def test_modules_that_only_posix_has_are_not_imported() -> None:
    names = "fcntl|resource|termios|tty|pty|pwd|grp|curses|readline|syslog|posix"
    pattern = re.compile(rf"^\s*(import|from) ({names})\b", re.MULTILINE)
    assert [path for path in SOURCES.rglob("*.py") if pattern.search(path.read_text("utf-8"))] == []


def test_a_solution_is_saved_where_it_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a map of the file, which Windows would not replace."""
    monkeypatch.setattr(mapped_archive, "_MAPS", False)
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    solution = solve(spot, iterations=20)
    path = solution.save(tmp_path / "a.spot")
    before = path.read_bytes()
    loaded = load_result(path)
    assert loaded.ev == solution.ev
    monkeypatch.setattr(np, "memmap", None)
    assert load_result(loaded.save(path)).ev == solution.ev
    assert path.read_bytes() == before
