"""Ranges of other programs: what each says by its own documentation, and all back and forth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from equilibrist.errors import ConfigError, RangeSyntaxError, UnknownNameError
from equilibrist.poker.ranges.dialects import DIALECTS
from equilibrist.poker.ranges.range import Range
from tests.poker.ranges.test_ranges import RANGES
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("dialect", "text", "ours"),
    [
        ("gto+", "[25.0]AKs[/25.0]", "AKs:0.25"),
        ("gto+", "AA,[25%]AKs,AQs[/25%],[50]KK[/50.0],QQ", "AA,KK:0.5,QQ,AQs+:0.25"),
        ("equilab", "100: AA, 75: AQs", "AA,AQs:0.75"),
        ("equilab", "100: AA, AKs, 75: AQs, 50: AJs, 25: ATs", "AA,AKs,AQs:.75,AJs:.5,ATs:.25"),
        ("equilab", "75%: 88, 12.5: 77", "88:0.75,77:0.125"),
        (
            "pokercruncher",
            "AA, ATs+; Weights: AQs:75%, AJs:50%, ATs:25%",
            "AA,AKs,AQs:.75,AJs:.5,ATs:.25",
        ),
        ("propokertools", "AK@50", "AK:0.5"),
        ("propokertools", "AA@100,QQ+@7", "AA,KK-QQ:0.07"),
        ("propokertools", "QQ+@7,AA@100", "AA,KK-QQ:0.07"),
        ("pokerkit", "AKs QQ", "AKs,QQ"),
        ("pokerkit", "AKs;QQ", "AKs,QQ"),
        ("pokerkit", "99+ / AhKh", "99+,AhKh"),
        ("pio", "88:0.5,77:1", "88:0.5,77"),
        ("pio", "88 - 66 , KQs", "88-66,KQs"),
        ("pio", "88:1e-05,77:2.5E-1", "88:0.00001,77:0.25"),
        ("gto+", "[1e-3]AKs[/0.001]", "AKs:0.00001"),
        ("equilab", "7.5e1: 88, 1e-1: 77", "88:0.75,77:0.001"),
        ("propokertools", "AA@2.5e1,KK", "AA:0.25,KK"),
    ],
)
def test_dialects_are_recognised(dialect: str, text: str, ours: str) -> None:
    assert Range(text) == Range(text, dialect) == Range(ours, "pio")


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("5%:25%", "5%:0.25"),
        ("5% : 25 %", "5%:0.25"),
        ("5%:25%,66-33:0.25", "5%:0.25,66-33:0.25"),
        ("6max-CO:0.013,5%:25%", "6max-CO:0.013,5%:0.25"),
        ("88:25%", "88:0.25"),
        ("75:22.5%,AKs", "75:0.225,AKs"),
    ],
)
def test_weights_in_percent_make_no_equilab(text: str, ours: str) -> None:
    assert Range(text) == Range(text, "pio") == Range(ours, "pio")


def test_shares_with_weights_are_read_alike_alone_and_in_long_lists() -> None:
    items = [f"{share}%:{weight}%" for share in range(15, 0, -1) for weight in range(22, 35)]
    for item in items:
        assert Range(item) == Range(item, "pio")
    assert Range(",".join(items)) == Range(",".join(items), "pio")


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("A2s+, K9s+ ATo+", "A2s+,K9s+,ATo+"),
        ("AA-TT AKs, AKo", "AA-TT,AKs,AKo"),
        ("88 - 55\tAKs  AhQh, 98s+ 22", None),
        ("88 - 55\tAKs  AhQh, 98s+ QQ", "88-55,AKs,AhQh,98s+,QQ"),
        ("100: AA KK, 50: QQ JJ", "AA,KK,QQ:0.5,JJ:0.5"),
        ("{ QQ+, AKs, AKo }", "QQ+,AK"),
        ("{AA,KK}", "AA,KK"),
        ("top 20%", "20%"),
        ('"AA,KK"', "AA,KK"),
        ("(AA KK:0.5)", None),
        ("AA KK:0.5, QQ", None),
        ("AA 75, KK", None),
        ("22 AA, KK", None),
        ("{AA},{KK}", None),
        ("AA+KK", None),
    ],
)
def test_blanks_among_commas_and_signs_around_a_range(text: str, ours: str | None) -> None:
    """What is read is what the text can only mean; else the place and what to do are told."""
    if ours is not None:
        assert Range(text) == Range(ours, "pio")
        return
    with refuses(RangeSyntaxError, option="range") as caught:
        Range(text)
    assert caught.value.remedy
    assert caught.value.given
    assert caught.value.position == text.find(str(caught.value.given))


@pytest.mark.parametrize("text", ["100: 25%", "12.5: 33%, AA", "5%: 88", "75%: 25%, 50: AA"])
def test_equilab_has_shares_too(text: str) -> None:
    assert Range(text) == Range(text, "equilab")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[25]QQ:0.5[/25]", "[50.0]QQ[/50.0]"),
        ("AA@25,QQ:0.5", "QQ@50"),
        ("AA,QQ:0.5;Weights: AA:50%", "QQ; Weights: QQ:50%"),
        ("50: AA, QQ:0.5", "50: QQ"),
    ],
)
def test_weights_of_two_dialects_are_refused(text: str, expected: str) -> None:
    with refuses(
        RangeSyntaxError,
        option="range",
        given=":0.5",
        expected=expected,
        remedy="write all weights so",
    ):
        Range(text)


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "raw"])
def test_a_weight_that_the_given_dialect_lacks_is_written_as_it_takes_it(dialect: str) -> None:
    """What is expected can be typed, and so can the range without the dialect."""
    stray = "QQ@50" if dialect in ("pio", "pokercruncher") else "QQ:0.5"
    with refuses(RangeSyntaxError, option="range", given=stray[2:]) as caught:
        Range(stray, dialect)
    assert str(caught.value.remedy).endswith(", or leave out the dialect")
    half = Range(stray)
    if dialect == "pokerkit":
        assert caught.value.expected is None
    else:
        assert Range(str(caught.value.expected), dialect) == half


def test_hands_that_are_looked_up_have_no_weights() -> None:
    with refuses(RangeSyntaxError, given=":0.5", expected=None, remedy="leave the weight out"):
        Range("QQ")["QQ:0.5"]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("pio", "AA,KK:0.5,QQ,AKs:0.5"),
        ("gto+", "AA,QQ,[50.0]KK,AKs[/50.0]"),
        ("equilab", "100: AA, QQ, 50: KK, AKs"),
        ("pokercruncher", "QQ+, AKs; Weights: KK:50%, AKs:50%"),
        ("propokertools", "AA@100,KK@50,QQ@100,AKs@50"),
    ],
)
def test_dialects_are_written(dialect: str, expected: str) -> None:
    made = Range("AA,KK:0.5,QQ,AKs:0.5")
    assert made.to(dialect) == expected
    assert Range(expected) == made


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("equilab", "QQ+, A5s-A2s, AsKd"),
        ("pokercruncher", "QQ+, A5s-A2s, AsKd"),
        ("propokertools", "QQ+,A5s-A2s,AsKd"),
        ("gto+", "QQ+,A5s-A2s,AsKd"),
        ("pokerkit", "QQ+ A5s A4s A3s A2s AsKd"),
    ],
)
def test_where_all_weights_are_one_none_is_written(dialect: str, expected: str) -> None:
    made = Range("QQ+,A5s-A2s,AsKd")
    assert made.to(dialect) == expected
    assert Range(expected, dialect) == made


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "pokerkit"])
@given(made=RANGES)
@settings(max_examples=5)
def test_every_dialect_keeps_every_weight(dialect: str, made: Range) -> None:
    assert Range(made.to(dialect), dialect) == made


@given(made=RANGES)
@settings(max_examples=5)
def test_pokerkit_keeps_every_hand(made: Range) -> None:
    whole = Range.from_weights(np.ceil(made.weights))
    assert Range(whole.to("pokerkit"), "pokerkit") == whole


def test_neighbours_in_pokerkit_stay_alone() -> None:
    assert Range("98s+ AKo+ KTs+ 77+", "pokerkit") == Range("98s,AKo,KTs+,77+", "pio")
    with refuses(RangeSyntaxError, position=3, option="range", given="98s+") as caught:
        Range("AA 98s+")
    assert caught.value.position == 3


def test_pokerkit_has_no_weights() -> None:
    with refuses(ConfigError, option="dialect", given="KQo"):
        Range("AA,KQo:0.5").to("pokerkit")


def test_raw_numbers_are_in_the_order_of_pio() -> None:
    numbers = ["0"] * 1326
    numbers[0], numbers[3], numbers[-1] = "1", "0.25", "1e-3"
    expected = {"AsAh": 0.001, "2s2c": 0.25, "2d2c": 1.0}
    for separator in (" ", ",", "\n"):
        assert Range(separator.join(numbers)).to_dict() == expected


SHOW_HAND_ORDER = "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d 3c2h 3c2s 3d2c 3d2d 3d2h 3d2s 3d3c"
"""How PioSOLVER's answer to `show_hand_order` begins; it ends in `AsKs AsAc AsAd AsAh`."""


