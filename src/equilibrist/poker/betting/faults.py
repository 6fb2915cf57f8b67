"""Errors in lines of play and menus: actions that are not possible, cards out of place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.parsing.arguments import real_number, whole_number
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.betting.bet_sizes import CappedChips, Chips, Thresholds
from equilibrist.poker.betting.chips import MOST_CHIPS, ChipScale, read_units
from equilibrist.poker.betting.lines import LinePart
from equilibrist.poker.betting.state import BettingState, Menus, Phase
from equilibrist.poker.cards.cards import card_name, card_names, outside_deck
from equilibrist.poker.text_span import TextSpan


class Limits(Protocol):
    """What `BettingRules` say of a state."""

    @property
    def raise_cap(self) -> int | None:
        """The cap, or None."""
        ...

    @property
    def scale(self) -> ChipScale:
        """How many units are in a chip."""
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
    facing, all_in, scale = max(state.bets), rules.all_in(state), rules.scale
    if state.phase is not Phase.DECISION:
        return "no player acts"
    if action.kind is Kind.CHECK:
        to_call = scale.chips(state.to_call)
        return f"there is a bet of {to_call} to call" if to_call else ""
    if action.kind in {Kind.FOLD, Kind.CALL}:
        return "" if state.to_call else "there is no bet"
    if facing == all_in:
        return "the other player is all-in"
    if rules.is_capped(state):
        return f"the raise cap of {rules.raise_cap} is reached"
    if rules.normalize(state, action) != action:
        return f"write it as {rules.normalize(state, action)}"
    most = scale.chips(all_in)
    if action.kind is Kind.ALL_IN:
        return "" if action.amount == most else f"all-in is {most}"
    if not scale.fits(action.amount):
        return f"amounts are multiples of the unit, {scale.unit}"
    least = scale.chips(rules.min_raise_to(state))
    if least <= action.amount < most:
        return ""
    return f"the total must be from {least} to {most} (all-in)"


def check_cards(
    part: LinePart, dealt: Sequence[int | None], board: Iterable[int], lowest_rank: int
) -> None:
    """LineSyntaxError unless a street deals one card of the deck at most, not dealt before."""
    if len(part.cards) > 1:
        raise wrong(part.cards_at, "a street deals one card, not several")
    if set(part.cards) & set(dealt):
        raise wrong(part.cards_at, f"{card_name(part.cards[0])} was dealt before")
    if set(part.cards) & set(board):
        taken = f"{card_name(part.cards[0])} is already on the board {card_names(board)}"
        raise wrong(part.cards_at, taken)
    if absent := outside_deck(part.cards, lowest_rank):
        raise wrong(part.cards_at, absent)


def not_offered(action: Action, place: TextSpan, options: Iterable[Action]) -> LineSyntaxError:
    """The error for an action that is not one of the options."""
    codes = ", ".join(f"{option.code} ({option})" for option in options)
    return wrong(place, f"{action.code} is not one of the actions here: {codes}")


def check_limits(
    raise_cap: int | None, rake_rate: float, rake_cap: float | None, thresholds: Thresholds
) -> None:
    """Raise ConfigError for a cap, a rake or a threshold out of range."""
    if raise_cap is not None:
        whole_number("raise_cap", raise_cap, 0)
    real_number("rake_rate", rake_rate, 0.0, 1.0)
    if rake_cap is not None:
        real_number("rake_cap", rake_cap, 0.0, float(MOST_CHIPS))
    for name in ("add_all_in", "force_all_in", "merge"):
        real_number(name, getattr(thresholds, name), 0.0, 1e9)


def check_menus(menus: tuple[Menus, Menus], scale: ChipScale) -> None:
    """Raise ConfigError for bet sizes that a player cannot use."""
    for menu in (*menus[0], *menus[1]):
        for size in (*menu.bets, *menu.raises, *(menu.donks or ())):
            if isinstance(size, Chips | CappedChips):
                read_units("sizes", size.chips, scale, "a size in chips")
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
