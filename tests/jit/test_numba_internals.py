"""What Numba does not document may go: kernels then work as before, only without its help."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core import caching, config
from numba.core.dispatcher import Dispatcher

from equilibrist._jit import numba_internals
from equilibrist._jit.closure import PACKAGE
from tests.jit.tiny_package import forget, load, run, write_package


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(write_package(tmp_path / "sources")))
    look_again()
    yield
    monkeypatch.undo()
    look_again()
    forget("tiny")


def look_again() -> None:
    numba_internals._cache_class.cache_clear()
    numba_internals._warn.cache_clear()


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (caching, "CompileResultCacheImpl"),
        (caching.Cache, "_index_key"),
        (caching.CacheImpl, "locator"),
    ],
)
def test_without_a_name_kernels_are_compiled_in_memory(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    monkeypatch.delattr(owner, name)
    with pytest.warns(RuntimeWarning, match=f"compiled in memory at every start.*{name}"):
        kernel = load("tiny.alone").run
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once is enough
        assert run(kernel) == (7.0, False)
        assert run(load("tiny.alone").run) == (7.0, False)


def test_a_constructor_that_asks_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def construct(self: object, py_func: object, more: object) -> None:
        raise AssertionError

    monkeypatch.setattr(caching.Cache, "__init__", construct)
    with pytest.warns(RuntimeWarning, match="compiled in memory"):
        kernel = load("tiny.alone").run
    assert run(kernel) == (7.0, False)


def test_a_dispatcher_with_another_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Dispatcher.__init__

    def construct(self: Any, *args: Any, **options: Any) -> None:
        made(self, *args, **options)
        del self._cache

    monkeypatch.setattr(Dispatcher, "__init__", construct)
    with pytest.warns(RuntimeWarning, match="a dispatcher has no _cache"):
        load("tiny.alone")


def test_the_environment_chooses_no_other_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's own folders know a kernel by one file only."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "InTreeCacheLocator", raising=False)
    assert run(load("tiny.alone").run) == (7.0, False)
    assert run(load("tiny.alone").run) == (7.0, True)
    assert not (tmp_path / "numba").exists()
    assert not list(tmp_path.rglob("__pycache__"))


def test_settings_that_change_machine_code_are_part_of_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code with checks of bounds and code without them lie side by side."""
    assert run(load("tiny.alone").run) == (7.0, False)
    monkeypatch.setattr(config, "BOUNDSCHECK", 1)
    numba_internals._toolchain.cache_clear()
    assert run(load("tiny.alone").run) == (7.0, False)
    assert run(load("tiny.alone").run) == (7.0, True)
    monkeypatch.undo()
    numba_internals._toolchain.cache_clear()


@pytest.mark.slow
def test_only_one_file_takes_what_is_not_documented() -> None:
    documented = {"types", "cgutils"}
    for file in PACKAGE.rglob("*.py"):
        if file == Path(numba_internals.__file__):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "numba.core":
                assert {alias.name for alias in node.names} <= documented, file
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("numba"):
                assert node.module == "numba.extending", file
            elif isinstance(node, ast.Import):
                assert not any(alias.name.startswith("numba.") for alias in node.names), file
            elif isinstance(node, ast.Attribute):
                assert node.attr not in {"_cache", "_nrt", "_impl_class"}, file
