"""Files that people write."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist.errors import FileFormatError
from equilibrist.poker import Spot
from equilibrist.poker.files.boards import read_boards
from equilibrist.poker.ranges.range_files import read_range_file
from equilibrist.storage.plain_file import MOST_BYTES, read_plain_file
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


@pytest.mark.parametrize("read", [Spot.from_toml, read_boards])
def test_huge_files_are_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
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
