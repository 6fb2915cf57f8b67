"""Which cases of a parametrised test run by default, and which only with `pytest -m slow`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def slow(*values: Any) -> Any:
    """A case that runs with `-m slow` only; the arguments are those of `pytest.param`."""
    return pytest.param(*values, marks=pytest.mark.slow)


def slow_but(kept: Sequence[Any], cases: Sequence[Any]) -> list[Any]:
    """The cases of one argument: those that are `kept` run by default, the others are slow.

    A test with several parametrised arguments runs by default where all its cases do.
    """
    assert all(case in cases for case in kept)
    return [case if case in kept else slow(case) for case in cases]
