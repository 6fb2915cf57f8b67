"""Bet sizes: what is read, what is refused and where, and chips worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import BetSizeSyntaxError, ConfigError
from equilibrist.poker.betting.bet_size_parser import (
    parse_donk_sizes,
    parse_sizes,
    parse_street_sizes,
    sizes_text,
)
from equilibrist.poker.betting.bet_sizes import (
    AllIn,
    CappedChips,
    Chips,
    Geometric,
    Multiple,
    PotShare,
    Situation,
    Thresholds,
    amounts,
)
from tests.refusals import refuses, unchecked
from tests.slow_cases import examples


def raise_size(text: str) -> object:
    (size,) = parse_sizes(text, raises=True)
    return size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0%", PotShare(Fraction(0))),
        ("70%", PotShare(Fraction(7, 10))),
        ("70", PotShare(Fraction(7, 10))),
        ("112.5", PotShare(Fraction(9, 8))),
        ("112.5%", PotShare(Fraction(9, 8))),
        (".5%", PotShare(Fraction(1, 200))),
        ("1.001x", Multiple(Fraction(1001, 1000))),
        ("3.5X", Multiple(Fraction(7, 2))),
        ("100c", Chips(100)),
        ("100C", Chips(100)),
        ("20c3r", CappedChips(20, 3)),
        ("123C100R", CappedChips(123, 100)),
        ("e", Geometric()),
        ("E", Geometric()),
        ("2e", Geometric(2)),
        ("E37.5%", Geometric(None, Fraction(3, 8))),
        ("100e.5%", Geometric(100, Fraction(1, 200))),
        ("3e200%", Geometric(3, Fraction(2))),
        ("a", AllIn()),
        ("A", AllIn()),
    ],
)
def test_every_form(text: str, size: object) -> None:
    assert raise_size(text) == size
    assert raise_size(str(size)) == size


BAD = """
% +42 +42% -30% x 0x 1x c 12.34567c 0.00001c
 10c10 42cr c3r 0c0r 123c101r 0e 2.7e 101e 3e7 E% bet 1a a1
