"""Errors in lines of play and menus: actions that are not possible, cards out of place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.betting.actions import Action, Kind, LinePart
from equilibrist.poker.betting.state import BettingState, Menus, Phase
from equilibrist.poker.cards.cards import card_name, card_names
from equilibrist.poker.text_span import TextSpan


class Limits(Protocol):
    """What `BettingRules` say of a state."""

    @property
    def raise_cap(self) -> int | None:
        """The cap, or None."""
        ...

    def all_in(self, state: BettingState) -> int:
        """The largest total."""
        ...

    def min_raise_to(self, state: BettingState) -> int:
        """The smallest total."""
        ...

    def is_capped(self, state: BettingState) -> bool:
        """Whether the cap forbids another raise."""
        ...

    def normalize(self, state: BettingState, action: Action) -> Action:
        """The action with its proper kind."""
        ...


def fault_of(rules: Limits, state: BettingState, action: Action) -> str:
    """Why the rules of poker do not allow an action here; empty if they do."""
    facing, all_in = max(state.bets), rules.all_in(state)
    if state.phase is not Phase.DECISION:
        return "no player acts"
    if action.kind is Kind.CHECK:
        return f"there is a bet of {state.to_call} to call" if state.to_call else ""
    if action.kind in {Kind.FOLD, Kind.CALL}:
        return "" if state.to_call else "there is no bet"
    if facing == all_in:
        return "the other player is all-in"
    if rules.is_capped(state):
        return f"the raise cap of {rules.raise_cap} is reached"
    if rules.normalize(state, action) != action:
        return f"write it as {rules.normalize(state, action)}"
    if action.kind is Kind.ALL_IN:
        return "" if action.amount == all_in else f"all-in is {all_in}"
    if rules.min_raise_to(state) <= action.amount < all_in:
        return ""
    return f"the total must be from {rules.min_raise_to(state)} to {all_in} (all-in)"


def check_cards(part: LinePart, dealt: Sequence[int | None], board: Iterable[int]) -> None:
    """LineSyntaxError unless a street deals one card at most, which was not dealt before."""
    if len(part.cards) > 1:
        raise wrong(part.cards_at, "a street deals one card, not several")
    if set(part.cards) & set(dealt):
        raise wrong(part.cards_at, f"{card_name(part.cards[0])} was dealt before")
    if set(part.cards) & set(board):
        taken = f"{card_name(part.cards[0])} is already on the board {card_names(board)}"
        raise wrong(part.cards_at, taken)


def not_offered(action: Action, place: TextSpan, options: Iterable[Action]) -> LineSyntaxError:
    """The error for an action that is not one of the options."""
    codes = ", ".join(f"{option.code} ({option})" for option in options)
    return wrong(place, f"{action.code} is not one of the actions here: {codes}")


def check_menus(menus: tuple[Menus, Menus]) -> None:
    """Raise ConfigError for bet sizes that a player cannot use."""
    for menu in (*menus[0], *menus[1]):
        if any(size.only_raises for size in (*menu.bets, *(menu.donks or ()))):
            raise ConfigError(
                "bets contain a size that is for raises only, such as 2.5x",
                option="bets",
                remedy="use 50% or 100c",
            )
    if any(menu.donks is not None for menu in menus[1]):
        raise ConfigError(
            "player 1 acts last and cannot make donk bets",
            option="donks",
            remedy="give them to player 0",
        )


def wrong(place: TextSpan, message: str) -> LineSyntaxError:
    """The error at a place of a line."""
    return LineSyntaxError(message, place.whole, place.start, option="line", given=place.text)
