"""Whatever users get wrong: one clear error on stderr, exit code 2, nothing lost."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    GameError,
    GameSpecError,
    MemoryBudgetError,
    OutputError,
    RecallError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.solution import Solution
from tests.cli.command import Shell

UNNAMED_FILES = [
    ("solve kuhn --out", "--out"),
    ("solve kuhn --plot", "--plot"),
    ("solve kuhn --checkpoint", "--checkpoint"),
    ("solve kuhn --resume", "--resume"),
    ("evaluate", "FILE"),
    ("evaluate a.csv --best-response", "--best-response"),
    ("inspect kuhn --draw", "--draw"),
    ("export", "FILE"),
    ("export a.safetensors", "OUT"),
]
"""Where the name of a file may be given, and is empty."""


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        (
            "solve leduk",
            UnknownNameError,
            dict(option="game", name="leduk", suggestions=("leduc", "leduc_poker")),
        ),
        (
            "solve 'kuhn(playrs=3)'",
            UnknownNameError,
            dict(option="parameter of kuhn", name="playrs"),
        ),
        ("solve 'kuhn(players=3'", GameSpecError, dict(position=14)),
        ("solve 'kuhn(players=99)'", GameSpecError, dict(option="players", given=99)),
        ("solve matrix", GameSpecError, dict(option="payoffs")),
        ("solve kuhn -a dcfrr", UnknownNameError, dict(option="algorithm", name="dcfrr")),
        (
            "solve kuhn -a 'dcfr(gama=2)'",
            UnknownNameError,
            dict(option="parameter of dcfr", name="gama"),
        ),
        (
            "solve kuhn -a 'cfr(gamma=2)'",
            UnknownNameError,
            dict(option="parameter of cfr", name="gamma"),
        ),
        ("solve kuhn -a 'lp(gamma=2)'", ConfigError, dict(option="algorithm", given="lp(gamma=2)")),
        (
            "solve kuhn -a ' Regret_Matching ()'",
            ConfigError,
            dict(option="algorithm", given=" Regret_Matching ()"),
        ),
        ("algorithms 'lp(gamma=2)'", ConfigError, dict(option="algorithm", given="lp(gamma=2)")),
        ("algorithms nothing", UnknownNameError, dict(option="algorithm", name="nothing")),
        (
            "solve kuhn -a regretmatching",
            UnknownNameError,
            dict(option="algorithm", name="regretmatching"),
        ),
        ("solve kuhn -a nofile.py:Mine", ConfigError, dict(option="file", given="nofile.py")),
        ("solve nofile.py:Game", GameSpecError, dict(option="file", given="nofile.py")),
        ("solve kuhn -n 0", ConfigError, dict(option="count", given="0")),
        ("solve kuhn -n 1.5", ConfigError, dict(option="count", given="1.5")),
        ("solve kuhn -n many", ConfigError, dict(option="count", given="many")),
        ("solve kuhn --target 0", ConfigError, dict(option="number", given="0")),
        ("solve kuhn --target nan", ConfigError, dict(option="number", given="nan")),
        ("solve kuhn --time 5x", ConfigError, dict(option="time", given="5x")),
        ("solve kuhn --memory lots", ConfigError, dict(option="memory", given="lots")),
        ("solve kuhn --checkpoint-every never", ConfigError, dict(option="time", given="never")),
        ("solve kuhn --seed -1", ConfigError, dict(option="seed", given=-1)),
        ("solve kuhn --trace", ConfigError, dict(option="--trace", given="dcfr")),
        ("solve kuhn -a regret-matching", UnsupportedError, dict(option="game", given="kuhn")),
        ("solve kuhn -a lp --target 1e-3", ConfigError, dict(option="target", given=0.001)),
        ("solve 'kuhn(players=3)' -a lp", UnsupportedError, dict(option="num_players", given=3)),
        ("solve kuhn -a hs-dcfr", ConfigError, dict(option="iterations")),
        ("solve kuhn --plot a.gif", ConfigError, dict(option="plot", given="a.gif")),
        ("solve kuhn --out a.csv", OutputError, dict(option="out", path="a.csv")),
        ("solve kuhn --out missing/a", OutputError, dict(option="folder")),
        ("solve kuhn --out .", OutputError, dict(option="file")),
        ("solve kuhn --plot missing/a.svg", OutputError, dict(option="folder")),
        ("solve kuhn --checkpoint missing/a", OutputError, dict(option="folder")),
        ("solve kuhn --resume missing", CheckpointError, dict(path="missing")),
        ("solve kuhn --out x --checkpoint x", ConfigError, dict(option="checkpoint", given="x")),
        (
            "solve leduc --max-histories 100",
            MemoryBudgetError,
            dict(option="max_histories", given=100, histories=1024),
        ),
        (
            "solve leduc --memory 10kB",
            MemoryBudgetError,
            dict(option="memory", given=10000, histories=1024),
        ),
        (
            "evaluate missing.safetensors",
            FileFormatError,
            dict(option="file", given="No such file or directory", path="missing.safetensors"),
        ),
        (
            "evaluate missing.csv --game kuhn",
            FileFormatError,
            dict(option="file", given="No such file or directory", path="missing.csv"),
        ),
        (
            "inspect missing.safetensors",
            FileFormatError,
            dict(option="file", path="missing.safetensors"),
        ),
        ("inspect leduk", UnknownNameError, dict(option="game", name="leduk")),
        ("inspect kuhn 1x", UnknownNameError, dict(option="infoset of kuhn", name="1x")),
        ("inspect kuhn --player 2", ConfigError, dict(option="--player", given=2)),
        ("inspect kuhn --regex '('", ConfigError, dict(option="--regex", given="(")),
        ("inspect kuhn --game kuhn", ConfigError, dict(option="--game", given="kuhn")),
        ("inspect kuhn --draw a.bmp", ConfigError, dict(option="--draw", given="a.bmp")),
        ("inspect kuhn --history 1,2", ConfigError, dict(option="--history", given="1,2")),
        (
            "inspect kuhn --draw a.svg --history 1,1",
            UnknownNameError,
            dict(option="move", name="1"),
        ),
        (
            "inspect kuhn --draw a.svg --history 1,2,bet,bet,bet",
            ConfigError,
            dict(option="move", given="bet"),
        ),
        ("inspect kuhn --draw missing/a.svg", OutputError, dict(option="folder")),
        ("inspect leduc --draw a.svg", ConfigError, dict(option="max_nodes", given=400)),
        (
            "export missing.safetensors a.csv",
            FileFormatError,
            dict(option="file", given="No such file or directory", path="missing.safetensors"),
        ),
        ("games leduk", UnknownNameError, dict(option="game", name="leduk")),
        ("algorithms dcfrr", UnknownNameError, dict(option="algorithm", name="dcfrr")),
        ("check nofile.py:Game", GameSpecError, dict(option="file", given="nofile.py")),
    ],
)
def test_one_clear_error(
    shell: Shell, folder: Path, line: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"{line} --quiet" if line.startswith("solve ") else line).refused(kind, **fields)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        *[(f"{line} ''", f"'{word}'") for line, word in UNNAMED_FILES],
        ("solve kuhn --output best", "'--output'"),
        ("solve", "'GAME'"),
        ("solve kuhn --iteration 5", "--iteration"),
        ("slove kuhn", "'slove'"),
        ("cache", "cache --help"),
        ("match kuhn.safetensors", "'B'"),
        ("postflop export", "'--out'"),
    ],
)
def test_command_lines_that_are_not_understood(
    shell: Shell, folder: Path, line: str, word: str
) -> None:
    shell(f"{line} --quiet" if line.startswith("solve ") else line).misused(word)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("overrides", "kind", "fields"),
    [
        (
            "def next(self, state, action_index):\n    return {}['x'] if state else 'a'",
            GameError,
            dict(kind="exception", option="next", given="KeyError"),
        ),
        (
            "def payoffs(self, state): raise SystemExit(3)",
            GameError,
            dict(kind="exception", option="payoffs", given="SystemExit"),
        ),
        (
            "def payoffs(self, state): return [float('nan'), 0]",
            GameError,
            dict(kind="payoffs", given=float("nan")),
        ),
        (
            "def payoffs(self, state): return [float('inf'), 0]",
            GameError,
            dict(kind="payoffs", given=float("inf")),
        ),
        ("def payoffs(self, state): return [1]", GameError, dict(kind="payoffs", given=1)),
        (
            "def infoset(self, state): return 'same'",
            GameError,
            dict(kind="owners", option="infoset", given="same"),
        ),
        (
            "def player(self, state): return 0\ndef next(self, state, action_index): return state",
            GameError,
            dict(kind="loop"),
        ),
        (
            "def player(self, state): return 0\ndef infoset(self, state): return state",
            GameError,
            dict(kind="endless", option="max_depth", given=10000),
        ),
        (
            "def __init__(self): raise ValueError('not today')",
            GameSpecError,
            dict(option="Bad", given="ValueError"),
        ),
        ("num_players = 0", GameSpecError, dict(option="num_players", given=0)),
    ],
)
def test_rules_that_fail(
    shell: Shell, rules, overrides: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    spec = rules(overrides)
    ran = shell(f"solve {spec} --quiet").refused(kind, **fields)
    assert "src/equilibrist" not in ran.err
    assert len(ran.err) < 2000


def test_imperfect_recall_is_refused(shell: Shell, rules) -> None:
    spec = rules(
        """
        def player(self, state): return -2 if len(state) == 3 else (0, 1, 0)[len(state)]
        def infoset(self, state): return str(len(state))
        """
    )
    shell(f"solve {spec} -q").refused(RecallError, infoset="2")


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
    assert Solution.load("a.safetensors").iterations == 3
    (folder / "rules.py").write_text("precious = 1\n")
    shell("solve kuhn -n 5 -q --out rules.py").refused(
        OutputError, option="out", expected="solution"
    )
    assert (folder / "rules.py").read_text() == "precious = 1\n"


def test_best_response_needs_a_file(shell: Shell) -> None:
    shell("solve kuhn -n 5").ok()
    file = "kuhn-dcfr.safetensors"
    shell(f"evaluate {file} --player 0").refused(ConfigError, option="--player", given=0)
    shell(f"evaluate {file} --best-response a.csv --player 2").refused(
        ConfigError, option="player", given=2
    )
    shell(f"evaluate {file} --best-response a.txt --player 0").refused(
        ConfigError, option="out", given="a.txt"
    )
    shell(f"export {file} a.txt").refused(ConfigError, option="--format", given="a.txt")
    shell(f"export {file} missing/a.csv").refused(OutputError, option="folder")


def test_what_cannot_be_saved_is_still_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk may fill while a long run runs: its result must not be lost."""
    from equilibrist.errors import OutputError
    from equilibrist.solving import SolveResult

    def full(self: SolveResult, path: Path) -> SolveResult:
        raise OutputError(f"cannot write {path}: No space left on device", path)

    monkeypatch.setattr(SolveResult, "save", full)
    ran = shell("solve kuhn -n 50")
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert "player 0  -0.05" in ran.out
    assert "saved" not in ran.out
    ran = shell("solve kuhn -n 50 --json")
    assert ran.code == 2
    assert ran.json["solution_file"] is None


