"""Values of options from texts, which a command line or a request of the browser gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final

from equilibrist.options.option import Kind, Option, Options
from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.quantities import (
    read_bytes,
    read_count,
    read_positive,
    read_seconds,
    read_whole,
)

_READERS: Final[dict[Kind, Callable[[Any, str], Any]]] = {
    "memory": read_bytes,
    "number": read_positive,
    "time": read_seconds,
    "whole number": read_whole,
    "whole numbers": lambda texts, name: [
        read_whole(text, name) for text in ",".join(texts).split(",")
    ],
}
_NUMBERS: Final[dict[Kind, type]] = {"amount": float, "chips": int}
"""Values that a spot rejects by name where they are not numbers; they then stay text."""


def read(name: str, option: Option, value: Any) -> Any:
    """The value of the field `name` from its text.

    Args:
        name: The field, for errors.
        option: How its text is read.
        value: The text; None or an empty list where the option is not given.

    Returns:
        The value; of an option that is not given its default, or None.

    Raises:
        ConfigError: The text is no such value.
    """
    if value is None or value == []:
        return None if option.make_default is None else option.make_default()
    if isinstance(value, StrEnum):
        return value.value
    if option.kind in _NUMBERS:
        with suppress(ValueError):
            return _NUMBERS[option.kind](value)
        return value
    if option.kind == "count":
        return read_count(value, name, option.least or 1)
    if option.kind in _READERS:
        value = _READERS[option.kind](value, name)
    return value if option.least is None else whole_number(name, value, option.least)


def read_all(options: Options, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all `options`, None where there is no text and no default."""
    return {name: read(name, option, values[name]) for name, option in options.items()}


def read_texts(options: Options, texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of those `options` that have a text; that of a switch is true or false."""
    return {
        name: text == "true" if options[name].kind == "switch" else read(name, options[name], text)
        for name, text in texts.items()
    }
