"""Spots that are refused, each by one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    ConfigError,
    EquilibristError,
    LineSyntaxError,
    NotationError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.text_span import read_share
from tests.poker.postflop.spot.spots import SMALL, TURN
from tests.refusals import refuses, unchecked
from tests.slow_cases import examples


@pytest.mark.parametrize(
    ("changes", "kind", "fields"),
    [
        ({"board": ""}, ConfigError, dict(option="board", given="")),
        ({"board": "Td"}, CardSyntaxError, dict(place="board, column 1", option="board", given=1)),
        (
            {"board": "TdTd9h"},
            CardSyntaxError,
            dict(place="board, column 3", option="card", given="Td"),
        ),
        ({"board": 7}, ConfigError, dict(option="board", given=7)),
        ({"bet": "5%"}, UnknownNameError, dict(option="bet", name="bet")),
        ({"players": 3}, ConfigError, dict(option="key", given="players")),
        ({"oop": None}, ConfigError, dict(option="oop")),
        ({"oop": "AK,,"}, RangeSyntaxError, dict(place="oop, column 4", option="oop", given="")),
        (
            {"ip": "AhKhQdJd"},
            RangeSyntaxError,
            dict(place="ip, column 5", option="ip", given="QdJd"),
        ),
        ({"ip": 5}, ConfigError, dict(option="ip", given=5)),
        ({"oop": ""}, ConfigError, dict(option="oop")),
        ({"oop": "QcTd"}, ConfigError, dict(option="oop", given="Td9d6hQc")),
        ({"oop": "TT", "ip": "TT"}, ConfigError, dict(option="ranges", given=0.0)),
        ({"pot": 0}, ConfigError, dict(option="pot", given=0)),
        ({"stack": 0}, ConfigError, dict(option="stack", given=0)),
        ({"stack": 10.55555}, ConfigError, dict(option="stack", given=10.55555)),
        ({"pot": "1e3"}, ConfigError, dict(option="pot", given="1e3")),
        ({"min_bet": -0.5}, ConfigError, dict(option="min_bet", given=-0.5)),
        ({"unit": 0.5}, ConfigError, dict(option="unit", given=0.5)),
        ({"unit": 1, "stack": 97.5}, ConfigError, dict(option="stack", given=97.5, place=None)),
        (
            {"added_lines": ["B3.5"], "unit": "1"},
            LineSyntaxError,
            dict(place="added_lines, column 1", option="line", given="B3.5"),
        ),
        ({"unit": 0.1, "bets": "3.25c"}, ConfigError, dict(option="sizes", given=3.25)),
        ({"stack": [900, 800]}, ConfigError, dict(option="stack", given="[900, 800]")),
        (
            {"bets": "50%, 75z"},
            BetSizeSyntaxError,
            dict(place="bets, column 6", option="bets", given="75z"),
        ),
        (
            {"bets": "2.5x"},
            BetSizeSyntaxError,
            dict(place="bets, column 1", option="bets", given="2.5x"),
        ),
        ({"ip_raises": 3}, ConfigError, dict(option="ip_raises", given=3)),
        ({"bets": None}, ConfigError, dict(option="bets")),
        ({"bets": "0%"}, ConfigError, dict(option="bets", given="0%")),
        ({"bets": "50%||"}, ConfigError, dict(option="bets", given="flop")),
        ({"ip_raises": "a||"}, ConfigError, dict(option="ip_raises", given="flop")),
        ({"oop_bets": "a", "ip_bets": "e"}, ConfigError, dict(option="bets")),
        (
            {"ip_bets": "none", "ip_raises": "none", "donks": "||50%"},
            ConfigError,
            dict(option="donks"),
        ),
        ({"donks": "|50%|"}, ConfigError, dict(option="donks", given="turn")),
        (
            {"donks": "50%||"},
            BetSizeSyntaxError,
            dict(place="donks, column 1", option="donks", given="50%"),
        ),
        ({"rake": 5}, ConfigError, dict(option="rake", given=5)),
        ({"rake": "101%"}, ConfigError, dict(option="rake", given="101%")),
        ({"merge": "-1%"}, ConfigError, dict(option="merge", given="-1%")),
        ({"rake": "x"}, ConfigError, dict(option="rake", given="x")),
        ({"rake": "1e999999999"}, ConfigError, dict(option="rake", given=float("inf"))),
        ({"rake": "1e9999999%"}, ConfigError, dict(option="rake", given="1e9999999%")),
        ({"merge": "sNaN%"}, ConfigError, dict(option="merge", given="sNaN%")),
        ({"rake": float("nan")}, ConfigError, dict(option="rake", given=float("nan"))),
        ({"force_all_in": 15}, ConfigError, dict(option="force_all_in", given=15)),
        ({"add_all_in": "150"}, ConfigError, dict(option="add_all_in", given="150")),
        ({"merge": 10}, ConfigError, dict(option="merge", given=10)),
        ({"merge": 1000}, ConfigError, dict(option="merge", given=1000)),
        ({"merge": -1}, ConfigError, dict(option="merge", given=-1)),
        ({"rake_cap": "3x"}, ConfigError, dict(option="rake_cap", given="3x")),
        ({"rake_cap": "-1"}, ConfigError, dict(option="rake_cap", given=-1.0)),
        ({"raise_cap": True}, ConfigError, dict(option="raise_cap", given=True)),
        ({"added_lines": "X-B7"}, ConfigError, dict(option="added_lines", given="X-B7")),
        (
            {"added_lines": ["B9999"]},
            LineSyntaxError,
            dict(place="added_lines, column 1", option="line", given="B9999"),
        ),
        (
            {"removed_lines": ["X-B7"]},
            LineSyntaxError,
            dict(place="removed_lines, column 3", option="line", given="B7"),
        ),
    ],
)
def test_what_is_refused(
    changes: dict[str, Any], kind: type[EquilibristError], fields: dict[str, Any], tmp_path: Path
) -> None:
    with refuses(kind, **fields) as caught:
        Spot(**TURN | changes)
    if isinstance(caught.value, NotationError):
        assert caught.value.text in [
            value for given in changes.values() for value in (given, *given)
        ]


def test_an_array_is_no_folded_range() -> None:
    with refuses(ConfigError, option="folded"):
        Spot(**TURN, folded=unchecked(np.ones(1326)))


@pytest.mark.slow
@given(
    text=st.one_of(
        st.text(st.sampled_from("0123456789.eE+-%_ sNaInf"), max_size=12),
        st.from_regex(r"-?[0-9]{0,3}\.?[0-9]{0,3}[eE][+-]?[0-9]{1,20}%?", fullmatch=True),
    )
)
def test_a_share_is_a_number_or_none(text: str) -> None:
    try:
        share = read_share(text)
    except ValueError:
        return
    assert isinstance(share, float)


def test_what_is_no_table_of_keys() -> None:
    with refuses(ConfigError, option="spot", given=5):
        Spot.model_validate(5)


TEXTS = st.text(st.sampled_from('23AKTdhs+-:,.%xcear|BXRn "\\\n\x7fé0159'), max_size=12)
VALUES = st.one_of(TEXTS, st.integers(), st.floats(), st.none(), st.lists(TEXTS, max_size=2))


@given(keys=st.dictionaries(st.sampled_from([*SPOT_KEYS, "x"]), VALUES, max_size=3))
@settings(max_examples=examples(300), deadline=None)
def test_any_keys_make_a_spot_or_one_clear_error(keys: dict[str, Any]) -> None:
    try:
        spot = Spot(**SMALL | {"bets": "50%"} | keys)
    except EquilibristError:
        return
    assert spot.rules().actions(spot.rules().root())
