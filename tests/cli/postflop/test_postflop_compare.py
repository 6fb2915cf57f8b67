"""`equilibrist postflop compare`: notes against a solution, in text, CSV and JSON."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.poker import Spot, batch, solve
from tests.cli.command import Shell

RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,54s", pot=100, stack=100, bets="50%")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solve(RIVER, iterations=20).save("r.spot")
    Path("notes.csv").write_text("hand,Check,Bet 50\nQQ,20%,80%\nAA,0,1\nKK,1,0\n")


def test_notes(shell: Shell) -> None:
    ran = shell("postflop compare r.spot notes.csv").ok()
    assert ran.out.splitlines()[0].startswith("Ts3h2h5c9s: 2 hands at 1 decision cost ")
    assert "notes.csv, line 4, KK left out" in ran.err
    document = shell("postflop compare r.spot notes.csv --json").ok().json
    assert [hand["hand"] for hand in document["hands"]] == ["QQ", "AA"]
    assert document["unit"] == "chips"
    assert document["exploitability_percent"] >= 0
    rows = list(csv.DictReader(io.StringIO(shell("postflop compare r.spot notes.csv --csv").out)))
    assert float(rows[0]["loss"]) == pytest.approx(document["hands"][0]["loss"], abs=1e-6)
    assert rows[0]["Bet 50 noted"] == "0.8"
    text = shell("postflop compare r.spot notes.csv --top 1 --sort difference").ok().out
    assert text.splitlines()[-1].startswith("and 1 more hand")


def test_a_board_of_a_batch(shell: Shell) -> None:
    batch(RIVER, [RIVER.board], "study", iterations=20, keep="all")
    alone = shell("postflop compare r.spot notes.csv --csv").ok().out
    assert shell(f"postflop compare study notes.csv --csv --board {RIVER.board}").ok().out == alone
    shell("postflop compare study notes.csv").refused(ConfigError, option="--board")


def test_another_solution(shell: Shell) -> None:
    """Stored, in a file or in the folder of a batch; combos that play alike stand in one row."""
    solve(RIVER, iterations=3).save("other.spot")
    ran = shell("postflop compare r.spot other.spot").ok()
    assert "EV at the root: OOP " in ran.out
    assert "QQ x6" in ran.out
    document = shell("postflop compare r.spot other.spot --json").ok().json
    assert document["different_keys"] == []
    assert document["other"]["iterations"] == 3
    batch(RIVER, [RIVER.board], "study", iterations=3, keep="all")
    kept = shell(f"postflop compare r.spot study --board {RIVER.board} --csv").ok()
    assert kept.out == shell("postflop compare r.spot other.spot --csv").ok().out
    shell("postflop compare r.spot study").refused(ConfigError, option="--board")
    keys = RIVER.model_dump(exclude_unset=True)
    solve(Spot(**(keys | {"pot": 50})), iterations=3).save("half.spot")
    shell("postflop compare r.spot half.spot").refused(ConfigError, option="table", given=50)
    solve(Spot(**(keys | {"bets": "50%,a"})), iterations=3).save("wider.spot")
    ran = shell("postflop compare r.spot wider.spot").ok()
    assert "the spots differ in bets" in ran.out
    assert "wider.spot, A100, 9 hands left out" in ran.err


@pytest.mark.parametrize(("rest", "option"), [
    ("r.spot notes.csv --csv --json", "--csv"),
    ("r.spot notes.csv --top 0", "top"),
    ("r.spot notes.csv --sort size", "sort"),
    ("r.spot notes.csv --sort ev", "sort"),
    ("r.spot notes.csv --board Ts3h2h5c9s", "--board"),
])  # fmt: skip
def test_wrong_options(rest: str, option: str, shell: Shell) -> None:
    shell(f"postflop compare {rest}").refused(ConfigError, option=option)


def test_wrong_files(shell: Shell) -> None:
    """The table in the place of the solution is told; a table of infosets is not one of hands."""
    shell("postflop compare notes.csv r.spot").refused(FileFormatError, option="format")
    Path("s.toml").write_text(RIVER.to_toml())
    shell("postflop compare r.spot s.toml").refused(FileFormatError, option="table")
    Path("k.csv").write_text("infoset,action,probability\nK,Bet,1\n")
    shell("postflop compare r.spot k.csv").refused(FileFormatError, option="columns")
