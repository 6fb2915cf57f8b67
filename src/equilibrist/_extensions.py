"""Entries that packages of higher layers add to registries of lower ones.

`equilibrist/__init__.py` says who adds what. Nothing is imported before a registry is made.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `equilibrist/__init__.py`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_LOADERS: dict[str, list[Callable[[], Mapping[str, Any]]]] = {}


def extend(registry: str, load: Callable[[], Mapping[str, Any]]) -> None:
    """Add entries to a registry, by name, behind its own; `load` is called when it is made."""
    _LOADERS.setdefault(registry, []).append(load)


def extensions(registry: str) -> dict[str, Any]:
    """All entries that were added to a registry."""
    return {name: entry for load in _LOADERS.get(registry, []) for name, entry in load().items()}
