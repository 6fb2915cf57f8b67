"""Hands that are dealt and played between bots, card by card as a deck has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from equilibrist.play.bots.answers import BotAnswer
from equilibrist.play.bots.betting import HandBetting
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import read_action
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.state import FOLDED, HandState
from equilibrist.poker.text_span import TextSpan


class HandPlayer(Protocol):
    """Anything that plays hands: a `Bot`."""

    def begin(self, number: int | None = None, /) -> None:
        """Begin a hand."""
        ...

    def act(
        self,
        hole_cards: str,
        line: str = "",
        legal_actions: Sequence[str] | None = None,
        seconds: float | None = None,
        *,
        table: Any = None,
    ) -> BotAnswer:
        """Choose an action."""
        ...


class HandDeal(NamedTuple):
    """The cards of a hand."""

    held: tuple[tuple[int, ...], ...]
    """The two cards of each seat."""
    board: tuple[int, ...]
    """The public cards in the order in which they are dealt."""

    def moved(self, seats: int) -> HandDeal:
        """The same cards, all hands so many seats further."""
        count = len(self.held)
        return HandDeal(tuple(self.held[(k - seats) % count] for k in range(count)), self.board)


class DealtAction(NamedTuple):
    """An action of a hand."""

    state: HandState
    """The state before it."""
    action: Action
    answer: BotAnswer
    """What the bot said."""


class DealtHand(NamedTuple):
    """A hand that is over."""

    deal: HandDeal
    actions: tuple[DealtAction, ...]
    end: HandState
    line: str
    won: tuple[int, ...]
    """Units that each seat won."""


class HandDealer:
    """Deals and plays hands by the rules.

    Args:
        hand: The hand at the table.
    """

    def __init__(self, hand: Hand, betting: HandBetting) -> None:
        """Set the table; the class describes the arguments."""
        self.hand, self.betting = hand, betting

    def deal(self, generator: np.random.Generator) -> HandDeal:
        """Draw the cards of a hand.

        Args:
            generator: What draws.

        Returns:
            The cards.
        """
        seats, board = self.hand.seats, self.betting.board_size[-1]
        cards = generator.permutation(np.array(self.hand.rules.deck))[: 2 * seats + board].tolist()
        held = tuple((cards[2 * seat], cards[2 * seat + 1]) for seat in range(seats))
        return HandDeal(held, tuple(cards[2 * seats :]))

    def play(self, deal: HandDeal, players: Sequence[HandPlayer], number: int) -> DealtHand:
        """Play a hand.

        Args:
            deal: Its cards.
            players: Who plays, by seat.
            number: The number of the hand, from which players draw.

        Returns:
            The hand.
        """
        for player in {id(player): player for player in players}.values():
            player.begin(number)
        betting, state = self.betting, self.betting.first()
        streets: list[tuple[Action, ...]] = [()]
        dealt, actions = list[tuple[int, ...]](), list[DealtAction]()
        while (seat := betting.player(state)) is not None or betting.is_dealing(state):
            if seat is None:
                begin, end = betting.board_size[state.street : state.street + 2]
                dealt.append(tuple(sorted(deal.board[begin:end], reverse=True)))
                streets.append(())
                state = betting.dealt(state)
                continue
            text = line_text(streets, dealt)
            answer = players[seat].act(card_names(deal.held[seat]), text, table=self.hand)
            action = betting.read(state, read_action(TextSpan.all_of(answer.action)))
            actions.append(DealtAction(state, action, answer))
            streets[-1] = (*streets[-1], action)
            state = betting.after(state, action)
        return self.ended(deal, actions, state, line_text(streets, dealt))

    def ended(
        self, deal: HandDeal, actions: Sequence[DealtAction], end: HandState, line: str
    ) -> DealtHand:
        """Pay a hand that is over.

        Args:
            deal: Its cards.
            actions: Its actions.
            end: Its last state.
            line: The line.

        Returns:
            The hand.
        """
        compared, rules = None, self.hand.rules
        if end.kind != FOLDED:
            compared = strengths(deal.held, deal.board, rules.ranking)
        won = payoffs(rules, end, compared)
        return DealtHand(deal, tuple(actions), end, line, won)
