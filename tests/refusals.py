"""Which error is raised, by its class and fields; the sentences stand in `messages.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from equilibrist.errors import EquilibristError, plain

Refusal = TypeVar("Refusal", bound=EquilibristError)


def unchecked(argument: object) -> Any:
    """The same object, hidden from mypy: an argument that a signature does not take, on purpose."""
    return argument


@contextmanager
def refuses(kind: type[Refusal], /, **fields: object) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """`pytest.raises(kind)`, where the error is of no subclass and has these values of its fields.

    A given object counts as the error keeps it: a path as text, a list as its short representation.
    Of a place its end will do: "line 3" for "game.csv, line 3".
    """
    with pytest.raises(kind) as caught:
        yield caught
    check_error(caught.value, kind, **fields)


def check_error(error: object, kind: type[EquilibristError], /, **fields: object) -> None:
    """Assert that `error` is a `kind` with these values of its fields."""
    assert type(error) is kind, f"{type(error).__name__}, not {kind.__name__}: {error}"
    for name, wanted in fields.items():
        found = getattr(error, name)
        if name in ("given", "expected", "path"):
            wanted = plain(wanted)
        same = found == wanted or repr(found) == repr(wanted)  # NaN is not equal to itself
        if name == "place":
            same = same or f"{found}".endswith(f", {wanted}")
        assert same, f"{name} is {found!r}, not {wanted!r}: {error}"
    assert error.remedy is None or error.remedy in str(error)
