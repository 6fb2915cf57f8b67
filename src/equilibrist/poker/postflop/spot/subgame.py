"""Subgames: the rest of a spot from the beginning of a later street, as a spot of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import StreetLine, line_text
from equilibrist.poker.betting.bet_size_parser import sizes_text
from equilibrist.poker.betting.bet_sizes import AllIn
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Menu
from equilibrist.poker.cards.cards import card_mask, card_names
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.resolved_locks import later_locks
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.validation import bets_of, share_behind
from equilibrist.poker.ranges.range import (
    MIN_MEETING_SHARE,
    Range,
    drop_negligible,
    share_that_meets,
)
from equilibrist.typing import FloatArray


def subgame_at(
    spot: Spot, line: tuple[StreetLine, ...], runout: tuple[int, ...], weight: FloatArray
) -> Spot | None:
    """The subgame after a line that ends a street.

    Pots, bets and rake are the same, chip for chip. Locked frequencies that the ranges cannot reach
    become the nearest feasible ones, or are dropped if those do not fit together.

    Args:
        spot: The spot.
        line: The line, up to the beginning of a street.
        runout: The cards dealt in it.
        weight: float64[2, 1326], the weight with which each hand of the players reaches it.

    Returns:
        The subgame; None if almost no pair of hands reaches it.
    """
    rules = spot.rules()
    state = rules.follow(line_text(line)).state
    left = np.where(without_cards(card_mask((*spot.cards, *runout))), weight, 0.0)
    held = np.array([drop_negligible(row) for row in left])
    if not held.any(axis=1).all() or share_that_meets(*held) < MIN_MEETING_SHARE:
        return None
    if spot.bunching is not None:
        cards = (*spot.cards, *runout)
        if share_behind(spot.bunching, cards, [*held]) < MIN_MEETING_SHARE:
            return None
    keys = dict(
        board=card_names((*spot.cards, *runout)),
        oop=Range.from_weights(held[0]),
        ip=Range.from_weights(held[1]),
        pot=rules.scale.chips(state.pot),
        stack=rules.scale.chips(rules.all_in(state)),
        **_stacks(spot, spot.stack - rules.scale.chips(rules.all_in(state))),
        unit=spot.unit if rules.unit == 1 else rules.unit,
        added_lines=_lines_after(rules, rules.added, line),
        removed_lines=_lines_after(rules, rules.removed, line),
        **_sizes(rules, state),
    )
    locks = later_locks(spot.locked_nodes, line, runout, held)
    try:
        return spot.replace(**keys, locks=locks)
    except ConfigError:  # the frequencies are infeasible together on a board
        hands = [lock.without_frequency() for lock in locks if lock.entries]
        return spot.replace(**keys, locks=hands)


def _stacks(spot: Spot, paid: float) -> dict[str, Any]:
    """The key of both stacks, if the spot has them, once each player has put in so much."""
    if spot.stacks is None:
        return {}
    scale = spot.rules().scale
    left = [scale.units(stack) - scale.units(paid) for stack in spot.stacks]
    return {"stacks": [scale.chips(units) for units in left]}


def _sizes(rules: BettingRules, state: BettingState) -> dict[str, Any]:
    """The keys of the menus, with donk bets as bets if the previous street ended in a call.

    Raises without bets, or of all-in bets only, would be rejected, and are left out.
    """
    keys: dict[str, Any] = {"bets": "", "raises": "", "donks": ""}
    first = state.street
    added = _lines_after(rules, rules.added, state.line)
    menus = [[Menu()] * first + [*menus[first:]] for menus in rules.menus]
    donks = menus[0][first].donks
    if state.caller == 0 and donks is not None:
        menus[0][first] = replace(menus[0][first], bets=donks)
    menus[0][first] = replace(menus[0][first], donks=None)
    raised = [
        added or not {*bets_of(oop), *bets_of(ip)} <= {AllIn()}
        for oop, ip in zip(*menus, strict=True)
    ]
    for seat, played in zip(SEATS, menus, strict=True):
        played[:] = [
            menu if may else replace(menu, raises=())
            for menu, may in zip(played, raised, strict=True)
        ]
        keys[f"{seat}_bets"] = "|".join(sizes_text(menu.bets) for menu in played)
        keys[f"{seat}_raises"] = "|".join(sizes_text(menu.raises) for menu in played)
    later = [menu.donks for menu in menus[0]][first + 1 :]
    ip_bets = any(menu.bets or menu.raises for menu in menus[1][first:])
    if any(donks is not None for donks in later) and (ip_bets or added):  # on the river
        keys["donks"] = f"||{sizes_text(later[-1] or ())}"
    return keys


def _lines_after(
    rules: BettingRules, texts: Iterable[str], line: tuple[StreetLine, ...]
) -> tuple[str, ...]:
    """The remainders of added or removed lines after a line that ends a street.

    `line` is that of a state at the beginning of a street. Lines that diverge from it are left
    out.
    """
    past = len(line) - 1
    remainders = []
    for text in texts:
        *_, last = rules.walk(text)
        whole = (*last.state.line[:-1], (*last.state.line[-1], last.action))
        if whole[:past] == line[:past] and len(whole) > past:
            remainders.append(line_text(whole[past:]))
    return tuple(remainders)
