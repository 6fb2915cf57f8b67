"""The lists of a board and three ranges that the kernels of three players read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.three_lists import (
    CARDS,
    Paths,
    RangeLists,
    SeatLists,
    list_cards,
    list_levels,
    list_paths,
)
from equilibrist.kernels.poker.three_runouts import RunoutLists
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.three_players.forms import check_hands
from equilibrist.typing import Int32Array, Int64Array


class Tables:
    """What three lists of hands on a board fix for the values of all lines of betting.

    Attributes:
        widths: The length of each seat's rows of reach and values: its hands in the order given,
            filled up to a multiple of 16.
        seats: The lists of each seat.
    """

    widths: tuple[int, int, int]
    seats: tuple[SeatLists, SeatLists, SeatLists]

    def __init__(
        self,
        board: Sequence[int],
        hands: Sequence[Int32Array],
        deck: str | Deck = FULL_DECK,
        widths: Sequence[int] | None = None,
    ) -> None:
        """Compare the hands and list which of them share cards.

        Args:
            board: Five cards, by number; FF alone is right with four, too.
            hands: For each seat, int[n], n > 0: its hands by combo number, in any order.
            deck: The deck, whose ranking counts.
            widths: The lengths of the seats' rows, multiples of 16, if they are longer.

        Raises:
            ConfigError: A hand contains a card of the board, or comes twice.
        """
        strengths = combo_strengths(board, deck)
        number = np.zeros(NUM_CARDS, np.uint8)  # of a card among those not on the board
        number[np.setdiff1d(np.arange(NUM_CARDS), board)] = np.arange(NUM_CARDS - len(board))
        checked = check_hands(board, hands)
        # Equal hands by card: neighbours that share one read rows that are in the cache.
        orders = [np.lexsort((held, strengths[held])) for held in checked]
        ranked = [held[order] for held, order in zip(checked, orders, strict=True)]
        wide = widths or [filled_up(max(len(held), 1), TILE) for held in checked]
        ranges = [
            _range_lists(number[FIRST_CARD[held]], number[SECOND_CARD[held]], order, width)
            for held, order, width in zip(ranked, orders, wide, strict=True)
        ]
        strong = [strengths[held].astype(np.int64) for held in ranked]
        first, second, third = (len(lists.rank) for lists in ranges)
        self.widths = first, second, third
        self.seats = (
            _seat_lists((0, 1, 2), ranges, strong),
            _seat_lists((1, 0, 2), ranges, strong),
            _seat_lists((2, 0, 1), ranges, strong),
        )


def pack_lists(lists: Sequence[SeatLists]) -> RunoutLists:
    """The lists of a seat on several boards, one behind the other.

    Args:
        lists: Those of each board, whose rows are equally long.

    Returns:
        The lists.
    """
    sizes = [
        (
            len(own.card_a), len(j.card_a), len(k.card_a), len(of_board.both_j),
            len(of_board.level), len(of_board.card), len(of_board.tied),
            len(of_board.paths.first), len(of_board.paths_j.first), len(of_board.paths_k.first),
        )
        for of_board in lists
        for own, j, k in [(of_board.own, of_board.j, of_board.k)]
    ]  # fmt: skip
    at = np.concatenate([np.zeros((1, len(sizes[0])), np.int64), np.cumsum(sizes, axis=0)])
    return RunoutLists(_joined(lists), np.ascontiguousarray(at, np.int64))


def list_bytes(board: Sequence[int], hands: Sequence[Int32Array]) -> int:
    """The bytes of the lists of a board as `pack_lists` has them for the three seats.

    Args:
        board: Its cards.
        hands: For each seat, its combos.

    Returns:
        The bytes.
    """
    return sum(map(_bytes_of, Tables(board, hands).seats))


def _bytes_of(lists: Any) -> int:
    """The bytes of the arrays of NamedTuples."""
    if isinstance(lists, np.ndarray):
        return lists.nbytes
    return sum(map(_bytes_of, lists))


def _joined(tuples: Sequence[Any]) -> Any:
    """One NamedTuple whose arrays are those of several, one behind the other."""
    first = tuples[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(tuples)
    return type(first)(*(_joined(fields) for fields in zip(*tuples, strict=True)))


def _range_lists(card_a: Any, card_b: Any, order: Int64Array, width: int) -> RangeLists:
    """Lists of a range, whose hands are given by rank, with the order by which they are so."""
    hands = len(order)
    rank = np.arange(width, dtype=np.int16)
    rank[order] = np.arange(hands)
    lists = RangeLists(
        card_a=np.ascontiguousarray(card_a),
        card_b=np.ascontiguousarray(card_b),
        rank=rank,
        row=np.full(CARDS * CARDS, width, np.uint16),
        begin=np.zeros(CARDS + 1, np.int64),
        by_card=np.zeros(hands, np.uint16),
        item=np.zeros(2 * hands, np.uint16),
        other=np.zeros(2 * hands, np.uint8),
    )
    list_cards(*(field for name, field in lists._asdict().items() if name != "rank"))
    return lists


def _seat_lists(
    seats: tuple[int, int, int], ranges: Sequence[RangeLists], strengths: Sequence[Int64Array]
) -> SeatLists:
    """Lists of the first of three seats, the others being j and k; strengths are by rank."""
    own, j, k = (ranges[seat] for seat in seats)
    strong, strong_j, strong_k = (strengths[seat] for seat in seats)
    in_own, in_j, in_k = (
        CARDS * held.card_a.astype(np.int64) + held.card_b.astype(np.int64) for held in (own, j, k)
    )
    j_in_k = k.row[in_j]
    both = np.flatnonzero(j_in_k < len(in_k))
    ends = np.append(np.flatnonzero(np.diff(strong)), len(in_own) - 1) + 1
    levels = strong[ends - 1]
    bounds = [
        np.searchsorted(others, levels, side)
        for others in (strong_j, strong_k, strong_j[both])
        for side in ("left", "right")
    ]
    level = np.ascontiguousarray(np.stack([ends, *bounds], axis=1), np.int64)
    level_begin = np.zeros(len(level) + 1, np.int64)
    card = np.zeros(2 * len(in_own), np.uint8)
    count = np.zeros((2 * len(in_own), 4), np.uint8)
    tied_begin = np.zeros(3 * len(level) + 1, np.int64)
    tied = np.zeros(2 * (len(in_j) + len(in_k)), np.uint8)
    marks = np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64)
    cards, ties = list_levels(own, j, k, level, level_begin, card, count, tied_begin, tied, *marks)
    paths, paths_j, paths_k = _paths(own, j, k, level)
    return SeatLists(
        own=own,
        j=j,
        k=k,
        twin_j=j.row[in_own],
        twin_k=k.row[in_own],
        j_in_k=j_in_k,
        k_in_j=j.row[in_k],
        both_j=both.astype(np.uint16),
        both_k=j_in_k[both],
        level=level,
        level_begin=level_begin,
        card=card[:cards].copy(),
        count=count[:cards].copy(),
        tied=tied[:ties].copy(),
        tied_begin=tied_begin,
        paths=paths,
        paths_j=paths_j,
        paths_k=paths_k,
    )


def _paths(
    own: RangeLists, j: RangeLists, k: RangeLists, level: Int64Array
) -> tuple[Paths, Paths, Paths]:
    """The pairs on paths of all three kinds, counted first."""
    hands = len(own.card_a)
    count, count_j, count_k = (np.zeros(classes * hands, np.int64) for classes in (2, 1, 1))
    empty = _empty_paths(np.zeros(1, np.int64))
    list_paths(own, j, k, level, empty, empty, empty, count, count_j, count_k, False)
    paths, paths_j, paths_k = (
        _empty_paths(np.append(0, np.cumsum(counted))) for counted in (count, count_j, count_k)
    )
    at, at_j, at_k = (filled.bound[:-1].copy() for filled in (paths, paths_j, paths_k))
    list_paths(own, j, k, level, paths, paths_j, paths_k, at, at_j, at_k, True)
    return paths, paths_j, paths_k


def _empty_paths(bound: Int64Array) -> Paths:
    """Paths with these bounds, to be filled."""
    pairs = int(bound[-1])
    first, second = np.zeros(pairs, np.uint16), np.zeros(pairs, np.uint16)
    return Paths(bound, first, second, np.zeros(pairs, np.uint8))
