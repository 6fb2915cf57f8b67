"""Reading files: what was written comes back, and bad files give nothing but FileFormatError."""

from __future__ import annotations

import json
import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save

from equilibrist.errors import FileFormatError
from equilibrist.storage import archive
from equilibrist.storage.archive import (
    kind_of,
    open_archive,
    read_archive,
    write_archive,
)
from tests.slow_cases import examples
from tests.storage.archive_sample import ARRAYS, HEADER, same, unharmed


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


def test_what_is_read_is_what_was_written(file: Path) -> None:
    unharmed(file)
    assert kind_of(file) == "solution"


def test_a_file_that_is_replaced_while_it_is_read_stays_one_file(file: Path) -> None:
    metadata, read = open_archive(file, "solution")
    write_archive(file, "solution", {"other": 1}, {"other": np.zeros(3)}, overwrite=True)
    assert same(read(), ARRAYS)
    assert open_archive(file, "solution")[0] != metadata


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
@settings(max_examples=examples(300))
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
    metadata["checksum"] = archive.checksum_of(metadata, [])
    path.write_bytes(raw({"__metadata__": metadata}))
    assert "header" in refused(path)


def test_another_kind_of_file_is_named(file: Path, tmp_path: Path) -> None:
    """In plain words, with what to do about it."""
    said = refused(file, "checkpoint")
    assert "is the solution of a game, not the checkpoint of a run on a tree" in said
    assert "give the checkpoint" in said
    write_archive(tmp_path / "run", "treeless-checkpoint", {}, {})
    for kind, remedy in (("solution", "resume it"), ("spot-checkpoint", "it was made with")):
        said = refused(tmp_path / "run", kind)
        assert "is the checkpoint of a run without a tree, not the " in said
        assert remedy in said


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
    assert "is a folder" in refused(tmp_path)
    assert "not a file" in refused(Path("/dev/zero"))
    refused(Path("a\0b"))
    os.mkfifo(tmp_path / "pipe")  # opening one for reading would wait for a writer
    assert "not a file" in refused(tmp_path / "pipe")
