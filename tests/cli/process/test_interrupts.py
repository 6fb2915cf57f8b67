"""Ctrl-C and other signals, at any time of a command."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from equilibrist.__main__ import main as begin
from equilibrist.results import Result
from tests.cli.command import PROGRAM
from tests.cli.process.running import ended, start


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


@pytest.mark.by_default(1)
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130
    assert out == ""
    assert err == "interrupted before there was anything to show\n"


@pytest.mark.parametrize("inside", ["raise KeyboardInterrupt", "pass"])
def test_the_exit_code_after_ctrl_c_inside_exec(folder: Path, inside: str) -> None:
    """As when a module that is loaded makes a class by `exec`; the code alone says it."""
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'equilibrist.cli.main':\n"
        f"            exec({inside!r})\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
    )
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [*PROGRAM, "games"], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 130
    assert done.stderr == "interrupted while the program was loading\n"
