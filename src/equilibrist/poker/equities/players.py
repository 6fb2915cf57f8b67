"""What all computations of equity do with ranges and cards before the first showdown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, check_bool, optional_whole_number
from equilibrist.poker.cards.cards import (
    NUM_CARDS,
    card_mask,
    card_names,
    refuse_outside_deck,
)
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD, without_cards
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray, Int32Array, UInt64Array

LEAST_SAMPLES: Final = 100
DEALS_AT_ONCE: Final = 2_000_000_000
"""Enumerate up to this many deals on all boards, unless samples are requested."""


def as_range(name: str, value: Range | str, deck: Deck) -> Range:
    """Read a range of a deck that may be text; ConfigError for anything else, named `name`."""
    if isinstance(value, str):
        return Range(value, deck=deck)
    if not isinstance(value, Range):
        raise bad_argument(name, value, "a Range or text, such as 'QQ+,AKs'")
    return value


def check_samples(samples: int | None, *, exact: bool) -> int | None:
    """The number of samples; raises ConfigError, also if an exact result is requested as well."""
    drawn = optional_whole_number("samples", samples, LEAST_SAMPLES, 10**9)
    if check_bool("exact", exact) and drawn is not None:
        raise ConfigError(
            "exact equity does not sample boards",
            option="samples",
            given=drawn,
            remedy="leave out samples or exact",
        )
    return drawn


def deck_for(
    players: int, board: tuple[int, ...], dead: tuple[int, ...], whole: Deck = FULL_DECK
) -> list[int]:
    """The cards that players may hold or that may be dealt."""
    refuse_outside_deck("board", board, whole.lowest_rank)
    refuse_outside_deck("dead", dead, whole.lowest_rank)
    if both := [card for card in dead if card in board]:
        raise ConfigError(
            f"{card_names(both, ' ')} cannot be both dead and on the board {card_names(board)}",
            option="dead",
            given=card_names(both, " "),
            remedy="remove it from one of them",
        )
    every = range(4 * whole.lowest_rank, NUM_CARDS)
    deck = [card for card in every if card not in board and card not in dead]
    needed = 2 * players + 5 - len(board)
    if len(deck) < needed:
        raise ConfigError(
            f"{len(dead)} dead cards leave a deck of {len(deck)} cards, but {players} hands and "
            f"the rest of the board need {needed} cards",
            option="dead" if dead else "deck",
            given=len(dead) if dead else whole.name,
            remedy="leave more cards in the deck",
        )
    return deck


def free_weights(
    ranges: Sequence[Range],
    board: tuple[int, ...],
    dead: tuple[int, ...],
    deck: Deck = FULL_DECK,
) -> FloatArray:
    """float64[n, 1326]: the weights without hands that the cards block; none is left empty."""
    free = without_cards(card_mask((*deck.absent, *board, *dead)))
    weights = np.array([np.where(free, hand_range.weights, 0.0) for hand_range in ranges])
    taken = taken_cards(board, dead, deck)
    for number, (hand_range, unblocked) in enumerate(zip(ranges, weights, strict=True), 1):
        name = f"Player {number}"
        if not hand_range:
            raise ConfigError(
                f"{name}'s range is empty", option=name, remedy="give at least one hand, such as AA"
            )
        if not unblocked.any():
            raise ConfigError(
                f"every hand of {name}'s range is blocked ({taken})",
                option=name,
                given=taken,
                remedy="add other hands to the range, or change the cards",
            )
    return weights


def taken_cards(board: tuple[int, ...], dead: tuple[int, ...], deck: Deck = FULL_DECK) -> str:
    """The cards that nobody can hold, in words."""
    words = [f"deck of {deck.size} cards"] if deck.lowest_rank else []
    shown = (("board", board), ("dead", dead))
    return " and ".join(words + [f"{kind} {card_names(cards)}" for kind, cards in shown if cards])


def image_of(suits: Int32Array) -> Int32Array:
    """int32[1326]: the image of each combo when suit k becomes suits[k]."""
    first, second = (card // 4 * 4 + suits[card % 4] for card in (FIRST_CARD, SECOND_CARD))
    images: Int32Array = COMBO_INDEX[first, second]
    return images


def interchangeable(
    weights: FloatArray, board: tuple[int, ...], dead: tuple[int, ...]
) -> UInt64Array:
    """uint64[n, 4]: the suit symmetries of ranges and cards, the identity first."""

    def unchanged(suits: tuple[int, ...]) -> bool:
        same_cards = all(
            {card // 4 * 4 + suits[card % 4] for card in cards} == set(cards)
            for cards in (board, dead)
        )
        return same_cards and np.array_equal(weights[:, image_of(np.array(suits))], weights)

    return np.array([suits for suits in permutations(range(4)) if unchanged(suits)], np.uint64)


def count_boards(deck: Sequence[int], to_come: int, suits: UInt64Array) -> int:
    """The number of boards up to suit images, by Burnside's lemma.

    Args:
        deck: The cards that may come; each symmetry maps them to each other.
        to_come: How many of them come.
        suits: uint64[n, 4], the suit symmetries, a group.

    Returns:
        The mean over the symmetries of the boards that each leaves as they are.
    """
    total = 0
    for image in suits.tolist():
        left, fixed = set(deck), [1] + [0] * to_come  # by cards: sets made of whole cycles
        while left:
            card, length = next(iter(left)), 0
            while card in left:
                left.remove(card)
                card, length = card // 4 * 4 + image[card % 4], length + 1
            for cards in range(to_come, length - 1, -1):
                fixed[cards] += fixed[cards - length]
        total += fixed[to_come]
    return total // len(suits)
