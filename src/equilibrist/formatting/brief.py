"""Short representations of objects that hold much: arrays, long tuples, moves of a hand."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

_MOST: Final = 80
"""Characters of a value that are shown."""
_FIRST: Final = 3
"""Items of a long tuple that are shown."""


def brief_repr(value: Any) -> str:
    """The representation of a dataclass or named tuple, with arrays and long values abridged.

    Args:
        value: The object.

    Returns:
        `Name(field=value, ...)`; an array is `float64[169, 2]`.
    """
    names = getattr(value, "_fields", None) or [field.name for field in fields(value)]
    shown = (f"{name}={brief(getattr(value, name))}" for name in names if name[0] != "_")
    return f"{type(value).__name__}({', '.join(shown)})"


def brief(value: Any) -> str:
    """The representation of a value in at most about 80 characters.

    Args:
        value: Any value.

    Returns:
        The representation, or its beginning and how much there is.
    """
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, tuple | list) and not hasattr(value, "_fields") and len(value) > _FIRST:
        whole = repr(value) if len(value) <= _MOST else ""
        if not whole or len(whole) > _MOST:
            first = ", ".join(map(brief, value[:_FIRST]))
            return _cut(f"({first}, ... {len(value):,} in all)")
    if isinstance(value, dict) and len(value) > _FIRST:
        first = ", ".join(map(brief, list(value)[:_FIRST]))
        return _cut(f"{{{first}, ... {len(value):,} keys}}")
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 4]} ..."
