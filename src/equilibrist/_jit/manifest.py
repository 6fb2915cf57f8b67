"""The imports of each source file, cached on disk by its hash, since parsing is slow.

Parsing all kernels takes 70 ms, which every start of a process would pay.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from equilibrist._jit.places import writable_kernels_dir

Import = tuple[int, str, tuple[str, ...]]
"""Level (leading dots), module and names of `from module import names`; no names for `import`."""

FILE: Final = "imports-1.json"
"""The number changes with what is kept."""
_MOST: Final = 2000
"""Sources kept; the file starts over when there are more."""

_KNOWN: dict[Path | None, dict[str, tuple[Import, ...]]] = {}
_UNSAVED: set[str] = set()


def imports_of(digest: str, source: bytes) -> tuple[Import, ...]:
    """The imports in a Python source with that SHA-256, whether at its top or in functions."""
    folder = writable_kernels_dir()
    if folder not in _KNOWN:
        _KNOWN[folder] = {} if folder is None else _load(folder / FILE)
    known = _KNOWN[folder]
    if digest not in known:
        known[digest] = tuple(_imports(ast.parse(source)))
        _UNSAVED.add(digest)
    return known[digest]


def save() -> None:
    """Write what has been found since the last time."""
    folder = writable_kernels_dir()
    if folder is not None and _UNSAVED:
        _save(folder / FILE, _KNOWN.get(folder, {}))
        _UNSAVED.clear()


def _imports(node: ast.AST) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from ((0, alias.name, ()) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.level, node.module or "", tuple(alias.name for alias in node.names)
    elif isinstance(node, ast.If) and _is_for_types(node.test):
        for other in node.orelse:
            yield from _imports(other)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _imports(child)


def _is_for_types(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _load(file: Path) -> dict[str, tuple[Import, ...]]:
    try:
        kept = json.loads(file.read_text("utf-8"))
        return {
            digest: tuple(
                (int(level), str(module), tuple(names)) for level, module, names in imports
            )
            for digest, imports in kept.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _save(file: Path, known: dict[str, tuple[Import, ...]]) -> None:
    """Write what other processes and this one know; any loss costs only parsing."""
    together = {**_load(file), **known}
    text = json.dumps(together if len(together) <= _MOST else known, separators=(",", ":"))
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        temporary.write_text(text, "utf-8")
        temporary.replace(file)
