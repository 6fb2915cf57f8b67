"""The contents of the kernel cache: folders of the present sources, and of others."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist._jit import manifest, numba_internals
from equilibrist._jit.closure import PACKAGE, fingerprint, module_file
from equilibrist._jit.places import cache_root, kernels_dir

_ENTRY: Final = re.compile(r"([A-Za-z_][\w.]*)-([0-9a-f]{16})")
"""Module and closure, as in `equilibrist.kernels.full_traversals-0123456789abcdef`."""
_FORMER: Final = re.compile(r"kernels-[0-9a-f]{16}")
"""One folder for all kernels of a version: the former layout."""
_RECORDS: Final = "complete-*.json"
"""Lists of all files that `warm_cache` leaves, by the sources that it ran."""
_MOST_RECORDS: Final = 9


class Inventory(NamedTuple):
    """Folders of machine code: compiled from the present sources, and from others."""

    present: list[Path]
    old: list[Path]


def inventory() -> Inventory:
    """Our own folders of the cache; links and whatever else lies there are left out."""
    entries = Inventory([], [])
    for path in _folders(kernels_dir()):
        entry = _ENTRY.fullmatch(path.name)
        if entry:
            (entries.present if _is_present(*entry.groups()) else entries.old).append(path)
    entries.old.extend(path for path in _folders(cache_root()) if _FORMER.fullmatch(path.name))
    return entries


def files_in(folders: list[Path]) -> dict[Path, int]:
    """All files in them, with their sizes in bytes."""
    sizes = {}
    for folder in folders:
        for path in folder.rglob("*"):
            try:
                if path.is_file():
                    sizes[path] = path.stat().st_size
            except OSError:  # another process may clear at the same time
                continue
    return sizes


def present_files() -> set[Path]:
    """All files that were compiled from the present sources."""
    return set(files_in(inventory().present))


def is_complete() -> bool:
    """Whether all kernels have been compiled from the present sources, and none was removed."""
    try:
        kept = json.loads(_record().read_text("utf-8"))
        return isinstance(kept, list) and all((kernels_dir() / file).is_file() for file in kept)
    except (OSError, ValueError, TypeError):
        return False


def note_complete() -> None:
    """Note that all kernels are compiled from the present sources."""
    folder, record = kernels_dir(), _record()
    files = sorted(file.relative_to(folder).as_posix() for file in present_files())
    with suppress(OSError):
        temporary = record.with_name(f"{record.name}.{os.getpid()}")
        temporary.write_text(json.dumps(files), "utf-8")
        temporary.replace(record)
        records = sorted(folder.glob(_RECORDS), key=lambda file: -file.stat().st_mtime)
        for outdated in records[_MOST_RECORDS:]:
            outdated.unlink()


def _record() -> Path:
    """Named after all sources, since any may call kernels with other arrays, and the compiler."""
    digest = hashlib.sha256(repr(numba_internals.compiler()).encode())
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(file.relative_to(PACKAGE).as_posix().encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return kernels_dir() / _RECORDS.replace("*", digest.hexdigest()[:16])


def remove(folders: list[Path]) -> None:
    """Remove folders of the inventory, and what is left empty; OSError if one cannot be removed."""
    for folder in folders:
        shutil.rmtree(folder)
    rest = kernels_dir()
    for record in rest.glob(_RECORDS):
        record.unlink()
    if rest.is_dir() and all(path.name == manifest.FILE for path in rest.iterdir()):
        shutil.rmtree(rest)


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir() and not path.is_symlink())


def _is_present(module: str, closure: str) -> bool:
    try:
        return fingerprint(module, module_file(module)) == closure
    except ModuleNotFoundError:
        return False
