"""The order of hands: published equities, what must hold of all of them, and the best x %."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, RangeSyntaxError
from equilibrist.poker.cards.combos import CLASS_NAMES, class_combos
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses

PUBLISHED = {
    "AA": 85.2, "KK": 82.4, "QQ": 79.9, "JJ": 77.5, "TT": 75.0, "99": 72.1, "88": 69.2,
    "77": 66.2, "66": 63.3, "55": 60.3, "44": 57.0, "33": 53.7, "22": 50.3, "AKs": 67.0,
    "AKo": 65.3, "JTs": 57.5, "72o": 34.6, "32o": 32.3,
}  # fmt: skip
"""Against a random hand, in percent, as tables of preflop odds print it."""


def test_published_equities() -> None:
    ours = {name: round(100 * EQUITY_AGAINST_RANDOM[name], 1) for name in PUBLISHED}
    assert ours == PUBLISHED


def test_the_equities_of_all_hands_are_half_on_average() -> None:
    """What one random hand wins of another, as a checksum over the whole table."""
    assert set(EQUITY_AGAINST_RANDOM) == set(CLASS_NAMES)
    total = sum(
        len(class_combos(number)) * EQUITY_AGAINST_RANDOM[name]
        for number, name in enumerate(CLASS_NAMES)
    )
    assert total / 1326 == pytest.approx(0.5, abs=1e-6)


def test_the_order_falls_and_suited_is_better() -> None:
    values = list(EQUITY_AGAINST_RANDOM.values())
    assert values == sorted(values, reverse=True)
    for name, value in EQUITY_AGAINST_RANDOM.items():
        if name.endswith("o"):
            assert value < EQUITY_AGAINST_RANDOM[name[:2] + "s"]


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("0%", ""),
        ("0.4%", ""),  # 5.3 combos, and aces have 6
        ("0.46%", "AA"),
        ("3.5%", "88+,AKs"),  # 46 of 46.4
        ("5%", "77+,AJs+"),  # 60 of 66.3, and AKo has 12
        ("100%", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
        ("0.5%:0.5,KK", "AA:0.5,KK"),
    ],
)
def test_the_best_hands(text: str, ours: str) -> None:
    assert str(Range(text)) == ours


def test_the_best_hands_in_python() -> None:
    assert Range.top(0.05) == Range("5%")
    assert EQUITY_AGAINST_RANDOM["AA"] == 0.85204
    assert Range.top(6 / 1326) == Range("AA")
    assert Range.top(1.0) == Range.full()
    assert Range.full()["15%"] == 1.0
    assert Range.full()["0%"] == 0.0
    sizes = [Range.top(k / 100).num_combos for k in range(101)]
    assert all(0 <= k * 13.26 - size < 12 for k, size in enumerate(sizes))
    with refuses(ConfigError, option="share", given=15):
        Range.top(15)


def test_more_than_all_hands_is_refused() -> None:
    with refuses(RangeSyntaxError, position=4, option="range", given="101%") as caught:
        Range("AA, 101%")
    assert caught.value.position == 4
