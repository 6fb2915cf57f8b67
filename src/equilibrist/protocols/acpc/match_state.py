"""Match states: what the dealer tells a position, `MATCHSTATE:position:hand:betting:cards`.

Cards are the hole cards by position with `|` between, hidden ones left out, then the board street
by street with `/` before each: `MATCHSTATE:0:30:c/r200:9s8h|/8c8d5c`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from equilibrist.errors import CardSyntaxError, LineSyntaxError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.cards.cards import RANKS, SUITS, card_names
from equilibrist.protocols.acpc.betting import Betting
from equilibrist.protocols.acpc.rules import AcpcRules

PREFIX: Final = "MATCHSTATE"
COMMENTS: Final = ("#", ";")
"""What lines begin with that both sides skip."""
MOST_HANDS: Final = 2**32 - 1
"""The largest number of a hand."""
Cards = tuple[int, ...]
_NUMBER: Final = re.compile(r"\d{1,10}", re.ASCII)


class Deal(NamedTuple):
    """The cards of a hand.

    Attributes:
        holes: The hole cards by position, as dealt; () where they are not known.
        board: The board cards, as dealt: those that are out, or all of the hand.
    """

    holes: tuple[Cards, ...]
    board: Cards

    def text(self, rules: AcpcRules, board_cards: int) -> str:
        """Write the cards.

        Args:
            rules: The rules.
            board_cards: How many board cards are out.

        Returns:
            Such as `9s8h|/8c8d5c`.
        """
        text = "|".join(map(card_names, self.holes))
        begin = 0
        for cards in rules.board[1:]:
            end = begin + cards
            if end > board_cards:
                break
            text += f"/{card_names(self.board[begin:end])}"
            begin = end
        return text

    @classmethod
    def parse(cls, rules: AcpcRules, text: str) -> Deal:
        """Read the cards.

        Args:
            rules: The rules.
            text: Such as `9s8h|/8c8d5c`.

        Returns:
            The cards; those that are hidden are ().

        Raises:
            CardSyntaxError: The text has another form, or a card comes twice.
        """
        holes_text, *streets = text.split("/")
        parts = holes_text.split("|")
        if len(parts) != rules.seats:
            raise CardSyntaxError(
                f"there are hole cards of {counted(len(parts), 'position')}",
                text,
                0,
                option="cards",
                given=len(parts),
                expected=str(rules.seats),
            )
        if len(streets) >= len(rules.board):
            raise CardSyntaxError(
                f"there are {len(streets) + 1} streets", text, len(holes_text), option="cards"
            )
        sizes = [*[rules.hole_cards] * rules.seats, *rules.board[1:]]
        groups, begin = [], 0
        for number, part in enumerate([*parts, *streets]):
            is_hole = number < rules.seats
            groups.append(_cards(text, part, begin, sizes[number], may_be_hidden=is_hole))
            begin += len(part) + 1
        everything = [card for group in groups for card in group]
        if len(set(everything)) < len(everything) or not set(everything) <= set(rules.deck):
            raise CardSyntaxError(
                "a card comes twice, or is not in the deck", text, 0, option="cards", given=text
            )
        board = tuple(card for group in groups[rules.seats :] for card in group)
        return cls(tuple(groups[: rules.seats]), board)


def _cards(text: str, part: str, begin: int, size: int, *, may_be_hidden: bool) -> Cards:
    if not part and may_be_hidden:
        return ()
    if len(part) != 2 * size:
        raise CardSyntaxError(
            f"expected {size} cards", text, begin, option="cards", given=part, expected=str(size)
        )
    numbers = []
    for place in range(0, len(part), 2):
        rank, suit = RANKS.find(part[place]), SUITS.find(part[place + 1])
        if rank < 0 or suit < 0:
            raise CardSyntaxError(
                f"{part[place : place + 2]!r} is no card", text, begin + place, option="cards"
            )
        numbers.append(4 * rank + suit)
    return tuple(numbers)


class MatchState(NamedTuple):
    """What a position is told.

    Attributes:
        position: The position that is told.
        hand: The number of the hand, from 0.
        betting: The betting so far.
        cards: The cards that it sees.
    """

    position: int
    hand: int
    betting: Betting
    cards: Deal

    @property
    def rules(self) -> AcpcRules:
        """The rules."""
        return self.betting.rules

    @property
    def is_to_act(self) -> bool:
        """Whether the position that is told acts."""
        return self.betting.player == self.position

    def __str__(self) -> str:
        cards = self.cards.text(self.rules, self.betting.board_cards)
        return f"{PREFIX}:{self.position}:{self.hand}:{self.betting.text}:{cards}"

    @classmethod
    def parse(cls, rules: AcpcRules, line: str) -> MatchState:
        """Read a match state.

        Args:
            rules: The rules.
            line: The line, without its end.

        Returns:
            The match state.

        Raises:
            LineSyntaxError: It is no match state, or the rules do not allow its betting.
            CardSyntaxError: Its cards cannot be read.
        """
        parts = line.split(":")
        if len(parts) != 5 or parts[0] != PREFIX:
            raise LineSyntaxError(
                f"expected {PREFIX}:position:hand:betting:cards",
                line,
                0,
                option="state",
                given=line,
            )
        position = _number(line, parts[1], rules.seats - 1, len(PREFIX) + 1, "position")
        hand = _number(line, parts[2], MOST_HANDS, len(PREFIX) + len(parts[1]) + 2, "hand")
        betting = Betting.parse(rules, parts[3])
        cards = Deal.parse(rules, parts[4])
        if len(cards.board) != betting.board_cards:
            raise CardSyntaxError(
                f"{len(cards.board)} board cards are out after {parts[3]!r}",
                parts[4],
                0,
                option="cards",
                given=len(cards.board),
                expected=str(betting.board_cards),
            )
        if not cards.holes[position]:
            raise CardSyntaxError(
                "the own cards are missing", parts[4], 0, option="cards", given=parts[4]
            )
        return cls(position, hand, betting, cards)


def _number(line: str, text: str, most: int, place: int, name: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise LineSyntaxError(
            f"the {name} is no number of at most {most}", line, place, option=name, given=text
        )
    return int(text)


def seen_by(betting: Betting, cards: Deal, position: int, *, shows_folded: bool = False) -> Deal:
    """What a position sees of the cards of a hand: its own, and others at a showdown.

    Args:
        betting: The betting so far.
        cards: All cards of the hand.
        position: The position.
        shows_folded: Whether hands that were folded are shown at the end, too.

    Returns:
        The cards.
    """
    is_showdown = betting.is_over and not betting.is_folded
    holes = tuple(
        cards.holes[seat]
        if seat == position
        or (is_showdown and betting.state.is_live(seat))
        or (shows_folded and betting.is_over)
        else ()
        for seat in range(len(cards.holes))
    )
    return Deal(holes, cards.board[: betting.board_cards])


def rotated(seats: int, hand: int, *, fixed: bool = False) -> Sequence[int]:
    """The position of each player in a hand: seats move on by one from hand to hand.

    Args:
        seats: How many players.
        hand: The number of the hand.
        fixed: Whether everybody keeps the first hand's position.

    Returns:
        By player, its position.
    """
    return [player if fixed else (player + hand) % seats for player in range(seats)]
