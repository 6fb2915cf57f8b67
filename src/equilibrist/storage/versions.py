"""The versions of Python and packages, recorded in every result and file."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from equilibrist._version import __version__


@cache
def _packages() -> tuple[tuple[str, str], ...]:
    packages = [("equilibrist", __version__), ("python", platform.python_version())]
    for name in ("numpy", "numba", "scipy"):
        try:
            packages.append((name, version(name)))
        except PackageNotFoundError:
            packages.append((name, "unknown"))
    return tuple(packages)


def versions() -> dict[str, str]:
    """Versions of equilibrist, Python and the packages that compute."""
    return dict(_packages())


class FileHeader(BaseModel):
    """A header with exactly the fields of its class, of exactly their types; numbers are finite."""

    model_config = ConfigDict(
        defer_build=True, frozen=True, extra="forbid", strict=True, allow_inf_nan=False
    )

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> Self:
        """The header of a file, in which tuples are lists, and objects tables.

        Args:
            raw: What stands in the file.

        Returns:
            The header.

        Raises:
            ValueError: A field is missing, unknown, or of another type.
        """
        return cls.model_validate_json(json.dumps(raw))
