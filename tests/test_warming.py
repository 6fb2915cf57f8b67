"""The suite compiles the kernels beforehand: when it is large, and all that can be cached."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from equilibrist.cli.main import run
from tests import warming
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


@pytest.mark.parametrize("lines", [(warming.BOUND[0],), slow((*warming.SHIPPED, *warming.BOUND))])
def test_the_commands_that_compile_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in lines:
        assert run(line.split()) == 0, line


def test_both_processes_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "SHIPPED", ("games", "nonsense"))
    monkeypatch.setattr(warming, "BOUND", ("games",))
    assert warming.warm() == [2, 0]
    assert warming.warm(limit=0.0) == [-9, -9]


def test_the_tests_are_collected_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rewritten assertions then lie beside them; a file that fails changes no exit code."""
    (tmp_path / "test_one.py").write_text("def test_one(): assert 1 + 1 == 2\n")
    (tmp_path / "test_wrong.py").write_text("raise ValueError\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(warming, "SHIPPED", ("games",))
    monkeypatch.setattr(warming, "BOUND", ("games",))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    assert warming.warm([str(tmp_path)]) == [0, 0]
    assert list(tmp_path.rglob("test_one.*-pytest-*.pyc"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert not warming.collecting([str(tmp_path)])
