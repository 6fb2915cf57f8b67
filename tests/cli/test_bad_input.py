"""Whatever users get wrong: one clear error on stderr, exit code 2, nothing lost."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from equilibrist.solution import Solution
from tests.cli.command import Shell


@pytest.mark.parametrize(
    ("line", "fragments"),
    [
        ("solve leduk", ["unknown game 'leduk'", "did you mean 'leduc'"]),
        ("solve 'kuhn(playrs=3)'", ["unknown parameter of kuhn 'playrs'", "'players'"]),
        ("solve 'kuhn(players=3'", ["column"]),
        ("solve 'kuhn(players=99)'", ["players", "from 2 to 10", "99"]),
        ("solve matrix", ["needs the parameter 'payoffs'"]),
        ("solve kuhn -a dcfrr", ["unknown algorithm 'dcfrr'", "'dcfr'"]),
        ("solve kuhn -a 'dcfr(gama=2)'", ["unknown parameter of dcfr 'gama'", "'gamma'"]),
        (
            "solve kuhn -a 'cfr(gamma=2)'",
            ["parameter of cfr 'gamma' (it takes no parameters)"],
        ),
        ("solve kuhn -a 'lp(gamma=2)'", ["lp takes no parameters; given: 'lp(gamma=2)'"]),
        ("solve kuhn -a ' Regret_Matching ()'", ["regret-matching takes no parameters"]),
        ("algorithms 'lp(gamma=2)'", ["lp takes no parameters"]),
        ("algorithms nothing", ["unknown algorithm 'nothing'", "lp, regret-matching"]),
        ("solve kuhn -a regretmatching", ["unknown algorithm", "'regret-matching'"]),
        ("solve kuhn -a nofile.py:Mine", ["nofile.py", "does not exist"]),
        ("solve nofile.py:Game", ["nofile.py", "does not exist"]),
        ("solve kuhn -n 0", ["'0' is not a count"]),
        ("solve kuhn -n 1.5", ["'1.5' is not a count"]),
        ("solve kuhn -n many", ["'many' is not a count"]),
        ("solve kuhn --target 0", ["not a positive number"]),
        ("solve kuhn --target nan", ["not a positive number"]),
        ("solve kuhn --time 5x", ["'5x' is not a time"]),
        ("solve kuhn --memory lots", ["'lots' is not an amount of memory"]),
        ("solve kuhn --checkpoint-every never", ["'never' is not a time"]),
        ("solve kuhn --seed -1", ["seed"]),
        ("solve kuhn --output best", ["--output", "'average', 'last'"]),
        ("solve kuhn --trace", ["--trace", "regret-matching"]),
        ("solve kuhn -a regret-matching", ["not a matrix game", "chance moves", "(dcfr)"]),
        ("solve kuhn -a lp --target 1e-3", ["target", "lp"]),
        ("solve 'kuhn(players=3)' -a lp", ["two players"]),
        ("solve kuhn -a hs-dcfr", ["give iterations"]),
        ("solve kuhn --plot a.gif", ["a.gif", ".svg or .png"]),
        ("solve kuhn --out a.csv", ["a.csv", "equilibrist export"]),
        ("solve kuhn --out missing/a", ["missing", "does not exist"]),
        ("solve kuhn --out .", ["folder"]),
        ("solve kuhn --plot missing/a.svg", ["missing", "does not exist"]),
        ("solve kuhn --checkpoint missing/a", ["missing", "does not exist"]),
        ("solve kuhn --resume missing", ["no checkpoint missing"]),
        ("solve kuhn --out x --checkpoint x", ["same file"]),
        ("solve leduc --max-histories 100", ["--max-histories", "histories"]),
        ("solve leduc --memory 10kB", ["--memory", "0.00954 MiB", "is about 8,800 histories, 0.5"]),
        *[
            (f"{line} ''", [option, "the name of the file is empty"])
            for line, option in [
                ("solve kuhn --out", "'--out'"),
                ("solve kuhn --plot", "'--plot'"),
                ("solve kuhn --checkpoint", "'--checkpoint'"),
                ("solve kuhn --resume", "'--resume'"),
                ("evaluate", "'FILE'"),
                ("evaluate a.csv --best-response", "'--best-response'"),
                ("inspect kuhn --draw", "'--draw'"),
                ("export", "'FILE'"),
                ("export a.safetensors", "'OUT'"),
            ]
        ],
        ("solve", ["Missing argument 'GAME'"]),
        ("solve kuhn --iteration 5", ["No such option"]),
        ("slove kuhn", ["No such command 'slove'", "'solve'"]),
        ("evaluate missing.safetensors", ["missing.safetensors"]),
        ("evaluate missing.csv --game kuhn", ["missing.csv"]),
        ("inspect missing.safetensors", ["there is no file missing.safetensors"]),
        ("inspect leduk", ["unknown game 'leduk'"]),
        ("inspect kuhn 1x", ["unknown infoset of kuhn '1x'", "'1"]),
        ("inspect kuhn --player 2", ["players 0 to 1"]),
        ("inspect kuhn --regex '('", ["no regular expression"]),
        ("inspect kuhn --game kuhn", ["'kuhn' is none", "leave out --game"]),
        ("inspect kuhn --draw a.bmp", ["a.bmp", ".svg or .dot"]),
        ("inspect kuhn --history 1,2", ["--draw"]),
        ("inspect kuhn --draw a.svg --history 1,1", ["unknown move '1'", "2, 3"]),
        ("inspect kuhn --draw a.svg --history 1,2,bet,bet,bet", ["is over after"]),
        ("inspect kuhn --draw missing/a.svg", ["missing", "does not exist"]),
        ("inspect leduc --draw a.svg", ["more than 400 histories", "--history"]),
        ("export missing.safetensors a.csv", ["missing.safetensors"]),
        ("games leduk", ["unknown game 'leduk'"]),
        ("algorithms dcfrr", ["unknown algorithm 'dcfrr'"]),
        ("check nofile.py:Game", ["does not exist"]),
        ("cache", ["Missing command"]),
    ],
)
def test_one_clear_error(shell: Shell, folder: Path, line: str, fragments: list[str]) -> None:
    shell(f"{line} --quiet" if line.startswith("solve ") else line).refused(*fragments)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("overrides", "fragments"),
    [
        (
            "def next(self, state, action_index):\n    return {}['x'] if state else 'a'",
            ["Bad.next raised KeyError: 'x'", "rules.py:", "history: a"],
        ),
        ("def payoffs(self, state): raise SystemExit(3)", ["SystemExit: 3", "a > a"]),
        ("def payoffs(self, state): return [float('nan'), 0]", ["finite", "nan", "a > a"]),
        ("def payoffs(self, state): return [float('inf'), 0]", ["finite", "inf", "a > a"]),
        ("def payoffs(self, state): return [1]", ["1 numbers for 2 players"]),
        ("def infoset(self, state): return 'same'", ["'same'", "player 0", "player 1"]),
        (
            "def player(self, state): return 0\ndef next(self, state, action_index): return state",
            ["a loop"],
        ),
        (
            "def player(self, state): return 0\ndef infoset(self, state): return state",
            ["a line of play goes on after"],
        ),
        ("def __init__(self): raise ValueError('not today')", ["not today", "rules.py:"]),
        ("num_players = 0", ["num_players"]),
    ],
)
def test_rules_that_fail(shell: Shell, rules, overrides: str, fragments: list[str]) -> None:
    spec = rules(overrides)
    ran = shell(f"solve {spec} --quiet").refused(*fragments)
    assert "src/equilibrist" not in ran.err
    assert len(ran.err) < 2000


def test_imperfect_recall_is_refused(shell: Shell, rules) -> None:
    spec = rules(
        """
        def player(self, state): return -2 if len(state) == 3 else (0, 1, 0)[len(state)]
        def infoset(self, state): return str(len(state))
        """
    )
    shell(f"solve {spec} -q").refused("forgets", "history: ")


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
    shell(command.format(file.name)).refused("given.safetensors")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("given", ["leduc", "'kuhn(bet=2)'", "kuhn -a cfr", "kuhn --simultaneous"])
def test_a_checkpoint_of_another_run(shell: Shell, folder: Path, given: str) -> None:
    shell("solve kuhn -n 5 --checkpoint run.ckpt").ok()
    before = (folder / "run.ckpt").read_bytes()
    shell(f"solve {given} -q --resume run.ckpt").refused("run.ckpt", "another run")
    assert (folder / "run.ckpt").read_bytes() == before


def test_an_existing_checkpoint_is_not_overwritten(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 5 --checkpoint run.ckpt").ok()
    before = (folder / "run.ckpt").read_bytes()
    shell("solve kuhn -n 7 -q --checkpoint run.ckpt").refused("run.ckpt", "resume it")
    assert (folder / "run.ckpt").read_bytes() == before


def test_out_replaces_solutions_and_nothing_else(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 5 --out a.safetensors").ok()
    shell("solve kuhn -n 3 --out a.safetensors").ok()
    assert Solution.load("a.safetensors").iterations == 3
    (folder / "rules.py").write_text("precious = 1\n")
    shell("solve kuhn -n 5 -q --out rules.py").refused("rules.py", "left as it was")
    assert (folder / "rules.py").read_text() == "precious = 1\n"


def test_best_response_needs_a_file(shell: Shell) -> None:
    shell("solve kuhn -n 5").ok()
    file = "kuhn-dcfr.safetensors"
    shell(f"evaluate {file} --player 0").refused("--best-response")
    shell(f"evaluate {file} --best-response a.csv --player 2").refused("0 to 1")
    shell(f"evaluate {file} --best-response a.txt --player 0").refused("a.txt", ".csv, .json")
    shell(f"export {file} a.txt").refused("a.txt", ".csv, .json")
    shell(f"export {file} missing/a.csv").refused("does not exist")


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
