"""The API pages name everything that is public, by its public path, and nothing else."""

from __future__ import annotations

import ast
import importlib
import inspect
import pydoc
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest

from equilibrist.errors import MismatchError
from equilibrist.game import ForgetfulGame, PublicGame
from equilibrist.parsing.arguments import bad_argument
from tests.docs.docstrings import methods, undescribed
from tests.docs.markdown import ROOT, blocks, pages
from tests.test_public_names import PUBLIC

API = sorted((ROOT / "docs" / "reference" / "api").glob("*.md"))
NAMED = [
    path
    for page in API
    for path in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
]
"""The paths on the pages."""
NO_ENTRY = {"equilibrist.__version__", "equilibrist.poker"}
"""A text, and a package that has a page of its own."""


SAID_ELSEWHERE = {"infoset_facts", "action_words", "describe"}
"""Methods that the page on play describes."""


def is_said_elsewhere(kind: type, name: str) -> bool:
    """Whether a protocol that the class implements describes the method, or the page on play."""
    for protocol in {each for p in (ForgetfulGame, PublicGame) for each in p.__mro__}:
        required = [method for method in vars(protocol) if not method.startswith("_")]
        if name in required and all(hasattr(kind, method) for method in required):
            return True
    return name in SAID_ELSEWHERE


def public_callables() -> Iterator[tuple[str, Any]]:
    """All public functions, classes and methods of classes, each with its path."""
    for path in NAMED:
        found: Any = pydoc.locate(path)
        if not (inspect.isfunction(found) or inspect.isclass(found)):
            continue
        if not inspect.isclass(found):
            yield path, found
            continue
        if not (issubclass(found, Enum) or getattr(found, "_is_protocol", False)):
            yield path, found
        for name, method in methods(found):
            if getattr(found, "_is_protocol", False) or not is_said_elsewhere(found, name):
                yield f"{path}.{name}", method


def home(module: str, name: str) -> tuple[str, str]:
    """Where a public name is defined: what two paths share if they stand for one thing."""
    return getattr(importlib.import_module(module), "_PUBLIC", {}).get(name, module), name


def imported(code: str) -> Iterator[tuple[str, str]]:
    """The names that a script takes from the package, each with the module."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "equilibrist":
                    yield alias.name, ""
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("equilibrist"):
            yield from ((str(node.module), alias.name) for alias in node.names)


def test_every_public_name_is_on_one_page_once() -> None:
    wanted = {
        home(module, name)
        for module in PUBLIC
        for name in importlib.import_module(module).__all__
        if f"{module}.{name}" not in NO_ENTRY
    }
    found = [home(*path.rpartition(".")[::2]) for path in NAMED if path not in PUBLIC]
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_the_pages_of_packages_name_public_paths_only() -> None:
    assert len(NAMED) > 200
    for path in NAMED:
        module, _, name = path.rpartition(".")
        assert path in PUBLIC or name in importlib.import_module(module).__all__, path


def test_every_package_has_pages_of_its_own_names() -> None:
    packages = []
    for page in API:
        text = page.read_text("utf-8")
        packages.append(re.findall(r"^# (equilibrist[.\w]*)(?:: .+)?$", text, re.MULTILINE)[0])
        for path in re.findall(r"^::: (\S+)$", text, re.MULTILINE):
            assert path.rpartition(".")[0] in {packages[-1], "equilibrist"}, (page.name, path)
    assert {*packages} == {*PUBLIC}
    assert packages.count("equilibrist.poker") == 3


def test_pages_and_examples_import_from_public_paths_only() -> None:
    code = {b.place: b.text for page in pages() for b in blocks(page) if b.language == "python"}
    for path in sorted((ROOT / "examples").glob("*.py")):
        code[path.name] = path.read_text("utf-8")
    found = {(place, *names) for place, text in code.items() for names in imported(text)}
    assert len(found) > 80
    for place, module, name in sorted(found):
        assert module in PUBLIC, f"{place}: {module}"
        public = importlib.import_module(module).__all__
        assert not name or name in public or f"{module}.{name}" in PUBLIC, f"{place}: {name}"


def test_pages_name_public_paths_only() -> None:
    """In the text around the code; but the architecture page is about the packages within."""
    found = set()
    for page in pages():
        if page.name not in {"architecture.md", "api.md"}:
            text = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text("utf-8"))
            written = re.findall(r"`[^`\n]*?\b(equilibrist(?:\.[a-zA-Z_]\w*)+)", text)
            found |= {(page.name, path) for path in written}
    assert len(found) > 10
    assert ("own-variant.md", "equilibrist.solvers") in found
    for name, path in sorted(found):
        parts = path.split(".")
        prefixes = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        module = [prefix for prefix in prefixes if prefix in PUBLIC][-1]
        rest = parts[module.count(".") + 1 :]
        assert not rest or rest[0] in importlib.import_module(module).__all__, f"{name}: {path}"


def test_everything_in_the_reference_is_there_and_documented() -> None:
    for name in NAMED:
        found = pydoc.locate(name)
        assert found is not None, name
        assert isinstance(found, int) or (getattr(found, "__doc__", None) or "").strip(), name


def test_every_member_in_the_reference_is_documented() -> None:
    looked_at = 0
    for name in NAMED:
        found: Any = pydoc.locate(name)
        for member, value in inspect.getmembers_static(found):
            written: Any = getattr(value, "fget", None) or getattr(value, "__func__", value)
            ours = str(getattr(written, "__module__", "")).startswith("equilibrist")
            if member.startswith("_") or not ours:
                continue
            rules = getattr(PublicGame, member, None)  # of a game: documented in the protocol
            documented = inspect.getdoc(getattr(found, member)) or inspect.getdoc(rules)
            assert (documented or "").strip(), f"{name}.{member}"
            looked_at += 1
    assert looked_at > 100


@pytest.mark.slow
def test_the_reference_describes_all_arguments_results_and_exceptions() -> None:
    """Each in its section; fields of a class may stand under `Attributes` or have docstrings."""
    found = dict(public_callables())
    assert len(found) > 400
    lacking = {path: names for path, each in found.items() if (names := undescribed(each))}
    assert lacking == {}


def test_an_argument_that_is_not_described_is_found() -> None:
    def described(one: int, other: int) -> None:
        """A function.

        Args:
            one: The first.
        """

    class Described:
        """A class.

        Attributes:
            one: The first.
        """

        def __init__(self, one: int, other: int) -> None: ...

    assert undescribed(described) == undescribed(Described) == ["other"]


def test_a_result_or_an_exception_that_is_not_described_is_found() -> None:
    def silent(one: int) -> int:
        """A function.

        Args:
            one: The first.
        """
        try:
            if one == 1:
                raise ValueError("caught here")
        except ValueError:
            raise bad_argument("one", one, "another number") from None
        if one == 2:
            raise MismatchError("of another kind")
        return one

    def complete(one: int) -> Iterator[int]:
        """A function.

        Args:
            one: The first.

        Yields:
            The same.

        Raises:
            ConfigError: It is 1.
        """
        if one == 1:
            raise bad_argument("one", one, "another number")
        yield one

    class Silent:
        """A class."""

        def __init__(self) -> None:
            raise MismatchError("always")

    assert undescribed(Silent) == ["Raises MismatchError"]
    assert undescribed(silent) == ["Returns", "Raises ConfigError", "Raises MismatchError"]
    assert undescribed(complete) == []
