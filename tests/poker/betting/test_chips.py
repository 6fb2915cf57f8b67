"""Amounts of chips: numbers and texts that mean the same, units, and what is refused."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.betting.bet_size_parser import parse_sizes, sizes_text
from equilibrist.poker.betting.chips import (
    MOST_CHIPS,
    SCALES,
    ChipScale,
    read_chips,
    read_units,
    scale_for,
)
from equilibrist.poker.betting.chips import (
    WHOLE as WHOLE_CHIPS,
)
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.public_tree import PublicTree, find_node, node_line, public_tree
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import street_menus
from tests.refusals import refuses

CENTS = st.integers(1, 100 * MOST_CHIPS)


@given(CENTS)
def test_every_way_to_give_an_amount_means_the_same(cents: int) -> None:
    exact = Fraction(cents, 100)
    amount = read_chips("pot", exact)
    given = [cents / 100, Decimal(cents) / 100, f"{cents // 100}.{cents % 100:02}", amount]
    assert {read_chips("pot", each) for each in given} == {amount}
    assert Fraction(str(amount)) == exact
    assert isinstance(amount, int) == (exact.denominator == 1)


@given(CENTS, st.sampled_from([Kind.BET, Kind.RAISE, Kind.ALL_IN]))
def test_lines_and_sizes_come_back(cents: int, kind: Kind) -> None:
    (part,) = parse_line(f"{kind}{cents // 100}.{cents % 100:02}")
    (action,) = part.actions
    assert Fraction(str(action.amount)) == Fraction(cents, 100)
    assert line_text([part.actions]) == action.code == f"{kind}{action.amount}"
    assert parse_line(action.code)[0].actions == (action,)
    (size,) = parse_sizes(f"{action.amount}c")
    assert parse_sizes(sizes_text((size,))) == (size,)
    assert sizes_text((size,)) == f"{action.amount}c"


@given(st.integers(1, 10**11), st.sampled_from(SCALES))
def test_units_come_back(units: int, scale: ChipScale) -> None:
    amount = scale.chips(units)
    assert scale.units(amount) == units
    assert scale.fits(amount)
    assert Fraction(str(amount)) == Fraction(units, scale.per_chip)


@pytest.mark.parametrize(
    ("given", "amount"),
    [
        (0.1 + 0.2, 0.3),
        (1.1 * 3, 3.3),
        (97.5, 97.5),
        ("97.50", 97.5),
        ("3.00", 3),
        (np.float64(6.25), 6.25),
        (np.int32(6), 6),
        (60.0, 60),
        (Decimal("60.00"), 60),
        (MOST_CHIPS, MOST_CHIPS),
    ],
)
def test_what_amounts_are(given: object, amount: float) -> None:
    found = read_chips("pot", given)
    assert (found, type(found)) == (amount, type(amount))


@pytest.mark.parametrize(
    "bad",
    [
        97.55555, "97.55555", Decimal("0.00001"), Fraction(1, 3), 0, 0.0, -1, -0.5, "-1", "nan",
        "inf", 1e8 + 0.12345,
        "1e400", "1e2", "", " 6", "6.", ".5", "1_000", "٣", float("nan"), float("inf"),
        Decimal("nan"), Decimal("sNaN"), Decimal("1e400"), Decimal("1e-400"), Decimal("1e999999"),
        10**400, MOST_CHIPS + 0.5, 1e300, True, None, [60], 1j, b"60", "9" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused(bad: object) -> None:
    with refuses(ConfigError, option="stack", given=bad):
        read_chips("stack", bad)


def test_only_what_has_too_many_decimals_is_to_be_rounded() -> None:
    for bad, told in ((97.55555, True), ("0.00001", True), (0, False), ("nan", False)):
        with pytest.raises(ConfigError) as caught:
            read_chips("stack", bad)
        assert (caught.value.remedy is not None) is told


@pytest.mark.parametrize(
    ("amounts", "unit"),
    [
        ([60, 120], 1),
        ([], 1),
        ([60, 97.5], 0.1),
        ([0.1], 0.1),
        ([60, 97.5, 0.25], 0.01),
        ([999_999_999.99], 0.01),
        ([10, 0.125], 0.001),
        ([0.0625, 0.3], 0.0001),
    ],
)
def test_the_unit_is_the_largest_that_fits(amounts: list[float], unit: float) -> None:
    assert scale_for(amounts).unit == unit


@pytest.mark.parametrize("given", [1, 1.0, "1", Decimal("0.1"), 0.1, "0.1", "0.01", 0.01])
def test_units_are_read(given: object) -> None:
    assert ChipScale.of(given).unit == float(str(given))


@pytest.mark.parametrize("bad", [0, 2, 0.5, 0.00001, "tenth", True, None, float("nan")])
def test_other_units_are_refused(bad: object) -> None:
    with refuses(ConfigError, option="unit", given=bad):
        ChipScale.of(bad)


def test_amounts_must_be_multiples_of_the_unit() -> None:
    assert read_units("pot", 97.5, ChipScale(10)) == 975
    with refuses(ConfigError, option="pot", given=97.55):
        read_units("pot", 97.55, ChipScale(10))
    player = street_menus("50%", "2.5x")
    with refuses(ConfigError, option="stack", given=97.5):
        BettingRules(60, 97.5, (player, player))
    with refuses(ConfigError, option="sizes", given=3.5):
        BettingRules(60, 97, (street_menus("3.5c"), player))


WHOLE = BettingRules(
    pot=55,
    stack=470,
    menus=(street_menus("33%, 25c, e", "2.5x, 40c3r"), street_menus("75%, a", "60%, a")),
    first_street=1,
    min_bet=10,
    rake_rate=0.05,
    rake_cap=3,
    raise_cap=3,
    added=("X-B45",),
    removed=("X-A",),
)
TENTHS = BettingRules(
    pot=5.5,
    stack=47,
    menus=(street_menus("33%, 2.5c, e", "2.5x, 4c3r"), street_menus("75%, a", "60%, a")),
    first_street=1,
    rake_rate=0.05,
    rake_cap=0.3,
    raise_cap=3,
    added=("X-B4.50",),
    removed=("X-A",),
    unit=0.1,
)


def test_decimal_chips_are_the_same_tree_on_another_scale() -> None:
    whole, tenths = public_tree(WHOLE), public_tree(TENTHS)
    assert len(whole.kind) > 100
    for name in whole._fields[:-1]:
        assert np.array_equal(getattr(whole, name), getattr(tenths, name)), name
    for node in range(len(whole.kind)):
        line = line_text(node_line(tenths, node))
        tenfold = re.sub(r"\d+(\.\d)?", lambda found: f"{float(found[0]) * 10:.0f}", line)
        assert tenfold == line_text(node_line(whole, node))
        assert find_node(tenths, node_line(tenths, node)) == node
        assert str(TENTHS.follow(line)[0]) == line


@given(
    pot=st.integers(1, 400),
    stack=st.integers(1, 3000),
    min_bet=st.integers(1, 60),
    chips=st.integers(1, 90),
    percent=st.integers(1, 300),
    cap=st.integers(0, 50),
    finer=st.sampled_from(SCALES[1:]),
)
def test_any_amounts_on_another_scale(
    pot: int, stack: int, min_bet: int, chips: int, percent: int, cap: int, finer: ChipScale
) -> None:
    def tree(scale: ChipScale) -> PublicTree:
        size = scale.chips(chips)
        menus = street_menus(f"{percent}%, {size}c, 2e", f"2.3x, {size}c2r")
        return public_tree(
            BettingRules(
                scale.chips(pot), scale.chips(stack), (menus, menus), 2, raise_cap=2,
                min_bet=scale.chips(min_bet), rake_rate=0.03, rake_cap=cap / scale.per_chip,
                unit=scale.unit,
            )
        )  # fmt: skip

    for one, other in zip(tree(WHOLE_CHIPS)[:-1], tree(finer)[:-1], strict=True):
        np.testing.assert_array_equal(one, other)


def test_lines_say_what_is_possible_in_chips() -> None:
    state, _ = TENTHS.follow("X-B4.1")
    assert [*map(str, TENTHS.actions(state))] == ["Fold", "Call", "Raise 8.2", "Raise 10.3"]
    assert (state.pot, state.bets, state.scale.chips(state.to_call)) == (55, (0, 41), 4.1)
    assert TENTHS.normalize(state, Action(Kind.ALL_IN)) == Action(Kind.ALL_IN, 47)
    with refuses(ConfigError, option="action", given="Raise 9.15", place="X-B4.1"):
        TENTHS.next(state, Action(Kind.RAISE, 9.15))
    with refuses(ConfigError, option="action", given="Raise 8.1", place="X-B4.1"):
        TENTHS.next(state, Action(Kind.RAISE, 8.1))  # the least is 8.2
    assert TENTHS.next(state, Action(Kind.RAISE, 8.2)).bets == (82, 41)
