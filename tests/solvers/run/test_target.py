"""Targets: amounts with their units."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError
from equilibrist.solvers.run.target import PAYOFF, Target
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("target", "amount", "unit"),
    [
        (0.001, 0.001, ""),
        (2, 2.0, ""),
        ("1e-3", 0.001, ""),
        ("0.3%", 0.3, "%"),
        (" .5 % ", 0.5, "%"),
        ("5E-1C", 0.5, "c"),
        ("2 chips", 2.0, "c"),
        ("1chip", 1.0, "c"),
        ("5mbb", 5.0, "mbb"),
        ("5 MBB", 5.0, "mbb"),
    ],
)
def test_a_target_is_an_amount_and_its_unit(target: object, amount: float, unit: str) -> None:
    read = Target.read(target)
    assert (read.amount, read.unit) == (amount, unit)
    assert Target.read(f"{read}") == read == Target.read(read)


@pytest.mark.parametrize("amount", [0.015, 0.3, 1 / 3, 1e-7, 1e16, 5e-324, 2])
def test_a_target_is_written_in_as_few_digits_as_read_the_same(amount: float) -> None:
    text = str(Target(amount, "c"))
    assert Target.read(text) == Target(amount, "c")
    assert text == f"{amount * 1.0}c"


@pytest.mark.parametrize(
    "target", [0, -1.0, "0", "0%", "-1%", "1e999c", "nan%", "5p", "", "%", True, None, float("inf")]
)
def test_what_is_no_target_is_refused(target: object) -> None:
    with refuses(ConfigError, option="target", given=target):
        Target.read(target)


def test_the_remedy_is_for_what_is_missing_or_too_much() -> None:
    with refuses(ConfigError, option="target", given=5, remedy="add the unit, mbb"):
        Target.read(5, ("mbb",))
    with refuses(ConfigError, option="target", given="2", remedy="add the unit, % or c"):
        Target.read("2", ("%", "c"))
    with refuses(ConfigError, option="target", given="5mbb", remedy=None):
        Target.read("5mbb", ("%", "c"))
    with refuses(ConfigError, option="target", given="2%"):
        Target.read("2%", PAYOFF)
