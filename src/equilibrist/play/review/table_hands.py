"""Hands at their tables: seats, cards and every action, from histories of PokerKit.

Positions are those of PHH: p1 is the first to act after the flop. With two seats that post blinds
PHH lists blinds and antes from the small blind on, and all else from the big blind on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple

from equilibrist.errors import CardSyntaxError, EquilibristError
from equilibrist.formatting.brief import brief_repr
from equilibrist.play.hands.game import HandGame
from equilibrist.play.histories.course import big_blind, positions
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.played import UNKNOWN, PlayedHand, action_words
from equilibrist.play.histories.site_hand import WHOLE_BLIND
from equilibrist.play.review.posted_rules import PostedRules, what_is_odd
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.betting.chips import scale_for
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import SHORT
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import HoldemRules

_LIMITS: Final = {"NT": "no-limit", "FT": "limit", "NS": "no-limit"}
_SHORT_DECK: Final = "NS"
_SPOT_DECK: Final = re.compile(r"holdem\(.*,deck=([\w-]+)\)")
_ENDLESS: Final = (None, float("inf"))
"""Stacks that a history does not know."""
_DEEP: Final = 1000
"""Big blinds behind in limit hold'em where the stacks are not known: no bet is all-in."""
_CARDS_OF_STREETS: Final = (3, 1, 1)
_HOLE_CARDS: Final = 2


class PlayedMove(NamedTuple):
    """What a seat did."""

    seat: int
    kind: Kind
    """FOLD; CALL for a check, too; BET for every bet and raise."""
    total: float = 0
    """Of a bet, the total on the street in chips."""


class PlayedStreet(NamedTuple):
    """A street as it was played."""

    cards: tuple[int, ...]
    """The public cards that it began with."""
    moves: tuple[PlayedMove, ...]


@dataclass(frozen=True, eq=False)
class TableHand:
    """A hand as it was played. Seats are in the order of posting, as `Hand` has them.

    Attributes:
        name: What the hand is called: its number at the site, or in the file.
        hand: The table: blinds, antes and the stacks of this hand, in chips.
        players: The name of the player at each seat.
        positions: The name of each seat: `SB`, `BB`, ..., `BTN`.
        combos: The combo of each seat; None where it is not known.
        streets: The streets, preflop first.
        hero: The seat whose hand it is; None if the file says it of nobody.
        line: The line of the file on which it begins.
        posted: The rules with what each seat posted, where no table asks for that; else None.
    """

    name: str
    hand: Hand
    players: tuple[str, ...]
    positions: tuple[str, ...]
    combos: tuple[int | None, ...]
    streets: tuple[PlayedStreet, ...]
    hero: int | None = None
    line: int = 1
    posted: PostedRules | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def rules(self) -> HoldemRules:
        """The rules of the hand, with what each seat posted."""
        return self.hand.rules if self.posted is None else self.posted

    @property
    def game(self) -> HandGame:
        """The hand as a game."""
        return HandGame(self.hand, self.posted)

    @property
    def big_blind(self) -> float:
        """The big blind in chips; without blinds the smallest bet."""
        rules = self.rules
        return float(rules.scale.chips(rules.bets[0] if not any(rules.blinds) else rules.big_blind))

    @property
    def board(self) -> tuple[int, ...]:
        """All public cards."""
        return tuple(card for street in self.streets for card in street.cards)

    def without_folded(self, seats: int) -> TableHand | None:
        """Leave out the seats that fold first of all, as if they had not been dealt in.

        With two seats left, the big blind of a table of more acts last after the flop, and with two
        at the table first: such a hand is the same before the flop alone.

        Args:
            seats: How many seats are to be left.

        Returns:
            The hand of those seats; None if others than the first to act would be left out, or one
            of them does anything else.
        """
        gone = self.hand.seats - seats
        first = self.streets[0].moves[:gone]
        early = range(2, 2 + gone)
        if self.posted or self.hand.straddle or [move.seat for move in first] != [*early]:
            return None
        if any(move.kind is not Kind.FOLD for move in first):
            return None
        left = [seat for seat in range(self.hand.seats) if seat not in early]
        number = {seat: place for place, seat in enumerate(left)}

        def renumbered(moves: Sequence[PlayedMove]) -> tuple[PlayedMove, ...]:
            return tuple(move._replace(seat=number[move.seat]) for move in moves)

        chips = self.hand.rules.scale.chips
        stacks = [chips(self.hand.rules.stacks[seat]) for seat in left]
        return replace(
            self,
            hand=self.hand.replace(seats=seats, stack=None, stacks=stacks),
            players=tuple(self.players[seat] for seat in left),
            positions=tuple(self.positions[seat] for seat in left),
            combos=tuple(self.combos[seat] for seat in left),
            streets=(
                PlayedStreet((), renumbered(self.streets[0].moves[gone:])),
                *(
                    PlayedStreet(street.cards, renumbered(street.moves))
                    for street in self.streets[1:]
                ),
            ),
            hero=number.get(self.hero) if self.hero is not None else None,
        )

    def moved(self, images: Sequence[int]) -> TableHand:
        """The hand with other suits.

        Args:
            images: The card that each card becomes.

        Returns:
            The same play with these cards.
        """

        def combo(held: int | None) -> int | None:
            if held is None:
                return None
            first, second = (images[card] for card in cards_of(held))
            return int(COMBO_INDEX[first, second])

        return replace(
            self,
            combos=tuple(map(combo, self.combos)),
            streets=tuple(
                PlayedStreet(tuple(images[card] for card in street.cards), street.moves)
                for street in self.streets
            ),
        )


