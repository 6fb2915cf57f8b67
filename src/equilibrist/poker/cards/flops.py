"""The 1,755 strategically distinct flops, and how many flops each represents.

A flop represents its images under permutations of the suits: 4, 12 or 24 of the 22,100 flops. It is
written with the highest card first and with the suits s, h, d in order of appearance: `AsKsQh`,
`AsAhKs`. The list runs from the highest ranks to the lowest, and for equal ranks from monotone to
rainbow. Of a smaller deck it has the flops without the ranks that the deck lacks, with the same
weights: 573 for the 7,140 flops of 36 cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.cards.cards import NUM_CARDS, card_names, parse_cards
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.cards.isomorphism import CARD_IMAGES

NUM_FLOPS: Final = 22_100
"""Sets of three cards out of 52."""
_SUITS: Final = ("monotone", "two-tone", "rainbow")
_RANKS: Final = ("trips", "paired", "unpaired")


class Flop(NamedTuple):
    """A flop and its weight."""

    cards: tuple[int, ...]
    """Three cards, the highest first."""
    weight: float
    """How many flops of the deck it represents: 4, 12 or 24; in a subset, an equal share."""

    @property
    def name(self) -> str:
        """The cards as text, such as `AsKsQh`."""
        return card_names(self.cards)

    @property
    def suits(self) -> str:
        """monotone, two-tone or rainbow."""
        return _SUITS[len({card & 3 for card in self.cards}) - 1]

    @property
    def ranks(self) -> str:
        """trips, paired or unpaired."""
        return _RANKS[len({card >> 2 for card in self.cards}) - 1]


def flops(deck: str | Deck = FULL_DECK) -> tuple[Flop, ...]:
    """All distinct flops of a deck: of 52 cards 1,755, whose weights sum to 22,100.

    Args:
        deck: The lowest rank in the deck, or `short` or `short-trips`.

    Returns:
        The flops.

    Raises:
        ConfigError: There is no such deck.
    """
    lowest = 4 * read_deck(deck).lowest_rank
    return tuple(flop for flop in _all_flops() if flop.cards[-1] >= lowest)


def flop_count(deck: str | Deck = FULL_DECK) -> int:
    """The number of sets of three cards out of a deck."""
    return comb(read_deck(deck).size, 3)


@cache
def _all_flops() -> tuple[Flop, ...]:
    counts = Counter(map(_highest_image, combinations(range(NUM_CARDS), 3)))
    return tuple(Flop(cards, counts[cards]) for cards in sorted(counts, key=_order, reverse=True))


def canonical_flop(board: str) -> Flop:
    """The flop of `flops` that represents a flop.

    Args:
        board: Three cards.

    Returns:
        The flop with its weight.

    Raises:
        CardSyntaxError: The text cannot be read.
        ConfigError: There are not three cards.
    """
    cards = parse_cards(board)
    if len(cards) != 3:
        raise ConfigError(
            f"the flop {board!r} has {counted(len(cards), 'card')}",
            option="flop",
            given=board,
            remedy="give three, such as QsJh2h",
        )
    wanted = _highest_image(cards)
    return next(flop for flop in flops() if flop.cards == wanted)


def flop_subset(size: int, deck: str | Deck = FULL_DECK) -> tuple[Flop, ...]:
    """A representative subset of flops with equal weights, in the order of `flops`.

    Systematic sampling (W. G. Cochran, Sampling Techniques, chapter 8): the flops are sorted by
    suits, pairs and ranks and laid out on a line with their weights as widths; the flop at the
    middle of each of `size` equal intervals is taken. Every texture therefore has its share of the
    subset to within one flop, and so have the ranks within each texture.

    Args:
        size: The number of flops, from 1 to 920; with 36 cards to 297.
        deck: The lowest rank in the deck, or `short` or `short-trips`.

    Returns:
        `size` flops, each with weight 22,100 / `size`; with 36 cards 7,140 / `size`.

    Raises:
        ConfigError: `size` is out of range, or there is no such deck.
    """
    count = flop_count(deck)
    whole_number("size", size, 1, max(count // 24, 1))
    by_texture = sorted(flops(deck), key=lambda flop: (_SUITS.index(flop.suits), flop.ranks))
    ends = np.cumsum([flop.weight for flop in by_texture])
    middles = (np.arange(size) + 0.5) * count / size
    taken = {by_texture[place].cards for place in np.searchsorted(ends, middles, side="right")}
    return tuple(Flop(f.cards, count / size) for f in flops(deck) if f.cards in taken)


def _highest_image(cards: Iterable[int]) -> tuple[int, ...]:
    """The highest image of a flop, its cards in descending order."""
    images = np.sort(CARD_IMAGES[:, tuple(cards)], axis=1)[:, ::-1]
    return tuple(max(images.tolist()))


def _order(cards: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(card >> 2 for card in cards), cards
