"""The examples run as a reader would run them, are short, and say what is true."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    """What the script prints, run in this process; warnings are errors, as everywhere here."""
    script = str(EXAMPLES / name)
    printed = io.StringIO()
    with (
        patch.object(sys, "argv", [script, *arguments]),
        patch.object(sys, "path", [str(EXAMPLES), *sys.path]),
        contextlib.redirect_stdout(printed),
    ):
        runpy.run_path(script, run_name="__main__")
    return printed.getvalue()


def test_an_example_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / "own_game.py")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == run("own_game.py")


def number(pattern: str, text: str) -> float:
    found = re.search(pattern + r"\s*(-?[\d.]+(?:e-?\d+)?)", text)
    assert found, f"{pattern!r} is not in\n{text}"
    return float(found[1])


def test_solve_kuhn_finds_the_textbook_equilibrium() -> None:
    printed = run("solve_kuhn.py")
    assert number("exploitability", printed) <= 1e-5
    assert number("value of player 0:", printed) == pytest.approx(-1 / 18, abs=2e-5)
    assert 0 <= number("alpha =", printed) <= 1 / 3 + 1e-3


def test_a_bot_beats_one_that_always_calls() -> None:
    printed = run("bot_hands.py")
    assert number("the bot won", printed.replace("+", "")) > 0.2
    assert "R3.5 was taken for" in printed


def test_own_game_has_the_solution_its_docstring_states() -> None:
    printed = run("own_game.py")
    assert number("a low card is bet:", printed) == pytest.approx(1 / 3, abs=1e-3)
    assert number("a bet is called:", printed) == pytest.approx(2 / 3, abs=1e-3)
    assert number("worth to player 0:", printed) == pytest.approx(1 / 3, abs=1e-3)


def test_own_variant_is_solved_with() -> None:
    printed = run("own_variant.py")
    assert 0 < number(r"^cfr\+ ", printed) < 0.01
    assert 0 < number(r"cfr\+ with t\^4", printed) < 0.01


def test_compare_three_prints_a_row_per_checkpoint() -> None:
    rows = run("compare_three.py").splitlines()[2:]
    table = [[float(cell) for cell in row.split()] for row in rows]
    assert [row[0] for row in table] == [10, 30, 100, 300, 1000]
    for column in (1, 2, 3):
        assert table[-1][column] < table[0][column] / 10
    assert table[-1][3] < table[-1][1]


def test_compare_three_takes_a_game_and_algorithms() -> None:
    printed = run("compare_three.py", "kuhn(players=3)", "lcfr", "dcfr")
    assert "kuhn(players=3), 48 infosets" in printed
    assert printed.splitlines()[1].split() == ["iteration", "lcfr", "dcfr"]


def test_river_bluffs_are_those_of_the_textbook() -> None:
    rows = run("river_bluffs.py").splitlines()[1:]
    found = [[float(figure) for figure in re.findall(r"[\d.]+", row)] for row in rows]
    assert [row[0] for row in found] == [50, 100, 300]
    for bet, bluffs, expected, calls, called, value in found:
        assert expected == pytest.approx(bet / (100 + bet), abs=1e-3)
        assert bluffs == pytest.approx(expected, abs=0.02)
        assert called == pytest.approx(1 - expected, abs=1e-3)
        assert calls == pytest.approx(called, abs=0.02)
        assert value == pytest.approx(50 + 50 * expected, abs=0.2)
    assert run("river_bluffs.py", "200").splitlines()[1].startswith("bet  200")


@pytest.mark.slow
def test_black_box_opponent_is_beaten_without_knowing_it() -> None:
    printed = run("black_box_opponent.py")
    best = number("best response:", printed.replace("+", ""))
    learned = [number(f"after +{n} hands:", printed.replace("+", "")) for n in ("100", "100,000")]
    assert best == pytest.approx(0.25, abs=1e-4)
    assert learned[0] < best - 0.1
    assert best - 0.01 < learned[1] <= best
    assert number("equilibrium play:", printed.replace("+", "")) < 0.0


def test_examples_are_short_and_tested() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 60, path
        assert f'"{path.name}"' in Path(__file__).read_text("utf-8")


def test_a_forgetful_game_has_fewer_states_and_is_solved() -> None:
    rows = run("forgetful_game.py").splitlines()
    assert [row.split()[0] for row in rows] == ["205", "4,513"]
    assert all(number("exploitability", row) < 0.003 for row in rows)
