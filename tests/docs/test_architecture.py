"""The architecture of the sources is what the page, the picture and CONTRIBUTING.md say."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from importlib.util import find_spec

import pytest

from docs import architecture_picture, import_graph
from docs.import_graph import ROOT, read_imports
from tests.docs.markdown import blocks

PAGE = ROOT / "docs" / "architecture.md"
TOP = import_graph.SOURCES / "equilibrist"
NO_PACKAGE = {"benchmarks", "docs", "golden", "messages", "packaging", "papers", "properties"}
"""Folders of tests that are of no package, or of many."""
GROUPS = {
    "cli/process",
    "solvers/sampling/averages",
    "solvers/sampling/runs",
    "strategy",
    "web/browser",
}
"""Folders of tests that divide those of one package, or gather those of one module."""
TESTED_ELSEWHERE = {
    "kernels",
    "reference",
    "rules",
    "cli/commands",
    "web",
}
"""Kernels are tested by the solvers that run them and against `reference`, commands one by one.

Pages are tested in `web/browser` and `web/js`, the documents that they show by feature.
"""
REDRAW = "run: python docs/architecture_picture.py"


ONE_IMPORTER = (
    "cli/commands/",
    "cli/postflop/browse.py",
    "mcp/command.py",
    "reference/",
    "web/workers/",
)
"""Where short modules have one importer by their role, as the `routes` of the browser have."""


def test_no_module_is_a_fragment_of_another() -> None:
    """A module of less than 60 lines has two importers at least; else it belongs to the one."""
    importers = Counter(used for each in read_imports().values() for used in each)
    short = 0
    for path in TOP.rglob("*.py"):
        place = path.relative_to(TOP)
        lines = len(path.read_text("utf-8").splitlines())
        is_public = path.stem.strip("_") == path.stem
        if lines < 60 and is_public:
            short += 1
            name = ".".join(("equilibrist", *place.with_suffix("").parts))
            if not (place.as_posix().startswith(ONE_IMPORTER) or place.stem.endswith("routes")):
                assert importers[name] > 1, f"{place} has {lines} lines and one importer"
    assert 10 < short <= 53


@pytest.mark.slow
def test_a_long_function_says_why_it_is() -> None:
    """Above 100 lines without its docstring."""
    unexplained = []
    for path in TOP.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            described = len((ast.get_docstring(node, clean=False) or "").splitlines())
            if len(lines) - described > 100 and not any("# Long: " in line for line in lines):
                unexplained.append((path.name, node.name))
    assert unexplained == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert len(read_imports()) > 300
    assert import_graph.circles(read_imports()) == []


@pytest.mark.parametrize("folder", import_graph.layers())
def test_imports_run_down_the_layers(folder: str) -> None:
    order = import_graph.layers()[folder]
    assert import_graph.upward(read_imports(), order) == []
    assert import_graph.unplaced(read_imports(), order) == []


def test_the_large_packages_have_layers() -> None:
    """Of the packages with packages inside; `reference` and `rules` are order enough."""
    inner = {str(path.parent) for path in import_graph.packages() if len(path.parts) == 2}
    named = {folder.removeprefix("equilibrist.") for folder in import_graph.layers()}
    assert inner - named == {"reference", "rules"}


def test_no_package_hides_a_public_name() -> None:
    assert import_graph.hidden_names() == []


def test_tests_mirror_the_packages() -> None:
    folders = import_graph.test_folders()
    places = {import_graph.place_of_tests(package) for package in import_graph.packages()}
    assert set(folders) - places == NO_PACKAGE | GROUPS
    untested = {place for place in places if not folders.get(place)}
    assert {place.rpartition("/")[0] for place in untested} <= TESTED_ELSEWHERE
    assert "" not in {place.rpartition("/")[0] for place in untested}


def test_the_picture_is_what_the_imports_say() -> None:
    order = import_graph.layers()["equilibrist"]
    drawn = architecture_picture.picture(read_imports(), order)
    assert architecture_picture.PICTURE.read_text("utf-8") == drawn, REDRAW


def test_contributing_has_the_layers_of_the_contract() -> None:
    text = architecture_picture.CONTRIBUTING.read_text("utf-8")
    order = import_graph.layers()["equilibrist"]
    (listed,) = [b.text for b in blocks(architecture_picture.CONTRIBUTING) if b.language == "text"]
    assert listed == architecture_picture.layers_text(order), REDRAW
    assert architecture_picture.contributing(text, order) == text


def test_every_path_on_the_page_is_there() -> None:
    text = PAGE.read_text("utf-8")
    paths = re.findall(r"`((?:[\w-]+/)+(?:[\w-]+\.\w+)?|\w+\.(?:py|toml))`", text)
    assert len(paths) > 60
    missing = [path for path in paths if not (TOP / path).exists() and not (ROOT / path).exists()]
    assert missing == []


def test_every_package_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    for entry in import_graph.entries(read_imports(), "equilibrist"):
        name = entry.removeprefix("equilibrist").removeprefix(".")
        if name not in ("", "__main__"):
            assert re.search(rf"^\| `{name}(/|\.py)` \|", text, re.MULTILINE), name


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or a name that a module has."""
    owner, _, attribute = name.rpartition(".")
    if find_spec(owner) is None:
        return False
    module = importlib.import_module(owner)
    return hasattr(module, attribute) or (
        hasattr(module, "__path__") and find_spec(name) is not None
    )


def test_dotted_names_in_the_sources_exist() -> None:
    """Those in backquotes that begin with a package: `equilibrist.solve`, `games.library.leduc`."""
    packages = sorted(path.parent.name for path in TOP.glob("*/__init__.py"))
    name = re.compile(rf"`(?:equilibrist\.)?((?:{'|'.join(packages)})\.[\w.]+\w)`")
    found = {
        (path, dotted) for path in TOP.rglob("*.py") for dotted in name.findall(path.read_text())
    }
    assert len(found) > 30
    stale = [(p.name, dotted) for p, dotted in found if not resolves(f"equilibrist.{dotted}")]
    assert sorted(stale) == []
