"""Which files may be replaced: what begins as ours, not what begins like it."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import pytest

from equilibrist.errors import OutputError
from equilibrist.storage.atomic import write_file
from equilibrist.storage.records import check_records_file
from equilibrist.storage.replaceable import check_replaceable
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "plan for the week\n"),
        ("a.csv", "infoset,action,probability and what I think of it\n"),
        ("a.json", '{\n "name": "another",\n "version": 1\n}\n'),
        ("a.json", '{\n "game": "chess",\n "moves": 40\n}\n'),
        ("a.txt", "A\tB\n1\t2\n"),
        ("a.efg", "EFG notes\n"),
        ("a.nfg", "NFG notes\n"),
    ],
)
def test_what_only_begins_like_ours_is_left(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with refuses(OutputError, option="file", given=name):
        check_replaceable(file, file.suffix)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "plan 0,plan 1,payoff 0,payoff 1\n"),
        ("a.csv", '"player","infoset","action","probability"\r\n'),
        ("a.json", '{\n "game": "kuhn, or so",\n "strategy": {\n'),
        ("a.json", '{\n"game": "kuhn", "actions": [["a"]]}\n'),
        ("a.json", '{\n "game": {\n  "stacks": [\n'),
        ("a.json", '{\n "hand": "stack = 2\\n",\n "flops": null\n'),
        ("a.txt", "R2.5-C\t22+,A2s+\n"),
        ("a.txt", "2 SB\tAA:0.5,KK\n"),
        ("a.txt", "F\t\nR2\tAA\n"),
        ("a.efg", 'EFG 2 R "kuhn"\n'),
    ],
)
def test_what_is_ours_is_replaced(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, newline="")
    check_replaceable(file, file.suffix)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b'<?xml version="1.0"?>\n<dc:title>MAKER</dc:title>\n</svg>\n'),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1tEXtSoftware\0MAKER\0"),
        ("a.pdf", b"%PDF-1.4\n1 0 obj\n<< /Creator (MAKER) >>\nendobj\n"),
    ],
)
def test_pictures_of_matplotlib_are_ours_only_where_they_say_so(
    tmp_path: Path, name: str, content: bytes
) -> None:
    file = tmp_path / name
    file.write_bytes(content.replace(b"MAKER", b"Equilibrist"))
    check_replaceable(file, file.suffix)
    file.write_bytes(content.replace(b"MAKER", b"Matplotlib v3.11.2, https://matplotlib.org/"))
    with refuses(OutputError, given=name):
        check_replaceable(file, file.suffix)


def test_a_table_with_one_more_column_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("seed,run\n")
    check_records_file(file, ["seed", "run"])
    file.write_text("seed,runs,mine\n")
    with refuses(OutputError, given="a.csv"):
        check_records_file(file, ["seed", "run"])


def test_a_new_file_that_is_not_written_to_its_end_is_not_there(tmp_path: Path) -> None:
    def half(file: IO[bytes]) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "new.csv", half)
    assert list(tmp_path.iterdir()) == []
