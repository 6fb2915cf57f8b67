"""Hold'em at a table of 2 to 10 seats: hands are dealt, then come the betting and the cards.

Chance deals the hand of each seat, and the board card by card, so that the outcomes are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.parsing.arguments import instance
from equilibrist.play.bets import BetLimits
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import card_name, card_names
from equilibrist.poker.cards.combos import (
    COMBO_MASKS,
    FIRST_CARD,
    SECOND_CARD,
    combo_name,
    parse_combo,
)
from equilibrist.poker.cards.decks import Ranking
from equilibrist.poker.hands.betting import (
    acting_seats,
    after,
    behind,
    covering,
    deal,
    legal,
    start,
)
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import HandMenu, normalize, offered
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, HandState

_BETS: Final = (Kind.BET, Kind.RAISE, Kind.ALL_IN)


class TableState(NamedTuple):
    """A state of a hand, cards included.

    Attributes:
        hands: The combos of the seats that have their cards.
        board: The board cards that were dealt, in their order.
        betting: The betting; the same until all have their cards.
    """

    hands: tuple[int, ...]
    board: tuple[int, ...]
    betting: HandState


class SeatsGame:
    """Hold'em of 2 to 10 seats as a `Game`: what whole hands and spots of several seats share.

    Seats act in the order of their numbers. The key of an infoset is the hand and the line with the
    cards: `AhKh:R2.5-C|Td9d6h|X`.

    Args:
        rules: The rules.
        menu: The bet sizes that are offered; None for every legal amount.
        seat_names: The names of the seats.
        board: The board cards that are there before the first action.

    Attributes:
        rules: The rules.
        menu: The bet sizes that are offered.
        num_players: How many seats.
        seat_names: Their names.
        cards: The board cards before the first action.
        rotation: -1: from hand to hand everybody sits one place earlier, as the button moves on.
        stack_unit: What stacks and bets are: `big blinds` or `chips`.
    """

    rotation: Final = -1
    stack_unit: str = "chips"

    def __init__(
        self,
        rules: HoldemRules,
        menu: HandMenu | None,
        seat_names: Sequence[str],
        board: tuple[int, ...] = (),
    ) -> None:
        """Set the table; the class describes the arguments."""
        self.rules, self.menu = rules, menu
        self.num_players = rules.seats
        self.seat_names = tuple(seat_names)
        self.cards = board
        self._start = start(rules)
        self._deck = sum(1 << card for card in rules.deck)

    @property
    def name(self) -> str:
        """The name of the game."""
        raise NotImplementedError

    @property
    def unit(self) -> str:
        """What payoffs are: `big blinds` or `chips`."""
        return self.stack_unit

    def initial_state(self) -> TableState:
        """The state after antes and blinds, before any card.

        Returns:
            The state.
        """
        return TableState((), self.cards, self._start)

    def player(self, state: TableState, /) -> int:
        """Whose turn it is.

        Args:
            state: Any state.

        Returns:
            The number of the seat, `CHANCE` or `TERMINAL`.
        """
        kind = state.betting.kind
        if len(state.hands) < self.num_players:
            return CHANCE
        if kind == DECISION:
            return state.betting.player
        is_complete = len(state.board) == self.street_ends[-1]
        return TERMINAL if kind == FOLDED or is_complete else CHANCE

    def actions(self, state: TableState, /) -> Sequence[str]:
        """The actions as lines write them (`R2.5`), or what may be dealt (`SB AhKh`, `flop Td`).

        Args:
            state: A state that is not terminal.

        Returns:
            The labels.
        """
        if len(state.hands) < self.num_players:
            seat = self.seat_names[len(state.hands)]
            return [f"{seat} {combo_name(combo)}" for combo in self._hands_to_deal(state)[0]]
        if state.betting.kind == DECISION:
            return [action.code for action in self.legal(state)]
        street = int(np.searchsorted(self.street_ends, len(state.board), side="right"))
        return [f"{self.street_names[street]} {card_name(card)}" for card in self._free(state)]

    def legal(self, state: TableState) -> tuple[Action, ...]:
        """The actions of the menu at a decision.

        Args:
            state: A state at which a seat acts.

        Returns:
            The actions, with amounts as totals on the street.
        """
        return offered(self.rules, self.menu, state.betting)

    def chance(self, state: TableState, /) -> Sequence[float]:
        """The probability of each hand or card that may be dealt.

        Args:
            state: A state at which chance acts.

        Returns:
            One probability for each label of `actions`.
        """
        if len(state.hands) < self.num_players:
            return self._hands_to_deal(state)[1]
        count = len(self._free(state))
        return [1.0 / count] * count

    def next(self, state: TableState, action_index: int, /) -> TableState:
        """The state after an action, or after a hand or a card was dealt.

        Args:
            state: A state that is not terminal.
            action_index: The place of the action in `actions`.

        Returns:
            A new state.
        """
        hands, board, betting = state
        if len(hands) < self.num_players:
            return TableState((*hands, self._hands_to_deal(state)[0][action_index]), board, betting)
        if betting.kind == DECISION:
            action = self.legal(state)[action_index]
            return TableState(hands, board, after(self.rules, betting, action))
        board = (*board, self._free(state)[action_index])
        if betting.kind == DEAL and len(board) == self.street_ends[betting.street + 1]:
            betting = deal(self.rules, betting)
        return TableState(hands, board, betting)

    def payoffs(self, state: TableState, /) -> Sequence[float]:
        """Pay the seats at the end of a hand.

        Args:
            state: A terminal state.

        Returns:
            The payoffs by seat.
        """
        return self.settled(state.betting, _compared(state, self.rules.ranking))

    def settled(self, betting: HandState, compared: Sequence[int] | None) -> list[float]:
        """Settle the pots when the betting is over.

        Args:
            betting: The betting.
            compared: The strength of each seat's hand, the higher the better; those of seats that
                folded do not count. None where one seat is left.

        Returns:
            The payoffs by seat.
        """
        won = payoffs(self.rules, betting, compared)
        return [float(self.rules.scale.chips(amount)) for amount in won]

    def infoset(self, state: TableState, /) -> str:
        """The hand of the seat to act, and the line with the board.

        Args:
            state: A state at which a seat acts.

        Returns:
            The key, such as `AhKh:R2.5-C|Td9d6h|X`.
        """
        line = line_text(state.betting.line, self._streets(state.board))
        return f"{combo_name(state.hands[state.betting.player])}:{line}"

    def at(self, key: str) -> tuple[int, TableState]:
        """Read the key of an infoset.

        Args:
            key: The key, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            The combo, and the state without hands.

        Raises:
            ConfigError: The text has another form, or an action is not possible.
            LineSyntaxError: The line cannot be read.
        """
        combo, line = read_infoset(key)
        betting = self._start
        board = list(self.cards)
        for k, part in enumerate(parse_line(line)):
            if k:
                betting = deal(self.rules, betting)
                board += part.cards
            for action in part.actions:
                betting = after(self.rules, betting, normalize(self.rules, betting, action))
        return combo, TableState((), tuple(board), betting)

    def infoset_facts(self, key: str) -> list[tuple[str, str]]:
        """An infoset in words: hand, board, pot, what is to call, stacks, moves.

        Args:
            key: The key of the infoset.

        Returns:
            Pairs of names and facts; amounts are in `unit`.

        Raises:
            ConfigError: As from `at`, and so is LineSyntaxError.
        """
        combo, (_, board, betting) = self.at(key)
        chips = self.rules.scale.chips
        stacks = [
            f"{name} {chips(behind(self.rules, betting, seat)):,}"
            if betting.is_live(seat)
            else f"{name} folded"
            for seat, name in enumerate(self.seat_names)
        ]
        stacks[betting.player] += " (you)"
        call = legal(self.rules, betting).call
        return [
            ("your hand", combo_name(combo)),
            ("board", card_names(board)),
            ("pot", f"{chips(betting.pot):,}"),
            ("to call", f"{chips(call):,}" if call else ""),
            ("behind", ", ".join(stacks)),
            ("moves", self._moves(betting, board) or "none yet"),
        ]

    def action_words(self, key: str, labels: Sequence[str]) -> list[tuple[str, ...]]:
        """List what each action may be called: `Raise 2.5`, or as lines write it, `R2.5`.

        Args:
            key: The key of the infoset.
            labels: The labels of its actions.

        Returns:
            The words of each action.

        Raises:
            ConfigError: As from `at`, and so is LineSyntaxError.
        """
        _, state = self.at(key)
        words = {action.code: str(action) for action in self.legal(state)}
        return [(words.get(label, label), label) for label in labels]

    def bet_limits(self, key: str) -> BetLimits | None:
        """The bets that the rules allow at an infoset.

        Args:
            key: The key of the infoset.

        Returns:
            The limits; None where the menu has no bet, so that none could be mapped to one.

        Raises:
            ConfigError: As from `at`, and so is LineSyntaxError.
        """
        _, state = self.at(key)
        rules, betting, chips = self.rules, state.betting, self.rules.scale.chips
        menu = {
            k: float(action.amount)
            for k, action in enumerate(self.legal(state))
            if action.kind in _BETS
        }
        if not menu:
            return None
        can, facing = legal(rules, betting), max(betting.bets)
        return BetLimits(
            least=chips(can.least),
            most=chips(min(can.most, max(can.least, covering(rules, betting)))),
            step=float(rules.scale.unit),
            facing=chips(facing),
            pot=chips(betting.pot + facing - betting.bets[betting.player]),
            menu=menu,
        )

    @cached_property
    def street_ends(self) -> list[int]:
        """How many board cards there are when each street is dealt, from the first street on."""
        return [len(self.cards) + int(count) for count in np.cumsum(self.rules.board)]

    @cached_property
    def street_names(self) -> tuple[str, ...]:
        """The names of the streets, from that of the first action on."""
        return STREET_NAMES[max(0, len(self.cards) - 2) :]

    def _streets(self, board: Sequence[int]) -> list[tuple[int, ...]]:
        """The cards of each street that is complete; those of a flop descend."""
        return [
            tuple(sorted(board[begin:end], reverse=True))
            for begin, end in zip(self.street_ends, self.street_ends[1:], strict=False)
            if end <= len(board)
        ]

    def _moves(self, betting: HandState, board: Sequence[int]) -> str:
        """`SB Raise 2.5, BB Call; flop Td9d6h: BB Check`."""
        streets, dealt = [], self._streets(board)
        movers = acting_seats(self.rules, betting.line)
        for number, street in enumerate(betting.line):
            moves = ", ".join(
                f"{self.seat_names[seat]} {action}"
                for seat, action in zip(movers[number], street, strict=True)
            )
            if number:
                cards = f"{self.street_names[number]} {card_names(dealt[number - 1])}"
                moves = cards + (moves and f": {moves}")
            streets.append(moves)
        return "; ".join(filter(None, streets))

    def _free(self, state: TableState) -> list[int]:
        """The cards that may be dealt, ascending."""
        gone = sum(1 << card for card in state.board)
        for combo in state.hands:
            gone |= int(COMBO_MASKS[combo])
        return [card for card in self.rules.deck if not gone >> card & 1]

    def _hands_to_deal(self, state: TableState) -> tuple[list[int], list[float]]:
        """The combos that the next seat may get, and the probability of each."""
        open_to = self._deck
        for combo in state.hands:
            open_to &= ~int(COMBO_MASKS[combo])
        free = np.flatnonzero(COMBO_MASKS & ~np.uint64(open_to) == 0).tolist()
        return free, [1.0 / len(free)] * len(free)


class HandGame(SeatsGame):
    """A hand of 2 to 10 seats from the first card on, for `Session`, `Table` and logs.

    Player 0 is the small blind, player 1 the big blind, and so on around the table; with two seats
    the small blind has the button. Payoffs are what each wins or loses, in big blinds or in the
    chips of the hand.

    Args:
        hand: The hand, with the cards of hold'em.
        rules: The rules, where they are others than those of the hand.

    Attributes:
        hand: The hand.
        rules: Its rules.
        menu: The bet sizes that are offered.
        num_players: How many seats.
        seat_names: Their names by what they post, `SB`, `BB`, then up to `BTN`.
        rotation: -1: from hand to hand everybody posts one place earlier, as the button moves on.
        stack_unit: What stacks and bets are: `big blinds` or `chips`.

    Raises:
        ConfigError: `hand` is none.
    """

    def __init__(self, hand: Hand, rules: HoldemRules | None = None) -> None:
        """Set the table; the class describes the arguments."""
        self.hand = instance("hand", hand, Hand, "a Hand", remedy="poker.Hand makes one")
        whole = rules or hand.rules
        super().__init__(whole, hand.menu, whole.positions)
        self.stack_unit = "big blinds" if hand.in_big_blinds else "chips"

    @property
    def name(self) -> str:
        """The name of the game, such as `hand(stack=20,bets="100%,a")`."""
        return self.hand.name

    @property
    def big_blind(self) -> float:
        """The big blind, in `unit`; 1 in big blinds."""
        return (
            1.0 if self.hand.in_big_blinds else float(self.rules.scale.chips(self.rules.big_blind))
        )

    @property
    def payoff_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the most that each seat can win, in `unit`."""
        stacks = [float(self.rules.scale.chips(stack)) for stack in self.rules.stacks]
        most = [sum(min(s, own) for s in stacks) - own for own in stacks]
        return tuple((-own, won) for own, won in zip(stacks, most, strict=True))

    def units_won(self, state: TableState) -> list[int]:
        """What each seat's stack has gained, whatever payoffs are measured in.

        Args:
            state: A terminal state.

        Returns:
            Whole numbers of the unit of the rules, by seat.
        """
        return [
            int(amount)
            for amount in payoffs(self.rules, state.betting, _compared(state, self.rules.ranking))
        ]


def read_infoset(key: str) -> tuple[int, str]:
    """The combo and the line in the key of an infoset; ConfigError for another text."""
    hand, separator, line = f"{key}".partition(":")
    if separator:
        with suppress(EquilibristError):
            return parse_combo(hand), line
    raise ConfigError(
        f"{key!r} is not the key of an infoset of a hand",
        option="infoset",
        given=key,
        expected="a hand and a line with the board, such as AhKh:R2.5-C|Td9d6h|X",
    )


def _compared(state: TableState, ranking: Ranking) -> list[int] | None:
    """The strengths of the hands at a showdown, the higher the better; None after a fold."""
    if state.betting.kind == FOLDED:
        return None
    held = [(int(FIRST_CARD[c]), int(SECOND_CARD[c])) for c in state.hands]
    return list(strengths(held, state.board, ranking))
