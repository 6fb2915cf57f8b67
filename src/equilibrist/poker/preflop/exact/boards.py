"""All boards of a game up to suits, and the classes of hands on each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.decks import STANDARD, Ranking, deck_of
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.typing import BoolArray, Int32Array, UInt8Array

Group = tuple[int, ...]
"""Indices of SUIT_PERMUTATIONS, the identity first."""
ALL_SUITS: Final[Group] = tuple(range(24))


class Orbits(NamedTuple):
    """What a group of suit permutations makes equal."""

    card: UInt8Array
    """uint8[52]: the number of the orbit of each card."""
    alike: np.ndarray
    """float32[52]: the cards of each orbit, by its number; 1 for numbers that none has."""
    lowest: Int32Array
    """int32[1326]: the lowest image of each hand."""
    many: Int32Array
    """int32[1326]: the images of each hand."""


class Deal(NamedTuple):
    """Cards that are dealt to a board, and what is alike to them."""

    cards: tuple[int, ...]
    copies: float
    group: Group
    """The permutations that fix the board with them."""


@cache
def orbits(group: Group) -> Orbits:
    """The orbits of cards and hands."""
    lowest = CARD_IMAGES[list(group)].min(axis=0)
    _, card, count = np.unique(lowest, return_inverse=True, return_counts=True)
    alike = np.ones(NUM_CARDS, np.float32)
    alike[: len(count)] = count
    hands = COMBO_IMAGES[list(group)].min(axis=0)
    _, of, size = np.unique(hands, return_inverse=True, return_counts=True)
    return Orbits(card.astype(np.uint8), alike, hands, size[of].astype(np.int32))


@cache
def deck_hands(lowest_rank: int) -> BoolArray:
    """bool[1326]: the hands of a deck without the ranks below the lowest."""
    is_dealt: BoolArray = 4 * lowest_rank <= FIRST_CARD
    return is_dealt


def free_hands(board: Sequence[int], lowest_rank: int) -> BoolArray:
    """bool[1326]: the hands that a board leaves."""
    mask = np.uint64(card_mask(board))
    free: BoolArray = deck_hands(lowest_rank) & ((COMBO_MASKS & mask) == 0)
    return free


def deals(board: Sequence[int], group: Group, count: int, lowest_rank: int = 0) -> list[Deal]:
    """List what may be dealt to a board, up to the permutations that fix it.

    Args:
        board: The public cards.
        group: The permutations.
        count: Cards to deal.
        lowest_rank: The lowest rank in the deck.

    Returns:
        A representative of each kind; their copies sum to the number of sets of cards.
    """
    deck = [card for card in range(4 * lowest_rank, NUM_CARDS) if card not in board]
    sets = np.array(list(combinations(deck, count)), np.int32).reshape(-1, count)
    images = np.sort(CARD_IMAGES[list(group)][:, sets], axis=2).astype(np.int64)
    base = NUM_CARDS ** np.arange(count - 1, -1, -1)
    keys = images @ base
    lowest = keys.min(axis=0)
    _, first, copies = np.unique(lowest, return_index=True, return_counts=True)
    kinds = []
    for place, many in zip(first.tolist(), copies.tolist(), strict=True):
        fixing = np.flatnonzero(keys[:, place] == keys[0, place])
        cards = tuple(sets[place].tolist())
        kinds.append(Deal(cards, many, tuple(group[k] for k in fixing)))
    return kinds


def sample_deals(all_deals: Sequence[Deal], count: int, seed: int) -> list[Deal]:
    """Draw a systematic sample of deals, each with a probability proportional to its copies.

    Deals lie side by side on a line, `copies` wide; one is taken every total / count from a random
    start, a wider one perhaps more than once (W. G. Cochran, Sampling Techniques, chapter 8).

    Args:
        all_deals: All deals up to suit permutations.
        count: How many to take, at least 1.
        seed: Seed of the start.

    Returns:
        The distinct deals taken, in order, with copies = times taken * total / count; their sum is
        kept.
    """
    ends = np.cumsum([deal.copies for deal in all_deals])
    start = np.random.default_rng(seed).random()
    places = np.searchsorted(ends, (np.arange(count) + start) * ends[-1] / count, side="right")
    taken, hits = np.unique(places, return_counts=True)
    step = ends[-1] / count
    return [
        all_deals[place]._replace(copies=float(hit * step))
        for place, hit in zip(taken.tolist(), hits.tolist(), strict=True)
    ]


class BoardTable(NamedTuple):
    """The boards of all streets in preorder."""

    cards: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    street: np.ndarray
    parent: np.ndarray
    end: np.ndarray
    weight: np.ndarray
    """How probable each is after the one above it, for two hands that leave it."""
    rows: np.ndarray


def board_table(
    dealt: Sequence[int],
    lowest_rank: int = 0,
    sample: int | None = None,
    seed: int = 0,
    only: Sequence[int] = (),
) -> BoardTable:
    """List the boards.

    Args:
        dealt: Cards that are dealt before each street; the first number is 0.
        lowest_rank: The lowest rank in the deck.
        sample: How many boards of the first cards are drawn; None for all.
        seed: The seed of the draw.
        only: The cards that are certain to be dealt first; none for all that may be.

    Returns:
        The boards; the first is the empty one.
    """
    deck = NUM_CARDS - 4 * lowest_rank
    cards: list[tuple[int, ...]] = []
    groups: list[Group] = []
    columns: list[list[float]] = [[], [], [], []]  # street, parent, end, weight
    rows: list[int] = []

    def add(board: tuple[int, ...], group: Group, street: int, parent: int, weight: float) -> None:
        place = len(cards)
        cards.append(board)
        groups.append(group)
        for column, number in zip(columns, (street, parent, 0, weight), strict=True):
            column.append(number)
        rows.append(int((free_hands(board, lowest_rank) & lowest_hands(group)).sum()))
        if street + 1 < len(dealt):
            count = dealt[street + 1]
            ways = comb(deck - 4 - len(board), count)
            if only and street == 0:
                dealt_next = [Deal(tuple(sorted(only)), float(ways), _fixing(only))]
            else:
                dealt_next = deals(board, group, count, lowest_rank)
            if sample is not None and street == 0:
                dealt_next = sample_deals(dealt_next, sample, seed)
            for deal in dealt_next:
                share = deal.copies / ways
                add((*board, *deal.cards), deal.group, street + 1, place, share)
        columns[2][place] = len(cards)

    add((), ALL_SUITS, 0, -1, 1.0)
    street, parent, end, weight = columns
    return BoardTable(
        tuple(cards),
        tuple(groups),
        np.array(street, np.int8),
        np.array(parent, np.int32),
        np.array(end, np.int32),
        np.array(weight),
        np.array(rows, np.int32),
    )


def _fixing(board: Sequence[int]) -> Group:
    """The permutations that leave the cards of a board the same."""
    return tuple(k for k in ALL_SUITS if {*CARD_IMAGES[k][list(board)].tolist()} == {*board})


@cache
def lowest_hands(group: Group) -> BoolArray:
    """bool[1326]: the hands that stand for their class."""
    is_lowest: BoolArray = orbits(group).lowest == np.arange(len(FIRST_CARD))
    return is_lowest


def strengths_on(board: Sequence[int], ranking: Ranking = STANDARD) -> Int32Array:
    """The strength of each combo on a board of no to five cards.

    Args:
        board: Distinct card numbers.
        ranking: How hands of five cards and more compare.

    Returns:
        int32[1326], from 1; 0 for combos that the board blocks.
    """
    if len(board) >= 3:
        return combo_strengths(board, deck_of(ranking)).astype(np.int32)
    taken = np.zeros(NUM_CARDS, np.bool_)
    taken[list(board)] = True
    free = ~(taken[FIRST_CARD] | taken[SECOND_CARD])
    ranks = np.stack(
        [FIRST_CARD >> 2, SECOND_CARD >> 2, *(np.full(NUM_COMBOS, card >> 2) for card in board)]
    )
    count = (ranks[:, None, :] == ranks[None, :, :]).sum(axis=1)
    # Cards that come more often count first: a pair and a kicker, three cards, two pairs.
    keys = -np.sort(-(16 * count + ranks), axis=0)
    strength = np.zeros(NUM_COMBOS, np.int64)
    for row in keys:
        strength = strength * 128 + row
    _, order = np.unique(strength, return_inverse=True)
    return np.where(free, order + 1, 0).astype(np.int32)
