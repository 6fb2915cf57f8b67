"""Suit isomorphism: deals that are images of each other under permutations of the suits.

A permutation of the suits that maps the board to itself and leaves both ranges unchanged is a
symmetry of the game. Of the cards that symmetries map to each other, only one is solved; the others
follow from it. After a card is dealt, the symmetries that fix it remain. This is exact: an
isomorphism, not an abstraction.

With `deals = next_deals(board, symmetries)`, hand h on card c plays as hand
`COMBO_IMAGES[deals.to_representative[c], h]` on card `deals.cards[deals.deal[c]]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_numbers
from equilibrist.poker.cards.combos import (
    COMBO_INDEX,
    FIRST_CARD,
    NUM_COMBOS,
    SECOND_CARD,
    without_cards,
)
from equilibrist.typing import FloatArray, Int32Array

SUIT_PERMUTATIONS: Final[Int32Array] = np.array(list(permutations(range(4))), np.int32)
"""int32[24, 4]: the image of each suit; the first permutation is the identity."""
CARD_IMAGES: Final[Int32Array] = (
    4 * (np.arange(NUM_CARDS, dtype=np.int32) // 4) + SUIT_PERMUTATIONS[:, np.arange(NUM_CARDS) % 4]
)
"""int32[24, 52]: the image of each card."""
COMBO_IMAGES: Final[Int32Array] = COMBO_INDEX[
    CARD_IMAGES[:, FIRST_CARD], CARD_IMAGES[:, SECOND_CARD]
]
"""int32[24, 1326]: the image of each combo."""

for _array in (SUIT_PERMUTATIONS, CARD_IMAGES, COMBO_IMAGES):
    _array.flags.writeable = False


class Deals(NamedTuple):
    """The next card: K representatives of all cards that may be dealt."""

    cards: Int32Array
    """int32[K]: the representatives, ascending; each is the lowest of its images."""
    copies: Int32Array
    """int32[K]: how many cards each represents; the sum is the number of cards not on the board."""
    deal: Int32Array
    """int32[52]: the index in `cards` of each card's representative; -1 for cards on the board."""
    to_representative: Int32Array
    """int32[52]: the index in SUIT_PERMUTATIONS that maps a card to its representative."""

    def __repr__(self) -> str:
        return brief_repr(self)


def symmetries(board: Iterable[int], ranges: Sequence[FloatArray]) -> Int32Array:
    """The permutations of suits under which a spot stays the same.

    Args:
        board: The public cards at the root.
        ranges: Weights of each range, float64[1326]; hands that the board blocks are ignored.

    Returns:
        int32[G], indices of SUIT_PERMUTATIONS; the identity, 0, comes first.

    Raises:
        ConfigError: The board is none, or a range has not 1,326 weights.
    """
    cards = np.array(sorted(card_numbers("board", board)), np.int32)
    for weights in several("ranges", ranges, "weights of ranges"):
        if np.shape(weights) != (NUM_COMBOS,):
            raise bad_argument("ranges", weights, f"arrays of {NUM_COMBOS} weights")
    possible = without_cards(card_mask(cards.tolist()))
    held = [np.where(possible, weights, 0.0) for weights in ranges]
    fixed = (np.sort(CARD_IMAGES[:, cards], axis=1) == cards).all(axis=1)
    fixing_all = [
        number
        for number in np.flatnonzero(fixed)
        if all(np.array_equal(weights, weights[COMBO_IMAGES[number]]) for weights in held)
    ]
    return np.array(fixing_all, np.int32)


def next_deals(board: Iterable[int], group: Int32Array, lowest_rank: int = 0) -> Deals:
    """The representatives of the next card under the symmetries that remain.

    Args:
        board: The public cards.
        group: int32[G], the symmetries as `symmetries` returns them.
        lowest_rank: The lowest rank in the deck.

    Returns:
        The representatives, and what each stands for.

    Raises:
        ConfigError: The board or the symmetries are none.
    """
    board, group = card_numbers("board", board), _group(group)
    images = CARD_IMAGES[group]
    lowest = images.min(axis=0)
    lowest[list(board)] = lowest[: 4 * lowest_rank] = -1
    cards, deal, copies = np.unique(lowest, return_inverse=True, return_counts=True)
    return Deals(
        cards[1:].astype(np.int32),
        copies[1:].astype(np.int32),
        deal.astype(np.int32) - 1,
        group[images.argmin(axis=0)],
    )


def _group(group: object) -> Int32Array:
    """Numbers of permutations of suits; ConfigError for anything else."""
    try:
        numbers = np.asarray(group)
    except ValueError:
        numbers = np.zeros(0)
    is_group = numbers.ndim == 1 and len(numbers) and numbers.dtype.kind in "iu"
    if not is_group or numbers.min() < 0 or numbers.max() >= len(SUIT_PERMUTATIONS):
        raise bad_argument("group", group, "numbers of permutations, as symmetries gives them")
    return numbers


def fixing(group: Int32Array, card: int) -> Int32Array:
    """The symmetries that fix a card: those that remain after it is dealt."""
    remaining: Int32Array = group[CARD_IMAGES[group, card] == card]
    return remaining


def representative(
    board: Sequence[int], group: Int32Array, runout: Iterable[int]
) -> tuple[tuple[int, ...], Int32Array]:
    """The runout that was solved in place of a given one, and the image of each hand.

    Args:
        board: The public cards at the root.
        group: int32[G], the symmetries as `symmetries` returns them.
        runout: The cards that are dealt after it.

    Returns:
        The runout that was solved, and int32[1326]: hand h on the given runout plays as `hands[h]`
        on the other.

    Raises:
        ConfigError: The cards or the symmetries are none.
    """
    board, group = card_numbers("board", board), _group(group)
    runout = card_numbers("runout", runout)
    if len(board) + len(runout) > 5 or len({*board, *runout}) < len(board) + len(runout):
        raise bad_argument(
            "runout", list(runout), "cards that are not dealt yet, at most five with the board"
        )
    dealt: tuple[int, ...] = ()
    cards, hands = CARD_IMAGES[0], COMBO_IMAGES[0]
    for card in runout:
        deals = next_deals((*board, *dealt), group)
        number = deals.to_representative[cards[card]]
        cards, hands = CARD_IMAGES[number][cards], COMBO_IMAGES[number][hands]
        dealt = (*dealt, int(cards[card]))
        group = fixing(group, dealt[-1])
    return dealt, hands


def deals_by_street(
    board: Sequence[int], group: Int32Array, lowest_rank: int = 0
) -> list[list[tuple[int, ...]]]:
    """The cards dealt to reach each solved board, by street; the first street has ()."""
    streets: list[list[tuple[tuple[int, ...], Int32Array]]] = [[((), group)]]
    while len(board) + len(streets) <= 5:
        streets.append(
            [
                ((*dealt, card), fixing(remaining, card))
                for dealt, remaining in streets[-1]
                for card in next_deals((*board, *dealt), remaining).cards.tolist()
                if card >= 4 * lowest_rank
            ]
        )
    return [[dealt for dealt, _ in street] for street in streets]
