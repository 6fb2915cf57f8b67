"""What runs by default, and what only with the slow tests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PAGES, QUICK
from tests.slow_cases import FEW_EXAMPLES, draw, examples, slow, slow_but, spread

TRIED: dict[str, set[int]] = {"many": set(), "few": set()}


@settings(max_examples=examples(200))
@given(st.integers(0, 10**9))
def test_many_examples(number: int) -> None:
    TRIED["many"].add(number)


@settings(max_examples=examples(5))
@given(st.integers(0, 10**9))
def test_few_examples(number: int) -> None:
    TRIED["few"].add(number)


def test_random_examples_are_few_by_default(pytestconfig: pytest.Config) -> None:
    quick = pytestconfig.option.markexpr == QUICK
    assert examples(200) == (FEW_EXAMPLES if quick else 200)
    assert examples(5) == 5
    assert examples(5, few=2) == (2 if quick else 5)
    assert settings().max_examples == (FEW_EXAMPLES if quick else 100)
    TRIED.update(many=set(), few=set())
    test_many_examples()
    test_few_examples()
    assert (len(TRIED["many"]) <= FEW_EXAMPLES) is quick
    assert 0 < len(TRIED["few"]) <= 5


def test_property_tests_are_slow_tests_where_those_are_asked_for(
    pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    quick = pytestconfig.option.markexpr == QUICK
    marked = {item.name for item in request.session.items if item.get_closest_marker("slow")}
    assert ("test_many_examples" in marked) is not quick


def test_tests_in_chromium_are_in_one_folder() -> None:
    """A run of these alone reads no other file."""
    mark = "mark." + "browser"
    marked = {path for path in PAGES.parents[1].rglob("*.py") if mark in path.read_text("utf-8")}
    assert marked == {*PAGES.glob("test_*.py")}


def test_cases_that_are_kept() -> None:
    cases = slow_but([1], [1, 2])
    assert cases == [1, slow(2)]
    with pytest.raises(AssertionError):
        slow_but([3], [1, 2])


@pytest.mark.by_default(3)
@pytest.mark.parametrize("case", range(9))
def test_some_cases_run_by_default(
    case: int, pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    """The first, the last and one in the middle, if all are collected."""
    of_test = [item for item in request.session.items if item.name.startswith("test_some_cases")]
    if pytestconfig.option.markexpr == QUICK and len(of_test) > 1:
        assert [item.name[-2] for item in of_test] == ["0", "4", "8"]
    elif pytestconfig.option.markexpr == "slow":
        assert case not in (0, 4, 8)


@pytest.mark.by_default(1)
@pytest.mark.drawn(5)
@pytest.mark.parametrize("one", range(4))
@pytest.mark.parametrize("other", range(5))
def test_some_slow_cases_are_tried(one: int, other: int, request: pytest.FixtureRequest) -> None:
    """So few of twenty that there are."""
    of_test = [item for item in request.session.items if item.name.startswith("test_some_slow")]
    assert request.node in of_test
    assert len(of_test) <= (1 if request.config.option.markexpr == QUICK else 6)
    assert one * other <= 3 * 4


def test_cases_are_drawn_that_have_all_values() -> None:
    cases = [{("one", k % 4), ("other", k // 4)} for k in range(40)]
    drawn = draw(cases, 13, "seed")
    assert len(drawn) == 13
    assert set().union(*(cases[place] for place in drawn)) == set().union(*cases)
    assert draw(cases, 13, "seed") == drawn != draw(cases, 13, "another")
    assert len(draw(cases, 99, "seed")) == 40
    assert draw(cases[:3], 1, "seed", cases[0] | cases[1]) == {2}


@pytest.mark.parametrize(
    ("number", "kept", "places"),
    [(5, 1, {0}), (5, 2, {0, 4}), (5, 3, {0, 2, 4}), (2, 2, {0, 1}), (3, 5, {0, 1, 2})],
)
def test_places_are_spread(number: int, kept: int, places: set[int]) -> None:
    assert spread(number, kept) == places
