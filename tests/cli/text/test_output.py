"""The small parts: amounts, tables, the live line, names of files."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.cli.text import output, progress
from equilibrist.cli.text.strategy_text import show_strategy
from equilibrist.evaluation import Evaluation
from equilibrist.library.strategy_table import StrategyTable
from equilibrist.progress import Progress
from tests.cli.command import Shell


def test_tables_are_aligned() -> None:
    lines = output.table_lines(["name", "x"], [["a", "1.5"], ["long name", "10.25"]])
    assert lines == ["  name           x", "  a            1.5", "  long name  10.25"]
    assert output.table_lines(["a", "b"], [["x", ""]], ["left", "left"], indent="") == [
        "a  b", "x"
    ]  # fmt: skip


def test_the_last_column_folds_on_narrow_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = output.table_lines(["a", "b"], [["key", "word " * 12]], ["left", "left"], fold=True)
    assert len(lines) > 2
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith(" " * 7 + "word")
    monkeypatch.delenv("COLUMNS")
    assert len(output.table_lines(["a", "b"], [["key", "word " * 12]], fold=True)) == 2


def test_long_rows_are_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    output.show_table(["key", "value"], [["k" * 300, "v" * 300]])
    assert "k" * 300 + "  " + "v" * 300 in capsys.readouterr().out


def table(keys: list[str], labels: list[list[str]], rows: list[list[float]]) -> StrategyTable:
    offset = [0]
    for row in rows:
        offset.append(offset[-1] + len(row))
    flat = [x for row in rows for x in row]
    return StrategyTable("some game", 1, keys, [0] * len(keys), labels, offset, flat)


def test_actions_stand_in_columns_where_infosets_share_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = [["call", "raise"], ["fold", "call", "raise"], ["fold", "call"]]
    show_strategy(table(["a", "b", "c"], labels, [[0.25, 0.75], [0.5, 0.25, 0.25], [0, 1]]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  infoset    fold    call   raise"
    assert lines[2] == "  a                0.2500  0.7500"
    assert lines[4] == "  c        0.0000  1.0000"


def test_many_actions_are_pairs_without_those_never_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = [[f"bid {k}" for k in range(9)], ["liar"]]
    show_strategy(table(["a", "b"], labels, [[0.5, 0.5, *[0.0] * 7], [1.0]]))
    out = capsys.readouterr().out
    assert "bid 0 0.5000  bid 1 0.5000  (others 0)\n" in out
    assert "bid 2" not in out
    assert "liar 1.0000\n" in out


def report(**changes: Any) -> Progress:
    evaluation = Evaluation((-0.0555, 0.0555), (0.0, 0.1), (0.0555, 0.0445), 0.1, 0.05)
    facts: dict[str, Any] = {
        "algorithm": "dcfr",
        "iteration": 12345,
        "seconds": 1.5,
        "evaluation": evaluation,
        "measured_at": 12000,
        "iterations_per_second": 152000.4,
        "eta_seconds": 75.2,
        "target": 1e-3,
    }
    return Progress(**{**facts, **changes})


FULL = (
    "iteration 12,345  exploitability 0.05 (target 1.00e-03)  values -0.055500 0.055500  "
    "152,000 it/s  ETA 1:15"
)


def test_the_live_line_says_everything() -> None:
    assert progress.progress_texts(report())[0] == FULL
    for speed, text in ((0.418, "0.42 it/s"), (9.96, "10 it/s"), (12_345.6, "12,346 it/s")):
        assert f"  {text}" in progress.progress_texts(report(iterations_per_second=speed))[0]
    general = Evaluation((1.0,) * 3, (1.0,) * 3, (0.0,) * 3, 0.25, None)
    text = progress.progress_texts(report(evaluation=general, eta_seconds=None, target=None))[0]
    assert "NashConv 0.25  " in text
    assert "ETA" not in text
    assert "target" not in text


def test_the_live_line_has_digits_beside_a_penalty() -> None:
    said: list[Progress] = []
    game = "matrix(payoffs=[[1e-6,-1e-6],[-1e-6,2e-6],[-1e6,-1e6]])"
    eq.solve(game, iterations=2, callbacks=said.append)
    evaluation = Evaluation((2e-7, -2e-7), (3e-7, 0.0), (1e-7, 2e-7), 3e-7, 1.5e-7, 1e-6)
    line = progress.progress_texts(replace(said[-1], evaluation=evaluation))[0]
    shown = [float(text) for text in line.partition("values ")[2].split()[:2]]
    assert shown == pytest.approx(evaluation.values, rel=1e-5)


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, FULL),
        (104, "iteration 12,345  exploitability 0.05 (target 1.00e-03)  152,000 it/s  ETA 1:15"),
        (80, "iteration 12,345  exploitability 0.05 (target 1.00e-03)  152,000 it/s  ETA 1:15"),
        (79, "iteration 12,345  exploitability 0.05 (target 1.00e-03)  152,000 it/s  ETA 1:15"),
        (75, "iteration 12,345  exploitability 0.05 (target 1.00e-03)  ETA 1:15"),
        (60, "iteration 12,345  exploitability 0.05  ETA 1:15"),
        (40, "iteration 12,345  exploitability 0.05"),
        (30, "exploitability 0.05"),
        (16, "exploitability …"),
        (1, "…"),
    ],
)  # fmt: skip
def test_the_live_line_drops_what_matters_least(width: int, line: str) -> None:
    assert progress.fitting(progress.progress_texts(report()), width) == line
    long = report(iteration=10**12, iterations_per_second=1e9, eta_seconds=1e9)
    assert len(progress.fitting(progress.progress_texts(long), width)) <= width


def test_lines_become_rarer_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with progress.LiveLine() as live:
        live.stage("solving")
        while clock[0] < 600:
            clock[0] += 0.05
            live.progress(report(iteration=int(clock[0])))
    lines = said.getvalue().splitlines()
    assert lines[0] == "solving"
    seconds = [int(line.split()[1]) for line in lines[1:]]
    assert seconds[:4] == [1, 4, 10, 22]
    assert 12 <= len(seconds) <= 16


CHATTY = """
from equilibrist.games import load_game

class Chatty:
    def __init__(self):
        self.kuhn = load_game("kuhn")
        self.name, self.num_players = "chatty", 2
    def __getattr__(self, name):
        return getattr(self.kuhn, name)
    def payoffs(self, state):
        print("DEBUG", state)
        return self.kuhn.payoffs(state)
"""


def test_what_rules_print_stays_out_of_the_document(shell: Shell) -> None:
    Path("rules.py").write_text(CHATTY)
    ran = shell("solve rules.py:Chatty -n 3 --json").ok()
    assert ran.json["iterations"] == 3
    assert "DEBUG" in ran.err
