"""CFR over hand classes on sampled deals.

Every iteration plays fresh deals with a fixed strategy, and adds the regrets of all classes. The
number of deals grows with the iterations, and the average weighs them by their number besides, so
that early strategies hardly count. Two players converge to an equilibrium; with more nothing is
promised, but NashConv says what was found.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np

from equilibrist.kernels.preflop.sampled_values import ClassTree, sampled_values
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_INDEX
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.runouts import in_parts, key_of
from equilibrist.poker.preflop.class_tree import own_before
from equilibrist.typing import BoolArray, FloatArray, Int64Array

BOARDS: Final = 4
"""Boards of a deal: they are cheap beside the betting, and showdowns vary most by them."""
_PARTS: Final = 8
"""Parts of an iteration's deals; not the number of threads, so that sums do not depend on it."""
_PART: Final = 100
"""The fewest deals of a part."""
_LEAST: Final = 50
_GROWTH: Final = 0.25
"""Iteration t has t / 4 deals, and at least 50: many iterations count for more than exact ones."""
_NEGLIGIBLE: Final = 1e-3
"""Averages nearer to 0 or 1 are what is left of the first iterations; they are played as such."""


class Sums(NamedTuple):
    """What a number of deals adds up to."""

    values: FloatArray
    """float64[decisions, classes, actions]"""
    met: FloatArray
    """float64[decisions, classes]"""
    root: FloatArray
    """float64[n]"""


