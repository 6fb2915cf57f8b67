"""The folder of compiled kernels on disk."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path


def cache_root() -> Path:
    """The folder of the cache: EQUILIBRIST_CACHE_DIR, else the user's cache."""
    override = os.environ.get("EQUILIBRIST_CACHE_DIR")
    if override:
        return Path(os.path.expanduser(override))  # noqa: PTH111 - raises nothing
    with suppress(RuntimeError):
        folder = user_cache_path("equilibrist", appauthor=False, opinion=False)
        if folder.is_absolute():  # earlier versions raise nothing without a home
            return folder
    return _homeless() / ".cache" / "equilibrist"


def _homeless() -> Path:
    """A folder among the temporary ones, of a user without a home, as in a bare container."""
    user = getattr(os, "getuid", lambda: "user")()
    return _own_folder(Path(tempfile.gettempdir()) / f"equilibrist-{user}")


@cache
def _own_folder(folder: Path) -> Path:
    """This folder, or a new one if others may write to it: what is in the cache is executed."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        owner = getattr(os, "getuid", lambda: status.st_uid)()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == owner and not status.st_mode & 0o022:
            return folder
    return Path(tempfile.mkdtemp(prefix=f"{folder.name}-"))


def kernels_dir() -> Path:
    """The folder of compiled kernels, below `cache_root()`; versions share it."""
    return cache_root() / "kernels"


def writable_kernels_dir() -> Path | None:
    """`kernels_dir()`, made if need be; None if it cannot be written or is switched off."""
    if os.environ.get("EQUILIBRIST_NUMBA_CACHE", "1") == "0":
        return None
    folder = kernels_dir()
    return folder if _is_writable(folder) else None


@cache
def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True
