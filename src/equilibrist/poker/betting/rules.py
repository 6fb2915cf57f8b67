"""The betting rules of one hand after the flop: who acts, which actions are legal, what follows.

`BettingRules` holds the parameters of a spot; a `BettingState` is an immutable value. From the
root, `actions` and `next` traverse a street, and `deal` leads to the next one. Cards are not part
of the betting: the public tree deals them. Player 0 is out of position and acts first on every
street.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind, StreetLine
from equilibrist.poker.betting.bet_sizes import (
    STREETS,
    Situation,
    Street,
    Thresholds,
    amounts,
)
from equilibrist.poker.betting.chips import ChipScale, read_units
from equilibrist.poker.betting.faults import (
    check_cards,
    check_limits,
    check_menus,
    fault_of,
    not_offered,
    wrong,
)
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.state import BettingState, Menus, Phase, sizes_at
from equilibrist.poker.text_span import TextSpan


class FollowedLine(NamedTuple):
    """Where a line of play leads."""

    state: BettingState
    """The state at its end."""
    runout: tuple[int | None, ...]
    """The turn and river cards that the line deals, in order; None where it leaves a card open."""


class WalkedAction(NamedTuple):
    """An action of a line, whether it is offered or not."""

    state: BettingState
    """The state before it."""
    action: Action
    at: TextSpan
    """Where the text of the line has it."""


@dataclass(frozen=True)
class BettingRules:
    """The betting rules of a spot. Amounts are chips; those of states are in units.

    Attributes:
        pot: The pot at the root.
        stack: The effective stack at the root, the smaller of both stacks.
        menus: The bet sizes of player 0 and of player 1.
        first_street: The street at the root: 0 flop, 1 turn, 2 river.
        thresholds: When sizes are added, merged or become all-in.
        min_bet: The smallest bet.
        raise_cap: The maximum number of raises on a street; None for no cap.
        rake_rate: The share of the final pot that the house takes, from 0 to 1.
        rake_cap: The maximum rake; None for no cap.
        added: Lines without cards, such as `X-B94-C|X-X|B200`, whose actions are added.
        removed: Lines without cards whose last action is removed, with all that follows.
        unit: What amounts are multiples of, in chips: 1, 0.1, 0.01 ...; states and trees count
            in it.
        lowest_rank: The lowest rank of the cards that lines may deal, 0 for deuces.

    Raises:
        ConfigError: A parameter is invalid.
        LineSyntaxError: A line in `added` or `removed` cannot be read or played.
    """

    pot: float
    stack: float
    menus: tuple[Menus, Menus]
    first_street: Street = 0
    thresholds: Thresholds = field(default_factory=Thresholds)
    min_bet: float = 1
    raise_cap: int | None = None
    rake_rate: float = 0.0
    rake_cap: float | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unit: float = 1
    lowest_rank: int = 0

    def __post_init__(self) -> None:
        whole_number("first_street", self.first_street, 0, 2)
        _ = self._in_units
        check_limits(self.raise_cap, self.rake_rate, self.rake_cap, self.thresholds)
        check_menus(self.menus, self.scale)
        _ = self._added, self._removed  # checks all lines

    @cached_property
    def scale(self) -> ChipScale:
        """How many units are in a chip; raises ConfigError for another unit."""
        return ChipScale.of(self.unit)

    @cached_property
    def _in_units(self) -> tuple[int, ...]:
        """The pot, the stack and the smallest bet; raises ConfigError."""
        amounts = {"pot": self.pot, "stack": self.stack, "min_bet": self.min_bet}
        return tuple(read_units(name, amount, self.scale) for name, amount in amounts.items())

    def root(self) -> BettingState:
        """The first decision of the spot.

        Returns:
            The state before any action.
        """
        scale = self.scale
        return BettingState(self.first_street, Phase.DECISION, 0, self._in_units[0], scale=scale)

    def actions(self, state: BettingState) -> tuple[Action, ...]:
        """The legal actions: fold, check or call, then bets or raises by size.

        Args:
            state: A state of these rules.

        Returns:
            The actions; empty unless the phase is a decision.
        """
        taken = self._removed.get(state.line, ())
        return tuple(action for action in self._offered(state) if action not in taken)

    def next(self, state: BettingState, action: Action) -> BettingState:
        """The state after an action.

        Args:
            state: A state of these rules.
            action: An action that the rules of poker allow, on the menu or not.

        Returns:
            The state at which the other player acts, or the betting of the street is over.

        Raises:
            ConfigError: The rules of poker do not allow it.
        """
        fault = fault_of(self, state, action)
        if fault:
            raise ConfigError(
                f"{action} is not possible after {str(state) or 'the root'}: {fault}",
                option="action",
                given=str(action),
                place=str(state) or "the root",
            )
        line = (*state.line[:-1], (*state.line[-1], action))
        if action.kind is Kind.FOLD:
            return replace(state, phase=Phase.FOLD, line=line)
        if action.kind in {Kind.CHECK, Kind.CALL}:
            return self._passed(state, line)
        facing, bets = max(state.bets), list(state.bets)
        bets[state.player] = total = self.scale.units(action.amount)
        return replace(
            state,
            player=1 - state.player,
            bets=(bets[0], bets[1]),
            last_raise_size=total - facing,
            raises=state.raises + (facing > 0),
            line=line,
        )

    def _passed(self, state: BettingState, line: tuple[StreetLine, ...]) -> BettingState:
        """The state after a check or a call."""
        facing = max(state.bets)
        if not facing and state.player == 0:
            return replace(state, player=1, line=line)
        ends = state.street == 2 or facing == self.all_in(state)
        phase = Phase.SHOWDOWN if ends else Phase.DEAL
        return replace(state, phase=phase, bets=(facing, facing), line=line)

    def deal(self, state: BettingState) -> BettingState:
        """The first decision of the next street.

        Args:
            state: A state at the end of a street.

        Returns:
            The state at which the player out of position acts.

        Raises:
            ConfigError: No card is dealt at this state.
        """
        if state.phase is not Phase.DEAL:
            raise ConfigError(
                f"no street begins after {str(state) or 'the root'}",
                option="street",
                place=str(state) or "the root",
            )
        return BettingState(
            1 if state.street == 0 else 2,
            Phase.DECISION,
            0,
            state.final_pot,
            caller=state.player if state.line[-1][-1] == CALL else None,
            line=(*state.line, ()),
            scale=self.scale,
        )

    def all_in(self, state: BettingState) -> int:
        """The largest total on the street: a player's stack at its beginning.

        Args:
            state: A state of these rules.

        Returns:
            Units.
        """
        pot, stack, _ = self._in_units
        return stack - (state.pot - pot) // 2

    def min_raise_to(self, state: BettingState) -> int:
        """The smallest total of a bet or raise: the last raise size again, or all-in if less.

        Args:
            state: A decision.

        Returns:
            Units.
        """
        facing = max(state.bets)
        return min(facing + max(state.last_raise_size, self._in_units[2]), self.all_in(state))

    def canonical_state(self, state: BettingState) -> BettingState:
        """A state at the beginning of a street without what has no effect on the continuation.

        The line is dropped, unless added or removed lines continue from it, and so is the caller,
        unless donk bets follow.

        Args:
            state: A state at the beginning of a street.

        Returns:
            The state that stands for it.
        """
        past = len(state.line) - 1
        for line in (*self._added, *self._removed):
            if line[:past] == state.line[:past] and line[past : past + 1]:
                return state
        donks = self.menus[0][state.street].donks is not None
        return replace(state, line=(), caller=0 if donks and state.caller == 0 else None)

    def rake(self, pot: int) -> float:
        """The rake of a final pot.

        Args:
            pot: The final pot, in units.

        Returns:
            The rake, in units.
        """
        taken = self.rake_rate * pot
        return taken if self.rake_cap is None else min(taken, self.scale.exactly(self.rake_cap))

    def follow(self, text: str, board: Iterable[int] = ()) -> FollowedLine:
        """Follow a line of play.

        Args:
            text: The line, such as `X-B94-C|8h|X`. One that ends in a bar leads to the beginning of
                the next street.
            board: The cards at the root, which the line must not deal again.

        Returns:
            Where the line leads.

        Raises:
            ConfigError: `text` is not a text.
            LineSyntaxError: The line cannot be read, an action is not offered, or a card was dealt
                before or is not in the deck; the error has the position.
        """
        parts = parse_line(text)
        state, cards = self.root(), list[int | None]()
        for k, part in enumerate(parts):
            if k:
                check_cards(part, cards, board, self.lowest_rank)
                cards.append(part.cards[0] if part.cards else None)
                state = self._dealt(state, part.cards_at, len(cards))
            for action, place in zip(part.actions, part.actions_at, strict=True):
                state = self._followed(state, action, place)
        return FollowedLine(state, tuple(cards))

    def _dealt(self, state: BettingState, place: TextSpan, number: int) -> BettingState:
        if state.phase is Phase.DEAL:
            return self.deal(state)
        if state.phase is Phase.SHOWDOWN and self.first_street + number <= 2:
            return state  # all-in: cards are dealt without betting
        if state.phase is Phase.DECISION:
            raise wrong(place, f"the {STREETS[state.street]} is not over; expected an action")
        raise wrong(place, "no more cards are dealt: the hand is over")

    def _followed(self, state: BettingState, action: Action, place: TextSpan) -> BettingState:
        if state.phase is not Phase.DECISION:
            what = "expected a bar" if state.phase is Phase.DEAL else "the hand is over"
            raise wrong(place, f"nobody acts after {state}; {what}")
        meant = self.normalize(state, action)
        if meant not in self.actions(state):
            raise not_offered(meant, place, self.actions(state))
        return self.next(state, meant)

    def normalize(self, state: BettingState, action: Action) -> Action:
        """The action with its proper kind at a state: bet, raise or all-in.

        Args:
            state: A decision.
            action: An action, such as a bet that is all-in.

        Returns:
            The action as `actions` offers it.
        """
        if action.kind not in {Kind.BET, Kind.RAISE, Kind.ALL_IN}:
            return action
        all_in = self.scale.chips(self.all_in(state))
        if action == Action(Kind.ALL_IN) or action.amount == all_in:
            return Action(Kind.ALL_IN, all_in)
        if action.kind is Kind.ALL_IN:
            return action
        return Action(Kind.RAISE if max(state.bets) else Kind.BET, action.amount)

    def _offered(self, state: BettingState) -> list[Action]:
        """The actions of the menu and the added actions, in order."""
        if state.phase is not Phase.DECISION:
            return []
        facing, all_in = max(state.bets), self.all_in(state)
        passive = [FOLD, CALL] if state.to_call else [CHECK]
        totals: list[int] = []
        if facing < all_in and not self.is_capped(state):
            situation = Situation(state.pot, facing, all_in, state.street, state.raises, self.scale)
            least = self.min_raise_to(state)
            totals = amounts(sizes_at(state, self.menus), situation, least, self.thresholds)
        bet = Kind.RAISE if facing else Kind.BET
        chips = self.scale.chips
        bets = {Action(Kind.ALL_IN if total == all_in else bet, chips(total)) for total in totals}
        bets |= self._added.get(state.line, set())
        return passive + sorted(bets - set(passive), key=lambda action: action.amount)

    def is_capped(self, state: BettingState) -> bool:
        """Whether the cap forbids another raise.

        Args:
            state: A decision.

        Returns:
            True if it does.
        """
        if self.raise_cap is None or not max(state.bets):
            return False
        return state.raises >= self.raise_cap

    @cached_property
    def _added(self) -> _Changes:
        """The actions to add, by line."""
        added: _Changes = {}
        for text in self.added:
            for step in self.walk(text):
                added.setdefault(step.state.line, set()).add(step.action)
        return added

    @cached_property
    def _removed(self) -> _Changes:
        """The actions to remove, by line."""
        removed: _Changes = {}
        for text in self.removed:
            for state, action, place in self.walk(text):
                if action not in self._offered(state):
                    raise not_offered(action, place, self._offered(state))
            taken = removed.setdefault(state.line, set())
            taken.add(action)
            if taken >= set(self._offered(state)):
                raise wrong(place, "removing this line would leave no action; keep at least one")
        return removed

    def walk(self, text: str) -> Iterable[WalkedAction]:
        """Walk a line without cards, whose actions need not be offered.

        Args:
            text: The line.

        Yields:
            The actions, each with the state before it.

        Raises:
            LineSyntaxError: The line cannot be read or played.
        """
        state = self.root()
        parts = parse_line(text)
        if not parts[-1].actions:
            raise wrong(parts[-1].cards_at, "an added or removed line must end in an action")
        for k, part in enumerate(parts):
            if part.cards:
                raise wrong(part.cards_at, "added or removed lines must not contain cards")
            if k:
                state = self._dealt(state, part.cards_at, k)
            for written, place in zip(part.actions, part.actions_at, strict=True):
                action = self.normalize(state, written)
                fault = fault_of(self, state, action)
                if fault:
                    raise wrong(place, f"{action.code} is not possible here: {fault}")
                yield WalkedAction(state, action, place)
                state = self.next(state, action)


_Changes = dict[tuple[StreetLine, ...], set[Action]]
