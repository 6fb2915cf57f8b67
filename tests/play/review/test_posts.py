"""Reviews of hands with late, dead and short blinds: pots, who acts first, and what is judged."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.play.histories.pokerstars import read_site_text
from equilibrist.play.review.decisions import Unjudged
from equilibrist.play.review.flops import FlopJudge, FlopMenu, read_ranges
from equilibrist.play.review.judging import SolutionJudge
from equilibrist.play.review.preflop_ranges import roles
from equilibrist.play.review.review import review_hands, table_hands
from equilibrist.play.review.table_hands import TableHand
from equilibrist.play.review.turns import replay_hand, street_root
from equilibrist.poker import Range, Spot
from equilibrist.poker.hands.hand import Hand
from tests.play.bots.hands import small_blueprint
from tests.play.review.test_flops import ROUGH, never, solver

RANGES = read_ranges("AA,KQs|AA,QQ")
SMALL = FlopMenu("50%", "")
STACKS = "ABCDEF"


def stars(posts: str, actions: str, *, button: int = 1, seats: str = "ABCDEF", end: str) -> str:
    """A hand at 5/10 with 1,000 chips each, in the words of PokerStars."""
    lines = [f"Seat {STACKS.index(name) + 1}: {name} (1000 in chips)" for name in seats]
    return "\n".join(
        [
            "PokerStars Hand #1: Hold'em No Limit (5/10) - 2022/12/31 8:05:09 ET",
            f"Table 'M' 6-max Seat #{button} is the button",
            *lines,
            *posts.split("; "),
            "*** HOLE CARDS ***",
            "Dealt to D [Ah Ad]",
            *actions.split("; "),
            "*** SUMMARY ***",
            f"Total pot {end} | Rake 0",
            "",
        ]
    )


BLINDS = "B: posts small blind 5; C: posts big blind 10"
FLOP = "*** FLOP *** [Kc 7d 2s]"
CASES = {
    "missed blinds posted": (
        stars(
            f"{BLINDS}; D: posts small & big blinds 15",
            f"D: checks; E: folds; F: folds; A: folds; B: folds; C: checks; {FLOP}; C: checks; "
            "D: bets 20; C: calls 20; *** TURN *** [Kc 7d 2s] [3h]; C: checks; D: bets 40; "
            "C: folds; Uncalled bet (40) returned to D; D collected 70 from pot",
            end="70",
        ),
        30, 985, ("C", "D"), "a late blind by UTG, a dead blind by UTG",
    ),
    "a late blind of the button": (
        stars(
            f"{BLINDS}; A: posts big blind 10",
            f"D: raises 20 to 30; E: folds; F: folds; A: calls 20; B: folds; C: folds; {FLOP}; "
            "D: bets 40; A: folds; Uncalled bet (40) returned to D; D collected 75 from pot",
            end="75",
        ),
        75, 970, ("D", "A"), "a late blind by BTN",
    ),
    "a dead small blind, and its post": (
        stars(
            "C: posts big blind 10; E: posts dead small blind 5",
            f"D: raises 20 to 30; E: folds; F: folds; A: folds; C: calls 20; {FLOP}; C: checks; "
            "D: bets 40; C: folds; Uncalled bet (40) returned to D; D collected 65 from pot",
            seats="ACDEF", end="65",
        ),
        65, 970, ("C", "D"), "a dead blind by HJ",
    ),
    "a dead button of three": (
        stars(
            "D: posts small blind 5; A: posts big blind 10",
            f"D: calls 5; A: checks; {FLOP}; D: bets 20; A: folds; "
            "Uncalled bet (20) returned to D; D collected 20 from pot",
            button=3, seats="AD", end="20",
        ),
        20, 990, ("D", "A"), "",
    ),
    "nobody has the big blind": (
        stars(
            "B: posts small blind 5",
            f"D: calls 10; E: folds; A: folds; B: calls 5; {FLOP}; B: checks; D: bets 20; "
            "B: folds; Uncalled bet (20) returned to D; D collected 20 from pot",
            seats="ABDE", end="20",
        ),
        20, 990, ("B", "D"), "all-in for less",
    ),
    "a straddle of the button": (
        stars(
            f"{BLINDS}; A: posts straddle 20",
            f"B: folds; C: folds; D: raises 40 to 60; E: folds; F: folds; A: calls 40; {FLOP}; "
            "D: bets 60; A: folds; Uncalled bet (60) returned to D; D collected 135 from pot",
            end="135",
        ),
        135, 940, ("D", "A"), "out of turn",
    ),
}  # fmt: skip


def read(text: str) -> TableHand:
    played = read_site_text(text)
    hands, left_out = table_hands(played)
    assert not left_out
    (hand,) = hands
    return hand


@pytest.mark.parametrize("case", CASES)
def test_flops_after_odd_posts_are_solved_with_their_pot(case: str) -> None:
    text, pot, stack, players, words = CASES[case]
    hand = read(text)
    assert replay_hand(hand, hand.combos).stopped == ""
    root = street_root(hand, 1)
    assert root is not None
    assert (root.pot, root.stack) == (pot, stack)
    assert tuple(hand.players[seat] for seat in root.seats) == players
    assert words in (hand.posted.words if hand.posted else "")
    spot, _ = FlopJudge(never, SMALL, (), RANGES).spot(hand, root, hand.combos)
    assert (spot.pot, spot.stack) == (pot, stack)


@pytest.mark.slow
def test_decisions_after_missed_blinds_are_judged() -> None:
    spots: list[Spot] = []
    hand = read(CASES["missed blinds posted"][0])
    review = review_hands([hand], [FlopJudge(solver(spots), SMALL, (), RANGES, ROUGH)])
    assert [each.street for each in review.judged] == ["flop", "turn"]
    (before,) = (each for each in review.decisions if each.judgement is None)
    assert before.reason is Unjudged.NOT_COVERED
    assert before.why


THREE = Hand(seats=3, stack=100, bets="100%,a", raises="a", raise_cap="1", last_street="preflop")
LATE = (
    f"{BLINDS}; A: posts big blind 10",
    (
        f"A: checks; B: folds; C: checks; {FLOP}; C: checks; A: bets 25; C: folds; "
        "Uncalled bet (25) returned to A; A collected 25 from pot"
    ),
)


def test_blueprints_judge_before_the_flop_what_they_have() -> None:
    """Late blinds are refused beyond the factor of stacks; within it, where the seat posts none."""
    blueprint = small_blueprint(THREE)
    hand = read(stars(*LATE, seats="ABCD"[:3], end="25").replace("Dealt to D", "Dealt to C"))
    far = review_hands([hand], [SolutionJudge("b", blueprint)], hero="C")
    assert [each.reason for each in far.decisions] == [Unjudged.STACKS] * 3
    assert all("a late blind by BTN" in each.why for each in far.decisions)
    raised = stars(
        LATE[0],
        "A: raises 20 to 30; B: folds; C: calls 20; *** FLOP *** [Kc 7d 2s]; C: checks; "
        "A: checks; *** TURN *** [Kc 7d 2s] [3h]; C: bets 50; A: folds; "
        "Uncalled bet (50) returned to C; C collected 65 from pot",
        seats="ABC",
        end="65",
    ).replace("Dealt to D", "Dealt to C")
    near = review_hands([read(raised)], [SolutionJudge("b", blueprint, within=2.0)], hero="C")
    assert near.decisions[0].judgement is not None
    assert "a late blind by BTN" in near.decisions[0].judgement.notes[0]
    own = read(raised.replace("Dealt to C", "Dealt to A"))
    late = review_hands([own], [SolutionJudge("b", blueprint, within=2.0)], hero="A")
    assert late.decisions[0].reason is Unjudged.OFF_TREE


def test_positions_are_named_by_what_is_posted() -> None:
    """Seats of tables without blinds, with a button's blind, and of odd hands."""
    short: dict[str, Any] = {"stack": 50, "button_blind": 1, "ante": 1, "deck": "short"}
    assert Hand(seats=4, **short).rules.positions == ("UTG", "HJ", "CO", "BTN")
    assert Hand(**short).rules.positions == ("BTN", "UTG")
    antes = Hand(stack=50, seats=3, blinds="0/0", ante=1, fixed_bets="1/2")
    assert antes.rules.positions == ("HJ", "CO", "BTN")
    assert Hand(seats=3, **short).rules.seat_words == ("seat 1", "seat 2", "button")
    assert read(CASES["a dead small blind, and its post"][0]).positions[:2] == ("BB", "UTG")
    assert read(CASES["nobody has the big blind"][0]).positions[:2] == ("SB", "HJ")
    assert read(CASES["a dead button of three"][0]).positions == ("BB", "SB")


