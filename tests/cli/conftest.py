"""An empty working folder, and a shell that types into it."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.cli.text import progress
from equilibrist.library.names import stored_solutions
from tests.cli.command import Shell

GAME = '''
from equilibrist.games import CHANCE, TERMINAL


class Tiny:
    """Player 0 picks a or b, player 1 guesses; a right guess costs player 0 one."""

    name = "tiny"
    num_players = 2

    def initial_state(self):
        return ""

    def player(self, state):
        return TERMINAL if len(state) == 2 else len(state)

    def actions(self, state):
        return ["a", "b"]

    def chance(self, state):
        return []

    def next(self, state, action_index):
        return state + "ab"[action_index]

    def payoffs(self, state):
        return [-1, 1] if state in ("aa", "bb") else [1, -1]

    def infoset(self, state):
        return "pick" if state == "" else "guess"
'''


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of other programs, whatever runs beside the tests."""
    monkeypatch.setattr(progress, "_THREADS", Path("/dev/null"))


@pytest.fixture
def folder(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The empty working folder of the test, whose data folder is empty, too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    monkeypatch.delenv("EQUILIBRIST_DEBUG", raising=False)
    return tmp_path


@pytest.fixture
def shell(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """Commands in this process, for which no time passes: a slow machine says nothing more."""
    monkeypatch.setattr("equilibrist.cli.text.progress.monotonic", lambda: 0.0)
    return Shell(capsys)


@pytest.fixture
def rules(folder: Path) -> Callable[[str], str]:
    """Write rules.py with the class Tiny, and Bad that overrides what the text says."""

    def write(overrides: str = "pass") -> str:
        body = textwrap.indent(textwrap.dedent(overrides).strip(), "    ")
        (folder / "rules.py").write_text(f"{GAME}\n\nclass Bad(Tiny):\n{body}\n")
        return "rules.py:Bad"

    return write


@pytest.fixture
def solution(shell: Shell) -> str:
    """A solution of Kuhn poker in the working folder."""
    shell("solve kuhn -n 200 -q --out kuhn-dcfr.safetensors").ok()
    return "kuhn-dcfr.safetensors"


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with solved games."""
    found = tmp_path_factory.mktemp("solved")
    for name in ("kuhn", "leduc"):
        eq.solve(name, iterations=100, files=eq.Files(out=found / f"{name}-dcfr.safetensors"))
    return found


@pytest.fixture
def solutions(folder: Path, solved: Path) -> None:
    """Solved games in the working folder and stored, so that no test solves them again."""
    shutil.copytree(solved, folder, dirs_exist_ok=True)
    for name in ("leduc-dcfr", "kuhn-dcfr"):
        file = solved / f"{name}.safetensors"
        stored_solutions().add(name, partial(shutil.copyfile, file))
