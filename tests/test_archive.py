"""Files on disk: whole or not at all, and nothing but FileFormatError for bad ones."""

from __future__ import annotations

import errno
import json
import os
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save

from equilibrist import archive
from equilibrist.archive import (
    _partial_prefix,
    check_writable,
    kind_of,
    read_archive,
    write_archive,
    write_bytes,
)
from equilibrist.errors import FileFormatError, OutputError

HEADER = {"game": "kuhn", "iterations": 100, "values": [-1 / 18, 1 / 18], "none": None, "é": "ß\n"}
ARRAYS = {
    "a": np.arange(24.0).reshape(2, 3, 4),
    "bytes": np.array([0, 255, 7], dtype=np.uint8),
    "counts": np.array([-(2**60), 2**60]),
    "empty": np.zeros(0),
    "ids": np.array([1, -1], dtype=np.int32),
    "players": np.array([0, 1, 0], dtype=np.int8),
    "scalar": np.float64(0.1) * np.ones(()),
}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Equal names, dtypes, shapes and bits."""
    return one.keys() == other.keys() and all(
        one[k].dtype == other[k].dtype
        and one[k].shape == other[k].shape
        and one[k].tobytes() == other[k].tobytes()
        for k in one
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.solution"
    write_archive(path, "solution", HEADER, ARRAYS)
    return path


def refused(path: Path, kind: str = "solution") -> str:
    with pytest.raises(FileFormatError) as caught:
        read_archive(path, kind)
    assert caught.value.path == str(path)
    return str(caught.value)


def unharmed(path: Path) -> None:
    """The file still is what the fixture wrote, and nothing else lies beside it."""
    header, arrays = read_archive(path, "solution")
    assert header == HEADER
    assert same(arrays, ARRAYS)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_what_is_read_is_what_was_written(file: Path) -> None:
    unharmed(file)
    assert kind_of(file) == "solution"


def test_arrays_that_are_not_contiguous_keep_their_values(tmp_path: Path) -> None:
    path = tmp_path / "x"
    grid = np.arange(12.0).reshape(3, 4)
    write_archive(
        path, "solution", {}, {"t": grid.T, "odd": grid[:, ::2], "big": grid.astype(">f8")}
    )
    _, arrays = read_archive(path, "solution")
    np.testing.assert_array_equal(arrays["t"], grid.T)
    np.testing.assert_array_equal(arrays["odd"], grid[:, ::2])
    np.testing.assert_array_equal(arrays["big"], grid)


def test_what_is_read_may_be_changed(file: Path) -> None:
    _, arrays = read_archive(file, "solution")
    arrays["a"][0] = 1.0
    unharmed(file)


def test_other_programs_can_read_the_arrays(file: Path) -> None:
    assert same(dict(load_file(file)), ARRAYS)


def test_equal_content_gives_equal_files(file: Path, tmp_path: Path) -> None:
    write_archive(tmp_path / "b", "solution", HEADER, dict(reversed(ARRAYS.items())))
    assert (tmp_path / "b").read_bytes() == file.read_bytes()


def test_an_array_that_no_file_can_hold_is_the_programs_mistake(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="dtype object"):
        write_archive(tmp_path / "x", "solution", {}, {"a": np.array([{}])})


# Files that are not whole, not ours or too new


def test_every_truncated_file_is_refused(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    cut = tmp_path / "cut"
    for size in [*range(0, len(whole), 97), len(whole) - 1]:
        cut.write_bytes(whole[:size])
        refused(cut)
    cut.write_bytes(whole + b"\0")
    refused(cut)


@given(st.data())
@settings(max_examples=300)
def test_flipped_bytes_are_noticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path, bad = folder / "good", folder / "bad"
    if not path.exists():
        write_archive(path, "solution", HEADER, ARRAYS)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.integers(0, len(content) - 1))
        content[where] ^= data.draw(st.integers(1, 255))
    bad.write_bytes(content)
    try:
        header, arrays = read_archive(bad, "solution")
    except FileFormatError:
        return
    assert header == HEADER
    assert same(arrays, ARRAYS)


@pytest.mark.parametrize("place", ["header", "array", "name"])
def test_a_change_that_is_still_a_valid_file_is_noticed(file: Path, place: str) -> None:
    content = file.read_bytes()
    old, new = {
        "header": (b"kuhn", b"kuhm"),
        "array": (struct.pack("<d", 23.0), struct.pack("<d", 22.0)),
        "name": (b'"counts"', b'"counsel"'[:7] + b'"'),
    }[place]
    assert content.count(old) == 1
    file.write_bytes(content.replace(old, new))
    assert "damaged" in refused(file)


@given(st.binary(max_size=300))
def test_noise_is_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "noise"
    path.write_bytes(content)
    refused(path)
    path.write_bytes(struct.pack("<Q", len(content)) + content)
    refused(path)


def raw(table: object, data: bytes = b"") -> bytes:
    text = json.dumps(table).encode()
    return struct.pack("<Q", len(text)) + text + data


def labelled(**changes: str) -> dict[str, str]:
    return {"format": "equilibrist-solution", "version": "1", "header": "{}"} | changes


FOREIGN = {
    "a huge header": struct.pack("<Q", 2**62) + b"{}",
    "a huge array": raw(
        {
            "__metadata__": labelled(),
            "a": {"dtype": "F64", "shape": [2**40], "data_offsets": [0, 2**43]},
        }
    ),
    "a shape that overflows": raw(
        {
            "__metadata__": labelled(),
            "a": {"dtype": "F64", "shape": [2**62, 2**62, 0], "data_offsets": [0, 0]},
        }
    ),
    "deep nesting": struct.pack("<Q", 200_000) + b"[" * 200_000,
    "a deeply nested header": raw({"__metadata__": labelled(header="[" * 100_000)}),
    "no metadata": raw({}),
    "metadata of another program": save({"x": np.ones(3)}, metadata={"format": "pt"}),
    "a type that NumPy lacks": raw(
        {
            "__metadata__": labelled(),
            "a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]},
        },
        b"\0\0",
    ),
    "a header that is no JSON": raw({"__metadata__": labelled(header="{")}),
    "a pickle": b"\x80\x04cos\nsystem\n(S'exit 1'\ntR.",
    "an npy file": b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': ()}",
    "an empty file": b"",
    "a text": "Grüße".encode(),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_refused_without_asking_for_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(FOREIGN[name])
    tracemalloc.start()
    refused(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * (1 << 20)
    assert kind_of(path) in (None, "solution")


@pytest.mark.parametrize("header", ["[1]", "3", "null", "{"])
def test_a_header_that_is_no_object_is_refused_even_with_a_checksum(
    tmp_path: Path, header: str
) -> None:
    path = tmp_path / "x"
    metadata = labelled(header=header)
    metadata["checksum"] = archive._checksum(metadata, [])
    path.write_bytes(raw({"__metadata__": metadata}))
    assert "header" in refused(path)


def test_another_kind_of_file_is_named(file: Path) -> None:
    assert refused(file, "checkpoint").endswith("is a solution, not a checkpoint")


@pytest.mark.parametrize(
    ("version", "said"),
    [("2", "install a newer Equilibrist"), ("0", "version '0'"), ("9" * 5000, "999"), ("", "''")],
)
def test_other_versions_are_named(tmp_path: Path, version: str, said: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(raw({"__metadata__": labelled(version=version)}))
    message = refused(path)
    assert said in message
    assert len(message) < 300


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "nothing")
    assert "not a file" in refused(tmp_path)
    assert "not a file" in refused(Path("/dev/zero"))
    refused(Path("a\0b"))
    os.mkfifo(tmp_path / "pipe")  # opening one for reading would wait for a writer
    assert "not a file" in refused(tmp_path / "pipe")


# Writing


class Full:
    """A disk that is full: every sync fails as the system fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
        self.fail: BaseException = OSError(errno.ENOSPC, "No space left on device")
        targets = {"sync": (os, "fsync"), "replace": (Path, "replace"), "open": (Path, "open")}
        monkeypatch.setattr(*targets[step], self.raise_it)

    def raise_it(self, *_args: object, **_options: object) -> None:
        raise self.fail


