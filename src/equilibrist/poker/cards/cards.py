"""Cards as numbers, and the notations in which they are written.

A card is an int, `4 * rank + suit`, with ranks 2..A as 0..12 and the suits c, d, h, s as 0..3:
`2c` is 0, `2d` is 1 and `As` is 51. A board is a tuple of cards in the order in which it was dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from equilibrist.errors import CardSyntaxError, ConfigError
from equilibrist.parsing.arguments import bad_argument, instance, several, whole_number

RANKS: Final = "23456789TJQKA"
"""Ranks from the lowest to the highest; the position is the number of the rank."""
SUITS: Final = "cdhs"
"""Suits; the position is the number of the suit."""
NUM_CARDS: Final = 52
_LETTERS: Final = {
    **{ord(sign): SUITS[k % len(SUITS)] for k, sign in enumerate("♣♦♥♠♧♢♡♤")},
    0xFE0F: None,
}
"""Letters for the signs of suits; a sign may be followed by a mark that asks for its picture."""
_NAMES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NUMBERS: Final = "card numbers, from 0 (2c) to 51 (As)"
_BOARD_SIZES: Final = (3, 4, 5)
"""Cards on the board on the flop, the turn and the river."""

_CARD: Final = re.compile(r"(10|[2-9TJQKA])([CDHS♣♦♥♠♧♢♡♤])\ufe0f?", re.IGNORECASE | re.ASCII)
_SEPARATORS: Final = " \t,[]"
_SUIT_OF_SIGN: Final = {
    **{letter: k for k, letter in enumerate(SUITS)},
    **{sign: k % 4 for k, sign in enumerate("♣♦♥♠♧♢♡♤")},
}


def with_suit_letters(text: str) -> str:
    """A text with the letters of suits in place of their signs: `AsKs` for `A♠K♠`."""
    return text if text.isascii() else text.translate(_LETTERS)


def card_name(card: int) -> str:
    """The name of a card, as `Ah`.

    Args:
        card: Its number, 0 to 51.

    Returns:
        Rank and suit.

    Raises:
        ConfigError: There is no such card.
    """
    try:
        if card >= 0 and not isinstance(card, bool):
            return _NAMES[card]
    except (TypeError, ValueError, IndexError):
        pass
    raise bad_argument("card", card, "a card number, from 0 (2c) to 51 (As)")


def card_names(cards: Iterable[int], separator: str = "") -> str:
    """The names of cards one after the other, as `QsJh2h`.

    Args:
        cards: Their numbers, 0 to 51.
        separator: What stands between two names.

    Returns:
        The names.

    Raises:
        ConfigError: These are no card numbers.
    """
    instance("separator", separator, str, "text")
    return separator.join(map(card_name, several("cards", cards, _NUMBERS)))


def card_numbers(name: str, cards: object) -> tuple[int, ...]:
    """Distinct cards that are given as numbers.

    Args:
        name: The name of the argument.
        cards: The cards, in a list or the like.

    Returns:
        Their numbers, 0 to 51, in their order.

    Raises:
        ConfigError: These are no distinct card numbers; names the argument.
    """
    remedy = "parse_cards gives the numbers of cards in text" if isinstance(cards, str) else None
    if isinstance(cards, str | bytes) or not isinstance(cards, Iterable):
        raise bad_argument(name, cards, _NUMBERS, remedy=remedy)
    numbers = tuple(whole_number(name, card, 0, NUM_CARDS - 1) for card in cards)
    if len(set(numbers)) < len(numbers):
        raise bad_argument(name, card_names(numbers), "distinct cards")
    return numbers


def outside_deck(cards: Sequence[int], lowest_rank: int) -> str:
    """Which of some cards a deck lacks, as a clause; empty if it has all of them.

    Args:
        cards: The cards, by number.
        lowest_rank: The lowest rank of the deck, 0 for deuces.

    Returns:
        Such as `2h is not in the deck of 36 cards`.
    """
    if not cards or min(cards) >= 4 * lowest_rank:
        return ""
    return f"{card_name(min(cards))} is not in the deck of {NUM_CARDS - 4 * lowest_rank} cards"


def refuse_outside_deck(name: str, cards: Sequence[int], lowest_rank: int) -> None:
    """Refuse cards that a deck lacks.

    Args:
        name: The name of the argument.
        cards: The cards, by number.
        lowest_rank: The lowest rank of the deck, 0 for deuces.

    Raises:
        ConfigError: A card is below it.
    """
    if fault := outside_deck(cards, lowest_rank):
        ranks = f"cards of the ranks from {RANKS[lowest_rank]} up"
        raise ConfigError(
            fault,
            option=name,
            given=card_names(cards),
            expected=ranks,
            remedy=f"give {ranks}",
        )


def card_mask(cards: Iterable[int]) -> int:
    """The set of some cards as a number: bit `card` is set for each."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask


