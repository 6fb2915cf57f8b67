"""The wheel that `python -m build` makes, what is in it, and how it runs in a new environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import equilibrist
from equilibrist import load_result

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
IGNORED = [
    line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split() if line.strip()
]
NAME = f"equilibrist-{equilibrist.__version__}"
RIVER = """board = "Ts3h2h5c9s"
oop = "AA,QQ"
ip = "KK"
pot = 100
stack = 100
bets = "a"
"""
EVERYTHING = """
import importlib, importlib.resources, pkgutil, equilibrist, equilibrist.errors
from equilibrist.rules.module import SHIPPED
print(equilibrist.__file__)
assert (importlib.resources.files("equilibrist") / "py.typed").is_file()
for module in pkgutil.walk_packages(equilibrist.__path__, "equilibrist."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except equilibrist.errors.ConfigError as error:
        assert error.option == "package", error
        print(module.name)
    except ModuleNotFoundError:  # what is behind commands that need the extras web and mcp
        behind = ("equilibrist.mcp.", "equilibrist.web.", "equilibrist.protocols.serving.")
        if not module.name.startswith(behind):
            raise
for rules in SHIPPED:
    assert equilibrist.load_game("rules:" + rules).num_players == 2
"""


class Built(NamedTuple):
    """What was built."""

    sdist: Path
    wheel: Path
    """Made from the sdist."""
    direct: Path
    """Made from the tree."""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What a command prints; an AssertionError with all that it says if it fails."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=inherited | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def content(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository alone, without what git ignores."""
    folder = tmp_path_factory.mktemp("export") / "equilibrist"
    return shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *IGNORED))


@pytest.fixture(scope="module")
def built(tree: Path) -> Built:
    """An sdist and a wheel of it, as `python -m build` makes them, and a wheel of the tree."""
    for options in (["--outdir", "dist"], ["--wheel", "--outdir", "direct"]):
        run(sys.executable, "-m", "build", *options, cwd=tree)
    (sdist,) = (tree / "dist").glob("*.tar.gz")
    (wheel,) = (tree / "dist").glob("*.whl")
    (direct,) = (tree / "direct").glob("*.whl")
    assert sorted((tree / "dist").iterdir()) == sorted([sdist, wheel])
    return Built(sdist, wheel, direct)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a new environment with the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    # Bytecode is made of what is imported alone.
    install = ("-m", "pip", "install", "--no-compile", built.wheel)
    run(programs / "python", *install, cwd=folder)
    return programs


def test_the_wheel_holds_the_package_and_nothing_else(built: Built, tree: Path) -> None:
    files = content(built.wheel)
    information = f"{NAME}.dist-info/"
    ours = {name: data for name, data in files.items() if not name.startswith(information)}
    sources = tree / "src"
    expected = {
        path.relative_to(sources).as_posix(): path.read_bytes()
        for path in sources.rglob("*")
        if path.is_file()
    }
    assert len(expected) > 300
    assert "equilibrist/py.typed" in expected
    assert ours == expected
    assert {name.removeprefix(information) for name in files if name not in ours} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }


def test_the_wheel_is_pure_and_says_what_it_needs(built: Built) -> None:
    assert built.wheel.name == f"{NAME}-py3-none-any.whl"
    metadata = content(built.wheel)[f"{NAME}.dist-info/METADATA"].decode()
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    systems = [line for line in metadata.splitlines() if "Operating System ::" in line]
    assert systems == ["Classifier: Operating System :: POSIX :: Linux"]


def test_a_wheel_of_the_sdist_is_that_of_the_tree(built: Built) -> None:
    assert content(built.wheel) == content(built.direct)


def test_the_sdist_holds_what_its_tests_need(built: Built, tree: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.removeprefix(f"{NAME}/") for name in archive.getnames()}
    for folder in ("src", "tests", "docs", "examples", "benchmarks"):
        files = {p.relative_to(tree).as_posix() for p in (tree / folder).rglob("*") if p.is_file()}
        assert len(files) > 3
        assert files <= names
    assert {"README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "pyproject.toml"} <= names
    assert {"Dockerfile", ".dockerignore"} <= names


def test_the_installed_package_runs(installed: Path, tmp_path: Path) -> None:
    """In a folder of its own; a game with an empty cache of kernels, a spot with the usual one."""
    cache = {"EQUILIBRIST_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_OPT": "0"}
    python, program = installed / "python", installed / "equilibrist"
    version = f"equilibrist {equilibrist.__version__}\n"
    assert run(program, "--version", cwd=tmp_path) == version
    assert run(python, "-m", "equilibrist", "--version", cwd=tmp_path) == version
    run(program, "solve", "kuhn", "--quiet", "--out", "kuhn.safetensors", cwd=tmp_path, **cache)
    assert load_result(tmp_path / "kuhn.safetensors").exploitability <= 4e-4
    (tmp_path / "jam.toml").write_text(RIVER, encoding="utf-8")
    spot = ("jam.toml", "--target", "0.1%", "--out", "jam.spot")
    printed = run(program, "postflop", "solve", *spot, cwd=tmp_path)
    assert "target reached" in printed
    solution: Any = load_result(tmp_path / "jam.spot")
    assert solution.ev == pytest.approx((75, 25), abs=0.2)


def test_every_module_and_the_rules_are_there_without_extras(
    installed: Path, tmp_path: Path
) -> None:
    place, *lacking = run(installed / "python", "-c", EVERYTHING, cwd=tmp_path).splitlines()
    where = Path(place)
    assert lacking == ["equilibrist.interop.spiel_game"]  # a class derived from OpenSpiel's
    assert where.is_relative_to(installed.parent)
    assert not where.is_relative_to(ROOT / "src")
