"""Variants are data: they compare, print, pickle, and their tables are their coefficients."""

from __future__ import annotations

import math
import pickle
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError
from equilibrist.solvers.variants.registry import VARIANTS, get_variant
from equilibrist.solvers.variants.schedules import (
    Knots,
    NoDiscount,
    PowerAverage,
    PowerDiscount,
    Ramp,
)
from equilibrist.solvers.variants.variant import Coefficients, Variant
from tests.refusals import refuses, unchecked

SPECS = (*VARIANTS, "hs-dcfr(15)", "dcfr(alpha=0.3,beta=-7,gamma=0.5)", "dcfr(900,-900,300)")
NAMES = st.sampled_from(SPECS)


@given(name=NAMES, start=st.integers(1, 5000), count=st.integers(0, 40), more=st.integers(0, 9999))
def test_rows_of_a_table_are_the_coefficients_bit_for_bit(name, start, count, more) -> None:
    variant = get_variant(name)
    horizon = start + count + more
    table = variant.table(start, count, horizon)
    assert table.shape == (count, 7)
    assert table.dtype == np.float64
    assert table.flags.c_contiguous
    for k, row in enumerate(table):
        single = np.array(variant.coefficients(start + k, horizon))
        assert row.tobytes() == single.tobytes()


@given(name=NAMES, start=st.integers(1, 10**7))
def test_coefficients_stay_in_range(name, start) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        row = get_variant(name).coefficients(start, 10**7)
    assert 0.0 <= row.positive <= 1.0
    assert 0.0 <= row.negative <= 1.0
    assert row.floor in (0.0, -math.inf)
    assert 0.0 < row.lookahead <= 1.0
    assert 0.0 <= row.prediction <= 1.0
    assert 0.0 <= row.decay <= 1.0
    assert row.weight == 1.0


@pytest.mark.parametrize("name", SPECS)
def test_first_iteration_discounts_nothing(name) -> None:
    row = get_variant(name).coefficients(1, 100)
    assert (row.positive, row.negative, row.decay, row.weight) == (1.0, 1.0, 1.0, 1.0)


@given(gamma=st.floats(0.0, 40.0), last=st.integers(2, 300))
def test_decay_form_weighs_iterates_by_their_power(gamma, last) -> None:
    table = Variant("x", average=PowerAverage(gamma)).table(1, last)
    weights = np.zeros(last)
    for t, row in enumerate(table):
        weights *= row[5]
        weights[t] += row[6]
    expected = [((t + 1) / last) ** gamma for t in range(last)]
    np.testing.assert_allclose(weights, expected, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("name", SPECS)
def test_pickle_print_compare(name) -> None:
    variant = get_variant(name)
    again = pickle.loads(pickle.dumps(variant))
    assert again == variant
    assert hash(again) == hash(variant)
    assert again.table(1, 50, 50).tobytes() == variant.table(1, 50, 50).tobytes()
    assert variant.name in repr(variant)
    assert replace(variant, prediction=0.25) != variant


def test_all_variants_differ_and_explain_themselves() -> None:
    tables = {v.table(2, 20, 100).tobytes() for v in VARIANTS.values()}
    assert len(tables) == len(VARIANTS)
    for name, variant in VARIANTS.items():
        assert variant.name == name
        assert variant.alternating
        for text in (variant.summary, variant.paper, variant.when):
            assert 20 < len(text) < 200
        assert variant.update.startswith("R = ")
        assert variant.averaging
    assert {n for n, v in VARIANTS.items() if v.needs_horizon} == {"hs-dcfr", "hs-pcfr+"}


def test_formulas_for_people() -> None:
    assert VARIANTS["cfr"].update == "R = R + r; sigma = RM(R)"
    assert VARIANTS["lcfr"].update == "R = R*(t-1)/t + r; sigma = RM(R)"
    assert VARIANTS["dcfr"].update == (
        "R = (R*(t-1)^1.5/((t-1)^1.5+1) if R>0 else R/2) + r; sigma = RM(R)"
    )
    assert VARIANTS["pdcfr+"].update == (
        "R = max(R*(t-1)^2.3/((t-1)^2.3+1) + r, 0); sigma = RM(R discounted as in t+1 + r)"
    )
    assert "0.3333*r" in VARIANTS["sapcfr+"].update
    assert "a(t) = 1+3t/n" in VARIANTS["hs-dcfr"].update
    assert [VARIANTS[n].averaging for n in ("cfr", "cfr+", "dcfr", "dcfr+", "hs-pcfr+")] == [
        "uniform",
        "linear (t)",
        "quadratic (t^2)",
        "t^4",
        "t^g(t) [g(t) = 30-5t/n]",
    ]


def test_lookahead_is_the_next_discount_only_with_prediction() -> None:
    table = VARIANTS["pdcfr+"].table(1, 100)
    assert np.array_equal(table[:-1, 3], table[1:, 0])
    assert np.all(VARIANTS["dcfr"].table(1, 100)[:, 3] == 1.0)


def test_a_prediction_needs_one_discount_or_no_negative_regrets() -> None:
    """`lookahead` is one factor: it cannot discount positive and negative regrets apart."""
    apart: Any = PowerDiscount(1.5, 0.0)
    alike: Any = PowerDiscount(1.5, 1.5)
    for floor in (-math.inf, -1.0):
        with refuses(ConfigError, option="floor", given=floor):
            Variant("mine", apart, floor=floor, prediction=1.0).coefficients(3)
        row = Variant("mine", alike, floor=floor, prediction=1.0).coefficients(3)
        assert row.lookahead == alike(np.array([4.0]), None)[0][0]
    row = Variant("mine", apart, floor=0.0, prediction=1.0).coefficients(3)
    assert row.lookahead == apart(np.array([4.0]), None)[0][0]
    assert Variant("mine", apart).coefficients(3).lookahead == 1.0


@pytest.mark.parametrize("name", ["hs-dcfr", "hs-pcfr+"])
def test_a_planned_average_must_not_turn_negative(name: str) -> None:
    with refuses(ConfigError, option="gamma", given=0.1):
        get_variant(f"{name}(0.1)")
    assert get_variant(f"{name}(5)").table(1, 10, 10)[-1, 5] == 1.0


@pytest.mark.parametrize("horizon", [None, 0, -3])
def test_missing_horizon(horizon) -> None:
    with refuses(ConfigError, option="horizon", given=horizon):
        VARIANTS["hs-dcfr"].table(1, 10, horizon)


def test_beyond_the_horizon() -> None:
    variant = VARIANTS["hs-pcfr+"]
    assert variant.table(91, 10, 100).shape == (10, 7)
    with refuses(ConfigError, option="horizon", given=100, expected=101):
        variant.table(92, 10, 100)


@pytest.mark.parametrize(("start", "count"), [(0, 1), (-1, 5), (1, -1)])
def test_iterations_start_at_one(start, count) -> None:
    with refuses(ConfigError, option="iteration" if start < 1 else "count"):
        VARIANTS["cfr"].table(start, count)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: PowerAverage(-1.0),
        lambda: PowerDiscount(1, 1, 0.0),
        lambda: PowerAverage(math.nan),
        lambda: PowerAverage(Ramp(1.0, -2.0)),
        lambda: PowerAverage(Knots(((1.0, 2.0), (9.0, -0.5)))),
    ],
)
def test_parts_refuse_nonsense(bad) -> None:
    with pytest.raises(ConfigError):
        bad()


