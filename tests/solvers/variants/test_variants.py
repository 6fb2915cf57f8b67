"""Strings that name variants, and what is said about strings that do not."""

from __future__ import annotations

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
    ("spec", "error", "message"),
    [
        ("dcfx", UnknownNameError, "did you mean 'dcfr'"),
        ("zzz", UnknownNameError, "known: cfr, cfr"),
        ("", ConfigError, "cannot read"),
        ("dcfr(", ConfigError, "cannot read"),
        ("dcfr(gama=2)", UnknownNameError, "parameter of dcfr 'gama'; did you mean 'gamma'"),
        ("dcfr(gamma=two)", ConfigError, "gamma of dcfr is 'two'; expected a finite number"),
        ("dcfr(gamma=)", ConfigError, r"cannot read .* at column 12: expected a value"),
        ("dcfr(gamma=nan)", ConfigError, "gamma of dcfr is 'nan'; expected a finite"),
        ("dcfr(gamma=1e400)", ConfigError, "gamma of dcfr is inf; expected a finite"),
        ("dcfr(gamma=-1)", ConfigError, "at least 0"),
        ("dcfr+(offset=0)", ConfigError, "offset .* more than 0"),
        ("sapcfr+(-1)", ConfigError, "greater than -1"),
        ("cfr(3)", ConfigError, "at column 5: expected a parameter as key=value"),
        (
            "dcfr(1,2,3,4)",
            ConfigError,
            "column 12: expected at most 3 values, of alpha, beta,",
        ),
        ("dcfr(1,alpha=2)", ConfigError, "'alpha' is given twice"),
        ("dcfr(alpha=1,2)", ConfigError, "column 14: values without a name must come before those"),
        ("dcfr(1,,2)", ConfigError, "column 8: expected a value"),
    ],
)
def test_bad_names(spec: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        get_variant(spec)


@given(st.text(alphabet="dcfrhs+-_()=,.0123456789 alphbetgm\n:py", max_size=30))
def test_any_text_gives_a_variant_or_our_error(text: str) -> None:
    try:
        variant = get_variant(text)
    except EquilibristError:
        return
    assert get_variant(variant.name) == variant