@pytest.mark.parametrize(
    "options", ["--out mine.safetensors --json", "--json", "--out mine.safetensors"]
)
def test_a_checkpoint_that_fails_costs_no_result(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    """The first checkpoint is written, the next is not: the run ends with what it has."""
    from equilibrist.errors import OutputError
    from equilibrist.solvers.run.checkpoint import save_checkpoint
    from equilibrist.solving import methods

    written: list[int] = []

    def full(path: Path, *arguments: object, **others: object) -> None:
        if written:
            raise OutputError(f"cannot write {path}: No space left on device", path)
        written.append(1)
        save_checkpoint(path, *arguments, **others)

    monkeypatch.setattr(methods, "save_checkpoint", full)
    ran = shell(f"solve kuhn -n 1e9 --checkpoint run.ckpt --checkpoint-every 0.001 {options}")
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    file = "mine.safetensors" if "mine" in options else "kuhn-dcfr.safetensors"
    assert "run.ckpt: No space left on device; the run stopped there" in ran.err
    assert f"its solution is in {file}" in ran.err
    saved = Solution.load(file)
    assert 0 < saved.iterations < 10**9
    assert saved.config["out"] == (file if "mine" in options else None)
    if "--json" in options:
        assert ran.json["iterations"] == saved.iterations
        assert ran.json["solution_file"] == file
    else:
        assert f"Solution saved to {file}" in ran.out


@pytest.mark.parametrize("options", ["", "--json"])
def test_a_disk_that_is_full_at_the_end_costs_nothing(
    shell: Shell,
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    options: str,
) -> None:
    """Solution, picture and checkpoint fail: all of them stay as they were, and all is shown."""
    shell("solve kuhn -n 5 -q --out a.safetensors --plot a.svg --checkpoint run.ckpt").ok()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("elsewhere")))
    monkeypatch.setattr("os.fsync", full)
    ran = shell(f"solve kuhn -n 50 -q --resume run.ckpt --out a.safetensors --plot a.svg {options}")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    for name in before:
        assert f"{name}: No space left on device" in ran.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    if options:
        assert ran.json["iterations"] == 50
        assert len(ran.json["strategy"]) == 12
        assert ran.json["solution_file"] is None
    else:
        assert ran.out.startswith("kuhn: 50 iterations of dcfr")
        assert "3 (K)" in ran.out
        assert "saved" not in ran.out
    shell("solve kuhn -n 50 -q --resume run.ckpt").ok()


def test_what_cannot_go_to_out_goes_elsewhere(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "mine.safetensors":
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(Path, "replace", full)
    ran = shell("solve kuhn -n 20 --out mine.safetensors --plot a.svg")
    assert ran.code == 2
    assert "the solution was saved as" in ran.err
    assert "Convergence drawn to a.svg" in ran.out
    (saved,) = folder.glob("equilibrist-*/solution.safetensors")
    assert Solution.load(saved).iterations == 20


def test_a_bug_of_ours_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from equilibrist.cli.commands.games import games

    def broken(_json: bool, _sizes: bool) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(games, "_list_all", broken)
    ran = shell("games")
    assert ran.code == 70
    assert "ZeroDivisionError: oops" in ran.err
    assert "bug in Equilibrist" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in shell("games --debug").err
    assert "Traceback" in shell("--debug games").err
    monkeypatch.setenv("EQUILIBRIST_DEBUG", "1")
    assert "Traceback" in shell("games").err
