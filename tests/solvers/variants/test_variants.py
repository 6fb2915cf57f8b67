"""Strings that name variants, and what is said about strings that do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.solvers.variants.registry import (
    FAMILIES,
    VARIANTS,
    get_variant,
    variant_parameters,
)
from equilibrist.solvers.variants.schedules import PowerAverage, PowerDiscount
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("dcfr", "dcfr"),
        ("DCFR", "dcfr"),
        (" dcfr ", "dcfr"),
        ("cfr_plus", "cfr+"),
        ("CFR-plus", "cfr+"),
        ("hs_dcfr", "hs-dcfr"),
        ("hs-pcfr-plus", "hs-pcfr+"),
        ("linear", "lcfr"),
        ("DPCFR+", "pdcfr+"),
        ("dcfr()", "dcfr"),
        ("dcfr(1.5)", "dcfr"),
        ("dcfr(1.5, beta = 0, gamma=2.0)", "dcfr"),
        ("dcfr(alpha=1.5,beta=0.5,gamma=3)", "dcfr(beta=0.5,gamma=3)"),
        ("dcfr(2)", "dcfr(alpha=2)"),
        ("hs-dcfr(15)", "hs-dcfr(gamma=15)"),
        ("hs-dcfr(30)", "hs-dcfr"),
        ("sapcfr+(alpha=1e-3)", "sapcfr+(alpha=0.001)"),
    ],
)
def test_names(spec: str, name: str) -> None:
    variant = get_variant(spec)
    assert variant.name == name
    assert get_variant(variant.name) == variant


def test_parameters_arrive() -> None:
    variant = get_variant("dcfr(alpha=1.25,beta=0.5,gamma=3)")
    assert variant.discount == PowerDiscount(1.25, 0.5)
    assert variant.average == PowerAverage(3.0)
    assert get_variant("sapcfr+(1)").prediction == 0.5
    assert get_variant("hs-pcfr+(15)").coefficients(10, 10).decay == 0.9**10


def test_defaults_are_the_registry() -> None:
    assert list(VARIANTS) == list(FAMILIES)
    for name in VARIANTS:
        assert get_variant(name) is VARIANTS[name]
    assert variant_parameters("dcfr") == {"alpha": 1.5, "beta": 0.0, "gamma": 2.0}
    assert variant_parameters("cfr") == {}
    with pytest.raises(UnknownNameError):
        variant_parameters("xcfr")


@pytest.mark.parametrize(
    ("spec", "error", "fields"),
    [
        (
            "dcfx",
            UnknownNameError,
            dict(option="algorithm", name="dcfx", suggestions=("dcfr", "ddcfr", "dcfr+")),
        ),
        ("zzz", UnknownNameError, dict(option="algorithm", name="zzz")),
        ("", ConfigError, dict(option="algorithm", given="", place="column 1")),
        ("dcfr(", ConfigError, dict(option="algorithm", given="dcfr(", place="column 6")),
        (
            "dcfr(gama=2)",
            UnknownNameError,
            dict(option="parameter of dcfr", name="gama", suggestions=("gamma",)),
        ),
        ("dcfr(gamma=two)", ConfigError, dict(option="gamma", given="two")),
        (
            "dcfr(gamma=)",
            ConfigError,
            dict(option="algorithm", given="dcfr(gamma=)", place="column 12"),
        ),
        ("dcfr(gamma=nan)", ConfigError, dict(option="gamma", given="nan")),
        ("dcfr(gamma=1e400)", ConfigError, dict(option="gamma", given=float("inf"))),
        ("dcfr(gamma=-1)", ConfigError, dict(option="gamma", given=-1.0)),
        ("dcfr+(offset=0)", ConfigError, dict(option="offset", given=0.0)),
        ("sapcfr+(-1)", ConfigError, dict(option="alpha", given=-1.0)),
        ("qre(alpha=1e300)", ConfigError, dict(option="alpha", given=1e300, expected=1e100)),
        ("cfr(3)", ConfigError, dict(option="algorithm", given="cfr(3)", place="column 5")),
        (
            "dcfr(1,2,3,4)",
            ConfigError,
            dict(option="algorithm", given="dcfr(1,2,3,4)", place="column 12"),
        ),
        (
            "dcfr(1,alpha=2)",
            ConfigError,
            dict(option="algorithm", given="dcfr(1,alpha=2)", place="column 8"),
        ),
        (
            "dcfr(alpha=1,2)",
            ConfigError,
            dict(option="algorithm", given="dcfr(alpha=1,2)", place="column 14"),
        ),
        ("dcfr(1,,2)", ConfigError, dict(option="algorithm", given="dcfr(1,,2)", place="column 8")),
    ],
)
def test_bad_names(spec: str, error: type[EquilibristError], fields: dict[str, Any]) -> None:
    with refuses(error, **fields):
        get_variant(spec)


@given(st.text(alphabet="dcfrhs+-_()=,.0123456789 alphbetgm\n:py", max_size=30))
def test_any_text_gives_a_variant_or_our_error(text: str) -> None:
    try:
        variant = get_variant(text)
    except EquilibristError:
        return
    assert get_variant(variant.name) == variant
