"""The imports of the package, and what must hold of them: no circles, no arrow up, small folders.

Every import counts: those inside functions and those for type checkers, too. The layers are those
of the import-linter contracts in pyproject.toml.
"""

from __future__ import annotations

import ast
import importlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PACKAGE = "equilibrist"

Imports = Mapping[str, frozenset[str]]
"""Each module, and the modules that it imports; a package stands for its `__init__`."""


@cache
def read_imports(package: str = PACKAGE) -> Imports:
    """The imports between all modules of an importable package."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=False, cache_dir=None)
    return {
        module: frozenset(graph.find_modules_directly_imported_by(module))
        for module in sorted(graph.modules)
    }


def inside(module: str, folder: str) -> bool:
    """Whether it is the folder's `__init__` or below it."""
    return module == folder or module.startswith(f"{folder}.")


def child(module: str, folder: str) -> str:
    """The entry of the folder that holds a module of it: `a.b` of `a.b.c` in `a`, `a` of `a`."""
    rest = module.removeprefix(folder).removeprefix(".")
    return f"{folder}.{rest.split('.')[0]}" if rest else folder


def folders(imports: Imports) -> list[str]:
    """All packages, from the top down."""
    return sorted({module.rpartition(".")[0] for module in imports} - {""})


def entries(imports: Imports, folder: str) -> list[str]:
    """What a folder holds: its modules and subfolders, and itself for its `__init__`."""
    return sorted({child(module, folder) for module in imports if inside(module, folder)})


def arrows(imports: Imports, folder: str) -> dict[str, set[str]]:
    """Which entries of a folder import which others."""
    found: dict[str, set[str]] = {entry: set() for entry in entries(imports, folder)}
    for module, imported in imports.items():
        if inside(module, folder):
            start = child(module, folder)
            ends = {child(other, folder) for other in imported if inside(other, folder)}
            found[start] |= ends - {start}
    return found


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """What can be come to from an entry by one arrow or more."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        entry = waiting.pop()
        if entry not in found:
            found.add(entry)
            waiting.extend(graph[entry])
    return found


def circles(imports: Imports) -> list[str]:
    """Entries of one folder that import each other, directly or by a way round; one line each."""
    found = []
    for folder in folders(imports):
        graph = arrows(imports, folder)
        below = {entry: reachable(graph, entry) for entry in graph}
        seen: set[str] = set()
        for entry in graph:
            members = {other for other in below[entry] if entry in below[other]}
            if members and entry not in seen:
                seen |= members
                found.append(f"{folder}: {', '.join(sorted(members))}")
    return found


@dataclass(frozen=True)
class Layers:
    """A contract that orders the entries of a folder, the highest row first."""

    folder: str
    rows: tuple[tuple[str, ...], ...]
    independent: tuple[bool, ...]
    """Whether the entries of a row must not import each other."""
    text: tuple[str, ...]
    """The rows as they are written in the contract."""


def layers() -> dict[str, Layers]:
    """The layers of pyproject.toml by folder."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    found = {}
    for contract in settings["contracts"]:
        if contract["type"] != "layers":
            continue
        for folder in contract.get("containers", [""]):
            prefix = f"{folder}." if folder else ""
            written = tuple(contract["layers"])
            rows = tuple(tuple(prefix + name for name in _names(row)) for row in written)
            first = folder or rows[0][0].rpartition(".")[0]
            independent = tuple(":" not in row for row in written)
            found[first] = Layers(first, rows, independent, written)
    return found


def _names(row: str) -> list[str]:
    return row.replace("|", " ").replace(":", " ").replace("(", " ").replace(")", " ").split()


def upward(imports: Imports, order: Layers) -> list[str]:
    """Imports of a folder that go up, or along a row whose entries are independent."""
    row_of = {entry: k for k, row in enumerate(order.rows) for entry in row}
    found = []
    for module, imported in imports.items():
        start = child(module, order.folder) if inside(module, order.folder) else ""
        for other in sorted(imported):
            end = child(other, order.folder) if inside(other, order.folder) else ""
            if start == end or start not in row_of or end not in row_of:
                continue
            above, below = row_of[start], row_of[end]
            if above > below or (above == below and order.independent[above]):
                found.append(f"{module} -> {other}")
    return found


def unplaced(imports: Imports, order: Layers) -> list[str]:
    """Entries of a folder that no row names; `__init__` and `__main__` stand above all."""
    placed = {entry for row in order.rows for entry in row}
    above = {order.folder, f"{order.folder}.__main__"}
    return sorted(set(entries(imports, order.folder)) - placed - above)


def packages() -> list[Path]:
    """The folders of all packages, relative to that of `equilibrist`, which is not among them."""
    top = SOURCES / PACKAGE
    return [path.parent.relative_to(top) for path in sorted(top.glob("*/**/__init__.py"))]


def test_folders() -> dict[str, bool]:
    """The folders of the tests, relative to `tests`, and whether tests are in or below them."""
    top = ROOT / "tests"
    return {
        str(path.relative_to(top)): any(path.rglob("test_*.py"))
        for path in sorted(top.rglob("*"))
        if path.is_dir() and path.name != "__pycache__" and any(path.rglob("*.py"))
    }


def place_of_tests(package: Path) -> str:
    """The folder of a package's tests, relative to `tests`: `jit` for `_jit`."""
    return str(Path(*(part.lstrip("_") for part in package.parts)))


def hidden_names() -> list[str]:
    """Packages and modules with the name of something else that is public beside them.

    Once imported, they would hide it.
    """
    found = []
    for path in sorted((SOURCES / PACKAGE).rglob("*.py")):
        entry = path.parent if path.stem == "__init__" else path.with_suffix("")
        name = ".".join(entry.relative_to(SOURCES).parts)
        parent, _, last = name.rpartition(".")
        homes = getattr(importlib.import_module(parent), "_PUBLIC", {}) if parent else {}
        if last in homes and homes[last] != name:
            found.append(name)
    return found


def summary(package: str) -> str:
    """The first line of a package's or module's docstring, without its full stop."""
    path = SOURCES.joinpath(*package.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    written = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return " ".join(written.split("\n\n")[0].split()).rstrip(".")


def modules_of(imports: Imports, entry: str) -> int:
    """Modules of a package with all below it, `__init__` not counted; 1 of a module."""
    known = set(folders(imports))
    if entry not in known:
        return 1
    return sum(inside(module, entry) and module not in known for module in imports)


def subpackages(imports: Imports, entry: str) -> Iterator[str]:
    """The packages right below a package."""
    for folder in folders(imports):
        if folder.rpartition(".")[0] == entry:
            yield folder
