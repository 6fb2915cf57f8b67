"""Which cases of a parametrised test run by default, and which only with `pytest -m slow`.

`@pytest.mark.by_default(3)` leaves three cases of a test to run by default, spread over all;
`slow_but` and `slow_unless` name the cases.

`@pytest.mark.drawn(20)` leaves twenty of the others to `-m slow`, for a test whose cases are many
combinations of a few values: hundreds of them fail together, and take minutes. Each value of each
argument is among them where so many can hold it; the same ones are drawn every time. A case that is
asked for by its name runs.

Tests of random examples (Hypothesis) run by default with few examples, and with all of theirs
under `-m slow`, `-m ""` or any other marks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
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


def cases_left_out(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The cases that `by_default` leaves to the slow tests.

    Of those that were collected: one that is asked for by its name runs.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("by_default"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = []
    for of_test in cases.values():
        quick = [item for item in of_test if not item.get_closest_marker("slow")]
        marker = of_test[0].get_closest_marker("by_default")
        assert marker is not None
        kept = spread(len(quick), *marker.args)
        left_out += [item for place, item in enumerate(quick) if place not in kept]
    return left_out


def cases_not_drawn(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The slow cases that `drawn` leaves out, of those that were collected."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("drawn"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = []
    for name, of_test in cases.items():
        slow = [item for item in of_test if item.get_closest_marker("slow")]
        quick = [_values(item) for item in of_test if not item.get_closest_marker("slow")]
        marker = of_test[0].get_closest_marker("drawn")
        assert marker is not None
        (number,) = marker.args
        tried = {value for values in quick for value in values}
        kept = draw([_values(item) for item in slow], number, name, tried)
        left_out += [item for place, item in enumerate(slow) if place not in kept]
    return left_out


def _values(item: pytest.Item) -> set[tuple[str, int]]:
    """The arguments of a case, each with the place of its value among those that it has."""
    indices: Mapping[str, int] = item.callspec.indices  # type: ignore[attr-defined]
    return {*indices.items()}


def draw(
    cases: Sequence[set[tuple[str, int]]],
    number: int,
    seed: str,
    tried: Iterable[tuple[str, int]] = (),
) -> set[int]:
    """Places of so many cases; first of those with a value that nobody before has.

    Args:
        cases: The arguments of each case with their values.
        number: How many are drawn.
        seed: The same ones are drawn for the same text.
        tried: Values that others have.
    """
    seen = {*tried}
    new: list[int] = []
    old: list[int] = []
    for place in random.Random(seed).sample(range(len(cases)), len(cases)):
        (old if cases[place] <= seen else new).append(place)
        seen |= cases[place]
    return {*[*new, *old][:number]}


def spread(number: int, kept: int) -> set[int]:
    """Places of `kept` of `number` things, from the first to the last."""
    if kept == 1:
        return {0}
    return {round(place * (number - 1) / (kept - 1)) for place in range(kept)}
