"""Ranges: the grammar against combos counted by hand, errors with their places, round trips."""

from __future__ import annotations

import copy
import operator
import pickle
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies

from equilibrist.errors import ConfigError, RangeSyntaxError
from equilibrist.poker import Lock
from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name, parse_combo
from equilibrist.poker.ranges.dialects import DIALECTS
from equilibrist.poker.ranges.parser import MOST_CHARACTERS
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses, unchecked
from tests.slow_cases import examples


def hands(text: str) -> set[str]:
    return set(Range(text).to_dict())


def classes(text: str) -> list[str]:
    """The classes that are wholly in the range, in the order of the grid."""
    weights = Range(text).class_weights.ravel()
    assert set(weights) <= {0.0, 1.0}
    return [name for name, weight in zip(CLASS_NAMES, weights, strict=True) if weight]


RANGES = st.builds(
    Range.from_weights,
    numpy_strategies.arrays(
        np.float64, 1326, elements=st.floats(0, 1), fill=st.sampled_from([0.0, 1.0, 0.5])
    ),
)
GROUPS = st.lists(
    st.tuples(
        st.sampled_from(["88+", "AK", "A5s-A2s", "98s-65s", "K9o+", "AhKh", "98s+", "JsJh-9s9h"]),
        st.floats(0, 1).map(lambda weight: f"{weight:.3f}"),
    ),
    max_size=6,
).map(lambda groups: ",".join(f"{name}:{weight}" for name, weight in groups))


@pytest.mark.parametrize(
    ("text", "count"),
    [("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AsAh", 1), ("", 0), ("AK,", 16), ("  ", 0)],
)
def test_counts_of_combos(text: str, count: int) -> None:
    assert len(hands(text)) == count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("88+", "AA KK QQ JJ TT 99 88"),
        ("AA+", "AA"),
        ("ATs+", "AKs AQs AJs ATs"),
        ("J8o+", "JTo J9o J8o"),
        ("98s+", "AKs KQs QJs JTs T9s 98s"),
        ("KQo+", "AKo KQo"),
        ("AKs+", "AKs"),
        ("88-55", "88 77 66 55"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("98s-65s", "98s 87s 76s 65s"),
        ("AQo-86o", "AQo KJo QTo J9o T8o 97o 86o"),
        ("aks, AqO", "AKs AQo"),
        ("1010,A10s", "ATs TT"),
        (" KQs , 88 - 77 ,\nA2s", "A2s KQs 88 77"),
    ],
)
def test_groups_by_hand(text: str, expected: str) -> None:
    assert set(classes(text)) == set(expected.split())


def test_a_group_without_suits_is_both() -> None:
    assert set(classes("K5-K2")) == {f"K{low}{kind}" for low in "5432" for kind in "so"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8s8h+", "AsAh KsKh QsQh JsJh TsTh 9s9h 8s8h"),
        ("AhAs-QhQs", "AsAh KsKh QsQh"),
        ("AsTh+", "AsKh AsQh AsJh AsTh"),
        ("9d8d+", "AdKd KdQd QdJd JdTd Td9d 9d8d"),
        ("Ah5h-Ah3h", "Ah5h Ah4h Ah3h"),
        ("KhAh", "AhKh"),
        ("as4H", "As4h"),
    ],
)
def test_groups_with_suits(text: str, expected: str) -> None:
    assert hands(text) == set(expected.split())