class SampledGame:
    """A betting tree whose deals are sampled.

    Args:
        tree: The tree.
        seats: The number of seats.
        seed: The seed of the deals.
        threads: Threads that share them; the result is the same for any number.
        deck: The cards, by default all 52.
        ranking: How hands compare.
        classes: int64[1326]: the class of each combo, by default one of 169.
        hole_strength: float64[classes], for hands that are compared without a board.

    Attributes:
        before: int64[decisions, 2]: the decision of the same seat before each decision, and the
            action taken there; -1 where there is none.
    """

    def __init__(
        self,
        tree: ClassTree,
        seats: int,
        *,
        seed: int,
        threads: int,
        deck: Int64Array | None = None,
        ranking: Ranking = STANDARD,
        classes: Int64Array | None = None,
        hole_strength: FloatArray | None = None,
    ) -> None:
        self.tree = tree
        self.seats = seats
        self.decisions = int(tree.decision.max()) + 1
        acting = tree.decision >= 0
        self.player: Int64Array = tree.player[acting]
        self.legal: BoolArray = tree.actions[acting][:, None] > np.arange(tree.actions.max())
        """bool[decisions, actions]"""
        self.before = own_before(tree, seats)
        self.classes = CLASS_OF_COMBO.astype(np.int64) if classes is None else classes
        self._threads = threads
        self._seed = seed
        self._ranking = ranking
        self._deck = np.arange(NUM_CARDS) if deck is None else deck
        self._strength = np.zeros(0) if hole_strength is None else hole_strength
        own = COMBO_INDEX.copy()
        np.fill_diagonal(own, 0)
        self._class = self.classes[own]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of a strategy: decisions, classes, actions."""
        return self.decisions, int(self.classes.max()) + 1, self.legal.shape[1]

    def uniform(self) -> FloatArray:
        """The strategy that takes all legal actions equally often."""
        shares = self.legal / self.legal.sum(axis=1, keepdims=True)
        return np.repeat(shares[:, None, :], self.shape[1], axis=1)

    def own_reach(self, strategy: FloatArray) -> FloatArray:
        """float64[decisions, classes]: how often the seat plays to its decision with a class."""
        reach = np.ones(self.shape[:2])
        for decision, (earlier, action) in enumerate(self.before.tolist()):
            if earlier >= 0:
                reach[decision] = reach[earlier] * strategy[earlier, :, action]
        return reach

    def sums(self, strategy: FloatArray, stream: int, begin: int, end: int) -> Sums:
        """The sums of `kernels.preflop.sampled_values` over deals of a stream."""
        sums = Sums(np.zeros(self.shape), np.zeros(self.shape[:2]), np.zeros(self.seats))
        tables = strength_tables(7, self._ranking)
        inputs = tables, self.tree, self._deck, self._class, self._strength, BOARDS
        key = key_of(2 * self._seed + stream)
        sampled_values(*inputs, key, begin, end, strategy, *sums)
        return sums

    def in_parts(
        self, strategy: FloatArray, stream: int, begin: int, end: int, parts: int
    ) -> list[Sums]:
        """`sums` for each of several parts of the deals."""
        length = -(-(end - begin) // parts)

        def part(first: int, last: int) -> Sums:
            return self.sums(strategy, stream, begin + first, begin + last)

        return [*in_parts(part, end - begin, length, self._threads)]


class SampledState(NamedTuple):
    """All that the coming iterations of a `SampledSolver` depend on."""

    iteration: int
    """How many iterations have been made."""
    deals: int
    """The deals that they played."""
    arrays: dict[str, FloatArray]
    """Regrets and strategy sums: float64[decisions, classes, actions]."""


class SampledSolver:
    """A run of CFR on a sampled game.

    Args:
        game: The game.
        most: The most deals to play; the last iteration is cut short there. None for no limit.

    Attributes:
        iteration: How many iterations have been made.
        deals: The deals that they played.
    """

    def __init__(self, game: SampledGame, most: int | None = None) -> None:
        self.game = game
        self.iteration = self.deals = 0
        self._most = most
        self._regrets = np.zeros(game.shape)
        self._sums = np.zeros(game.shape)
        self._before_cut: SampledState | None = None

    def run(self, iterations: int) -> Self:
        """Make iterations, as long as there are deals left to play.

        Args:
            iterations: How many at most.

        Returns:
            The solver itself.
        """
        for _ in range(iterations):
            number = max(_LEAST, int(_GROWTH * (self.iteration + 1)))
            left = number if self._most is None else self._most - self.deals
            if left <= 0:
                break
            if left < number:
                copies = {name: array.copy() for name, array in self.arrays().items()}
                self._before_cut = SampledState(self.iteration, self.deals, copies)
            self._iterate(min(number, left))
        return self

    @property
    def state(self) -> SampledState:
        """What a run with more deals continues from: the state before an iteration cut short."""
        if self._before_cut is not None:
            return self._before_cut
        return SampledState(self.iteration, self.deals, self.arrays())

    def _iterate(self, number: int) -> None:
        """Make an iteration of so many deals."""
        game = self.game
        self.iteration += 1
        strategy = matched(game, self._regrets)
        parts = min(max(number // _PART, 1), _PARTS)
        for part in game.in_parts(strategy, 0, self.deals, self.deals + number, parts):
            value = (strategy * part.values).sum(axis=2, keepdims=True)
            self._regrets += np.where(game.legal[:, None, :], part.values - value, 0.0)
        self._sums += number * self.iteration * game.own_reach(strategy)[:, :, None] * strategy
        self.deals += number

    def strategy(self) -> FloatArray:
        """The average strategy: float64[decisions, classes, actions].

        Classes that never play to a decision have the strategy that the regrets give.
        """
        total = self._sums.sum(axis=2, keepdims=True)
        average = matched(self.game, self._regrets)
        np.divide(self._sums, total, out=average, where=~(total <= 0))
        average[average < _NEGLIGIBLE] = 0.0
        normalised: FloatArray = average / average.sum(axis=2, keepdims=True)
        return normalised

    def arrays(self) -> dict[str, FloatArray]:
        """Regrets and strategy sums by name, not copied."""
        return {"regrets": self._regrets, "sums": self._sums}

    def restore(self, iteration: int, deals: int, arrays: dict[str, FloatArray]) -> Self:
        """Continue from the state of another run of the same game."""
        self.iteration, self.deals = iteration, deals
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        return self


def matched(game: SampledGame, regrets: FloatArray) -> FloatArray:
    """Probabilities in proportion to positive regrets; all legal actions where none is.

    A regret that is NaN makes them NaN.
    """
    positive = np.maximum(regrets, 0.0)
    total = positive.sum(axis=2, keepdims=True)
    strategy: FloatArray = np.divide(positive, total, out=game.uniform(), where=~(total <= 0))
    return strategy
