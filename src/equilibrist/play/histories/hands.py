"""Whole hands in PHH.

Amounts are multiples of the hand's unit; where that is not one chip, `_unit` says what it is. p1 is
the small blind; with two seats that post blinds it is the big blind. Streets after the last one
with betting are checked through. Where PokerKit asks a seat to act although all others are all-in,
the seat checks. A comment behind an action is its EV loss, in the unit of the amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from equilibrist.play.hands.game import HandGame
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.notation import (
    CALL,
    ActionCodes,
    action_code,
    plain,
    remark,
    replayed,
    shown,
)
from equilibrist.play.session import HandRecord
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.cards.decks import SHORT, SHORT_TRIPS
from equilibrist.poker.hands.rules import HOLDEM_BOARD

_RAISES: Final = 3
"""Raises on a street of limit hold'em in PHH, after a bet or the blinds."""


def what_phh_lacks(game: HandGame) -> HandError | None:
    """What of a hand PHH cannot write, such as pot-limit hold'em; None if it can all."""
    rules = game.rules
    if rules.limit == "pot-limit":
        return HandError("phh-pot-limit")
    if rules.board != HOLDEM_BOARD or rules.hole_cards != 2:
        return HandError("phh-cards")
    if rules.ranking == SHORT_TRIPS or (rules.ranking == SHORT and rules.limit == "limit"):
        return HandError("phh-short-deck")
    if rules.seats == 2 and rules.blinds[0] == rules.blinds[1] != 0:
        return HandError("phh-blinds")
    if rules.short_all_in_reopens and rules.seats > 2:
        return HandError("phh-reopened")
    if rules.limit == "limit" and (rules.raise_cap is None or rules.raise_cap > _RAISES):
        return HandError("phh-limit", raises=_RAISES)
    return None


def whole_hand_history(game: HandGame, record: HandRecord, names: Sequence[str]) -> Any:
    """A hand as PokerKit's `HandHistory`; see `hand_history`."""
    rules = game.rules
    antes = [rules.antes[seat] for seat in rules.order]
    if rules.seats == 2:  # PokerKit swaps antes and blinds of two seats
        antes.reverse()
    end = game.initial_state()
    for move in record.moves:
        end = game.next(end, move.index)
    won = zip(rules.stacks, game.units_won(end), strict=True)
    final_stacks = [stack + amount for stack, amount in won]
    fields: dict[str, Any] = {"_game": plain(game.name)}
    if game.hand.in_big_blinds or rules.scale.per_chip != 1:
        fields["_unit"] = f"{rules.scale.unit:g} {game.stack_unit}"
    sizes = (
        {"small_bet": rules.bets[1], "big_bet": rules.bets[-1]}
        if rules.limit == "limit"
        else {"min_bet": min(rules.bets)}
    )
    about = {
        "variant": "NS" if rules.ranking == SHORT else "FT" if rules.limit == "limit" else "NT",
        "antes": antes,
        **({"ante_trimming_status": True} if min(rules.stacks) < min(antes) else {}),
        "blinds_or_straddles": list(rules.blinds),
        **sizes,
        "starting_stacks": [rules.stacks[seat] for seat in rules.order],
        "players": [plain(names[record.seats[seat]]) for seat in rules.order],
        "hand": record.hand,
        "finishing_stacks": [final_stacks[seat] for seat in rules.order],
        "user_defined_fields": fields,
    }
    return replayed(about, partial(_actions, game, record))


def _actions(game: HandGame, record: HandRecord, state: Any) -> ActionCodes:
    order = game.rules.order
    place = {seat: f"p{number}" for number, seat in enumerate(order, 1)}
    scale = game.rules.scale
    at, cards_out = game.initial_state(), 0
    for move in record.moves:
        before, at = at, game.next(at, move.index)
        if len(before.hands) < len(order):
            if len(at.hands) == len(order):
                for seat in order:
                    yield f"d dh {place[seat]} {combo_name(at.hands[seat])}"
        elif len(at.board) == len(before.board):
            action = at.betting.line[before.betting.street][-1]
            code = action_code(action, scale.units(action.amount))
            yield f"{place[before.betting.player]} {code}{remark(move, scale.per_chip)}"
        elif len(at.board) in game.street_ends:
            dealt, cards_out = at.board[cards_out:], len(at.board)
            yield from _passed(state)
            yield from shown(state, [at.hands[seat] for seat in order])
            yield f"d db {card_names(sorted(dealt, reverse=True))}"
    yield from _passed(state)
    yield from shown(state, [at.hands[seat] for seat in order])


def _passed(state: Any) -> ActionCodes:
    """Checks of those that PokerKit asks, and the rules of the hand do not."""
    while state.actor_index is not None:
        yield f"p{state.actor_index + 1} {CALL}"