def pio_order() -> list[str]:
    """All hands in the order of PioSOLVER, from two nested loops over the cards."""
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [deck[a] + deck[b] for a in range(52) for b in range(a)]
    assert " ".join(hands).startswith(SHOW_HAND_ORDER)
    assert hands[-5:] == ["AsKh", "AsKs", "AsAc", "AsAd", "AsAh"]
    return hands


@pytest.mark.parametrize("text", ["KQs", "AA", "72o", "AKs,QQ-88,A5s-A2s"])
@pytest.mark.parametrize("dialect", ["raw", None])
def test_raw_numbers_of_a_range(text: str, dialect: str | None) -> None:
    wanted = Range(text).to_dict()
    numbers = " ".join("01"[hand in wanted] for hand in pio_order())
    assert Range(numbers, dialect) == Range(text)
    assert Range(text).to("raw") == numbers


def test_raw_numbers_of_every_hand() -> None:
    """Distinct weights, so that no two hands can be exchanged."""
    weights = {hand: round(place / 1325, 6) for place, hand in enumerate(pio_order())}
    numbers = " ".join(f"{weight:g}" for weight in weights.values())
    found = Range(numbers).to_dict()
    assert found == {hand: pytest.approx(weight) for hand, weight in weights.items() if weight}
    assert [float(number) for number in Range(numbers).to("raw").split()] == pytest.approx(
        list(weights.values())
    )


