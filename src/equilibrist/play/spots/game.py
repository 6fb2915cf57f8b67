"""A hold'em spot as a game: hands are dealt from both ranges, then come the betting and the cards.

Chance deals the hand of the player out of position, then that of the player in position, and later
the cards of the board. A pair of hands has the probability that is proportional to the product of
their weights in the ranges, if it shares no card; cards are uniform among those that are left.
Behind folded ranges pairs and cards have the weight of the folded hands that they leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, card_names
from equilibrist.poker.cards.combos import (
    COMBO_MASKS,
    FIRST_CARD,
    NUM_COMBOS,
    SECOND_CARD,
    combo_name,
    parse_combo,
)
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot, game_name
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.typing import BoolArray, FloatArray, Int64Array

_RIVER_CARDS: Final = 5
"""Cards on the board on the river."""


class HandState(NamedTuple):
    """A state of a hand.

    Attributes:
        hands: The combos that were dealt: none, that of OOP, or both.
        betting: The state of the betting.
        runout: The cards that were dealt since the root.
    """

    hands: tuple[int, ...]
    betting: BettingState
    runout: tuple[int, ...]


class SpotGame:
    """A spot as a `Game`, for `Session`, `Table` and logs; too large to compile, most of the time.

    Player 0 is out of position, player 1 in position. Payoffs are in chips, by the convention of
    EVs: final chips minus the chips behind at the root, so that both players' add up to the pot
    less rake. The key of an infoset is the hand and the line: `AhKh:X-B50-C|8h|X`.

    Args:
        spot: The spot; its locks have no effect on the rules.

    Raises:
        ConfigError: `spot` is no spot.
    """

    num_players: Final = 2

    def __init__(self, spot: Spot) -> None:
        """Set the table; the class describes the argument."""
        self.spot = checked_spot(spot)
        refuse_prizes(spot, "play")
        self._rules = self.spot.rules()

    @property
    def name(self) -> str:
        """The name of the game, that of its solutions: `holdem(board=...,pot=...,stack=...)`."""
        return game_name(self.spot)

    @property
    def payoff_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the most that each player can win in a hand, in chips."""
        stack, pot = float(self.spot.stack), float(self.spot.pot)
        return ((-stack, pot + stack),) * 2

    def initial_state(self) -> HandState:
        """The root of the spot, before hands are dealt.

        Returns:
            The state.
        """
        return HandState((), self._rules.root(), ())

    def player(self, state: HandState, /) -> int:
        """Whose turn it is.

        Args:
            state: Any state.

        Returns:
            0 out of position, 1 in position, `CHANCE` or `TERMINAL`.
        """
        if len(state.hands) < self.num_players:
            return CHANCE
        phase = state.betting.phase
        if phase is Phase.DECISION:
            return state.betting.player
        if phase is Phase.DEAL:
            return CHANCE
        is_complete = len(self.spot.cards) + len(state.runout) == _RIVER_CARDS
        return TERMINAL if phase is Phase.FOLD or is_complete else CHANCE

    def actions(self, state: HandState, /) -> Sequence[str]:
        """The actions in words (`Check`, `Bet 50`), or what may be dealt (`OOP AhKh`, `turn 8h`).

        Args:
            state: A state that is not terminal.

        Returns:
            The labels.
        """
        if not state.hands:
            return self._first_labels
        if len(state.hands) == 1:
            return [f"{SEATS[1].upper()} {combo_name(c)}" for c in self._second(state).tolist()]
        if state.betting.phase is Phase.DECISION:
            return [str(action) for action in self._rules.actions(state.betting)]
        street = STREETS[len(self.spot.cards) + len(state.runout) - 2]
        return [f"{street} {card_name(card)}" for card in self._free(state)]

    def chance(self, state: HandState, /) -> Sequence[float]:
        """The probability of each hand or card that may be dealt.

        Args:
            state: A state at which chance acts.

        Returns:
            One probability per label of `actions`.
        """
        if not state.hands:
            return self._first_probabilities
        if len(state.hands) == 1:
            second = self._second(state)
            weights = self.spot.ranges[1].weights[second]
            if self.spot.bunching is not None:
                weights = weights * self._pairs(state.hands[0])[second]
            return (weights / weights.sum()).tolist()  # type: ignore[no-any-return]
        cards = self._free(state)
        if self.spot.bunching is None:
            return [1.0 / len(cards)] * len(cards)
        chances = np.array([self._left_with(state, card) for card in cards])
        return (chances / chances.sum()).tolist()  # type: ignore[no-any-return]

    def next(self, state: HandState, action_index: int, /) -> HandState:
        """The state after an action, or after a hand or a card was dealt.

        Args:
            state: A state that is not terminal.
            action_index: The place of the action in `actions`.

        Returns:
            A new state.
        """
        hands, betting, runout = state
        if not hands:
            return HandState((int(self._first[action_index]),), betting, runout)
        if len(hands) == 1:
            return HandState((*hands, int(self._second(state)[action_index])), betting, runout)
        if betting.phase is Phase.DECISION:
            action = self._rules.actions(betting)[action_index]
            return HandState(hands, self._rules.next(betting, action), runout)
        dealt = (*runout, self._free(state)[action_index])
        begins = betting.phase is Phase.DEAL
        return HandState(hands, self._rules.deal(betting) if begins else betting, dealt)

    def payoffs(self, state: HandState, /) -> Sequence[float]:
        """Pay both players in chips: the pot less rake, minus what they paid since the root.

        Args:
            state: A terminal state.

        Returns:
            The payoffs of OOP and of IP.
        """
        betting = state.betting
        raked_pot = betting.final_pot - self._rules.rake(betting.final_pot)
        paid = (betting.final_pot - self._rules.root().pot) / 2
        if betting.phase is Phase.FOLD:
            shares = [float(player != betting.player) for player in (0, 1)]
        else:
            oop, ip = self._strengths(state)
            shares = [0.5, 0.5] if oop == ip else [float(oop > ip), float(ip > oop)]
        return [(share * raked_pot - paid) / betting.scale.per_chip for share in shares]

    def infoset(self, state: HandState, /) -> str:
        """The hand of the player to act, and the line of play.

        Args:
            state: A state at which a player acts.

        Returns:
            The key, such as `AhKh:X-B50-C|8h|X`.
        """
        line = line_text(state.betting.line, [[card] for card in state.runout])
        return f"{combo_name(state.hands[state.betting.player])}:{line}"

    def infoset_facts(self, key: str) -> list[tuple[str, str]]:
        """An infoset in words: hand, board, pot, what is to call, stacks, moves.

        Args:
            key: The key of the infoset.

        Returns:
            Pairs of names and facts; amounts are in chips.

        Raises:
            UnknownNameError: The spot has no such infoset.
        """
        hand, line = read_infoset(key)
        betting, cards = self._rules.follow(line, self.spot.cards)
        runout = tuple(card for card in cards if card is not None)
        chips = betting.scale.chips
        behind = [chips(self._rules.all_in(betting) - bet) for bet in betting.bets]
        stacks = [
            f"{seat.upper()} {chips_behind:,}"
            for seat, chips_behind in zip(SEATS, behind, strict=True)
        ]
        stacks[betting.player] += " (you)"
        return [
            ("your hand", combo_name(hand)),
            ("board", card_names((*self.spot.cards, *runout))),
            ("pot", f"{chips(betting.pot + sum(betting.bets)):,}"),
            ("to call", f"{chips(betting.to_call):,}" if betting.to_call else ""),
            ("behind", ", ".join(stacks)),
            ("moves", self._moves(betting, runout) or "none yet"),
        ]

    def action_words(self, key: str, labels: Sequence[str]) -> list[tuple[str, ...]]:
        """List what each action may be called: its label, or its code in a line, such as `B50`.

        Args:
            key: The key of the infoset.
            labels: The labels of its actions.

        Returns:
            The words of each action.

        Raises:
            UnknownNameError: The spot has no such infoset.
        """
        betting = self._rules.follow(read_infoset(key)[1], self.spot.cards).state
        codes = {str(action): action.code for action in self._rules.actions(betting)}
        return [(label, codes.get(label, label)) for label in labels]

    def _moves(self, betting: BettingState, runout: Sequence[int]) -> str:
        """`OOP Check, IP Bet 50, OOP Call; turn 8h: OOP Check`."""
        streets = []
        for number, street in enumerate(betting.line):
            moves = ", ".join(
                f"{SEATS[place % 2].upper()} {action}" for place, action in enumerate(street)
            )
            if number:
                name = STREETS[self.spot.first_street + number]
                moves = f"{name} {card_name(runout[number - 1])}" + (moves and f": {moves}")
            streets.append(moves)
        return "; ".join(filter(None, streets))

    def _strengths(self, state: HandState) -> list[int]:
        """The strengths of both hands on the river."""
        board = (*self.spot.cards, *state.runout)
        held = [(*board, int(FIRST_CARD[c]), int(SECOND_CARD[c])) for c in state.hands]
        return [
            int(strength)
            for strength in hand_strengths(np.array(held, np.uint8), deck=self.spot.whole_deck)
        ]

    def _free(self, state: HandState) -> list[int]:
        """The cards that may be dealt."""
        gone = {*self.spot.whole_deck.absent, *self.spot.cards, *state.runout}
        for combo in state.hands:
            gone |= {int(FIRST_CARD[combo]), int(SECOND_CARD[combo])}
        cards = [card for card in range(NUM_CARDS) if card not in gone]
        if self.spot.bunching is None:
            return cards
        return [card for card in cards if self._left_with(state, card)]

    def _left_with(self, state: HandState, card: int) -> float:
        """The weight of the folded hands that are possible if a card is dealt."""
        assert self.spot.bunching is not None
        oop, ip = (np.array([combo], np.int32) for combo in state.hands)
        board = (*self.spot.cards, *state.runout, card)
        return float(self.spot.bunching.pairs(board, oop, ip)[0, 0])

    def _pairs(self, first: int) -> FloatArray:
        """float64[1326]: the weight of the folded hands behind a hand of OOP and each of IP."""
        assert self.spot.bunching is not None
        held = np.flatnonzero(self.spot.ranges[1].weights)
        weights = np.zeros(NUM_COMBOS)
        oop = np.array([first], np.int32)
        weights[held] = self.spot.bunching.pairs(self.spot.cards, oop, held)[0]
        return weights

    def _second(self, state: HandState) -> Int64Array:
        """int64[n]: the hands of IP that the hand of OOP leaves."""
        held: Int64Array = np.flatnonzero(self.spot.ranges[1].weights)
        free: BoolArray = (COMBO_MASKS[held] & COMBO_MASKS[state.hands[0]]) == 0
        if self.spot.bunching is not None:
            free = self._pairs(state.hands[0])[held] > 0.0
        return held[free]

    @cached_property
    def _dealt_first(self) -> tuple[Int64Array, FloatArray]:
        """The hands of OOP, int64[n], and their probabilities, float64[n]."""
        oop, ip = (held.weights for held in self.spot.ranges)
        first, second = np.flatnonzero(oop), np.flatnonzero(ip)
        free: BoolArray | FloatArray = (COMBO_MASKS[first][:, None] & COMBO_MASKS[second]) == 0
        if self.spot.bunching is not None:
            free = self.spot.bunching.pairs(self.spot.cards, first, second)
        weights = oop[first] * (free @ ip[second])
        possible = weights > 0.0
        return first[possible], weights[possible] / weights.sum()

    @property
    def _first(self) -> Int64Array:
        return self._dealt_first[0]

    @cached_property
    def _first_labels(self) -> list[str]:
        return [f"{SEATS[0].upper()} {combo_name(combo)}" for combo in self._first.tolist()]

    @cached_property
    def _first_probabilities(self) -> list[float]:
        return self._dealt_first[1].tolist()  # type: ignore[no-any-return]


def read_infoset(key: str) -> tuple[int, str]:
    """The combo and the line in the key of an infoset; ConfigError for another text."""
    hand, separator, line = f"{key}".partition(":")
    if separator:
        with suppress(EquilibristError):
            return parse_combo(hand), line
    raise ConfigError(
        f"{key!r} is not the key of an infoset of a spot",
        option="infoset",
        given=key,
        expected="a hand and a line, such as AhKh:X-B50",
    )
