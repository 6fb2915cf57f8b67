"""Lists of sizes that are given and could not move the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.errors import ConfigError
from equilibrist.poker.betting_state import Menu
from equilibrist.poker.size_syntax import parse_street_sizes
from equilibrist.poker.sizes import STREETS, AllIn, BetSize
from equilibrist.poker.spot_keys import SEATS

if TYPE_CHECKING:
    from equilibrist.poker.spot import Spot


def refuse_unused(spot: Spot) -> None:
    """Raise ConfigError for lists of a spot that no line of play comes to."""
    played = [menus[spot.first_street :] for menus in spot.rules().menus]
    for kind in ("bets", "raises"):
        _refuse_past_or_hidden(spot, kind)
    raised = [street for street in zip(*played, strict=True) if any(m.raises for m in street)]
    if raised:
        if spot.raise_cap == 0:
            raise ConfigError("raises never move the game: raise_cap is 0; leave one of them out")
        bets = {size for street in raised for menu in street for size in bets_of(menu)}
        if bets <= {AllIn()} and not spot.added_lines:
            why = "nobody raises a bet that is all-in" if bets else "nobody has bets to raise"
            raise ConfigError(f"raises never move the game: {why}; give bets, such as 50%")
    if spot.donks.strip():
        street = STREETS[spot.first_street]
        if all(menu.donks is None for menu in played[0][1:]):
            raise ConfigError(
                f"donks never move the game: they follow a call on an earlier street, and this "
                f"spot begins on the {street}; leave them out"
            )
        if not (any(menu.bets or menu.raises for menu in played[1]) or spot.added_lines):
            raise ConfigError(
                "donks never move the game: they follow a call, and the player in position never "
                "bets; leave them out, or give bets"
            )


def bets_of(menu: Menu) -> tuple[BetSize, ...]:
    """All that a player may bet on a street."""
    return (*menu.bets, *(menu.donks or ()))


def _refuse_past_or_hidden(spot: Spot, kind: str) -> None:
    """Raise ConfigError for lists of earlier streets alone, and for those that others replace."""
    own = [f"{seat}_{kind}" for seat in SEATS]
    for key in (kind, *own):
        lists = parse_street_sizes(getattr(spot, key) or "", raises=kind == "raises")
        if not any(lists):
            continue
        if key == kind and all(getattr(spot, each) is not None for each in own):
            raise ConfigError(
                f"{key} never move the game: {own[0]} and {own[1]} go before them; leave out "
                f"{key}, or one of the two"
            )
        if not any(lists[spot.first_street :]):
            past = " and ".join(name for name, sizes in zip(STREETS, lists, strict=True) if sizes)
            raise ConfigError(
                f"{key} never move the game: they are for the {past}, and this spot begins on the "
                f"{STREETS[spot.first_street]}; give sizes for it, or leave them out"
            )
