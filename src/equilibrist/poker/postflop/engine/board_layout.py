"""The boards of a spot as arrays: the hands they leave, their order and their origin.

A player's hands on a board are those that it does not block, in the order of the first board.
Showdowns visit them from the weakest to the strongest, given by their ranks. On streets without
showdowns ranks are indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import Boards, Deals
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram
from equilibrist.typing import Int32Array, Int64Array

Int16Array = NDArray[np.int16]
Strengths = Callable[[tuple[int, ...]], Sequence[NDArray[Any]]]


@dataclass(frozen=True)
class SolvedBoard:
    """A board that is solved: the cards dealt since the first one, and its suit images."""

    parent: int
    """The previous board, -1 for the first."""
    street: int
    """0 for the first board."""
    cards: tuple[int, ...]
    """The dealt cards in order; hands that contain one are left out."""
    chance: float = 1.0
    """The probability of the last card, given two hands that do not contain it."""
    images: tuple[tuple[Int32Array, Int32Array], ...] = ()
    """For every image other than the board itself, the images of both players' hands."""


class BoardTable(NamedTuple):
    """All boards of a game."""

    boards: Boards
    deals: Deals
    dealt: tuple[SolvedBoard, ...]
    first: tuple[Int16Array, Int16Array]
    """Each player's hands on the first board, in order."""
    children: tuple[tuple[int, int], ...]
    """For each board, the range of the boards after it."""
    wide: tuple[int, int]
    """The largest number of each player's hands on a board, padded to a multiple of TILE."""
    entries: int
    """The number of regrets on all boards."""
    decisions: int
    """The number of decisions on all boards."""

    @property
    def regrets_of_boards(self) -> Int64Array:
        """int64[boards]: the number of regrets of both players on each board."""
        begins = np.append(self.boards.arena.T.ravel(), self.entries)
        regrets: Int64Array = np.diff(begins).reshape(-1, 2).sum(axis=1)
        return regrets

    def ranks(self, board: int, player: int) -> Int16Array:
        """int16[n]: the rank of each of a player's hands on a board, from the weakest up."""
        start = int(self.boards.hands[player, board])
        ranks: Int16Array = self.boards.rank[start : start + int(self.boards.live[player, board])]
        return ranks

    def held(self, board: int) -> tuple[Int16Array, Int16Array]:
        """Each player's hands on a board, in order, as indices into those of the game."""
        parent = self.dealt[board].parent
        if parent < 0:
            return self.first
        before, deals = self.held(parent), self.deals
        ends = [
            deals.run_end[start : start + count - 1]
            for start, count in zip(deals.run[:, board], deals.runs[:, board], strict=True)
        ]
        return np.delete(before[0], ends[0]), np.delete(before[1], ends[1])


def board_table(
    cards: Sequence[Int32Array],
    dealt: Sequence[SolvedBoard],
    strengths: Strengths,
    betting: BettingProgram,
    dtype: Any,
) -> BoardTable:
    """Lay out the boards, which are given by street, siblings next to each other.

    `cards[p]`, int[n, 2], are the cards of player p's hands, numbers below 63. `strengths` maps the
    cards dealt on a board of the last street to both players' hand strengths.
    """
    # Long: each board appends to some twenty columns, all of which a helper would have to take.
    last = betting.rows.shape[1] - 1
    wide = (row_of(len(cards[0])), row_of(len(cards[1])))
    nobody = max(wide)
    keys = [np.sort(hands, axis=1) @ np.array([64, 1]) for hands in cards]
    hands: list[tuple[Int16Array, Int16Array]] = []
    a, b = _Joined(np.uint8), _Joined(np.uint8)
    rank, same, way, run_end = (_Joined(np.int16) for _ in range(4))
    ends, lows, highs = (_Joined(np.int16) for _ in range(3))
    numbers = {
        name: np.zeros((2, len(dealt)), np.int64)
        for name in (
            "live",
            "width",
            "run",
            "runs",
            "hands",
            "levels",
            "level",
            "arena",
            "decisions",
        )
    }
    images, image = [0], []
    entries = decisions = 0
    for number, board in enumerate(dealt):
        held = _left(cards[0], board.cards), _left(cards[1], board.cards)
        strong = (
            strengths(board.cards)
            if board.street == last
            else [np.zeros(len(own)) for own in cards]
        )
        orders = [np.argsort(strong[who][own], kind="stable") for who, own in enumerate(held)]
        ranked = [own[order] for own, order in zip(held, orders, strict=True)]
        hands.append(held)
        for who, own in enumerate(held):
            width = row_of(len(own))
            up, theirs = ranked[who], ranked[1 - who]
            numbers["live"][who, number] = len(own)
            numbers["width"][who, number] = width
            numbers["hands"][who, number] = rank.add(_ranks(orders[who], width))
            a.add(_filled(cards[who][up, 0], width))
            b.add(_filled(cards[who][up, 1], width))
            same.add(_filled(_same(keys[who][up], keys[1 - who][theirs], nobody), width))
            numbers["arena"][who, number] = entries
            numbers["decisions"][who, number] = decisions
            entries += int(betting.rows[who, board.street]) * width
            decisions += int(betting.decisions[who, board.street])
            numbers["level"][who, number] = ends.size
            if board.street == last:
                bounds = _levels(strong[who][up], strong[1 - who][theirs])
                numbers["levels"][who, number] = len(bounds[0])
                for joined, part in zip((ends, lows, highs), bounds, strict=True):
                    joined.add(part)
        if board.parent >= 0:
            for who, before in enumerate(hands[board.parent]):
                gone = np.flatnonzero(_places(held[who], len(cards[who]))[before] < 0)
                numbers["run"][who, number] = run_end.add(np.append(gone, len(before)))
                numbers["runs"][who, number] = len(gone) + 1
        if board.images:  # never of the first board
            places = [_places(own, len(cards[who])) for who, own in enumerate(hands[board.parent])]
            image += [
                [way.add(places[who][there[who][held[who]]]) for who in (0, 1)]
                for there in board.images
            ]
        images.append(len(image))
    boards = Boards(
        street=np.array([board.street for board in dealt], np.int8),
        live=numbers["live"].astype(np.int32),
        width=numbers["width"].astype(np.int32),
        hands=numbers["hands"],
        rank=rank.array(),
        card_a=a.array(),
        card_b=b.array(),
        twin=same.array(),
        level=numbers["level"],
        levels=numbers["levels"].astype(np.int32),
        ends=ends.array(),
        lows=lows.array(),
        highs=highs.array(),
        arena=numbers["arena"],
        decisions=numbers["decisions"],
    )
    deals = Deals(
        chance=np.array([board.chance for board in dealt], dtype),
        run=numbers["run"],
        runs=numbers["runs"].astype(np.int32),
        run_end=run_end.array(),
        images=np.array(images, np.int32),
        image=np.ascontiguousarray(np.array(image or [[0, 0]], np.int64).T),
        way=way.array(),
    )
    children = _children(dealt)
    return BoardTable(
        boards=boards,
        deals=deals,
        dealt=tuple(dealt),
        first=hands[0],
        children=children,
        wide=wide,
        entries=entries,
        decisions=decisions,
    )