def parse_card(text: str) -> int:
    """The card that a text names.

    Args:
        text: The name of one card.

    Returns:
        Its number, 0 to 51.

    Raises:
        CardSyntaxError: The text is not exactly one card.
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardSyntaxError(
            f"expected one card, such as Ah, got {len(cards)}",
            text,
            0,
            option="cards",
            given=len(cards),
            expected=1,
        )
    return cards[0]


def parse_cards(text: str) -> tuple[int, ...]:
    """Distinct cards in the order in which they are written.

    Args:
        text: `QsJh2h`, `Qs Jh 2h`, `Qs,Jh,2h` and `[Qs Jh 2h]` are the same; ranks and suits may be
            of either case, a ten may be `10h`, and a suit may be one of the signs ♣ ♦ ♥ ♠.

    Returns:
        Their numbers, 0 to 51.

    Raises:
        ConfigError: `text` is not a text.
        CardSyntaxError: Something is not a card, or a card occurs twice; the error has the
            position.
    """
    if not isinstance(text, str):
        raise bad_argument("cards", text, "text, such as 'QsJh2h'")
    cards: list[int] = []
    position = 0
    while position < len(text):
        if text[position] in _SEPARATORS:
            position += 1
            continue
        match = _CARD.match(text, position)
        if match is None:
            raise CardSyntaxError(
                _no_card(text, position),
                text,
                position,
                option="card",
                given=text[position : position + 2],
            )
        rank = RANKS.index("T" if match[1] == "10" else match[1].upper())
        card = 4 * rank + _SUIT_OF_SIGN[match[2].lower()]
        if card in cards:
            raise CardSyntaxError(
                f"the card {card_name(card)} occurs twice",
                text,
                position,
                option="card",
                given=card_name(card),
                remedy="remove one",
            )
        cards.append(card)
        position = match.end()
    return tuple(cards)


def _no_card(text: str, position: int) -> str:
    if text.startswith("?", position):
        return "unknown cards are not supported here; name the card, such as Ah"
    rank = text[position]
    suit = text[position + 1 : position + 2] or " "
    if rank.upper() not in RANKS:
        return f"no card begins with {rank!r}; the ranks are {' '.join(RANKS)}"
    if suit.isspace():
        return f"the card {rank!r} has no suit; the suits are c d h s"
    return f"{suit!r} is not a suit; the suits are c d h s"


def parse_board(text: str) -> tuple[int, ...]:
    """Read a board of three, four or five cards.

    Args:
        text: The cards, such as `QsJh2h`, `Qs Jh 2h` or `Q♠J♥2♥`.

    Returns:
        The cards as numbers, 4 * rank + suit, in the order in which they are written.

    Raises:
        ConfigError: `text` is not a text.
        CardSyntaxError: Something is not a card, a card occurs twice, or the number of cards is
            not 3, 4 or 5.
    """
    cards = parse_cards(text)
    if len(cards) not in _BOARD_SIZES:
        raise CardSyntaxError(
            f"the board has {len(cards)} card{'s' * (len(cards) != 1)}; expected 3 (flop), "
            "4 (turn) or 5 cards (river), such as QsJh2h",
            text,
            0,
            option="board",
            given=len(cards),
        )
    return cards
