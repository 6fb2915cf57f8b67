"""The sources of a rules module: the module itself and the user's modules that it imports."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from equilibrist.errors import GameSpecError
from equilibrist.parsing.user_code import failure_text, is_from_a_library

_SOURCE: Final = "__equilibrist_source__"
"""Where a module keeps what it was made from."""


def import_file(path: str | Path) -> ModuleType:
    """Run a rules module afresh; GameSpecError if it is missing or raises.

    Modules beside it are run afresh, too, whatever other modules of their names are loaded.
    """
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise GameSpecError(
            f"the rules module {str(path)!r} does not exist in {Path.cwd()}",
            option="file",
            given=path,
            remedy="check the name, and the folder that you are in",
        )
    digest = hashlib.sha256(str(file).encode()).hexdigest()[:12]
    module = ModuleType(f"_equilibrist_rules_{digest}_{file.stem}")
    module.__file__ = str(file)
    # Numba looks modules up by their names when it loads compiled functions.
    sys.modules[module.__name__] = module
    with _folder_first(file.parent):
        try:
            exec(compile(_source(module), str(file), "exec"), module.__dict__)  # noqa: S102
            module.__dict__["__imported__"] = _imports(module, file.parent)
        except (Exception, SystemExit) as error:
            del sys.modules[module.__name__]
            raise GameSpecError(
                f"{path} raised while it was loaded: {failure_text(error)}",
                option="file",
                given=type(error).__name__,
                place=str(path),
                expected="a file that Python runs",
            ) from None
    return module


def modules_of(module: ModuleType) -> list[ModuleType]:
    """A rules module, and all of the user's that it imports, directly or not."""
    return [module, *module.__dict__["__imported__"]]


def fingerprint(modules: list[ModuleType]) -> str:
    """SHA-256 over the names and sources of modules."""
    digest = hashlib.sha256()
    sources = {Path(str(module.__file__)): _source(module) for module in modules}
    for path in sorted(sources):
        source = sources[path]
        digest.update(f"{path.name} {len(source)} ".encode())
        digest.update(source)
    return digest.hexdigest()


def _source(module: ModuleType) -> bytes:
    """The source as it was when the module was first seen: what runs may differ from the file."""
    if _SOURCE not in module.__dict__:
        module.__dict__[_SOURCE] = Path(str(module.__file__)).read_bytes()
    return cast("bytes", module.__dict__[_SOURCE])


@contextmanager
def _folder_first(folder: Path) -> Iterator[None]:
    """Import from `folder` before anything else, and nothing that is loaded already."""
    names = {path.stem for path in folder.glob("*.py")}
    names |= {name for name, module in sys.modules.items() if _lies_below(folder, name, module)}
    aside = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        sys.modules.update(aside)


def _lies_below(folder: Path, name: str, module: object) -> bool:
    """Whether a module belongs to a package of the user's in that folder."""
    file = getattr(module, "__file__", None)
    if "." not in name and not hasattr(module, "__path__"):
        return False
    if not isinstance(file, str) or folder.name not in file:  # most are elsewhere, found fast
        return False
    return folder in Path(file).parents and not is_from_a_library(file)


def _imports(module: ModuleType, folder: Path) -> list[ModuleType]:
    """The user's modules that it imports; an edit of one of them changes the rules."""
    modules = [module]
    for importer in modules:
        tree = ast.parse(_source(importer))
        for name in _names(tree, importer.__package__ or ""):
            other = sys.modules.get(name)
            file = getattr(other, "__file__", None)
            if other is None or file is None or other in modules or not file.endswith(".py"):
                continue
            if folder in Path(file).parents or not is_from_a_library(file):
                modules.append(other)
    return modules[1:]


def _names(tree: ast.Module, package: str) -> Iterator[str]:
    """Names of all modules that a source may import, and of some that are none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                yield from (".".join(parts[: n + 1]) for n in range(len(parts)))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join(above) + "." if node.level else ""
            name = (start + (node.module or "")).strip(".")
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
