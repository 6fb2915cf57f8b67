"""`equilibrist postflop solve` and `show` with three ranges."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, MemoryBudgetError
from equilibrist.poker import Range, ThreeSpot, solve_from_starts, solve_three, three_needs
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.files.runout_report import plain
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.report import runout_rows
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


@pytest.mark.slow
def test_a_flop_is_estimated_solved_shown_exported_and_played(shell: Shell, folder: Path) -> None:
    keys = FEW | {"board": "Qs9h5d", "bets": "a||a"}
    (folder / "flop.toml").write_text(ThreeSpot(**keys, stack=100).to_toml())
    needs = shell("postflop estimate flop.toml --threads 2 --json").ok().json
    assert needs["fits"]
    small = shell("postflop solve flop.toml --memory 20MB")
    small.refused(MemoryBudgetError, option="memory", given=20_000_000)
    shell("postflop solve flop.toml --iterations 3 --threads 2 --out flop.spot -q").ok()
    solution = read_three(folder / "flop.spot")
    line = "X-X-X|2c|X-X-X|8d|X"
    shown = shell(f"postflop show flop.spot --line {line}").ok().out
    assert f"MID after {line} on Qs9h5d2c8d" in shown
    document = shell("postflop show flop.spot --line X-X-X|2c --json").ok().json
    assert document["node"]["board"] == "Qs9h5d2c"
    shell("postflop show flop.spot --line X-X-X|2c|X-X-X|").refused(ConfigError, option="board")
    assert shell("evaluate flop.spot --json").ok().json["gains"] == solution.facts()["gains"]
    shell("export flop.spot flop.csv").ok()
    assert (folder / "flop.csv").read_text() == solution.to_csv()
    shell("play flop.spot --seats ai,ai,ai --hands 3 --seed 1").ok()
    shell("postflop solve flop.toml --keep first-street").refused(ConfigError, option="--keep")
    shell("postflop report flop.spot --line X-X-X").refused(ConfigError, option="board")
    two = (
        shell("postflop solve flop.toml --iterations 2 --tremble 0.01 --starts 2 --json").ok().json
    )
    assert two["tremble"] == 0.01
    assert two["from"]["hand_difference"] > 0.001


def test_small_amounts_keep_their_digits_and_zero_has_no_sign(shell: Shell, folder: Path) -> None:
    keys: dict[str, Any] = dict(
        board="2s2h2d2c", oop="KcKd", middle="AcAd", ip="QcQd,AhAs", bets="50%"
    )
    tiny = ThreeSpot(**keys, pot=0.001, stacks=[0.001, 0.002, 0], min_bet=0.0001)
    for spot in (tiny, ThreeSpot(**keys, pot=10, stack=10, rake=1.0)):
        (folder / "spot.toml").write_text(spot.to_toml())
        lines = shell("postflop solve spot.toml --out out.spot -q").ok().out.splitlines()
        table = {cells[0]: cells[1] for cells in map(str.split, lines[3:6])}
        solution = read_three(folder / "out.spot")
        for seat, value in zip(solution.seats, solution.values, strict=True):
            assert float(table[seat]) == pytest.approx(value, abs=1e-5 * spot.pot)
            assert not table[seat].startswith("-0.0000")


def test_rivers_of_a_turn_are_reported(shell: Shell, folder: Path) -> None:
    (folder / "turn.toml").write_text(ThreeSpot(**FEW, stack=100).to_toml())
    shell("postflop solve turn.toml --iterations 5 --out turn.spot -q").ok()
    solution = read_three(folder / "turn.spot")
    rows = runout_rows(solution, "X-X-X")
    document = shell("postflop report turn.spot --line x-x-x --json").ok().json
    assert document["nash_conv"] == solution.nash_conv
    assert document["runouts"] == json.loads(json.dumps([plain(row) for row in rows]))
    shown = shell("postflop report turn.spot --line X-X-X").ok().out
    assert "EV MID" in shown
    assert len(shown.splitlines()) == len(rows) + 2
    table = shell("postflop report turn.spot --line X-X-X --csv").ok().out
    assert len(table.splitlines()) == len(rows) + 1
    shell("postflop report turn.spot --line X-X").refused(ConfigError, option="line")
    shell("postflop report turn.spot --line X-X-X --target 1%").refused(
        ConfigError, option="--target"
    )
    shell("postflop report turn.toml --line X-X-X --storage int16").refused(
        ConfigError, option="--storage"
    )


def test_locks_are_solved_around_and_named(shell: Shell, three: Path) -> None:
    line = 'postflop solve three.toml --lock "X-X-B30: Fold 1" --iterations 20'
    shown = shell(f"{line} --out locked.spot").ok().out
    solution = read_three(three.parent / "locked.spot")
    assert solution.at("X-X-B30").frequencies == pytest.approx([1, 0, 0])
    assert "locked: X-X-B30" in shown
    document = shell(f"{line} --json").ok().json
    assert document["locks"] == ["X-X-B30: Fold 1"]
    assert document["unlocked_gains"].keys() == document["gains"].keys()
    assert document["frequency_error"] is None
    often = shell('postflop solve three.toml --lock ": frequency = X 0.5" --iterations 20').ok().out
    assert "max frequency error" in often
    shell('postflop solve three.toml --lock "X: Call 1"').refused(ConfigError, option="action")


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
    shell("postflop solve three.toml --donk 50%").refused(ConfigError, option="donks")
    for words in ("export three.toml --out tree.json", "convert three.toml --to pio"):
        shell(f"postflop {words}").refused(ConfigError, option="middle")


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        ("postflop compare", "evaluate out.spot"),
        ("postflop export", "export out.spot OUT.csv"),
        ("match", "play out.spot --seats"),
    ],
)
def test_commands_that_do_not_take_the_solution_name_one_that_does(
    shell: Shell, three: Path, command: str, instead: str
) -> None:
    shell("postflop solve three.toml --iterations 3 --out out.spot -q").ok()
    ran = shell(f"{command} out.spot" + " out.spot" * (command in ("match", "postflop compare")))
    ran.refused(FileFormatError, given="three-spot-solution")
    assert f"equilibrist {instead}" in ran.err


def test_show_refuses_what_it_cannot_show(shell: Shell, three: Path) -> None:
    shell("postflop solve three.toml --iterations 3 --out out.spot -q").ok()
    shell("postflop show out.spot --line X-X-X").refused(ConfigError, option="line")
    shell("postflop show out.spot --line what").refused(LineSyntaxError, option="line")
    shell("postflop show out.spot --sort ev --hand all").refused(ConfigError, option="--sort")
    shell("postflop show out.spot --hand 72o").refused(ConfigError, option="KEY")
    shell("postflop show out.spot --draw grid.txt").refused(ConfigError, option="--draw")


def test_ranges_of_all_seats_and_the_grid_are_shown(shell: Shell, three: Path) -> None:
    shell("postflop solve three.toml --iterations 30 --out out.spot -q").ok()
    node = ThreeNode(read_three(three.parent / "out.spot"), "X-A40")
    for seat, name in enumerate(("oop", "mid", "ip")):
        told = shell(f"postflop show out.spot --line X-A40 --range {name}").ok().out
        weights = Range(told.strip()).weights
        assert weights == pytest.approx(node.ranges[seat], abs=6e-4)
    shell("postflop show out.spot --line X --draw grid.svg").ok()
    assert (three.parent / "grid.svg").read_text().startswith("<svg")


def test_inspect_evaluate_and_export_take_it(shell: Shell, three: Path) -> None:
    shell("postflop solve three.toml --iterations 30 --out out.spot -q").ok()
    solution = read_three(three.parent / "out.spot")
    assert 'board = "Qs9h5d3cJs"' in shell("inspect out.spot").ok().out
    assert "IP after X-A40" in shell("inspect out.spot --line X-A40").ok().out
    assert shell("inspect out.spot --line X --json").ok().json == solution.to_dict("X")
    assert "8s8h" in shell("inspect out.spot 88 --line X").ok().out
    shell("inspect out.spot --match x").refused(ConfigError, option="--match")
    assert solution.guarantee in shell("evaluate out.spot").ok().out.splitlines()
    told = shell("evaluate out.spot --json").ok().json
    assert told["gains"] == solution.facts()["gains"]
    shell("export out.spot out.csv").ok()
    assert (three.parent / "out.csv").read_text() == solution.to_csv()
    shell("export out.spot out.json").ok()
    nodes = json.loads((three.parent / "out.json").read_text())["nodes"]
    assert [node["line"] for node in nodes] == solution.lines()
    ranges = shell("export out.spot - --format txt").ok().out.splitlines()
    assert len(ranges) == sum(len(decision.codes) for decision in solution.nodes())
    shell("export out.spot out.parquet").refused(ConfigError, option="--format")


def test_starts_are_compared_and_the_best_is_saved(shell: Shell, three: Path) -> None:
    line = "postflop solve three.toml --target 0.5% --starts 3 --seed 2 --out out.spot"
    told = shell(f"{line} --json").ok().json["from"]
    best = told["starts"][told["best"]]
    assert best["nash_conv"] == min(start["nash_conv"] for start in told["starts"])
    saved = read_three(three.parent / "out.spot")
    assert dict(zip(saved.seats, saved.values, strict=True)) == best["values"]
    found = solve_from_starts(ThreeSpot.from_toml(three), 3, seed=2, target="0.5%")
    assert told == found.to_dict()
    out = shell(line).ok().out
    assert "differ by" in out
    assert f"drawn {told['best']} (best)" in out or "uniform (best)" in out
    shell("postflop solve three.toml --starts 1").refused(ConfigError, option="starts")
    shell("postflop solve three.toml --seed 1").refused(ConfigError, option="--seed")
    two = "--board Ts3h2h5c9d --oop AA --ip KK --pot 10 --stack 20"
    shell(f"postflop solve {two} --starts 2").refused(ConfigError, option="--starts")


def test_a_spot_is_estimated_before_it_is_solved(shell: Shell, three: Path) -> None:
    needs = three_needs(ThreeSpot.from_toml(three), target="0.1%")
    told = shell("postflop estimate three.toml --target 0.1% --json").ok().json
    assert told == {**needs.to_dict(), "limit_bytes": told["limit_bytes"]}
    assert "one thread" in shell("postflop estimate three.toml").ok().out
    small = shell("postflop estimate three.toml --memory 1000").ok().out
    assert "the spot does not fit" in small
    shell("postflop estimate three.toml --threads 2").refused(ConfigError, option="--threads")


def test_what_does_not_arrive_is_called_so(shell: Shell, three: Path) -> None:
    """All play at random, but OOP never bets its first hand, nor goes all-in at the start."""
    solution = solve_three(ThreeSpot.from_toml(three), iterations=1)
    strategy, *others = solution.laid_out.uniform()
    check, bet, all_in = (1 + solution.at().codes.index(code) for code in ("X", "B30", "A100"))
    strategy[check] += strategy[all_in]
    strategy[check, 0] += strategy[bet, 0]
    strategy[all_in], strategy[bet, 0] = 0.0, 0.0
    replace(solution, strategies=(strategy, *others)).save(three.parent / "out.spot")
    told = shell("postflop show out.spot --line A100").ok().out
    assert "not reached: OOP never comes here" in told.splitlines()
    listed = shell("postflop show out.spot --line A100 --hand all").ok().out
    assert listed.splitlines()[0].endswith("; not reached: OOP never comes here")
    assert "not reached" not in shell("postflop show out.spot --line B30").ok().out
    gone = combo_name(int(solution.laid_out.hands[0][0]))
    rows = shell("postflop show out.spot --line B30-A40-F --hand all").ok().out.splitlines()
    for row in rows[2:]:
        assert ("not reached" in row) == (gone in row)
    (row,) = (row for row in rows if gone in row)
    assert row.split()[3] == "-"


def test_no_other_file_is_replaced(shell: Shell, three: Path) -> None:
    (three.parent / "notes.txt").write_text("mine\n")
    shell("postflop solve three.toml --iterations 3 --out notes.txt").one_error()
    assert (three.parent / "notes.txt").read_text() == "mine\n"