@dataclass(frozen=True)
class Given:
    """A schedule that returns whatever it was made with."""

    result: object

    def __call__(self, t, horizon):
        return self.result(t) if callable(self.result) else self.result


@pytest.mark.parametrize(
    ("result", "fields"),
    [
        (
            lambda t: (np.where(t == 17, np.nan, 1.0), 1.0),
            dict(option="positive", given=float("nan"), place="t = 17"),
        ),
        (
            lambda t: (1.0, np.where(t == 17, np.inf, 1.0)),
            dict(option="negative", given=float("inf"), place="t = 17"),
        ),
        (
            lambda t: (np.where(t < 9, 1.0, -0.5), 1.0),
            dict(option="positive", given=-0.5, place="t = 9"),
        ),
        (lambda t: 1.0 / (t - 5.0), dict(option="Given")),
        ((1.0, 1.0, 1.0), dict(option="Given", given="(1.0, 1.0, 1.0)")),
        ((1.0, "x"), dict(option="Given", given="(1.0, 'x')")),
        (lambda t: (np.ones(3), 1.0), dict(option="Given", given="(array([1., 1., 1.]), 1.0)")),
        (lambda t: (1.0, 1.0) if t > 4 else (2.0, 2.0), dict(option="Given", given="ValueError")),
    ],
)
def test_a_discount_that_cannot_be_used(result, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        Variant("mine", discount=Given(result)).table(1, 50)


def test_an_average_that_cannot_be_used() -> None:
    with refuses(ConfigError, option="weight", given=float("inf"), place="t = 3"):
        Variant("mine", average=Given(lambda t: (1.0, 1.0 / abs(t - 3.0)))).table(1, 50)
    with refuses(ConfigError, option="floor", given=float("nan")):
        Variant("mine", floor=math.nan).coefficients(1)
    with refuses(ConfigError, option="floor", given=1.0):
        Variant("mine", floor=1.0).coefficients(1)
    with refuses(ConfigError, option="prediction", given=float("inf")):
        Variant("mine", prediction=math.inf).coefficients(1)


def test_division_by_zero_in_the_first_iteration_is_ignored() -> None:
    average = Given(lambda t: (1.0 / (t - 1.0), 1.0))
    assert Variant("mine", average=average).coefficients(1).decay == 1.0


class OneByOne(Variant):
    """A subclass that knows one iteration at a time."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        if t == 30:
            raise KeyError("thirty")
        row = Coefficients(1.0, 0.5, 0.0, 1.0, 0.0, 1.0, 2.0 if t > 10 else 0.0)
        return row if t != 40 else unchecked(row[:6])


def test_subclass_gives_its_own_coefficients() -> None:
    variant = OneByOne("mine")
    table = variant.table(5, 20)
    assert table[:, 6].tolist() == [0.0] * 6 + [2.0] * 14
    for k, row in enumerate(table):
        assert tuple(row) == variant.coefficients(5 + k)
    with refuses(ConfigError, option="coefficients", given="KeyError", place="t = 30"):
        variant.table(25, 10)
    with refuses(ConfigError, option="coefficients", given=6, expected=7, place="t = 40"):
        variant.table(40, 1)


def test_exponent_schedules() -> None:
    t = np.array([1.0, 100.0, 300.0, 500.0, 1000.0, 5000.0])
    knots = Knots(((100.0, 1.0), (500.0, 3.0), (1000.0, 4.0)))
    assert knots(t, None).tolist() == [1.0, 1.0, 2.0, 3.0, 4.0, 4.0]
    assert Ramp(30.0, -5.0)(t[:4], 1000.0).tolist() == [29.995, 29.5, 28.5, 27.5]
    assert NoDiscount()(t, None) == (1.0, 1.0)
