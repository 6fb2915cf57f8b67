"""`equilibrist equity`."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import (
    CardSyntaxError,
    ConfigError,
    FileFormatError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.equities.multiway import multiway_equity
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import write_range_file
from tests.cli.command import IMPORTS, Shell, spawn


def test_two_ranges_on_a_flop(shell: Shell) -> None:
    out = shell('equity "AsAh" "KsKh" --board 2c3d7h').ok().out
    found = equity("AsAh", "KsKh", "2c3d7h")
    win, other, tie = found.oop_win, found.ip_win, found.tie
    assert out.splitlines() == [
        "board     2c 3d 7h",
        "matchups  1",
        "boards    all (1,176 enumerated)",
        "",
        "             equity      win     tie  from ties  range",
        f"  Player 1  {found.oop:.3%}  {win:.3%}  {tie:.3%}     {tie / 2:.3%}  AsAh",
        f"  Player 2   {found.ip:.3%}   {other:.3%}  {tie:.3%}     {tie / 2:.3%}  KsKh",
    ]


def test_before_the_flop(shell: Shell) -> None:
    """Aces win 81.715 %, kings 17.823 % and 0.463 % are ties, as tables of odds have it."""
    out = shell("equity AA KK").ok().out
    assert "all (134,459 enumerated)" in out
    assert "Player 1  81.946%  81.715%  0.463%     0.231%  AA" in out
    assert "Player 2  18.054%  17.823%  0.463%     0.231%  KK" in out
    assert "board " not in out


def test_three_ranges(shell: Shell) -> None:
    found = multiway_equity(["AA", "KK,AKs", "QQ"], "2c3d7h")
    out = shell('equity AA "KK,AKs" QQ --board 2c3d7h').ok().out
    lines = out.splitlines()
    assert lines[:4] == [
        "board     2c 3d 7h",
        f"matchups  {found.matchups:g}",
        f"boards    all ({found.boards:,} enumerated)",
        "deals     all (exact)",
    ]
    assert lines[5].split() == ["equity", "win", "tie", "from", "ties", "range"]
    for k, name in enumerate(("AA", "KK,AKs", "QQ")):
        numbers = found.equities[k], found.wins[k], found.ties[k], found.from_ties[k]
        assert lines[6 + k].split() == ["Player", f"{k + 1}", *(f"{x:.3%}" for x in numbers), name]
    document = shell('equity AA "KK,AKs" QQ --board 2c3d7h --json').ok().json
    assert document["equity"] == list(found.equities)
    assert document["win"] == list(found.wins)
    assert document["tie"] == list(found.ties)
    assert document["from_ties"] == list(found.from_ties)
    assert document["matchups"] == found.matchups
    assert document["exact"] is True
    assert document["standard_errors"] is document["seed"] is document["intervals"] is None


@pytest.mark.slow
def test_players_who_folded(shell: Shell) -> None:
    line = "equity AKs QQ --board Ts9s2d4c --folded AQ --folded KQs,AhQh:0.5"
    found = equity("AKs", "QQ", "Ts9s2d4c", folded=["AQ", "KQs,AhQh:0.5"])
    out = shell(line).ok().out
    assert [row for row in out.splitlines() if row.startswith("folded")] == [
        "folded    AQ",
        "folded    KQs,AhQh:0.5",
    ]
    assert f"{found.oop:.3%}" in out
    document = shell(f"{line} --json").ok().json
    assert document["folded"] == ["AQ", "KQs,AhQh:0.5"]
    assert document["equity"] == [found.oop, found.ip]
    shell("equity AKs QQ --folded AX").refused(RangeSyntaxError)


def test_drawn_deals(shell: Shell) -> None:
    line = "equity AhKh random 22+ --samples 1e3 --seed 4"
    found = multiway_equity(["AhKh", "random", "22+"], samples=1000, seed=4)
    assert found.standard_errors is not None
    out = shell(line).ok().out
    assert out.splitlines()[0] == "deals     1,000 sampled, seed 4"
    assert "std. error" in out
    error = found.standard_errors[1]
    assert f"Player 2  {found.equities[1]:.3%}      {error:.3%}  {found.wins[1]:.3%}" in out
    document = shell(f"{line} --json").ok().json
    assert document["equity"] == list(found.equities)
    assert document["standard_errors"] == list(found.standard_errors)
    assert (document["samples"], document["seed"], document["exact"]) == (1000, 4, False)
    assert document["boards"] is document["matchups"] is None


def test_numbers_only(shell: Shell) -> None:
    found = multiway_equity(["AsAh", "KsKh", "QQ"], "2c3d7h8s")
    ran = shell("equity AsAh KsKh QQ --board 2c3d7h8s -q").ok()
    numbers = zip(found.equities, found.wins, found.ties, strict=True)
    assert [line.split() for line in ran.out.splitlines()] == [
        [f"{100 * x:.3f}" for x in row] for row in numbers
    ]
    assert ran.err == ""
    assert len(shell("equity AA KK --board 2c3d7h8s --quiet").ok().out.splitlines()) == 2


def test_json(shell: Shell) -> None:
    document = shell('equity "AA,QQ" KK --board Ts3h2h5c9s --dead Ac --hands --json').ok().json
    assert document["board"] == "Ts3h2h5c9s"
    assert document["dead"] == "Ac"
    assert document["ranges"] == ["AA,QQ", "KK"]
    assert document["equity"] == [pytest.approx(3 / 9), pytest.approx(6 / 9)]
    assert document["exact"] is True
    assert document["intervals"] is None
    assert document["matchups"] == 54
    first, second = document["hands"]
    assert len(first) == 9
    assert first["AsAh"] == {"weight": 1, "equity": 1}
    assert first["QsQh"] == {"weight": 1, "equity": 0}
    assert second["KsKh"] == {"weight": 1, "equity": pytest.approx(2 / 3)}


def test_drawn_boards(shell: Shell) -> None:
    line = "equity AhKh QQ --samples 1e3 --seed 4"
    found = equity("AhKh", "QQ", samples=1000, seed=4)
    assert found.interval is not None
    low, high = found.interval
    out = shell(line).ok().out
    assert "boards    1,000 sampled, seed 4" in out
    assert f"Player 1  {found.oop:.3%}  {low:.3%} to {high:.3%}  {found.oop_win:.3%}" in out
    assert f"Player 2  {found.ip:.3%}  {1 - high:.3%} to {1 - low:.3%}  {found.ip_win:.3%}" in out
    document = shell(f"{line} --json").ok().json
    assert document["equity"] == [found.oop, found.ip]
    assert document["intervals"] == [[low, high], [1 - high, 1 - low]]
    assert document["standard_errors"] == [found.standard_error] * 2
    assert (document["boards"], document["seed"], document["exact"]) == (1000, 4, False)
    assert "hands" not in document


def test_threads_give_the_same(shell: Shell) -> None:
    line = "equity AhKh QQ --samples 2e3 --hands --json"
    assert shell(f"{line} --threads 3").ok().out == shell(line).ok().out


def test_every_hand(shell: Shell) -> None:
    out = shell("equity AA,QQ:0.5 KhKd --board Ts3h2h5c9s --hands").ok().out
    tables = out.split("\n\n")[2:]
    rows = [line.split() for line in tables[0].splitlines()]
    assert rows[0] == ["Player", "1", "weight", "equity"]
    assert rows[1] == ["AsAh", "1", "100.000%"]
    assert rows[-1] == ["QdQc", "0.5", "0.000%"]
    assert tables[1].split() == ["Player", "2", "weight", "equity", "KhKd", "1", "33.333%"]


def test_all_boards_are_enumerated_where_samples_would_be_more(shell: Shell) -> None:
    ran = shell("equity AA KK --board 2c3d7h8s --samples 1000").ok()
    assert "the result is exact" in ran.err
    assert "sampled" not in ran.out
    ran = shell("equity AsAh KsKh QsQh --board 2c3d7h8s --samples 1000").ok()
    assert "the result is exact" in ran.err


def test_ranges_in_files(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_range_file(Range("AA,QQ"), "oop.txt")
    write_range_file(Range("KK"), "ip.json", "BTN/call")
    line = "--board Ts3h2h5c9s --json"
    named = shell(f"equity oop.txt ip.json#BTN/call {line}").ok().out
    assert named == shell(f"equity AA,QQ KK {line}").ok().out
    shell("equity oop.txt none.txt").refused(FileFormatError, option="file")
    shell("equity oop.txt ip.json#BTN").refused(UnknownNameError, option="name", given="BTN")


def test_errors(shell: Shell) -> None:
    shell("equity AA,AQo:1.1 KK").refused(RangeSyntaxError, position=7)
    shell("equity TT TT --board TdTh6h").refused(ConfigError, option="ranges")
    shell("equity AA KK --board QsJh").refused(CardSyntaxError, position=0)
    shell("equity AA KK --board QsQs2h").refused(CardSyntaxError, position=2)
    shell("equity AA KK --samples 5.5").refused(ConfigError, option="samples", given="5.5")
    shell("equity AA KK --samples 50").refused(ConfigError, option="samples", given="50")
    shell("equity AA KK --samples 1000 --exact").refused(
        ConfigError, option="samples", given=1000, remedy="leave out samples or exact"
    )
    shell("equity AA KK --seed -1").refused(ConfigError, option="seed", given=-1)
    shell("equity AA KK --threads 0").refused(ConfigError, option="threads", given=0)
    shell("equity AA").refused(ConfigError, option="ranges", given=1)
    shell(f"equity {'AA ' * 7}").refused(ConfigError, option="ranges", given=7)
    shell("equity").misused("RANGE")
    shell("equity AA KK QQ --hands").refused(ConfigError, option="--hands", given=3, expected=2)
    shell("equity AA KK --hands -q").refused(ConfigError, option="--hands", given=2)
    shell("equity AA AA AA").refused(ConfigError, option="ranges")


def test_help_loads_no_compiler() -> None:
    ran = spawn("equity --help", env=IMPORTS).ok()
    assert "--samples" in ran.out
    assert "numba" not in ran.imported
