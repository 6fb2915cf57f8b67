"""Presets: the rule, whole classes of the ranking, names in every range."""

from __future__ import annotations

import pytest

from equilibrist.errors import RangeSyntaxError
from equilibrist.poker import Spot, equity
from equilibrist.poker.cards.combos import CLASS_NAMES, class_combos
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.cards.hand_ranking import EQUITIES_BY_RANKING, EQUITY_AGAINST_RANDOM
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


@pytest.mark.parametrize(
    ("deck", "hands", "text"),
    [
        ("short", 630, "TT+,ATs+,AJo+,KJs+,QJs"),
        ("short-trips", 630, "99+,ATs+,AJo+,KQs"),
        ("T", 190, "JJ+"),
    ],
)
def test_shares_of_the_hands_of_a_deck(deck: str, hands: int, text: str) -> None:
    best = Range("15%", deck=deck)
    assert 0.1 < best.num_combos / hands <= 0.15
    assert Range("100%", deck=deck).num_combos == hands
    ranking = EQUITIES_BY_RANKING[read_deck(deck).ranking.name]
    assert sorted(ranking.values(), reverse=True) == [*ranking.values()]
    assert Range("AA:0,6max-BTN:0.5", deck=deck).num_combos < Range("100%", deck=deck).num_combos
    assert str(best) == text
    assert Spot(board="KsQhTc", oop="15%", ip="AK", pot=6, stack=9, deck=deck).oop == best


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["short", "short-trips"])
def test_the_order_with_36_cards_is_by_equity(deck: str) -> None:
    found = equity("random", "random", deck=deck, exact=True).oop_hands
    for name, share in EQUITIES_BY_RANKING[deck].items():
        assert found[class_combos(CLASS_NAMES.index(name))[0]] == pytest.approx(share, abs=6e-6)


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
