"""`equilibrist preflop pushfold`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import ConfigError, OutputError
from equilibrist.poker import CLASS_NAMES, Range, push_fold
from tests.cli.command import Shell


def test_ten_big_blinds(shell: Shell) -> None:
    lines = shell("preflop pushfold --stack 10").ok().out.splitlines()
    assert lines[:4] == [
        "stacks    SB 10, BB 10",
        "blinds    0.5/1",
        "EV        SB -45.371 mbb, BB +45.371 mbb",
        "NashConv  0 mbb (linear programme)",
    ]
    assert "  combos  772.843 (58.28%)" in lines
    assert "  mixed   43s 0.7107" in lines
    assert "  mixed   Q6s 0.4028" in lines
    assert sum(line.startswith("  A 100 100") for line in lines) == 2


def test_several_stacks_are_a_table(shell: Shell) -> None:
    lines = shell("preflop pushfold --stack 2,10,100").ok().out.splitlines()
    assert len(lines) == 4
    assert lines[2].split()[:4] == ["10", "-45.3708", "772.843", "495.611"]
    assert "KQo 0.0024" in lines[3]


def test_json_and_csv_have_the_python_result(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "chart.csv"
    out = (
        shell(f"preflop pushfold --stack 700 --blinds 50/100 --ante 5 --csv {file} --json").ok().out
    )
    document = json.loads(out)
    found = push_fold(700, blinds=(50, 100), ante=5)
    assert document == json.loads(json.dumps(found.to_dict()))
    assert document["game"]["blinds"] == [50, 100]
    assert document["seats"] == ["SB", "BB"]
    read = Range(document["charts"][0]["range"])
    np.testing.assert_allclose(read.weights, found.charts[0].range(1).weights, atol=5e-4)
    rows = [*csv.DictReader(file.read_text("utf-8").splitlines())]
    assert len(rows) == 2 * 169
    assert [row["hand"] for row in rows[:169]] == [*CLASS_NAMES]
    assert sum(int(row["combos"]) for row in rows) == 2 * 1326
    assert {(row["seat"], row["against"]) for row in rows} == {("SB", ""), ("BB", "SB")}
    for row, frequency in zip(rows, found.charts[0].strategy[1], strict=False):
        assert float(row["frequency"]) == pytest.approx(frequency, abs=1e-5)


def test_three_seats(shell: Shell) -> None:
    lines = (
        shell("preflop pushfold --stack 10 --seats 3 --deals 2000 --seed 3").ok().out.splitlines()
    )
    assert lines[0] == "stacks      BTN 10, SB 10, BB 10"
    assert lines[3].startswith("std. error  BTN ")
    assert lines[4].startswith("NashConv    at most ")
    assert lines[5].startswith("deals       2,000 sampled, seed 3 (40 iterations of CFR")
    assert [line.split()[:2] for line in lines[8:]] == [
        ["BTN", "-"],
        ["SB", "-"],
        ["SB", "BTN"],
        ["BB", "SB"],
        ["BB", "BTN"],
        ["BB", "BTN+SB"],
    ]


def test_a_tournament(shell: Shell) -> None:
    command = "preflop pushfold --stacks 10,25 --payouts 50,30,20 --others 15 --no-grid"
    out = shell(command).ok().out
    assert "payouts   50/30/20" in out
    assert "% of the prize pool (CFR)" in out
    assert "others    15" in out


def test_charts_as_pictures(shell: Shell, tmp_path: Path) -> None:
    shell(f"preflop pushfold --stack 10 --no-grid --draw {tmp_path / 'c.svg'}").ok()
    assert "SB pushes, 10" in (tmp_path / "c-SB.svg").read_text()
    assert "BB calls SB, 10" in (tmp_path / "c-BB-SB.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("--stack 10 --draw c.txt", "--draw"),
        ("--stack 5,10 --draw c.svg", "--draw"),
        ("", "stack"),
        ("--stack 10 --stacks 10,10", "stack"),
        ("--stack ten", "stack"),
        ("--stacks 10,,10", "stacks"),
        ("--stack 0", "stack"),
        ("--stacks 10,inf", "stacks"),
        ("--stack 10,0", "stack"),
        ("--stack 10 --time 5", "seconds"),
        ("--stack 10 --blinds 1", "blinds"),
        ("--stack 10 --blinds 1-2", "blinds"),
        ("--stack 10 --ante much", "ante"),
        ("--stack 10 --seats 7", "seats"),
        ("--stack 10 --seats 3 --deals 10", "deals"),
        ("--stack 10 --seats 3 --time soon", "seconds"),
        ("--stack 10 --payouts 20,50", "payouts"),
        ("--stack 10 --payouts 50//20", "payouts"),
        ("--stack 0.4/10", "stack"),
        ("--stack 10 --others 3", "others"),
    ],
)
def test_bad_input(shell: Shell, arguments: str, option: str) -> None:
    shell(f"preflop pushfold {arguments}").refused(ConfigError, option=option)


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        ("--stack 8bb", "--stack 8"),
        ("--stack 8BB --ante 0.1bb --blinds 50/100", "--stack 800 --ante 10 --blinds 50/100"),
        (
            "--stacks 4/6bb --payouts 50/30%/20 --others 3bb",
            "--stacks 4,6 --payouts 50,30,20 --others 3",
        ),
        (
            "--stacks 4/6 --payouts '50 % 30% 20 %' --others '3bb'",
            "--stacks 4,6 --payouts 50,30,20 --others 3",
        ),
    ],
)
def test_amounts_in_big_blinds_and_lists_with_strokes(
    shell: Shell, arguments: str, same: str
) -> None:
    told = shell(f"preflop pushfold {arguments} --json").ok().json
    assert told == shell(f"preflop pushfold {same} --json").ok().json


def test_a_hand_file_and_options_over_it(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "hand.toml"
    file.write_text('stacks = "1200/2000"\nblinds = "50/100"\nante = 10\nbets = "50%,a"\n')
    told = shell(f"preflop pushfold {file} --json").ok().json
    assert (
        told == shell("preflop pushfold --stacks 1200,2000 --blinds 50/100 --ante 10 --json").json
    )
    over = shell(f"preflop pushfold {file} --stack 900 --ante 0 --json").ok().json
    assert over == shell("preflop pushfold --stack 900 --blinds 50/100 --json").json
    assert over["values"] != told["values"]


@pytest.mark.parametrize(
    "line",
    [
        "pushfold --stack 10",
        "solve --stack 3 --bets a --raises a --last-street preflop",
        "multiway --stack 3 --seats 3 --bets a --raises a",
    ],
)
def test_a_table_replaces_no_other_file(shell: Shell, tmp_path: Path, line: str) -> None:
    file = tmp_path / "notes.csv"
    file.write_text("day,words\n1,2\n")
    shell(f"preflop {line} --csv {file}").refused(OutputError, option="file", given="notes.csv")
    assert file.read_text() == "day,words\n1,2\n"


def test_charts_replace_earlier_ones(shell: Shell, tmp_path: Path) -> None:
    file, charts = tmp_path / "c.csv", tmp_path / "c.safetensors"
    shell(f"preflop pushfold --stack 10 --no-grid --csv {file} -o {charts}").ok()
    earlier = file.read_text()
    shell(f"preflop pushfold --stack 9 --no-grid --csv {file}").ok()
    assert file.read_text() != earlier
    shell(f"export {charts} {file}").ok()
    assert file.read_text() == earlier


def test_stacks_and_seats_that_differ(shell: Shell) -> None:
    ran = shell("preflop pushfold --stacks 10,20 --seats 3")
    ran.refused(ConfigError, option="seats", given=3, expected=2)


@pytest.mark.parametrize(
    ("arguments", "flag"),
    [("--stack nan", "--stack is"), ("--stacks 10,inf", "--stacks is"), ("--time 5", "--time is")],
)
def test_the_option_is_named_as_it_was_given(shell: Shell, arguments: str, flag: str) -> None:
    line = arguments if "stack" in arguments else f"--stack 10 {arguments}"
    assert f"error: {flag} " in shell(f"preflop pushfold {line}").one_error().err
