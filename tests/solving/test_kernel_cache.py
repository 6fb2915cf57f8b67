"""`warm_cache`: what runs where, and when nothing has to."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from equilibrist._jit import closure, inventory
from equilibrist._jit.places import kernels_dir
from equilibrist.solving import kernel_cache
from equilibrist.solving.kernel_cache import warm_cache


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A cache of the test's own, and the groups of kernels that this process compiles."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    monkeypatch.setattr(kernel_cache, "_processors", lambda: 1)
    called: list[str] = []

    def stand_in(name: str) -> Callable[[], None]:
        def group() -> None:
            called.append(name)
            folder = kernels_dir() / f"{MODULE}-{fingerprint()}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.nbi").touch()

        group.__name__ = name
        return group

    for name in GROUPS:
        monkeypatch.setattr(kernel_cache, name, stand_in(name))
    return called


GROUPS = [
    "compile_games",
    "compile_histories",
    "compile_spots",
    "compile_rare_spots",
    "compile_equities",
    "compile_bunching",
]
MODULE = "equilibrist.kernels.primitives.rng"


def fingerprint() -> str:
    return closure.fingerprint(MODULE, closure.module_file(MODULE))


def test_nothing_is_done_twice(calls: list[str]) -> None:
    assert warm_cache()
    assert calls == GROUPS
    assert not warm_cache()
    assert len(calls) == len(GROUPS)


def test_a_removed_file_is_compiled_again(calls: list[str], tmp_path: Path) -> None:
    assert warm_cache()
    (file,) = tmp_path.rglob("compile_spots.nbi")
    file.unlink()
    assert warm_cache()
    assert len(calls) == 2 * len(GROUPS)
    inventory.remove(inventory.inventory().present)
    assert warm_cache()
    assert len(calls) == 3 * len(GROUPS)


def test_any_edit_asks_for_another_look(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solvers, too, decide for which types kernels are compiled."""
    assert warm_cache()
    (tmp_path / "edited").mkdir()
    (tmp_path / "edited/solver.py").touch()
    monkeypatch.setattr(inventory, "PACKAGE", tmp_path / "edited")
    assert not warm_cache()  # the same files are there
    assert len(calls) == 2 * len(GROUPS)
    assert not warm_cache()
    assert len(calls) == 2 * len(GROUPS)


def test_without_a_cache_all_is_compiled_here(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_cache, "_processors", lambda: 2)
    monkeypatch.setenv("EQUILIBRIST_NUMBA_CACHE", "0")
    for number in (len(GROUPS), 2 * len(GROUPS)):
        assert warm_cache()
        assert len(calls) == number


def test_a_second_process_takes_the_other_groups(calls: list[str]) -> None:
    there = [named(calls, "_processors"), named(calls, "_processors")]
    kernel_cache._side_by_side(kernel_cache.compile_games, there, print)
    assert calls == ["compile_games"]


def test_what_the_second_process_fails_at_is_done_here(calls: list[str]) -> None:
    there = [named(calls, "no_such_group"), named(calls, "nor_this")]
    kernel_cache._side_by_side(kernel_cache.compile_games, there, print)
    assert calls == ["compile_games", "no_such_group", "nor_this"]


def test_no_process_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = subprocess.Popen
    monkeypatch.setattr(kernel_cache, "_CHILD", "import time; time.sleep(99)")

    def noted(*arguments: Any, **options: Any) -> Any:
        started.append(start(*arguments, **options))
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", noted)

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel_cache._side_by_side(interrupted, [kernel_cache.compile_spots], print)
    assert started[0].returncode


def named(calls: list[str], name: str) -> Callable[[], None]:
    def group() -> None:
        calls.append(name)

    group.__name__ = name
    return group
