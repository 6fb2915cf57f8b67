"""Frequencies from elsewhere held against a solved spot: forms of tables, figures, refusals."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError, LineSyntaxError
from equilibrist.poker import Spot, compare_frequencies, export, solve
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.files.frequency_tables import read_frequencies
from equilibrist.poker.postflop.solution.result import PostflopResult
from tests.refusals import refuses

TURN = Spot(
    board="Ts3s2h5h", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="50%", raises="a"
)


@cache
def solved() -> PostflopResult:
    return solve(TURN, iterations=30)


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    file = folder / "notes.csv"
    file.write_text(text, encoding)
    return file


def test_the_figures_of_a_hand(tmp_path: Path) -> None:
    """Against sums over single combos; a pure action loses what its EV lacks."""
    node = solved().at("X")
    file = written(tmp_path, "line,hand,Check,Bet 30,ev\nX,KK,1,0,50\nX,98s,0.25,0.75,\n")
    compared = compare_frequencies(solved(), file)
    values = node.values
    counts = values.weight[1] * values.matchups[1]
    for hand, shares in {"KK": (1, 0), "98s": (0.25, 0.75)}.items():
        (row,) = (row for row in compared.hands if row.hand == hand)
        combos = [c for c in np.flatnonzero(counts) if (c in KINGS) == (hand == "KK")]
        loss = sum(
            counts[c]
            * (values.ev[1, c] - sum(p * values.action_ev[a, c] for a, p in enumerate(shares)))
            for c in combos
        )
        held = counts[combos].sum()
        assert row.loss == pytest.approx(loss / held, abs=1e-5)
        root = solved().at().values
        assert row.frequency == pytest.approx(held / (root.weight[0] @ root.matchups[0]))
        assert row.cost == pytest.approx(row.loss * row.frequency)
        mean = (counts[combos] * values.strategy[0, combos]).sum() / held
        assert row.solved["Check"] == pytest.approx(mean)
        assert row.difference == pytest.approx(abs(shares[0] - mean))
    assert compared.hands == sorted(compared.hands, key=lambda row: -row.cost)
    (decision,) = compared.decisions
    assert decision.covered == pytest.approx(1)
    assert decision.frequency == pytest.approx(solved().at().frequency["Check"])
    assert decision.solved["Check"] == pytest.approx(node.frequency["Check"])
    assert decision.cost == pytest.approx(sum(row.cost for row in compared.hands))
    (kings,) = (row for row in compared.hands if row.hand == "KK")
    assert kings.ev_difference == pytest.approx(50 - kings.ev)
    assert compared.sorted_by("ev")[0] == kings


KINGS = [parse_combo(text) for text in ("KsKh", "KsKd", "KsKc", "KhKd", "KhKc", "KdKc")]


def test_an_own_export_does_not_differ(tmp_path: Path) -> None:
    """On both streets, of which some cards will do; what comes to a card is what leads there."""
    file = tmp_path / "tree.csv"
    export(solved(), file)
    header, *rows = file.read_text().splitlines(keepends=True)
    rows = [row for row in rows if "|" not in row or "|2c" in row or "|Ah" in row]
    file.write_text("".join([header, *rows]))
    compared = compare_frequencies(solved(), file)
    assert not compared.left_out
    assert max(row.difference for row in compared.hands) < 1e-5
    assert max(abs(row.loss) for row in compared.hands) < 1e-3
    assert max(abs(row.ev_difference or 0) for row in compared.hands) < 1e-5
    by_line = {decision.line: decision for decision in compared.decisions}
    assert by_line[""].frequency == pytest.approx(1)
    there = by_line["X-X|2c"]
    node = solved().at("X-X|2c")
    share = solved().at().frequency["Check"] * solved().at("X").frequency["Check"]
    assert there.frequency == pytest.approx(share / 44, rel=0.2)  # cards of hands change the rest
    assert there.noted["Check"] == pytest.approx(node.frequency["Check"], abs=1e-5)


def test_an_export_in_parquet_is_the_table_that_it_is_in_csv(tmp_path: Path) -> None:
    tables = []
    for name in ("tree.csv", "tree.parquet"):
        export(jam(), tmp_path / name)
        tables.append(read_frequencies(tmp_path / name))
    by_csv, by_parquet = tables
    assert len(by_csv) == len(by_parquet)
    for one, other in zip(by_csv, by_parquet, strict=True):
        assert (one.line, one.board, one.combos) == (other.line, other.board, other.combos)
        assert [*one.shares.values()] == pytest.approx([*other.shares.values()], abs=1e-5)


def test_cards_of_a_short_deck_are_as_probable_as_there_are_of_them(tmp_path: Path) -> None:
    """Over all rivers a hand comes there as often as to the end of the turn."""
    spot = Spot(board="AsKdTc6h", oop="QQ", ip="JJ", pot=10, stack=10, bets="a", deck="short")
    solution = solve(spot, iterations=10)
    rivers = [f"{rank}{suit}" for rank in "789" for suit in "shdc"] + ["6s", "6d", "6c"]
    rows = "".join(f"X-X|{card},QQ,1,0\n" for card in rivers)
    compared = compare_frequencies(
        solution, written(tmp_path, f"line,hand,Check,All-in 10\n{rows}")
    )
    there = solution.at("X-X").values
    root = solution.at().values
    share = (there.weight[0] @ there.matchups[0]) / (root.weight[0] @ root.matchups[0])
    # The hands hold none of these cards: each comes with one of the 28 that are left.
    assert [row.frequency for row in compared.hands] == pytest.approx([share / 28] * len(rivers))


def test_another_solution_is_a_table_of_its_combos(tmp_path: Path) -> None:
    """As by its export; a solution does not differ from itself, on later streets neither."""
    other = solve(JAM, iterations=5)
    file = tmp_path / "other.csv"
    export(other, file)
    compared = compare_frequencies(jam(), other)
    assert compared.other is other
    assert compared.different_keys == ()
    assert not compared.left_out
    by_table = {(row.line, row.hand): row for row in compare_frequencies(jam(), file).hands}
    assert {*by_table} == {(row.line, row.hand) for row in compared.hands}
    for row in compared.hands:
        noted = by_table[row.line, row.hand]
        assert row.loss == pytest.approx(noted.loss, abs=1e-2)
        assert row.noted == pytest.approx(noted.noted, abs=1e-4)
        assert row.noted_ev == pytest.approx(noted.noted_ev, abs=1e-2)
    for line in ("", "X-X|2c"):
        own = compare_frequencies(solved(), solved(), line=line)
        assert max(row.difference for row in own.hands) == 0
        assert max(abs(row.loss) for row in own.hands) == 0
        assert all(row.line.startswith(line) for row in own.hands)
        assert len({row.line.count("2c") for row in own.hands}) == 1
        assert all(decision.covered == pytest.approx(1) for decision in own.decisions)
    assert own.to_dict()["other"]["iterations"] == 30


def like(spot: Spot, **changes: Any) -> Spot:
    return Spot(**(spot.model_dump(exclude_unset=True) | changes))


def test_other_spots_of_the_same_board() -> None:
    """What its bets and ranges add is left out by decision and reason; what differs is named."""
    wider = like(TURN, bets="50%,100%", ip="KK,98s,77", rake=0.05, rake_cap=1)
    compared = compare_frequencies(solved(), solve(wider, iterations=5))
    assert compared.different_keys == ("ip", "bets", "rake", "rake_cap")
    left_out = {(entry.line, entry.hand) for entry in compared.left_out}
    assert ("", "15 hands") in left_out
    assert all(entry.number == 0 and "\n" not in entry.reason for entry in compared.left_out)
    assert {row.line for row in compared.hands} & {"X-B30", "B30"}
    for key, value in {"pot": 50, "board": "Ts3s2h5c"}.items():
        other = solve(like(TURN, **{key: value}), iterations=1)
        with refuses(ConfigError, option="table", given=value):
            compare_frequencies(solved(), other)
    with pytest.raises(LineSyntaxError):
        compare_frequencies(solved(), solved(), line="X-B31")
    with refuses(ConfigError, option="line", given="X-X|2c|X-X"):
        compare_frequencies(solved(), solved(), line="X-X|2c|X-X")


SAME = {
    "notes": "hand,Check,Bet 30\nAA,.25,.75\n",
    "percent signs": "hand,Check,Bet 30\nAA,25%,75 %\n",
    "percent": "hand,check,bet\nAA,25,75\n",
    "semicolons and decimal commas": "Hand;Check;Bet 30\nAA;0,25;0,75\n",
    "tabs": "hand\tX\tB30\nAA\t0.25\t0.75\n",
    "bars": "| hand | Check | Bet 30 |\n|---|---|---|\n| AA | 0.25 | 0.75 |\n",
    "freq": "hand,Check freq,Bet 30 freq,Check ev\nAA,0.25,0.75,9\n",
    "share of the pot": "hand,X,50%\nAA,0.25,0.75\n",
    "long": "hand,action,share\nAA,Check,.25\nAA,Bet 30,.75\n",
    "long with lines": "line,hand,action,share,board\n,AA,X,.25,Ts3s2h5h\n,AA,B,.75,Ts3s2h5h\n",
    "other names": "Line,Combos,Action,Frequency\nroot,AA,check,25 %\nroot,AA,bet,75 %\n",
    "node ids": "node,hand,check %,bet %\nr:0,AA,25,75\n",
    "fractions": "hand,X,B30\nAA,1/4,3/4\n",
    "quoted decimal commas": 'hand,X,B30\nAA,"0,25","0,75"\n',
    "remarks": "# my notes\n\nhand,X,B30\nAA,.25,.75\n",
    "rounded": "hand,Check,Bet 30\nAA,.248,.744\n",
    "line breaks of Windows": "hand,Check,Bet 30\r\nAA,.25,.75\r\n",
    "an action that is left out": "hand,Check,Bet 30\nAA,.25,.75\nQQ,1,\n",
    "other columns": "board,hand,weight,equity,Check,Bet 30\n3sTs2h5h,AA,1,0.8,.25,.75\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_forms_of_tables(text: str, tmp_path: Path) -> None:
    compared = compare_frequencies(solved(), written(tmp_path, text))
    row = next(row for row in compared.hands if row.hand == "AA")
    assert row.noted == pytest.approx({"Check": 0.25, "Bet 30": 0.75})


def test_hands_in_groups_and_lists(tmp_path: Path) -> None:
    file = written(tmp_path, 'hand,X,B30\n"AsAh,AsAd",.5,.5\nQQ-JJ,1,0\n"QJs JTs",0,1\n')
    hands = {hand.hand: hand.combos for hand in read_frequencies(file)}
    assert {hand: len(combos) for hand, combos in hands.items()} == {
        "AsAh,AsAd": 2, "QQ-JJ": 12, "QJs JTs": 8,
    }  # fmt: skip


JAM = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="50%", raises="a")
WORDS = [
    ("", "check", "Check"), ("", "bet", "Bet 50"), ("", "c-bet", "Bet 50"), ("", "33%", None),
    ("", "50%", "Bet 50"), ("", "bet 50 %", "Bet 50"), ("", "B50", "Bet 50"), ("", "raise", None),
    ("B50", "raise", "All-in 100"), ("B50", "jam", "All-in 100"), ("B50", "a", "All-in 100"),
    ("B50", "A100", "All-in 100"), ("B50", "Raise 100", "All-in 100"), ("B50", "r99", None),
    ("B50", "CALL", "Call"), ("B50", "f", "Fold"), ("B50", "check", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "word", "action"), WORDS)
def test_what_actions_are_called(line: str, word: str, action: str | None, tmp_path: Path) -> None:
    file = written(tmp_path, f"hand,action,share\n{'KK' if line else 'AA'},{word},1\n")
    if action is None:
        with refuses(ConfigError, option="table"):
            compare_frequencies(jam(), file, line=line)
        return
    (row,) = compare_frequencies(jam(), file, line=line).hands
    assert [name for name, share in row.noted.items() if share] == [action]


@cache
def jam() -> PostflopResult:
    return solve(JAM, iterations=2)


def test_files_of_spreadsheets(tmp_path: Path) -> None:
    """UTF-8 with a mark at the beginning, and UTF-16."""
    for encoding in ("utf-8-sig", "utf-16"):
        file = written(tmp_path, SAME["notes"], encoding)
        assert len(compare_frequencies(solved(), file).hands) == 1


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "a sum": ("hand,Check,Bet 30\nAA,.5,.3\n", dict(option="share", place="line 2", expected=1)),
    "a hand": ("hand,Check,Bet 30\nAA,.5,.5\nAX,1,0\n", dict(option="range", place="line 3")),
    "a share": ("hand,Check\nAA,often\n", dict(option="share", given="often", place="line 2")),
    "a negative share": ("hand,Check\nAA,-1\n", dict(option="share", place="line 2")),
    "an EV": ("hand,Check,ev\nAA,1,much\n", dict(option="ev", given="much", place="line 2")),
    "a line": ("line,hand,Check\nQ,AA,1\n", dict(option="line", place="line 2")),
    "a board": ("board,hand,Check\nTsTs2h,AA,1\n", dict(place="line 2")),
    "twice": ("hand,Check\nAA,1\nAsAh,1\n", dict(option="hand", given="AsAh", place="line 3")),
    "an action twice": (
        "hand,action,share\nAA,X,.5\nAA,X,.5\n",
        dict(option="action", given="X", place="line 3"),
    ),
    "a column twice": ("hand,Check,check\nAA,1,0\n", dict(option="columns", place="line 1")),
    "cells": ("hand,Check\nAA,1,0\n", dict(option="cells", place="line 2")),
    "no hands": ("who,Check\nAA,1\n", dict(option="columns", place="line 1")),
    "no actions": ("hand,ev\nAA,1\n", dict(option="columns", place="line 1")),
    "no rows": ("hand,Check\n", dict(option="table")),
}


@pytest.mark.parametrize(("text", "fields"), WRONG.values(), ids=WRONG)
def test_wrong_tables(text: str, fields: dict[str, Any], tmp_path: Path) -> None:
    with refuses(FileFormatError, **fields):
        read_frequencies(written(tmp_path, text))


def test_other_files(tmp_path: Path) -> None:
    for name, content in {
        "a.json": '{"K": {"Bet": 1}}',
        "b.toml": 'board = "AsKsQs"',
        "c.csv": "",
    }.items():
        (tmp_path / name).write_text(content)
        with pytest.raises(FileFormatError):
            read_frequencies(tmp_path / name)
    with pytest.raises(EquilibristError):
        read_frequencies(tmp_path / "missing.csv")


def test_what_is_left_out_and_why(tmp_path: Path) -> None:
    text = (
        "line,hand,action,share\n,AA,Check,1\n,22,Check,1\n,QQ,Bet 31,1\nX-X,KK,Check,1\n"
        "X-B31,AA,Fold,1\n,JsTs,Check,1\n"
    )
    compared = compare_frequencies(solved(), written(tmp_path, text))
    assert [row.hand for row in compared.hands] == ["AA"]
    assert [entry.number for entry in compared.left_out] == [3, 4, 7, 5, 6]
    codes = ["not-there", "action", "not-there", "no-decision", "line"]
    assert [entry.code for entry in compared.left_out] == codes
    assert [entry.action for entry in compared.left_out if entry.action] == ["Bet 31", "B31"]
    assert compared.left_out[1].actions == ("Check", "Bet 30")
    assert compared.decisions[0].covered < 1
    document = compared.to_dict()
    assert document["compared"] == 1
    assert len(document["left_out"]) == 5


def test_tables_of_another_spot(tmp_path: Path) -> None:
    for text, option in {
        "board,hand,Check\nAsKsQs,AA,1\n": "table",
        "hand,Bet 31\nAA,1\n": "table",
        "hand,Check\n22,1\n": "table",
    }.items():
        with refuses(ConfigError, option=option):
            compare_frequencies(solved(), written(tmp_path, text))
    with pytest.raises(LineSyntaxError):
        compare_frequencies(solved(), written(tmp_path, SAME["notes"]), line="X-B31")
    compared = compare_frequencies(solved(), written(tmp_path, SAME["notes"]))
    for order in ("ev", "size"):
        with refuses(ConfigError, option="sort", given=order):
            compared.sorted_by(order)


def test_hands_with_signs_of_suits(tmp_path: Path) -> None:
    file = written(tmp_path, 'hand;Check;Bet 30\nA♠A♥;1;0\n"Q♦ Q♣, JTs";0;1\n')
    compared = compare_frequencies(solved(), file)
    assert {row.hand for row in compared.hands} == {"A♠A♥", "Q♦ Q♣, JTs"}
    assert compared.hands[0].frequency > 0
