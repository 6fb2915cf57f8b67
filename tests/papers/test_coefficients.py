"""Each variant's numbers against the papers' formulas, written down a second time in `rules`."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.solvers.variants.registry import VARIANTS, get_variant
from tests.papers.mutations import with_vanilla_coefficients
from tests.papers.rules import RULES

ITERATIONS = (1, 2, 3, 7, 99, 100, 101, 250, 499, 500, 501, 750, 999, 1000)
HORIZON = 1000


def differences(variant, name: str) -> list[tuple[int, str]]:
    """The iterations and fields in which a variant does not say what the paper says."""
    horizon = HORIZON if variant.needs_horizon else None
    found = []
    for t in ITERATIONS:
        given = variant.coefficients(t, horizon)
        for field, want in zip(given._fields, RULES[name](t, HORIZON), strict=True):
            have = getattr(given, field)
            if want is not None and not (have == want or abs(have - want) <= 1e-14 * abs(want)):
                found.append((t, field))
    return found


def test_every_variant_has_a_rule() -> None:
    assert set(VARIANTS) <= set(RULES)


@pytest.mark.parametrize("name", RULES)
def test_coefficients_are_the_papers(name: str) -> None:
    assert differences(get_variant(name), name) == []


@pytest.mark.parametrize("name", RULES)
def test_vanilla_coefficients_are_noticed(name: str) -> None:
    assert differences(with_vanilla_coefficients(get_variant(name)), name)


def test_hyperparameter_schedule_ends_where_the_paper_says() -> None:
    variant: Any = VARIANTS["hs-dcfr"]
    t = variant.table(1000, 1, 1000)[0]
    assert t[0] == pytest.approx(999**4 / (999**4 + 1), rel=1e-15)
    assert t[1] == pytest.approx(999**-3 / (999**-3 + 1), rel=1e-12)
    assert t[5] == pytest.approx((999 / 1000) ** 25, rel=1e-14)
    assert variant.discount.needs_horizon
    assert variant.average.needs_horizon


def test_linear_cfr_is_discounted_cfr_with_ones() -> None:
    assert (
        VARIANTS["lcfr"].table(1, 500).tobytes()
        == get_variant("dcfr(1,1,1)").table(1, 500).tobytes()
    )
