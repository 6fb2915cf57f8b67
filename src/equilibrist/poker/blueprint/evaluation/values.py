"""What strategies win from each other, on boards drawn independently."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.evaluation.duplicates import Estimate, student_95
from equilibrist.kernels.blueprint.arrays import BOTH, Sums
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.walker import Walker
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.typing import FloatArray, UInt8Array

Float32 = NDArray[np.float32]
MILLI: Final = 1000.0
HALF_WIDTH: Final = 2.0
"""Half of the interval of the mean gain, in mbb, for which cards are drawn."""
_BLOCK: Final = 24
"""Boards that a thread takes at a time."""


def strategy_of(blueprint: Blueprint) -> Float32:
    """The probabilities of a blueprint as the kernels read them.

    Args:
        blueprint: The blueprint.

    Returns:
        float32[slots], as `AbstractGame.layout` has them.
    """
    strategy = np.zeros(blueprint.game.num_slots, np.float32)
    for node, own in blueprint.game.slots():
        strategy[own] = blueprint.bucket_probabilities(node).ravel()
    return strategy


def greedy(game: AbstractGame, strategy: Float32) -> Float32:
    """The most frequent action of each information set, always.

    Args:
        game: The abstract game.
        strategy: float32[slots].

    Returns:
        float32[slots]: ones and zeros.
    """
    best_only = np.zeros_like(strategy)
    for node, own in game.slots():
        shape = game.shape(node)
        best = strategy[own].reshape(shape).argmax(axis=0)
        best_only[own] = (np.arange(shape[0])[:, None] == best).ravel()
    return best_only


def random_boards(lowest_rank: int, count: int, seed: Sequence[int]) -> UInt8Array:
    """Boards drawn independently, each as likely as any other.

    Args:
        lowest_rank: The lowest rank in the deck.
        count: How many.
        seed: The seed.

    Returns:
        uint8[count, 5]: flop, turn, river; the cards of a flop ascend.
    """
    random = np.random.default_rng(list(seed))
    deck = np.arange(4 * lowest_rank, 52, dtype=np.uint8)
    boards = random.permuted(np.tile(deck, (count, 1)), axis=1)[:, :5].copy()
    boards[:, :3].sort(axis=1)
    return boards


class Valuer:
    """Values of pairs of strategies, board by board.

    What the hands win that end before the flop is the same on every board: with 52 cards it is the
    exact mean over all boards, so that only later streets have noise.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        threads: Threads to work with; the result is the same.
    """

    def __init__(self, game: AbstractGame, cards: CardBuckets, threads: int | None = None) -> None:
        self._walker = Walker(game, cards)
        self._threads = thread_count(threads)

    def values(self, strategy: Float32, boards: UInt8Array, seat: int | None = None) -> FloatArray:
        """Value each seat on each board, on average over all pairs of hands.

        Args:
            strategy: float32[slots], of both seats.
            boards: uint8[B, 5].
            seat: The seat to value alone, without the work for the other; both if left out.

        Returns:
            float64[B, 2] in mbb; 0 for a seat that is not valued.
        """
        left_out = np.zeros_like(self._walker.known(strategy))
        settled = self._walker.settled(strategy)
        nothing = np.zeros(1, np.float32)
        valued = BOTH if seat is None else 1 << seat

        def block(begin: int) -> FloatArray:
            part = self._walker.look_up(boards[begin : begin + _BLOCK])
            return self._walker.walk(part, strategy, left_out, 0, Sums(nothing, nothing), valued)

        with ThreadPoolExecutor(self._threads) as pool:
            won = np.concatenate([*pool.map(block, range(0, len(boards), _BLOCK))])
        for valued_seat in (0, 1) if seat is None else (seat,):
            won[:, valued_seat] += settled[valued_seat]
        return MILLI * won


def estimate(numbers: FloatArray) -> Estimate:
    """The mean of independent numbers with its 95 % interval.

    Args:
        numbers: float64[n], at least 2.

    Returns:
        The estimate.
    """
    mean = float(numbers.mean())
    error = float(numbers.std(ddof=1)) / len(numbers) ** 0.5
    return Estimate(mean, student_95(len(numbers)) * error)
