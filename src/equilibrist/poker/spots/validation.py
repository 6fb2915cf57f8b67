"""What a spot must not have: sizes that have no effect, ranges that cannot be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.bet_size_parser import parse_street_sizes
from equilibrist.poker.betting.bet_sizes import STREETS, AllIn, BetSize
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import Menu
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.weights import LEAST, LEAST_SHARE, share_that_meets
from equilibrist.poker.spots.fields import SEATS


def refuse_unused(rules: BettingRules, given: Mapping[str, str | None]) -> None:
    """Raise ConfigError for lists of sizes that no line of play comes to.

    `given` are the lists of a spot by their keys: `bets`, `oop_raises`, `donks` and so on.
    """
    played = [menus[rules.first_street :] for menus in rules.menus]
    for kind in ("bets", "raises"):
        _refuse_past_or_hidden(rules.first_street, given, kind)
    raised = [street for street in zip(*played, strict=True) if any(m.raises for m in street)]
    if raised:
        if rules.raise_cap == 0:
            raise ConfigError(
                "raises never move the game: raise_cap is 0",
                option="raises",
                given=0,
                remedy="leave one of them out",
            )
        bets = {size for street in raised for menu in street for size in bets_of(menu)}
        if bets <= {AllIn()} and not rules.added:
            why = "nobody raises a bet that is all-in" if bets else "nobody has bets to raise"
            raise ConfigError(
                f"raises never move the game: {why}",
                option="raises",
                remedy="give bets, such as 50%",
            )
    if (given["donks"] or "").strip():
        street = STREETS[rules.first_street]
        if all(menu.donks is None for menu in played[0][1:]):
            raise ConfigError(
                "donks never move the game: they follow a call on an earlier street, and this "
                f"spot begins on the {street}",
                option="donks",
                given=street,
                remedy="leave them out",
            )
        if not (any(menu.bets or menu.raises for menu in played[1]) or rules.added):
            raise ConfigError(
                "donks never move the game: they follow a call, and the player in position never "
                "bets",
                option="donks",
                remedy="leave them out, or give bets",
            )


def bets_of(menu: Menu) -> tuple[BetSize, ...]:
    """All that a player may bet on a street."""
    return (*menu.bets, *(menu.donks or ()))


def _refuse_past_or_hidden(first: int, given: Mapping[str, str | None], kind: str) -> None:
    """Raise ConfigError for lists of earlier streets alone, and for those that others replace."""
    own = [f"{seat}_{kind}" for seat in SEATS]
    for key in (kind, *own):
        lists = parse_street_sizes(given[key] or "", raises=kind == "raises")
        if not any(lists):
            continue
        if key == kind and all(given[each] is not None for each in own):
            raise ConfigError(
                f"{key} never move the game: {own[0]} and {own[1]} go before them",
                option=key,
                remedy=f"leave out {key}, or one of the two",
            )
        if not any(lists[first:]):
            past = " and ".join(name for name, sizes in zip(STREETS, lists, strict=True) if sizes)
            raise ConfigError(
                f"{key} never move the game: they are for the {past}, and this spot begins on the "
                f"{STREETS[first]}",
                option=key,
                given=past,
                remedy="give sizes for it, or leave them out",
            )


def refuse_ranges(board: str, given: Sequence[Range], left: Sequence[Range]) -> None:
    """Raise ConfigError for ranges that cannot be played, as given and as the board leaves them."""
    for seat, whole, held in zip(SEATS, given, left, strict=True):
        if not whole:
            raise ConfigError(
                f"{seat} has no hands", option=seat, remedy="give a range, such as '88+,AJs+'"
            )
        if not held:
            raise ConfigError(
                f"{seat} has no hands without the cards of the board {board}",
                option=seat,
                given=str(board),
                remedy="add hands",
            )
        if (most := float(held.weights.max())) < LEAST:
            raise ConfigError(
                f"{seat}: the largest weight is {most:.3g}",
                option=seat,
                given=most,
                remedy="give weights relative to 1",
            )
    share = share_that_meets(*(each.weights for each in left))
    if not share:
        raise ConfigError(
            "oop and ip leave no deal: every hand of one shares a card with every hand of the "
            f"other on {board}",
            option="ranges",
            given=0.0,
            remedy="add hands to one of them",
        )
    if share < LEAST_SHARE:
        raise ConfigError(
            f"oop and ip leave next to no deal: by weight, all but {share:.1g} of the pairs of "
            f"their hands share a card on {board}",
            option="ranges",
            given=float(share),
            remedy="give hands that can meet more weight",
        )
