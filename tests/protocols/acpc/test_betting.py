"""The betting of the original dealer: each of its rules, and what becomes of illegal actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from equilibrist.errors import LineSyntaxError
from equilibrist.poker.hands.betting import MOST_ACTIONS
from equilibrist.protocols.acpc.betting import PASSIVE, AcpcAction, Betting
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.rules import rules_of
from tests.protocols.acpc.tables import HEADS_UP, LIMIT, SIX, THREE
from tests.refusals import refuses


def at(definition: GameDefinition, text: str) -> Betting:
    return Betting.parse(rules_of(definition), text)


def raises(definition: GameDefinition, text: str) -> tuple[int, int]:
    can = at(definition, text).choices()
    assert can.can_raise
    return can.least, can.most


def test_heads_up_the_big_blind_is_position_0_and_first_after_the_flop() -> None:
    assert at(HEADS_UP, "").player == 1
    assert at(HEADS_UP, "c").player == 0
    assert at(HEADS_UP, "cc/").player == 0
    assert at(HEADS_UP, "cc/c").player == 1


def test_the_first_raise_is_to_twice_the_largest_blind() -> None:
    assert raises(HEADS_UP, "") == (200, 20000)
    assert raises(HEADS_UP, "c") == (200, 20000)


def test_raises_total_the_hand_and_each_street_resets_the_step() -> None:
    assert raises(HEADS_UP, "r300") == (500, 20000)
    assert raises(HEADS_UP, "r300r900") == (1500, 20000)
    assert raises(HEADS_UP, "r300r900c/") == (1000, 20000)
    assert raises(HEADS_UP, "r300r900c/r1100") == (1300, 20000)


def test_a_short_all_in_never_lowers_the_least_raise() -> None:
    short = replace(SIX, stacks=(20000, 20000, 20000, 310, 450, 20000))
    # Position 2 raises to 300, position 3 all-in to 310: the next is to 500 still, not 320.
    assert raises(short, "r300r310") == (450, 450)
    assert raises(short, "r300r310c") == (500, 20000)
    # All-in to 450 raises by 140, so the next is to 590: in a casino by 200 again, to 650.
    assert raises(short, "r300r310r450") == (590, 20000)


def test_a_short_all_in_lets_those_raise_again_who_have_acted() -> None:
    short = replace(SIX, stacks=(20000, 20000, 20000, 400, 20000, 20000))
    assert raises(short, "r300r400cfff") == (500, 20000)


def test_the_published_example_of_side_pots() -> None:
    assert raises(THREE, "ccc/ccr200r500") == (800, 1000)
    assert raises(THREE, "ccc/ccr200r500r800") == (1100, 2000)
    assert at(THREE, "ccc/ccr200r500r800r2000c//").is_over


def test_nobody_folds_with_nothing_to_call() -> None:
    for text in ("c", "cc/", "cc/c"):
        betting = at(HEADS_UP, text)
        assert not betting.choices().can_fold
        assert betting.fixed(AcpcAction("f"))[0] == PASSIVE
    assert at(HEADS_UP, "").choices().can_fold


def test_sizes_are_clamped() -> None:
    start = at(HEADS_UP, "r300")
    assert start.fixed(AcpcAction("r", 499))[0] == AcpcAction("r", 500)
    assert start.fixed(AcpcAction("r", 0))[0] == AcpcAction("r", 500)
    assert start.fixed(AcpcAction("r", 20001))[0] == AcpcAction("r", 20000)
    assert start.fixed(AcpcAction("r", 10**17))[0] == AcpcAction("r", 20000)
    assert start.fixed(AcpcAction("r", 500)) == (AcpcAction("r", 500), "")


def test_an_all_in_below_the_least_raise_is_the_only_size() -> None:
    assert raises(HEADS_UP, "r19950") == (20000, 20000)


def test_what_else_is_wrong_becomes_a_call() -> None:
    start = at(HEADS_UP, "")
    assert start.fixed(None)[0] == PASSIVE
    assert start.fixed(AcpcAction("r"))[0] == PASSIVE
    assert at(LIMIT, "").fixed(AcpcAction("r", 20))[0] == PASSIVE
    assert at(HEADS_UP, "r20000").fixed(AcpcAction("r", 20000))[0] == PASSIVE


def test_no_raise_after_the_most_raises() -> None:
    assert at(LIMIT, "rr").choices().can_raise
    assert not at(LIMIT, "rrr").choices().can_raise
    assert at(LIMIT, "cc/rrr").choices().can_raise
    assert not at(LIMIT, "cc/rrrr").choices().can_raise


def test_limit_raises_have_no_size() -> None:
    assert at(LIMIT, "rrrc/rc/rr").state.stakes == (40 + 10 + 20, 40 + 10 + 40)
    for text in ("r20", "rr20"):
        with refuses(LineSyntaxError, option="betting"):
            at(LIMIT, text)


def test_no_raise_where_at_most_one_can_act() -> None:
    assert not at(HEADS_UP, "r20000").choices().can_raise
    short = replace(THREE, stacks=(500, 500, 2000))
    assert not at(short, "r500c").choices().can_raise


def test_a_raise_that_the_others_cannot_match_is_legal_while_they_have_chips() -> None:
    # Position 0 is all-in, and position 2 has exactly the chips to call: no casino lets anybody
    # raise.
    level = replace(THREE, stacks=(300, 2000, 300))
    assert raises(level, "ccc/r300") == (500, 2000)


def test_no_raise_when_the_actions_of_a_street_are_almost_used() -> None:
    text = "r200"
    count = 1
    while at(HEADS_UP, text).choices().can_raise:
        text += f"r{200 + 100 * count}"
        count += 1
    assert count == MOST_ACTIONS - 1
    assert at(HEADS_UP, f"{text}c/").choices().can_raise


@pytest.mark.parametrize(
    ("text", "ends"),
    [("r20000c///", True), ("r20000c", None), ("cc/cc/cc/cc", True), ("cc/cc/cc/cc/", None)],
)
def test_slashes_follow_where_nobody_can_act_any_more(text: str, ends: bool | None) -> None:
    if ends is None:
        with refuses(LineSyntaxError, option="betting"):
            at(HEADS_UP, text)
    else:
        assert at(HEADS_UP, text).is_over


def test_a_fold_ends_the_hand_without_slashes() -> None:
    betting = at(HEADS_UP, "cc/r300f")
    assert betting.is_folded
    assert betting.board_cards == 3


@pytest.mark.parametrize(
    "text",
    ["x", "cc", "cr150", "C", "r300c/c/", "/", "c c", "r٣٠٠", "fc", "r-300", "r300.5", "c/" * 5000],
)
def test_other_texts_are_refused(text: str) -> None:
    with refuses(LineSyntaxError, option="betting"):
        at(HEADS_UP, text)
