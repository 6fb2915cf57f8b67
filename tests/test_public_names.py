"""The public names: few at the top, the others in public packages, all loaded on first use."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import equilibrist
from equilibrist._lazy_names import lazy_names
from tests.test_package import modules_after

MOST_NAMES = 25
"""Names of `equilibrist` itself."""
PACKAGES = (
    "equilibrist",
    "equilibrist.abstraction",
    "equilibrist.contrib",
    "equilibrist.equilibria",
    "equilibrist.evaluation",
    "equilibrist.exploitation",
    "equilibrist.games",
    "equilibrist.grafting",
    "equilibrist.interop",
    "equilibrist.learned",
    "equilibrist.play",
    "equilibrist.poker",
    "equilibrist.poker.blueprint",
    "equilibrist.protocols",
    "equilibrist.reference",
    "equilibrist.rules",
    "equilibrist.search",
    "equilibrist.solvers",
    "equilibrist.solving",
    "equilibrist.tree",
)
MODULES = ("equilibrist.errors", "equilibrist.plotting", "equilibrist.typing")
PUBLIC = (*PACKAGES, *MODULES)
"""What users import from: each has an `__all__`."""


def seen_by_type_checkers(package: Any) -> dict[str, str]:
    """The names that a package imports for type checkers, and their modules."""
    tree = ast.parse(Path(package.__file__).read_text("utf-8"))
    # The last block for type checkers; one before it may import what annotations name.
    block = [node for node in tree.body if isinstance(node, ast.If)][-1]
    return {
        str(alias.asname): f"{node.module}.{alias.name}"  # a subpackage
        if node.module == package.__name__
        else str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_few_names_are_at_the_top() -> None:
    assert 20 < len(equilibrist.__all__) <= MOST_NAMES


def test_every_package_that_lists_names_is_public() -> None:
    """`__all__` says that a package or a module is public; those of no list are internal."""
    found = {
        module.name
        for folder in (equilibrist, equilibrist.poker)
        for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}.")
        if not module.name.startswith("equilibrist._")
        and hasattr(importlib.import_module(module.name), "__all__")
    }
    assert found | {"equilibrist"} == set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_load_and_are_listed(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__all__
    assert len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        assert getattr(module, public) is not None
        assert public in dir(module)
        assert public == "__version__" or not public.startswith("_")


@pytest.mark.parametrize("name", PACKAGES)
def test_type_checkers_see_the_public_names(name: str) -> None:
    package = importlib.import_module(name)
    assert seen_by_type_checkers(package) == package._PUBLIC
    assert set(package.__all__) - {"__version__"} == set(package._PUBLIC)


@pytest.mark.parametrize("name", PACKAGES)
def test_an_unknown_name_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'no_such_name'"):
        _ = importlib.import_module(name).no_such_name


def test_names_are_the_same_objects_wherever_they_are_public() -> None:
    """A name stands for one thing: `equilibrist.solve` is `equilibrist.solving.solve`."""
    shared = 0
    for name in PACKAGES[1:]:
        package = importlib.import_module(name)
        for public in set(package.__all__) & set(equilibrist.__all__):
            if name == "equilibrist.poker" and public in {"solve", "Progress"}:
                continue  # those of spots
            assert getattr(package, public) is getattr(equilibrist, public), f"{name}.{public}"
            shared += 1
    assert shared > 12


@pytest.mark.slow
def test_a_package_imports_nothing_before_a_name_is_used() -> None:
    for name in PACKAGES:
        loaded = modules_after(f"import {name}; dir({name})")
        ours = {module for module in loaded if module.startswith("equilibrist")}
        below = ("_extensions", "_lazy_names", "_version")
        parents = {name.rpartition(".")[0] or name, name}
        allowed = {"equilibrist", *(f"equilibrist.{module}" for module in below), *parents}
        assert ours == allowed, name
        assert not loaded & {"numpy", "numba", "scipy", "matplotlib", "rich", "typer", "pydantic"}


def test_an_import_of_a_subpackage_is_a_name_like_others() -> None:
    assert equilibrist.poker is importlib.import_module("equilibrist.poker")
    load, listed = lazy_names(
        "equilibrist", {"tree": "equilibrist.tree", "TERMINAL": "equilibrist.game"}
    )
    assert load("tree") is importlib.import_module("equilibrist.tree")
    assert load("TERMINAL") == -2
    assert {"tree", "TERMINAL", "__version__"} <= set(listed())
    with pytest.raises(AttributeError, match="no attribute 'CHANCE'"):
        load("CHANCE")
