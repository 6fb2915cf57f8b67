"""Weights of ranges: their ratios alone count, however small they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, RangeSyntaxError
from equilibrist.poker import solve
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.poker.ranges.range import Range, drop_negligible, exponent, share_that_meets
from tests.refusals import refuses

TURN: dict[str, Any] = {"board": "Ts3h2h5c", "pot": 60, "stack": 90, "bets": "50%", "raises": "a"}
OOP, IP = Range("AA,QQ:0.5,JTs"), Range("KK,98s:0.75")


def scaled(held: Range, power: int) -> Range:
    return Range.from_weights(np.ldexp(held.weights, power))


def spot(oop: int, ip: int) -> Spot:
    return Spot(**TURN, oop=scaled(OOP, oop), ip=scaled(IP, ip))


@pytest.mark.parametrize("powers", [(-1, 0), (-160, 0), (-3, -140), (-300, -310)])
@pytest.mark.parametrize("keep", [None, "first-street"])
def test_scaled_ranges_are_solved_to_the_same_bits(
    powers: tuple[int, int], keep: Any, tmp_path: Path
) -> None:
    solutions = []
    for each in ((0, 0), powers):
        found = solve(spot(*each), iterations=20)
        if keep:
            found.save(tmp_path / "a", keep)
            found = load_result(tmp_path / "a", threads=1)
        solutions.append(found)
    plain, small = solutions
    assert small.exploitability == plain.exploitability > 0
    for line in ("", "B30-C", "B30-C|2c|X"):
        ours, theirs = small.at(line), plain.at(line)
        for name in ("ev", "equity", "strategy"):
            np.testing.assert_array_equal(getattr(ours.values, name), getattr(theirs.values, name))
        both = np.array([powers]).T
        np.testing.assert_array_equal(ours.values.weight, np.ldexp(theirs.values.weight, both))
        facing = np.ldexp(theirs.values.matchups, both[::-1])
        np.testing.assert_array_equal(ours.values.matchups, facing)
        assert [*ours.totals] == [pytest.approx(pair) for pair in theirs.totals]
        assert ours.frequency == pytest.approx(theirs.frequency)
    (ours,), (theirs,) = (list(each.nodes((), [0])) for each in (small, plain))
    np.testing.assert_array_equal(ours.values.weight[0], small.spot.ranges[0].weights)
    np.testing.assert_allclose(ours.values.equity, theirs.values.equity)


def test_hands_that_are_next_to_never_held_count_as_not_held() -> None:
    weights = np.maximum(Range("AA").weights, Range("QQ").weights * 1e-31)
    found = Spot(**TURN, oop=Range.from_weights(weights), ip="KK")
    assert found.ranges == (Range("AA"), Range("KK"))
    alone = Range.from_weights(Range("AA").weights * 1e-46)
    assert found.replace(oop=alone).ranges[0] == alone


@pytest.mark.parametrize(
    ("oop", "ip", "option", "given"),
    [("AA:0.5", 1e-101, "ip", 1e-101), ("AsAh,QQ:0.0000001", 1, "ranges", 6e-07)],
)
def test_what_32_bits_do_not_hold(oop: str, ip: float, option: str, given: float) -> None:
    weights = Range("AsAh").weights * ip
    with refuses(ConfigError, option=option) as caught:
        Spot(**TURN, oop=oop, ip=Range.from_weights(weights))
    assert caught.value.given == pytest.approx(given, rel=0.1)


def test_nothing_is_resolved_where_reach_is_negligible() -> None:
    root = Spot(**TURN, oop="AsAh,QQ", ip="AsAh")
    weight = np.array([held.weights for held in root.ranges])
    line = ((*root.rules().follow("X-X")[0].line[0],), ())
    assert subgame_at(root, line, (51 - 4,), weight) is not None
    weight[0, Range("QQ").weights > 0] = 1e-7
    assert subgame_at(root, line, (51 - 4,), weight) is None


def test_measures_of_weights() -> None:
    for largest, power in ((1.0, 0), (0.51, 0), (0.5, -1), (2.0**-150, -150), (0.0, 0)):
        assert exponent(np.array([0.0, largest])) == power
    kept = drop_negligible(np.array([0.5, 1e-29, 1e-31, 0.0]))
    np.testing.assert_array_equal(kept, [0.5, 1e-29, 0.0, 0.0])
    oop, ip = Range("AsAh,QsQh:0.5").weights, Range("AsAd,KsKh").weights
    assert share_that_meets(oop, ip) == pytest.approx((0.5 + 1) / (1.5 * 2) + 1 / 6)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("AA 50%, KK 25%", "AA:0.5,KK:0.25"),
        ("AA 50% KK 25%", "AA:0.5,KK:0.25"),
        ("AKs 75%; QQ 20%\n22+ 5 %", "AKs:0.75,QQ:0.2,22+:0.05"),
        ("A5s - A2s 0.5, AhKh .25, QQ", "A2s-A5s:0.5,AhKh:0.25,QQ"),
        ("AA-TT 25%", "TT+:0.25"),
        ("top 10%", "10%"),
        ("Top10% of hands, 76s", "10%,76s"),
        ("best 5 % of all hands:50%", "5%:0.5"),
    ],
)
def test_weights_behind_blanks_and_words_for_shares(text: str, plain: str) -> None:
    assert Range(text) == Range(plain)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0.5@AA", "AA:0.5"),
        ("50%@AA, .25@88+ , 1@AhKh, QQ", "AA:0.5,88+:0.25,AhKh,QQ"),
        ("0.5@55;0.25@AKs", "55:0.5,AKs:0.25"),
        ("AsAh(0.5)", "AsAh:0.5"),
        ("AA (50%), 88-66(.25)\nA2s+( 1 ),QQ", "AA:0.5,88-66:0.25,A2s+,QQ"),
        ("A\u2660 A\u2665 (0.5)", "AsAh:0.5"),
    ],
)
def test_weights_before_a_group_and_in_parentheses(text: str, plain: str) -> None:
    assert Range(text) == Range(plain)


def test_a_group_of_digits_before_a_weight_is_one_of_propokertools() -> None:
    for text in ("88@55", "15%@55", "AA@0.5"):
        assert Range(text) == Range(text, "propokertools")


@pytest.mark.parametrize(
    ("text", "option", "given", "at"),
    [
        ("KK,50@AA", "weight", "50", 3),
        ("0.5@AA,AAs", "range", "AAs", 7),
        ("KK,AA(50)", "weight", "50", 6),
        ("KK, AxKx", "range", "AxKx", 4),
        ("0.5@TxTy", "range", "TxTy", 4),
    ],
)
def test_weights_and_suits_that_may_mean_two_things_are_refused_in_place(
    text: str, option: str, given: str, at: int
) -> None:
    with refuses(RangeSyntaxError, option=option, given=given) as caught:
        Range(text)
    assert caught.value.position == at


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("AxKx", ("AKs", "AKo", "AK ")),
        ("AxKy:0.5", ("AKs", "AKo", "AK ")),
        ("10x9x+", ("T9s", "T9o", "T9 ")),
        ("AxAy", ("AA",)),
    ],
)
def test_variables_for_suits_are_refused_with_hands_in_their_place(
    text: str, names: tuple[str, ...]
) -> None:
    with refuses(RangeSyntaxError, option="range") as caught:
        Range(text)
    assert all(name in str(caught.value.remedy) for name in names)


@pytest.mark.parametrize("text", ["AA KK 25%", "15% AA", "AA 50% KK"])
def test_a_share_behind_a_blank_that_may_be_a_weight_is_refused(text: str) -> None:
    with refuses(RangeSyntaxError, option="range"):
        Range(text)
