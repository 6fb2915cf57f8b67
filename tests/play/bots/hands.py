"""Hands between bots in which anybody may bet any amount, and small blueprints to play them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from equilibrist.play import Bot, BotAnswer, HandGame
from equilibrist.play.bots.betting import HandBetting
from equilibrist.play.bots.translation import to_legal
from equilibrist.poker import Hand
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.blueprint import Blueprint
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.state import FOLDED
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy

TWO = Hand(stack=30, bets="50%,100%,a", raises="100%,a", deck="T")


def table_of(seats: int) -> Hand:
    """A hand of so many seats with small menus."""
    if seats == 2:
        return TWO
    return Hand(stack=12, seats=seats, bets="100%", raises="a", raise_cap=1, deck="7")


@cache
def small_blueprint(hand: Hand = TWO) -> Blueprint:
    """A blueprint of two buckets a street, played at random."""
    cards = AlikeCards(hand.rules.lowest_rank)
    game = AbstractGame(hand, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


class PlayedHand(NamedTuple):
    """A hand that is over."""

    line: str
    answers: tuple[BotAnswer, ...]
    won: tuple[int, ...]


def play_hand(
    bots: Sequence[Bot], hand: Hand, generator: np.random.Generator, strays: float = 0.0
) -> PlayedHand:
    """Deal and play a hand; with probability `strays` an action is any legal one instead."""
    betting = HandBetting(HandGame(hand))
    cards = generator.permutation(hand.rules.deck).tolist()
    held = [tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(hand.seats)]
    runout, board = cards[2 * hand.seats :], list[int]()
    streets, dealt, answers = [list[Action]()], list[tuple[int, ...]](), list[BotAnswer]()
    state = betting.first()
    for bot in bots:
        bot.begin()

    def text() -> str:
        return line_text([tuple(street) for street in streets], dealt)

    while True:
        if betting.is_dealing(state):
            count = betting.board_size[state.street + 1] - betting.board_size[state.street]
            dealt.append(tuple(runout[len(board) : len(board) + count]))
            board += dealt[-1]
            streets.append([])
            state = betting.dealt(state)
        seat = betting.player(state)
        if seat is None:
            break
        options = betting.options(state)
        answer = bots[seat].act(card_names(held[seat]), text(), table=hand)
        answers.append(answer)
        assert abs(sum(answer.mixture.values()) - 1.0) < 1e-9
        assert answer.mixture[answer.action] > 0.0
        action = Action(Kind(answer.action[0]), float(answer.action[1:] or 0))
        if generator.random() < strays:
            action = options.passive[-1]
            if options.bets is not None and generator.random() < 0.6:
                low, high = options.bets.least, options.bets.most
                amount = low * (high / low) ** generator.random()
                action = Action(Kind.BET, to_legal(options.bets, amount))
        action = betting.read(state, action)
        streets[-1].append(action)
        state = betting.after(state, action)  # raises for an illegal action
    compared = None
    if state.kind != FOLDED:
        compared = strengths(held, cards[2 * hand.seats :][: betting.board_size[-1]])
    return PlayedHand(text(), tuple(answers), payoffs(hand.rules, state, compared))
