"""Files that people write."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist import Strategy, compile_game, solve
from equilibrist.errors import EquilibristError, FileFormatError, GameSpecError
from equilibrist.exploitation import ObservedPlay
from equilibrist.games import efg_text, load_game
from equilibrist.library.kinds import kind_for
from equilibrist.poker import Spot
from equilibrist.poker.postflop.files.boards import read_boards
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.setups.files import read_setup
from equilibrist.poker.ranges.range_files import read_range_file
from equilibrist.protocols.hand_files import read_hands
from equilibrist.storage.plain_file import (
    MOST_BYTES,
    OtherEncodingWarning,
    parse_json,
    read_plain_file,
    read_text_file,
    wide_encoding,
)
from equilibrist.storage.tables import read_table_file
from tests.refusals import refuses

READERS: list[Callable[[Path], object]] = [
    read_plain_file, Spot.from_toml, read_boards, read_table_file, read_range_file,
]  # fmt: skip


@pytest.mark.parametrize("read", READERS)
def test_devices_and_pipes_are_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    """Neither waits for a writer, nor reads on for ever."""
    if not hasattr(os, "mkfifo"):
        pytest.skip(f"{sys.platform} has no named pipes")
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    endless = tmp_path / "endless.csv"
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        with refuses(FileFormatError, option="file", given=str(path)):
            read(path)


@pytest.mark.parametrize(
    "read", [*READERS[1:], read_setup, read_hands, load_spot, lambda path: read_setup(f"{path}#2")]
)
def test_names_that_no_file_can_have(read: Callable[[str], object]) -> None:
    with pytest.raises(FileFormatError):
        read("x" * 300)


@pytest.mark.parametrize("form", ["{}.efg", "{}.nfg", "payoffs:{}", "{}.py:Game"])
def test_games_of_files_that_none_can_be(form: str) -> None:
    with pytest.raises(GameSpecError):
        load_game(form.format("x" * 300))


def test_a_word_that_no_file_can_be_may_be_something_else() -> None:
    assert kind_for("evaluate", "x" * 300) is None


@pytest.mark.parametrize("read", [Spot.from_toml, read_boards])
def test_huge_files_are_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.write_bytes(b"# a text".ljust(MOST_BYTES + 1, b"#"))
    with refuses(FileFormatError, option="size", given=MOST_BYTES + 1, expected=MOST_BYTES):
        read(path)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 10)
    assert read_plain_file(path) == b"x" * 10
    assert read_plain_file(path, 10) == b"x" * 10
    with pytest.raises(FileNotFoundError):
        read_plain_file(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        read_plain_file(tmp_path)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_is_read_with_and_without_a_mark(
    tmp_path: Path, encoding: str, mark: str
) -> None:
    path = tmp_path / "k.efg"
    path.write_bytes((mark + efg_text(load_game("kuhn"))).encode(encoding))
    assert load_game(str(path)).num_players == 2
    (tmp_path / "t.csv").write_bytes((mark + "infoset,bet,pass\nJ,1,0\n").encode(encoding))
    assert read_table_file(tmp_path / "t.csv").rows == {"J": {"bet": 1.0, "pass": 0.0}}
    (tmp_path / "r.txt").write_bytes((mark + "AA,KK:0.5").encode(encoding))
    assert str(read_range_file(tmp_path / "r.txt")) == "AA,KK:0.5"
    (tmp_path / "n.csv").write_bytes((mark + ",Nö,Jä\nNö,1,2\nJä,0,3\n").encode(encoding))
    assert load_game(str(tmp_path / "n.csv")).actions(()) == ("Nö", "Jä")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_wide_text_that_is_cut_off_is_named(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "k.efg").write_bytes(efg_text(load_game("kuhn")).encode(encoding) + b"\n")
    with pytest.raises(EquilibristError) as caught:
        load_game(str(tmp_path / "k.efg"))
    assert "UTF-16" in str(caught.value)
    assert caught.value.remedy == "save it as UTF-8"


def test_bytes_with_zeros_are_no_wide_text() -> None:
    for content in (b"", b"A", b"\0", b"\0\0\0\0", b"\1\0\2\0", b"AA", b"\0\1\0\0", b"A\0\xff\0"):
        assert wide_encoding(content) is None


def test_text_of_older_programs_is_read_and_said(tmp_path: Path) -> None:
    """Windows-1252, of which Latin-1 is a part, in tables, ranges, games, lists and spots."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode("cp1252"))
        return path

    spot = Spot(board="Ks7h2d3c9s", oop="AA", ip="KK", pot=10, stack=20)
    efg = efg_text(load_game("kuhn")).replace('"kuhn"', '"kühn"', 1)
    cases: list[tuple[str, str, Callable[[Path], object]]] = [
        ("r.txt", "AA,KK:0.5 # für später\n", read_range_file),
        ("b.txt", "Ks7h2d # trocken, 5 €\n", read_boards),
        ("t.csv", "infoset,Jä,Nö\nü,1,0\n", read_table_file),
        ("n.csv", ",Nö,Jä\nNö,1,2\nJä,0,3\n", lambda path: load_game(str(path))),
        ("k.efg", efg, lambda path: load_game(str(path))),
        ("s.toml", f"{spot.to_toml()}# größer\n", Spot.from_toml),
    ]
    for name, text, read in cases:
        with pytest.warns(OtherEncodingWarning, match=name):
            read(write(name, text))
    with pytest.warns(OtherEncodingWarning):
        assert read_text_file(tmp_path / "b.txt") == cases[1][1]


def test_damaged_text_is_not_taken_for_that_of_older_programs(tmp_path: Path) -> None:
    """UTF-8 that was cut off or overwritten, control characters, and more letters than ASCII."""
    whole = "für später, größer".encode()
    for content in (
        whole[:-5] + b"\xff",
        whole + b"\xc3",
        b"\xe4\x00a b",
        b"\xff\xe4\xe4a",
        b"\x81ab",
    ):
        (tmp_path / "a.txt").write_bytes(content)
        with refuses(FileFormatError, option="file", remedy="save it as UTF-8"):
            read_text_file(tmp_path / "a.txt")


@pytest.mark.parametrize("suffix", [".safetensors", ".parquet", ".bin"])
def test_nobody_is_advised_to_save_what_is_binary_as_text(tmp_path: Path, suffix: str) -> None:
    """An archive that was cut off, a table in Parquet, and anything else that is no text."""
    tree = compile_game("kuhn")
    path = Strategy.uniform(tree).save(tmp_path / "table.parquet")
    if suffix == ".safetensors":
        path = solve(tree, iterations=1).save(tmp_path / "a.safetensors")
        path.write_bytes(path.read_bytes()[:-40])
    if suffix == ".bin":
        path.write_bytes(bytes(range(256)))
    readers: list[Callable[[Path], object]] = [
        lambda path: ObservedPlay.from_file(tree, path),
        read_range_file,
        Spot.from_toml,
    ]
    for read in readers:
        with pytest.raises(FileFormatError) as caught:
            read(path)
        assert "UTF-8" not in str(caught.value)


def test_a_document_is_parsed() -> None:
    text = '{"a": [{"b": 1}, {"b": 2}], "b": null}'
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1, "a": 1}', 1, 10),
        ('[{"pot": 60,\n "stack": 9,\n "pot" : 60}]', 3, 2),
        ('{"a": 1, "\\u0061": 1}', 1, 1),
    ],
)
def test_a_key_is_there_once(text: str, line: int, column: int) -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        parse_json(text)
    assert (refused.value.lineno, refused.value.colno) == (line, column)
