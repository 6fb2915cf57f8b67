"""What one hand wins against a range, by a walk through everything that may follow."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED
from equilibrist.poker.preflop.exact.boards import deck_hands, strengths_on
from equilibrist.poker.preflop.exact.lookup import BoardLookup, BoardPlace
from equilibrist.poker.preflop.exact.number_layout import EngineGame, NumberLayout
from equilibrist.poker.preflop.exact.pairs import PairMatrices
from equilibrist.poker.preflop.exact.rows import rows_of_hands
from equilibrist.typing import FloatArray, Int64Array


class _Board(NamedTuple):
    """A board as the hand sees it. Rows are classes of the other seat's hands."""

    number: int
    combo: int
    """The hand, with the suits as this board names them."""
    row: int
    """Its own row."""
    many: FloatArray
    """float64[R]: hands of each row that share no card with the hand."""
    lead: FloatArray
    """float64[R]: how many of them it beats less how many beat it, the mean over cards to come."""


class ExactHandValues:
    """Walks through what may follow a decision."""

    def __init__(
        self,
        game: EngineGame,
        layout: NumberLayout,
        strategy: Callable[[int, int], FloatArray],
        pairs: PairMatrices | None,
        lookup: BoardLookup,
        player: int,
    ) -> None:
        """Value hands of a player.

        Args:
            game: The game.
            layout: Its boards and hands.
            strategy: (decision, board) -> float64[A, R].
            pairs: Showdowns before the last card; None where all cards are dealt.
            lookup: Finds boards.
            player: Who holds the hand.
        """
        self._game, self._layout, self._pairs = game, layout, pairs
        self._played, self._lookup, self._player = strategy, lookup, player
        self._tree, self._lowest = game.tree, game.rules.lowest_rank
        self._ranking = game.rules.ranking
        self._strategies: dict[tuple[int, int], FloatArray] = {}
        self._boards: dict[tuple[int, int], _Board] = {}
        self._next: dict[tuple[int, int], list[_Board]] = {}

    def of_actions(
        self, node: int, place: BoardPlace, combo: int, reach: FloatArray
    ) -> FloatArray | None:
        """Value the hand after each action at a decision of its player.

        Args:
            node: The decision, by its number in the engine's tree.
            place: The board.
            combo: The hand, with the suits as they were dealt.
            reach: float64[R]: how often the other seat gets there, by rows of the board.

        Returns:
            float64[A], in big blinds; None where no hand of the other seat gets there.
        """
        board = self._board(place.board, int(COMBO_IMAGES[place.permutation][combo]))
        mass = float(board.many @ reach)
        if mass <= 0.0:
            return None
        return np.array(
            [self._value(child, board, reach) / mass for child in self._tree.children(node)]
        )

    def _value(self, node: int, board: _Board, reach: FloatArray) -> float:
        """The sum over the hands of the other seat."""
        tree, kind = self._tree, self._tree.kind[node]
        if not reach.any():
            return 0.0
        if kind == DECISION:
            strategy = self._strategy(node, board.number)
            children = tree.children(node)
            if tree.player[node] == self._player:
                own = strategy[:, board.row]
                return sum(
                    float(share) * self._value(child, board, reach)
                    for child, share in zip(children, own, strict=True)
                    if share > 0.0
                )
            return sum(
                self._value(child, board, reach * row)
                for child, row in zip(children, strategy, strict=True)
            )
        if kind == DEAL:
            return self._after_deal(int(tree.first_child[node]), board, reach)
        stake = float(tree.stake[node].min()) / self._game.big_blind
        if kind == FOLDED:
            sign = 1.0 if tree.live[node] >> self._player & 1 else -1.0
            return sign * stake * float(board.many @ reach)
        return stake * float(board.lead @ reach)

    def _after_deal(self, node: int, board: _Board, reach: FloatArray) -> float:
        rows, table, total = self._layout.rows, self._layout.table, 0.0
        followers = self._followers(board)
        for after in followers:
            first, count = int(rows.first[after.number]), int(table.rows[after.number])
            above = rows.above[first : first + count].astype(np.int64)
            total += self._value(node, after, reach[above])
        cards = len(table.cards[board.number])
        count = self._game.dealt[int(table.street[board.number]) + 1]
        return total / comb(NUM_CARDS - 4 * self._lowest - 4 - cards, count)

    def _followers(self, board: _Board) -> list[_Board]:
        """The boards that the next cards make, one for each set of cards."""
        key = board.number, board.combo
        if key not in self._next:
            table = self._layout.table
            count = self._game.dealt[int(table.street[board.number]) + 1]
            held = int(FIRST_CARD[board.combo]), int(SECOND_CARD[board.combo])
            gone = {*table.cards[board.number], *held}
            deck = [card for card in range(4 * self._lowest, NUM_CARDS) if card not in gone]
            followers = []
            for cards in combinations(deck, count):
                place = self._lookup.after(board.number, cards)
                assert place is not None  # after the flop all boards are there
                combo = int(COMBO_IMAGES[place.permutation][board.combo])
                followers.append(self._board(place.board, combo))
            self._next[key] = followers
        return self._next[key]

    def _board(self, number: int, combo: int) -> _Board:
        key = number, combo
        if key not in self._boards:
            layout = self._layout
            rows = rows_of_hands(layout.table, layout.rows, number)
            count = int(layout.table.rows[number])
            apart = (COMBO_MASKS & COMBO_MASKS[combo]) == 0
            met = np.flatnonzero((rows >= 0) & apart & deck_hands(self._lowest))
            of_row: Int64Array = rows[met].astype(np.int64)
            many = np.bincount(of_row, minlength=count).astype(np.float64)
            lead = self._lead(number, combo, int(rows[combo]), met, of_row)
            self._boards[key] = _Board(number, combo, int(rows[combo]), many, lead)
        return self._boards[key]

    def _lead(
        self, number: int, combo: int, row: int, met: Int64Array, of_row: Int64Array
    ) -> FloatArray:
        table, pairs = self._layout.table, self._pairs
        count = int(table.rows[number])
        if pairs is not None:
            place = int(pairs.place[number])
            if place >= 0:
                counted = pairs.runouts[place + row * count :][:count]
                return counted.astype(np.float64) / float(pairs.ways[number])
            if pairs.to_come(number):
                return np.zeros(count)  # no line ends with a showdown on this street
        strength = strengths_on(table.cards[number], self._ranking)
        signs = np.sign(strength[combo] - strength[met]).astype(np.float64)
        lead: FloatArray = np.bincount(of_row, signs, count).astype(np.float64)
        return lead

    def _strategy(self, node: int, board: int) -> FloatArray:
        key = node, board
        if key not in self._strategies:
            self._strategies[key] = self._played(node, board)
        return self._strategies[key]
