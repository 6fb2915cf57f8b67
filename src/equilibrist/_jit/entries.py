"""The cache folder of a kernel's module: named after the module and its import closure."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from equilibrist._jit.closure import PACKAGE, fingerprint, module_file
from equilibrist._jit.places import kernels_dir, writable_kernels_dir


def folder_for(fn: Callable[..., Any], sources: str = "") -> Path | None:
    """Where compiled copies of `fn` are kept; None if they live in memory only.

    `sources` fingerprints what it depends on besides its import closure.
    """
    if writable_kernels_dir() is None:
        return None
    try:
        file = _file_of(fn)
        name = fn.__module__ if fn.__module__ != "__main__" else file.stem
        return _folder(name, file, sources)
    except (
        OSError,
        TypeError,
        SyntaxError,
        ModuleNotFoundError,
    ):  # typed in, or in an archive: no source to hash
        return None


def module_folder(module: str) -> Path | None:
    """Where else what a module of equilibrist makes is kept; None where nothing can be kept."""
    return None if writable_kernels_dir() is None else _folder(module, module_file(module))


def cache_is_warm(kernel: str, kind: str = "", sources: str = "") -> bool:
    """Whether a kernel is on disk, compiled from the present sources.

    Args:
        kernel: Its dotted name, `equilibrist.kernels.full_traversals.run`.
        kind: The types of arrays it must be compiled for, as `mark_warm` was told.
        sources: As `bound_kernel` was told.

    Raises:
        ModuleNotFoundError: If there is no such module.
    """
    module, _, name = kernel.rpartition(".")
    folder = _folder(module, module_file(module), sources)
    # Without a compiled copy of the kernel itself, a mark says nothing.
    try:
        is_cached = (folder / f"{name}.{python_tag()}.nbi").is_file()
        return is_cached and (not kind or _mark(folder, name, kind).exists())
    except OSError:  # the folder is another user's
        return False


def mark_warm(kernel: str, kind: str) -> None:
    """Note that the kernel is on disk for arrays of that kind: Numba's files do not say it."""
    module, _, name = kernel.rpartition(".")
    with suppress(OSError):
        if cache_is_warm(kernel):
            _mark(_folder(module, module_file(module)), name, kind).touch()


def _file_of(fn: Callable[..., Any]) -> Path:
    """The file of its module, which is another than its source's after `with_globals`."""
    file = Path(inspect.getfile(fn)).absolute()
    return module_file(fn.__module__) if file.is_relative_to(PACKAGE) else file


def python_tag() -> str:
    """The Python that machine code was compiled for."""
    return f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"


def _folder(module: str, file: Path, sources: str = "") -> Path:
    folder = kernels_dir() / f"{module}-{fingerprint(module, file)}"
    return folder / sources[:16] if sources else folder


def _mark(folder: Path, name: str, kind: str) -> Path:
    return folder / f"{name}.{python_tag()}.{kind}"
