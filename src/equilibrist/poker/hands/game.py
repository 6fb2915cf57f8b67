"""A hand of hold'em as a `Game`: for solving tiny decks, and for play.

Cards are dealt seat by seat, each seat's at once, and the board street by street; the sets of cards
are the outcomes. Actions are those of the menu, as lines write them; without a menu every legal
amount is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.hands.betting import after, deal, start
from equilibrist.poker.hands.menu import HandMenu, offered
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, HandState

Cards = tuple[int, ...]


class TableState(NamedTuple):
    """A state of a hand, cards included."""

    holes: tuple[Cards, ...]
    """The hole cards of the seats that have theirs, ascending."""
    board: tuple[Cards, ...]
    """The board cards of each street that has been dealt, ascending."""
    betting: HandState
    """The betting; the same until all have their cards."""


@dataclass(frozen=True)
class HoldemGame:
    """A hand of hold'em under given rules: a `PublicGame`.

    Attributes:
        rules: The rules.
        menu: The sizes that are offered; None for every legal amount.
        name: The name in output.
    """

    rules: HoldemRules
    menu: HandMenu | None = None
    name: str = "hand"

    def __post_init__(self) -> None:
        instance("rules", self.rules, HoldemRules, "HoldemRules", remedy="Hand.game makes a game")
        if self.menu is not None:
            instance("menu", self.menu, HandMenu, "a HandMenu, or None")

    @property
    def num_players(self) -> int:
        """How many seats."""
        return self.rules.seats

    @cached_property
    def _start(self) -> HandState:
        return start(self.rules)

    def initial_state(self) -> TableState:
        """The state after antes and blinds, before any card.

        Returns:
            A state.
        """
        return TableState((), (), self._start)

    def player(self, state: TableState, /) -> int:
        """Whose turn it is.

        Args:
            state: A state.

        Returns:
            A seat, or `CHANCE` or `TERMINAL`.
        """
        betting = state.betting
        if len(state.holes) < self.rules.seats:
            return CHANCE
        if betting.kind == DECISION:
            return betting.player
        if betting.kind == FOLDED:
            return TERMINAL
        return CHANCE if len(state.board) < len(self.rules.board) - 1 else TERMINAL

    def actions(self, state: TableState, /) -> tuple[str, ...]:
        """Label actions by the codes of lines, and outcomes by cards, the highest first.

        Args:
            state: A state that is not terminal.

        Returns:
            The labels.
        """
        if self._deals(state):
            sets = combinations(self._left(state), self._number(state))
            return tuple(card_names(cards[::-1]) for cards in sets)
        return tuple(action.code for action in self.legal(state))

    def legal(self, state: TableState) -> tuple[Action, ...]:
        """The actions at a decision.

        Args:
            state: A state at which a seat acts.

        Returns:
            The actions, with amounts in chips.
        """
        return offered(self.rules, self.menu, state.betting)

    def chance(self, state: TableState, /) -> tuple[float, ...]:
        """The probability of each outcome; all sets of cards are equally likely.

        Args:
            state: A state at which cards are dealt.

        Returns:
            Probabilities in the order of `actions`.
        """
        count = comb(len(self._left(state)), self._number(state))
        return (1.0 / count,) * count

    def next(self, state: TableState, action_index: int, /) -> TableState:
        """The state after the action or outcome with this number.

        Args:
            state: A state that is not terminal.
            action_index: The position in `actions`.

        Returns:
            The next state.
        """
        if self._deals(state):
            cards = combination(self._left(state), self._number(state), action_index)
            return self.with_cards(state, cards)
        return self.with_action(state, self.legal(state)[action_index])

    def with_cards(self, state: TableState, cards: Iterable[int]) -> TableState:
        """The state after given cards are dealt.

        Args:
            state: A state at which cards are dealt.
            cards: The next seat's hole cards, or the next street's board cards.

        Returns:
            The next state.
        """
        dealt = tuple(sorted(cards))
        if len(state.holes) < self.rules.seats:
            return state._replace(holes=(*state.holes, dealt))
        betting = state.betting
        if betting.kind == DEAL:
            betting = deal(self.rules, betting)
        return state._replace(board=(*state.board, dealt), betting=betting)

    def with_action(self, state: TableState, action: Action) -> TableState:
        """The state after any legal action, on the menu or not.

        Args:
            state: A state at which a seat acts.
            action: An action, its amount in chips.

        Returns:
            The next state; ConfigError if it is not legal.
        """
        return state._replace(betting=after(self.rules, state.betting, action))

    def payoffs(self, state: TableState, /) -> tuple[float, ...]:
        """Pay each seat at the end of a hand.

        Args:
            state: A terminal state.

        Returns:
            Chips.
        """
        compared = None
        if state.betting.kind != FOLDED:
            board = [card for street in state.board for card in street]
            compared = strengths(state.holes, board, self.rules.ranking)
        units = payoffs(self.rules, state.betting, compared)
        return tuple(float(self.rules.scale.chips(won)) for won in units)

    def infoset(self, state: TableState, /) -> str:
        """The seat's own cards and the line with the board: `AhKh:R250-C|Td9d6h|X`.

        Args:
            state: A state at which a seat acts.

        Returns:
            The name; the line says who acts.
        """
        own = card_names(state.holes[state.betting.player][::-1])
        return f"{own}:{self._line(state)}"

    def public_state(self, state: TableState, /) -> str:
        """How many seats have cards, and the line with the board.

        Args:
            state: A state.

        Returns:
            The name of the public state.
        """
        return f"{'?' * len(state.holes)}:{self._line(state)}"

    def _line(self, state: TableState) -> str:
        streets = state.betting.line
        missing = len(state.board) + 1 - len(streets)
        return line_text((*streets, *[()] * missing), [cards[::-1] for cards in state.board])

    def _deals(self, state: TableState) -> bool:
        return len(state.holes) < self.rules.seats or state.betting.kind != DECISION

    def _number(self, state: TableState) -> int:
        """Count the cards that are dealt next."""
        if len(state.holes) < self.rules.seats:
            return self.rules.hole_cards
        return self.rules.board[len(state.board) + 1]

    def _left(self, state: TableState) -> list[int]:
        """The cards that have not been dealt, ascending."""
        dealt = {card for cards in (*state.holes, *state.board) for card in cards}
        return [card for card in self.rules.deck if card not in dealt]


def combination(items: list[int], size: int, number: int) -> Cards:
    """The combination with a number, of those that `itertools.combinations` lists.

    Args:
        items: What is chosen from.
        size: How many are chosen.
        number: The position in the list.

    Returns:
        The chosen ones, in their order.
    """
    chosen: list[int] = []
    for place, item in enumerate(items):
        if len(chosen) == size:
            break
        with_item = comb(len(items) - place - 1, size - len(chosen) - 1)
        if number < with_item:
            chosen.append(item)
        else:
            number -= with_item
    return tuple(chosen)
