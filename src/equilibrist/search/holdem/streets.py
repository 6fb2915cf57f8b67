"""The streets of a hand as two seats play them, in the terms of spots, and spots that begin there.

A hand at a table has blinds, dead money and stacks that differ; once two seats are left, a street
of it is one of a spot: a pot, the smaller stack, and who acts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.betting.actions import Action, Kind, StreetLine, line_text
from equilibrist.poker.betting.bet_sizes import Street
from equilibrist.poker.betting.lines import LinePart, parse_line
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.decks import STANDARD
from equilibrist.poker.decisions.searching import SearchState
from equilibrist.poker.hands.betting import after, behind, deal, start
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import normalize
from equilibrist.poker.hands.rules import HOLDEM_BOARD, HoldemRules
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range, exponent
from equilibrist.typing import FloatArray

_BETS: Final = (Kind.BET, Kind.RAISE, Kind.ALL_IN)
_TWO: Final = 2
_FLOP: Final = 3


class PlayedStreet(NamedTuple):
    """A street as it was played by two seats; amounts are chips, or big blinds."""

    street: Street
    """0 the flop, 1 the turn, 2 the river."""
    seats: tuple[int, int]
    """The seats at the table, who acts first in front."""
    pot: float
    """What is in the middle when the street begins."""
    stack: float
    """What the shorter of both stacks has behind then."""
    actions: StreetLine
    """What was done, as spots write it: no more than the shorter stack is bet."""


class SearchMenu(NamedTuple):
    """The bets that a search considers, as spots take them."""

    bets: str
    raises: str


@dataclass(frozen=True)
class PlayedStreets:
    """The streets of a hand after the flop, up to a decision between two seats.

    Attributes:
        streets: The streets since two seats are left, the one of the decision last.
        board: The public cards.
        past: All that was done before the flop and since, by which hands are told apart.
        player: Who decides: 0 out of position, 1 in position.
        unit: What bets are multiples of.
        min_bet: The smallest bet.
        raise_cap: The most raises on a street; None for no cap.
        last_street: The last street with betting.
        lowest_rank: The lowest rank in the deck, 0 for the deuce.
    """

    streets: tuple[PlayedStreet, ...]
    board: tuple[int, ...]
    past: tuple[StreetLine, ...]
    player: int
    unit: float
    min_bet: float
    raise_cap: int | None
    last_street: int
    lowest_rank: int = 0

    @property
    def last(self) -> PlayedStreet:
        """The street of the decision."""
        return self.streets[-1]

    def since(self, street: int) -> tuple[StreetLine, ...]:
        """The actions from a street on.

        Args:
            street: The street, at which two seats were left already.

        Returns:
            By street.
        """
        return tuple(played.actions for played in self.streets if played.street >= street)

    def cards_at(self, street: int) -> tuple[int, ...]:
        """The public cards of a street.

        Args:
            street: 0 for the flop.

        Returns:
            The cards dealt up to it.
        """
        return self.board[: _FLOP + street]

    def line_since(self, street: int, actions: Sequence[StreetLine]) -> str:
        """A line of a spot that begins on a street, with the cards dealt since.

        Args:
            street: The street.
            actions: What is done from there on.

        Returns:
            The line; with one street more than was acted on it ends in the card.
        """
        cards = [[card] for card in self.board[_FLOP + street :][: len(actions) - 1]]
        return line_text(actions, cards)

    def spot(self, ranges: FloatArray, menu: SearchMenu, forced: int = 0) -> Spot:
        """The spot of the last street, in which all that was bet can be bet.

        Args:
            ranges: float64[2, 1326]: the weights of both players' hands, 1 at most.
            menu: The bets that are considered.
            forced: How many of the actions are the only ones at their place: the spot is then what
                is left after them.

        Returns:
            The spot.

        Raises:
            ConfigError: A range is empty, or an action does not fit the rules of spots.
            LineSyntaxError: The like of it.
        """
        played = self.last
        has_bets = [street <= self.last_street for street in range(3)]
        line = line_text([played.actions])
        spot = Spot(
            board=card_names(self.board),
            oop=Range.from_weights(ranges[0]),
            ip=Range.from_weights(ranges[1]),
            pot=played.pot,
            stack=played.stack,
            bets=_by_street(menu.bets, has_bets, played.street),
            raises=_by_street(menu.raises, has_bets, played.street),
            min_bet=min(self.min_bet, played.stack),
            raise_cap=self.raise_cap,
            unit=self.unit,
            added_lines=(line,) if line else (),
        )
        return spot.replace(removed_lines=_others(spot.rules(), played.actions[:forced]))


def played_streets(state: SearchState) -> PlayedStreets | None:
    """The streets of a decision.

    Args:
        state: What is public.

    Returns:
        The streets; None before the flop, where more than two seats are left, and for hands that
        spots cannot be of: fewer suits, limits, one hole card, rake; and for spots with
        folded ranges.
    """
    if len(state.board) < _FLOP:
        return None
    parts = parse_line(state.line)
    if isinstance(state.hand, Spot):
        return _of_spot(state, state.hand, parts)
    return _of_hand(state, state.hand, parts) if isinstance(state.hand, Hand) else None


def scaled(weights: FloatArray) -> tuple[FloatArray, int]:
    """Weights times a power of two, the largest in (1/2, 1], and the power that undoes it."""
    power = exponent(weights)
    return np.ldexp(weights, -power), power


def _of_spot(state: SearchState, spot: Spot, parts: Sequence[LinePart]) -> PlayedStreets | None:
    """The streets of a spot that is played."""
    if not spot.has_constant_sum or spot.folded:
        return None
    rules, streets = spot.rules(), list[PlayedStreet]()
    betting, chips = rules.root(), rules.scale.chips
    for number, part in enumerate(parts):
        betting = rules.deal(betting) if number else betting
        pot, stack = chips(betting.pot), chips(rules.all_in(betting))
        street = betting.street
        for action in part.actions:
            betting = rules.next(betting, rules.normalize(betting, action))
        streets.append(PlayedStreet(street, (0, 1), pot, stack, betting.line[-1]))
    return PlayedStreets(
        streets=tuple(streets),
        board=state.board,
        past=(),
        player=betting.player,
        unit=rules.unit,
        min_bet=rules.min_bet,
        raise_cap=rules.raise_cap,
        last_street=2,
    )


def _of_hand(state: SearchState, hand: Hand, parts: Sequence[LinePart]) -> PlayedStreets | None:
    """The streets of a whole hand."""
    rules = hand.rules
    if not _is_holdem(rules):
        return None
    betting, streets = start(rules), list[PlayedStreet]()
    for number, part in enumerate(parts):
        betting = deal(rules, betting) if number else betting
        opening = betting
        for action in part.actions:
            betting = after(rules, betting, normalize(rules, betting, action))
        if number:
            played = _street(rules, opening, betting)
            streets = [] if played is None else [*streets, played]
    if not streets or betting.player not in streets[-1].seats:
        return None
    number = betting.street
    return PlayedStreets(
        streets=tuple(streets),
        board=state.board,
        past=betting.line[: number + 1 - len(streets)],
        player=streets[-1].seats.index(betting.player),
        unit=float(rules.scale.unit),
        min_bet=rules.scale.chips(rules.bets[number]),
        raise_cap=None if rules.raise_cap is None else rules.raise_cap,
        last_street=rules.final_street - 1,
        lowest_rank=rules.lowest_rank,
    )


def _is_holdem(rules: HoldemRules) -> bool:
    """Whether streets of a hand are those of spots: two hole cards, four suits, no limits."""
    whole = (
        rules.ranking == STANDARD and rules.hole_cards == _TWO and rules.suits == len(HOLDEM_BOARD)
    )
    return whole and rules.limit == "no-limit" and rules.board == HOLDEM_BOARD


def _street(rules: HoldemRules, opening: HandState, betting: HandState) -> PlayedStreet | None:
    """A street of a whole hand; None if not just two seats, with chips, begin it."""
    seats = [seat for seat in rules.order if opening.is_live(seat)]
    seats += [seat for seat in range(rules.seats) if opening.is_live(seat) and seat not in seats]
    chips, left = rules.scale.chips, [behind(rules, opening, seat) for seat in seats]
    if len(seats) != _TWO or not all(left):
        return None
    street: Street = (0, 1, 2)[opening.street - 1]
    stack = chips(min(left))
    actions, facing = list[Action](), 0.0
    for action in betting.line[opening.street]:
        if action.kind not in _BETS:
            actions.append(action)
            continue
        kind = Kind.RAISE if facing else Kind.BET
        facing = min(action.amount, stack)
        actions.append(Action(Kind.ALL_IN if facing >= stack else kind, facing))
    return PlayedStreet(street, (seats[0], seats[1]), chips(opening.pot), stack, tuple(actions))


def _by_street(text: str, has_bets: Sequence[bool], first: int) -> str:
    """A list of sizes, without those of streets that are over or have no betting."""
    lists = text.split("|")
    lists = lists * len(has_bets) if len(lists) == 1 else lists
    played = [bets and street >= first for street, bets in enumerate(has_bets)]
    kept = [sizes if is_played else "" for sizes, is_played in zip(lists, played, strict=True)]
    return "|".join(kept) if any(sizes.strip() for sizes in kept) else ""


def _others(rules: BettingRules, actions: Sequence[Action]) -> tuple[str, ...]:
    """The lines with which play leaves a line of the first street."""
    others, state = list[str](), rules.root()
    for action in actions:
        others += [_with(state, other) for other in rules.actions(state) if other != action]
        state = rules.next(state, action)
    return tuple(others)


def _with(state: BettingState, action: Action) -> str:
    return line_text([(*state.line[-1], action)])
