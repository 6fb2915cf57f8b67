"""Which cases of a parametrised test run by default, and which only with `pytest -m slow`.

Tests of random examples (Hypothesis) run by default with few examples, and with all of theirs
under `-m slow`, `-m ""` or any other marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

FEW_EXAMPLES = 30


def choose_examples(*, thorough: bool, derandomize: bool) -> None:
    """Load the profile of Hypothesis: few examples, or all."""
    # A first call compiles a kernel, so an example's time says nothing: no deadline.
    settings.register_profile(
        "equilibrist",
        max_examples=100 if thorough else FEW_EXAMPLES,
        deadline=None,
        derandomize=derandomize,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("equilibrist")


def examples(number: int, few: int = FEW_EXAMPLES) -> int:
    """`number`, where a test wants another than the profile's; at most `few` by default."""
    return min(number, few) if settings().max_examples == FEW_EXAMPLES else number


def slow(*values: Any) -> Any:
    """A case that runs with `-m slow` only; the values are those of its arguments."""
    return pytest.param(*values, marks=pytest.mark.slow)


def slow_but(kept: Sequence[Any], cases: Iterable[Any]) -> list[Any]:
    """The cases of one argument: those that are `kept` run by default, the others are slow.

    A test with several parametrised arguments runs by default where each of its cases does.
    """
    listed = list(cases)
    assert all(case in listed for case in kept)
    return [case if case in kept else slow(case) for case in listed]


def slow_unless(kept: Callable[..., bool], *arguments: Iterable[Any]) -> list[Any]:
    """All combinations of several arguments: those for which `kept` says so run by default."""
    cases = list(product(*arguments))
    assert any(kept(*case) for case in cases)
    return [case if kept(*case) else slow(*case) for case in cases]
