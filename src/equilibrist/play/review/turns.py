"""The decisions of a played hand, at a table of whole hands or at one of a spot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.play.bots.betting import Betting, HandBetting, SpotBetting
from equilibrist.play.bots.lines import PlayedAction, PlayedLine
from equilibrist.play.review.posted_rules import PostedRules
from equilibrist.play.review.table_hands import PlayedMove, PlayedStreet, TableHand
from equilibrist.play.spots.game import SpotGame
from equilibrist.poker.betting.actions import FOLD, Action, Kind, line_text
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.postflop.spot.spot import Spot


class Turn(NamedTuple):
    """A decision of a hand as it was played."""

    played: PlayedLine
    """Where it is, with the combo of the seat to act; -1 where that is not known."""
    action: Action
    """What the seat did."""
    seat: int
    """The seat at the table of the whole hand."""
    street: int
    """0 before the flop."""
    pot: float
    """What is in the middle, in chips."""


class Replay(NamedTuple):
    """The decisions of a hand at a table."""

    table: Betting
    turns: tuple[Turn, ...]
    stopped: str
    """Why the rules of the table do not allow what comes next; empty where they allow it all."""


def hand_rules(replay: Replay) -> HoldemRules:
    """The rules of a whole hand."""
    assert isinstance(replay.table, HandBetting)
    return replay.table.rules


def calls_whole_blind(rules: HoldemRules, turn: Turn) -> bool:
    """Whether a seat pays a big blind that nobody could post, which is a raise by the rules."""
    if not isinstance(rules, PostedRules) or not rules.is_short or turn.street:
        return False
    is_first = max(turn.played.state.bets) < rules.whole_blind
    return is_first and turn.action.amount == rules.scale.chips(rules.whole_blind)


class StreetRoot(NamedTuple):
    """The beginning of a street that two seats play."""

    street: int
    """1 on the flop."""
    board: tuple[int, ...]
    seats: tuple[int, int]
    """Who acts first, and the other."""
    pot: float
    """Chips in the middle."""
    stack: float
    """What the shorter stack has behind, in chips."""


def replay_hand(hand: TableHand, combos: Sequence[int | None]) -> Replay:
    """Follow a hand from the first action on.

    Args:
        hand: The hand.
        combos: The combo of each seat, None where it is not known.

    Returns:
        Its decisions.
    """
    betting = HandBetting(hand.game)
    return _replay(betting, hand.streets, range(hand.hand.seats), combos, 0)


def replay_spot(
    hand: TableHand, root: StreetRoot, spot: Spot, combos: Sequence[int | None]
) -> Replay:
    """Follow a hand from the beginning of a street on, as a spot.

    Args:
        hand: The hand.
        root: The beginning of the street.
        spot: The table: board, pot and stack are those of the root.
        combos: The combo of each seat of the hand, None where it is not known.

    Returns:
        The decisions from there on.
    """
    betting = SpotBetting(SpotGame(spot))
    return _replay(betting, hand.streets[root.street :], root.seats, combos, root.street)


def street_root(hand: TableHand, street: int) -> StreetRoot | None:
    """The beginning of a street that two seats with chips play; None if there is none."""
    if len(hand.streets) <= street:
        return None
    betting = HandBetting(hand.game)
    rules = betting.rules
    state, _ = _state_at(betting, hand.streets, street)
    if state is None or betting.player(state) is None:
        return None
    live = [seat for seat in rules.order if state.is_live(seat)]
    if len(live) != 2:
        return None
    left = min(rules.stacks[seat] - state.stakes[seat] for seat in live)
    board = tuple(card for played in hand.streets[: street + 1] for card in played.cards)
    chips = rules.scale.chips
    return StreetRoot(street, board, (live[0], live[1]), chips(state.pot), chips(left))


def live_seats(hand: TableHand, street: int) -> int:
    """How many seats have not folded at the beginning of a street that the hand comes to."""
    betting = HandBetting(hand.game)
    state, _ = _state_at(betting, hand.streets, street)
    return 0 if state is None else state.live.bit_count()


def _state_at(
    betting: HandBetting, streets: Sequence[PlayedStreet], street: int
) -> tuple[HandState | None, str]:
    """The state at the beginning of a street; None where the hand does not come there."""
    state = betting.first()
    for number in range(street + 1):
        if number:
            if not betting.is_dealing(state):
                return None, "the street does not begin"
            state = betting.dealt(state)
        if number == street:
            break
        for move in streets[number].moves:
            if betting.player(state) is None:
                break
            try:
                action = _action(betting, state, move)
                state = _after(betting, state, action)
            except EquilibristError as error:
                return None, f"{error}"
    return state, ""


def _replay(
    betting: Betting,
    streets: Sequence[PlayedStreet],
    seats: Sequence[int],
    combos: Sequence[int | None],
    first_street: int,
) -> Replay:
    """Follow streets; `seats` are those of the whole hand by the numbers of the betting's."""
    state = betting.first()
    board: tuple[int, ...] = betting.board
    played, lines = list[PlayedAction](), list[tuple[Action, ...]]([()])
    dealt, turns = list[tuple[int, ...]](), list[Turn]()
    for number, street in enumerate(streets):
        if number:
            if not betting.is_dealing(state):
                break
            cards = tuple(sorted(street.cards, reverse=True))
            state, board = betting.dealt(state), (*board, *cards)
            dealt.append(cards)
            lines.append(())
        for move in street.moves:
            seat = betting.player(state)
            if seat is None:  # all-in: what histories still have are checks
                break
            where = line_text(lines, dealt)
            try:
                if seats[seat] != move.seat:
                    raise ConfigError(f"it is not the turn of seat {move.seat + 1}", place=where)
                action = _action(betting, state, move)
                then = _after(betting, state, action)
            except EquilibristError as error:
                return Replay(betting, tuple(turns), f"{error}")
            combo = combos[move.seat]
            line = PlayedLine(
                -1 if combo is None else combo, tuple(played), state, seat, board, where
            )
            pot = betting.options(state).pot
            turns.append(Turn(line, action, move.seat, first_street + number, pot))
            played.append(PlayedAction(state, action, where))
            lines[-1] = (*lines[-1], action)
            state = then
    return Replay(betting, tuple(turns), "")


def _action(betting: Betting, state: Any, move: PlayedMove) -> Action:
    """A move as the betting has it; a bet of more than anybody can call is all-in."""
    options = betting.options(state)
    if move.kind is Kind.CALL:
        return options.passive[-1]
    if move.kind is Kind.FOLD:
        if options.passive[0].kind is not Kind.FOLD and not isinstance(betting, HandBetting):
            raise ConfigError("a seat folds where it may check", option="action", given="F")
        return FOLD
    limits = options.bets
    if limits is None:
        return options.passive[-1]  # a raise of what nobody can call
    return betting.read(state, Action(Kind.BET, min(move.total, limits.most)))


def _after(betting: Betting, state: Any, action: Action) -> Any:
    """The state after a move; seats that sit out fold where they may check."""
    if action.kind is Kind.FOLD and isinstance(betting, HandBetting):
        return betting.given_up(state)
    return betting.after(state, action)


def street_name(street: int) -> str:
    """`preflop`, `flop`, `turn` or `river`."""
    return STREET_NAMES[street]
