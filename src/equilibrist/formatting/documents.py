"""Documents: what JSON can hold of an object, each of its fields named once."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any


def document(source: Any, names: str = "") -> dict[str, Any]:
    """Fields of an object by name, as JSON can hold them.

    Args:
        source: A dataclass, a named tuple or any other object.
        names: The names of its attributes in the order of the document, with blanks between them;
            by default all fields of a dataclass or a named tuple.

    Returns:
        {name: value}: tuples are lists, and what has fields of its own is a document in turn, that
        of its `to_dict` where it has one.
    """
    chosen = names.split() or getattr(source, "_fields", None) or [f.name for f in fields(source)]
    return {name: plain(getattr(source, name)) for name in chosen}


def plain(value: Any) -> Any:
    """A value as JSON can hold it.

    Args:
        value: A text, a number, None, or anything that is made of them.

    Returns:
        The value; lists for tuples and arrays, documents for what has fields, texts for paths.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) or hasattr(value, "_fields"):
        return document(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value) if isinstance(value, Path) else value
