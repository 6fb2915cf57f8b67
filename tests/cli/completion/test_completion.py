"""Tab completion: the words that shells get, real shells, and how it is switched on."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from equilibrist.abstraction.actions.mappings import MAPPINGS
from equilibrist.cli.completion import shells, values
from equilibrist.cli.main import ENTRIES
from equilibrist.errors import ConfigError
from equilibrist.games import list_games
from equilibrist.learned.contenders import CONTENDERS
from equilibrist.solvers import list_algorithms, list_samplers
from tests.cli.command import PROGRAM, Shell, spawn

HEAVY = ("numba", "numpy", "scipy", "matplotlib", "textual")


class Asked:
    """What a shell gets for the word at the end of a line, asked in this process."""

    def __init__(self, shell: Shell, patch: pytest.MonkeyPatch) -> None:
        self.shell, self.patch = shell, patch

    def __call__(self, line: str, name: str = "bash") -> list[str]:
        for variable, value in question(f"equilibrist {line}", name).items():
            self.patch.setenv(variable, value)
        ran = self.shell("")
        for variable in question("", name):
            self.patch.delenv(variable)
        assert ran.err == ""
        return [word for word in ran.out.splitlines() if word]


def question(line: str, name: str = "bash") -> dict[str, str]:
    """What a shell sets to ask for the last word of a line."""
    count = len(line.split()) - (not line.endswith(" "))
    return {
        "_EQUILIBRIST_COMPLETE": f"complete_{name}",
        "COMP_WORDS": line,
        "COMP_CWORD": f"{count}",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }


@pytest.fixture
def asked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(shell, monkeypatch)


def test_the_names_are_those_of_the_registries() -> None:
    """They are written down, because the registries take long to import."""
    games = [name for name in values.GAMES if not name.endswith(":")]
    assert games == [game.name for game in list_games()]
    assert list(values.ALGORITHMS) == [algorithm.name for algorithm in list_algorithms()]
    assert list(values.NETWORKS) == list(CONTENDERS)
    assert list(values.SAMPLERS) == [sampler.name for sampler in list_samplers()]
    assert list(values.TRANSLATIONS) == list(MAPPINGS)


@pytest.fixture
def files(folder: Path, shell: Shell) -> None:
    """Two solutions, and files in the working folder."""
    for iterations in (5, 6):
        shell(f"solve kuhn -n {iterations} -q").ok()
    for name in ("rules.py", "notes.txt", "lake.csv", ".hidden", "my (last).py"):
        (folder / name).write_text("")
    (folder / "late").mkdir()


CASES = [
    ("so", ["solve"]),
    ("--", ["--version", "--debug", "--install-completion", "--show-completion", "--help"]),
    ("postflop b", ["batch", "browse"]),
    ("cache ", ["info", "warm", "clear"]),
    ("solve ku", ["kuhn", "kuhn_bets"]),
    ("solve r", ["rock_paper_scissors", "random_tree", "rules:", "rules.py"]),
    ("solve my", []),  # the shell offers files itself
    ("solve m", ["matching_pennies", "morra", "matrix", "my\\ \\(last\\).py"]),
    ("solve kuhn --al", ["--algorithm", "--alternating"]),
    ("solve kuhn -a hs-", ["hs-dcfr", "hs-pcfr+"]),
    ("solve kuhn --sampler pub", ["public-chance"]),
    ("solve kuhn --output ", ["average", "last"]),
    ("solve kuhn_bets --translate n", ["nearest"]),
    ("solve kuhn --warm-start last-", ["last-2"]),
    ("compare kuhn -a cfr,@pu", ["cfr,@public-chance", "cfr,@pure"]),
    ("compare kuhn -a cfr,nf", ["cfr,nfsp"]),
    ("train kuhn --algorithm d", ["deep-cfr", "dream"]),
    ("inspect la", ["last", "last-2", "lake.csv", "late/"]),
    ("evaluate n", []),  # the shell offers files itself
    ("evaluate last --against uni", ["uniform"]),
    ("match last", ["last", "last-2"]),
    ("play kuhn --seats human,la", ["human,last", "human,last-2"]),
    ("postflop show last-2", ["last-2"]),
    ("export last ", []),
    ("last last", ["last", "last-2"]),
    ("algorithms xf", ["xfp"]),
    ("algorithms sd", ["sd-cfr"]),
    ("samplers es", ["escher"]),
    ("games le", ["leduc"]),
]


@pytest.mark.usefixtures("files")
def test_words_are_completed(asked: Asked) -> None:
    for line, wanted in CASES:
        assert asked(line) == wanted, line


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("m", "my\\ \\(last\\).py"),
        ("'m", "my (last).py"),
        ('"m', "my (last).py"),
        ("ra", "ra\\$h\\'s.py"),
        ("'ra", "ra$h'\\''s.py"),
        ('"ra', "ra\\$h's.py"),
    ],
)
def test_bash_gets_names_in_its_own_quotation(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, typed: str, offered: str
) -> None:
    Path("ra$h's.py").touch()
    asking = question(f"equilibrist\nsolve\n{typed}") | {"COMP_CWORD": "2"}
    for variable, value in asking.items():
        monkeypatch.setenv(variable, value)
    assert shell("").out.splitlines()[-1] == offered


@pytest.mark.usefixtures("files")
def test_every_command_is_offered(asked: Asked) -> None:
    assert asked("") == [entry.name for entry in ENTRIES]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("fish", ["last\tkuhn-dcfr", "last-2\tkuhn-dcfr"]),
        ("zsh", ['_arguments \'*: :(("last":"kuhn-dcfr"', '"last-2":"kuhn-dcfr"))\'']),
    ],
)
def test_other_shells_show_what_the_names_mean(asked: Asked, name: str, wanted: list[str]) -> None:
    assert asked("last last", name) == wanted


def test_nonsense_prints_no_error(asked: Asked) -> None:
    assert asked("inspect last-99 --ma") == [
        "--match",
        "--max-nodes",
        "--max-histories",
        "--max-depth",
    ]
    for line in ("solve --nonsense ", "nonsense --", "solve 'kuhn -a ", "postflop nonsense "):
        asked(line)


@pytest.mark.usefixtures("files")
def test_completion_imports_nothing_heavy() -> None:
    code = (
        "import sys; from equilibrist.cli.main import run; run([]); "
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    for line in ("solve ku", "postflop show la", ""):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, **question(f"equilibrist {line}")},
        )
        assert done.stderr == "[]\n", line
        assert done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_bash_completes_what_is_typed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An interactive shell, with the program on its path, and the Tab key."""
    bin_folder = tmp_path_factory.mktemp("bin")
    program = bin_folder / "equilibrist"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    script = bin_folder / "completion.sh"
    script.write_text(spawn("--show-completion bash").ok().out)
    bash = shutil.which("bash")
    assert bash is not None
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(PATH=f"{bin_folder}:{os.environ['PATH']}", PS1="$ ", TERM="dumb")
        os.execv(bash, [bash, "--norc", "--noprofile", "-i"])
    try:
        os.write(terminal, f". {script}\n".encode())
        os.write(terminal, b"echo begin:$((1+1))\n")
        _read_until(terminal, "begin:2")
        os.write(terminal, b"cp notes.txt 'kuhn (old)'; echo copied:$((1+1))\r")
        _read_until(terminal, "copied:2")
        os.write(terminal, b"equilibrist inspect kuh\x1b*")  # inserts all that is offered
        _read_until(terminal, "inspect kuhn kuhn\\ \\(old\\) ")
        os.write(terminal, b"\x15")
        os.write(terminal, b"equilibrist insp\t")
        _read_until(terminal, "inspect ")
        os.write(terminal, b"last-\t")
        _read_until(terminal, "last-2")
        os.write(terminal, b" 1pb\r")
        _read_until(terminal, "Jpb  (player 0 of kuhn, key 1pb)")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