def test_whoever_pays_a_blind_that_nobody_could_post_calls() -> None:
    """It is a raise for PokerKit, and by the rules of such a hand."""
    hand = read(CASES["nobody has the big blind"][0])
    acted = roles(replay_hand(hand, hand.combos))
    assert {hand.positions[seat]: role.words for seat, role in acted.items()} == {
        "HJ": "limper",
        "SB": "limper",
    }
    (review,) = review_hands([hand], []).decisions[:1]
    assert review.played == "Call"


def test_flops_of_short_decks_are_spots_of_that_deck() -> None:
    text = """PokerStars Hand #1: 6+ Hold'em No Limit (Button Blind: 10 - Ante 5) - 2022/03/14
Table 'S' 6-max Seat #1 is the button
Seat 1: A (1000 in chips)
Seat 2: B (1000 in chips)
A: posts the ante 5
B: posts the ante 5
A: posts button blind 10
*** HOLE CARDS ***
Dealt to A [Ah Ad]
B: calls 10
A: checks
*** FLOP *** [Ac 8d 9h]
B: checks
A: bets 20
B: folds
Uncalled bet (20) returned to A
A collected 30 from pot
*** SUMMARY ***
Total pot 30 | Rake 0
"""
    hand = read(text)
    root = street_root(hand, 1)
    assert root is not None
    spot, _ = FlopJudge(never, SMALL).spot(hand, root, hand.combos)
    assert (spot.whole_deck.name, spot.pot, spot.stack) == ("short", 30, 985)
    for held in (spot.oop, spot.ip):
        assert held
        assert held == Range(f"{held}", deck="short")
