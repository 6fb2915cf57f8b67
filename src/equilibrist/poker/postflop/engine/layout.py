"""The layout of a game in the arrays of the engine: betting, boards and hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import Pairs
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram, betting_program
from equilibrist.poker.postflop.engine.board_layout import BoardTable, board_table
from equilibrist.poker.postflop.engine.schedule import LEAST_PARTS, PART_SHARE
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.postflop.engine.vector_game import PairWeights, VectorGame


@dataclass(frozen=True, eq=False)
class Layout:
    """A game as the kernels read it."""

    game: VectorGame
    betting: BettingProgram
    table: BoardTable
    pairs: Pairs | None
    """The weights of pairs of hands on all boards; None where a pair weighs 1."""
    real: Any
    """The type of floats: of constants, working memory and uncompressed storage."""

    @classmethod
    def of(cls, game: VectorGame, real: Any, betting: BettingProgram | None = None) -> Layout:
        """Lay out a game; `betting` is the program of its tree if it exists already."""
        betting = betting or betting_program(game.tree, game.streets, real, payoffs=game.payoffs)
        table = board_table(game.cards, game.dealt, game.strengths, betting, real)
        return cls(game, betting, table, laid_pairs(game, table, real), real)

    @property
    def lines(self) -> int:
        """The number of lines that leave the first street."""
        return int(self.betting.program.exits[1])

    @cached_property
    def parts(self) -> int:
        """The number of parts that are summed separately, the same for any number of threads."""
        begin, behind = self.table.children[0]
        numbers_per_part = max(self.lines * max(self.table.wide), 1)
        most = max(LEAST_PARTS, 2 * self.table.entries // (PART_SHARE * numbers_per_part))
        return max(min(behind - begin, most), 1)

    @cached_property
    def root(self) -> list[NDArray[Any]]:
        """Each player's weights, in the order of the first board."""
        rows = []
        for wide, order, weights in zip(
            self.table.wide, self.table.held(0), self.game.weights, strict=True
        ):
            row = numbers(wide, self.real)
            row[: len(order)] = weights[order]
            rows.append(row)
        return rows

    def new_out(self, parts: int) -> NDArray[Any]:
        """An array for the contributions of the parts to the root, see `Scratch`."""
        return numbers(parts * self.lines * max(self.table.wide), self.real)

    def path(self, cards: tuple[int, ...]) -> list[int]:
        """The boards from the first one to the one with these cards dealt."""
        path = [0]
        for k in range(len(cards)):
            below = range(*self.table.children[path[-1]])
            path.append(next(b for b in below if self.game.dealt[b].cards == cards[: k + 1]))
        return path

    @property
    def memory_bytes(self) -> int:
        """Bytes of the betting, the boards and the weights of hands."""
        arrays = [*self.betting.program, *self.table.boards, *self.table.deals, *self.root]
        arrays += [*(self.pairs or ())]
        return sum(int(np.asarray(array).nbytes) for array in arrays)


def laid_pairs(game: VectorGame, table: BoardTable, real: Any) -> Pairs | None:
    """The weights of the pairs of hands on all boards, in the order of ranks.

    Boards that deal the same cards in another order share them.
    """
    if game.pair_weights is None:
        return None
    begins: dict[frozenset[int], int] = {}
    begin = np.zeros(len(game.dealt), np.int64)
    size = 0
    for number, board in enumerate(game.dealt):
        cards = frozenset(board.cards)
        if cards not in begins:
            begins[cards] = size
            size += int(table.boards.live[:, number].astype(np.int64).prod())
        begin[number] = begins[cards]
    pairs = Pairs(begin, numbers(max(size, 1), real))
    fill_pairs(pairs, game, table, game.pair_weights)
    return pairs


def fill_pairs(pairs: Pairs, game: VectorGame, table: BoardTable, weights: PairWeights) -> None:
    """Write weights of pairs of hands in place of those that are there."""
    filled: set[frozenset[int]] = set()
    for number, board in enumerate(game.dealt):
        cards = frozenset(board.cards)
        if cards not in filled:
            filled.add(cards)
            oop, ip = (
                held[np.argsort(table.ranks(number, player))]
                for player, held in enumerate(table.held(number))
            )
            rows, start = weights(board.cards, oop, ip), int(pairs.begin[number])
            pairs.weight[start : start + rows.size] = rows.ravel()