def _read_until(terminal: int, wanted: str) -> None:
    seen = ""
    end = time.monotonic() + 60
    while wanted not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, f"{wanted!r} does not appear: {seen!r}"
        seen += os.read(terminal, 4096).decode(errors="replace").replace("\x07", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_for_a_shell_that_is_named(
    folder: Path, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    ran = spawn(f"--install-completion {shell}").ok()
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert any(f"complete_{shell}" in path.read_text() for path in written)
    assert f"completion for {shell} is in {folder}" in ran.out
    script = spawn(f"--show-completion {shell}").ok().out
    assert any(script.strip() == path.read_text().strip() for path in written)


def test_the_shell_that_runs_is_found(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("fish", "/usr/bin/fish"))
    assert "complete_fish" in shell("--show-completion").ok().out


def test_without_a_shell_one_is_to_be_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def none() -> None:
        raise OSError("no process file system")

    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr("shellingham.detect_shell", none)
    for flag in ("--show-completion", "--install-completion"):
        ran = shell(flag).refused(ConfigError, option=flag, given=None)
        assert "equilibrist --show-completion bash" in ran.err
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("tcsh", "/bin/tcsh"))
    shell("--show-completion").refused(ConfigError, given="tcsh")
    shell("--show-completion csh").refused(
        ConfigError, given="csh", expected=", ".join(shells.SHELLS)
    )
    assert not [*folder.iterdir()]
