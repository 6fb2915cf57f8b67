"""Import closures: every source that a kernel may be compiled from, found without running it."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import equilibrist.kernels
from equilibrist._jit import closure, manifest
from tests.jit.tiny_package import forget


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    forget()
    yield
    forget()


def names(folder: Path, source: str, module: str = "own.start") -> set[str]:
    """The closure of a module with that source, beside a package, without what always counts."""
    for name in ("own/__init__", "own/a", "own/b", "own/deep/__init__", "own/deep/c"):
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (folder / "own/b.py").write_text("from own.deep.c import d\n")
    file = folder.joinpath(*module.split(".")).with_suffix(".py")
    file.write_text(source)
    found = closure.closure(module, file)
    return {name for name in found if not name.startswith("equilibrist._jit")}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1", set()),
        ("import numpy, own.a", {"own.a"}),
        ("import own.a as it; import own.deep.c", {"own.a", "own.deep.c"}),
        ("from own.a import x", {"own.a"}),
        ("from own.a import (\n    x,  # (a remark)\n    y,\n)", {"own.a"}),
        ("from own.a import x, \\\n    y", {"own.a"}),
        ("from own import a", {"own", "own.a"}),
        ("from own import SCALE", {"own"}),
        ("from own import deep", {"own", "own.deep", "own.deep.c"}),
        ("from own.deep import *", {"own.deep"}),
        ("import own.deep", {"own.deep", "own.deep.c"}),
        ("from own.b import d", {"own.b", "own.deep.c"}),
        ("from . import a", {"own", "own.a"}),
        ("from .deep.c import x", {"own.deep.c"}),
        ("def f():\n    from own.a import x", {"own.a"}),
        ("class C:\n    def f(self):\n        if self: import own.a", {"own.a"}),
        ("try:\n    from own.a import x\nexcept ImportError:\n    from own.b import x",
         {"own.a", "own.b", "own.deep.c"}),
        ("import typing\nif typing.TYPE_CHECKING:\n    import own.a\nelse:\n    import own.deep.c",
         {"own.deep.c"}),
        ("'from own.a import x'", set()),
        ("from own.missing import x", set()),
        ("from equilibrist.kernels import LANES", {"equilibrist.kernels"}),
        ("from equilibrist.typing import FloatArray", {"equilibrist.typing"}),
    ],
)  # fmt: skip
def test_imports_that_are_found(tmp_path: Path, source: str, expected: set[str]) -> None:
    assert names(tmp_path, source) == {"own.start", *expected}


def test_relative_imports_from_below(tmp_path: Path) -> None:
    found = names(tmp_path, "from ..a import x\nfrom .. import b", "own.deep.start")
    assert found == {"own", "own.deep.start", "own.a", "own.b", "own.deep.c"}


def test_circles_end(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/round.py").write_text("from own.start import x\n")
    found = names(tmp_path, "from own.round import y")
    assert found == {"own.start", "own.round"}


def test_a_script_counts_itself_and_this_package(tmp_path: Path) -> None:
    (tmp_path / "beside.py").touch()
    found = names(
        tmp_path, "import beside\nfrom equilibrist.kernels.primitives.rng import uniform", "script"
    )
    assert found == {"script", "equilibrist.kernels.primitives.rng"}


ALLOWED = ("equilibrist.kernels", "equilibrist._jit", "equilibrist.typing")


def kernel_modules() -> list[str]:
    walk = pkgutil.walk_packages(equilibrist.kernels.__path__, "equilibrist.kernels.")
    return [found.name for found in walk]


def test_closures_hold_every_kernel_module_that_a_kernel_uses() -> None:
    """As the loaded modules say: what a module's globals were defined in."""
    for name in kernel_modules():
        module = importlib.import_module(name)
        found = closure.closure(name, closure.module_file(name))
        for value in vars(module).values():
            origin = getattr(value, "__module__", None)
            if isinstance(origin, str) and origin.startswith("equilibrist."):
                assert origin in found, f"{name} takes {value} from {origin}"
    assert "equilibrist._jit.numba_internals" in found


@pytest.mark.slow
def test_every_kernel_that_is_named_exists() -> None:
    """`cache_is_warm` and `mark_warm` take names, which may be in any module."""
    named = set()
    for file in closure.PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            value = getattr(node, "value", None)
            if isinstance(value, str) and re.fullmatch(r"equilibrist\.kernels\.[\w.]+", value):
                named.add(value)
    assert len(named) > 5
    for name in named:
        module, _, kernel = name.rpartition(".")
        assert hasattr(getattr(importlib.import_module(module), kernel), "py_func"), name


def test_kernels_import_nothing_but_kernels() -> None:
    """An edit elsewhere recompiles nothing."""
    for name in kernel_modules():
        for found in closure.closure(name, closure.module_file(name)):
            assert found.startswith(ALLOWED), (name, found)


def test_fingerprints_depend_on_names_and_sources(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("x = 1")
    other.write_text("x = 1")
    first = closure.fingerprint("one", one)
    assert first != closure.fingerprint("other", other)
    one.write_text("x = 2")
    forget()
    assert first != closure.fingerprint("one", one)


def test_the_manifest_spares_parsing_and_may_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = closure.module_file("equilibrist.kernels.full_traversals")
    found = closure.fingerprint("equilibrist.kernels.full_traversals", file)
    kept = tmp_path / "cache/kernels" / manifest.FILE
    for damage in ("", "[]", '{"a": 1}', "{"):
        kept.write_text(damage)
        manifest._KNOWN.clear()
        forget()
        assert closure.fingerprint("equilibrist.kernels.full_traversals", file) == found
        assert len(kept.read_text()) > 99

    def refuse(*_: object) -> None:
        raise AssertionError("a source was parsed")

    manifest._KNOWN.clear()
    forget()
    monkeypatch.setattr(ast, "parse", refuse)
    assert closure.fingerprint("equilibrist.kernels.full_traversals", file) == found
