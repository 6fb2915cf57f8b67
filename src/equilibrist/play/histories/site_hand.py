"""Hands as poker sites write them down, and their replay as hands of PokerKit.

A reader of a site's text or JSON fills a `SiteHand`; `site_history` plays it. Every amount of the
text is compared with the rules: blinds and calls as they are posted and made, the pots with the
fees and what was collected, and the winnings with the cards where all that matter are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from equilibrist.play.histories.amounts import exact, phh_amount
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.notation import CALL, import_notation, plain
from equilibrist.play.histories.played import (
    ADDED,
    BOARDS,
    HERO,
    HOLE_CARDS,
    RAKE,
    action_words,
    check_cards,
)

ANTE: Final = "ante"
SMALL: Final = "small blind"
BIG: Final = "big blind"
BOTH: Final = "small and big blind"
STRADDLE: Final = "straddle"
DEAD: Final = "dead blind"
"""Posts: a dead blind goes to the pot, and is no bet."""
FOLDS: Final = "folds"
CHECKS: Final = "checks"
CALLS: Final = "calls"
BETS: Final = "bets"
RAISES: Final = "raises"
"""Actions; of bets and raises the amount is the total on the street, of calls what is added."""
DEALS: Final = "deals"
"""Board cards."""
WHOLE_BLIND: Final = " # calls the whole blind"
"""The comment behind the call of a blind that was posted in part, which is a raise for PokerKit."""
MIN_BET: Final = "_min_bet"
"""The field with the whole big blind where nobody posts all of it."""
_HIDDEN: Final = "??"
_WHOLE_BOARD: Final = 5


@dataclass(frozen=True)
class Post:
    """What a player posts before the cards are dealt."""

    line: int
    player: str
    kind: str
    amount: Decimal
    is_all_in: bool = False


@dataclass(frozen=True)
class Event:
    """An action, or the cards of a street.

    Attributes:
        line: The line of the file.
        kind: `FOLDS` and so on.
        player: Who acts; empty for `DEALS`.
        amount: As the kind says.
        cards: Of the board, for `DEALS`.
        is_all_in: Whether it is said to leave nothing, which is compared with the stack.
    """

    line: int
    kind: str
    player: str = ""
    amount: Decimal = Decimal(0)
    cards: str = ""
    is_all_in: bool = False


@dataclass
class SiteHand:
    """A hand as a site writes it down.

    Attributes:
        line: The line on which it begins.
        venue: The site.
        number: What the site calls the hand.
        variant: The code of the game in PHH.
        stakes: Small and big blind of the header, of limit games small and big bet; None where it
            has none.
        blinds: Small and big blind that whoever can pays in full; None where only the posts say.
        seats: The place and the stack of each player at the table.
        button: The place of the button.
        hero: Whose cards are named at the deal; empty if nobody's are.
        dealt: The cards of each player that were dealt, as far as the text has them.
        shown: Those that were shown.
        mucked: Those that were mucked, and are known all the same.
        posts: Antes, blinds and straddles.
        events: Actions and board cards.
        returned: Uncalled bets.
        collected: What each player collected.
        won_by_summary: What each player collected by a summary, where no line before says it.
        fees: Rake and all else that the house takes.
        added: What the house adds to the pot.
        is_run_again: Whether the board was run more than once; the events have the first one.
        boards: The other boards, by what the text calls them.
        fields: Other fields of PHH, such as `table`.
        notes: Fields of our own.
    """

    line: int
    venue: str
    number: str
    variant: str = "NT"
    stakes: tuple[Decimal, Decimal] | None = None
    blinds: tuple[Decimal, Decimal] | None = None
    seats: dict[str, tuple[int, Decimal]] = field(default_factory=dict)
    button: int | None = None
    hero: str = ""
    dealt: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    mucked: dict[str, str] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    returned: dict[str, Decimal] = field(default_factory=dict)
    collected: dict[str, Decimal] = field(default_factory=dict)
    won_by_summary: dict[str, Decimal] = field(default_factory=dict)
    fees: Decimal | None = None
    added: Decimal = Decimal(0)
    is_run_again: bool = False
    boards: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)


def site_history(hand: SiteHand) -> tuple[Any, int | None]:
    """Play a hand of a site.

    Args:
        hand: The hand.

    Returns:
        The hand, a `pokerkit.HandHistory`, and the index of the hero.

    Raises:
        HandError: Something is missing or does not follow the rules; has the line.
    """
    players = _players(hand)
    about, posted = _about(hand, players)
    table = _Table(about, players)
    _check_posts(hand, players, table, posted)
    fold_of = {event.player: event.line for event in hand.events if event.kind == FOLDS}
    for name in players:
        place = players.index(name) + 1
        is_shown_late = name in hand.shown and name not in fold_of and _has_showdown(hand, fold_of)
        known = hand.mucked.get(name) or ("" if is_shown_late else hand.shown.get(name, ""))
        cards = hand.dealt.get(name) or known
        table.play(f"d dh p{place} {cards or _HIDDEN * HOLE_CARDS[hand.variant]}", hand.line)
    for event in hand.events:
        _play_event(hand, table, event)
    table.finish(hand)
    fees = _check_pots(hand, players, table)
    if hand.is_run_again:
        first = "".join(event.cards for event in hand.events if event.kind == DEALS)
        table.about[_FIELDS][BOARDS] = [first, *hand.boards.values()]
    history = table.history()
    check_cards(history)
    _check_winners(hand, players, history, table.state, fees)
    return history, players.index(hand.hero) if hand.hero in players else None


def _players(hand: SiteHand) -> list[str]:
    """Who is dealt in, the first one behind the button first."""
    active = {post.player for post in hand.posts} | {event.player for event in hand.events}
    active |= set(hand.dealt) | set(hand.collected)
    active.discard("")
    strangers = sorted(active - set(hand.seats))
    if strangers:
        raise HandError("acts-without-seat", player=strangers[0])
    if len(active) < 2:
        raise HandError("one-player")
    if hand.button is None:
        raise HandError("button-missing")
    button = hand.button
    taken = [hand.seats[name][0] for name in active]
    if len(set(taken)) < len(taken):
        raise HandError("same-seat")
    return sorted(active, key=lambda name: (hand.seats[name][0] <= button, hand.seats[name][0]))


def _about(hand: SiteHand, players: Sequence[str]) -> tuple[dict[str, Any], dict[str, Decimal]]:
    """The fields of the history, and what each player posted in the text."""
    count = len(players)
    stacks = [hand.seats[name][1] for name in players]
    antes, blinds = [Decimal(0)] * count, [Decimal(0)] * count
    posted = dict.fromkeys(players, Decimal(0))
    whole_ante = max((p.amount for p in hand.posts if p.kind == ANTE), default=Decimal(0))
    small, big = hand.blinds or (None, None)
    has_small = has_big = is_short = False
    bigs = [players.index(post.player) for post in hand.posts if post.kind == BIG]
    first_big = min(bigs, default=None) if count > 2 else None
    for post in hand.posts:
        place = players.index(post.player)
        amount = post.amount
        posted[post.player] += amount
        if post.kind == ANTE:
            short = amount < whole_ante and (post.is_all_in or amount >= stacks[place])
            antes[place] += whole_ante if short else amount
            is_short |= short
        elif post.kind == SMALL and not has_small:
            has_small = True
            blinds[place] += small if post.is_all_in and small is not None else amount
        elif post.kind in (SMALL, DEAD):
            antes[place] += amount
        elif post.kind == BOTH:
            whole = big if big is not None else amount * 2 / 3
            antes[place] += max(amount - whole, Decimal(0))
            blinds[place] -= min(amount, whole)
        elif post.kind == BIG and not has_big and first_big in (None, place):
            has_big = True
            blinds[place] += big if post.is_all_in and big is not None else amount
        elif post.kind == BIG:
            blinds[place] -= amount
        else:
            blinds[place] += amount
    if any(stack <= 0 for stack in stacks):
        raise HandError("chips-missing", player=players[stacks.index(min(stacks))])
    whole_big = big or max((abs(blind) for blind in blinds[:2]), default=Decimal(0))
    whole_big = whole_big or max((*map(abs, blinds), whole_ante))
    if not whole_big:
        raise HandError("no-blinds")
    min_bet = whole_big
    live = [
        min(abs(blind), max(stack - ante, Decimal(0)))
        for blind, stack, ante in zip(blinds, stacks, antes, strict=True)
    ]
    notes = dict(hand.notes)
    if has_small or has_big:
        most = max(live)
        if most < whole_big:  # calls of the whole blind are raises for PokerKit
            min_bet = whole_big - most
            notes[MIN_BET] = phh_amount(whole_big)
    if count == 2:  # PokerKit swaps antes and blinds of two seats
        antes.reverse()
        blinds.reverse()
    about: dict[str, Any] = {
        "variant": hand.variant,
        **({"ante_trimming_status": True} if is_short else {}),
        "antes": [phh_amount(ante) for ante in antes],
        "blinds_or_straddles": [phh_amount(blind) for blind in blinds],
        "starting_stacks": [phh_amount(stack) for stack in stacks],
        "players": [plain(name) for name in players],
        "seats": [hand.seats[name][0] for name in players],
        "hand": int(hand.number) if hand.number.isdecimal() else plain(hand.number),
        "venue": hand.venue,
        **hand.fields,
    }
    if hand.variant == "FT":
        bets = hand.stakes or (whole_big, 2 * whole_big)
        if bets[1] == whole_big:  # the header names the blinds
            bets = (whole_big, 2 * whole_big)
        about |= {"small_bet": phh_amount(bets[0]), "big_bet": phh_amount(bets[1])}
    else:
        about["min_bet"] = phh_amount(min_bet)
    if hand.hero in players:
        notes[HERO] = plain(hand.hero)
    about["user_defined_fields"] = notes
    return about, posted


class _Table:
    """A hand that PokerKit plays as its actions come."""

    def __init__(self, about: dict[str, Any], players: Sequence[str]) -> None:
        self.notation = import_notation()
        self.about = about
        self.players = players
        self.actions: list[str] = []
        try:
            self.state = self.notation.HandHistory(**about, actions=[]).create_state()
        except (ValueError, TypeError, ArithmeticError) as error:
            raise HandError("stacks-not-allowed", detail=error) from None

    def play(self, code: str, line: int, remark: str = "") -> None:
        """Play an action of PHH; HandError with the line if it is not allowed."""
        import warnings

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of cards that came before: `check_cards`
                if self.state.can_burn_card():
                    self.state.burn_card(_HIDDEN)
                self.notation.parse_action(self.state, code)
        except (ValueError, KeyError, IndexError, AssertionError) as error:
            if not str(error).strip():
                raise HandError("would-end", line, action=code) from None
            detail = " ".join(str(error).split())
            raise HandError("not-allowed-here", line, action=code, detail=detail) from None
        self.actions.append(code + remark)

    @property
    def actor(self) -> int | None:
        """The index of the player to act."""
        index = self.state.actor_index
        return None if index is None else int(index)

    def pass_over(self, line: int) -> None:
        """Checks of a player whom PokerKit asks although all others are all-in."""
        while (actor := self.actor) is not None:
            if self.state.checking_or_calling_amount:
                raise HandError("has-not-acted", line, player=self.players[actor])
            self.play(f"p{actor + 1} {CALL}", line)

    def show(self, hand: SiteHand, line: int) -> None:
        """The hands that PokerKit asks for; who shows none and wins none, mucks.

        Before the river they are kept face down instead: PokerKit takes a hand that is mucked for
        folded, and does not deal on for a single one.
        """
        hidden = _HIDDEN * HOLE_CARDS[hand.variant]
        while (index := self.state.showdown_index) is not None:
            name = self.players[index]
            cards = hand.shown.get(name, "")
            is_early = len(list(self.state.get_board_cards(0))) < _WHOLE_BOARD
            if cards and len(cards) == 2 * HOLE_CARDS[hand.variant]:
                code = f"sm {cards}"
            elif hand.collected.get(name):
                code = "sm -" if hand.dealt.get(name) else f"sm {hidden}"
            else:
                code = f"sm {hidden}" if is_early else "sm"
            self.play(f"p{index + 1} {code}", line)

    def finish(self, hand: SiteHand) -> None:
        """Play what is left when the text has no further action."""
        line = hand.events[-1].line if hand.events else hand.line
        self.pass_over(line)
        self.show(hand, line)
        if self.state.status:
            raise HandError("unfinished", line)

    def history(self) -> Any:
        """The hand, a `pokerkit.HandHistory`."""
        return self.notation.HandHistory(**self.about, actions=self.actions)


def _play_event(hand: SiteHand, table: _Table, event: Event) -> None:
    if event.kind == DEALS:
        table.pass_over(event.line)
        table.show(hand, event.line)
        table.play(f"d db {event.cards}", event.line)
        return
    index = table.players.index(event.player)
    line, player = event.line, event.player
    if table.actor is None:
        raise HandError("nobody-to-act", line, player=player, verb=event.kind)
    if table.actor != index:
        other = table.players[table.actor]
        raise HandError("not-in-turn", line, player=player, verb=event.kind, other=other)
    place = f"p{index + 1}"
    to_call = exact(table.state.checking_or_calling_amount or 0)
    if event.kind == FOLDS:
        table.play(f"{place} f", event.line)
    elif event.kind == CHECKS:
        if to_call:
            raise HandError("check-to-call", line, player=player, due=to_call)
        table.play(f"{place} {CALL}", event.line)
    elif event.kind == CALLS and event.amount > to_call and MIN_BET in table.about[_FIELDS]:
        total = exact(table.state.bets[index]) + event.amount
        table.play(f"{place} cbr {phh_amount(total)}", event.line, WHOLE_BLIND)
    elif event.kind == CALLS:
        if event.amount != to_call:
            raise HandError("call-amount", line, player=player, amount=event.amount, due=to_call)
        table.play(f"{place} {CALL}", event.line)
    else:
        table.play(f"{place} cbr {phh_amount(event.amount)}", event.line)
    if event.is_all_in and table.state.stacks[index]:
        raise HandError("all-in-left", line, player=player, left=table.state.stacks[index])


_FIELDS: Final = "user_defined_fields"


def uncalled(hand: SiteHand) -> dict[str, Decimal]:
    """What the last bet gives back, if nobody called all of it; by player."""
    live: dict[str, Decimal] = {}
    for post in hand.posts:
        if post.kind not in (ANTE, DEAD):
            live[post.player] = live.get(post.player, Decimal(0)) + post.amount
    for event in hand.events:
        if event.kind == DEALS and any(later.kind != DEALS for later in _after(hand, event)):
            live = {}
        elif event.kind == CALLS:
            live[event.player] = live.get(event.player, Decimal(0)) + event.amount
        elif event.kind in (BETS, RAISES):
            live[event.player] = event.amount
    *_, second, most = sorted([Decimal(0), Decimal(0), *live.values()])
    if most == second:
        return {}
    return {name: most - second for name, amount in live.items() if amount == most}


def _after(hand: SiteHand, event: Event) -> Sequence[Event]:
    return hand.events[hand.events.index(event) + 1 :]


def _has_showdown(hand: SiteHand, folded: Iterable[str]) -> bool:
    """Whether two or more players are left at the end."""
    gone = set(folded)
    left = {post.player for post in hand.posts} | {event.player for event in hand.events}
    left |= set(hand.dealt)
    return len(left - gone - {""}) > 1


def _check_posts(
    hand: SiteHand, players: Sequence[str], table: _Table, posted: dict[str, Decimal]
) -> None:
    """Compare the stacks behind antes and blinds with the text."""
    for index, name in enumerate(players):
        paid = hand.seats[name][1] - exact(table.state.stacks[index])
        if paid != posted[name]:
            line = next((post.line for post in hand.posts if post.player == name), hand.line)
            raise HandError("post-amount", line, player=name, amount=posted[name], due=paid)


def _check_pots(hand: SiteHand, players: Sequence[str], table: _Table) -> Decimal:
    """Compare what was paid with what was collected, and write down who ends with what.

    Returns:
        What the house took.
    """
    paid = _paid(hand, players)
    in_all = sum(paid.values()) + hand.added
    out = sum(hand.collected.values())
    fees = hand.fees if hand.fees is not None else in_all - out
    if in_all != out + fees or fees < 0:
        raise HandError("pot-amounts", paid=in_all, collected=out, fees=fees)
    final = [
        hand.seats[name][1] - paid[name] + hand.collected.get(name, Decimal(0)) for name in players
    ]
    table.about["finishing_stacks"] = [phh_amount(stack) for stack in final]
    table.about["winnings"] = [phh_amount(hand.collected.get(name, Decimal(0))) for name in players]
    if fees:
        table.about[_FIELDS][RAKE] = phh_amount(fees)
    if hand.added:
        table.about[_FIELDS][ADDED] = phh_amount(hand.added)
    return fees


def _paid(hand: SiteHand, players: Sequence[str]) -> dict[str, Decimal]:
    """What each player paid, uncalled bets taken back."""
    paid = dict.fromkeys(players, Decimal(0))
    street = dict.fromkeys(players, Decimal(0))
    big = hand.blinds[1] if hand.blinds else None
    smalls = 0
    for post in hand.posts:
        paid[post.player] += post.amount
        is_live = post.kind not in (ANTE, DEAD)
        if post.kind == SMALL:
            smalls += 1
            is_live = smalls == 1
        if is_live:
            whole = big if big is not None else post.amount * 2 / 3
            live = min(post.amount, whole) if post.kind == BOTH else post.amount
            street[post.player] += live
    for event in hand.events:
        if event.kind == DEALS:
            street = dict.fromkeys(players, Decimal(0))
        elif event.kind == CALLS:
            paid[event.player] += event.amount
            street[event.player] += event.amount
        elif event.kind in (BETS, RAISES):
            paid[event.player] += event.amount - street[event.player]
            street[event.player] = event.amount
    for name, amount in hand.returned.items():
        paid[name] -= amount
    return paid


def _check_winners(
    hand: SiteHand, players: Sequence[str], history: Any, state: Any, fees: Decimal
) -> None:
    """Compare the winnings with the cards, where those of the showdown are known.

    Those of several boards are not compared.
    """
    if hand.is_run_again:
        return
    for words in action_words(history):
        is_hidden = words[1] == "sm" and (words[2:] == ["-"] or _HIDDEN in words[-1])
        if is_hidden and hand.collected.get(players[int(words[0][1:]) - 1]):
            return
    unit = Decimal(1) if all(isinstance(s, int) for s in history.finishing_stacks) else None
    odd = (unit or Decimal("0.01")) * len(players)
    for index, name in enumerate(players):
        start, end = (exact(s[index]) for s in (history.starting_stacks, state.stacks))
        by_cards = end - start
        won = exact(history.finishing_stacks[index]) - start
        if not by_cards - fees - odd <= won <= by_cards + odd + hand.added:
            raise HandError("winnings", player=name, amount=won, due=by_cards)
