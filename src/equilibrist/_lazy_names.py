"""Public names of a package that import their modules on first use.

A package lists its names and their modules in `_PUBLIC`, and imports the same names for type
checkers; a test compares the two.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `equilibrist/__init__.py`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose names are imported on first use.

    Args:
        package: `__name__` of the package.
        homes: The module that defines each name; for a subpackage, the subpackage itself.

    Returns:
        `__getattr__`, which raises AttributeError for any other name, and `__dir__`.
    """
    names = vars(sys.modules[package])

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(home)
        value = module if home == f"{package}.{name}" else getattr(module, name)
        names[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*names.get("__all__", ()), *homes})

    return load, listed
