"""The suite compiles the kernels beforehand: when it is large, and all that can be cached."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from equilibrist._jit import inventory
from equilibrist._jit.inventory import note_complete
from equilibrist._jit.places import writable_kernels_dir
from equilibrist.cli.main import run
from equilibrist.poker.postflop.solving import spot_runs
from equilibrist.poker.postflop.spot.fields import STORAGES
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solving import kernel_cache
from tests import warming
from tests.conftest import pytest_xdist_setupnodes
from tests.slow_cases import slow


@pytest.mark.parametrize(
    ("arguments", "keyword", "expected"),
    [
        (["tests"], "", True),
        (["tests/cli", "tests/docs"], "", True),
        (["tests/docs/test_pages.py"], "", False),
        (["tests/docs", "tests/docs/test_pages.py::test_every_game_has_a_page"], "", False),
        (["tests"], "kuhn", False),
    ],
)
def test_only_large_runs_compile_beforehand(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    keyword: str,
    expected: bool,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    assert warming.worthwhile(arguments, keyword) is expected
    monkeypatch.setenv("EQUILIBRIST_NUMBA_CACHE", "0")
    assert not warming.worthwhile(arguments, keyword)


def test_no_run_compiles_beforehand_what_it_cannot_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "file" / "below"))
    (tmp_path / "file").touch()
    assert not warming.worthwhile([str(tmp_path)], "")


def test_what_was_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a kernel is removed, a source or the checkout is another, or the cache is cleared."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    assert not warming.is_done()
    kernel = warming.record().with_name("run.nbi")
    kernel.touch()
    monkeypatch.setattr(inventory, "present_files", lambda: {kernel})
    warming.note_done()
    assert warming.is_done()
    with monkeypatch.context() as other:
        other.setattr(inventory, "_record", lambda: Path("complete-0.json"))
        assert not warming.is_done()
    with monkeypatch.context() as other:
        other.setattr(warming, "__file__", shutil.copy(warming.__file__, tmp_path))
        assert not warming.is_done()
    kernel.unlink()
    assert not warming.is_done()
    kernel.touch()
    inventory.remove([])
    assert not warming.is_done()


@pytest.mark.parametrize(
    ("arguments", "codes", "runs"),
    [(["tests"], [0, 0], 1), (["tests"], [0, 2], 2), (["tests/cli"], [0, 0], 2)],
)
def test_only_a_run_of_all_tests_spares_the_next_one(
    arguments: list[str],
    codes: list[int],
    runs: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    """Where all was compiled: other runs do not collect all tests."""
    monkeypatch.chdir(Path(__file__).parents[1])
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    compiled: list[list[str]] = []

    def warm(given: list[str]) -> list[int]:
        compiled.append(given)
        return codes

    monkeypatch.setattr(warming, "warm", warm)
    monkeypatch.setattr(inventory, "present_files", set)
    monkeypatch.setattr(pytestconfig, "args", arguments)
    for option in ("keyword", "collectonly"):
        monkeypatch.setattr(pytestconfig.option, option, "")
    for _ in range(2):
        pytest_xdist_setupnodes(pytestconfig)
    assert compiled == [arguments] * runs


@pytest.mark.parametrize("lines", [(warming.BOUND[0],), slow(warming.BOUND)])
def test_the_commands_that_compile_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in lines:
        assert run(line.split()) == 0, line


@pytest.fixture
def complete_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that is said to have all kernels: no process compiles any."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    folder = writable_kernels_dir()
    assert folder is not None
    note_complete()
    return folder


def shares(monkeypatch: pytest.MonkeyPatch, *lines: tuple[str, ...]) -> None:
    """Let the processes run these commands, after a group that fails where it is called."""
    failing = tuple(warming.Share({"fails": []}, each) for each in lines)
    monkeypatch.setattr(warming, "SHARES", failing)


@pytest.mark.slow
@pytest.mark.usefixtures("complete_cache")
def test_both_processes_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shares(monkeypatch, ("games", "nonsense"), ("games",))
    assert warming.warm() == [2, 0]
    assert warming.warm(limit=0.0) == [-9, -9]


@pytest.mark.slow
def test_kernels_are_compiled_where_the_cache_lacks_any(
    complete_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for record in complete_cache.glob("complete-*"):
        record.unlink()
    shares(monkeypatch, ("games",), ("games",))
    assert warming.warm() == [1, 1]


def test_the_processes_compile_what_a_warm_cache_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path))
    called: list[str] = []
    groups = [name for name in vars(kernel_cache) if name.startswith("compile_")]
    for name in groups:
        monkeypatch.setattr(kernel_cache, name, partial(called.append, name))
    monkeypatch.setattr(kernel_cache, "_processors", lambda: 1)
    kernel_cache.warm_cache()
    shared = [group for share in warming.SHARES for group in share.groups]
    assert sorted(called) == sorted(groups) == sorted([*shared, *warming.LEFT_OUT])
    assert set(warming.KINDS) <= set(kernel_cache.KINDS)


def test_spots_behind_folded_ranges_are_compiled_for_all_storages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counted for one or two folded ranges, drawn for more."""
    solved: list[tuple[int, str]] = []

    class Solved:
        def at(self) -> None:
            """Look a node up."""

    def solve(spot: Spot, *, iterations: int, storage: str = "float32") -> Solved:
        solved.append((len(spot.folded) * iterations, storage))
        return Solved()

    monkeypatch.setattr(spot_runs, "solve", solve)
    monkeypatch.setattr("equilibrist.poker.equities.equity.equity", lambda *_, **__: None)
    kernel_cache.compile_bunching()
    assert {storage for folded, storage in solved if folded == 1} == {*STORAGES}
    assert (3, "float32") in solved


@pytest.mark.slow
@pytest.mark.usefixtures("complete_cache")
def test_the_tests_are_collected_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rewritten assertions then lie beside them; a file that fails changes no exit code."""
    (tmp_path / "test_one.py").write_text("def test_one(): assert 1 + 1 == 2\n")
    (tmp_path / "test_wrong.py").write_text("raise ValueError\n")
    monkeypatch.chdir(tmp_path)
    shares(monkeypatch, ("games",), ("games",))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    assert warming.warm([str(tmp_path)]) == [0, 0]
    assert list(tmp_path.rglob("test_one.*-pytest-*.pyc"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert not warming.collecting([str(tmp_path)])
