"""What the seats of a blueprint win on dealt cards, and what others win in their places.

A deal has hole cards for every seat and a board. A seat's actions all count with their
probabilities, and the others' are drawn, the same ones against the blueprint and against what plays
in its place. Per second of work this leaves less variance than to draw all actions, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from equilibrist.evaluation.duplicates import Estimate
from equilibrist.kernels.blueprint.external import Deals
from equilibrist.kernels.blueprint.playouts import Stack, play_deals
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.evaluation.values import MILLI, Float32, strategy_of
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.blueprint.training.external import by_bucket, own_depth, sampled_tree
from equilibrist.typing import FloatArray

BLOCK: Final = 5_000
"""Deals that a thread takes at a time."""
_SEAT_BITS: Final = 48
"""The streams of random numbers of different seats are this many bits apart."""


class SeatValues(NamedTuple):
    """What is won in mbb per hand, by seat."""

    theirs: tuple[Estimate, ...]
    """With other strategies in the seat."""
    ours: tuple[Estimate, ...]
    """With the blueprint in all seats."""
    gains: tuple[Estimate, ...]
    """The differences, on the same deals."""
    gain: Estimate
    """The mean of the differences over all seats."""


class DealValuer:
    """Values of strategies against a blueprint in all other seats.

    Args:
        blueprint: The blueprint.
        use: What the deals are for; those of different uses are independent.
        seed: Their seed.
        threads: Threads to work with; the result is the same.
    """

    def __init__(
        self, blueprint: Blueprint, use: int, seed: int = 0, threads: int | None = None
    ) -> None:
        game = blueprint.game
        self._game, self._seed = game, np.uint64(seed % (1 << 64))
        self._tree = sampled_tree(game)
        self._strategy = by_bucket(game, strategy_of(blueprint))
        streets = game.hand.rules.final_street + 1
        self._sequence = DealSequence(blueprint.cards, game.hand.seats, streets, seed, use)
        self._threads = thread_count(threads)
        self._room = stack_room(blueprint)

    def values(self, others: Sequence[Float32 | None], deals: int) -> SeatValues:
        """Value a strategy in each seat.

        Args:
            others: By seat float32[slots], as `AbstractGame.layout` has it, of which the seat's own
                numbers are read; None for the blueprint itself.
            deals: How many deals, at least 2.

        Returns:
            What the seats win.
        """
        ordered = self._ordered(others)

        def block(number: int) -> FloatArray:
            count = min(BLOCK, deals - number * BLOCK)
            return _sums(self._won(self._sequence.deals(number, count), number, ordered))

        with ThreadPoolExecutor(self._threads) as pool:
            sums = np.sum([*pool.map(block, range(-(-deals // BLOCK)))], axis=0)
        estimates = [Estimate.of_sums(deals, *column) for column in sums.T.tolist()]
        seats = self._game.hand.seats
        theirs, ours, gains = (tuple(estimates[k * seats : (k + 1) * seats]) for k in range(3))
        return SeatValues(theirs, ours, gains, estimates[-1])

    def _ordered(self, others: Sequence[Float32 | None]) -> list[Float32]:
        """Strategies in the order of the kernels; the blueprint's in place of None."""
        return [
            self._strategy if other is None else by_bucket(self._game, other) for other in others
        ]

    def _won(
        self, deals: Deals, number: int, others: Sequence[Float32], drawn: int | None = None
    ) -> FloatArray:
        """float64[B, S, 2] in mbb: by deal and seat, with the other strategy and with ours.

        drawn: bits of the seats whose actions are drawn; by default all but the seat.
        """
        seats = len(others)
        count = len(deals.strength)
        won = np.empty((seats, count, 2))
        for seat, other in enumerate(others):
            first = np.uint64((seat << _SEAT_BITS) + number * BLOCK)
            all_others = ((1 << seats) - 1) & ~(1 << seat)
            play_deals(
                self._tree, deals, self._seed, first, seat,
                all_others if drawn is None else drawn, self._strategy, other,
                scratch(self._room), won[seat],
            )  # fmt: skip
        return MILLI * won.transpose(1, 0, 2)[:, :, ::-1]


def _sums(won: FloatArray) -> FloatArray:
    """float64[2, 3 S + 1]: sums and sums of squares of theirs, ours, gains, and the mean gain."""
    theirs, ours = won[:, :, 0], won[:, :, 1]
    gains = theirs - ours
    numbers = np.concatenate([theirs, ours, gains, gains.mean(axis=1, keepdims=True)], axis=1)
    return np.array([numbers.sum(axis=0), np.square(numbers).sum(axis=0)])


def stack_room(blueprint: Blueprint) -> int:
    """The most places that a walk of fixed strategies leaves to be visited."""
    most = int(blueprint.tree.num_children.max())
    return own_depth(blueprint.game) * blueprint.hand.seats * most + 1


def scratch(room: int) -> Stack:
    """Memory for a walk."""
    return Stack(np.zeros(room, np.int64), np.zeros((room, 2)))
