"""Machine code on disk: an edit recompiles what depends on it, and nothing else."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from equilibrist._jit import entries
from equilibrist._jit.places import _own_folder, cache_root
from tests.jit.tiny_package import KERNEL, KERNELS, forget, load, run, run_all, write_package


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the tiny package, with a cache of its own."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(write_package(tmp_path / "sources")))
    yield tmp_path / "sources/tiny"
    forget("tiny", "shapes")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("file", "old", "new", "dependents"),
    [
        ("far.py", "3.0", "4.0", {"direct": 4.0, "steps": 4.0}),
        ("near.py", "return far()", "return -far()", {"steps": -3.0}),
        ("alone.py", "7.0", "9.0", {"alone": 9.0}),
        ("__init__.py", "1.0", "2.0", {"scaled": 2.0}),
    ],
)
def test_an_edit_recompiles_its_dependents_only(
    package: Path, file: str, old: str, new: str, dependents: dict[str, float]
) -> None:
    first = run_all()
    assert not any(hit for _, hit in first.values())
    before = run_all()
    assert before == {name: (value, True) for name, (value, _) in first.items()}
    edit(package / file, old, new)
    after = run_all()
    assert {name: value for name, (value, hit) in after.items() if not hit} == dependents
    rest = before.keys() - dependents.keys()
    assert {name: after[name] for name in rest} == {name: before[name] for name in rest}
    edit(package / file, new, old)
    assert run_all() == before  # what was compiled first is still there


def test_equal_stems_do_not_collide(package: Path) -> None:
    """Not even where the two files agree."""
    assert run(load("tiny.alone").run) == (7.0, False)
    (package / "deeper/alone.py").write_text((package / "alone.py").read_text())
    assert run(load("tiny.deeper.alone").run) == (7.0, False)
    assert run(load("tiny.alone").run) == (7.0, True)
    assert run(load("tiny.deeper.alone").run) == (7.0, True)


def test_a_moved_file_misses(package: Path) -> None:
    assert run(load("tiny.alone").run) == (7.0, False)
    shutil.move(package / "alone.py", package / "moved.py")
    assert run(load("tiny.moved").run) == (7.0, False)
    shutil.move(package / "moved.py", package / "deeper/moved.py")
    assert run(load("tiny.deeper.moved").run) == (7.0, False)


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"damaged", None])
def test_a_damaged_entry_is_a_miss(package: Path, suffix: str, content: bytes | None) -> None:
    kernel = load("tiny.alone").run
    assert run(kernel) == (7.0, False)
    folder = entries.folder_for(kernel.py_func)
    (file,) = folder.glob(f"*{suffix}")
    file.write_bytes(file.read_bytes()[:-9] if content is None else content)
    assert run(load("tiny.alone").run) == (7.0, False)
    assert run(load("tiny.alone").run) == (7.0, True)


def test_code_of_another_signature_is_a_miss(package: Path) -> None:
    """Two processes that compile one kernel at once may number their files alike."""
    kernel = load("tiny.alone").run
    for dtype in (np.float64, np.float32):
        kernel(np.zeros(1, dtype=dtype))
    folder = entries.folder_for(kernel.py_func)
    doubles, singles = sorted(folder.glob("*.nbc"))
    shutil.copy(singles, doubles)
    assert run(load("tiny.alone").run) == (7.0, False)


SHAPES = "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    a: float\n    b: float\n"


def test_fields_of_a_named_tuple_are_part_of_the_key(package: Path) -> None:
    """Its class may lie where no import of the kernel leads, and code knows fields by position."""
    (package / "taking.py").write_text(
        KERNEL.format(imports="", value="pair.a").replace("run(out)", "run(out, pair)")
    )
    shapes = package.parent / "shapes.py"

    def taken(module: str) -> tuple[float, bool]:
        pair = load(module).Pair
        kernel, out = load("tiny.taking").run, np.zeros(1)
        kernel(out, pair(1.0, 2.0))
        return out[0], bool(sum(kernel.stats.cache_hits.values()))

    shapes.write_text(SHAPES)
    assert [taken("shapes"), taken("shapes")] == [(1.0, False), (1.0, True)]
    shapes.write_text(SHAPES.replace("a:", "c:").replace("b:", "a:"))
    assert taken("shapes") == (2.0, False)
    shapes.rename(package / "shapes.py")
    assert taken("tiny.shapes") == (2.0, False)


def test_no_cache_where_none_can_be_written(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "file"))
    (tmp_path / "file").touch()
    assert [hit for _, hit in run_all().values()] == [False] * len(KERNELS)
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("EQUILIBRIST_NUMBA_CACHE", "0")
    assert [hit for _, hit in run_all().values()] == [False] * len(KERNELS)


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", "~/kernels")
    assert cache_root() == tmp_path / "kernels"


def test_a_user_without_a_home_has_a_cache_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EQUILIBRIST_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it answers without a home
    assert cache_root().is_relative_to(tempfile.gettempdir())


def test_the_cache_of_a_user_without_a_home_is_no_folder_of_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is in the cache is executed, and anybody may make a folder of a name that is known."""
    folder = tmp_path / "equilibrist-1"
    assert _own_folder(folder) == folder
    assert folder.stat().st_mode & 0o077 == 0
    _own_folder.cache_clear()
    folder.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert _own_folder(folder) != folder
    link = tmp_path / "equilibrist-2"
    link.symlink_to(tmp_path / "elsewhere")
    assert _own_folder(link) != link


def test_a_cache_that_cannot_be_read_is_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sudo -u` keeps HOME, with the folders of somebody else."""

    def refused(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refused)
    monkeypatch.setattr(entries, "module_file", lambda module: Path(__file__))
    monkeypatch.setattr(entries, "fingerprint", lambda module, file: "0")
    assert not entries.cache_is_warm("equilibrist.kernels.tree.build.link")
