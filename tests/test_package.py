"""The package as a whole: what it exports, what importing it costs, how the house is kept."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import equilibrist

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "equilibrist").rglob("*.py"))
UNPICKLERS = {"pickle", "shelve", "marshal", "dill"}
COMING_ALONG = {"click", "llvmlite", "pydantic_core"}
"""What dependencies are never without."""


def modules_after(code: str) -> set[str]:
    """Names in sys.modules of a fresh interpreter that has run `code`."""
    script = f"{code}\nimport sys, json; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_version_has_one_source() -> None:
    assert importlib.metadata.version("equilibrist") == equilibrist.__version__


def test_version_heads_the_changelog_and_the_citation() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## {equilibrist.__version__}" in changelog
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {equilibrist.__version__}\n" in citation


def test_the_package_is_typed() -> None:
    files = importlib.metadata.files("equilibrist") or []
    installed = any(str(file).endswith("equilibrist/py.typed") for file in files)
    assert installed or (Path(equilibrist.__file__).parent / "py.typed").is_file()


def test_importing_the_package_loads_no_heavy_module() -> None:
    heavy = {"numpy", "numba", "scipy", "matplotlib", "rich", "typer", "pydantic"}
    assert modules_after("import equilibrist") & heavy == set()


def test_numba_is_not_loaded_before_a_kernel_is_needed() -> None:
    lines = (
        "import equilibrist.games; equilibrist.games.load_game('leduc')",
        "import equilibrist.reference.cfr, equilibrist.reference.response",
        "import equilibrist.cli.main",
        "import equilibrist.poker.ranges.range, equilibrist.poker.betting.rules",
    )
    check = "import sys; assert 'numba' not in sys.modules, {!r}"
    modules_after("\n".join(f"{line}\n{check.format(line)}" for line in lines))


def test_modules_stay_readable() -> None:
    """Modules have at most 800 lines, and no drawer named utils, helpers, common or core."""
    assert len(SOURCES) > 200
    for path in SOURCES:
        text = path.read_text("utf-8")
        assert len(text.splitlines()) <= 800, path
        assert path.stem not in {"utils", "util", "helpers", "helper", "common", "core"}, path
        assert path.parent.name not in {"utils", "helpers", "common", "core"}, path
        assert text.startswith('"""'), f"{path} does not say what it is for"


def test_no_pickle_is_ever_read() -> None:
    """Files from outside are never unpickled: no module imports pickle or allows it in NumPy."""
    for path in SOURCES:
        text = path.read_text("utf-8")
        assert "allow_pickle=True" not in text, path
        if not any(name in text for name in UNPICKLERS):
            continue
        for node in ast.walk(ast.parse(text)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not UNPICKLERS & {name.split(".")[0] for name in names}, path


def test_what_modules_import_comes_without_extras() -> None:
    """But for what needs an extra as a whole: servers and assistants."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in project["dependencies"]}
    known = {*sys.stdlib_module_names, *declared, *COMING_ALONG, "equilibrist"}
    package = ROOT / "src" / "equilibrist"
    behind = {package / "web", package / "mcp", package / "protocols" / "serving"}
    for path in SOURCES:
        if behind & {*path.parents}:
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert {name.split(".")[0] for name in names} <= known, path


def test_the_command_is_installed_under_the_name_the_readme_uses() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"equilibrist": "equilibrist.__main__:main"}
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="equilibrist")
    assert callable(script.load())
