"""Decks: which cards there are, and how hands of five cards rank.

With 36 cards, from the sixes up, flushes are rarer than full houses, and short-deck hold'em ("six
plus") ranks them so; A6789 is its lowest straight. Two rankings are played: in the usual one a
straight beats three of a kind, in the older one three of a kind, which is rarer than with 52 cards,
beats a straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.cards import NUM_CARDS, RANKS

CATEGORIES: Final = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""The categories of hands with 52 cards, from the weakest."""


@dataclass(frozen=True)
class Ranking:
    """How hands of five cards compare.

    Attributes:
        name: Its name, also that of its tables on disk.
        categories: All of `CATEGORIES`, from the weakest.
        lowest_rank: The lowest rank that is ranked, 0 for deuces, 4 for sixes.
    """

    name: str
    categories: tuple[str, ...]
    lowest_rank: int

    @property
    def low_straight(self) -> tuple[int, ...]:
        """The ranks of the straight in which the ace is low, the ace first."""
        return (12, *range(self.lowest_rank + 3, self.lowest_rank - 1, -1))


STANDARD: Final = Ranking("standard", CATEGORIES, 0)
_FLUSHES_HIGH: Final = (*CATEGORIES[:5], "full house", "flush", *CATEGORIES[7:])
SHORT: Final = Ranking("short", _FLUSHES_HIGH, 4)
SHORT_TRIPS: Final = Ranking(
    "short-trips", (*CATEGORIES[:3], "straight", "three of a kind", *_FLUSHES_HIGH[5:]), 4
)


@dataclass(frozen=True)
class Deck:
    """A deck of four suits, from a lowest rank up to the ace.

    Attributes:
        name: What the key `deck` says: the lowest rank, or `short` or `short-trips`.
        lowest_rank: The lowest rank, 0 for deuces.
        ranking: How hands compare.
    """

    name: str
    lowest_rank: int
    ranking: Ranking = STANDARD

    @property
    def size(self) -> int:
        """How many cards."""
        return NUM_CARDS - 4 * self.lowest_rank

    @property
    def absent(self) -> tuple[int, ...]:
        """The cards that it lacks, by number."""
        return tuple(range(4 * self.lowest_rank))

    @property
    def words(self) -> str:
        """It in words: `36 cards, a flush beats a full house`."""
        if self.ranking == STANDARD:
            return f"{self.size} cards"
        trips = ", three of a kind a straight" if self.ranking == SHORT_TRIPS else ""
        return f"{self.size} cards; a flush beats a full house{trips}"


FULL_DECK: Final = Deck("2", 0)
SHORT_DECKS: Final = {
    ranking.name: Deck(ranking.name, 4, ranking) for ranking in (SHORT, SHORT_TRIPS)
}


def deck_of(ranking: Ranking) -> Deck:
    """The deck in which hands rank so, with all ranks that are ranked."""
    return SHORT_DECKS.get(ranking.name, FULL_DECK)


_ALSO: Final = dict.fromkeys(
    ("short-deck", "shortdeck", "six-plus", "sixplus", "6-plus", "6plus", "6+", "36"), "short"
)
"""Other names of decks."""
DECK_FORMS: Final = (
    "2 to A, the lowest rank in the deck; or short (36 cards, a flush beats a full house) or "
    "short-trips (there three of a kind beats a straight, too)"
)


def read_deck(value: object, name: str = "deck") -> Deck:
    """The deck that a key says.

    Args:
        value: The lowest rank, `short` or `short-trips`; or a `Deck`.
        name: The name of the key, for messages.

    Returns:
        The deck.

    Raises:
        ConfigError: It is none of these.
    """
    if isinstance(value, Deck):
        return value
    text = str(value).strip() if isinstance(value, str | int) and value is not True else ""
    word = text.lower().replace("_", "-").replace(" ", "-")
    short = SHORT_DECKS.get(_ALSO.get(word, word))
    if short is not None:
        return short
    rank = "T" if text == "10" else text.upper()
    if len(rank) != 1 or rank not in RANKS:
        raise bad_argument(name, value, DECK_FORMS)
    return Deck(rank, RANKS.index(rank))
