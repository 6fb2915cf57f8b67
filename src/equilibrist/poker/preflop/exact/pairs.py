"""Showdowns before the last card, what hands meet before the flop, and pairs of hands on boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.exact_holdem.arrays import COUNTED_ANEW, Pairs, Runouts
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.preflop.exact.all_in import compatible_pairs, mean_signs
from equilibrist.poker.preflop.exact.boards import (
    BoardTable,
    deck_hands,
    free_hands,
    orbits,
    strengths_on,
)
from equilibrist.poker.preflop.exact.rows import HandRows, rows_of_hands
from equilibrist.typing import BoolArray, FloatArray, Int16Array, Int64Array

_LEAST_RANKED: Final = 3
"""Board cards from which hands are ranked as in poker, by the tables of the evaluator."""


class RootTables(NamedTuple):
    """What hands meet on the first board; R rows, and numbers are means over all that follow."""

    met: FloatArray
    """float64[R, R]: hands of a class that a hand can meet."""
    beaten: FloatArray
    """float64[R, R]: how many of them it beats less how many beat it."""


class HandPairs(NamedTuple):
    """Some hands against all hands that a complete board leaves."""

    others: Int64Array
    """int64[F]: the hands that the board leaves."""
    met: BoolArray
    """bool[N, F]: whether both can be dealt."""
    beaten: NDArray[np.int8]
    """int8[N, F]: 1 where the hand beats the other, -1 where it loses, else 0."""


class PairMatrices:
    """The matrices of the boards that need them, and those of the empty board."""

    def __init__(
        self,
        table: BoardTable,
        rows: HandRows,
        lowest_rank: int,
        to_come: Sequence[int],
        shown: Sequence[bool],
        *,
        sampled: bool,
        ranking: Ranking = STANDARD,
        stored: bool | None = None,
        threads: int = 1,
        on_board: Callable[[int, int], object] | None = None,
    ) -> None:
        """Count them.

        Args:
            table: The boards.
            rows: Their rows.
            lowest_rank: The lowest rank in the deck.
            to_come: By street, the board cards that come after it.
            shown: By street, whether it has showdowns.
            sampled: Whether some boards are missing.
            ranking: How hands compare.
            stored: Whether all matrices are stored. By default those of the turn, which would
                take 96 GB, are counted every time.
            threads: Threads to count with.
            on_board: Called with the boards that are counted, and their number; what it raises
                ends the counting.
        """
        self._table, self._rows, self._lowest, self._to_come = table, rows, lowest_rank, to_come
        self._threads, self._ranking = threads, ranking
        deck = NUM_CARDS - 4 * lowest_rank
        needs = np.array([s > 0 and shown[s] and to_come[s] > 0 for s in range(len(shown))])
        anew = np.array([not stored and is_counted_anew(s, table, to_come)
                         for s in range(len(shown))])  # fmt: skip
        anew &= needs
        sizes = np.where((needs & ~anew)[table.street], table.rows.astype(np.int64) ** 2, 0)
        ends = np.cumsum(sizes)
        place = np.where(sizes > 0, ends - sizes, -1)
        # -1: not needed; COUNTED_ANEW: counted whenever it is needed; else where it is stored.
        self.place: Int64Array = np.where(anew[table.street], COUNTED_ANEW, place)
        ways = [comb(deck - 4 - sum_before, n) for sum_before, n in self._left()]
        self.ways = np.array(ways, np.float32)[table.street]
        self.runouts: Int16Array = np.zeros(int(ends[-1]), np.int16)
        boards = np.flatnonzero(sizes > 0).tolist()
        with ThreadPoolExecutor(threads) as pool:
            counted = pool.map(lambda k: self._count(k, self.runouts, int(self.place[k])), boards)
            try:
                for done, _ in enumerate(counted, start=1):
                    if on_board is not None:
                        on_board(done, len(boards))
            except BaseException:
                pool.shutdown(cancel_futures=True)  # or all boards would be counted first
                raise
        self.root = self._root(shown, sampled=sampled)

    def to_come(self, board: int) -> int:
        """The cards that come after a board."""
        return self._to_come[int(self._table.street[board])]

    def _left(self) -> list[tuple[int, int]]:
        """By street, the cards on the board and those to come."""
        first = [len(self._table.cards[int(np.argmax(self._table.street == s))])
                 for s in range(len(self._to_come))]  # fmt: skip
        return list(zip(first, self._to_come, strict=True))

    def counting(self) -> Runouts | None:
        """Make what a thread needs to count matrices; None where no board is counted every time."""
        table = self._table
        boards = np.flatnonzero(self.place == COUNTED_ANEW)
        if not len(boards):
            return None
        size = len(table.cards[int(boards[0])])
        cards = np.zeros((len(table.cards), size), np.uint8)
        for k in boards.tolist():
            cards[k] = table.cards[k]
        groups = sorted({*table.groups})
        number = {group: n for n, group in enumerate(groups)}
        deck = np.arange(4 * self._lowest, NUM_CARDS, dtype=np.uint8)
        # Hands with cards that are not in the deck are blocked as those of the board are.
        blockers = np.where(deck_hands(self._lowest), COMBO_MASKS, ~np.uint64(0))
        most = int(table.rows[boards].max())
        return Runouts(
            tables=strength_tables(size + 3, self._ranking),
            cards=cards,
            deck=deck,
            first=FIRST_CARD,
            second=SECOND_CARD,
            blockers=blockers,
            hands=self._rows.hand,
            lowest=np.stack([orbits(group).lowest for group in groups]).astype(np.int16),
            group=np.array([number[group] for group in table.groups], np.int32),
            board=np.zeros(size + 1, np.uint8),
            of_row=np.zeros(NUM_COMBOS, np.int16),
            strength=np.zeros(NUM_COMBOS, np.uint16),
            below=np.zeros((len(deck), NUM_COMBOS), np.int16),
            above=np.zeros((len(deck), NUM_COMBOS), np.int16),
            won=np.zeros(NUM_COMBOS, np.int16),
            matrix=np.zeros(most * most, np.int16),
        )

    def arrays(self, real: type[np.floating[Any]]) -> Pairs:
        """The matrices as the kernel reads them, with floats of a type."""
        met, beaten = (table.astype(real).ravel() for table in self.root)
        return Pairs(met, beaten, self.runouts)

    def _count(self, board: int, out: Int16Array, place: int) -> None:
        """Fill in the matrix of a board."""
        from equilibrist.kernels.exact_holdem.runouts import (
            pairs_from_cards,
            pairs_from_strengths,
        )

        table, rows = self._table, self._rows
        street = int(table.street[board])
        cards = table.cards[board]
        deck = [c for c in range(4 * self._lowest, NUM_CARDS) if c not in cards]
        whole = [(*cards, *more) for more in combinations(deck, self._to_come[street])]
        start = int(rows.first[board])
        hands = rows.hand[start : start + int(table.rows[board])]
        of_row = np.where(deck_hands(self._lowest), rows_of_hands(table, rows, board), np.int16(-1))
        below, above = (np.empty((len(whole), NUM_COMBOS), np.int16) for _ in range(2))
        won = np.empty(NUM_COMBOS, np.int16)
        if len(whole[0]) >= _LEAST_RANKED:
            pairs_from_cards(
                strength_tables(len(whole[0]) + 2, self._ranking), np.array(whole, np.uint8),
                FIRST_CARD, SECOND_CARD, hands, of_row, COMBO_MASKS,
                np.empty(NUM_COMBOS, np.uint16), below, above, won, out, place,
            )  # fmt: skip
        else:
            strengths = np.stack(
                [strengths_on(board_cards, self._ranking) for board_cards in whole]
            )
            pairs_from_strengths(
                strengths, hands, of_row, COMBO_MASKS, below, above, won, out, place
            )

    def _root(self, shown: Sequence[bool], *, sampled: bool) -> RootTables:
        table, rows = self._table, self._rows
        many = rows.many[: int(table.rows[0])].astype(np.float64)
        hands = rows.hand[: len(many)]
        if table.cards[0]:
            shares = np.zeros(len(hands) ** 2, np.int16)
            if shown[0]:
                self._count(0, shares, 0)
            beaten = shares.reshape(len(hands), -1) / float(self.ways[0])
            return RootTables(self._met_on(0), beaten)
        met = compatible_pairs(hands, self._lowest)
        beaten = np.zeros_like(met)
        if not sampled:
            if shown[0]:
                beaten = mean_signs(
                    hands, self._to_come[0], self._lowest, self._threads, self._ranking
                )
            return RootTables(met, beaten)
        total = np.zeros_like(met)
        for k in np.flatnonzero(table.street == 1).tolist():
            start, count = int(rows.first[k]), int(table.rows[k])
            of = np.zeros((count, len(many)))
            of[np.arange(count), rows.above[start : start + count]] = 1.0
            weight = table.weight[k] * rows.many[start : start + count, None].astype(np.float64)
            total += (of * weight).T @ self._met_on(k) @ of
            if shown[0]:
                if self.place[k] >= 0:
                    place = int(self.place[k])
                    matrix = self.runouts[place : place + count**2]
                else:
                    matrix = np.empty(count**2, np.int16)
                    self._count(k, matrix, 0)
                share = matrix.reshape(count, count) / float(self.ways[k])
                beaten += (of * weight).T @ share @ of
        return RootTables(total / many[:, None], beaten / many[:, None])

    def _met_on(self, board: int) -> FloatArray:
        """float64[n, n]: hands of each row that a hand of a row can meet on a board."""
        table, rows = self._table, self._rows
        start, count = int(rows.first[board]), int(table.rows[board])
        own = rows.hand[start : start + count]
        of_row = rows_of_hands(table, rows, board)
        every = np.flatnonzero((of_row >= 0) & deck_hands(self._lowest))
        free = (COMBO_MASKS[own][:, None] & COMBO_MASKS[every][None, :]) == 0
        met = np.zeros((count, count))
        order = np.argsort(of_row[every], kind="stable")
        begins = np.searchsorted(of_row[every][order], np.arange(count))
        met[:] = np.add.reduceat(free[:, order].astype(np.float64), begins, axis=1)
        return met


@cache
def compatible() -> BoolArray:
    """bool[1326, 1326]: whether two hands have no card in common."""
    cards = np.stack([FIRST_CARD, SECOND_CARD])
    shared = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(0, 1))
    disjoint: BoolArray = ~shared
    return disjoint


def hand_pairs(
    board: Sequence[int],
    hands: Sequence[int],
    lowest_rank: int,
    ranking: Ranking = STANDARD,
) -> HandPairs:
    """Compare hands on a board on which they are shown down.

    Args:
        board: The cards.
        hands: The hands; none has a card of the board.
        lowest_rank: The lowest rank in the deck.
        ranking: How hands compare.

    Returns:
        The pairs.
    """
    others = np.flatnonzero(free_hands(board, lowest_rank))
    strength = strengths_on(board, ranking)
    own = np.asarray(hands, np.int64)
    mine, theirs = strength[own][:, None], strength[others]
    met = compatible()[own][:, others]
    beaten: NDArray[np.int8] = met * (mine > theirs).astype(np.int8) - met * (mine < theirs).astype(
        np.int8
    )
    return HandPairs(others, met, beaten)


def is_counted_anew(street: int, table: BoardTable, to_come: Sequence[int]) -> bool:
    """Whether matrices are counted every time: from the turn on, with one card to come."""
    cards = len(table.cards[int(np.argmax(table.street == street))])
    return street >= 2 and to_come[street] == 1 and cards + 1 >= _LEAST_RANKED
