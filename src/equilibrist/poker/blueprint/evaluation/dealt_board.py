"""A board of five cards as evaluations look at it: strategies by hand, and check-down equities.

A check-down equity is the share of the pot that a hand wins if nobody bets any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    NUM_COMBOS,
    dealt_hands,
)
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.typing import BoolArray, FloatArray, UInt16Array

RUNOUTS: Final = 48
"""Boards that are drawn for an equity on the flop, and before it in short decks."""
_SIZES: Final = (0, 3, 4, 5)


class DealtBoard:
    """A board, of which each street sees its own cards.

    Args:
        blueprint: The blueprint.
        cards: Five cards: flop, turn, river.
        random: Draws runouts, independently of the cards that come.
    """

    def __init__(
        self, blueprint: Blueprint, cards: Sequence[int], random: np.random.Generator
    ) -> None:
        self._blueprint, self._random = blueprint, random
        self.cards = [int(card) for card in cards]
        self._lowest = 4 * blueprint.cards.lowest_rank
        self._chances: dict[int, NDArray[np.float64]] = {}
        self._strengths: dict[int, UInt16Array] = {}
        self._equities: dict[tuple[int, int], FloatArray] = {}

    def chances(self, node: int) -> NDArray[np.float64]:
        """The strategy at a decision: float64[A, 1326]."""
        if node not in self._chances:
            probabilities = self._blueprint.probabilities(node, self.cards)
            self._chances[node] = probabilities.astype(np.float64)
        return self._chances[node]

    def seen(self, street: int) -> list[int]:
        """The cards that a street sees."""
        return self.cards[: _SIZES[street]]

    def free(self, street: int) -> BoolArray:
        """bool[1326]: the hands that the cards of a street leave."""
        return dealt_hands(self.seen(street), self._blueprint.cards.lowest_rank)

    @cached_property
    def masks(self) -> list[BoolArray]:
        """`free` of every street."""
        return [self.free(street) for street in range(4)]

    def equities(self, street: int, combo: int) -> FloatArray:
        """The check-down equity of a hand against each other hand, as a street knows it.

        Args:
            street: 0 before the flop, to 3 on the river.
            combo: The hand.

        Returns:
            float64[1326]: exact from the turn on, and before the flop by hand class with 52 cards;
            else from runouts that are drawn.
        """
        key = street, combo
        if key not in self._equities:
            self._equities[key] = self._equity(street, combo)
        return self._equities[key]

    def _equity(self, street: int, combo: int) -> FloatArray:
        if street == 0 and not self._lowest:
            by_class: FloatArray = AllInTable.load().equities[CLASS_OF_COMBO[combo]]
            return by_class[CLASS_OF_COMBO]
        strengths = self._on_runouts(street)
        strengths = strengths[strengths[:, combo] > 0]
        own = strengths[:, combo][:, None]
        met = (strengths > 0).sum(axis=0)
        won = (strengths < own).sum(axis=0) - (len(strengths) - met)  # blocked hands are 0
        tied = (strengths == own).sum(axis=0)
        equity = np.full(NUM_COMBOS, 0.5)
        np.divide(won + 0.5 * tied, met, out=equity, where=met > 0)
        return equity

    def _on_runouts(self, street: int) -> UInt16Array:
        """uint16[K, 1326]: the strength of each hand on boards that may come; 0 if blocked."""
        if street not in self._strengths:
            seen = self.seen(street)
            left = [card for card in range(self._lowest, 52) if card not in seen]
            missing = 5 - len(seen)
            if missing <= 1:
                added = [list(cards) for cards in combinations(left, missing)]
            else:
                drawn = self._random.permuted(np.tile(left, (RUNOUTS, 1)), axis=1)
                added = drawn[:, :missing].tolist()
            self._strengths[street] = np.array([combo_strengths([*seen, *c]) for c in added])
        return self._strengths[street]
