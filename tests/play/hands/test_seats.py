"""Whole hands of three and more seats: names, turns, facts, side pots, sessions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.play import HandGame, Session, UniformAgent
from equilibrist.play.bets import mapped_within
from equilibrist.poker import Hand
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from tests.play.hands.test_hands import walk
from tests.poker.hands.pokerkit_hands import pokerkit_payoffs
from tests.refusals import refuses

THREE = Hand(stack=20, seats=3, bets="100%,a", raises="a")
DEALT = ["SB AhAd", "BB KhKd", "BTN QhQd"]


def test_seats_have_the_names_of_the_table():
    assert HandGame(THREE).seat_names == ("SB", "BB", "BTN")
    six = HandGame(Hand(stack=20, seats=6, bets="a"))
    assert six.num_players == 6
    assert six.seat_names == ("SB", "BB", "UTG", "HJ", "CO", "BTN")


def test_three_seats_from_the_deal_to_the_showdown():
    game = HandGame(THREE)
    state = walk(game, game.initial_state(), DEALT[:2])
    assert game.player(state) == CHANCE
    assert len(game.actions(state)) == 48 * 47 // 2
    state = walk(game, state, DEALT[2:])
    assert game.player(state) == 2
    assert game.infoset(state) == "QhQd:"
    state = walk(game, state, ["C", "C", "X", "flop 2c", "flop 3c", "flop 4c"])
    assert game.player(state) == 0
    assert game.infoset(state) == "AhAd:C-C-X|4c3c2c"
    state = walk(game, state, ["X", "B3", "F", "C", "turn 5d"])
    assert game.infoset(state).startswith("AhAd:C-C-X|4c3c2c|X-B3-F-C|")
    state = walk(game, state, ["X", "X", "river 9s", "X", "X"])
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == [5, -4, -1]


def test_who_is_covered_plays_for_the_main_pot_alone():
    game = HandGame(Hand(stacks="20/10/5", seats=3, bets="a", raises="a"))
    state = walk(game, game.initial_state(), ["SB QhQd", "BB KhKd", "BTN AhAd"])
    state = walk(game, state, ["A5", "A10", "C"])
    state = walk(game, state, ["flop 2c", "flop 3c", "flop 4c", "turn 7s", "river 9s"])
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == [-10, 0, 10]


def test_facts_name_who_acts_and_who_has_folded():
    game = HandGame(THREE)
    facts = dict(game.infoset_facts("AhAd:C-C-X|4c3c2c|X-B3-F"))
    assert facts["moves"] == (
        "BTN Call, SB Call, BB Check; flop 4c3c2c: SB Check, BB Bet 3, BTN Fold"
    )
    assert facts["behind"] == "SB 19 (you), BB 16, BTN folded"
    assert (facts["pot"], facts["to call"]) == ("6", "3")


def test_bets_off_the_menu_are_mapped():
    limits = HandGame(THREE).bet_limits("AhAd:C-C-X|4c3c2c")
    assert (limits.least, limits.most, limits.facing, limits.pot) == (1, 19, 0, 3)
    a, b, x = 1, 19 / 3, 2
    share = (b - x) * (1 + a) / ((b - a) * (1 + x))
    assert mapped_within(limits, 6).shares == pytest.approx({1: share, 2: 1 - share})


def test_the_button_moves_on_and_scores_add_up():
    game = HandGame(Hand(stacks="7/20/9", seats=3, bets="a", raises="a"))
    session = Session(game, [UniformAgent(f"{k}") for k in range(3)], seed=5)
    hands = list(session.play(6))
    assert [hand.seats for hand in hands[:3]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert sum(session.score.totals) == pytest.approx(0)
    with refuses(ConfigError, option="seats", given=2, expected=3):
        Session(game, [UniformAgent("0"), UniformAgent("1")])


def random_hand(seats, chance):
    """Unequal stacks and a menu, at times a straddle and antes."""
    stacks = "/".join(str(chance.choice([5, 8, 13, 20, 60])) for _ in range(seats))
    more: dict[str, Any] = {"straddle": "2"} if seats > 3 and chance.random() < 0.3 else {}
    if chance.random() < 0.3:
        more["ante"] = "0.5"
    return Hand(stacks=stacks, seats=seats, bets="50%,100%,a", raises="100%,a", **more)


def play_and_compare(seats, number):
    """Play a hand of random seats at our table, then its moves at PokerKit's."""
    chance = random.Random(f"{seats} {number}")
    game = HandGame(random_hand(seats, chance))
    session = Session(game, [UniformAgent(f"{k}") for k in range(seats)], seed=number)
    session.deal()
    (record,) = [session.last]
    assert sum(record.payoffs) == pytest.approx(0)
    state = game.initial_state()
    for move in record.moves:
        state = game.next(state, move.index)
    assert record.payoffs == tuple(game.payoffs(state))
    rules = game.rules
    holes = [(int(FIRST_CARD[combo]), int(SECOND_CARD[combo])) for combo in state.hands]
    won = pokerkit_payoffs(rules, holes, state.board, state.betting.line)
    assert record.payoffs == tuple(float(rules.scale.chips(chips)) for chips in won)
    return len(record.moves)


@pytest.mark.parametrize("seats", [3, 6])
def test_hands_pay_what_pokerkit_pays(seats):
    assert max(play_and_compare(seats, number) for number in range(12)) > seats + 5


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 6, 10])
def test_many_hands_pay_what_pokerkit_pays(seats):
    for number in range(12, 52):
        play_and_compare(seats, number)
