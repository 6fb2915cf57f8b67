"""Hands from objects, TOML and JSON, and what is refused, with place and remedy."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    BetSizeSyntaxError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    UnknownNameError,
)
from equilibrist.poker.hands.fields import HAND_KEYS
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand, stored_keys
from tests.refusals import check_error, refuses

HANDS = [
    Hand(stack=100),
    Hand(stack=100, bets="50%,100%,a", raises="100%,a", raise_cap="4|2|none|2"),
    Hand(seats=3, stacks="500/1000/2000", blinds="50/100", straddle=200, ante=12.5),
    Hand(stack=10, limit="limit", fixed_bets="1/2", deck="T", last_street="turn"),
    Hand(seats=6, stack=30, limit="pot-limit", ante=1, ante_kind="big-blind", bets="100%"),
    Hand(stack=9, board="", short_all_in_reopens=True, raises="none", bets="a", unit=0.1),
    Hand(seats=3, stacks="0.4/0.9/7", first_short_all_in_reopens=False, bets="a", ante=0.5),
]


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_hands_survive_toml_and_json(hand: Hand, tmp_path: Path) -> None:
    file = tmp_path / "hand.toml"
    file.write_text(hand.to_toml(), "utf-8")
    for read in (Hand.from_toml(file), Hand.model_validate_json(hand.model_dump_json())):
        assert read == hand
        assert hash(read) == hash(hand)
        assert (read.rules, read.menu) == (hand.rules, hand.menu)


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_hands_survive_files(hand: Hand) -> None:
    """Also those of earlier files: as TOML, and as the keys that TOML has."""
    stored = json.loads(json.dumps(stored_hand(hand)))
    for given in (stored, hand.to_toml(), tomllib.loads(hand.to_toml())):
        assert read_stored_hand(given) == hand
    for wrong in (None, [1], "stack = ["):
        with pytest.raises((TypeError, ValueError)):
            stored_keys(wrong)


def test_amounts_are_big_blinds_or_chips() -> None:
    rules = Hand(stack=100, ante=0.25).rules
    assert (rules.stacks, rules.blinds, rules.antes) == ((10_000,) * 2, (50, 100), (25, 25))
    assert rules.scale.chips(250) == 2.5
    rules = Hand(stack=10_000, blinds="50/100", seats=4, straddle="200/400").rules
    assert (rules.stacks[0], rules.blinds) == (10_000, (50, 100, 200, 400))
    assert rules.bets == (400, 100, 100, 100)
    assert rules.scale.per_chip == 1
    assert Hand(stack=99.5, blinds="0.5/1").rules.scale.per_chip == 10
    rules = Hand(stack=20, seats=3, ante=1, ante_kind="big-blind", limit="limit").rules
    assert (rules.antes, rules.bets, rules.raise_cap) == ((0, 100, 0), (100, 100, 200, 200), 3)


def test_keys_of_a_file_can_be_overridden(tmp_path: Path) -> None:
    file = tmp_path / "hand.toml"
    file.write_text('stack = 20\nbets = "100%"\n', "utf-8")
    assert Hand.from_toml(file, stack=40) == Hand(stack=40, bets="100%")
    assert set(HAND_KEYS) == set(Hand.model_fields)


def test_sizes_of_streets_without_betting_are_not_used() -> None:
    whole = Hand(stack=20, bets="2.5x|50%|100%|a", raises="a|a|60%|a", raise_cap="4|3|2|1")
    flop = Hand(stack=20, bets="2.5x|50%", raises="a|a", raise_cap="4|3", last_street="flop")
    assert whole.replace(last_street="flop").menu == flop.menu
    assert Hand(stack=20, bets="a", last_street="preflop").menu is not None
    with pytest.raises(BetSizeSyntaxError) as caught:
        whole.replace(bets="2.5x|50%|100%|b", last_street="flop")
    assert caught.value.option == "bets"


@pytest.mark.parametrize(
    ("keys", "kind", "fields"),
    [
        ({}, ConfigError, {"option": "stack"}),
        ({"stack": 0}, ConfigError, {"option": "stack"}),
        ({"stacks": "40/0", "blinds": "50/100"}, ConfigError, {"option": "stacks", "given": 0}),
        ({"stack": "x"}, ConfigError, {"option": "stack", "given": "x"}),
        (
            {"stack": 10**9},
            ConfigError,
            {"option": "stack", "given": 10**9, "expected": "at most 10,000,000 big blinds"},
        ),
        (
            {"stack": 10**9, "blinds": "0.5/1.2"},
            ConfigError,
            {"option": "stack", "given": 10**9, "expected": "at most 100,000,000 chips"},
        ),
        ({"stack": 5, "stacks": "5/5"}, ConfigError, {"option": "stacks"}),
        ({"stacks": "5/5/5"}, ConfigError, {"option": "stacks", "given": 3, "expected": 2}),
        ({"stack": 5, "seats": 11}, ConfigError, {"option": "seats", "given": 11}),
        ({"stack": 5, "blinds": "50"}, ConfigError, {"option": "blinds"}),
        (
            {"stack": 50, "blinds": "2/1", "bets": "a"},
            ConfigError,
            {"option": "blinds", "given": "2/1", "expected": "a small blind of at most 1"},
        ),
        ({"stack": 9, "raises": "a"}, ConfigError, {"option": "bets", "place": "preflop"}),
        ({"stack": 9, "bets": "2.5x"}, ConfigError, {"option": "bets", "place": "flop"}),
        (
            {"stack": 9, "bets": "50%", "raise_cap": 0},
            ConfigError,
            {"option": "bets", "place": "preflop"},
        ),
        ({"stack": 9, "bets": "0%"}, ConfigError, {"option": "bets", "given": "0%"}),
        (
            {"stack": 9, "bets": "50%,foo"},
            BetSizeSyntaxError,
            {"option": "bets", "place": "bets, column 5"},
        ),
        ({"stack": 9, "raises": "a|a"}, BetSizeSyntaxError, {"option": "raises"}),
        ({"stack": 9, "bets": "a", "raise_cap": "1|2"}, ConfigError, {"option": "raise_cap"}),
        ({"stack": 9, "limit": "limit", "bets": "a"}, ConfigError, {"option": "bets"}),
        ({"stack": 9, "limit": "limit", "raise_cap": "1|2"}, ConfigError, {"option": "raise_cap"}),
        ({"stack": 9, "straddle": 2}, ConfigError, {"option": "straddle", "given": 1}),
        (
            {"stack": 9, "seats": 3, "straddle": 1},
            ConfigError,
            {"option": "straddle", "given": 1},
        ),
        ({"stack": 9, "deck": "A"}, ConfigError, {"option": "deck", "given": 4}),
        ({"stack": 9, "board": "3", "last_street": "turn"}, ConfigError, {"option": "last_street"}),
        ({"stack": 9, "blinds": "0/0"}, ConfigError, {"option": "fixed_bets"}),
        ({"stack": 9, "unit": 0.3}, ConfigError, {"option": "unit", "given": 0.3}),
        ({"stack": 9.05, "blinds": "1/2", "unit": 1}, ConfigError, {"option": "stack"}),
        ({"stack": 9, "pot": 3}, ConfigError, {"option": "key", "given": "pot"}),
        ({"stak": 9}, UnknownNameError, {"option": "stak"}),
    ],
    ids=str,
)
def test_bad_hands_are_refused(
    keys: dict[str, Any], kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    with pytest.raises(EquilibristError) as caught:
        Hand(**keys)
    check_error(caught.value, kind, **fields)
    if kind is ConfigError:
        assert caught.value.remedy or caught.value.expected


def test_a_stack_for_each_of_more_seats_tells_the_seats() -> None:
    """Without seats there are two, which nobody typed."""
    with refuses(ConfigError, option="stacks") as caught:
        Hand(stacks="5/6/7")
    assert "seats to 3" in str(caught.value.remedy)


def test_a_file_that_is_no_hand_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hand.toml"
    file.write_text("stack 100", "utf-8")
    with refuses(FileFormatError, option="file", path=file):
        Hand.from_toml(file)
    file.write_text('stack = 9\nraises = "a"', "utf-8")
    with refuses(ConfigError, option="bets", place=f"{file}, preflop"):
        Hand.from_toml(file)
