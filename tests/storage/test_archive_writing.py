"""Writing files: whole or not at all, never over something else, and OutputError says why not."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import OutputError
from equilibrist.storage.archive import check_writable, read_archive, write_archive
from equilibrist.storage.atomic import partial_prefix, write_bytes
from equilibrist.storage.kinds.file_kinds import ARCHIVES, suffix_of
from tests.refusals import refuses
from tests.storage.archive_sample import ARRAYS, HEADER, unharmed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.solution"
    write_archive(path, "solution", HEADER, ARRAYS)
    return path


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
    failure = dict(option="file", given="No space left on device", path=file)
    with pytest.raises(KeyboardInterrupt) if stop else refuses(OutputError, **failure):
        write_archive(file, "solution", {}, {})
    monkeypatch.undo()
    unharmed(file)


def test_a_full_device_is_an_output_error() -> None:
    for write in (
        lambda: write_archive("/dev/full", "solution", HEADER, ARRAYS, overwrite=True),
        lambda: write_bytes("/dev/full", b"x"),
    ):
        with refuses(OutputError, option="file", given="No space left on device"):
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
        with refuses(OutputError, option="file", given="File too large"):
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
        with pytest.raises(OutputError) as caught:
            attempt()
        assert caught.value.option in ("file", "folder")
        assert caught.value.path.startswith(str(tmp_path))
        assert "\n" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "loop"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with refuses(
        OutputError, option="folder", given=tmp_path / "missing", remedy="create it first"
    ):
        check_writable(tmp_path / "missing" / "x")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no such folder of the system")
def test_a_folder_that_takes_no_files_is_not_called_missing() -> None:
    with refuses(OutputError, option="folder", given="/proc", remedy="choose another folder"):
        check_writable("/proc/x")


@pytest.mark.parametrize("content", [b"print('my rules')\n", b"\0" * 100])
def test_a_file_of_something_else_is_never_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.py"
    path.write_bytes(content)
    for attempt in (
        lambda: write_archive(path, "solution", {}, {}),
        lambda: check_writable(path, "solution"),
    ):
        with refuses(OutputError, option="out", expected="solution"):
            attempt()
    assert path.read_bytes() == content


def test_one_kind_never_replaces_another(file: Path) -> None:
    with refuses(OutputError, option="out", given="solution", expected="checkpoint"):
        write_archive(file, "checkpoint", {}, {})
    unharmed(file)


def test_the_same_kind_is_replaced_by_default(file: Path) -> None:
    with refuses(OutputError, option="out"):
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
    stale = path.with_name(f"{partial_prefix(path)}123-abcd.partial")
    stale.write_bytes(b"half")
    past = time.time() - 3600
    os.utime(stale, (past, past))
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("name", ["x.csv", "x.JSON", "x.txt"])
def test_no_archive_has_the_name_of_a_table(tmp_path: Path, kind: str, name: str) -> None:
    """Not when it is written, nor where that is checked beforehand."""
    file = tmp_path / name
    fields = {"option": "out", "given": name, "expected": suffix_of(kind), "path": file}
    with refuses(OutputError, **fields):
        write_archive(file, kind, {}, {})
    with refuses(OutputError, **fields):
        check_writable(file, kind)
    assert not file.exists()
