"""The betting of one hand after the flop: whose turn it is, what is allowed, where it leads.

`BettingRules` holds what a spot fixes; a `BettingState` is a value that never changes. From the
root, `actions` and `next` lead through a street, and `deal` into the next one. Cards are not part
of it: the public tree deals them. Player 0 is out of position and acts first on every street.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.parsing.arguments import real_number, whole_number
from equilibrist.poker.betting.actions import (
    CALL,
    CHECK,
    FOLD,
    Action,
    Kind,
    StreetLine,
    line_text,
    parse_line,
)
from equilibrist.poker.betting.bet_sizes import (
    STREETS,
    Situation,
    Sizes,
    Street,
    Thresholds,
    amounts,
)
from equilibrist.poker.betting.state import BettingState, Menus, Phase
from equilibrist.poker.cards.cards import card_name, card_names
from equilibrist.poker.text_span import Piece

MOST_CHIPS: Final = 10**9


@dataclass(frozen=True)
class BettingRules:
    """What a spot says about betting; raises ConfigError, or LineSyntaxError for its lines.

    `stack` is what each player has behind in the beginning, the smaller stack if they differ.
    `menus` are those of player 0 and player 1. `raise_cap` is the most raises on a street.
    `added` and `removed` are lines without cards, as `X-B94-C|X-X|B200`: the first brings each of
    its actions, the second takes away its last action and all that follows.
    """

    pot: int
    stack: int
    menus: tuple[Menus, Menus]
    first_street: Street = 0
    thresholds: Thresholds = field(default_factory=Thresholds)
    min_bet: int = 1
    raise_cap: int | None = None
    rake_rate: float = 0.0
    rake_cap: float | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        whole_number("pot", self.pot, 1, MOST_CHIPS)
        whole_number("stack", self.stack, 1, MOST_CHIPS)
        whole_number("first_street", self.first_street, 0, 2)
        whole_number("min_bet", self.min_bet, 1, MOST_CHIPS)
        if self.raise_cap is not None:
            whole_number("raise_cap", self.raise_cap, 0)
        real_number("rake_rate", self.rake_rate, 0.0, 1.0)
        if self.rake_cap is not None:
            real_number("rake_cap", self.rake_cap, 0.0, float(MOST_CHIPS))
        for name in ("add_all_in", "force_all_in", "merge"):
            real_number(name, getattr(self.thresholds, name), 0.0, 1e9)
        for menu in (menu for menus in self.menus for menu in menus):
            if any(size.only_raises for size in (*menu.bets, *(menu.donks or ()))):
                raise ConfigError(
                    "bets have a size for raises only, such as 2.5x",
                    option="bets",
                    remedy="use 50% or 100c",
                )
        if any(menu.donks is not None for menu in self.menus[1]):
            raise ConfigError(
                "player 1 acts last and has no donk bets",
                option="donks",
                remedy="give them to player 0",
            )
        _ = self._added, self._removed  # reads all lines

    def root(self) -> BettingState:
        """The first decision."""
        return BettingState(self.first_street, Phase.DECISION, 0, self.pot)

    def actions(self, state: BettingState) -> tuple[Action, ...]:
        """What the player may do: fold, check or call, then bets or raises by size.

        Empty unless the phase is a decision.
        """
        taken = self._removed.get(state.line, ())
        return tuple(action for action in self._offered(state) if action not in taken)

    def next(self, state: BettingState, action: Action) -> BettingState:
        """The state after an action that poker allows, on the menu or not.

        Raises ConfigError for one that it does not allow.
        """
        fault = self._fault(state, action)
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
        bets[state.player] = action.amount
        return replace(
            state,
            player=1 - state.player,
            bets=(bets[0], bets[1]),
            step=action.amount - facing,
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
        """The first decision of the next street; raises ConfigError where none is dealt."""
        if state.phase is not Phase.DEAL:
            raise ConfigError(
                f"no street begins after {str(state) or 'the root'}",
                option="street",
                place=str(state) or "the root",
            )
        return BettingState(
            _next_street(state.street),
            Phase.DECISION,
            0,
            state.final_pot,
            caller=state.player if state.line[-1][-1] == CALL else None,
            line=(*state.line, ()),
        )

    def all_in(self, state: BettingState) -> int:
        """The largest total on the street: what a player had when it began."""
        return self.stack - (state.pot - self.pot) // 2

    def least(self, state: BettingState) -> int:
        """The smallest total of a bet or raise: the last step again, or all-in if that is less."""
        facing = max(state.bets)
        return min(facing + max(state.step, self.min_bet), self.all_in(state))

    def likeness(self, state: BettingState) -> BettingState:
        """The state where a street begins, less what makes no difference to what follows.

        That is the line, unless added or removed lines go on from there, and who called, unless
        donk bets follow.
        """
        past = len(state.line) - 1
        for line in (*self._added, *self._removed):
            if line[:past] == state.line[:past] and line[past : past + 1]:
                return state
        donks = self.menus[0][state.street].donks is not None
        return replace(state, line=(), caller=0 if donks and state.caller == 0 else None)

    def rake(self, pot: int) -> float:
        """What the house takes from a final pot, in chips."""
        taken = self.rake_rate * pot
        return taken if self.rake_cap is None else min(taken, self.rake_cap)

    def follow(
        self, text: str, board: Iterable[int] = ()
    ) -> tuple[BettingState, tuple[int | None, ...]]:
        """The state at the end of a line, and the turn and river cards in it, None if left out.

        A line may end in a bar: the next street before any action. Raises LineSyntaxError for what
        the rules do not offer, with what they do, and for cards of the board.
        """
        parts = parse_line(text)
        state, cards = self.root(), list[int | None]()
        for k, part in enumerate(parts):
            if k:
                if len(part.cards) > 1:
                    raise _wrong(part.cards_at, "one card is dealt on each street, not more")
                if set(part.cards) & set(cards):
                    raise _wrong(part.cards_at, f"{card_name(part.cards[0])} was dealt before")
                if set(part.cards) & set(board):
                    taken = (
                        f"{card_name(part.cards[0])} is on the board {card_names(board)} already"
                    )
                    raise _wrong(part.cards_at, taken)
                cards.append(part.cards[0] if part.cards else None)
                state = self._dealt(state, part.cards_at, len(cards))
            for action, place in zip(part.actions, part.actions_at, strict=True):
                state = self._followed(state, action, place)
        return state, tuple(cards)

    def lines_after(self, texts: Iterable[str], line: tuple[StreetLine, ...]) -> tuple[str, ...]:
        """Of added or removed lines, what is left of them after a line that ends with a street.

        `line` is that of a state where a street begins. Lines that go elsewhere are left out.
        """
        past = len(line) - 1
        found = []
        for text in texts:
            *_, (state, action, _) = self._walk(text)
            whole = (*state.line[:-1], (*state.line[-1], action))
            if whole[:past] == line[:past] and len(whole) > past:
                found.append(line_text(whole[past:]))
        return tuple(found)

    def _dealt(self, state: BettingState, place: Piece, number: int) -> BettingState:
        if state.phase is Phase.DEAL:
            return self.deal(state)
        if state.phase is Phase.SHOWDOWN and self.first_street + number <= 2:
            return state  # somebody is all-in: cards come without play
        if state.phase is Phase.DECISION:
            raise _wrong(place, f"the {STREETS[state.street]} is not over: an action comes first")
        raise _wrong(place, "no card is dealt any more: the hand is over")

    def _followed(self, state: BettingState, action: Action, place: Piece) -> BettingState:
        if state.phase is not Phase.DECISION:
            what = "a bar comes next" if state.phase is Phase.DEAL else "the hand is over"
            raise _wrong(place, f"nobody acts after {state}; {what}")
        meant = self.meant(state, action)
        if meant not in self.actions(state):
            raise _not_offered(meant, place, self.actions(state))
        return self.next(state, meant)

    def meant(self, state: BettingState, action: Action) -> Action:
        """An amount as what it is at a state: a bet, a raise, or all-in."""
        if action.kind not in {Kind.BET, Kind.RAISE, Kind.ALL_IN}:
            return action
        all_in = self.all_in(state)
        if action == Action(Kind.ALL_IN) or action.amount == all_in:
            return Action(Kind.ALL_IN, all_in)
        if action.kind is Kind.ALL_IN:
            return action
        return Action(Kind.RAISE if max(state.bets) else Kind.BET, action.amount)

    def _fault(self, state: BettingState, action: Action) -> str:
        """Why poker does not allow an action here; empty if it does."""
        facing, all_in = max(state.bets), self.all_in(state)
        if state.phase is not Phase.DECISION:
            return "nobody is to act"
        if action.kind is Kind.CHECK:
            return f"{state.to_call} chips are to call" if state.to_call else ""
        if action.kind in {Kind.FOLD, Kind.CALL}:
            return "" if state.to_call else "nobody has bet"
        if facing == all_in:
            return "the other player is all-in"
        if self._is_capped(state):
            return f"raises are capped at {self.raise_cap}"
        if self.meant(state, action) != action:
            return f"here it is called {self.meant(state, action)}"
        if action.kind is Kind.ALL_IN:
            return "" if action.amount == all_in else f"all-in is {all_in}"
        if self.least(state) <= action.amount < all_in:
            return ""
        return f"a total from {self.least(state)} to {all_in}, which is all-in, is possible"

    def _offered(self, state: BettingState) -> list[Action]:
        """The actions of the menu and the added ones, in order."""
        if state.phase is not Phase.DECISION:
            return []
        facing, all_in = max(state.bets), self.all_in(state)
        passive = [FOLD, CALL] if state.to_call else [CHECK]
        totals: list[int] = []
        if facing < all_in and not self._is_capped(state):
            spot = Situation(state.pot, facing, all_in, state.street, state.raises)
            totals = amounts(self._sizes(state), spot, self.least(state), self.thresholds)
        bet = Kind.RAISE if facing else Kind.BET
        bets = {Action(Kind.ALL_IN if total == all_in else bet, total) for total in totals}
        bets |= self._added.get(state.line, set())
        return passive + sorted(bets - set(passive), key=lambda action: action.amount)

    def _is_capped(self, state: BettingState) -> bool:
        """Whether a raise would be one too many."""
        if self.raise_cap is None or not max(state.bets):
            return False
        return state.raises >= self.raise_cap

    def _sizes(self, state: BettingState) -> Sizes:
        menu = self.menus[state.player][state.street]
        if max(state.bets):
            return menu.raises
        if state.player == state.caller == 0 and menu.donks is not None:
            return menu.donks
        return menu.bets

    @cached_property
    def _added(self) -> _Changes:
        """Actions to add at lines."""
        added: _Changes = {}
        for text in self.added:
            for state, action, _ in self._walk(text):
                added.setdefault(state.line, set()).add(action)
        return added

    @cached_property
    def _removed(self) -> _Changes:
        """Actions to take away at lines."""
        removed: _Changes = {}
        for text in self.removed:
            for state, action, place in self._walk(text):
                if action not in self._offered(state):
                    raise _not_offered(action, place, self._offered(state))
            taken = removed.setdefault(state.line, set())
            taken.add(action)
            if taken >= set(self._offered(state)):
                raise _wrong(place, "with this line removed no action is left; keep one")
        return removed

    def _walk(self, text: str) -> Iterable[tuple[BettingState, Action, Piece]]:
        """The states of a line without cards, each with the action that follows and its place."""
        state = self.root()
        parts = parse_line(text)
        if not parts[-1].actions:
            raise _wrong(parts[-1].cards_at, "a line that is added or removed ends in an action")
        for k, part in enumerate(parts):
            if part.cards:
                raise _wrong(part.cards_at, "lines that are added or removed have no cards")
            if k:
                state = self._dealt(state, part.cards_at, k)
            for given, place in zip(part.actions, part.actions_at, strict=True):
                action = self.meant(state, given)
                fault = self._fault(state, action)
                if fault:
                    raise _wrong(place, f"{action.code} is not possible here: {fault}")
                yield state, action, place
                state = self.next(state, action)


_Changes = dict[tuple[StreetLine, ...], set[Action]]


def _next_street(street: Street) -> Street:
    return 1 if street == 0 else 2


def _not_offered(action: Action, place: Piece, options: Iterable[Action]) -> LineSyntaxError:
    codes = ", ".join(f"{option.code} ({option})" for option in options)
    return _wrong(place, f"{action.code} is not among the actions here: {codes}")


def _wrong(place: Piece, message: str) -> LineSyntaxError:
    return LineSyntaxError(message, place.whole, place.start, option="line", given=place.text)