def cards_of(combo: int) -> tuple[int, int]:
    """The two cards of a combo, the lower one first."""
    return int(FIRST_CARD[combo]), int(SECOND_CARD[combo])


def table_hand(played: PlayedHand) -> TableHand:
    """Read a hand of a file as betting at a table.

    Args:
        played: The hand.

    Returns:
        The hand.

    Raises:
        HandError: It is no hand that can be reviewed; says why.
    """
    try:
        return _read(played)
    except (EquilibristError, ValueError, TypeError, IndexError) as error:
        raise HandError("no-table", detail=error) from None


def _read(played: PlayedHand) -> TableHand:
    hand, rules = _table(played.history)
    order = rules.order
    streets: list[tuple[list[int], list[PlayedMove]]] = [([], [])]
    for words in action_words(played.history):
        match words:
            case ["d", "dh", *_] | [_, "sm", *_]:
                continue
            case ["d", "db", cards]:
                _deal(streets, parse_cards(cards))
            case [place, *said]:
                streets[-1][1].append(_move(order[_position(place, hand.seats)], said))
    names = dict(zip(order, played.players, strict=True))
    cards_of_seats = dict(zip(order, played.cards, strict=True))
    seats = range(hand.seats)
    return TableHand(
        name=played.name,
        hand=hand,
        players=tuple(names[seat] for seat in seats),
        positions=_by_seat(positions(played.history), order),
        combos=tuple(_combo(cards_of_seats[seat]) for seat in seats),
        streets=tuple(PlayedStreet(tuple(cards), tuple(moves)) for cards, moves in streets),
        hero=None if played.hero is None else order[played.hero],
        line=played.line,
        posted=rules if isinstance(rules, PostedRules) else None,
    )


def _table(history: Any) -> tuple[Hand, HoldemRules]:
    """The hand at the table and its rules; HandError where it is none that solutions know.

    The rules are those of the hand but where somebody posts what no table asks.
    """
    limit = _LIMITS.get(history.variant)
    if limit is None:
        raise HandError("not-reviewed-game", variant=history.variant)
    posted = [_chips(amount) for amount in history.blinds_or_straddles or ()]
    seats = len(history.starting_stacks)
    posted += [0] * (seats - len(posted))
    antes = [_chips(amount) for amount in history.antes or [0] * seats]
    is_short = any(str(action).endswith(WHOLE_BLIND) for action in history.actions)
    keys: dict[str, Any] = {"seats": seats, "limit": limit}
    asked = None if is_short else _asked(posted, antes)
    whole = _chips(big_blind(history))
    keys |= asked or {"blinds": (0, whole), "ante": min(antes)}
    big = keys.get("button_blind") or keys["blinds"][1]
    least = history.min_bet
    if limit == "limit":
        keys["fixed_bets"] = (_chips(history.small_bet), _chips(history.big_bet))
        least = history.small_bet
    elif not big:
        keys["fixed_bets"] = (_chips(least), _chips(least))
    stacks = [_stack(stack, limit, least or big) for stack in history.starting_stacks]
    bets = [words for words in action_words(history) if words[1] == "cbr"]
    amounts = [_chips(words[2]) for words in bets]
    amounts += [*stacks, *map(abs, posted), *antes, whole]
    keys["unit"] = scale_for(amounts).unit
    # PHH lists stacks from the first to act after the flop on, which with two seats is seat 1.
    if seats == 2 and any(posted):
        stacks.reverse()
    if history.variant == _SHORT_DECK:
        keys["deck"] = SHORT.name
    hand = Hand(stacks=stacks, **{**keys, **_own_game(history)})
    return hand, hand.rules if asked else _posted_rules(hand, history, posted, antes, is_short)