def test_the_example_of_weights() -> None:
    made = Range("AA,AKs,QQ-88,A5s-A2s,KQo:0.5,")
    assert (len(made.to_dict()), made.num_combos) == (68, 62.0)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("KQo:50%,AA:100%,22:0%", "KQo:0.5,AA"),
        ("KQo: 12.5 %", "KQo:0.125"),
        ("A♠K♠", "AsKs"),
        ("A♥️A♠️,10♦9♦", "AhAs,Td9d"),
        ("A♡Q♡-A♡2♡:25%", "AhQh-Ah2h:0.25"),
        ("[25]A♧K♧[/25]", "AcKc:0.25"),
        ("8♤8♢+", "8s8d+"),
        ("A♠ K♠:50%, Q♥ Q♦", "AsKs:0.5,QhQd"),
        ("As Ks Ah Kh", "AsKs,AhKh"),
        ("AA，KK：50％、QQ", "AA,KK:0.5,QQ"),
        ("AA,KK:0.5\nQQ\n", "AA,KK:0.5,QQ"),
        ("AA: 100%\r\n\r\nKK: 50%", "AA,KK:0.5"),
        ("AA:0.5;KK:0.25; ", "AA:0.5,KK:0.25"),
        ("[50]AA[/50]\n[25]KK[/25]\nQQ", "AA:0.5,KK:0.25,QQ"),
        ("100: AA\n50: KK", "AA,KK:0.5"),
        ("15%\n72o", "15%,72o"),
        ("72o;6max-BTN", "72o,6max-BTN"),
        ("A5s-A2s\n15%\n", "A5s-A2s,15%"),
        ("\n  AA\nKK\n", "KK+"),
        (" ; 98s AK", "AK,98s"),
        ("QQ+;", "QQ+"),
    ],
)
def test_weights_in_percent_and_signs_of_suits(text: str, same: str) -> None:
    assert Range(text) == Range(same)
    assert Range("AKs,QQ:0.5")["Q♥Q♠"] == 0.5
    signs, letters = (f"B100: {hands},KK = Call 100%" for hands in ("A♠A♥", "AsAh"))
    assert Lock.parse(signs) == Lock.parse(letters)


def test_the_earlier_group_wins() -> None:
    made = Range("AA:0.5,QQ+")
    assert (made["AA"], made["KK"]) == (0.5, 1.0)
    assert Range("AA:0,QQ+") == Range("KK-QQ")
    assert Range("QQ+,AA:0.5") == Range("QQ+")


@pytest.mark.parametrize(
    ("text", "position", "fields"),
    [
        ("AK,,", 3, dict(option="range", given="")),
        (",", 0, dict(option="range", given="")),
        ("AA, ,KK", 4, dict(option="range", given="")),
        ("89", 0, dict(option="range", given="89")),
        ("AA,2Ko", 3, dict(option="range", given="2Ko")),
        ("AAo", 0, dict(option="range", given="AAo")),
        ("22s", 0, dict(option="range", given="22s")),
        ("AQo:1.1", 4, dict(option="weight", given="1.1")),
        ("AQo: -1", 5, dict(option="weight", given="-1")),
        ("AQo:", 4, dict(option="weight", given="")),
        ("AQo:nan", 4, dict(option="weight", given="nan")),
        ("AQo:1e400", 4, dict(option="weight", given="1e400")),
        ("AQo:150%", 4, dict(option="weight", given="150%")),
        ("AQo:%", 4, dict(option="weight", given="%")),
        ("AQo:0.5:0.5", 4, dict(option="weight", given="0.5:0.5")),
        ("AQo-AQo", 0, dict(option="range", given="AQo-AQo")),
        ("AQo-86s", 0, dict(option="range", given="AQo-86s")),
        ("AK-AQs", 0, dict(option="range", given="AK-AQs")),
        ("AQo-KQo", 0, dict(option="range", given="AQo-KQo")),
        ("KK-K5", 0, dict(option="range", given="KK-K5")),
        ("KQs-J9s", 0, dict(option="range", given="KQs-J9s")),
        ("K2-Q5", 0, dict(option="range", given="K2-Q5")),
        ("55-K8", 0, dict(option="range", given="55-K8")),
        ("AhAs-QsQh", 0, dict(option="range", given="AhAs-QsQh")),
        ("AA,AsAs", 3, dict(option="range", given="AsAs")),
        ("AA KK:0.5,QQ", 3, dict(option="range", given="KK")),
        ("88-", 3, dict(option="range", given="")),
        ("88-7", 3, dict(option="range", given="7")),
        ("AKx", 2, dict(option="range", given="x")),
        ("88+-77", 2, dict(option="range", given="+-77")),
        ("hello", 0, dict(option="range", given="hello")),
        ("A", 0, dict(option="range", given="A")),
        ("AsK", 0, dict(option="range", given="AsK")),
        ("AKſ", 2, dict(option="range", given="ſ")),
        ("A\u212as", 0, dict(option="range", given="AKs")),
    ],
)
def test_errors_have_a_place_and_a_remedy(text: str, position: int, fields: dict[str, Any]) -> None:
    with refuses(RangeSyntaxError, **fields) as caught:
        Range(text)
    assert (caught.value.text, caught.value.position) == (text, position)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AA,KK", "KK+"),
        ("KK,QQ", "KK-QQ"),
        ("66-22,TT+", "TT+,66-22"),
        ("22-66", "66-22"),
        ("22\u201366,A5s\u2212A2s", "66-22,A5s-A2s"),
        ("K2-K5:0.5", "K5-K2:0.5"),
        ("65s-98s", "98s,87s,76s,65s"),
        ("A2s-A5s", "A5s-A2s"),
        ("AA:0.5, KK:1.0, QQ:1.0, JJ:0.5", "AA:0.5,KK-QQ,JJ:0.5"),
        ("AK,AQ,AJs", "AJs+,AQo+"),
        ("KQ,KT,K9,K8,K6,K5", "KQ,KT-K8,K6-K5"),
        ("AhAs-QhQs,JJ", "JJ,AsAh,KsKh,QsQh"),
        ("KcQh,KJ", "KJ,KcQh"),
        ("", ""),
        ("AA:0", ""),
        ("98s+", "AKs,KQs,QJs,JTs,T9s,98s"),
        ("22+", "22+"),
        ("AKs,AKo:0.5", "AKs,AKo:0.5"),
        ("AK:0.25,A5s-A2s", "AKs:0.25,A5s-A2s,AKo:0.25"),
        ("32o,32s", "32"),
        ("AsKs,AhKh,AdKd,AcKc", "AKs"),
        ("AsKs:0.00001", "AsKs:0.00001"),
        ("54s:0.450,53s:.45,52s:0.45", "52s+:0.45"),
    ],
)
def test_canonical_text(text: str, expected: str) -> None:
    assert str(Range(text)) == expected
    assert repr(Range(text)) == f"Range({expected!r})"


