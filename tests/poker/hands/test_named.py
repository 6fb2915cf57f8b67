"""Hands by name, and every amount as a bet size."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, UnknownNameError
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import street_menus
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.named import is_hand_name
from tests.refusals import refuses


def test_a_name_stands_for_keys_and_takes_others() -> None:
    royal = Hand(blinds="1/2", stack=20, deck="T", board="3", bets="all")
    assert Hand.named("royal") == Hand.named(" Royal( bets = all ) ") == royal
    cut = Hand.named("royal(bets='50%,a',raises=a,stack=8)", deck="Q")
    assert (cut.bets, cut.raises, cut.stack, cut.deck) == ("50%,a", "a", 8, "Q")
    switched = Hand.named('hand(stack=5,short_all_in_reopens=true,bets="2x,a|50%|a|a")')
    assert switched.short_all_in_reopens
    for hand in (royal, cut, switched):
        assert Hand.named(hand.name) == hand


def test_names_that_are_none() -> None:
    assert is_hand_name("royal(stack=8")
    assert is_hand_name("royal")
    assert not is_hand_name("royal.toml")
    assert not is_hand_name("kuhn(bets=all)")
    with pytest.raises(UnknownNameError) as unknown:
        Hand.named("royals(bets=all)")
    assert (unknown.value.option, unknown.value.given) == ("hand", "royals")
    with pytest.raises(UnknownNameError):
        Hand.named("royal(bet=all)")
    for text, place in (("royal(bets=all", ""), ("royal(stack)", "column 7"),
                        ("royal(stack=8,a)", "column 15")):  # fmt: skip
        with pytest.raises(ConfigError) as caught:
            Hand.named(text)
        assert caught.value.given == text
        assert not place or caught.value.place == place


def test_all_is_every_amount_of_bets_and_then_of_raises() -> None:
    every = Hand(stack=8, blinds="1/2", board="3", deck="T", bets="all")
    assert every.size() == Hand(stack=8, blinds="1/2", board="3", deck="T").size()
    assert (
        every.size()
        == Hand(stack=8, blinds="1/2", board="3", deck="T", bets="all", raises="ALL").size()
    )
    tree = every.tree()
    assert [action.code for action in tree.moves(0)] == ["F", "C", "R4", "R5", "R6", "R7", "A8"]
    without = Hand(stack=8, blinds="1/2", board="3", deck="T", bets="all", raises="none")
    assert without.size().nodes < every.size().nodes
    by_street = Hand(stack=8, blinds="1/2", board="3", deck="T", bets="a|all", raises="a")
    assert [action.code for action in by_street.tree().moves(0)] == ["F", "C", "A8"]


def test_after_the_cap_all_leaves_all_in() -> None:
    hand = Hand(stack=12, blinds="1/2", board="3", deck="T", bets="all", raise_cap=1)
    tree = hand.tree()
    facing = next(n for n in range(tree.num_nodes) if tree.line(n) == "R4")
    assert [action.code for action in tree.moves(facing)] == ["F", "C", "A12"]


def test_all_is_a_size_of_spots_too() -> None:
    menu = street_menus(bets="all", raises="all")
    rules = BettingRules(pot=4, stack=6, menus=(menu, menu), first_street=2)
    bets = [action.code for action in rules.actions(rules.follow("")[0])]
    assert bets == ["X", "B1", "B2", "B3", "B4", "B5", "A6"]
    raises = [action.code for action in rules.actions(rules.follow("B2")[0])]
    assert raises == ["F", "C", "R4", "R5", "A6"]


def test_too_many_amounts_are_refused_before_a_tree_is_built() -> None:
    hand = Hand(stack=20, bets="all")  # 0.01 big blinds each
    with refuses(MemoryBudgetError, option="sizes"):
        hand.size()
    menu = street_menus(bets="all", raises="all")
    rules = BettingRules(pot=10, stack=5000, menus=(menu, menu))
    with refuses(MemoryBudgetError, option="sizes"):
        rules.actions(rules.root())


@pytest.mark.parametrize(
    "keys", ["seats=4,stack=20", "stack=10,deck=6,suits=3", "hole_cards=1,stack=5"]
)
def test_the_name_of_a_hand_makes_it_again(keys: str) -> None:
    hand = Hand.named(f"hand({keys})")
    assert Hand.named(hand.name) == hand
