"""Classes of recall, on games whose class is known from their definition."""

from __future__ import annotations

import pytest

from equilibrist.abstraction import Abstraction, make_abstraction
from equilibrist.abstraction.recall import classify_recall, weakest
from equilibrist.game_loading import compile_game
from tests.small_games import Written

LEDUC = compile_game("leduc(suit_isomorphism=true)")


@pytest.mark.parametrize(
    "spec", ["none", "cards(JQK)", "cards(JK.Q)", "cards(JQ.K,pair)", "0:buckets(1);1:none"]
)
def test_coarser_cards_from_the_start_leave_perfect_recall(spec: str) -> None:
    for recall in classify_recall(make_abstraction(LEDUC, spec)):
        assert (recall.kind, recall.infoset, recall.pasts) == ("perfect", None, ())


def test_forgetting_the_hand_is_imperfect_recall() -> None:
    keys = {
        key: key.partition("/")[0].replace("J", "?").replace("Q", "?") + "/" + key.partition("/")[2]
        for key in LEDUC.infoset_keys
        if "/" in key and key[0] in "JQ"
    }
    found = classify_recall(Abstraction.from_keys(LEDUC, keys))
    assert [recall.kind for recall in found] == ["imperfect", "imperfect"]
    assert found[0].infoset is not None
    assert {past[0][0][0] for past in found[0].pasts if past} <= {"J", "Q"}


def test_one_seat_may_forget_and_the_other_not() -> None:
    found = classify_recall(make_abstraction(LEDUC, "0:memory(last=1);1:none"))
    assert [recall.kind for recall in found] == ["imperfect", "perfect"]
    assert weakest(found).player == 0


def two_steps(first: str, second: tuple[str, str]) -> Written:
    """One player moves l or r, and then again, at infosets with these keys."""
    ends = {"l": (1.0,), "r": (0.0,)}
    below = {label: (0, key, dict(ends)) for label, key in zip(("l", "r"), second, strict=True)}
    return Written((0, first, below), 1)


def test_forgetting_own_actions_only_is_a_loss() -> None:
    tree = compile_game(two_steps("a", ("b", "c")))
    found = classify_recall(Abstraction.from_keys(tree, {"b": "x", "c": "x"}))[0]
    assert (found.kind, found.infoset) == ("A-loss", "x")
    assert found.pasts == ((("a", "l"),), (("a", "r"),))


def test_an_infoset_twice_on_a_path_is_absent_mindedness() -> None:
    tree = compile_game(two_steps("a", ("b", "c")))
    found = classify_recall(Abstraction.from_keys(tree, {"a": "x", "b": "x"}))[0]
    assert (found.kind, found.infoset) == ("absent-minded", "x")


def test_what_chance_told_is_no_own_action() -> None:
    ends = {"l": (1.0,), "r": (0.0,)}
    deep = {side: (0, side + "2", dict(ends)) for side in "hg"}
    told = {(side, 0.5): (0, side, {"l": deep[side], "r": (0.5,)}) for side in "hg"}
    tree = compile_game(Written(("chance", told), 1))
    found = classify_recall(Abstraction.from_keys(tree, {"h2": "x", "g2": "x"}))[0]
    assert (found.kind, found.infoset) == ("imperfect", "x")
    assert found.pasts == ((("h", "l"),), (("g", "l"),))


def test_a_game_is_classified_as_it_is() -> None:
    assert [recall.kind for recall in classify_recall(LEDUC)] == ["perfect", "perfect"]
