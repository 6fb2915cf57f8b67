"""How a hand's betting goes: who may do what, and what follows.

A raise is at least as large as the last bet or raise of the street, and an all-in may be smaller.
Such a short all-in does not let seats raise again that would call less than a full raise, unless
the rules say so (`short_all_in_reopens`). As in PokerKit, the largest bet or raise of a street is
what later ones must match, and before the first one of the street any all-in lets others raise;
without `first_short_all_in_reopens` only those who have not acted, or face a full bet or raise.
A seat that cannot post its ante or blind in full is all-in with what it has, and what there is to
call is the largest forced bet that was posted, as in PokerKit.
A seat acts only if it can do anything: with all others all-in, only to call or fold.

Rules that are `by_server` raise as the dealer of the Annual Computer Poker Competition has it:
after a raise to s, the next one is to at least 2s minus the bet before, and a short all-in neither
lowers that total nor ends anybody's right to raise; any other seat with chips left may be raised,
and on a street that has almost `MOST_ACTIONS` actions nobody raises any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind, StreetLine
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, SHOWDOWN, HandState

MOST_ACTIONS: Final = 64
"""The most actions on a street under rules that are `by_server`."""


class Legal(NamedTuple):
    """What the seat to act may do; amounts in units."""

    fold: bool
    """Whether it may fold: only if it faces a bet."""
    call: int
    """What it adds to check (0) or call."""
    least: int
    """The smallest total of a bet or raise on the street; 0 if it may not raise."""
    most: int
    """The largest total; 0 if it may not raise."""


def start(rules: HoldemRules) -> HandState:
    """The state after antes and blinds, before any card or action.

    Args:
        rules: The rules.

    Returns:
        The first decision, or the showdown if all are all-in by posting.
    """
    blinds = rules.posted_blinds
    stakes = tuple(a + b for a, b in zip(rules.posted_antes, blinds, strict=True))
    everybody = (1 << rules.seats) - 1
    state = HandState(DECISION, 0, -1, stakes, blinds, everybody, everybody)
    return _turned(rules, state, rules.first_to_act(0))


def deal(rules: HoldemRules, state: HandState) -> HandState:
    """The first decision of the next street.

    Args:
        rules: The rules.
        state: A state of kind DEAL.

    Returns:
        The next state; a ConfigError if no street begins here.
    """
    if state.kind != DEAL:
        raise ConfigError(f"no street begins after {state}", option="street", place=str(state))
    opened = state._replace(
        kind=DECISION,
        street=state.street + 1,
        bets=(0,) * rules.seats,
        pending=state.live,
        last_raise=0,
        wagers=0,
        acted=0,
        line=(*state.line, ()) if state.line else (),
    )
    return _turned(rules, opened, rules.first_to_act(opened.street))


def behind(rules: HoldemRules, state: HandState, seat: int) -> int:
    """The chips that a seat has left, in units."""
    return rules.stacks[seat] - state.stakes[seat]


def legal(rules: HoldemRules, state: HandState) -> Legal:
    """Find what the seat to act may do.

    Args:
        rules: The rules.
        state: A decision.

    Returns:
        The legal actions with their amounts.
    """
    seat, bets = state.player, state.bets
    highest, own, left = max(bets), bets[seat], behind(rules, state, seat)
    facing = highest - own
    fold, call = facing > 0, min(facing, left)
    cap = rules.most_wagers(state.street)
    if (
        left <= facing
        or (cap is not None and state.wagers >= cap)
        or (facing < _reopening(rules, state) and not rules.short_all_in_reopens)
        or not _is_answerable(rules, state, highest)
    ):
        return Legal(fold, call, 0, 0)
    all_in = own + left
    least = min(highest + _step(rules, state), all_in)
    most = all_in
    if rules.limit == "limit":
        most = least
    elif rules.limit == "pot-limit":
        most = min(all_in, max(least, highest + state.pot + facing))
    return Legal(fold, call, least, most)


def _step(rules: HoldemRules, state: HandState) -> int:
    """What a full raise adds to the highest bet."""
    if rules.by_server and state.last_raise and rules.limit != "limit":
        return state.last_raise
    return max(state.last_raise, rules.bets[state.street])


def _next_step(rules: HoldemRules, state: HandState, raised_by: int) -> int:
    """The `last_raise` of the state after a raise by so much."""
    if rules.by_server:  # the least total of the next raise is never lowered
        return max(_step(rules, state) - raised_by, raised_by)
    return max(state.last_raise, raised_by)


def _is_answerable(rules: HoldemRules, state: HandState, highest: int) -> bool:
    """Whether another seat could put in more, or under a server's rules has chips at all."""
    if not rules.by_server:
        return covering(rules, state) > highest
    if state.line and len(state.line[-1]) + rules.seats > MOST_ACTIONS:
        return False
    others = (seat for seat in range(rules.seats) if seat != state.player)
    return any(state.is_live(seat) and behind(rules, state, seat) for seat in others)


