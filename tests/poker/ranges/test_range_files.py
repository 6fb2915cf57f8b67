"""Files of ranges: round trips, other ranges kept, and files that are something else."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    OutputError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.ranges.dialects import DIALECTS
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import (
    named_file,
    range_names,
    range_or_file,
    read_range_file,
    write_range_file,
)
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import RANGES
from equilibrist.typing import FloatArray
from tests.refusals import refuses, unchecked

LIBRARY: dict[str, Any] = {
    "version": 2,
    "name": "ranges",
    "data": [
        {"path": ["BTN"], "isGroup": True, "value": None},
        {"path": ["BTN", "open"], "isGroup": False, "value": "22+,A2s+:0.5"},
        {"path": ["BTN", "call"], "isGroup": False, "value": "TT-22"},
        {"path": "plain", "isGroup": False, "value": "AA"},
        {"path": ["odd"], "isGroup": False, "value": [0.5, 1], "colour": "red"},
    ],
}


def library(folder: Path, **changes: Any) -> Path:
    path = folder / "ranges.json"
    path.write_text(json.dumps({**LIBRARY, **changes}), "utf-8")
    return path


@pytest.mark.parametrize(
    "document",
    [
        {"AA": 1, "KK": 0.5},
        [["AA", 1], ["KK", 0.5]],
        ["AA", ["KK", "50%"]],
        [{"hand": "AA", "weight": 1}, {"hand": "KK", "weight": 0.5}],
        [{"hand": "AA", "weight": 1, "combos": 6}, {"hand": "KK", "weight": 0.5, "combos": 3}],
        {"AA": {"weight": 1}, "KK": {"freq": 0.5}},
        {"hands": {"AA": 1, "KK": 0.5}},
        {"name": "UTG", "stack": 100, "range": "AA,KK:0.5"},
        "AA,KK:0.5",
        {"UTG": {"AA": 1, "KK": 0.5}},
        {"AA": 100, "KK": 50},
        {"range": ["AA", "KK"], "weights": [1, 0.5]},
        [["hand", "weight"], ["AA", 1], ["KK", 0.5]],
        [*map(float, Range("AA,KK:0.5").to("raw").split())],
        {"ranges": {"UTG": "AA,KK:0.5"}},
    ],
)
def test_a_range_in_any_json(document: Any, tmp_path: Path) -> None:
    path = tmp_path / "range.json"
    path.write_text(json.dumps(document))
    assert file_kind(path) == RANGES
    assert read_range_file(path) == Range("AA,KK:0.5")
    with pytest.raises(EquilibristError):  # a file of another program is kept as it is
        write_range_file(Range("QQ"), path)
    assert json.loads(path.read_text()) == document


@pytest.mark.parametrize(
    "document",
    [
        [{"hand": "AA", "combos": 6}, {"hand": "AKs", "combos": 4}],
        {"hands": ["AA", "AKs"], "combos": [6, 4]},
    ],
)
def test_numbers_of_combos_are_no_weights(document: Any, tmp_path: Path) -> None:
    """All of both classes, of which one has more combos."""
    path = tmp_path / "range.json"
    path.write_text(json.dumps(document))
    with pytest.raises(FileFormatError):
        read_range_file(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("range.json", '{"AA": 6, "AKs": 4, "KQo": 12}'),
        ("range.json", '[["AA", 6], ["72o", 9]]'),
        ("range.json", '{"hands": ["AA", "AK"], "weights": [3, 16]}'),
        ("range.txt", "AA 6\nAKs 4\n"),
    ],
)
def test_numbers_that_may_count_combos_are_no_percentages(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RangeSyntaxError) as refused:
        read_range_file(tmp_path / name)
    assert refused.value.option == "weight"


def test_a_hand_that_comes_twice_in_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "range.json"
    path.write_text('{"AA": 1, "KK": 1, "AA": 0.5}')
    with pytest.raises(FileFormatError):
        read_range_file(path)


def test_ranges_by_name_in_any_json(tmp_path: Path) -> None:
    path = tmp_path / "ranges.json"
    path.write_text('{"BTN": [["AA", 1], ["KK", 0.5]], "CO": "QQ+"}')
    assert range_names(path) == ["BTN", "CO"]
    assert read_range_file(path, "CO") == Range("QQ+")
    assert range_or_file(f"{path}#BTN") == Range("AA,KK:0.5")
    path.write_text('[["AA", 1], ["KK", 1], ["XX", 0.5]]')
    with pytest.raises(RangeSyntaxError):
        read_range_file(path)


@pytest.mark.parametrize("dialect", [None, *DIALECTS])
def test_text_files_are_read_back(dialect: str | None, tmp_path: Path) -> None:
    made = Range("QQ+,AKs" if dialect == "pokerkit" else "QQ+,AKs:0.5,7h6h:0.125")
    path = tmp_path / "range.txt"
    assert write_range_file(made, path, dialect=dialect) == path
    assert read_range_file(path, dialect=dialect) == made
    assert read_range_file(str(path)) == made  # every dialect is detected, too
    assert path.read_text("utf-8") == made.to(dialect or "pio") + "\n"


def test_text_as_people_and_programs_save_it(tmp_path: Path) -> None:
    path = tmp_path / "range.txt"
    path.write_bytes(b"\xef\xbb\xbfQQ+,\r\nAK:0.5\r\n")
    assert read_range_file(path) == Range("QQ+,AK:0.5")
    path.write_bytes(b"# open\nQQ+ # value\nAK:0.5\n")
    assert read_range_file(path) == Range("QQ+,AK:0.5")
    path.write_bytes(b"")
    with refuses(FileFormatError, option="file", given="empty"):
        read_range_file(path)
    path.unlink()
    with refuses(ConfigError, option="hand_range"):
        write_range_file(Range(""), path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "content", "same"),
    [
        ("a.json", '{"AA": 1, "KK": 0.5, "A5s-A2s": 0}', "AA,KK:0.5"),
        ("a.json", '{"AA": "1", "KK": "50%", "QQ": ".25"}', "AA,KK:0.5,QQ:0.25"),
        ("a.txt", "{'AA': 1.0, 'KK': 0.5}", "AA,KK:0.5"),
        ("a.txt", "# open\nAA\n\n# value\nKK\n", "KK+"),
        ("a.csv", "hand,weight\nAA,1\nKK,50%\n", "AA,KK:0.5"),
        ("a.csv", "Hand;Weight\nAA;75\nKK;22\n", "AA:0.75,KK:0.22"),
        ("a.txt", "AA 1.0\nKK 0.5\n", "AA,KK:0.5"),
        ("a.txt", "AA\t100\nAhKh\t50\n", "AA,AhKh:0.5"),
        ("a.txt", "AA 75\nKK 22\n", "KK+,75,22"),
    ],
)
def test_hands_with_their_weights(name: str, content: str, same: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert read_range_file(path) == Range(same)


def test_a_single_range_in_json_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"AA": 1}')
    with refuses(FileFormatError, option="name"):
        write_range_file(Range("KK"), path, "BTN")
    assert path.read_text() == '{"AA": 1}'


def test_ranges_by_name(tmp_path: Path) -> None:
    path = library(tmp_path)
    assert read_range_file(path, "BTN/open") == Range("22+,A2s+:0.5")
    assert read_range_file(path, "BTN/call") == Range("TT-22")
    assert read_range_file(path, "plain") == Range("AA")
    assert range_or_file(f" {path}#BTN/call ") == Range("TT-22")
    with refuses(UnknownNameError, option="name", given="BTN/opn", place=str(path)) as caught:
        read_range_file(path, "BTN/opn")
    assert caught.value.suggestions[0] == "BTN/open"
    with refuses(ConfigError, option="name", given=4):
        read_range_file(path)
    with refuses(FileFormatError, option="value", place=f"{path}#odd"):
        read_range_file(path, "odd")
    with refuses(ConfigError, option="dialect", given="raw", expected="pio"):
        read_range_file(path, "plain", dialect="raw")


def test_the_only_range_needs_no_name(tmp_path: Path) -> None:
    path = library(tmp_path, data=LIBRARY["data"][:2])
    assert read_range_file(path) == Range("22+,A2s+:0.5")
    path = library(tmp_path, data=LIBRARY["data"][:1])
    with refuses(ConfigError, option="name", given=0):
        read_range_file(path)


def test_writing_by_name_keeps_the_others(tmp_path: Path) -> None:
    path = library(tmp_path, more="kept")
    write_range_file(Range("KK"), path, "BTN/open")
    write_range_file(Range("QQ"), path, "SB/3bet")
    write_range_file(Range("JJ"), path, "odd")
    found = json.loads(path.read_text("utf-8"))
    data = LIBRARY["data"]
    assert found == {
        **LIBRARY,
        "more": "kept",
        "data": [
            data[0],
            {**data[1], "value": "KK"},
            data[2],
            data[3],
            {**data[4], "value": "JJ"},
            {"path": ["SB", "3bet"], "isGroup": False, "value": "QQ"},
        ],
    }
    assert read_range_file(path, "SB/3bet") == Range("QQ")


@pytest.mark.slow
@settings(max_examples=20)
@given(
    numpy_strategies.arrays(
        np.float64, 1326, elements=st.floats(0, 1), fill=st.sampled_from([0.0, 1.0, 0.5])
    ),
    st.text(min_size=1),
)
def test_every_range_and_name_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, weights: FloatArray, name: str
) -> None:
    path = tmp_path_factory.mktemp("ranges") / "new.json"
    made = Range.from_weights(weights)
    if all(part.strip() for part in name.split("/")):
        write_range_file(made, path, name)
        assert read_range_file(path, name) == made
    else:
        with refuses(ConfigError, option="name", given=name):
            write_range_file(made, path, name)
    write_range_file(made, path)
    assert read_range_file(path, "new") == made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("button.txt", (Path("button.txt"), None)),
        ("/tmp/a b/Button.TXT", (Path("/tmp/a b/Button.TXT"), None)),
        ("r.json", (Path("r.json"), None)),
        ("r.json#BTN/3bet vs CO", (Path("r.json"), "BTN/3bet vs CO")),
        ("AA,KK", None),
        ("", None),
        ("AA KK / QQ", None),
        (".txt", None),
        ("AK@50", None),
    ],
)
def test_what_names_a_file(text: str, found: object) -> None:
    assert named_file(text) == found


def test_relative_to_a_folder(tmp_path: Path) -> None:
    write_range_file(Range("AA"), tmp_path / "a.txt")
    assert range_or_file("a.txt", folder=tmp_path) == Range("AA")
    assert range_or_file(str(tmp_path / "a.txt"), folder=Path("/nowhere")) == Range("AA")
    assert range_or_file("98s 22", "pokerkit") == Range("22,98s")


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (b"", dict(option="file")),
        (b"{", dict(option="file")),
        (b"[" * 100_000, dict(option="file")),
        (b"[]", dict(option="name", given=None, expected="ranges")),
        (b"{}", dict(option="name", given=None, expected="ranges")),
        (b'{"pot": 10, "stack": 5}', dict(option="name", given=None, expected="ranges")),
        (b'{"version":2,"name":"configurations","data":[]}', dict(given="solver-setup")),
        (b'{"version":3,"name":"ranges","data":[]}', dict(option="version", given=3, expected=2)),
        (b'{"version":2,"name":"ranges","data":{}}', dict(option="data")),
        (b'{"version":2,"name":"ranges","data":[5]}', dict(option="path", place="data[0]")),
        (
            b'{"version":2,"name":"ranges","data":[{"path":[],"value":"AA"}]}',
            dict(option="path", place="data[0]"),
        ),
        (
            b'{"version":2,"name":"ranges","data":[{"path":["a",1],"value":"AA"}]}',
            dict(option="path", place="data[0]"),
        ),
        (b"\xff\xfe\x00", dict(option="file", given="it is not text")),
    ],
)
def test_other_json_is_refused_and_kept(
    content: bytes, fields: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "ranges.json"
    path.write_bytes(content)
    with refuses(FileFormatError, **fields):
        read_range_file(path, "a")
    with refuses(FileFormatError, **fields):
        write_range_file(Range("AA"), path, "a")
    assert path.read_bytes() == content


def test_bad_notation_says_which_file(tmp_path: Path) -> None:
    path = tmp_path / "range.txt"
    path.write_text("AA,AQo:1.1")
    with refuses(RangeSyntaxError, position=7, place=f"{path}, column 8"):
        read_range_file(path)
    path = library(tmp_path, data=[{"path": ["x"], "isGroup": False, "value": "K2-Q5"}])
    with refuses(RangeSyntaxError, position=0, place=f"{path}#x, column 1"):
        read_range_file(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with refuses(FileFormatError, option="file", given=os.strerror(2)):
        read_range_file(tmp_path / "none.txt")
    (tmp_path / "folder.txt").mkdir()
    with refuses(FileFormatError, option="file"):
        read_range_file(tmp_path / "folder.txt")
    (tmp_path / "a.txt").write_bytes(b"\xff")
    with refuses(FileFormatError, option="file", given="it is not text"):
        read_range_file(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_bytes(b" " * 1_000_001)
    with refuses(FileFormatError, option="size", given=1_000_001, expected=1_000_000):
        read_range_file(tmp_path / "b.txt")
    with refuses(ConfigError, option="name", given="BTN"):
        read_range_file(tmp_path / "a.txt", "BTN")
    with refuses(ConfigError, option="path"):
        read_range_file(unchecked(5))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason=f"{sys.platform} has no named pipes")
@pytest.mark.parametrize("name", ["pipe.txt", "pipe.json"])
def test_pipes_are_refused(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with refuses(FileFormatError, option="file", given=str(tmp_path / name)):
        range_or_file(str(tmp_path / name))


def test_other_files_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("call my mother")
    with refuses(OutputError, option="out", given=str(path)):
        write_range_file(Range("AA"), path)
    assert path.read_text() == "call my mother"
    path.write_text("KK")
    write_range_file(Range("AA"), path)
    assert path.read_text() == "AA\n"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with refuses(UnknownNameError, option="dialect", name="csv"):
        write_range_file(Range("AA"), tmp_path / "a.txt", dialect="csv")
    with refuses(ConfigError, option="dialect", given="AA"):
        write_range_file(Range("AA:0.5"), tmp_path / "a.txt", dialect="pokerkit")
    with refuses(ConfigError, option="dialect", given="raw", expected="pio"):
        write_range_file(Range("AA"), tmp_path / "a.json", dialect="raw")
    with refuses(ConfigError, option="name", given="BTN"):
        write_range_file(Range("AA"), tmp_path / "a.txt", "BTN")
    with refuses(ConfigError, option="name", given="BTN//call"):
        write_range_file(Range("AA"), tmp_path / "a.json", "BTN//call")
    with refuses(ConfigError, option="hand_range", given="AA"):
        write_range_file(unchecked("AA"), tmp_path / "a.txt")
    with pytest.raises(OutputError):
        write_range_file(Range("AA"), tmp_path / "none" / "a.txt")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("empty.txt", b"", "empty"),
        ("blank.txt", b" \n\n", "empty"),
        ("empty.json", b"", "empty"),
        ("a.png", b"\x89PNG\r\n\x1a\n\xff", "picture"),
        ("a.zip", b"PK\x03\x04\xff\xfe", "package"),
        ("t.json", b'{"actions": ["CHECK"], "childrens": {}, "player": 1}', "document"),
        ("game.efg", b'EFG 2 R "x" { "A" "B" }\n', "game"),
        ("rules.py", b"class Game: pass\n", "game"),
        ("leduc", b"infoset,action,probability\n", "table"),
    ],
)
def test_files_of_other_kinds_are_named(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with refuses(FileFormatError, given=kind, expected="ranges"):
        range_or_file(name, folder=tmp_path)


def test_what_is_no_file_of_a_range_is_no_hand_either(tmp_path: Path) -> None:
    (tmp_path / "kuhn").mkdir()
    (tmp_path / "notes").write_text("call more\n")
    for name in ("kuhn", "notes"):
        with refuses(FileFormatError, option="file"):
            range_or_file(name, folder=tmp_path)
    with pytest.raises(RangeSyntaxError):
        range_or_file("none", folder=tmp_path)
    (tmp_path / "AA").write_text("KK")
    assert range_or_file("AA", folder=tmp_path) == Range("AA")
