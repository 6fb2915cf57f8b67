"""Kinds of files by what they hold, and words that can only be meant as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import FileFormatError
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    KINDS,
    looks_like_file,
    missing_file,
    remedy_for,
    words_of,
)
from equilibrist.storage.kinds.recognition import kind_of_text, sniffed_kind
from equilibrist.storage.table_forms.payoffs import read_payoffs
from equilibrist.storage.tables import read_table_file
from tests.refusals import refuses


@pytest.mark.parametrize(
    "word", ["jam.toml", "h.phhs", "a b.zip", "none/kuhn", "./last", "../x.spot", "~/a.nfg"]
)
def test_words_that_are_files(word: str) -> None:
    assert looks_like_file(word)


@pytest.mark.parametrize(
    "word",
    ["kuhn", "kuhn(bet=2.5)", "rules.py", "x.efg", "rules:a.py", "openspiel:leduc", "", "/", "\\"],
)
def test_words_that_may_be_games(word: str) -> None:
    assert not looks_like_file(word)


def test_json_that_is_nested_too_deep_is_not_called_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 5000 + "]" * 5000)
    assert sniffed_kind(path) == "json"
    with refuses(FileFormatError, option="file", place=f"{path}"):  # no line
        read_table_file(path)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_words_and_a_way_on(kind: str) -> None:
    assert words_of(kind).startswith(("a ", "an ", "the "))
    assert remedy_for(Path("file"), kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# from the forum\nset_pot 50\nset_board Qs,Jh,2h\n", "solver-script"),
        ("#Board#Qs Jh 2h\n", "pio-tree"),
        ('{"oopRange": "AA", "config": {"startingPot": 5}}', "solver-setup"),
        ('board = "Ts3h2h5c9s"\noop = "AA"\n', "spot"),
        ("[[1, 2], [3, 4]]", "payoff-table"),
        ("{{1, 2}, {3, 4", "payoff-table"),
        ("{", "text"),
        ('{"AA": 1, "AKs": 0.5, "AhKd": 0.25}', "ranges"),
        ('{"AA": "1", "AKs": "50%"}', "ranges"),
        ('{"AA": "x"}', "json"),
        ('[["AA", 1], ["KK", 0.5]]', "ranges"),
        ('{"name": "UTG", "hands": ["22+", "AKs"]}', "ranges"),
        ('{"BTN": {"AA": 1}, "CO": "KK,QQ"}', "ranges"),
        ('{"oop": "AA", "ip": "KK", "pot": 10}', "spot"),
        ('{"board": "QsJh2h", "pot": 10}', "spot"),
        ('{"stacks": [100, 100], "blinds": [1, 2]}', "hand"),
        ('[["a", "b"], ["c", "d"]]', "json"),
        ('{"players": ["a", "b"], "actions": ["c"]}', "json"),
        ('{"KK": {"f": 0, "c": 1}}', "table"),
        ('{"AA": [0.5, 0.5]}', "table"),
        ('[["A", 1], ["B", 2]]', "payoff-table"),
        (" \n", "empty"),
    ],
)
def test_a_text_is_of_the_kind_of_its_file(text: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    assert kind_of_text(text) == sniffed_kind(path) == kind


def test_suffixes_do_not_decide(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_text("#Board#Qs Jh 2h\n")
    assert sniffed_kind(path) == "pio-tree"
    path.write_text("PokerStars Hand #1: x\n")
    assert sniffed_kind(path) == "site-hand-histories"
    path.write_text("***** 888poker Hand History for Game 1 *****\n")
    assert sniffed_kind(path) == "site-hand-histories"
    path.write_text('{"actions":["CHECK","BET 5.0"],"childrens":{"CHECK":{"player":0}},"player":1}')
    assert sniffed_kind(path) == "document"
    path.write_text('board = "Ts3h2h5c9s"\noop = "AA"\n')
    assert sniffed_kind(path) == "spot"
    assert sniffed_kind(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('stack = 10\nbets = "a"\n', "hand"),
        ('stack = 10\nboard = "3/1/1"\n', "hand"),
        ('bets = "a"\nboard = ""\n', "hand"),
        ("first_short_all_in_reopens = false\n", "hand"),
        ('stack = 10\nboard = "Ts3h2h"\n', "spot"),
        ("stack = 10\npot = 5\n", "spot"),
        ('board = "3/1/1"\noop = "AA"\n', "spot"),
        ("board = ['Ts3h2h']\nblinds = '1/2'\n", "spot"),
        ("", "empty"),
        ('bets = "a"\n', "spot"),
    ],
)
def test_hands_and_spots_are_told_apart_by_their_keys(
    content: str, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(content)
    assert sniffed_kind(path) == kind


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("model.pt", b"PK\x03\x04model/data.pkl", "pickle"),
        ("run.ckpt", b"PK\x03\x04archive/data.pkl", "pickle"),
        ("a.tar", b"a.txt".ljust(257, b"\0") + b"ustar\0" + b"00", "package"),
        ("a.zst", b"\x28\xb5\x2f\xfd\x04rest", "package"),
        ("a.h5", b"\x89HDF\r\n\x1a\n\0\0", "document"),
        ("a.feather", b"ARROW1\0\0\xff\xff", "document"),
        ("scan.tiff", b"II*\0\x08\0\0\0", "picture"),
        ("a.ipynb", b'{"cells": [{"cell_type": "code"}], "nbformat": 4}', "document"),
        ("t.json", b'{"node_type": "action_node", "player": 1, "childrens": {}}', "document"),
        ("cut.json", b'{"1": {"pass": 0.5, "be', "incomplete-json"),
        ("text.json", b"my diary", "incomplete-json"),
        ("list.json", b"[1, 2]", "json"),
        ("runouts.csv", b"card,frequency,board,line,pot\nAs,0.02,QsJh2hAs,X-X,6\n", "spot-report"),
        (
            "hand.csv",
            b"line,seat,hand,combos,reach,action\n,small blind,AA,6,1,F\n",
            "hand-decisions",
        ),
        ("hand.json", b'{\n "hand": "hand(bets=\\"a\\")",\n "flops": 3}', "hand-decisions"),
        ("pyproject.toml", b'[project]\nname = "x"\n[tool.ruff]\nline-length = 9\n', "toml"),
        ("spot.toml", b'bets = "50%"\n', "spot"),
        ("game.toml", b"payoffs = [[1, -1], [-1, 1]]\n", "payoff-table"),
        ("game.json", b'{"payoffs": [[1, -1], [-1, 1]]}', "payoff-table"),
        ("rows.json", b'{"payoffs": [0.5, 0.5]}', "table"),
        ("locks.toml", b'[[locks]]\nline = "B"\n', "spot"),
    ],
)
def test_files_of_other_programs(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert sniffed_kind(tmp_path / name) == kind


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Kd7d2c9h, 3\nAs7d2c9h,0.5\n", "boards"),
        ("Qs Jh 2h 12\n", "boards"),
        ("# turns\n\nQ♠J♥10♥:2\n", "boards"),
        ("qsjh2h", "boards"),
        ("board,weight\nQsJh2h,12\n", "boards"),
        ("AsKs QdJd\n", "ranges"),
        ("AsKs,QdJd\n", "ranges"),
        ("AsKs\nQdJd\n", "ranges"),
        ("AsKsQd is a strong board\n", "text"),
    ],
)
def test_boards_and_ranges_are_told_apart_by_their_cards(
    content: str, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(content, "utf-8")
    assert sniffed_kind(path) == kind


def test_a_link_that_leads_nowhere_is_called_one(tmp_path: Path) -> None:
    link = tmp_path / "loop.toml"
    link.symlink_to(link)
    assert "is a link" in str(missing_file(link))
    assert "is a link" not in str(missing_file(tmp_path / "none.toml"))


def test_texts_of_marks_alone_are_some_kind(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    for text in (
        '"\n"',
        '"',
        "\t\n\t",
        ",\n,",
        "[\n]",
        '"action": 11,\n\n{"ohh": {"players": [',
        "|\n|",
    ):
        path.write_text(text)
        assert kind_of_text(text)
        assert sniffed_kind(path)
        with pytest.raises(FileFormatError):
            read_payoffs(text, path)


@pytest.mark.parametrize("content", [b"x\0\xff", b"\0x", b"x\0", b"\0\0\0x\xff"])
def test_a_single_wide_letter_is_no_text(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "junk.bin"
    path.write_bytes(content)
    assert sniffed_kind(path) == BINARY
