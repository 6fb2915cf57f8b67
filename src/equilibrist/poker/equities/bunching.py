"""Bunching: what folded hands say about the cards of those who are left.

Players who folded hold hands of known ranges. A deal gives hands to them and to the players left,
no card twice, and then a board from the other cards. A deal of the players left and a board thus
have the weight of the folded hands that they leave: of one or two folded ranges it is counted
exactly (`kernels.poker.bunching`); of more, folded hands are drawn.
"""

from __future__ import annotations

from math import comb, prod
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.poker.bunching import all_deals_behind, drawn_boards_behind
from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import Deck
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.deals import (
    TRIES,
    boards_in_a_part,
    choices_of,
    hardly_held,
    ranges_of,
)
from equilibrist.poker.equities.folded import exact_work
from equilibrist.poker.equities.runouts import choice, five_cards, in_parts, key_of
from equilibrist.typing import FloatArray, UInt64Array

_SAMPLES_IN_A_PART: Final = 1_000


class SumsByHand(NamedTuple):
    """Showdowns on all boards, each deal weighed by the folded hands that it leaves."""

    totals: FloatArray  # [4, n]: as `kernels.poker.multiway.all_deals` adds them
    won: FloatArray  # [n, 1326]: the share of the pot, times the weight of its deals, by combo
    met: FloatArray  # [n, 1326]: the weight of the deals


def on_all_deals_behind(
    weights: FloatArray,
    folded: FloatArray,
    board: tuple[int, ...],
    left: list[int],
    suits: UInt64Array,
    threads: int,
    deck: Deck,
) -> SumsByHand:
    """Add up the showdowns on all boards behind one or two folded ranges.

    Args:
        weights: float64[n, 1326], of the players left.
        folded: float64[1 or 2, 1326].
        board: The cards on the board.
        left: The cards that can come.
        suits: uint64[g, 4], suit permutations that change nothing; of boards that are images of
            each other one is counted for all.
        threads: Threads that share the boards.
        deck: The deck, with its ranking.

    Returns:
        The sums; those by hand are for the boards that are counted, without their images.
    """
    sizes = np.count_nonzero(weights, axis=1)
    order = np.argsort(sizes, kind="stable")
    ranges = ranges_of(weights[order])
    tables = _tables(folded)
    to_come = 5 - len(board)
    boards = comb(len(left), to_come)
    length = boards_in_a_part(boards, exact_work(1, prod(sizes.tolist()), len(folded)))

    def part(begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        sums, by_hand = np.zeros((4, len(weights))), np.zeros((2, len(ranges.mask)))
        all_deals_behind(
            strength_tables(7, deck.ranking),
            ranges,
            tables,
            five_cards(board),
            len(board),
            np.array(left, np.int64),
            suits,
            choice(begin, len(left), to_come),
            end - begin,
            sums,
            by_hand[0],
            by_hand[1],
        )
        return sums, by_hand

    total, totals = np.zeros((4, len(weights))), np.zeros((2, len(ranges.mask)))
    for sums, by_hand in in_parts(part, boards, length, threads):
        total += sums
        totals += by_hand
    total[:3, order] = total[:3].copy()
    by_combo = np.zeros((2, *weights.shape))
    players, combos = np.nonzero(weights[order])
    by_combo[:, order[players], combos] = totals
    return SumsByHand(total, by_combo[0], by_combo[1])


def _tables(folded: FloatArray) -> FloatArray:
    """float64[1 or 3, 52, 52]: weights by the two cards; of two ranges also of their products."""
    rows = [*folded, folded[0] * folded[1]] if len(folded) > 1 else [*folded]
    tables = np.zeros((len(rows), NUM_CARDS, NUM_CARDS))
    for table, weights in zip(tables, rows, strict=True):
        table[FIRST_CARD, SECOND_CARD] = table[SECOND_CARD, FIRST_CARD] = weights
    return tables


def on_drawn_boards_behind(
    hands: Hands,
    folded: FloatArray,
    board: tuple[int, ...],
    left: list[int],
    samples: int,
    seed: int,
    threads: int,
    deck: Deck,
) -> list[float]:
    """Add up the showdowns of two ranges on drawn boards, each behind drawn folded hands.

    Args:
        hands: Of both players; sums by hand are added to it.
        folded: float64[k, 1326].
        board: The cards on the board.
        left: The cards that can come.
        samples: How many to draw; each depends on its number and the seed only.
        seed: The seed.
        threads: Threads that share the samples.
        deck: The deck, with its ranking.

    Returns:
        With w the weight of the matchups that player 0 wins on a board, t that of the ties and m
        that of all: the sums of w, m, w * w, w * m, m * m and t.

    Raises:
        ConfigError: The folded hands can hardly be held at the same time.
    """
    order = np.argsort(np.count_nonzero(folded, axis=1), kind="stable")
    choices = choices_of(folded[order], "folded")
    key = key_of(seed)

    def part(begin: int, end: int) -> tuple[Hands, FloatArray]:
        own = hands._replace(won=np.zeros_like(hands.won), met=np.zeros_like(hands.met))
        sums = np.zeros(6)
        failed = drawn_boards_behind(
            strength_tables(7, deck.ranking),
            own,
            choices,
            five_cards(board),
            len(board),
            np.array(left, np.int64),
            key,
            begin,
            end,
            TRIES,
            sums,
        )
        if failed >= 0:
            raise hardly_held(len(folded))
        return own, sums

    total = np.zeros(6)
    for own, sums in in_parts(part, samples, _SAMPLES_IN_A_PART, threads):
        hands.won[:] += own.won
        hands.met[:] += own.met
        total += sums
    return [float(value) for value in total]
