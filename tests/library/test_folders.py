"""Folders that are given where a file is expected, also where they are called as games may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import FileFormatError
from tests.cli.command import Shell


@pytest.mark.parametrize(
    "line",
    [
        "bot serve {}",
        "bot play {}",
        "bot match {} fold --seed 1 --hands 2",
        "acpc dealer {} a b",
        "acpc game {}",
        "acpc client {} --port 1",
        "evaluate {}",
    ],
)
def test_a_folder_is_told_for_what_it_is(shell: Shell, folder: Path, line: str) -> None:
    (folder / "empty").mkdir()
    for name in ("empty", "./empty"):
        shell(line.format(name)).refused(FileFormatError, option="file")
