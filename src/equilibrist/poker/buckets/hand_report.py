"""A hand in its bucket: its equity, the distribution behind it, and the hands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.kernels.buckets.river_equities import river_equities
from equilibrist.parsing.arguments import instance
from equilibrist.poker.buckets.board_hands import deck_hands
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.buckets.river_hands import BINS, bins, opponents
from equilibrist.poker.buckets.spec import BOARD_SIZES, STREETS
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, NUM_COMBOS, combo_name
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.typing import FloatArray, UInt16Array


class BoardEquities(NamedTuple):
    """The equities of all hands on all boards of five cards that continue a board."""

    rivers: UInt16Array
    """uint16[R, 1326]: equities out of `whole`; whole + 1 where the hand is not dealt."""
    whole: int

    def mean(self) -> FloatArray:
        """float64[1326]: the equity of each hand against a random hand; NaN where not dealt."""
        dealt = self.rivers <= self.whole
        count = dealt.sum(axis=0)
        total = np.where(dealt, self.rivers, 0).sum(axis=0, dtype=np.int64)
        return np.where(count > 0, total / np.maximum(count, 1) / self.whole, np.nan)

    def histogram(self, hand: int) -> tuple[float, ...]:
        """The share of the rivers in each of 50 bins of the hand's equity."""
        counts = np.bincount(bins(self.whole)[self.rivers[:, hand]], minlength=BINS + 1)[:BINS]
        return tuple((counts / max(1, counts.sum())).tolist())


def board_equities(board: Sequence[int], lowest_rank: int = 0) -> BoardEquities:
    """The equities of all hands on a flop, a turn or a river, river by river."""
    deck = [card for card in range(4 * lowest_rank, NUM_CARDS) if card not in board]
    rest = list(combinations(deck, 5 - len(board)))
    boards = np.array([[*board, *cards] for cards in rest], np.uint8)
    boards.flags.writeable = False  # as those of `canonical_boards`: one compiled kernel for both
    whole = 2 * opponents(lowest_rank)
    rivers = np.empty((len(boards), NUM_COMBOS), np.uint16)
    river_equities(strength_tables(7), deck_hands(lowest_rank), boards, whole + 1, rivers)
    return BoardEquities(rivers, whole)


@dataclass(frozen=True)
class HandReport:
    """A hand in its bucket.

    Attributes:
        hand: Its name; before the flop that of its class.
        street: preflop, flop, turn or river.
        kind: How the buckets of the street were made.
        bucket: The number of its bucket, from 0; the weakest comes first where the kind has an
            order.
        buckets: How many there are.
        share: The share of all deals of the street that are in the bucket.
        bucket_equity: The mean equity of the hands in the bucket, over all boards.
        equity: The equity of the hand against a random hand on this board; before the flop in a
            deck of 52 cards only.
        histogram: On a flop or a turn the share of the rivers in each of 50 equal bins of the
            hand's equity there; empty otherwise.
        mates: The other hands of the bucket on this board with their equities, strongest first;
            before the flop classes.
    """

    hand: str
    street: str
    kind: str
    bucket: int
    buckets: int
    share: float
    bucket_equity: float
    equity: float | None
    histogram: tuple[float, ...]
    mates: tuple[tuple[str, float | None], ...]

    def __repr__(self) -> str:
        return brief_repr(self)


def hand_report(cards: CardBuckets, board: Sequence[int], hand: int) -> HandReport:
    """Look a hand up with all that is known about it.

    Args:
        cards: The buckets.
        board: No card, or three to five distinct cards of the deck.
        hand: The number of the hand, 0 to 1,325.

    Returns:
        The report.

    Raises:
        ConfigError: This is not a board of the deck, or the hand cannot be dealt on it.
        FileFormatError: The file is damaged.
    """
    instance("cards", cards, CardBuckets, "CardBuckets", remedy="CardBuckets.load opens a file")
    bucket = cards.lookup(board, hand)
    street = BOARD_SIZES.index(len(board))
    facts = cards.facts(street)
    mates = np.flatnonzero(cards.row(board) == bucket)
    equity: float | None
    histogram: tuple[float, ...] = ()
    beside: list[tuple[str, float | None]]
    if street:
        equities = board_equities(board, cards.lowest_rank)
        mean = equities.mean()
        equity, name = float(mean[hand]), combo_name(hand)
        order = mates[np.argsort(-mean[mates], kind="stable")]
        beside = [(combo_name(h), float(mean[h])) for h in order.tolist() if h != hand]
        histogram = equities.histogram(hand) if len(board) < 5 else ()
    else:
        equity_of_class = EQUITY_AGAINST_RANDOM if not cards.lowest_rank else {}
        name = CLASS_NAMES[CLASS_OF_COMBO[hand]]
        equity = equity_of_class.get(name)
        names = {CLASS_NAMES[k] for k in np.unique(CLASS_OF_COMBO[mates])} - {name}
        beside = sorted(
            ((n, equity_of_class.get(n)) for n in names),
            key=lambda mate: (-(mate[1] or 0), mate[0]),
        )
    return HandReport(
        hand=name,
        street=STREETS[street],
        kind=facts.kind,
        bucket=bucket,
        buckets=facts.buckets,
        share=float(facts.size[bucket] / facts.size.sum()),
        bucket_equity=float(facts.equity[bucket]),
        equity=equity,
        histogram=histogram,
        mates=tuple(beside),
    )
