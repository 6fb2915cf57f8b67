"""Presets: the rule, whole classes of the ranking, names in every range."""

from __future__ import annotations

import pytest

from equilibrist.errors import RangeSyntaxError
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.ranges.presets import PRESETS, Preset, find_preset
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses

BEHIND = {
    "2max-SB": 1,
    "6max-UTG": 5,
    "6max-HJ": 4,
    "6max-CO": 3,
    "6max-BTN": 2,
    "6max-SB": 1,
    "9max-UTG": 8,
    "9max-UTG1": 7,
    "9max-UTG2": 6,
    "9max-LJ": 5,
    "9max-HJ": 4,
    "9max-CO": 3,
    "9max-BTN": 2,
    "9max-SB": 1,
}


def test_players_left_to_act() -> None:
    assert {name: preset.players_behind for name, preset in PRESETS.items()} == BEHIND
    assert all(preset.name == name for name, preset in PRESETS.items())


@pytest.mark.parametrize("preset", PRESETS.values(), ids=str)
def test_nobody_behind_has_such_a_hand_half_of_the_time(preset: Preset) -> None:
    assert (1 - preset.share) ** preset.players_behind == pytest.approx(0.5, abs=1e-12)
    assert f"{preset.share:.1%}" in preset.rule


@pytest.mark.parametrize("name", BEHIND)
def test_the_best_classes_that_fit(name: str) -> None:
    preset = PRESETS[name]
    made = Range(name)
    assert made == Range.top(preset.share)
    assert made.num_combos / 1326 <= preset.share
    best = list(EQUITY_AGAINST_RANDOM)
    assert list(preset.hand_classes) == best[: len(preset.hand_classes)]
    following = Range(",".join(best[: len(preset.hand_classes) + 1]))
    assert following.num_combos / 1326 > preset.share


def test_a_preset_is_a_group_of_hands() -> None:
    assert Range("6MAX-btn") == Range("6max-BTN") == Range.top(1 - 0.5**0.5)
    assert Range("AA:0,6max-BTN:0.5,72o")["AA"] == 0
    assert Range("AA:0,6max-BTN:0.5,72o")["AKs"] == 0.5
    assert Range("AA:0,6max-BTN:0.5,72o")["72o"] == 1
    assert Range("[50.0]6max-UTG[/50.0]") == Range("6max-UTG") * 0.5
    assert Range("50: 6max-UTG", "equilab") == Range("6max-UTG@50") == Range("6max-UTG") * 0.5


def test_random_is_every_hand() -> None:
    assert Range("random") == Range("Random") == Range.full()
    assert Range("AA:0,random:0.25").num_combos == 1320 / 4


def test_unknown_presets() -> None:
    assert find_preset("6max-BB") is None
    for name in ("6max-BB", "5max-UTG", "6max-"):
        with refuses(RangeSyntaxError, position=4, option="range", given=name):
            Range(f"AA, {name}")
    for name in ("randomly", "6max", "preset"):
        with refuses(RangeSyntaxError, position=0):
            Range(name)
