"""The course of a hand: who posts what, what is done on each street, who shows and who wins."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, NamedTuple

from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.notation import import_notation
from equilibrist.play.histories.played import ADDED, UNKNOWN, PlayedHand, action_words
from equilibrist.play.histories.site_hand import (
    ANTE,
    BETS,
    BIG,
    CALLS,
    CHECKS,
    DEAD,
    FOLDS,
    MIN_BET,
    RAISES,
    SMALL,
    STRADDLE,
    WHOLE_BLIND,
)
from equilibrist.poker.hands.rules import STREET_NAMES, position_names

LATE: Final = "late blind"
"""The post of somebody who comes to the table behind the blinds."""
_MOST_POSITIONS: Final = 10
_ACTIONS: Final = ("f", "cc", "cbr", "sm")
_KINDS: Final = {"SB": SMALL, "BB": BIG}


@dataclass(frozen=True)
class Step:
    """An action.

    Attributes:
        player: The index of the player.
        kind: `folds`, `checks`, `calls`, `bets` or `raises`.
        amount: The total on the street after a bet or a raise; what a call adds; else 0.
        more: What a raise adds to the bet that it faces.
        is_all_in: Whether nothing is left behind.
    """

    player: int
    kind: str
    amount: Decimal
    more: Decimal
    is_all_in: bool


@dataclass
class Street:
    """A street of a hand.

    Attributes:
        name: `preflop`, `flop`, `turn` or `river`.
        cards: The cards that it deals.
        pot: The pot before its actions, antes and blinds included.
        steps: The actions.
    """

    name: str
    cards: str
    pot: Decimal
    steps: list[Step] = field(default_factory=list)


@dataclass
class Course:
    """The course of a hand.

    Attributes:
        posts: Player, kind and amount of antes, blinds and straddles, in the order of posting.
        all_in_posts: The players whom antes and blinds leave nothing.
        streets: The streets.
        returned: What uncalled bets give back, by player.
        shown: The players who showed cards at the showdown, in order, with their cards.
        mucked: Those who did not.
        folded: The street on which each player folded.
        board: All board cards.
        paid: What each player paid, uncalled bets taken back.
        won: What each collected: as the history says, else by the cards.
        net: What each won or lost.
        rake: What the house took, by the stacks that the history ends with.
        is_over: Whether the hand was played to its end.
    """

    posts: list[tuple[int, str, Decimal]]
    all_in_posts: set[int]
    streets: list[Street]
    returned: dict[int, Decimal]
    shown: list[tuple[int, str]]
    mucked: list[int]
    folded: dict[int, str]
    board: str
    paid: list[Decimal]
    won: list[Decimal]
    net: list[Decimal]
    rake: Decimal
    is_over: bool


def positions(history: Any) -> tuple[str, ...]:
    """The names of the positions of p1, p2 and so on, by who posts which blind.

    Args:
        history: The hand.

    Returns:
        Such as `("SB", "BB", "BTN")`; without a small blind, as with a dead one, `("BB", "CO",
        "BTN")`. Two players without blinds are `OOP` and `IP`, as in spots.
    """
    count = len(history.starting_stacks)
    if count > _MOST_POSITIONS:
        return tuple(f"p{k + 1}" for k in range(count))
    first, second, *_ = raw = blinds_of(history)
    big = big_blind(history)
    if count == 2:
        if not any(raw):
            return "OOP", "IP"
        if first <= 0 and second >= big > 0:
            return position_names(count, has_small=False, has_big=False)
        return ("SB", "BB") if 0 < first < second else ("BB", "SB")
    if second > 0 or (not big and first > 0):
        return position_names(count)
    return position_names(count, has_small=0 < first < big, has_big=first >= big > 0)


def blinds_of(history: Any) -> list[Decimal]:
    """What p1, p2 and so on are asked to post as blind or straddle; late blinds are negative."""
    count = len(history.starting_stacks)
    raw = [exact(amount) for amount in history.blinds_or_straddles or ()][:count]
    raw += [Decimal(0)] * (count - len(raw))
    return raw[::-1] if count == 2 else raw


def big_blind(history: Any) -> Decimal:
    """The whole big blind, whatever was posted; without blinds the smallest bet."""
    least = history.user_defined_fields.get(MIN_BET, history.min_bet or history.small_bet)
    return exact(least or 0)


def untold(history: Any) -> HandError | None:
    """Why the course of a hand cannot be told: it has draws, or bets of other games; else None."""
    for words in action_words(history):
        if words[0] != "d" and words[1] not in _ACTIONS:
            return HandError("no-action-of-holdem", action=" ".join(words))
    return None


def course_of(hand: PlayedHand) -> Course:
    """Go through a hand.

    Args:
        hand: The hand.

    Returns:
        Its course.

    Raises:
        HandError: It cannot be replayed.
    """
    history = hand.history
    count = len(history.starting_stacks)
    notation = import_notation()
    begin = history.create_state()
    posts, all_in = _posts(history, begin)
    streets = [Street(STREET_NAMES[0], "", _pot(begin))]
    at_showdown: dict[int, str | None] = {}
    folded: dict[int, str] = {}
    board = ""
    for before, words, is_whole_blind in _played(hand):
        if words[:2] == ["d", "db"]:
            board += words[2]
            name = STREET_NAMES[min(len(streets), len(STREET_NAMES) - 1)]
            streets.append(Street(name, words[2], before.pot))
        elif words[1:2] == ["sm"] and words[0] != "d":
            index = int(words[0][1:]) - 1
            at_showdown[index] = words[2] if len(words) > 2 else None
        elif words[0] != "d":
            step = _step(before, words, notation)
            if is_whole_blind:  # a raise for PokerKit, which it is not
                call = step.amount - before.bets[step.player]
                step = Step(step.player, CALLS, call, Decimal(0), step.is_all_in)
            streets[-1].steps.append(step)
            if step.kind == FOLDS:
                folded[step.player] = streets[-1].name
    ended = hand.last_state()
    paid, returned = _paid(posts, streets, count)
    told = _told_net(history, paid)
    net = told or [exact(amount) for amount in ended.payoffs]
    won = [max(gain + out, Decimal(0)) for gain, out in zip(net, paid, strict=True)]
    shown, mucked = _at_showdown(hand, at_showdown, won)
    rake = -sum(net, Decimal(0)) if told and not ended.status else Decimal(0)
    return Course(
        posts=posts,
        all_in_posts=all_in,
        streets=streets,
        returned=returned,
        shown=shown,
        mucked=mucked,
        folded=folded,
        board=board,
        paid=paid,
        won=won,
        net=net,
        rake=rake,
        is_over=not ended.status,
    )


class _Before(NamedTuple):
    """What a state is before an action: amounts in the unit of the history, by player."""

    bets: tuple[Decimal, ...]
    stacks: tuple[Decimal, ...]
    to_call: Decimal
    pot: Decimal


def _played(hand: PlayedHand) -> Iterator[tuple[_Before, list[str], bool]]:
    """What is done, what was before it, and whether it calls a blind that was posted in part.

    PokerKit does what a file leaves out: checks, and showdowns of players who are all-in.
    """
    before: _Before | None = None
    seen = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for state, action in hand.history.state_actions:
                codes = [str(action)]
                if action is None:
                    codes = [_code(operation) for operation in state.operations[seen:]]
                for code in codes:
                    words = code.partition("#")[0].split()
                    if words and before is not None:
                        yield before, words, code.endswith(WHOLE_BLIND)
                seen = len(state.operations)
                before = _Before(
                    bets=tuple(map(exact, state.bets)),
                    stacks=tuple(map(exact, state.stacks)),
                    to_call=exact(state.checking_or_calling_amount or 0),
                    pot=_pot(state),
                )
        except (ValueError, AssertionError):
            hand.last_state()  # which names the action
            raise HandError("not-allowed") from None


def _code(operation: Any) -> str:
    """What PokerKit did by itself, as an action; empty for what is none of a player."""
    codes = {"CheckingOrCalling": "cc", "Folding": "f", "HoleCardsShowingOrMucking": "sm -"}
    code = codes.get(type(operation).__name__, "")
    return code and f"p{operation.player_index + 1} {code}"


def _told_net(history: Any, paid: Sequence[Decimal]) -> list[Decimal] | None:
    """What each player won or lost by the history itself; None where it does not say.

    It says with what the players end, or what they collected. Together that is at most what they
    had, and what the house put in.
    """
    start, final, winnings = (
        [exact(amount) for amount in amounts or ()]
        for amounts in (history.starting_stacks, history.finishing_stacks, history.winnings)
    )
    added = exact(history.user_defined_fields.get(ADDED) or 0)
    if len(final) == len(paid) and all(stack.is_finite() for stack in (*start, *final)):
        net = [after - before for before, after in zip(start, final, strict=True)]
        if sum(net, Decimal(0)) <= added:
            return net
    if len(winnings) == len(paid) and all(won.is_finite() and won >= 0 for won in winnings):
        net = [won - out for won, out in zip(winnings, paid, strict=True)]
        return net if any(winnings) and sum(net, Decimal(0)) <= added else None
    return None


def _at_showdown(
    hand: PlayedHand, said: dict[int, str | None], won: Sequence[Decimal]
) -> tuple[list[tuple[int, str]], list[int]]:
    """Who showed which cards, and who mucked, by what is behind `sm`; None is nothing.

    Cards that are kept face down are won with or mucked.
    """
    shown: list[tuple[int, str]] = []
    mucked: list[int] = []
    for index, cards in said.items():
        is_hidden = cards is not None and set(cards) <= {UNKNOWN}
        if cards is None or (is_hidden and not won[index]):
            mucked.append(index)
        elif is_hidden:
            shown.append((index, ""))
        else:
            shown.append((index, hand.cards[index] if cards == "-" else cards))
    return shown, mucked


def _pot(state: Any) -> Decimal:
    return exact(state.total_pot_amount)


def _posts(history: Any, begin: Any) -> tuple[list[tuple[int, str, Decimal]], set[int]]:
    """Antes and blinds; `begin` is the state behind them."""
    count = len(history.starting_stacks)
    raw, named = blinds_of(history), positions(history)
    antes = [exact(begin.get_effective_ante(index)) for index in range(count)]
    dead = _dead(antes, raw, named)
    posts = [
        (index, kind, amount)
        for kind, amounts in (
            (ANTE, [a - b for a, b in zip(antes, dead, strict=True)]),
            (DEAD, dead),
        )
        for index, amount in enumerate(amounts)
        if amount > 0
    ]
    has_big = "BB" in named
    for index in (1, 0) if count == 2 else range(count):
        amount = exact(begin.get_effective_blind_or_straddle(index))
        kind = _KINDS.get(named[index], STRADDLE if has_big else BIG)
        if raw[index] and amount > 0:
            posts.append((index, LATE if raw[index] < 0 else kind, amount))
    posted = {index for index, _, _ in posts}
    return posts, {index for index in posted if not begin.stacks[index]}


def _dead(antes: Sequence[Decimal], raw: Sequence[Decimal], named: Sequence[str]) -> list[Decimal]:
    """The part of each ante that is a dead blind: of who posts late, or alone from elsewhere."""
    common = min(antes)
    payers = [index for index, ante in enumerate(antes) if ante > common]
    alone = len(payers) == 1 and not common and named[payers[0]] not in ("BB", "BTN")
    return [
        ante - common if index in payers and (raw[index] < 0 or alone) else Decimal(0)
        for index, ante in enumerate(antes)
    ]


def _step(before: _Before, words: Sequence[str], notation: Any) -> Step:
    index = int(words[0][1:]) - 1
    stack = before.stacks[index]
    if words[1] == "f":
        return Step(index, FOLDS, Decimal(0), Decimal(0), False)
    if words[1] == "cc":
        call = before.to_call
        kind = CALLS if call else CHECKS
        return Step(index, kind, call, Decimal(0), bool(call) and call == stack)
    if words[1] != "cbr" or len(words) < 3:
        raise HandError("no-action-of-holdem", action=" ".join(words))
    total = exact(notation.parse_value(words[2]))
    facing = max(before.bets)
    kind = RAISES if facing else BETS
    return Step(index, kind, total, total - facing, total - before.bets[index] == stack)


def _paid(
    posts: Sequence[tuple[int, str, Decimal]], streets: Sequence[Street], count: int
) -> tuple[list[Decimal], dict[int, Decimal]]:
    """What each player paid in all, and the uncalled bets that were given back."""
    paid = [Decimal(0)] * count
    live = [Decimal(0)] * count
    for index, kind, amount in posts:
        paid[index] += amount
        live[index] += Decimal(0) if kind in (ANTE, DEAD) else amount
    returned: dict[int, Decimal] = {}
    for street in streets:
        for step in street.steps:
            before = live[step.player]
            if step.kind == CALLS:
                live[step.player] += step.amount
            elif step.kind in (BETS, RAISES):
                live[step.player] = step.amount
            paid[step.player] += live[step.player] - before
        *_, second, most = sorted(live)
        if most > second:
            index = live.index(most)
            returned[index] = returned.get(index, Decimal(0)) + most - second
            paid[index] -= most - second
        live = [Decimal(0)] * count
    return paid, returned
