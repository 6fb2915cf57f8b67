"""Whatever users type wrongly: one clear error on stderr, exit code 2."""

from __future__ import annotations

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
    ("export kuhn", "OUT"),
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
        ("solve kuhn -n 0", ConfigError, dict(option="iterations", given="0")),
        ("solve kuhn -n 1.5", ConfigError, dict(option="iterations", given="1.5")),
        ("solve kuhn -n many", ConfigError, dict(option="iterations", given="many")),
        ("solve kuhn --target 0", ConfigError, dict(option="target", given="0")),
        ("solve kuhn --target nan", ConfigError, dict(option="target", given="nan")),
        ("solve kuhn --time 5x", ConfigError, dict(option="seconds", given="5x")),
        ("solve kuhn --memory lots", ConfigError, dict(option="memory", given="lots")),
        (
            "solve kuhn --checkpoint-every never",
            ConfigError,
            dict(option="checkpoint_every", given="never"),
        ),
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
        *(
            (
                f"{command} missing.toml",
                FileFormatError,
                dict(option="file", given="No such file or directory", path="missing.toml"),
            )
            for command in ("postflop solve", "postflop convert", "preflop pushfold", "acpc game")
        ),
        (
            "inspect missing.safetensors",
            FileFormatError,
            dict(option="file", path="missing.safetensors"),
        ),
        ("inspect leduk", UnknownNameError, dict(option="game", name="leduk")),
        ("inspect kuhn 1x", UnknownNameError, dict(option="infoset", name="1x")),
        ("inspect kuhn --player 2", ConfigError, dict(option="player", given=2)),
        ("inspect kuhn --regex '('", ConfigError, dict(option="regex", given="(")),
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
        ("match uniform", "'B'"),
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


def test_best_response_needs_a_file(shell: Shell) -> None:
    file = "kuhn-dcfr.safetensors"
    shell(f"solve kuhn -n 5 --out {file}").ok()
    shell(f"evaluate {file} --player 0").refused(ConfigError, option="--player", given=0)
    shell(f"evaluate {file} --best-response a.csv --player 2").refused(
        ConfigError, option="player", given=2
    )
    shell(f"evaluate {file} --best-response a.txt --player 0").refused(
        ConfigError, option="out", given="a.txt"
    )
    shell(f"export {file} a.txt").refused(ConfigError, option="--format", given="a.txt")
    shell(f"export {file} missing/a.csv").refused(OutputError, option="folder")


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


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("icm 5000 3000 2000 --payouts 50/30", "'5000 3000 2000'"),
        ("icm 5000/3000 --payouts 50 30", "'50 30'"),
        ("range AA, KK", "'AA, KK'"),
    ],
)
def test_arguments_that_blanks_take_apart_are_shown_in_quotes(
    line: str, quoted: str, shell: Shell
) -> None:
    ran = shell(line)
    assert ran.code == 2
    assert quoted in ran.err
