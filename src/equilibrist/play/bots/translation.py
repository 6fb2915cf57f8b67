"""From a hand as it was played to the place of a strategy, and from its actions back to the table.

Bets count as shares of the pot, so that stacks and blinds may differ. A bet between two of the
menu is mapped to one of them by the pseudo-harmonic mapping, drawn once and kept for the hand;
all-in is all-in, whatever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.abstraction.actions.mappings import MAPPINGS, between
from equilibrist.options.defaults import TRANSLATION
from equilibrist.play.bets import BetLimits, MappedBet
from equilibrist.play.bots.answers import MappedAction
from equilibrist.play.bots.betting import BETS, Betting, Options, with_menu
from equilibrist.play.bots.lines import PlayedLine
from equilibrist.poker.betting.actions import Action, Kind

_SAME_SHARE: Final = 1e-9
Draw = Callable[[int], np.random.Generator]
"""The generator of the mapping of an action, by its number in the hand."""


class MappedStep(NamedTuple):
    """A decision of the strategy on the way to the place."""

    state: Any
    """The state of the strategy's betting."""
    seat: int
    board: tuple[int, ...]
    """The public cards there."""
    taken: int
    """The number of the action that the play was taken for."""


class Translated(NamedTuple):
    """Where a hand is in a strategy."""

    state: Any
    """The state of the strategy's betting; None if it has none for the hand."""
    steps: tuple[MappedStep, ...]
    """The decisions before it, as far as there are any."""
    mapped: tuple[MappedAction, ...]
    """The bets that the strategy does not have."""
    lost_at: str | None
    """The line after which the strategy has no place; None if it has one."""


def translate(
    played: PlayedLine,
    table: Betting,
    strategy: Betting,
    draw: Draw | None,
    own: dict[str, Action],
) -> Translated:
    """Map a hand to the betting of a strategy.

    Args:
        played: The hand.
        table: The betting at the table.
        strategy: That of the strategy.
        draw: The generators of the mappings; None to take the likeliest action each time.
        own: What the bot itself meant by an action, by the line with it: no mapping is needed.

    Returns:
        The place, and how it was found.
    """
    state, street = strategy.first(), 0
    steps, mapped = list[MappedStep](), list[MappedAction]()
    for number, (before, action, where) in enumerate(played.actions):
        if table.street(before) != street:
            street = table.street(before)
            if not strategy.is_dealing(state):
                return Translated(None, tuple(steps), tuple(mapped), where)
            state = strategy.dealt(state)
        seat = table.player(before)
        assert seat is not None
        if strategy.player(state) != seat:
            return Translated(None, tuple(steps), tuple(mapped), where)
        menu = strategy.menu(state)
        bet = map_action(before, action, table, strategy, state, menu)
        if bet is None:
            return Translated(None, tuple(steps), tuple(mapped), where)
        meant = own.get(f"{where} {action.code}")
        if meant in menu and not bet.is_exact:
            taken = menu.index(meant)
        else:
            taken = bet.likeliest if draw is None else bet.draw(draw(number))
            if not bet.is_exact:
                mapped.append(MappedAction(where, seat, action.code, bet, menu[taken].code))
        board = played.board[: table.board_size[street]]
        steps.append(MappedStep(state, seat, board, taken))
        state = strategy.after(state, menu[taken])
    if table.street(played.state) != street and strategy.is_dealing(state):
        state = strategy.dealt(state)
    fits = strategy.player(state) == played.seat and strategy.street(state) == table.street(
        played.state
    )
    lost_at = None if fits else played.text
    return Translated(state if fits else None, tuple(steps), tuple(mapped), lost_at)


def map_action(
    before: Any,
    action: Action,
    table: Betting,
    strategy: Betting,
    state: Any,
    menu: Sequence[Action],
) -> MappedBet | None:
    """Map an action at a table to a decision of a strategy.

    Args:
        before: The state of the table's betting.
        action: The action there.
        table: The betting at the table.
        strategy: That of the strategy.
        state: Its state.
        menu: Its actions there.

    Returns:
        What the action is taken for; None if the menu has nothing of its kind.
    """
    if action.kind not in BETS:
        same = [k for k, offered in enumerate(menu) if offered.kind is action.kind]
        return MappedBet(0.0, 0.0, {same[0]: 1.0}, "") if same else None
    limits, options = strategy.options(state).bets, table.options(before).bets
    assert options is not None
    share = options.share(float(action.amount))
    if limits is None:
        return None
    limits = with_menu(limits, menu)
    shares = {k: limits.share(total) for k, total in limits.menu.items()}
    if not shares:
        return None
    all_in = [k for k in shares if menu[k].kind is Kind.ALL_IN]
    if action.kind is Kind.ALL_IN and all_in:
        return MappedBet(float(action.amount), share, {all_in[0]: 1.0}, "")
    for k, other in shares.items():
        if abs(other - share) <= _SAME_SHARE * max(1.0, share) and k not in all_in:
            return MappedBet(float(action.amount), share, {k: 1.0}, "")
    in_order = tuple(shares.get(k) for k in range(max(shares) + 1))
    to = between(share, in_order, MAPPINGS[TRANSLATION].share)
    return MappedBet(float(action.amount), share, to)


def back(
    action: Action, strategy: Options, table: Options, *, is_deeper: bool
) -> tuple[Kind, float | None]:
    """What an action of a strategy is at the table: its kind, and the total of a bet.

    Args:
        action: The action.
        strategy: What the strategy's betting allows there.
        table: What the table allows.
        is_deeper: Whether stacks at the table are deeper than the strategy's: all-in is then a bet
            of the same share of the pot.

    Returns:
        FOLD, CHECK, CALL, or BET with a legal total in chips.
    """
    checks = len(table.passive) == 1
    if action.kind is Kind.FOLD and not checks:
        return Kind.FOLD, None
    if action.kind in BETS and table.bets is not None and strategy.bets is not None:
        limits = table.bets
        if action.kind is Kind.ALL_IN and not is_deeper:
            return Kind.BET, limits.most
        share = strategy.bets.share(float(action.amount))
        return Kind.BET, to_legal(limits, limits.facing + share * limits.pot)
    return (Kind.CHECK if checks else Kind.CALL), None


def to_legal(limits: BetLimits, amount: float) -> float:
    """The legal total nearest to an amount."""
    if amount <= limits.least:
        return limits.least
    if amount >= limits.most:
        return limits.most
    steps = round(amount / limits.step)
    total = round(steps * limits.step, 2)
    return min(max(int(total) if total == int(total) else total, limits.least), limits.most)
