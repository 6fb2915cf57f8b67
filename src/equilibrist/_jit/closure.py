"""Import closures: the sources on which the machine code of a kernel depends, and their hash.

A kernel is compiled together with all functions that it calls and all globals that it reads.
These come from its own module and from those that it imports, directly or not. Imports are found
in the source, wherever they stand, without running it. Those under `if TYPE_CHECKING` never run
and do not count. A package's `__init__` counts where something is imported from the package; where
the package itself is imported (`from equilibrist import kernels`), so do all modules in it. The
modules of `_jit` always count: they set the options of the compiler.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist._jit import manifest

PACKAGE: Final = Path(__file__).parents[1]
_PACKAGE_ROOT: Final = (PACKAGE.name, PACKAGE.parent)

Roots = tuple[tuple[str, Path], ...]
"""Top-level packages that closures follow, each with the folder that it lies in."""


class _Source(NamedTuple):
    path: Path
    digest: str
    imports: tuple[manifest.Import, ...]


@cache
def fingerprint(module: str, file: Path) -> str:
    """SHA-256 (first 16 hex digits) over dotted names and sources of a module's closure."""
    digest = _hash(closure(module, file).values())
    manifest.save()
    return digest


def fingerprint_of_modules(*modules: str) -> str:
    """SHA-256 (16 hex digits) over the closures of several modules of equilibrist."""
    return _hash(fingerprint(name, module_file(name)) for name in modules)


@cache
def kernel_fingerprint() -> str:
    """SHA-256 (first 16 hex digits) over the names and sources of all kernel files."""
    files = sorted([*(PACKAGE / "_jit").rglob("*.py"), *(PACKAGE / "kernels").rglob("*.py")])
    names = (f"{file.relative_to(PACKAGE).as_posix()} {_read(file).digest}" for file in files)
    return _hash(names)


def module_file(name: str) -> Path:
    """The file of a module of equilibrist; ModuleNotFoundError if there is none."""
    file = _find(name, (_PACKAGE_ROOT,))
    if file is None:
        raise ModuleNotFoundError(f"there is no module {name}", name=name)
    return file


def closure(module: str, file: Path) -> dict[str, str]:
    """By dotted name, the name and the hash of every source that `module` depends on.

    `file` is where it lies. Modules of its own top-level package are followed, and those of
    equilibrist; a script has no package, and of its imports only equilibrist's count.
    """
    roots = _roots(module, file)
    start = {module: file, "equilibrist._jit": PACKAGE / "_jit" / "__init__.py"}
    sources: dict[str, str] = {}
    pending = list(start.items())
    while pending:
        name, path = pending.pop()
        if name not in sources:
            sources[name] = f"{name} {_read(path).digest}"
            pending += _targets(name, path, roots)
    return {name: sources[name] for name in sorted(sources)}


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _roots(module: str, file: Path) -> Roots:
    parts = module.split(".")
    place = file.parent if file.name == "__init__.py" else file.with_suffix("")
    in_package = len(parts) > 1 or file.name == "__init__.py"
    if parts[0] != PACKAGE.name and in_package and place.parts[-len(parts) :] == tuple(parts):
        return (_PACKAGE_ROOT, (parts[0], place.parents[len(parts) - 1]))
    return (_PACKAGE_ROOT,)


@cache
def _find(name: str, roots: Roots) -> Path | None:
    """The file of a module, if it belongs to one of the packages that are followed."""
    top, *below = name.split(".")
    for known, folder in roots:
        if known == top:
            place = folder.joinpath(top, *below)
            for file in (place / "__init__.py", place.parent / f"{place.name}.py"):
                if file.is_file():
                    return file
    return None


@cache
def _targets(name: str, path: Path, roots: Roots) -> tuple[tuple[str, Path], ...]:
    """The modules that one imports."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    files: dict[str, Path] = {}
    for level, module, names in _read(path).imports:
        above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
        origin = ".".join([*above, *filter(None, [module])])
        taken = {dotted: _find(dotted, roots) for dotted in (f"{origin}.{name}" for name in names)}
        files |= {n: f for dotted, file in taken.items() if file for n, f in _whole(dotted, file)}
        file = _find(origin, roots)
        if file is None:
            continue
        if not names:
            files |= dict(_whole(origin, file))
        elif file.parent != PACKAGE or None in taken.values():
            files[origin] = file  # a name in it may hide a module, but not in equilibrist's own
    return tuple(files.items())


def _whole(name: str, file: Path) -> Iterator[tuple[str, Path]]:
    """A module; if it is a package, all modules below, which may be reached as its attributes."""
    yield name, file
    if file.name != "__init__.py" or file.parent == PACKAGE:
        return
    for path in sorted(file.parent.rglob("*.py")):
        parts = path.relative_to(file.parent).with_suffix("").parts
        if path != file:
            yield ".".join([name, *parts]).removesuffix(".__init__"), path


@cache
def _read(path: Path) -> _Source:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return _Source(path, digest, manifest.imports_of(digest, data))
