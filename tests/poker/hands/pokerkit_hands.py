"""Random hands played by PokerKit and by our rules at the same time, compared at every step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, State, Street
from pokerkit.hands import StandardHighHand

from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import card_name
from equilibrist.poker.hands.betting import called, deal, folded, legal, raised, start
from equilibrist.poker.hands.pots import payoffs, pots, strengths
from equilibrist.poker.hands.rules import LIMIT_KINDS, HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, SHOWDOWN, HandState
from tests.refusals import unchecked

_STRUCTURES = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "limit": BettingStructure.FIXED_LIMIT,
}
_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Cumulative(State):
    """PokerKit's state, but an all-in is short only if all since the seat's last action are.

    PokerKit forgets earlier short all-ins once they add up to a full raise, and then lets a seat
    only call that faces more than one. The casino rule counts what the seat faces.
    """

    def _verify_completion_betting_or_raising(self) -> None:
        kept, self.consecutive_short_all_in_amounts = self.consecutive_short_all_in_amounts, []
        try:
            super()._verify_completion_betting_or_raising()
        finally:
            self.consecutive_short_all_in_amounts = kept


class Reopening(State):
    """PokerKit's state with the rule that a short all-in reopens the betting."""

    def _verify_completion_betting_or_raising(self) -> None:
        kept = self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts
        self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts = 0, []
        try:
            super()._verify_completion_betting_or_raising()
        finally:
            self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts = kept


@dataclass(frozen=True)
class Played:
    """What was compared in a hand."""

    decisions: int
    raises: int
    side_pots: bool


def random_rules(
    chance: random.Random, limit: str | None = None, *, short: bool = False
) -> HoldemRules:
    """Rules of any kind: seats, blinds, antes, straddles, unequal stacks.

    With `short` some seats have less than their blind and ante, down to a single chip.
    """
    seats = chance.randint(2, 10)
    limit = limit or chance.choice(LIMIT_KINDS)
    small = chance.choice([1, 5, 25, 50])
    big = small * 2
    forced = [small, big]
    if seats > 2 and chance.random() < 0.3:
        forced.append(2 * big)
        if seats > 3 and chance.random() < 0.5:
            forced.append(4 * big)
    blinds = (*forced, *[0] * (seats - len(forced)))
    antes = {
        "none": (0,) * seats,
        "each": (chance.choice([1, small]),) * seats,
        "big blind": (0, big, *[0] * (seats - 2)),
    }[chance.choice(["none", "each", "big blind"])]
    deep = chance.choice([3, 10, 40, 200])
    stacks = tuple(
        antes[seat] + blinds[seat] + chance.randint(seat >= len(forced), deep * big)
        for seat in range(seats)
    )
    if short:
        rate = chance.choice([0.2, 0.5, 0.9])
        stacks = tuple(
            chance.randint(1, max(1, antes[seat] + blinds[seat]))
            if chance.random() < rate
            else chips
            for seat, chips in enumerate(max(1, each) for each in stacks)
        )
    bets = (big, big, 2 * big, 2 * big) if limit == "limit" else ()
    return HoldemRules(
        stacks,
        blinds,
        antes,
        unchecked(limit),
        bets,
        raise_cap=chance.choice([2, 3]) if limit == "limit" else None,
        short_all_in_reopens=chance.random() < 0.3,
    )


def pokerkit_state(rules: HoldemRules) -> State:
    """The hand at PokerKit's table; with two seats it lists the big blind first, as we do not."""
    streets = tuple(
        Street(
            False,
            (False, False) if street == 0 else (),
            rules.board[street],
            False,
            Opening.POSITION,
            rules.bets[street],
            rules.most_wagers(street),
        )
        for street in range(len(rules.board))
    )
    turn = -1 if rules.seats == 2 else 1
    return (Reopening if rules.short_all_in_reopens else Cumulative)(
        _AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        _STRUCTURES[rules.limit],
        min(rules.antes) > 0,  # whether nobody wins more of an ante than it has put in itself
        rules.antes,  # PokerKit itself swaps antes and blinds of two players
        rules.blinds,
        0,
        rules.stacks[::turn],
        rules.seats,
        mode=Mode.TOURNAMENT,
    )


