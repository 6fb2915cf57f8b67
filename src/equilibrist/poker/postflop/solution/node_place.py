"""The place of a node: the betting and the cards that lead to it, and what may happen next."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from equilibrist.formatting.amounts import chips
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.lines import node_id
from equilibrist.poker.betting.public_tree import PublicTree, node_line
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.value_unit import prize_text

_RIVER_CARDS: Final = 5
"""Cards on the board on the river."""


class NodeStates(dict[int, tuple[BettingState, tuple[Action, ...]]]):
    """The betting at each node of a public tree, and the actions there; worked out on first use."""

    def __init__(self, rules: BettingRules, tree: PublicTree) -> None:
        super().__init__()
        self._rules = rules
        self._tree = tree

    def __missing__(self, node: int) -> tuple[BettingState, tuple[Action, ...]]:
        state = self._rules.follow(line_text(node_line(self._tree, node))).state
        self[node] = place = state, self._rules.actions(state)
        return place


def seat_number(player: object) -> int:
    """The number of a player who is named as tables and options do, or by the number itself.

    Args:
        player: `oop` or `ip`, in any case; 0 or 1.

    Returns:
        0 out of position, 1 in position.

    Raises:
        ConfigError: There is no such player.
    """
    if isinstance(player, str):
        name = player.strip().lower()
        if name in SEATS:
            return SEATS.index(name)
        if name in {"0", "1"}:
            return int(name)
        raise bad_argument("player", player, "oop or ip, or 0 or 1")
    return whole_number("player", player, 0, 1)


class NodePlace:
    """A point of the betting on a board.

    Args:
        board: The cards at the root.
        state: The state of the betting.
        runout: The cards that were dealt since the root.
        actions: What the player who acts may do; empty where nobody acts.
    """

    prize_pool: float | None = None
    """In play for prizes the sum of the payouts."""

    def __init__(
        self,
        board: tuple[int, ...],
        state: BettingState,
        runout: tuple[int, ...],
        actions: tuple[Action, ...],
    ) -> None:
        self.actions = actions
        self.runout = runout
        self._cards = (*board, *runout)
        self._state = state

    @property
    def of(self) -> float:
        """What EVs are shares of, for EQR: the pot; NaN in play for prizes."""
        return self.pot if self.prize_pool is None else math.nan

    @property
    def scale(self) -> float:
        """By what EVs are rounded: the pot, or the prize pool."""
        return self.pot if self.prize_pool is None else self.prize_pool

    def ev_text(self, ev: float) -> str:
        """An EV for people, `-` for NaN.

        Args:
            ev: The EV, in chips or in prizes.

        Returns:
            The number alone.
        """
        return chips(ev, self.pot) if self.prize_pool is None else prize_text(ev, self.prize_pool)

    @property
    def unit_words(self) -> str:
        """What is said after a gain: `chips`, or `in prizes`."""
        return "chips" if self.prize_pool is None else "in prizes"

    @property
    def line(self) -> str:
        """The line of the node, cards included; empty at the root."""
        return line_text(self._streets(), [[card] for card in self.runout])

    @property
    def line_before(self) -> str | None:
        """The line without its last action or card; None at the root."""
        streets, cards = self._streets(), [[card] for card in self.runout]
        if streets[-1]:
            return line_text([*streets[:-1], streets[-1][:-1]], cards)
        return line_text(streets[:-1], cards[:-1]) if cards else None

    @property
    def pio_id(self) -> str:
        """The place as a node id of PioSOLVER, such as `r:0:c:b94:c:8h`; lines may be such ids."""
        return node_id(self._streets(), self.runout)

    @property
    def next_lines(self) -> dict[str, str]:
        """The line that each action leads to, by its name; empty if no player acts."""
        *before, street = self._streets()
        cards = [[card] for card in self.runout]
        return {str(a): line_text([*before, (*street, a)], cards) for a in self.actions}

    @property
    def board(self) -> str:
        """The cards on the board, in the order of dealing."""
        return card_names(self._cards)

    @property
    def street(self) -> str:
        """`flop`, `turn` or `river`."""
        return STREETS[len(self._cards) - 3]

    @property
    def player(self) -> int | None:
        """The player to act: 0 out of position, 1 in position, None if no player acts."""
        return self._state.player if self.actions else None

    @property
    def what(self) -> str:
        """The player to act in words, or what happens if no player acts."""
        if self.player is not None:
            return f"{SEATS[self.player].upper()} to act"
        if self._state.phase is Phase.FOLD:
            return f"{SEATS[self._state.player].upper()} folded"
        return "a card comes" if self._state.phase is Phase.DEAL else "showdown"

    @property
    def deals_a_card(self) -> bool:
        """Whether a card of the board is dealt next."""
        ended = self._state.phase in (Phase.DEAL, Phase.SHOWDOWN)
        return ended and len(self._cards) < _RIVER_CARDS

    @property
    def title(self) -> str:
        """The place in a line: the board, the line, who acts, and the pot."""
        return f"{self.board}, {self.line or 'root'}: {self.what}, pot {self.pot:,}"

    @property
    def pot(self) -> float:
        """The chips in the middle, including the bets of the street; an int where it is whole."""
        return self._state.scale.chips(self._state.pot + sum(self._state.bets))

    @property
    def to_call(self) -> float:
        """The chips that the player to act must add to call; an int where they are whole."""
        return self._state.scale.chips(self._state.to_call) if self.actions else 0

    @property
    def bets(self) -> tuple[float, float]:
        """What each player has put in on this street, in chips, OOP first."""
        oop, ip = map(self._state.scale.chips, self._state.bets)
        return oop, ip

    def _streets(self) -> list[tuple[Action, ...]]:
        """The actions of each street; none on the streets after an all-in."""
        streets = [*self._state.line]
        return streets + [()] * (len(self.runout) + 1 - len(streets))


def places_to(
    rules: BettingRules, board: tuple[int, ...], state: BettingState, runout: tuple[int, ...]
) -> Iterator[NodePlace]:
    """The places from the root to a node: one after each action and each card.

    Args:
        rules: The betting.
        board: The cards at the root.
        state: The state of the betting at the node.
        runout: The cards that were dealt since the root.

    Yields:
        The root first, the node last.
    """

    def place(here: BettingState, dealt: int) -> NodePlace:
        return NodePlace(board, here, runout[:dealt], rules.actions(here))

    here = rules.root()
    yield place(here, 0)
    for dealt, street in enumerate(state.line):
        if dealt:
            here = rules.deal(here)
            yield place(here, dealt)
        for action in street:
            here = rules.next(here, action)
            yield place(here, dealt)
    for dealt in range(len(state.line), len(runout) + 1):  # after an all-in
        yield place(here, dealt)
