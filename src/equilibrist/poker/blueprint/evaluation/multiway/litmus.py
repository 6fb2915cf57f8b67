"""Litmus hands of any number of seats: folds of aces and of the nuts on sampled deals.

A seat is dealt the hand, and the others any cards that are left. The seat's actions all count with
their probabilities, the others' are drawn from the blueprint.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np

from equilibrist.kernels.blueprint.playouts import count_folds
from equilibrist.poker.blueprint.evaluation.litmus import REACHED, Folds, Litmus, facing, nuts_of
from equilibrist.poker.blueprint.evaluation.multiway.values import scratch, stack_room
from equilibrist.poker.blueprint.evaluation.values import random_boards, strategy_of
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.blueprint.training.external import by_bucket, sampled_tree
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.typing import FloatArray, Int64Array, UInt8Array

ACES_DEALS: Final = 20_000
"""Deals on which each seat has aces."""
NUT_BOARDS: Final = 200
"""Boards on which each seat has the nuts."""
NUT_DEALS: Final = 250
"""Deals on each of them."""
_RIVER: Final = 3
_ACES: Final = np.array([*combinations(range(48, 52), 2)])
_ACES_USE, _NUTS_USE, _BOARDS_USE = 6, 7, 8
"""What random numbers are for, besides those of exploiters."""
SKIPPED: Final = ("jam_or_fold",)
"""The litmus that is defined for two seats only."""


def litmus_on_deals(blueprint: Blueprint, seed: int = 0) -> Litmus:
    """Count the folds of aces before the flop and of the nuts on the river.

    Args:
        blueprint: The blueprint.
        seed: The seed of the deals.

    Returns:
        The litmus hands.
    """
    folds = DealtFolds(blueprint, seed)
    random = np.random.default_rng([seed, _ACES_USE])
    aces = folds.count(0, _ACES[random.integers(len(_ACES), size=ACES_DEALS)], random)
    if not facing(blueprint, _RIVER):
        return Litmus(aces, None, 0, None, SKIPPED)
    random = np.random.default_rng([seed, _NUTS_USE])
    lowest = blueprint.cards.lowest_rank
    fixed: list[list[int]] = []
    for board in random_boards(lowest, NUT_BOARDS, (seed, _BOARDS_USE)).tolist():
        hands = random.choice(nuts_of(board, lowest), NUT_DEALS)
        fixed.extend([*board, int(FIRST_CARD[hand]), int(SECOND_CARD[hand])] for hand in hands)
    nuts = folds.count(_RIVER, np.array(fixed), random)
    return Litmus(aces, nuts, NUT_BOARDS, None, SKIPPED)


class DealtFolds:
    """Counts the folds of a hand that each seat is dealt in turn.

    Args:
        blueprint: The blueprint.
        seed: The seed of the actions that are drawn.
    """

    def __init__(self, blueprint: Blueprint, seed: int) -> None:
        game = blueprint.game
        self._blueprint, self._seats = blueprint, game.hand.seats
        self._seed = np.uint64(seed % (1 << 64))
        self._tree = sampled_tree(game)
        self._strategy = by_bucket(game, strategy_of(blueprint))
        streets = game.hand.rules.final_street + 1
        self._sequence = DealSequence(blueprint.cards, self._seats, streets, seed)
        self._room = stack_room(blueprint)

    def count(self, street: int, fixed: Int64Array, random: np.random.Generator) -> Folds:
        """Folds on a street.

        Args:
            street: The street.
            fixed: int64[B, 2 or 7], the hand of each deal, after the board if that is given, too.
            random: What draws the other cards.

        Returns:
            The folds of all seats.
        """
        tree = self._blueprint.tree
        fold = np.full(tree.num_nodes, -1, np.int32)
        for node, action in facing(self._blueprint, street):
            fold[node] = action
        faced, folded = np.zeros(tree.num_nodes), np.zeros(tree.num_nodes)
        for seat in range(self._seats):
            deals = self._sequence.looked_up(self.dealt(fixed, seat, random))
            first = np.uint64(((street * self._seats) + seat) * len(fixed))
            count_folds(
                self._tree, fold, deals, self._seed, first, seat, street, self._strategy,
                scratch(self._room), faced, folded,
            )  # fmt: skip
        return self._folds(faced / len(fixed), folded / len(fixed))

    def dealt(self, fixed: Int64Array, seat: int, random: np.random.Generator) -> UInt8Array:
        """Deals on which a seat holds what is given.

        Args:
            fixed: As for `count`.
            seat: The seat.
            random: What draws the other cards.

        Returns:
            uint8[B, 5 + 2 S]: boards, then hole cards by seat.
        """
        keys = random.random((len(fixed), NUM_CARDS))
        keys[:, : 4 * self._blueprint.cards.lowest_rank] = 2.0  # not in the deck
        np.put_along_axis(keys, fixed, np.arange(-fixed.shape[1], 0.0)[None], axis=1)
        drawn = keys.argsort(axis=1)[:, : 5 + 2 * self._seats].astype(np.uint8)
        if fixed.shape[1] == 2:  # the hand comes after the board
            drawn[:, :7] = np.roll(drawn[:, :7], 5, axis=1)
        own = 5 + 2 * seat
        drawn[:, 5 : own + 2] = np.roll(drawn[:, 5 : own + 2], -2, axis=1)
        return drawn

    def _folds(self, faced: FloatArray, folded: FloatArray) -> Folds:
        """The rate, and the decision with the highest frequency of those that are reached."""
        reached = np.flatnonzero((faced >= REACHED) & (folded > 0))
        rates = folded[reached] / faced[reached]
        total = float(faced.sum())
        worst = int(reached[rates.argmax()]) if len(reached) else -1
        return Folds(
            rate=float(folded.sum()) / total if total else 0.0,
            worst=float(rates.max()) if len(reached) else 0.0,
            worst_at=(self._blueprint.tree.line(worst) or "the deal") if worst >= 0 else "",
            faced=total / self._seats,
        )
