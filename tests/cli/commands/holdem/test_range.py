"""`equilibrist range`."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from equilibrist.cli.commands.holdem import ranges
from equilibrist.errors import (
    CardSyntaxError,
    ConfigError,
    FileFormatError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.ranges.range import Range
from tests.cli.command import IMPORTS, Shell, spawn


def test_the_range_and_its_size(shell: Shell) -> None:
    out = shell('range "AA, KK, AQ, AK"').ok().out
    assert out.splitlines() == ["range   KK+,AQ+", "combos  44 (3.3% of 1,326)"]
    assert "no hand" in shell('range ""').ok().out


def test_the_grid(shell: Shell) -> None:
    out = shell("range 22+ --grid").ok().out
    assert Range("22+").grid() in out
    assert "\x1b" not in out


def test_the_grid_is_coloured_on_a_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "wants_colour", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines = shell("range AA,AKs:0.5 --grid").ok().out.splitlines()[3:]
    assert len(lines) == 13
    plain = [re.sub(r"\x1b\[[\d;]*m", "", line).split() for line in lines]
    assert [name for line in plain for name in line] == list(CLASS_NAMES)
    assert "\x1b" in lines[0]


def test_no_grid_where_it_does_not_fit(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for colours, wide in ((False, 55), (True, 65)):
        monkeypatch.setattr(ranges, "wants_colour", lambda stream, wanted=colours: wanted)
        monkeypatch.setenv("COLUMNS", f"{wide - 1}")
        out = shell("range AA,22,A2s,A2o --grid").ok().out
        said = f"the grid is left out: it is {wide} columns wide, and there are {wide - 1}"
        assert out.splitlines()[3:] == [said]
        monkeypatch.setenv("COLUMNS", f"{wide}")
        assert len(shell("range AA,22,A2s,A2o --grid").ok().out.splitlines()) >= 16


def test_closed_standard_input_is_an_empty_range(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "no hand" in shell("range -").ok().out


def test_a_board_takes_hands_away(shell: Shell) -> None:
    ran = shell('range "QQ,AKs" --board "Qs Jh Ah"').ok()
    assert "6 (0.5% of 1,176) without Qs Jh Ah" in ran.out
    document = shell('range "QQ,AKs" --board QsJhAh --json').ok().json
    assert document["board"] == "QsJhAh"
    assert document["combos"] == 6
    assert document["share"] == 6 / 1176
    assert document["classes"] == {"AKs": 0.75, "QQ": 0.5}
    assert document["hands"]["AsKs"] == 1.0
    assert document["range"] == "QQ,AKs"
    assert Range("QQ,AKs").without("QsJhAh").to_dict() == document["hands"]
    assert (
        shell('range "QQ,AKs" --board QsJhAh --to pio').ok().out
        == "AsKs,AdKd,AcKc,QhQd,QhQc,QdQc\n"
    )


def test_hands_of_short_decks(shell: Shell) -> None:
    ran = shell("range 15%,22 --deck short --board 6s7s8s").ok()
    assert "TT+,ATs+,AJo+,KJs+,QJs" in ran.out
    assert "94 (17.8% of 528) without 6s 7s 8s" in ran.out
    assert shell("range random --deck 36 --json").ok().json["share"] == 1
    refused = shell("range AA --deck short --board 2c7s8s")
    refused.refused(ConfigError, option="--board", given="2c7s8s")


def test_other_dialects(shell: Shell) -> None:
    assert shell('range "[25.0]AKs[/25.0]" --to pio').ok().out == "AKs:0.25\n"
    assert shell('range "AKs:0.25" --to gto+').ok().out == "[25.0]AKs[/25.0]\n"
    assert shell('range "98s+ 22" --from pokerkit --to pio').ok().out == "22,98s\n"
    numbers = shell("range AKs --to raw").ok().out
    assert shell(f'range "{numbers}"').ok().out.startswith("range   AKs\n")


def test_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("QQ+,\nAK\n"))
    assert shell("range - --to pio").ok().out == "QQ+,AK\n"


def test_files(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = shell('range "QQ+,AK:0.5" --to gto+ --out btn.txt').ok()
    assert ran.out == ""
    assert Path("btn.txt").read_text() == "QQ+,[50.0]AK[/50.0]\n"
    assert shell("range btn.txt --to pio").ok().out == "QQ+,AK:0.5\n"
    shell("range btn.txt --board As --out all.json#BTN/3bet").ok()
    shell("range 22 --out all.json").ok()
    assert shell("range all.json#all --to pio").ok().out == "22\n"
    without = str(Range("QQ+,AK:0.5").without("As"))
    assert shell("range all.json#BTN/3bet --to pio").ok().out == without + "\n"
    shell("range all.json").refused(ConfigError, option="name", given=2)
    shell("range none.txt").refused(FileFormatError, option="file", path="none.txt")
    shell("range AA --out range").refused(ConfigError, option="--out", given="range")
    shell("range AA --out a.txt --json").refused(ConfigError, option="--out", given="a.txt")
    shell("range AA --out a.txt --grid").refused(ConfigError, option="--out", given="a.txt")
    assert not Path("a.txt").exists()


def test_errors_point_at_the_place(shell: Shell) -> None:
    shell("range AA,AQo:1.1").refused(RangeSyntaxError, position=7)
    shell("range AA --board QsQs").refused(CardSyntaxError, position=2)
    shell("range AA --to csv").refused(UnknownNameError, option="dialect", name="csv")
    shell("range AA --to pio --json").refused(ConfigError, option="--to", given="pio")
    shell("range AA,KQo:0.5 --to pokerkit").refused(
        ConfigError, option="dialect", given="KQo", remedy="use another dialect, such as pio"
    )


def test_no_compiler_is_loaded() -> None:
    imported = spawn("range 22+ --json", env=IMPORTS).ok().imported
    assert "equilibrist.poker.ranges.range" in imported
    assert "numba" not in imported


def test_presets(shell: Shell) -> None:
    out = shell("range --presets").ok().out
    assert "not advice" in out
    rows = {row["name"]: row for row in shell("range --presets --json").ok().json["presets"]}
    assert rows["6max-BTN"]["range"] == shell("range 6max-BTN --to pio").ok().out.strip()
    assert all(name in out for name in rows)
    shell("range AA --presets").refused(ConfigError, option="--presets", given="AA")
    shell("range").refused(ConfigError, option="RANGE")


def test_a_folder_of_ranges(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for each, in any dialect, and all of them as one file."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path
    (folder / "mine" / "BTN").mkdir(parents=True)
    (folder / "mine" / "BTN" / "open.txt").write_text("22+,A2s+")
    (folder / "mine" / "call.txt").write_text("[50.0]AA[/50.0],KK")
    (folder / "mine" / "notes.md").write_text("from a course")
    shown = shell("range mine").ok()
    assert [line.split() for line in shown.out.splitlines()[1:]] == [
        ["BTN/open", "126", "9.5%", "22+,A2s+"],
        ["call", "9", "0.7%", "AA:0.5,KK"],
    ]
    assert "notes.md" in shown.err
    assert shell("range mine --to gto+").ok().out.splitlines()[1] == "call\tKK,[50.0]AA[/50.0]"
    rows = shell("range mine --board AsKd2h --json").ok().json["ranges"]
    assert (rows[1]["name"], rows[1]["combos"]) == ("call", 4.5)
    shell("range mine --out all.json").ok()
    assert shell("range all.json#BTN/open --to pio").ok().out == "22+,A2s+\n"
    shell("range mine --grid").refused(ConfigError, option="--grid")
    shell("range mine --out all.txt").refused(ConfigError, option="--out")
    shell("range mine --out b.json --to gto+").refused(ConfigError, option="--to")