@pytest.mark.parametrize("step", ["open", "sync", "replace"])
@pytest.mark.parametrize("stop", [False, True])
def test_a_write_that_fails_leaves_the_earlier_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, stop: bool
) -> None:
    full = Full(monkeypatch, step)
    if stop:
        full.fail = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt if stop else OutputError, match=None) as caught:
        write_archive(file, "solution", {}, {})
    monkeypatch.undo()
    unharmed(file)
    if not stop:
        assert isinstance(caught.value, OutputError)
        assert str(caught.value) == f"cannot write {file}: No space left on device"
        assert caught.value.path == str(file)


def test_a_full_device_is_an_output_error() -> None:
    for write in (
        lambda: write_archive("/dev/full", "solution", HEADER, ARRAYS, overwrite=True),
        lambda: write_bytes("/dev/full", b"x"),
    ):
        with pytest.raises(OutputError, match=r"/dev/full: No space left on device"):
            write()
    assert Path("/dev/full").is_char_device()


def test_a_file_that_outgrows_its_limit_leaves_the_earlier_one(file: Path) -> None:
    """A real refusal by the system in the middle of a write: the limit on file sizes."""
    import resource
    import signal

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(OutputError, match="File too large"):
            write_archive(file, "solution", {}, {"a": np.zeros(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, old)
    unharmed(file)


@pytest.mark.parametrize("target", ["missing/x", "file/x", ".", "a\0b", "n" * 300, "loop"])
def test_targets_that_cannot_be_written(tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for attempt in (
        lambda: write_archive(tmp_path / target, "solution", {}, {}),
        lambda: check_writable(tmp_path / target, "solution"),
    ):
        with pytest.raises(OutputError, match="cannot write") as caught:
            attempt()
        assert "\n" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "loop"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="missing does not exist; create it first"):
        check_writable(tmp_path / "missing" / "x")


@pytest.mark.parametrize("content", [b"print('my rules')\n", b"\0" * 100])
def test_a_file_of_something_else_is_never_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.py"
    path.write_bytes(content)
    for attempt in (
        lambda: write_archive(path, "solution", {}, {}),
        lambda: check_writable(path, "solution"),
    ):
        with pytest.raises(OutputError, match="exists and is not a solution of Equilibrist"):
            attempt()
    assert path.read_bytes() == content


def test_one_kind_never_replaces_another(file: Path) -> None:
    with pytest.raises(OutputError, match="exists and is a solution; it is left as it was"):
        write_archive(file, "checkpoint", {}, {})
    unharmed(file)


def test_the_same_kind_is_replaced_unless_told_not_to(file: Path) -> None:
    with pytest.raises(OutputError, match="exists; choose another name"):
        write_archive(file, "solution", {"new": 1}, {}, overwrite=False)
    unharmed(file)
    write_archive(file, "solution", {"new": 1}, {})
    assert read_archive(file, "solution") == ({"new": 1}, {})


def test_an_empty_file_may_be_filled(tmp_path: Path) -> None:
    """`mktemp` makes such files."""
    path = tmp_path / "x"
    path.touch()
    check_writable(path, "solution")
    write_archive(path, "solution", {"a": 1}, {})
    assert read_archive(path, "solution")[0] == {"a": 1}


def test_links_and_permissions_stay(file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(file.name)
    write_archive(link, "solution", {"new": 1}, {})
    assert link.is_symlink()
    assert read_archive(file, "solution")[0] == {"new": 1}
    assert file.stat().st_mode & 0o777 == 0o640


def test_checking_leaves_no_trace(file: Path) -> None:
    check_writable(file, "solution")
    check_writable(file.with_name("new"))
    unharmed(file)


def test_what_killed_writers_left_is_removed_once_it_is_old(file: Path) -> None:
    old = file.with_name(f".{file.name}.123-abcd.partial")
    fresh = file.with_name(f".{file.name}.124-abcd.partial")
    other = file.with_name(".other.123-abcd.partial")
    for path in (old, fresh, other):
        path.write_bytes(b"half")
    past = time.time() - 3600
    os.utime(old, (past, past))
    os.utime(other, (past, past))
    write_archive(file, "solution", {}, {})
    assert sorted(p.name for p in file.parent.iterdir()) == sorted(
        [file.name, fresh.name, other.name]
    )


def test_write_bytes_replaces_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    write_bytes(path, b"one")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == ["x.svg"]


@pytest.mark.parametrize(
    "name", ["\N{GRINNING FACE}" * 63, "a" + "\N{GRINNING FACE}" * 63, "x" * 255]
)
def test_names_may_be_as_long_as_the_file_system_lets_them(tmp_path: Path, name: str) -> None:
    """Its limit of 255 counts bytes, not characters."""
    path = tmp_path / name
    check_writable(path)
    write_bytes(path, b"one")
    stale = path.with_name(f"{_partial_prefix(path)}123-abcd.partial")
    stale.write_bytes(b"half")
    past = time.time() - 3600
    os.utime(stale, (past, past))
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == [name]
