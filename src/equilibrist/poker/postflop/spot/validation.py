"""Checks of a spot: sizes without effect, ranges that cannot be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.poker.betting.bet_size_parser import parse_street_sizes
from equilibrist.poker.betting.bet_sizes import STREETS, AllIn, BetSize
from equilibrist.poker.betting.public_tree import WalkedBetting
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import Menu
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.ranges.range import (
    MIN_LARGEST_WEIGHT,
    MIN_MEETING_SHARE,
    Range,
    share_that_meets,
)
from equilibrist.typing import FloatArray


def refuse_unused(rules: BettingRules, lists: Mapping[str, str | None]) -> None:
    """Raise ConfigError for lists of sizes that have no effect on the tree.

    `lists` are the lists of a spot by their keys: `bets`, `oop_raises`, `donks` and so on.
    """
    played = [menus[rules.first_street :] for menus in rules.menus]
    for kind in ("bets", "raises"):
        _refuse_past_or_hidden(rules.first_street, lists, kind)
    if (lists["donks"] or "").strip():
        street = STREETS[rules.first_street]
        if all(menu.donks is None for menu in played[0][1:]):
            raise ConfigError(
                "donks have no effect because they follow a call on an earlier street, but this "
                f"spot begins on the {street}",
                option="donks",
                given=street,
                remedy="remove them",
            )
        if not (any(menu.bets or menu.raises for menu in played[1]) or rules.added):
            raise ConfigError(
                "donks have no effect because they follow a call, but the player in position has "
                "no bets",
                option="donks",
                remedy="remove them, or give bets",
            )


class EmptyList(NamedTuple):
    """A list of sizes that is empty: whose it is, what of, and on which street."""

    seat: str
    kind: str
    street: str


class BettingWarning(NamedTuple):
    """What in the sizes of a spot may not be meant.

    Attributes:
        option: The key of the spot.
        code: `capped`, `all-in-only` or `no-bets`: why raises have no effect; `left-out`: where
            all-in is not added.
        text: The same as a sentence.
        lists: The empty lists that are left out.
    """

    option: Literal["raises", "add_all_in"]
    code: Literal["capped", "all-in-only", "no-bets", "left-out"]
    text: str
    lists: tuple[EmptyList, ...] = ()


def betting_warnings(betting: WalkedBetting) -> tuple[BettingWarning, ...]:
    """Warn of sizes that may not be meant: raises without effect, all-in that is not added.

    Such a spot is well defined. Batches over stack depths and settings of other programs have it.
    """
    return tuple(filter(None, (unused_raises(betting.rules), _all_in_left_out(betting))))


def unused_raises(rules: BettingRules) -> BettingWarning | None:
    """Why no raise of the lists can act; None if some can, or if there are none."""
    played = [menus[rules.first_street :] for menus in rules.menus]
    raised = [street for street in zip(*played, strict=True) if any(m.raises for m in street)]
    if not raised:
        return None
    if rules.raise_cap == 0:
        return BettingWarning("raises", "capped", "raises have no effect because raise_cap is 0")
    bets = {size for street in raised for menu in street for size in bets_of(menu)}
    if rules.added or not bets <= {AllIn()}:
        return None
    if bets:
        text = "raises have no effect because all bets are all-in"
        return BettingWarning("raises", "all-in-only", text)
    text = "raises have no effect because there are no bets to raise"
    return BettingWarning("raises", "no-bets", text)


def _all_in_left_out(betting: WalkedBetting) -> BettingWarning | None:
    """Where `add_all_in` would add an all-in to an empty list; compares the sizes of the trees."""
    rules, thresholds = betting.rules, betting.rules.thresholds
    if not thresholds.add_all_in or thresholds.all_in_without_sizes:
        return None
    streets = range(rules.first_street, len(STREETS))
    lists = [
        EmptyList(seat, kind, STREETS[street])
        for street in streets
        for seat, menus in zip(SEATS, rules.menus, strict=True)
        for kind, sizes in (("bets", menus[street].bets), ("raises", menus[street].raises))
        if not sizes
    ]
    if not lists:
        return None
    added = replace(rules, thresholds=replace(thresholds, all_in_without_sizes=True))
    try:
        if WalkedBetting.of(added).num_nodes == betting.num_nodes:
            return None
    except MemoryBudgetError:
        pass  # a tree that is so much larger differs
    named = ", ".join(f"{seat} {kind} on the {street}" for seat, kind, street in lists)
    text = (
        f"add_all_in adds nothing to empty lists, which other programs fill: {named}; "
        "all_in_without_sizes adds all-in to them"
    )
    return BettingWarning("add_all_in", "left-out", text, tuple(lists))


def bets_of(menu: Menu) -> tuple[BetSize, ...]:
    """All bet sizes of a player on a street."""
    return (*menu.bets, *(menu.donks or ()))


def _refuse_past_or_hidden(first: int, texts: Mapping[str, str | None], kind: str) -> None:
    """Raise ConfigError for lists of earlier streets alone, and for overridden lists."""
    own = [f"{seat}_{kind}" for seat in SEATS]
    for key in (kind, *own):
        lists = parse_street_sizes(texts[key] or "", raises=kind == "raises")
        if not any(lists):
            continue
        if key == kind and all(texts[seat_key] is not None for seat_key in own):
            raise ConfigError(
                f"{key} have no effect because {own[0]} and {own[1]} override them",
                option=key,
                remedy=f"remove {key}, or one of the two",
            )
        if not any(lists[first:]):
            past = " and ".join(name for name, sizes in zip(STREETS, lists, strict=True) if sizes)
            raise ConfigError(
                f"{key} have no effect because they are for the {past}, but this spot begins on "
                f"the {STREETS[first]}",
                option=key,
                given=past,
                remedy="give sizes for that street, or remove them",
            )


def refuse_ranges(board: str, ranges: Sequence[Range], left: Sequence[Range]) -> None:
    """Raise ConfigError for ranges that cannot be played, as given or after card removal."""
    for seat, whole, held in zip(SEATS, ranges, left, strict=True):
        if not whole:
            raise ConfigError(
                f"{seat} is empty", option=seat, remedy="give a range, such as '88+,AJs+'"
            )
        if not held:
            raise ConfigError(
                f"the board {board} blocks every hand of {seat}",
                option=seat,
                given=str(board),
                remedy="add hands",
            )
        if (most := float(held.weights.max())) < MIN_LARGEST_WEIGHT:
            raise ConfigError(
                f"the largest weight of {seat} is {most:.3g}, which is too small",
                option=seat,
                given=most,
                remedy="scale the weights so that the largest is 1",
            )
    share = share_that_meets(*(held.weights for held in left))
    if not share:
        raise ConfigError(
            f"no deal is possible on {board}: every hand of oop shares a card with every hand of "
            "ip",
            option="ranges",
            given=0.0,
            remedy="add hands to one of them",
        )
    if share < MIN_MEETING_SHARE:
        raise ConfigError(
            f"almost no deal is possible on {board}: by weight, all but {share:.1g} of the pairs "
            "of hands of oop and ip share a card",
            option="ranges",
            given=float(share),
            remedy="give more weight to hands that can meet",
        )


def refuse_folded(cards: tuple[int, ...], left: Sequence[Range], bunching: Bunching) -> None:
    """Raise ConfigError for folded ranges that leave no deal, or hardly any.

    Args:
        cards: The cards of the board.
        left: Both ranges, after card removal.
        bunching: What the folded ranges leave.
    """
    board = card_names(cards)
    if not bunching.total:
        raise ConfigError(
            f"the folded ranges can hardly be held at the same time on {board}: they share their "
            "cards",
            option="folded",
            given=board,
            remedy="add hands to one of them",
        )
    share = share_behind(bunching, cards, [held.weights for held in left])
    if share < MIN_MEETING_SHARE:
        raise ConfigError(
            f"the folded ranges leave {share:.1e} of all deals on {board}, which is too few",
            option="folded",
            given=share,
            expected=MIN_MEETING_SHARE,
            remedy="add hands to them, or to oop and ip",
        )


def share_behind(
    bunching: Bunching, cards: tuple[int, ...], weights: Sequence[FloatArray]
) -> float:
    """The share of all deals of two ranges on a board that folded ranges leave, by weight.

    Args:
        bunching: What the folded ranges leave.
        cards: The cards of the board, which block none of the hands.
        weights: float64[1326] of each player.
    """
    return bunching.meeting(cards, weights) / float(weights[0].sum() * weights[1].sum())