1.0x 0c 10c0r e0% 70%% 70%c aa 1e5 nan inf nan% infx ٣% 1234567890123% 99999999999c
"""


@pytest.mark.parametrize(
    "text",
    BAD.split(),
)
@pytest.mark.parametrize("raises", [False, True])
def test_what_is_no_size_is_pointed_at(text: str, raises: bool) -> None:
    with pytest.raises(BetSizeSyntaxError) as caught:
        parse_sizes(f"50%, {text}", raises=raises)
    assert (caught.value.text, caught.value.position) == (f"50%, {text}", 5)


@pytest.mark.parametrize(
    ("text", "position", "fields"),
    [
        ("75p", 0, dict(option="sizes", given="75p")),
        ("50%,", 4, dict(option="sizes", given="")),
        ("50%,,e", 4, dict(option="sizes", given="")),
        (",", 0, dict(option="sizes", given="")),
        ("50% 100c", 0, dict(option="sizes", given="50% 100c")),
        ("2.5x", 0, dict(option="sizes", given="2.5x")),
        ("a, 20c3r", 3, dict(option="sizes", given="20c3r")),
        ("12.55555c", 0, dict(option="sizes", given="12.55555c")),
        ("3e200", 0, dict(option="sizes", given="3e200")),
        ("pot", 0, dict(option="sizes", given="pot")),
        ("101e", 0, dict(option="sizes", given="101e")),
    ],
)
def test_errors_have_a_remedy(text: str, position: int, fields: dict[str, Any]) -> None:
    with refuses(BetSizeSyntaxError, **fields) as caught:
        parse_sizes(text)
    assert caught.value.position == position


def test_lists() -> None:
    sizes = parse_sizes(" 50%, 100c,2e , a ")
    assert sizes == (PotShare(Fraction(1, 2)), Chips(100), Geometric(2), AllIn())
    assert sizes_text(sizes) == "50%, 100c, 2e, a"
    assert parse_sizes("") == parse_sizes("none") == parse_sizes(" None ") == ()
    assert parse_sizes(sizes_text(())) == ()
    with refuses(ConfigError, option="sizes", given=50):
        parse_sizes(unchecked(50))


def test_streets() -> None:
    flop, turn, river = parse_street_sizes("52% | 55%, e | ")
    assert (sizes_text(flop), sizes_text(turn), river) == ("52%", "55%, e", ())
    assert parse_street_sizes("50%, a") == (parse_sizes("50%, a"),) * 3
    assert parse_street_sizes("") == ((), (), ())
    with refuses(BetSizeSyntaxError, position=4, option="sizes", given="60%") as caught:
        parse_street_sizes("50%|60%")
    assert caught.value.position == 4
    with pytest.raises(BetSizeSyntaxError) as caught:
        parse_street_sizes("50%|60%|x")
    assert caught.value.position == 8


def test_donks_are_lists_or_nothing_said() -> None:
    half = parse_sizes("50%")
    assert parse_donk_sizes("") == (None, None, None)
    assert parse_donk_sizes("50%") == (None, half, half)
    assert parse_donk_sizes("||50%") == (None, None, half)
    assert parse_donk_sizes("|none|50%") == (None, (), half)
    with refuses(BetSizeSyntaxError, position=0, option="sizes", given="50%"):
        parse_donk_sizes("50%||")


FIRST = Situation(pot=180, bet=0, all_in=910, street=0, raises=0)
"""The flop of the headline spot."""
FACING = FIRST._replace(bet=94)
TURN = Situation(pot=200, bet=0, all_in=900, street=1, raises=0)
"""The spot of the speed measurements."""


@pytest.mark.parametrize(
    ("size", "spot", "total"),
    [
        ("52%", FIRST, 94),  # 93.6
        ("45%", FACING, 260),  # 94 + 0.45 * (180 + 188) = 259.6
        ("60%", TURN, 120),
        ("2.5x", TURN._replace(bet=120), 300),
        ("100%", TURN._replace(bet=120), 560),  # 120 + (200 + 240)
        ("100c", TURN, 100),
        ("100c", TURN._replace(bet=120), 220),
        ("20c3r", TURN._replace(bet=60, raises=2), 80),
        ("20c3r", TURN._replace(bet=80, raises=3), None),
        ("a", TURN, 900),
        ("0%", TURN, 0),
        ("50%", TURN._replace(pot=25), 13),  # 12.5: halves go up
        ("50%", TURN._replace(pot=27), 14),  # 13.5
        ("115%", TURN._replace(pot=30), 35),  # 34.5, which doubles may put below the half
        ("e", TURN, 216),  # sqrt((200 + 1800) / 200) = 3.1623; 200 * (3.1623 - 1) / 2
        ("2e", TURN, 216),
        ("1e", TURN, 900),
        ("e", TURN._replace(street=2), 900),
        ("e", TURN._replace(street=0), 115),  # 10^(1/3) = 2.15443; 200 * 1.15443 / 2 = 115.4
        ("3e", TURN, 115),
        ("2e50%", TURN, 100),
        ("2e200%", TURN, 216),
        # after 120 the pot is 440 and 780 are behind: sqrt(2000 / 440) = 2.13201; 440 * .566
        ("2e", TURN._replace(bet=120), 369),
        ("2e", TURN._replace(bet=120, raises=1), 900),
        ("3e", TURN._replace(bet=120, raises=1), 369),
    ],
)
def test_chips_by_hand(size: str, spot: Situation, total: int | None) -> None:
    (one,) = parse_sizes(size, raises=True)
    assert list(one.totals(spot, 1)) == ([] if total is None else [total])


def test_geometric_steps_end_all_in() -> None:
    pot, behind = 137, 5000
    for street in (0, 1, 2):
        (size,) = parse_sizes("e")
        (bet,) = size.totals(Situation(pot, 0, behind, street, 0), 1)
        pot, behind = pot + 2 * bet, behind - bet
    assert behind == 0


OFF = Thresholds()


def totals(text: str, spot: Situation, least: int = 1, thresholds: Thresholds = OFF) -> list[int]:
    return amounts(parse_sizes(text, raises=spot.bet > 0), spot, least, thresholds)


def test_lists_become_rising_totals() -> None:
    assert totals("e, 60%, a", TURN) == [120, 216, 900]
    assert totals("60%, 120c, 60.1%", TURN) == [120]
    assert totals("", TURN) == []
    assert totals("500%", TURN) == [900]
    assert totals("20c3r", TURN._replace(bet=80, raises=3)) == []


def test_what_is_below_the_minimum_becomes_it() -> None:
    assert totals("0%, 5c", TURN, least=20) == [20]
    assert totals("10%", TURN._replace(bet=120), least=240) == [240]
    assert totals("10%", TURN._replace(bet=600), least=900) == [900]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [(0.0, [100]), (4.49, [100]), (4.5, [100, 900])],
)
def test_all_in_is_added_up_to_a_share_of_the_pot(threshold: float, expected: list[int]) -> None:
    assert totals("50%", TURN, thresholds=Thresholds(add_all_in=threshold)) == expected
    assert totals("", TURN, thresholds=Thresholds(add_all_in=threshold)) == []


def test_all_in_over_a_bet_is_added_by_the_pot_after_a_call() -> None:
    facing = TURN._replace(bet=120)  # 780 more than the bet, into 440: 1.7727 pots
    assert totals("3x", facing, thresholds=Thresholds(add_all_in=1.77)) == [360]
    assert totals("3x", facing, thresholds=Thresholds(add_all_in=1.78)) == [360, 900]


def test_a_bet_that_leaves_little_behind_is_all_in() -> None:
    # 750 called makes a pot of 1700 and leaves 150: 0.0882 of it
    facing = TURN._replace(bet=300)
    assert totals("2.5x", facing, thresholds=Thresholds(force_all_in=0.088)) == [750]
    assert totals("2.5x", facing, thresholds=Thresholds(force_all_in=0.089)) == [900]
    exact = Situation(pot=100, bet=0, all_in=120, street=2, raises=0)  # 50 called: 70 / 200 is 0.35
    assert totals("50%", exact, thresholds=Thresholds(force_all_in=0.35)) == [120]
    assert totals("50%", exact, thresholds=Thresholds(force_all_in=0.349)) == [50]


def test_sizes_close_to_a_larger_one_are_merged_from_above() -> None:
    # (1 + 1) / (1 + 0.9) = 1.053 and (1 + 1) / (1 + 0.8) = 1.111; from 0.8 on 1.8 / 1.7 = 1.059
    spot = Situation(pot=100, bet=0, all_in=10_000, street=0, raises=0)
    text = "70%, 80%, 90%, 100%"
    assert totals(text, spot, thresholds=Thresholds(merge=0.1)) == [80, 100]
    assert totals(text, spot, thresholds=Thresholds(merge=0.05)) == [70, 80, 90, 100]
    assert totals(text, spot) == [70, 80, 90, 100]
    # exactly at the threshold both stay: 2.2 / 2 = 1.1
    assert totals("100%, 120%", spot, thresholds=Thresholds(merge=0.1)) == [100, 120]
    assert totals("100%, 120%", spot, thresholds=Thresholds(merge=0.1001)) == [120]


def test_merging_counts_raises_by_the_pot_after_a_call() -> None:
    facing = Situation(
        pot=100, bet=50, all_in=10_000, street=0, raises=0
    )  # raises of 1 and 1.25 pots
    assert totals("100%, 125%", facing, thresholds=Thresholds(merge=0.12)) == [250, 300]
    assert totals("100%, 125%", facing, thresholds=Thresholds(merge=0.13)) == [300]


SIZES = st.lists(
    st.sampled_from(["0%", "33%", "112.5%", "1c", "77c", "e", "2e", "4e50%", "a", "1.5x", "9c2r"]),
    max_size=5,
).map(", ".join)


@given(
    SIZES,
    st.integers(1, 1000),
    st.integers(0, 500),
    st.integers(1, 1000),
    st.integers(0, 4),
    st.tuples(*[st.floats(0, 3)] * 3),
)
@settings(max_examples=examples(200))
def test_totals_rise_within_the_limits(
    text: str, pot: int, bet: int, more: int, raises: int, thresholds: tuple[float, float, float]
) -> None:
    spot = Situation(pot, bet, bet + more, 1, raises)
    least = min(2 * bet or 1, spot.all_in)
    sizes = parse_sizes(text, raises=True)
    found = amounts(sizes, spot, least, Thresholds(*thresholds))
    assert found == sorted(set(found))
    assert all(least <= total <= spot.all_in for total in found)
    assert bool(found) == any(size.totals(spot, least) for size in sizes) or (
        found == [spot.all_in]
    )


@given(st.text(alphabet="0123456789.%xcrea,|+- ", max_size=10) | st.text(max_size=8))
@settings(max_examples=examples(300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        sizes = parse_sizes(text, raises=True)
    except BetSizeSyntaxError as error:
        place = error.position
        assert 0 <= place <= len(text)
    else:
        assert parse_sizes(sizes_text(sizes), raises=True) == sizes
