"""The versions of Python and packages, recorded in every result and file."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from equilibrist._version import __version__


@cache
def _packages() -> tuple[tuple[str, str], ...]:
    found = [("equilibrist", __version__), ("python", platform.python_version())]
    for name in ("numpy", "numba", "scipy"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, "unknown"))
    return tuple(found)


def versions() -> dict[str, str]:
    """Versions of equilibrist, Python and the packages that compute."""
    return dict(_packages())
