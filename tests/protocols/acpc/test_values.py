"""Side pots: the published example, exact shares, and PokerKit on random hands."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from pokerkit import Automation, NoLimitTexasHoldem

from equilibrist.poker.cards.cards import card_names
from equilibrist.protocols.acpc.betting import FOLD, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.dealer import MatchSettings, deal_cards
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand
from equilibrist.protocols.acpc.match_state import Deal, MatchState
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.values import read_value, value_text, values
from tests.protocols.acpc.random_hands import bettings
from tests.protocols.acpc.tables import THREE

WHOLE = 2520
"""Chips in a unit: pots are shared by up to ten without a rest."""


def test_the_published_example() -> None:
    state = MatchState.parse(
        rules_of(THREE),
        "MATCHSTATE:0:0:ccc/ccr200r500r800r2000c//:2c2d|2h2s|3c3d/3h3s4c/4d/4h",
    )
    assert list(values(state.betting, state.cards)) == [-500, -1000, 1500]


def test_pots_are_shared_without_odd_chips() -> None:
    four = GameDefinition("nolimit", (100,) * 4, (1, 2, 0, 0), first_players=(2, 0, 0, 0))
    betting = Betting.parse(rules_of(four), "ccfc/ccc/ccc/ccc")
    dealt = Deal(((0, 1), (2, 4), (5, 6), (8, 9)), (48, 44, 40, 36, 32))  # the board plays
    assert sum(values(betting, dealt)) == 0
    logged = LoggedHand.of(0, betting, dealt, "abcd")
    assert [value_text(value) for value in logged.values] == [
        "-1",
        "0.333333",
        "0.333333",
        "0.333333",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(50), "50"),
        (Fraction(-50), "-50"),
        (Fraction(1, 3), "0.333333"),
        (Fraction(-2, 3), "-0.666667"),
        (Fraction(-100, 3), "-33.333333"),
        (Fraction(5, 2), "2.5"),
        (Fraction(0), "0"),
    ],
)
def test_values_as_logs_write_them(value: Fraction, text: str) -> None:
    assert value_text(value) == text
    read = read_value(text)
    assert read is not None
    assert abs(read - value) < Fraction(1, 10**6)


def test_other_values_are_none() -> None:
    assert [read_value(text) for text in ("", "1e3", "one", "1.", "--1", "nan")] == [None] * 6


@pytest.mark.parametrize("number", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_side_pots_are_those_of_pokerkit(number: int) -> None:
    generator = np.random.default_rng(7)
    compared = 0
    for hand in range(number):
        definition = _random_stacks(generator)
        *_, end = bettings(definition, hand, hand, WHOLE)
        cards = deal_cards(MatchSettings(definition, hand + 1, hand), hand)
        theirs = _pokerkit(definition, end, cards)
        if theirs is not None:
            compared += 1
            assert [float(v) for v in values(end, cards)] == theirs
    assert compared > number // 3


def _random_stacks(generator: np.random.Generator) -> GameDefinition:
    seats = int(generator.integers(3, 8))
    stacks = tuple(WHOLE * int(s) for s in generator.integers(2, 30, seats))
    blinds = (WHOLE, 2 * WHOLE, *[0] * (seats - 2))
    return GameDefinition("nolimit", stacks, blinds, first_players=(2, 0, 0, 0))


def _pokerkit(definition: GameDefinition, end: Betting, cards) -> list[float] | None:
    """What PokerKit pays; None where its casino does not allow an action."""
    state = NoLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        definition.blinds,
        max(definition.blinds),
        definition.stacks,
        definition.seats,
    )
    for hole in cards.holes:
        state.deal_hole(card_names(hole))
    betting = Betting.start(end.rules)
    board = list(cards.board)
    try:
        for action in _actions(end.text):
            if betting.is_over:
                break
            while state.can_burn_card() or state.can_deal_board():
                _deal(state, board)
            if action.kind == FOLD:
                state.fold()
            elif action.kind == RAISE:
                seat = betting.player
                before = betting.state.stakes[seat] - betting.state.bets[seat]
                state.complete_bet_or_raise_to(action.size - before)
            else:
                state.check_or_call()
            betting = betting.play(action)
        while state.status:
            if state.can_burn_card() or state.can_deal_board():
                _deal(state, board)
            else:
                state.check_or_call()
    except ValueError:
        return None
    return [float(payoff) for payoff in state.payoffs]


def _deal(state, board: list[int]) -> None:
    if state.can_burn_card():
        state.burn_card("??")
    count = 3 if not list(state.get_board_cards(0)) else 1
    state.deal_board(card_names(board[:count]))
    del board[:count]


def _actions(text: str) -> list[AcpcAction]:
    words = text.replace("/", "")
    for letter in "fcr":
        words = words.replace(letter, f" {letter}")
    read = [AcpcAction.parse(word) for word in words.split()]
    return [action for action in read if action is not None]