def _asked(posted: Sequence[float], antes: Sequence[float]) -> dict[str, Any] | None:
    """What a table asks for, as keys of a hand, by seat; None if no table asks for these posts."""
    seats = len(posted)
    button = 0 if seats == len(_SPOT_SEATS) else seats - 1
    keys = _antes(antes, place=button)
    if keys is None:
        return None
    others = [*posted[:button], *posted[button + 1 :]]
    if posted[button] > 0 and not any(others):
        return {**keys, "button_blind": posted[button]}
    small, big, *later = posted
    straddles = [amount for amount in later if amount]
    is_in_turn = later[: len(straddles)] == straddles and min(posted) >= 0 and small <= big
    if not is_in_turn or straddles != sorted(straddles) or (straddles and straddles[0] <= big):
        return None
    return {**keys, "blinds": (small, big), "straddle": tuple(straddles)}


def _posted_rules(
    hand: Hand, history: Any, posted: Sequence[float], antes: Sequence[float], is_short: bool
) -> PostedRules:
    """The rules of a hand with what each seat posted, as `posted` and `antes` have it by seat."""
    rules = hand.rules
    units = rules.scale.units
    late = tuple(seat for seat, blind in enumerate(posted) if blind < 0)
    dead = [seat for seat, ante in enumerate(antes) if ante > min(antes)]
    blinds = tuple(units(abs(blind)) for blind in posted)
    whole = units(_chips(big_blind(history)))
    bets = rules.bets
    if hand.limit != "limit":
        in_turn = [blind for seat, blind in enumerate(blinds) if seat not in late]
        first = units(_chips(history.min_bet)) if is_short else max(whole, *in_turn)
        bets = (first, *[whole] * (len(bets) - 1))
    names = _by_seat(positions(history), rules.order)
    own = {field.name: getattr(rules, field.name) for field in fields(rules)}
    own |= {"blinds": blinds, "antes": tuple(map(units, antes)), "bets": bets}
    return PostedRules(
        **own,
        whole_blind=whole,
        late=late,
        names=names,
        words=what_is_odd(names, late, dead, is_short=is_short),
        is_short=is_short,
    )


def _by_seat(names: Sequence[str], order: Sequence[int]) -> tuple[str, ...]:
    """The names of p1, p2 and so on by seat."""
    by_seat = dict(zip(order, names, strict=True))
    return tuple(by_seat[seat] for seat in range(len(order)))


def _own_game(history: Any) -> dict[str, Any]:
    """The deck and the last street with betting of a hand that Equilibrist wrote; else nothing."""
    name = history.user_defined_fields.get("_game")
    if not isinstance(name, str):
        return {}
    if (spot := _SPOT_DECK.fullmatch(name)) is not None:
        return {"deck": spot[1]}
    try:
        game = Hand.named(name)
    except EquilibristError:  # a spot of all cards
        return {}
    return {"deck": game.deck, "suits": game.suits, "last_street": game.last_street}


def _antes(antes: Sequence[float], place: int) -> dict[str, Any] | None:
    """The keys of antes; `place` is the button's in the order of the list. None for other antes."""
    if len({*antes}) == 1:
        return {"ante": antes[0]}
    if not antes[0] and antes[1] and not any(antes[2:]):
        return {"ante": antes[1], "ante_kind": "big-blind"}
    if antes[place] and sum(antes) == antes[place]:
        return {"ante": antes[place], "ante_kind": "button"}
    return None


def _stack(stack: Any, limit: str, least: Any) -> float:
    if stack not in _ENDLESS:
        return _chips(stack)
    if limit == "limit":
        return _DEEP * _chips(least)
    raise HandError("stacks-unknown")


def _chips(amount: Any) -> float:
    number = float(amount)
    return int(number) if number.is_integer() else number


def _deal(streets: list[tuple[list[int], list[PlayedMove]]], cards: Sequence[int]) -> None:
    """Add public cards: they may come one by one."""
    for card in cards:
        number = len(streets) - 1
        if not number or len(streets[-1][0]) == _CARDS_OF_STREETS[number - 1]:
            if number == len(_CARDS_OF_STREETS):
                raise HandError("board-too-long")
            streets.append(([], []))
        streets[-1][0].append(card)


def _move(seat: int, said: Sequence[str]) -> PlayedMove:
    match said:
        case ["f"]:
            return PlayedMove(seat, Kind.FOLD)
        case ["cc"]:
            return PlayedMove(seat, Kind.CALL)
        case ["cbr", amount]:
            return PlayedMove(seat, Kind.BET, _chips(amount))
    raise HandError("no-move-of-holdem", action=" ".join(said))


def _position(place: str, seats: int) -> int:
    number = int(place.removeprefix("p")) - 1
    if not 0 <= number < seats:
        raise HandError("place-unknown", place=place)
    return number


def _combo(cards: str) -> int | None:
    """The combo of two cards in any order; None for cards that are not known."""
    if not cards or UNKNOWN in cards:
        return None
    numbers = parse_cards(cards)
    if len(numbers) != _HOLE_CARDS:
        raise CardSyntaxError(f"{cards} are not two cards", cards, 0)
    return int(COMBO_INDEX[min(numbers), max(numbers)])


_SPOT_SEATS: Final = ("OOP", "IP")
