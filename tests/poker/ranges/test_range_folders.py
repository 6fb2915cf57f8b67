"""Folders of range files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import FileFormatError, RangeSyntaxError
from equilibrist.poker import Range, read_range_folder
from equilibrist.poker.ranges.range_folders import range_folder
from tests.refusals import refuses


def fill(folder: Path) -> Path:
    """Ranges of several programs, and a file without one."""
    files = {
        "BTN/open.txt": "22+,A2s+",
        "BTN/vs SB/3bet.txt": "[50.0]AA[/50.0],KK",
        "raw.rng": Range("JJ+:0.5").to("raw"),
        "README.md": "My ranges, from a course.",
        ".hidden/old.txt": "AA",
        "wasm.json": json.dumps(
            {
                "version": 2,
                "name": "ranges",
                "data": [{"path": ["SB", "call"], "isGroup": False, "value": "TT-88"}],
            }
        ),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_each_range_is_named_by_its_place(tmp_path: Path) -> None:
    read = read_range_folder(fill(tmp_path))
    assert read.ranges == {
        "BTN/open": Range("22+,A2s+"),
        "BTN/vs SB/3bet": Range("AA:0.5,KK"),
        "raw": Range("JJ+:0.5"),
        "wasm/SB/call": Range("TT-88"),
    }
    assert read.others == ("README.md",)


def test_a_range_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (fill(tmp_path) / "BTN" / "bad.txt").write_text("AA,K5-Q2")
    with pytest.raises(RangeSyntaxError) as caught:
        read_range_folder(tmp_path)
    assert str(caught.value.place).startswith(f"{tmp_path / 'BTN' / 'bad.txt'}, ")


def test_folders_without_ranges(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("my diary")
    with refuses(FileFormatError, option="folder", given=1):
        read_range_folder(tmp_path)
    with refuses(FileFormatError, option="file"):
        read_range_folder(tmp_path / "a.txt")
    with refuses(FileFormatError, option="file"):
        read_range_folder(tmp_path / "none")


def test_a_range_is_no_folder_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("AA", "mine"):
        Path(name).mkdir()
    assert range_folder("AA") is None
    assert range_folder("./AA") == Path("AA")
    assert range_folder("mine") == Path("mine")
    assert range_folder("none") is None
