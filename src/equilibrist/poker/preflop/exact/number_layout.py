"""Where the numbers of decisions stand: regrets, sums of strategies, and strategies themselves."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE
from equilibrist.kernels.exact_holdem.arrays import Betting
from equilibrist.poker.hands.betting_tree import DECISION, BettingTree
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.preflop.exact.betting_layout import betting_layout, street_of
from equilibrist.poker.preflop.exact.boards import BoardTable
from equilibrist.poker.preflop.exact.rows import HandRows, hand_rows, widths_of
from equilibrist.typing import FloatArray, Int64Array


class EngineGame(Protocol):
    """What the engine needs to know of a game: `ExactGame`, or `FlopGame` with one flop."""

    @property
    def rules(self) -> HoldemRules:
        """The rules."""
        ...

    @property
    def tree(self) -> BettingTree:
        """The betting, of two players."""
        ...

    @property
    def dealt(self) -> tuple[int, ...]:
        """Board cards before each street with betting."""
        ...

    @property
    def to_come(self) -> int:
        """Board cards that are dealt after the last street with betting."""
        ...

    @property
    def flops(self) -> int | None:
        """How many boards of the first cards are drawn; None where none are left out."""
        ...

    @property
    def big_blind(self) -> int:
        """The unit of payoffs."""
        ...

    def boards(self) -> BoardTable:
        """List the boards that may come, up to suits.

        Returns:
            The boards; the first is the empty one.
        """
        ...


class DecisionPlace(NamedTuple):
    """Where the numbers of a decision are among those of its player on a board."""

    player: int
    street: int
    slot: int
    """The first."""
    actions: int


class NumberLayout:
    """Where a player's numbers stand: board after board, in blocks of TILE hands, [slots][TILE].

    A slot is an action of a decision, a row a class of hands on a board; rows are filled up to
    whole blocks.

    Attributes:
        tree: The betting.
        table: The boards.
        rows: The hands on each.
        betting: The betting as the kernel reads it, in float32.
        widths: int64[B]: the rows of each board, filled up.
        place: int64[2, B]: where a board's numbers begin.
        sizes: How many numbers each player has.
    """

    def __init__(self, game: EngineGame) -> None:
        self.tree = game.tree
        self.table: BoardTable = game.boards()
        last = len(game.dealt) - 1
        is_sorted = game.dealt[last] > 0 and not game.to_come
        self.rows: HandRows = hand_rows(
            self.table, last if is_sorted else -1, game.rules.lowest_rank, game.rules.ranking
        )
        self.betting: Betting = betting_layout(self.tree, np.float32, float(game.big_blind))
        self.widths: Int64Array = widths_of(self.table)
        taken = self.betting.slots[:, self.table.street].astype(np.int64) * self.widths
        ends = np.cumsum(taken, axis=1)
        self.place: Int64Array = np.ascontiguousarray(ends - taken)
        self.sizes: tuple[int, int] = (int(ends[0, -1]), int(ends[1, -1]))

    @cached_property
    def decisions(self) -> dict[int, DecisionPlace]:
        """By node, in the order of the tree."""
        tree, betting, street = self.tree, self.betting, street_of(self.tree)
        nodes, decisions = np.flatnonzero(tree.kind == DECISION), dict[int, DecisionPlace]()
        place = {(p, s): int(betting.begin[p, s]) for p in (0, 1) for s in range(street.max() + 1)}
        for node in nodes.tolist():
            key = int(tree.player[node]), int(street[node])
            k = place[key]
            decisions[node] = DecisionPlace(*key, int(betting.slot[k]), int(betting.count[k]))
            place[key] += 1
        return decisions

    def span(self, board: int, player: int) -> slice:
        """The numbers of a player on a board, among all of the player's."""
        size = self.slots(board, player) * int(self.widths[board])
        begin = int(self.place[player, board])
        return slice(begin, begin + size)

    def slots(self, board: int, player: int) -> int:
        """Actions of a player's decisions on the street of a board."""
        return int(self.betting.slots[player, self.table.street[board]])

    def first_slots(self, street: int, player: int) -> Int64Array:
        """int64[D]: the first slot of each of a player's decisions on a street."""
        begin, end = self.betting.begin[player, street : street + 2]
        first: Int64Array = self.betting.slot[begin:end].astype(np.int64)
        return first

    def by_slot(self, numbers: NDArray[Any], board: int, player: int) -> NDArray[Any]:
        """The numbers of a span as [slots, R]; a view, or a copy where there are several blocks."""
        slots, width = self.slots(board, player), int(self.widths[board])
        blocks = numbers.reshape(width // TILE, slots, TILE)
        return blocks.transpose(1, 0, 2).reshape(slots, width)[:, : int(self.table.rows[board])]

    def put_slots(
        self, numbers: NDArray[Any], by_slot: NDArray[Any], board: int, player: int
    ) -> None:
        """Set a player's numbers on a board: [slots, R] in place of what was there."""
        slots = self.slots(board, player)
        width = int(self.widths[board])
        blocks = numbers[self.span(board, player)].reshape(width // TILE, slots, TILE)
        for k, block in enumerate(blocks):
            part = by_slot[:, k * TILE : (k + 1) * TILE]
            block[:, : part.shape[1]] = part

    def numbers_at(self, span: NDArray[Any], board: int, node: int) -> FloatArray:
        """The numbers at a decision, of those of a span: float64[A, R]; a copy."""
        player, _, first, count = self.decisions[node]
        slots, rows = self.slots(board, player), int(self.table.rows[board])
        stored = span.reshape(-1, slots, TILE)[:, first : first + count]
        by_slot = stored.transpose(1, 0, 2).reshape(count, -1)
        return by_slot[:, :rows].astype(np.float64)


def matched(numbers: FloatArray) -> FloatArray:
    """The probabilities of regret matching, float64[A, R]; alike where nothing is positive.

    NaN where a number is NaN.
    """
    positive = np.maximum(numbers, 0.0)
    whole = positive.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(whole <= 0.0, 1.0 / len(numbers), positive / whole)
