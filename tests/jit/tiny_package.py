"""A package of a few kernels that tests edit, and load as a process that starts would."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from equilibrist._jit import closure

HEAD = "from equilibrist._jit import inner_kernel, kernel\n"
KERNEL = HEAD + "{imports}\n\n@kernel\ndef run(out):\n    out[0] = {value}\n"
INNER = HEAD + "{imports}\n\n@inner_kernel\ndef {name}():\n    return {value}\n"
FILES = {
    "tiny/__init__.py": "SCALE = 1.0\n",
    "tiny/far.py": INNER.format(imports="", name="far", value="3.0"),
    "tiny/near.py": INNER.format(imports="from tiny.far import far", name="near", value="far()"),
    "tiny/direct.py": KERNEL.format(imports="from tiny.far import far", value="far()"),
    "tiny/steps.py": KERNEL.format(imports="from tiny.near import near", value="near()"),
    "tiny/scaled.py": KERNEL.format(imports="from tiny import SCALE", value="SCALE"),
    "tiny/alone.py": KERNEL.format(imports="", value="7.0"),
    "tiny/deeper/__init__.py": "",
    "tiny/deeper/alone.py": KERNEL.format(imports="", value="8.0"),
}
KERNELS = ("alone", "deeper.alone", "direct", "scaled", "steps")


def write_package(folder: Path) -> Path:
    """The package, in a folder that is then on `sys.path`."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def forget(*packages: str) -> None:
    """Let what is imported next be read from disk, as a process that starts does."""
    for name in [name for name in sys.modules if name.split(".")[0] in packages]:
        del sys.modules[name]
    importlib.invalidate_caches()
    for cached in (closure.fingerprint, closure._find, closure._targets, closure._read):
        cached.cache_clear()


def load(module: str) -> ModuleType:
    """Import a module and its package from their present sources."""
    forget(module.partition(".")[0])
    return importlib.import_module(module)


def run(kernel: Any) -> tuple[float, bool]:
    """What a kernel writes, and whether its machine code came from disk."""
    out = np.zeros(1)
    kernel(out)
    return float(out[0]), bool(sum(kernel.stats.cache_hits.values()))


def run_all() -> dict[str, tuple[float, bool]]:
    """All kernels of the package, each from a package that is imported once more."""
    return {name: run(load(f"tiny.{name}").run) for name in KERNELS}