def compare_hand(chance: random.Random, rules: HoldemRules) -> Played:
    """Play one hand at both tables; AssertionError where they differ."""
    theirs, ours = pokerkit_state(rules), start(rules)
    seat_of = (lambda i: 1 - i) if rules.seats == 2 else (lambda i: i)
    cards = list(range(52))
    chance.shuffle(cards)
    holes: list[tuple[int, ...]] = [()] * rules.seats
    for _ in range(rules.seats):
        seat = seat_of(theirs.hole_dealee_index)
        holes[seat] = (cards.pop(), cards.pop())
        theirs.deal_hole("".join(map(card_name, holes[seat])))
    board: list[int] = []
    decisions = raises = 0
    while theirs.status:
        if theirs.can_deal_board():
            if ours.kind == DEAL:
                ours = deal(rules, ours)
            else:
                assert ours.kind == SHOWDOWN, ours
            dealt = [
                cards.pop() for _ in range(theirs.streets[theirs.street_index].board_dealing_count)
            ]
            board += dealt
            theirs.deal_board("".join(map(card_name, dealt)))
            continue
        checks = theirs.min_completion_betting_or_raising_to_amount is None
        if ours.kind != DECISION and checks and not theirs.can_fold():
            theirs.check_or_call()  # all others are all-in: we ask nobody
            continue
        ours, raised_now = _step(chance, rules, theirs, ours, seat_of)
        decisions, raises = decisions + 1, raises + raised_now
    assert ours.kind not in {DECISION, DEAL}, ours
    hands = strengths(holes, board) if ours.kind == SHOWDOWN else None
    won = payoffs(rules, ours, hands)
    assert [won[seat_of(i)] for i in range(rules.seats)] == theirs.payoffs, (rules, ours, hands)
    return Played(decisions, raises, len(pots(rules, ours)) > 1)


def _step(
    chance: random.Random, rules: HoldemRules, theirs: Any, ours: HandState, seat_of: Any
) -> tuple[HandState, bool]:
    """Compare what is legal, and play a random action."""
    assert ours.kind == DECISION, (rules, ours)
    can = legal(rules, ours)
    least = theirs.min_completion_betting_or_raising_to_amount or 0
    most = theirs.max_completion_betting_or_raising_to_amount or 0
    assert (ours.player, can) == (
        seat_of(theirs.actor_index),
        (theirs.can_fold(), theirs.checking_or_calling_amount, least, most),
    ), (rules, ours)
    for i in range(rules.seats):
        assert ours.bets[seat_of(i)] == theirs.bets[i]
    draw = chance.random()
    if can.fold and draw < 0.15:
        theirs.fold()
        return folded(rules, ours), False
    if can.most and draw > 0.6:
        total = chance.choice([can.least, can.most, chance.randint(can.least, can.most)])
        if chance.random() < 0.5:
            total = can.least
        theirs.complete_bet_or_raise_to(total)
        return raised(rules, ours, total), True
    theirs.check_or_call()
    return called(rules, ours), False


def pokerkit_payoffs(
    rules: HoldemRules,
    holes: Sequence[tuple[int, int]],
    board: Sequence[int],
    line: Sequence[Sequence[Action]],
) -> tuple[int, ...]:
    """What PokerKit pays by seat, in units, after the actions of a line."""
    theirs = pokerkit_state(rules)
    seat_of = (lambda i: 1 - i) if rules.seats == 2 else (lambda i: i)
    while theirs.can_deal_hole():
        theirs.deal_hole("".join(map(card_name, holes[seat_of(theirs.hole_dealee_index)])))
    actions, cards = [action for street in line for action in street], list(board)
    while theirs.status:
        if theirs.can_deal_board():
            count = theirs.streets[theirs.street_index].board_dealing_count
            dealt, cards = cards[:count], cards[count:]
            theirs.deal_board("".join(map(card_name, dealt)))
        elif not actions:
            theirs.check_or_call()  # all others are all-in: we ask nobody
        else:
            action = actions.pop(0)
            if action.kind is Kind.FOLD:
                theirs.fold()
            elif action.kind in {Kind.CHECK, Kind.CALL}:
                theirs.check_or_call()
            else:
                theirs.complete_bet_or_raise_to(rules.scale.units(action.amount))
    assert not actions
    return tuple(theirs.payoffs[seat_of(i)] for i in range(rules.seats))
