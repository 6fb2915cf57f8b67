"""Hands between bots in which anybody may bet any amount, and small blueprints to play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from equilibrist.play import Bot, BotAnswer, HandGame
from equilibrist.play.bots.betting import HandBetting
from equilibrist.play.bots.deals import DealtHand, HandDealer
from equilibrist.play.bots.lines import read_played
from equilibrist.play.bots.translation import to_legal
from equilibrist.poker import Hand
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.blueprint import Blueprint
from equilibrist.poker.blueprint.abstract_game import AbstractGame
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


class Stray:
    """A bot whose actions are now and then any legal ones instead; it keeps what the bot said."""

    def __init__(self, bot: Bot, hand: Hand, generator: np.random.Generator, share: float) -> None:
        self.bot, self.share, self.generator = bot, share, generator
        self._betting = HandBetting(HandGame(hand))
        self.answers = list[BotAnswer]()

    def begin(self, number: int | None = None, /) -> None:
        self.bot.begin(number)

    def act(
        self,
        hole_cards: str,
        line: str = "",
        legal_actions: Sequence[str] | None = None,
        seconds: float | None = None,
        *,
        table: Any = None,
    ) -> BotAnswer:
        answer = self.bot.act(hole_cards, line, legal_actions, seconds, table=table)
        assert abs(sum(answer.mixture.values()) - 1.0) < 1e-9
        assert answer.mixture[answer.action] > 0.0
        self.answers.append(answer)
        if self.generator.random() >= self.share:
            return answer
        played = read_played(self._betting, hole_cards, line)
        options = self._betting.options(played.state)
        action = options.passive[-1]
        if options.bets is not None and self.generator.random() < 0.6:
            low, high = options.bets.least, options.bets.most
            amount = low * (high / low) ** self.generator.random()
            action = Action(Kind.BET, to_legal(options.bets, amount))
        return replace(answer, action=action.code)


def play_hand(
    bots: Sequence[Bot], hand: Hand, generator: np.random.Generator, strays: float = 0.0
) -> tuple[DealtHand, list[BotAnswer]]:
    """Deal and play a hand, and what the bots said; illegal actions raise."""
    dealer = HandDealer(hand, HandBetting(HandGame(hand)))
    seats = [Stray(bot, hand, generator, strays) for bot in bots]
    dealt = dealer.play(dealer.deal(generator), seats, int(generator.integers(1 << 30)))
    return dealt, [answer for seat in seats for answer in seat.answers]