def test_the_ranges_of_a_published_spot_are_canonical_already() -> None:
    text = (
        "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,"
        "T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,"
        "63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45"
    )
    assert str(Range(text)) == text


@given(RANGES)
@settings(max_examples=30)
def test_what_is_printed_is_read_back_exactly(made: Range) -> None:
    text = str(made)
    assert Range(text) == made
    assert str(Range(text)) == text


@given(GROUPS)
def test_printing_settles_after_once(text: str) -> None:
    printed = str(Range(text))
    assert str(Range(printed)) == printed
    assert Range(printed) == Range(text)
    assert len(printed) <= max(len(text), 700)


@pytest.mark.slow
@given(st.text(alphabet="AKQJT9832shdcSo+-:,.01 [];/@%", max_size=14) | st.text(max_size=10))
@settings(max_examples=examples(300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        made = Range(text)
    except RangeSyntaxError as error:
        place = error.position
        assert 0 <= place <= len(text)
    else:
        assert Range(str(made)) == made


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    ("unit", "dialect"),
    [
        *((unit, None) for unit in ("1", " ", "AA,", "AA ", "[ ", "100%,", "AA:0.5,", "5: AA,")),
        *((unit, dialect) for unit in (" ", "[ ", "AA:0.5,") for dialect in DIALECTS),
    ],
)
def test_long_texts_end(unit: str, dialect: str | None) -> None:
    """Where the time grew with the square of the length, these took minutes."""
    for before, after in (("", ""), ("AA", "x"), ("[", "x")):
        with suppress(RangeSyntaxError):
            Range(before + unit * (60_000 // len(unit)) + after, dialect)


def test_the_longest_text_of_a_range() -> None:
    tiny = Range.from_weights(np.random.default_rng(1).uniform(0.1, 1, 1326) * 1e-307)
    for dialect in ("pio", "raw"):
        assert Range(tiny.to(dialect), dialect) == tiny


def test_groups_that_begin_alike() -> None:
    made = Range("TT:0.5,TT+,TT-99:0.25,A5s,A5s-A2s:0.5")
    assert made == Range("JJ+,TT:0.5,99:0.25,A5s,A4s-A2s:0.5")


def test_longer_texts_are_refused() -> None:
    assert Range("AA," + " " * (MOST_CHARACTERS - 5) + "KK") == Range("KK+")
    with refuses(
        RangeSyntaxError,
        option="range",
        given=MOST_CHARACTERS + 1,
        expected=MOST_CHARACTERS,
        position=MOST_CHARACTERS,
        remedy="name each hand once",
    ):
        Range("AA," + " " * (MOST_CHARACTERS - 4) + "KK")


def test_weights_are_a_read_only_copy() -> None:
    source = np.zeros(1326)
    made = Range.from_weights(source)
    source[0] = 1
    assert not made
    with pytest.raises(ValueError, match="read-only"):
        made.weights[0] = 1
    thawed = pickle.loads(pickle.dumps(Range("AKs:0.3")))
    assert thawed == copy.deepcopy(thawed) == Range("AKs:0.3")
    assert not thawed.weights.flags.writeable


@pytest.mark.parametrize(
    ("weights", "fields"),
    [
        (np.zeros(169), dict(option="weights", given="(169,)", expected="(1326,)")),
        (np.full(1326, np.nan), dict(option="weight", given=float("nan"))),
        (np.full(1326, 1.5), dict(option="weight", given=1.5)),
        (-np.ones(1326), dict(option="weight", given=-1.0)),
        ("AA", dict(option="weights", given="AA")),
        (None, dict(option="weights", given="()", expected="(1326,)")),
    ],
)
def test_weights_are_checked(weights: object, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        Range.from_weights(weights)


def test_a_range_is_text() -> None:
    with refuses(ConfigError, option="range", given="Range('')"):
        Range(unchecked(Range()))


def test_arithmetic() -> None:
    one, other = Range("QQ+:0.5,AKs"), Range("KK+")
    assert one | other == Range("KK+,QQ:0.5,AKs")
    assert one & other == Range("KK+:0.5")
    assert other - one == Range("KK+:0.5")
    assert one * 0.5 == 0.5 * one == Range("QQ+:0.25,AKs:0.5")
    assert hash(one | other) == hash(Range("KK+,QQ:0.5,AKs"))
    assert Range.full().num_combos == 1326
    assert one != "QQ+:0.5,AKs"
    for combine in (operator.or_, operator.and_, operator.sub):
        with pytest.raises(TypeError, match="unsupported operand"):
            combine(one, "KK+")
    with refuses(ConfigError, option="factor", given=2):
        _ = one * 2
    assert hash(Range.from_weights(np.full(1326, -0.0))) == hash(Range())


def test_dead_cards_take_their_combos() -> None:
    left = Range("AA,AKs").without("AsKh2c")
    assert set(left.to_dict()) == {"AhAd", "AhAc", "AdAc", "AdKd", "AcKc"}
    assert left == Range("AA,AKs").without([51, 46, 0])


def test_weights_of_hands() -> None:
    made = Range("AhKd:0,AKs:0.5,AKo")
    assert made["AhKd"] == 0
    assert made["AKs"] == 0.5
    assert made["AKo"] == pytest.approx(11 / 12)
    assert made["AK"] == pytest.approx(13 / 16)
    assert made.class_weights[0, 1] == 0.5
    assert made.class_weights[1, 0] == pytest.approx(11 / 12)
    with pytest.raises(RangeSyntaxError):
        _ = made["XX"]


def test_every_combo_alone() -> None:
    for first, second in product("2T", repeat=2):
        for name in {f"{first}{a}{second}{b}" for a, b in product("cdhs", repeat=2)}:
            if name[:2] != name[2:]:
                combo = parse_combo(name)
                assert hands(name) == {combo_name(combo)}
                assert str(Range(name)) == combo_name(combo)
