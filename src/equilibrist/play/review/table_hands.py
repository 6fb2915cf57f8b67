"""Hands at their tables: seats, cards and every action, from histories of PokerKit.

Positions are those of PHH: p1 is the first to act after the flop. With two seats that post blinds
PHH lists blinds and antes from the small blind on, and all else from the big blind on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from equilibrist.errors import CardSyntaxError, EquilibristError, UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.play.histories.played import UNKNOWN, PlayedHand, action_words
from equilibrist.play.histories.site_hand import WHOLE_BLIND
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.betting.chips import scale_for
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import SHORT
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import position_names

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
    """

    name: str
    hand: Hand
    players: tuple[str, ...]
    positions: tuple[str, ...]
    combos: tuple[int | None, ...]
    streets: tuple[PlayedStreet, ...]
    hero: int | None = None
    line: int = 1

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def big_blind(self) -> float:
        """The big blind in chips; without blinds the smallest bet."""
        rules = self.hand.rules
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
        if self.hand.straddle or [move.seat for move in first] != [*early]:
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
        UnsupportedError: It is no hand that can be reviewed; says why.
    """
    try:
        return _read(played)
    except UnsupportedError:
        raise
    except (EquilibristError, ValueError, TypeError, IndexError) as error:
        raise UnsupportedError(f"{error}", option="hand", given=played.number) from None


def _read(played: PlayedHand) -> TableHand:
    if any(str(action).endswith(WHOLE_BLIND) for action in played.history.actions):
        raise UnsupportedError(
            "a big blind is all-in for less, and others call the whole blind", option="actions"
        )
    hand = _table(played.history)
    order = hand.rules.order
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
        positions=_positions(hand),
        combos=tuple(_combo(cards_of_seats[seat]) for seat in seats),
        streets=tuple(PlayedStreet(tuple(cards), tuple(moves)) for cards, moves in streets),
        hero=None if played.hero is None else order[played.hero],
        line=played.line,
    )


def _table(history: Any) -> Hand:
    """The hand at the table; UnsupportedError where it is none that solutions know."""
    limit = _LIMITS.get(history.variant)
    if limit is None:
        raise UnsupportedError(
            f"it is no hold'em with or without limit (variant {history.variant})",
            option="variant",
            given=history.variant,
        )
    posted = [_chips(amount) for amount in history.blinds_or_straddles or ()]
    seats = len(history.starting_stacks)
    posted += [0] * (seats - len(posted))
    button = 0 if seats == len(_SPOT_SEATS) else seats - 1
    of_button = (
        posted[button] if posted[button] and not any(posted[:button] + posted[button + 1 :]) else 0
    )
    small, big, *others = (0, of_button) if of_button else posted
    straddles = [amount for amount in others if amount]
    if others[: len(straddles)] != straddles:
        raise UnsupportedError("blinds are posted out of turn", option="blinds_or_straddles")
    if small and not big:
        raise UnsupportedError("nobody posts the big blind", option="blinds_or_straddles")
    keys: dict[str, Any] = {"limit": limit}
    if of_button:
        keys["button_blind"] = of_button
    else:
        keys |= {"blinds": (small, big), "straddle": tuple(straddles)}
    antes = [_chips(amount) for amount in history.antes or [0] * seats]
    keys |= _antes(antes, place=button)
    least = history.min_bet
    if limit == "limit":
        keys["fixed_bets"] = (_chips(history.small_bet), _chips(history.big_bet))
        least = history.small_bet
    elif not big:
        keys["fixed_bets"] = (_chips(least), _chips(least))
    stacks = [_stack(stack, limit, least or big) for stack in history.starting_stacks]
    bets = [words for words in action_words(history) if words[1] == "cbr"]
    amounts = [_chips(words[2]) for words in bets]
    amounts += [*stacks, *posted, keys["ante"]]
    keys["unit"] = scale_for(amounts).unit
    # PHH lists stacks from the first to act after the flop on, which with two seats is seat 1.
    if seats == 2 and any((small, big)):
        stacks.reverse()
    if history.variant == _SHORT_DECK:
        keys["deck"] = SHORT.name
    return Hand(seats=seats, stacks=stacks, **{**keys, **_own_game(history)})


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


def _antes(antes: Sequence[float], place: int) -> dict[str, Any]:
    """The keys of antes; `place` is the button's in the order of the list."""
    if len({*antes}) == 1:
        return {"ante": antes[0]}
    if not antes[0] and antes[1] and not any(antes[2:]):
        return {"ante": antes[1], "ante_kind": "big-blind"}
    if antes[place] and sum(antes) == antes[place]:
        return {"ante": antes[place], "ante_kind": "button"}
    raise UnsupportedError("its seats post different antes", option="antes", given=f"{antes}")


def _stack(stack: Any, limit: str, least: Any) -> float:
    if stack not in _ENDLESS:
        return _chips(stack)
    if limit == "limit":
        return _DEEP * _chips(least)
    raise UnsupportedError("its stacks are not known", option="starting_stacks")


def _chips(amount: Any) -> float:
    number = float(amount)
    return int(number) if number.is_integer() else number


def _deal(streets: list[tuple[list[int], list[PlayedMove]]], cards: Sequence[int]) -> None:
    """Add public cards: they may come one by one."""
    for card in cards:
        number = len(streets) - 1
        if not number or len(streets[-1][0]) == _CARDS_OF_STREETS[number - 1]:
            if number == len(_CARDS_OF_STREETS):
                raise UnsupportedError("it deals more than five public cards", option="board")
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
    word = " ".join(said)
    raise UnsupportedError(f"{word!r} is no action of hold'em", option="actions", given=word)


def _position(place: str, seats: int) -> int:
    number = int(place.removeprefix("p")) - 1
    if not 0 <= number < seats:
        raise UnsupportedError(f"there is no player {place}", option="actions", given=place)
    return number


def _combo(cards: str) -> int | None:
    """The combo of two cards in any order; None for cards that are not known."""
    if not cards or UNKNOWN in cards:
        return None
    numbers = parse_cards(cards)
    if len(numbers) != _HOLE_CARDS:
        raise CardSyntaxError(f"{cards} are not two cards", cards, 0)
    return int(COMBO_INDEX[min(numbers), max(numbers)])


def _positions(hand: Hand) -> tuple[str, ...]:
    """The names of the seats; without blinds two seats are those of a spot."""
    if hand.seats == len(_SPOT_SEATS) and not any(hand.rules.blinds):
        return _SPOT_SEATS
    return position_names(hand.seats)


_SPOT_SEATS: Final = ("OOP", "IP")