def row_of(hands: int) -> int:
    """The length of a row of hands: a multiple of TILE, at least one."""
    return filled_up(max(hands, 1), TILE)


class _Joined:
    """An array assembled from parts."""

    def __init__(self, dtype: Any) -> None:
        self._dtype = dtype
        self._parts: list[NDArray[Any]] = []
        self.size = 0

    def add(self, part: NDArray[Any]) -> int:
        """Append a part; returns its start."""
        begin = self.size
        self._parts.append(part.astype(self._dtype))
        self.size += len(part)
        return begin

    def array(self) -> NDArray[Any]:
        """The array, of length at least 1: kernels do not accept empty arrays."""
        return np.concatenate([*self._parts, np.zeros(int(self.size == 0), self._dtype)])


def _left(hands: Int32Array, dealt: Sequence[int]) -> Int16Array:
    """The hands that the cards do not block."""
    out = np.zeros(64, np.bool_)
    out[list(dealt)] = True
    left: Int16Array = np.flatnonzero(~out[hands].any(axis=1)).astype(np.int16)
    return left


def _ranks(order: NDArray[Any], width: int) -> Int32Array:
    """The rank of each hand; entries of the padding are their own index."""
    ranks = np.arange(width, dtype=np.int32)
    ranks[order] = np.arange(len(order))
    return ranks


def _filled(numbers: NDArray[Any], width: int) -> NDArray[Any]:
    """Pad with zeros."""
    filled = np.zeros(width, numbers.dtype)
    filled[: len(numbers)] = numbers
    return filled


def _same(own: Int64Array, theirs: Int64Array, nobody: int) -> Int16Array:
    """For each own hand the index of the same hand among theirs, else `nobody`.

    Hands are given as numbers below 64 * 64.
    """
    index_of = np.full(64 * 64, nobody, np.int16)
    index_of[theirs] = np.arange(len(theirs))
    same: Int16Array = index_of[own]
    return same


def _places(hands: Int16Array, size: int) -> Int32Array:
    """The index in `hands` of each hand of the first board, else -1."""
    places = np.full(size, -1, np.int32)
    places[hands] = np.arange(len(hands))
    return places


def _levels(own: NDArray[Any], theirs: NDArray[Any]) -> tuple[Int16Array, Int16Array, Int16Array]:
    """ends, lows and highs of ascending strengths, see `kernels.poker.showdowns`."""
    last = np.flatnonzero(own[1:] != own[:-1])
    ends = np.append(last, len(own) - 1)[: len(own)] + 1  # none if there are no hands
    levels = own[ends - 1]
    lows = np.searchsorted(theirs, levels, "left")
    highs = np.searchsorted(theirs, levels, "right")
    return (
        ends.astype(np.int16),
        lows.astype(np.int16),
        highs.astype(np.int16),
    )


def _children(dealt: Sequence[SolvedBoard]) -> tuple[tuple[int, int], ...]:
    first = [len(dealt)] * len(dealt)
    behind = [len(dealt)] * len(dealt)
    for number, board in reversed(list(enumerate(dealt))):
        if board.parent >= 0:
            if first[board.parent] == len(dealt):
                behind[board.parent] = number + 1
            first[board.parent] = number
    return tuple(
        (begin, end) if begin < len(dealt) else (0, 0)
        for begin, end in zip(first, behind, strict=True)
    )
