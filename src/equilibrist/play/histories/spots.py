"""Hands of a spot in PHH.

A hand of a spot begins in the middle: what lies in the pot is written as the antes of both players,
half each, and the streets before the root are checked through. The player out of position is p1. A
comment behind an action is its EV loss.

PHH has no rake: `_rake` names it, and `finishing_stacks` has what is left to the players.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from equilibrist.play.histories.amounts import phh_amount
from equilibrist.play.histories.notation import (
    ActionCodes,
    action_code,
    plain,
    remark,
    replayed,
    shown,
)
from equilibrist.play.session import HandRecord
from equilibrist.play.spots.game import HandState, SpotGame
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.cards.decks import SHORT, STANDARD, Deck


def spot_variant(deck: Deck) -> str | None:
    """The variant of PHH whose hands rank as those of a deck; None if there is none."""
    return {STANDARD: "NT", SHORT: "NS"}.get(deck.ranking)


def spot_history(game: SpotGame, record: HandRecord, names: Sequence[str]) -> Any:
    """A hand as PokerKit's `HandHistory`; see `hand_history`."""
    spot = game.spot
    stack = _number(spot.stack) + _half(spot.pot)
    finishing = [_number(spot.stack) + _number(payoff) for payoff in record.payoffs]
    about: dict[str, Any] = {
        "variant": spot_variant(spot.whole_deck),
        "antes": [_half(spot.pot)] * 2,
        "blinds_or_straddles": [0, 0],
        "min_bet": _number(spot.min_bet),
        "starting_stacks": [phh_amount(stack)] * 2,
        "players": [plain(names[seat]) for seat in record.seats],
        "hand": record.hand,
        "finishing_stacks": [phh_amount(stack) for stack in finishing],
        "user_defined_fields": {
            "_game": plain(game.name),
            "_rake": _rake(spot.rake, spot.rake_cap),
        },
    }
    return replayed(about, partial(_actions, game, record))


def _actions(game: SpotGame, record: HandRecord, state: Any) -> ActionCodes:
    at = game.initial_state()
    for move in record.moves:
        before, at = at, game.next(at, move.index)
        if len(before.hands) < game.num_players:
            if len(at.hands) == game.num_players:
                yield from _opening(game, at)
        elif len(at.runout) > len(before.runout):
            yield from shown(state, at.hands)
            yield f"d db {card_names(at.runout[-1:])}"
        else:
            action = at.betting.line[-1][-1]
            code = action_code(action, _number(action.amount))
            yield f"p{before.betting.player + 1} {code}{remark(move)}"
    yield from shown(state, at.hands)


def _opening(game: SpotGame, state: HandState) -> ActionCodes:
    """The deal of hands and board, and checks on the streets before the root."""
    for player, combo in enumerate(state.hands):
        yield f"d dh p{player + 1} {combo_name(combo)}"
    cards = game.spot.cards
    for dealt in (cards[:3], cards[3:4], cards[4:5]):
        if dealt:
            yield from ("p1 cc", "p2 cc", f"d db {card_names(dealt)}")


def _rake(rate: float, cap: float | None) -> str:
    return f"{rate:g}" if cap is None else f"{rate:g}, at most {cap:g}"


def _number(amount: float) -> int | Decimal:
    return phh_amount(Decimal(f"{amount:.10g}"))


def _half(amount: float) -> int | Decimal:
    return phh_amount(Decimal(f"{amount:.10g}") / 2)