def _reopening(rules: HoldemRules, state: HandState) -> int:
    """The least that the seat to act must face to raise, where short all-ins do not reopen."""
    if state.acted >> state.player & 1:
        return max(state.last_raise, rules.bets[state.street])
    return state.last_raise


def covering(rules: HoldemRules, state: HandState) -> int:
    """The largest total on the street that any other live seat can match."""
    return max(
        state.bets[seat] + behind(rules, state, seat)
        for seat in range(rules.seats)
        if seat != state.player and state.is_live(seat)
    )


def after(rules: HoldemRules, state: HandState, action: Action) -> HandState:
    """The state after an action.

    Args:
        rules: The rules.
        state: A decision.
        action: A legal action; a bet, raise or all-in has its total on the street in chips.

    Returns:
        The next state.

    Raises:
        ConfigError: The action is not legal; says what is.
    """
    if state.kind != DECISION:
        raise ConfigError(f"nobody acts after {state}", option="action", place=str(state))
    can = legal(rules, state)
    if action.kind is Kind.FOLD and can.fold:
        return folded(rules, state)
    if action.kind in {Kind.CHECK, Kind.CALL} and (action.kind is Kind.CALL) == can.fold:
        return called(rules, state)
    if action.kind in {Kind.BET, Kind.RAISE, Kind.ALL_IN}:
        total = rules.scale.units(action.amount)
        if can.most and can.least <= total <= can.most and rules.scale.fits(action.amount):
            return raised(rules, state, total, action)
    raise ConfigError(
        f"{action} is not possible after {str(state) or 'the start'}: expected "
        f"{_limits_text(rules, can)}",
        option="action",
        given=action.code,
        expected=_limits_text(rules, can),
        place=str(state) or "the start",
    )


def acting_seats(rules: HoldemRules, line: Sequence[StreetLine]) -> tuple[tuple[int, ...], ...]:
    """Who took each action of a line.

    Args:
        rules: The rules.
        line: The actions, street by street, as a state's `line` has them; a seat that sits out
            folds where it may check.

    Returns:
        By street, the seat of each action.

    Raises:
        ConfigError: An action is not legal.
    """
    state, seats_by_street = start(rules), []
    for number, street in enumerate(line):
        if number:
            state = deal(rules, state)
        seats = []
        for action in street:
            seats.append(state.player)
            is_fold = action.kind is Kind.FOLD
            state = folded(rules, state) if is_fold else after(rules, state, action)
        seats_by_street.append(tuple(seats))
    return tuple(seats_by_street)


def folded(rules: HoldemRules, state: HandState) -> HandState:
    """The state after a fold."""
    bit = 1 << state.player
    return _turned(
        rules,
        state._replace(
            live=state.live & ~bit, pending=state.pending & ~bit, line=_extended(state, FOLD)
        ),
        state.player,
    )


