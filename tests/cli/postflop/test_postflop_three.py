"""`equilibrist postflop solve` and `show` with three ranges."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, UnknownNameError
from equilibrist.poker import ThreeSpot
from equilibrist.poker.three_players.solution import read_three
from tests.cli.command import Shell
from tests.poker.three_players.test_profile import SMALL
from tests.poker.three_players.test_turns import FEW


@pytest.fixture
def three(folder: Path) -> Path:
    file = folder / "three.toml"
    file.write_text(ThreeSpot(**SMALL, stacks=[100, 40, 250]).to_toml())
    return file


def test_a_spot_of_three_is_solved_saved_and_shown(shell: Shell, three: Path) -> None:
    lines = shell("postflop solve three.toml --target 1% --out out.spot").ok().out.splitlines()
    solution = read_three(three.parent / "out.spot")
    assert solution.nash_conv_percent < 1
    assert lines[0].endswith("target reached")
    table = {cells[0]: cells[1:] for cells in map(str.split, lines[3:7])}
    assert [*table] == [*solution.seats, "sum"]
    for seat, value in zip(solution.seats, solution.values, strict=True):
        assert float(table[seat][0]) == pytest.approx(value, abs=1e-4)
    assert solution.guarantee in lines
    shown = shell("postflop show out.spot --line X-A40").ok().out
    assert "IP after X-A40" in shown
    document = shell("postflop show out.spot --line X --json").ok().json
    assert document == solution.to_dict("X")
    hands = shell("postflop show out.spot --line X --hand AcQh,88").ok().out
    assert "AcQh" in hands
    assert "8s8h" in hands
    assert "KhTh" not in hands
    assert "KhTh" in shell("postflop show out.spot --line X --hand all").ok().out


def test_a_turn_is_solved_in_threads_and_shown_on_a_river(shell: Shell, folder: Path) -> None:
    (folder / "turn.toml").write_text(ThreeSpot(**FEW, stack=100).to_toml())
    shell("postflop solve turn.toml --iterations 5 --threads 2 --out turn.spot -q").ok()
    shown = shell("postflop show turn.spot --line X-X-X|2c").ok().out
    assert "OOP after X-X-X|2c on Qs9h5d3c2c" in shown
    document = shell("postflop show turn.spot --line X-X-X|2c --json").ok().json
    assert document["node"]["board"] == "Qs9h5d3c2c"
    shell("postflop show turn.spot --line X-X-X|").refused(ConfigError, option="board")
    shell("postflop solve turn.toml --keep first-street").refused(ConfigError, option="--keep")


def test_options_override_the_file(shell: Shell, three: Path) -> None:
    line = "postflop solve three.toml --stack 30 --pot 90 --bets a --iterations 5 --json"
    document = shell(line).ok().json
    assert sum(document["values"].values()) == pytest.approx(90)
    assert "stack = 30" in document["spot"]
    assert document["node"]["actions"] == ["X", "A30"]
    assert document["stopped_by"] == "iterations"


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("--threads 2", "--threads"),
        ("--storage int16", "--storage"),
        ("--checkpoint run.ckpt", "--checkpoint"),
        ("--values check-down", "--values"),
        ("--combos", "--combos"),
        ("--keep first-street", "--keep"),
    ],
)
def test_options_without_a_use_are_refused_before_solving(
    shell: Shell, three: Path, words: str, option: str
) -> None:
    shell(f"postflop solve three.toml {words}").refused(ConfigError, option=option)


def test_what_two_players_alone_have_is_refused(shell: Shell, three: Path) -> None:
    shell("postflop solve three.toml --donk 50%").refused(UnknownNameError, option="donks")
    shell("postflop solve three.toml --board Qs9h5d").refused(ConfigError, option="board")
    for words in ("estimate three.toml", "export three.toml --out tree.json"):
        shell(f"postflop {words}").refused(ConfigError, option="middle")


@pytest.mark.parametrize("command", ["postflop browse", "inspect", "play", "postflop report"])
def test_commands_that_do_not_take_the_solution_name_the_one_that_does(
    shell: Shell, three: Path, command: str
) -> None:
    shell("postflop solve three.toml --iterations 3 --out out.spot -q").ok()
    ran = shell(f"{command} out.spot")
    ran.refused(FileFormatError, given="three-spot-solution")
    assert "equilibrist postflop show out.spot" in ran.err


def test_show_refuses_what_it_cannot_show(shell: Shell, three: Path) -> None:
    shell("postflop solve three.toml --iterations 3 --out out.spot -q").ok()
    shell("postflop show out.spot --line X-X-X").refused(ConfigError, option="line")
    shell("postflop show out.spot --line what").refused(LineSyntaxError, option="line")
    shell("postflop show out.spot --range ip").refused(ConfigError, option="--range")
    shell("postflop show out.spot --hand 72o").refused(ConfigError, option="KEY")


def test_no_other_file_is_replaced(shell: Shell, three: Path) -> None:
    (three.parent / "notes.txt").write_text("mine\n")
    shell("postflop solve three.toml --iterations 3 --out notes.txt").one_error()
    assert (three.parent / "notes.txt").read_text() == "mine\n"