def test_raw_numbers_are_counted_and_checked() -> None:
    with refuses(RangeSyntaxError, position=0, option="range", given=1325):
        Range("1 " * 1325)
    with refuses(RangeSyntaxError, position=2650, option="weight", given="2") as caught:
        Range("1 " * 1325 + "2")
    assert caught.value.position == 2650
    with refuses(RangeSyntaxError, position=2650, option="weight", given="x"):
        Range("1 " * 1325 + "x", "raw")


@pytest.mark.parametrize(
    ("text", "dialect", "position", "fields"),
    [
        ("[25]AA", None, 1, dict(option="range", given="25")),
        ("AA[/3]", None, 2, dict(option="range", given="[/3]")),
        ("[25]AA[/26]", None, 6, dict(option="range", given="[/26]")),
        ("[25]AA,[30]KK[/30][/25]", None, 7, dict(option="range", given="[30]")),
        ("[250]AA[/250]", None, 1, dict(option="weight", given="250")),
        ("[]AA[/]", None, 1, dict(option="weight", given="")),
        ("[25]AA,,KK[/25]", None, 7, dict(option="range", given="")),
        ("100: AA, 175: AQs", None, 9, dict(option="weight", given="175")),
        ("AA; Weights: QQ:3%", None, 13, dict(option="range", given="QQ")),
        ("AA; Weights: AA:x", None, 16, dict(option="weight", given="x")),
        ("AK@", None, 3, dict(option="weight", given="")),
        ("AK@101", None, 3, dict(option="weight", given="101")),
        ("AA;K", "pokerkit", 3, dict(option="range", given="K")),
    ],
)
def test_errors_in_dialects(
    text: str, dialect: str | None, position: int, fields: dict[str, Any]
) -> None:
    with refuses(RangeSyntaxError, **fields) as caught:
        Range(text, dialect)
    assert caught.value.position == position


def test_unknown_dialects_are_refused_and_aliases_known() -> None:
    with refuses(UnknownNameError, option="dialect", name="equilabs", suggestions=("equilab",)):
        Range("AA", "equilabs")
    with refuses(UnknownNameError, option="dialect", name="csv"):
        Range("AA").to("csv")
    assert Range("[50]AA[/50]", "Flopzilla").to("PPT") == "AA@50"
