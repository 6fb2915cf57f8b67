"""`Walker`: walks of a betting tree for boards, with all hands of both seats at once."""

from __future__ import annotations

from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.blueprint.arrays import BlockWork, Sums
from equilibrist.kernels.blueprint.blocks import walk_blocks
from equilibrist.poker.blueprint.abstract_game import AbstractGame, check_two_seats
from equilibrist.poker.blueprint.training.blocks import block_work, build_blocks
from equilibrist.poker.blueprint.training.boards import BoardRows, board_rows
from equilibrist.poker.blueprint.training.preflop_ends import PreflopEnds
from equilibrist.poker.buckets.board_hands import deck_hands, hands_on
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.typing import FloatArray, UInt8Array


class Walker:
    """Walks the betting tree of a game for boards.

    Args:
        game: The abstract game.
        cards: Its card buckets.

    Attributes:
        schedule: The blocks of its betting tree.
        pairs: The pairs of hands that a board leaves to both seats.
    """

    def __init__(self, game: AbstractGame, cards: CardBuckets) -> None:
        check_two_seats(game.hand, "a walk of boards")
        self._cards = cards
        self._ends: PreflopEnds | None = None
        self.schedule = build_blocks(game, -1 if cards.lowest_rank else 0)
        if cards.lowest_rank == 0:
            self._ends = PreflopEnds(game, cards, self.schedule.blocks.known)
        self._streets = game.hand.rules.final_street + 1
        self._hands = hands_on(5, cards.lowest_rank)
        self.pairs = self._hands * hands_on(7, cards.lowest_rank)
        self._works: SimpleQueue[BlockWork] = SimpleQueue()

    def known(self, sigma: NDArray[np.float32]) -> NDArray[np.float32]:
        """The exact values at the ends before the flop, which `walk` takes.

        Args:
            sigma: float32[slots]: the strategies of both seats.

        Returns:
            float32[K, 2, 1326]; with other decks than 52 cards K is 0.
        """
        if self._ends is None:
            return np.zeros((0, 2, NUM_COMBOS), np.float32)
        return self._ends.values(sigma)

    def settled(self, sigma: NDArray[np.float32]) -> FloatArray:
        """Settle the ends before the flop: exactly, on average over all boards.

        A walk with zeros in place of `known` has what they win elsewhere on its boards.

        Args:
            sigma: float32[slots]: the strategies of both seats.

        Returns:
            float64[2] in big blinds, on average over all pairs of hands; zeros with other decks
            than 52 cards, whose walks have these ends themselves.
        """
        return np.zeros(2) if self._ends is None else self._ends.won(sigma) / self.pairs

    def look_up(self, boards: UInt8Array) -> BoardRows:
        """The buckets of all hands on boards, which `walk` takes.

        Args:
            boards: uint8[B, 5].

        Returns:
            The boards with their rows.
        """
        return board_rows(self._cards, boards, self._streets)

    def walk(
        self,
        drawn: BoardRows,
        sigma: NDArray[np.float32],
        known: NDArray[np.float32],
        players: int,
        sums: Sums,
        valued: int | None = None,
    ) -> FloatArray:
        """Add the sums of some boards.

        Args:
            drawn: What `look_up` returns for B boards.
            sigma: float32[slots]: the strategies of both seats.
            known: What `known` returns for them.
            players: The seats whose values of actions and reach are added up, as bits.
            sums: What they are added to.
            valued: The seats whose values are found, as bits, all of `players` among them; the
                same as `players` if left out.

        Returns:
            float64[B, 2]: what each of these seats wins on each board in big blinds, on average
            over all pairs of hands; 0 for another.
        """
        try:
            work = self._works.get_nowait()
        except Empty:
            work = block_work(self.schedule, self._hands)
        won = np.empty((len(drawn.boards), 2))
        walk_blocks(
            strength_tables(7), deck_hands(self._cards.lowest_rank), self.schedule.blocks,
            drawn.boards, drawn.rows, sigma, known, players,
            players if valued is None else valued, sums, work, won,
        )  # fmt: skip
        self._works.put(work)
        return won / self.pairs
