"""The last files of a folder: how many stay, in which order, and what a killed process leaves."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from equilibrist.errors import OutputError
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.last_files import LastFiles
from tests.refusals import refuses


@pytest.fixture
def files(tmp_path: Path) -> LastFiles:
    return LastFiles(tmp_path / "data" / "solutions", 10, 1000, ".bin")


def add(files: LastFiles, content: str, label: str = "made") -> Path:
    return files.add(label, lambda path: write_bytes(path, content.encode()))


def contents(files: LastFiles) -> list[str]:
    return [path.read_text() for path in files.newest()]


def test_ten_stay_and_the_eleventh_drops_the_oldest(files: LastFiles) -> None:
    assert files.newest() == []
    for number in range(10):
        add(files, f"{number}")
    assert contents(files) == [f"{number}" for number in range(9, -1, -1)]
    newest = add(files, "10")
    assert contents(files) == [f"{number}" for number in range(10, 0, -1)]
    assert files.newest()[0] == newest
    assert len([*files.folder.iterdir()]) == 10


def test_what_is_too_large_together_drops_the_oldest_but_never_the_newest(
    files: LastFiles,
) -> None:
    for letter in "abcd":
        add(files, 300 * letter)
    assert [text[0] for text in contents(files)] == ["d", "c", "b"]
    add(files, 2000 * "e")
    assert [text[0] for text in contents(files)] == ["e"]


def test_the_order_does_not_depend_on_the_clock(files: LastFiles) -> None:
    """A clock that is set back, as by a computer that was asleep."""
    for number in range(3):
        os.utime(add(files, f"{number}"), (10**9 - number, 10**9 - number))
    assert contents(files) == ["2", "1", "0"]


def test_other_files_are_left_alone(files: LastFiles) -> None:
    add(files, "a")
    for name in ("notes.txt", "00000099-notes.txt", "x-1.bin"):
        (files.folder / name).write_text("mine")
    assert contents(files) == ["a"]
    assert files.clear() == (1, 1)
    assert {path.name for path in files.folder.iterdir()} == {
        "notes.txt", "00000099-notes.txt", "x-1.bin"
    }  # fmt: skip


def test_what_cannot_be_written_changes_nothing(files: LastFiles) -> None:
    for number in range(10):
        add(files, f"{number}")
    before = files.newest()

    def full(path: Path) -> None:
        raise OutputError("no space", path)

    with refuses(OutputError):
        files.add("made", full)
    assert files.newest() == before


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    files = LastFiles(tmp_path / "data" / "solutions", 10, 1000, ".bin")
    with refuses(OutputError, option="file"):
        files.check()
    with refuses(OutputError, option="file"):
        add(files, "a")
    assert files.newest() == []


def test_a_process_that_died_before_it_numbered_its_file_loses_nothing(
    files: LastFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(files, "first")
    real = Path.rename

    def killed(self: Path, target: Path) -> Path:
        if self.name.startswith("new-"):
            raise KeyboardInterrupt
        return real(self, target)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        add(files, "second")
    monkeypatch.undo()
    assert contents(files) == ["first"]
    add(files, "third")  # the other may still be at work
    assert contents(files) == ["third", "first"]
    (left,) = files.folder.glob("new-*")
    long_ago = time.time() - 3600
    os.utime(left, (long_ago, long_ago))
    add(files, "fourth")
    assert contents(files) == ["fourth", "second", "third", "first"]


def test_what_a_process_wrote_half_is_removed_later(files: LastFiles) -> None:
    add(files, "first")
    half = files.folder / ".new-made-12345678.bin.1-2.partial"
    half.write_text("hal")
    add(files, "second")
    assert half.exists()
    os.utime(half, (0, 0))
    add(files, "third")
    assert not half.exists()
    assert contents(files) == ["third", "second", "first"]


def test_a_process_that_stood_still_finds_its_file(
    files: LastFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between writing and numbering; another process numbers the file meanwhile."""
    real = Path.rename

    def late(self: Path, target: Path) -> Path:
        monkeypatch.undo()
        os.utime(self, (0, 0))
        add(files, "other")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", late)
    assert add(files, "slow").read_text() == "slow"
    assert contents(files) == ["other", "slow"]


MANY = """
import sys
from pathlib import Path
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.last_files import LastFiles
files = LastFiles(Path(sys.argv[1]), 10, 10**6, ".bin")
for number in range(int(sys.argv[3])):
    files.add("made", lambda path: write_bytes(path, f"{sys.argv[2]}{number:03}".encode()))
    assert len(files.newest()) >= min(number + 1, 10)
"""


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    files = LastFiles(tmp_path / "solutions", 10, 10**6, ".bin")

    def run(count: int) -> list[str]:
        processes = [
            subprocess.Popen([sys.executable, "-c", MANY, files.folder, letter, f"{count}"])
            for letter in "ab"
        ]
        assert [process.wait() for process in processes] == [0, 0]
        return contents(files)

    # Five of each, which is all that is kept: every one is there, in the order of its process.
    found = run(5)
    assert sorted(found) == [f"{letter}{number:03}" for letter in "ab" for number in range(5)]
    for letter in "ab":
        own = [text for text in found if text[0] == letter]
        assert own == sorted(own, reverse=True)
    found = run(40)
    assert len(found) == 10
    assert found[0] in {"a039", "b039"}
    assert len([*files.folder.iterdir()]) == 10


def test_what_another_process_removes_meanwhile_is_removed(files: LastFiles) -> None:
    add(files, "12")
    (files.folder / "00000009-made-00000000.bin").symlink_to("nowhere")
    gone = files.folder / "00000010-made-00000000.bin"

    class Late(LastFiles):
        def _ordered(self) -> list[Path]:
            return [gone, *super()._ordered()]

    assert Late(files.folder, 10, 1000, ".bin").clear()[0] == 2
    assert files.newest() == []
