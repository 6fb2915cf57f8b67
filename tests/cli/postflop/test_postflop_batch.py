"""`equilibrist postflop report` and `equilibrist postflop batch`."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from equilibrist.errors import CardSyntaxError, ConfigError, FileFormatError
from equilibrist.poker.postflop.solving.solver import SpotSolver
from tests.cli.command import Shell

TURN = "--board Ts3s2h5h --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a --iterations 5"
RIVER = "--board Ts3h2h5c9s --oop AA,QQ --ip KK,54s --pot 100 --stack 100 --bets a --iterations 10"


def test_report(shell: Shell) -> None:
    lines = shell(f"postflop report {TURN} --line X-X").ok().out.splitlines()
    assert lines[0] == "Ts3s2h5h after X-X"
    assert lines[1].split()[:4] == ["card", "frequency", "equity", "OOP"]
    assert len(lines) == 50
    text = shell(f"postflop report {TURN} --line X-X --csv").ok().out
    rows = list(csv.DictReader(io.StringIO(text)))
    document = shell(f"postflop report {TURN} --line X-X --json").ok().json
    assert [row["card"] for row in rows] == [row["card"] for row in document["runouts"]]
    assert document["line"] == "X-X"
    assert document["iterations"] == 5
    for row, other in zip(rows, document["runouts"], strict=True):
        assert float(row["ev_oop"]) == pytest.approx(other["ev_oop"], abs=1e-5)


def test_the_limits_of_a_batch_are_those_of_each_board(shell: Shell) -> None:
    limits = shell("postflop batch --help").ok().out.partition("Stopping:")[2].partition("\n\n")[0]
    assert limits.count("on a board") == 3
    assert "the command" not in limits


def test_what_is_refused(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(SpotSolver, "run")
    shell(f"postflop report {TURN} --line X").refused(
        ConfigError, option="line", given="X", remedy="give a line that ends a street, such as X-X"
    )
    shell(f"postflop report {TURN} --line X-X --csv --json").refused(ConfigError, option="--csv")
    shell(f"postflop batch {RIVER} --out {tmp_path / 'new'}").refused(
        ConfigError, option="--boards"
    )
    both = f"--boards {tmp_path / 'none'} --flops all"
    shell(f"postflop batch {RIVER} --out {tmp_path / 'new'} {both}").refused(
        ConfigError, option="--boards", remedy="leave out --flops"
    )
    shell(f"postflop batch {RIVER} --out {tmp_path / 'new'} --flops some").refused(
        ConfigError, option="flops", given="some"
    )
    shell(f"postflop batch {RIVER} --out {tmp_path / 'new'} --flops all").refused(
        ConfigError, option="board", given="AsAhAd", expected=5
    )
    assert not list(tmp_path.iterdir())


def test_a_list_of_boards_stands_in_the_place_of_the_spot(shell: Shell, tmp_path: Path) -> None:
    file, spot = tmp_path / "boards.txt", RIVER.removeprefix("--board Ts3h2h5c9s")
    file.write_text("Ts3h2h5c9s\nKsQd2c3c7h\n")
    shell(f"postflop batch {file} {spot} --out {tmp_path / 'a'} --quiet").ok()
    shell(f"postflop batch {RIVER} --boards {file} --out {tmp_path / 'b'} --quiet").ok()
    first, second = (
        [line.rpartition(",")[0] for line in report.read_text().splitlines()]  # without seconds
        for report in (tmp_path / "a/report.csv", tmp_path / "b/report.csv")
    )
    assert first == second
    assert len(first) == 4  # with a header, and the mean of both boards
    shell(f"postflop batch {file} {spot} --boards {file} --out {tmp_path / 'c'}").refused(
        ConfigError, option="--boards"
    )


def test_boards_take_the_place_of_that_of_the_spot(shell: Shell, tmp_path: Path) -> None:
    """Also where they are typed, and the spot is in a file that has none."""
    file = tmp_path / "spot.toml"
    file.write_text('oop = "AA,QQ"\nip = "KK,54s"\npot = 100\nstack = 100\nbets = "a"\n')
    line = f"postflop batch {file} --iterations 10 --quiet --out {tmp_path / 'a'}"
    ran = shell(f"{line} --oop AA --boards AsAhAdAcQh,Ts3h2h5c9s:2,KsQd2c3c7h --json").ok()
    assert [row["board"] for row in ran.json["rows"]] == ["Ts3h2h5c9s", "KsQd2c3c7h", "all"]
    assert [*ran.json["skipped"]] == ["AsAhAdAcQh"]
    shell(f"{line} --boards Ts3h2h5c9s,KsQd2c3x7h").refused(CardSyntaxError)
    shell(f"{line} --boards Ts3h2h5x9s").refused(FileFormatError)
    shell(f"postflop solve {file}").refused(ConfigError, option="board")
    error = shell(f"postflop batch {file} --out {tmp_path / 'b'}").one_error().error
    assert "--boards" in f"{error.remedy}"
    shell(f"{line} --flops subset:0").refused(ConfigError, option="flops")


def test_a_list_may_begin_with_a_board_without_deals(shell: Shell, tmp_path: Path) -> None:
    file, spot = tmp_path / "boards.txt", RIVER.removeprefix("--board Ts3h2h5c9s")
    file.write_text("AsAhAdKc2s\nTs3h2h5c9s\n")
    ran = shell(f"postflop batch {file} {spot} --oop AA --out {tmp_path / 'a'} --quiet").ok()
    assert ran.out.splitlines()[0] == "root, 1 board:"
    assert "AsAhAdKc2s left out" in ran.err


def test_batch(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "boards.txt", tmp_path / "study"
    file.write_text("Ts3h2h5c9s,2\nKsQd2c3c7h\nAsAhAdQsQh\n")
    line = f"postflop batch {RIVER} --oop AA,QQ:0.5 --boards {file} --out {folder} --quiet"
    run = SpotSolver.run

    def killed(solver: SpotSolver, iterations: int, /) -> None:
        if solver.spot.board.startswith("K"):
            raise KeyboardInterrupt
        run(solver, iterations)

    with monkeypatch.context() as patched:
        patched.setattr(SpotSolver, "run", killed)
        ran = shell(line)
    assert ran.code == 130
    assert f"boards in {folder}: 1 of 3; --resume continues" in ran.err
    shell(line).refused(ConfigError, option="folder", given=folder)
    ran = shell(f"{line} --resume").ok()
    assert ran.out.splitlines()[0] == "root, 3 boards:"
    assert ran.out.splitlines()[2].split()[:2] == ["all", "100.00%"]
    assert f"the report is in {folder / 'report.csv'}" in ran.err
    document = shell(f"{line} --resume --json").ok().json
    assert [row["board"] for row in document["rows"]][-1] == "all"
    assert document["skipped"] == {}


def test_without_a_spot(shell: Shell, tmp_path: Path) -> None:
    shell(f"postflop batch --flops all --out {tmp_path}").refused(ConfigError, option="spot")


def test_kept_boards(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further line and a look at a board solve nothing again."""
    (tmp_path / "boards.txt").write_text("Ts3s2h5h\nKsQd2c3c\n")
    folder = tmp_path / "study"
    line = f"postflop batch {TURN} --boards {tmp_path / 'boards.txt'} --out {folder} --quiet"
    shell(f"{line} --keep").ok()
    shell(f"{line} --resume --keep all").refused(ConfigError, option="keep", given="all")
    assert shell(f"{line} --resume --keep first-street").ok().out
    shell(f"{line} --resume --keep some").misused("some")
    monkeypatch.delattr(SpotSolver, "run")
    again = shell(f"{line} --resume".replace(" --quiet", "")).ok()
    assert f"Next: equilibrist postflop show {folder}" in again.err
    rows = shell(f"{line} --resume --line X --json").ok().json["rows"]
    assert [row["line"] for row in rows] == ["X"] * 3
    shown = {
        row["board"]: row
        for row in shell(f"postflop show {folder} --line X --json").ok().json["rows"]
    }
    assert shown["KsQd2c3c"]["ev_ip"] == rows[1]["ev_ip"]
    assert shell(f"postflop show {folder} --line X").ok().out.startswith("X, 2 boards")
    ran = shell(f"postflop show {folder} --board 3cKsQd2c --hand KhKd --json").ok()
    assert ran.json["board"] == "KsQd2c3c"
    for rest, option in [
        ("--board KhQd2c3c", "board"),
        ("--board K", "card"),
        ("--hand AA", "--hand"),
        ("--combos", "--combos"),
        ("--line X-B7", "line"),
    ]:
        assert shell(f"postflop show {folder} {rest}").one_error().error.option == option
    shell(f"postflop show {folder / 'KsQd2c3c.spot'} --board KsQd2c3c").refused(
        ConfigError, option="--board"
    )
    shell(f"postflop browse {folder}").refused(ConfigError, option="terminal")
    shell(f"postflop browse {folder} --board KhQd2c3c").refused(ConfigError, option="board")