def called(rules: HoldemRules, state: HandState) -> HandState:
    """The state after a check or a call."""
    facing = max(state.bets) - state.bets[state.player]
    moved = _paid(state, min(facing, behind(rules, state, state.player)))
    return _turned(
        rules,
        moved._replace(
            pending=state.pending & ~(1 << state.player),
            acted=_acted(rules, state),
            line=_extended(state, CALL if facing else CHECK),
        ),
        state.player,
    )


def raised(
    rules: HoldemRules, state: HandState, total: int, action: Action | None = None
) -> HandState:
    """The state after a bet or raise to a legal total in units; `action` is how the line has it."""
    highest = max(state.bets)
    moved = _paid(state, total - state.bets[state.player])
    written = wager(rules, state, total) if action is None else action
    return _turned(
        rules,
        moved._replace(
            pending=state.live & ~(1 << state.player),
            last_raise=_next_step(rules, state, total - highest),
            wagers=state.wagers + 1,
            acted=_acted(rules, state),
            line=_extended(state, written),
        ),
        state.player,
    )


def wager(rules: HoldemRules, state: HandState, total: int) -> Action:
    """The bet, raise or all-in to a total in units, as lines write it.

    All-in is a total that nobody can raise: the seat's own chips, or those of all others.
    """
    own = state.bets[state.player] + behind(rules, state, state.player)
    if total >= min(own, covering(rules, state)):
        kind = Kind.ALL_IN
    else:
        kind = Kind.RAISE if max(state.bets) else Kind.BET
    return Action(kind, rules.scale.chips(total))


def _acted(rules: HoldemRules, state: HandState) -> int:
    """The seats that have acted on the street once the next one has, where that matters."""
    if rules.first_short_all_in_reopens or rules.short_all_in_reopens:
        return 0
    return state.acted | 1 << state.player


def _paid(state: HandState, chips: int) -> HandState:
    """The seat to act puts chips in."""
    seat = state.player
    stakes, bets = list(state.stakes), list(state.bets)
    stakes[seat] += chips
    bets[seat] += chips
    return state._replace(stakes=tuple(stakes), bets=tuple(bets))


def _extended(state: HandState, action: Action) -> tuple[tuple[Action, ...], ...]:
    if not state.line:  # of trees, which keep no past
        return ()
    return (*state.line[:-1], (*state.line[-1], action))


def _turned(rules: HoldemRules, state: HandState, seat: int) -> HandState:
    """Turn a state to the seat that acts next, from `seat` on, or to the end of the street."""
    if state.live & (state.live - 1) == 0:
        return _returned(state)._replace(kind=FOLDED, player=-1, pending=0)
    able = 0
    for other in range(rules.seats):
        if state.is_live(other) and behind(rules, state, other):
            able |= 1 << other
    pending, highest = state.pending & able, max(state.bets)
    alone = able & (able - 1) == 0
    if pending and not (alone and state.bets[pending.bit_length() - 1] >= highest):
        while not pending >> seat & 1:
            seat = (seat + 1) % rules.seats
        return state._replace(player=seat, pending=pending)
    ends = alone or state.street == rules.final_street
    return _returned(state)._replace(kind=SHOWDOWN if ends else DEAL, player=-1, pending=0)


def _returned(state: HandState) -> HandState:
    """The state with the uncalled part of the highest bet returned."""
    *_, second, highest = sorted(state.bets)
    if highest == second:
        return state
    seat = state.bets.index(highest)
    stakes, bets = list(state.stakes), list(state.bets)
    stakes[seat] -= highest - second
    bets[seat] = second
    return state._replace(stakes=tuple(stakes), bets=tuple(bets))


def _limits_text(rules: HoldemRules, can: Legal) -> str:
    """The legal actions in words."""
    chips = rules.scale.chips
    words = ["fold", f"call {chips(can.call)}"] if can.fold else ["check"]
    if can.most:
        to = f"{chips(can.least)} to {chips(can.most)}"
        words.append(f"a total of {to if can.least < can.most else chips(can.most)}")
    return ", ".join(words)
