"""Options of `solve` by their single names, as the groups that it takes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import equilibrist as eq

_GROUPS = {
    "sampling": eq.Sampling,
    "traversal": eq.Traversal,
    "abstraction": eq.GameAbstraction,
    "limits": eq.GameLimits,
    "files": eq.Files,
}


def grouped(options: dict[str, Any] | None = None, /, **more: Any) -> dict[str, Any]:
    """Arguments for `solve` and `compare`: `{"prune": "partial"}` becomes a `Traversal`."""
    left = {**(options or {}), **more}
    arguments: dict[str, Any] = {}
    for group, kind in _GROUPS.items():
        names = [field.name for field in fields(kind) if field.name in left]
        if names:
            arguments[group] = kind(**{name: left.pop(name) for name in names})
    return {**arguments, **left}
