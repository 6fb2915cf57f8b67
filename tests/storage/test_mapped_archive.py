"""Archives in parts: what is asked for is read and checked, nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import FileFormatError
from equilibrist.storage import mapped_archive
from equilibrist.storage.archive import BLOCK, open_archive, read_archive, write_archive
from equilibrist.storage.mapped_archive import MappedArchive
from tests.refusals import refuses
from tests.storage.archive_sample import ARRAYS, HEADER, same

MANY = np.arange(5 * BLOCK // 4 + 100, dtype=np.float32)
"""Five blocks and a bit."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.parts"
    arrays = {**ARRAYS, "many": MANY, "small": np.arange(-3, 4, dtype=np.int16)}
    write_archive(path, "sample", HEADER, arrays, in_parts=True)
    return path


def test_what_is_read_is_what_was_written(file: Path) -> None:
    archive = MappedArchive(file, "sample")
    assert archive.header == HEADER
    assert archive.bytes_read == 0
    whole = {**ARRAYS, "many": MANY, "small": np.arange(-3, 4, dtype=np.int16)}
    scalar = whole.pop("scalar")
    assert same({name: archive.read(name) for name in whole}, whole)
    assert archive.shapes() == {**{n: a.shape for n, a in whole.items()}, "scalar": scalar.shape}
    assert archive.dtype("small") == np.int16
    archive.read("many")[0] = 1  # a copy


@pytest.mark.parametrize("in_parts", [True, False])
def test_a_file_that_is_replaced_while_it_is_opened_is_the_new_one(
    file: Path, in_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(path: Path, kind: str) -> Any:
        opened = open_archive(path, kind)
        monkeypatch.undo()
        new = {"a": np.arange(7.0)}
        write_archive(path, kind, {"new": 1}, new, in_parts=in_parts, overwrite=True)
        return opened

    monkeypatch.setattr(mapped_archive, "open_archive", replace)
    archive = MappedArchive(file, "sample")
    assert archive.header == {"new": 1}
    assert archive.read("a").tolist() == list(range(7))
    archive.check()


def test_only_requested_blocks_are_read(file: Path) -> None:
    archive = MappedArchive(file, "sample")
    middle = archive.read("many", 3 * BLOCK // 4, 3 * BLOCK // 4 + 10)
    assert middle.tolist() == list(range(3 * BLOCK // 4, 3 * BLOCK // 4 + 10))
    assert archive.bytes_read == BLOCK
    archive.read("many", 3 * BLOCK // 4, 3 * BLOCK // 4 + 20)
    assert archive.bytes_read == BLOCK


@given(st.integers(0, len(MANY)), st.integers(0, len(MANY)))
@settings(max_examples=30)
def test_any_part(tmp_path_factory: pytest.TempPathFactory, one: int, other: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.parts"
    if not path.exists():
        write_archive(path, "sample", HEADER, {"many": MANY, "x": ARRAYS["a"]}, in_parts=True)
    start, stop = sorted((one, other))
    np.testing.assert_array_equal(
        MappedArchive(path, "sample").read("many", start, stop), MANY[start:stop]
    )


def test_damage_is_found_on_reading(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-BLOCK // 2] ^= 1
    file.write_bytes(content)
    archive = MappedArchive(file, "sample")
    assert archive.read("many", 0, 5).tolist() == [0, 1, 2, 3, 4]
    for _ in range(2):
        with refuses(FileFormatError, option="checksum"):
            archive.read("many")


def test_every_damaged_byte_of_the_header_is_found(file: Path) -> None:
    """Other spaces and other names of the same number may pass, other content never."""
    content = file.read_bytes()
    size = int.from_bytes(content[:8], "little")
    good = MappedArchive(file, "sample")
    for place in range(0, 8 + size, 7):
        file.write_bytes(content[:place] + bytes([content[place] ^ 2]) + content[place + 1 :])
        try:
            archive = MappedArchive(file, "sample")
            same_content = all(
                np.array_equal(archive.read(name), good.read(name)) for name in ("ids", "small")
            )
        except FileFormatError:
            continue
        assert archive.header == HEADER
        assert same_content


@pytest.mark.parametrize("length", [0, 7, 100, 3000, -1, -BLOCK])
def test_files_cut_off(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with refuses(FileFormatError, option="file"):
        MappedArchive(file, "sample")


def test_other_files(file: Path, tmp_path: Path) -> None:
    with refuses(FileFormatError, option="format", given="sample", expected="photograph"):
        MappedArchive(file, "photograph")
    with refuses(FileFormatError, option="checksum"):
        read_archive(file, "sample")
    with refuses(FileFormatError, option="regret"):
        MappedArchive(file, "sample").read("regret")
    with refuses(FileFormatError, option="file", given="No such file or directory"):
        MappedArchive(tmp_path / "none", "sample")


def test_an_archive_without_parts_is_checked_on_opening(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    write_archive(whole, "sample", HEADER, ARRAYS)
    archive = MappedArchive(whole, "sample")
    archive.check()
    arrays = {name: array for name, array in ARRAYS.items() if array.ndim}
    assert same({name: archive.read(name) for name in arrays}, arrays)
    content = bytearray(whole.read_bytes())
    content[-1] ^= 1
    whole.write_bytes(content)
    with refuses(FileFormatError, option="checksum"):
        MappedArchive(whole, "sample")


def test_all_parts_are_checked(file: Path) -> None:
    MappedArchive(file, "sample").check()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    archive = MappedArchive(file, "sample")
    with refuses(FileFormatError, option="checksum"):
        archive.check()


def test_a_newer_version(file: Path) -> None:
    content = file.read_bytes()
    size = int.from_bytes(content[:8], "little")
    table = json.loads(content[8 : 8 + size])
    table["__metadata__"]["version"] = "2"
    head = json.dumps(table).encode()
    file.write_bytes(len(head).to_bytes(8, "little") + head + content[8 + size :])
    with refuses(FileFormatError, option="version", given="2", expected=1):
        MappedArchive(file, "sample")


@pytest.mark.skipif(not mapped_archive._MAPS, reason="the file is read whole on opening")
@pytest.mark.parametrize("is_read", [False, True])
@pytest.mark.parametrize("size", [0, 5000, None])
def test_a_file_that_is_written_to_while_it_is_open_is_refused(
    file: Path, size: int | None, is_read: bool
) -> None:
    archive = MappedArchive(file, "sample")
    if is_read:
        archive.read("many")
    with file.open("r+b") as changed:
        if size is None:
            changed.seek(-100, 2)
            changed.write(bytes(100))
        else:
            changed.truncate(size)
    os.utime(file, ns=(1, 1))  # whatever the clock of the disk shows
    with refuses(FileFormatError, option="file"):
        archive.read("many")


def test_a_file_that_is_replaced_while_it_is_open_stays_what_it_was(file: Path) -> None:
    archive = MappedArchive(file, "sample")
    write_archive(file, "sample", {}, {"many": MANY[:10]}, in_parts=True, overwrite=True)
    assert np.array_equal(archive.read("many"), MANY)
    file.unlink()
    archive.check()
