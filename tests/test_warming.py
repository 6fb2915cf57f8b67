"""The suite compiles the kernels beforehand: when it is large, and all that can be cached."""

from __future__ import annotations

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
