"""CFR over hand classes on sampled deals, and an estimate of how good its strategy is.

Every iteration plays fresh deals with a fixed strategy, and adds the regrets of all classes. The
number of deals grows with the iterations, and the average weighs them by their number besides, so
that early strategies hardly count. Two players converge to an equilibrium; with more nothing is
promised, but NashConv says what was found.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.preflop.sampled_values import ClassTree, sampled_values
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_INDEX, NUM_CLASSES
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.equity import TWO_SIDED_95
from equilibrist.poker.equities.runouts import in_parts, key_of
from equilibrist.typing import BoolArray, FloatArray, Int64Array

BOARDS: Final = 4
"""Boards of a deal: they are cheap beside the betting, and showdowns vary most by them."""
_PARTS: Final = 8
"""Parts of an iteration's deals; not the number of threads, so that sums do not depend on it."""
_EVALUATION_PARTS: Final = 64
_GROWTH: Final = 400
"""Iteration t has so many deals times t."""
_NEGLIGIBLE: Final = 1e-3
"""Averages nearer to 0 or 1 are what is left of the first iterations; they are played as such."""


class Sums(NamedTuple):
    """What a number of deals adds up to."""

    values: FloatArray
    """float64[decisions, 169, actions]"""
    met: FloatArray
    """float64[decisions, 169]"""
    root: FloatArray
    """float64[n]"""


class Evaluation(NamedTuple):
    """The values of a strategy, and what seats could gain, from deals that it has not seen."""

    values: FloatArray
    """float64[n]"""
    errors: FloatArray
    """float64[n]: the standard errors of the values."""
    gains: FloatArray
    """float64[n]: what best responses to these very deals gain: on average a little too much."""
    interval: tuple[float, float]
    """Of NashConv: from what responses chosen on half of the deals gain on the other half."""
    action_values: FloatArray
    """float64[decisions, 169, actions]: the mean value of each action where it can be taken."""
    reached: FloatArray
    """float64[decisions, 169]: how often the others let a class come to each decision."""


class SampledGame:
    """A betting tree whose deals are sampled.

    Args:
        tree: The tree, in which every seat acts at most once.
        seats: The number of seats.
        seed: The seed of the deals.
        threads: Threads that share them; the result is the same for any number.
        deck: The cards, by default all 52.
        hole_strength: float64[169], for hands that are compared without a board.
    """

    def __init__(
        self,
        tree: ClassTree,
        seats: int,
        *,
        seed: int,
        threads: int,
        deck: Int64Array | None = None,
        hole_strength: FloatArray | None = None,
    ) -> None:
        self.tree = tree
        self.seats = seats
        self.decisions = int(tree.decision.max()) + 1
        acting = tree.decision >= 0
        self.player: Int64Array = tree.player[acting]
        self.legal: BoolArray = tree.actions[acting][:, None] > np.arange(tree.actions.max())
        """bool[decisions, actions]"""
        self._threads = threads
        self._seed = seed
        self._deck = np.arange(NUM_CARDS) if deck is None else deck
        self._strength = np.zeros(0) if hole_strength is None else hole_strength
        own = COMBO_INDEX.copy()
        np.fill_diagonal(own, 0)
        self._class = CLASS_OF_COMBO[own].astype(np.int64)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of a strategy: decisions, classes, actions."""
        return self.decisions, NUM_CLASSES, self.legal.shape[1]

    def uniform(self) -> FloatArray:
        """The strategy that takes all legal actions equally often."""
        shares = self.legal / self.legal.sum(axis=1, keepdims=True)
        return np.repeat(shares[:, None, :], NUM_CLASSES, axis=1)

    def sums(self, strategy: FloatArray, stream: int, begin: int, end: int) -> Sums:
        """The sums of `kernels.preflop.sampled_values` over deals of a stream."""
        found = Sums(np.zeros(self.shape), np.zeros(self.shape[:2]), np.zeros(self.seats))
        given = strength_tables(7), self.tree, self._deck, self._class, self._strength, BOARDS
        key = key_of(2 * self._seed + stream)
        sampled_values(*given, key, begin, end, strategy, *found)
        return found

    def in_parts(
        self, strategy: FloatArray, stream: int, begin: int, end: int, parts: int
    ) -> list[Sums]:
        """The same for each of several parts of the deals."""
        length = -(-(end - begin) // parts)

        def part(first: int, last: int) -> Sums:
            return self.sums(strategy, stream, begin + first, begin + last)

        return [*in_parts(part, end - begin, length, self._threads)]


def solve(
    game: SampledGame,
    deals: int,
    seconds: float | None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[FloatArray, int, int]:
    """The average strategy of CFR, the number of iterations, and of deals.

    Args:
        game: The game.
        deals: Deals to play; the last iteration is shortened.
        seconds: Stop after so many, too.
        on_progress: Is told the iteration and the deals so far.

    Returns:
        float64[decisions, 169, actions], iterations, deals.
    """
    regrets = np.zeros(game.shape)
    average = np.zeros(game.shape)
    played, iteration, start = 0, 0, monotonic()
    while played < deals and (seconds is None or monotonic() - start < seconds or not iteration):
        iteration += 1
        number = min(_GROWTH * iteration, deals - played)
        strategy = matched(game, regrets)
        for part in game.in_parts(strategy, 0, played, played + number, _PARTS):
            value = (strategy * part.values).sum(axis=2, keepdims=True)
            regrets += np.where(game.legal[:, None, :], part.values - value, 0.0)
        average += number * iteration * strategy
        played += number
        if on_progress is not None:
            on_progress(iteration, played)
    average /= average.sum(axis=2, keepdims=True)
    average[average < _NEGLIGIBLE] = 0.0
    return average / average.sum(axis=2, keepdims=True), iteration, played


def matched(game: SampledGame, regrets: FloatArray) -> FloatArray:
    """Probabilities in proportion to positive regrets; all legal actions where none is."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum(axis=2, keepdims=True)
    strategy: FloatArray = np.divide(positive, total, out=game.uniform(), where=total > 0)
    return strategy


def evaluate(game: SampledGame, strategy: FloatArray, deals: int) -> Evaluation:
    """Measure a strategy on deals of their own.

    The best response of a seat picks the better action of each class at each decision. Picked and
    measured on the same deals it gains too much, picked on one half of them and measured on the
    other too little; the interval of NashConv runs from the one to the other, and 1.96 standard
    errors further on both sides.
    """
    parts = game.in_parts(strategy, 1, 0, deals, _EVALUATION_PARTS)
    rotations = deals * game.seats
    each = rotations / len(parts)
    roots = np.array([part.root for part in parts]) / each
    values = np.sum([part.values for part in parts], axis=0)
    regrets = np.array([_regrets(game, strategy, part.values) for part in parts])
    gains = np.zeros(game.seats)
    np.add.at(gains, game.player, regrets.sum(axis=0).max(axis=2).sum(axis=1) / rotations)
    halves = np.arange(len(parts)) % 2
    low, low_error = _cross_fitted(regrets, halves, each)
    high_error = _error(_picked(regrets, regrets.sum(axis=0).argmax(axis=2)) / each)
    met = np.sum([part.met for part in parts], axis=0)
    high = float(gains.sum()) + TWO_SIDED_95 * high_error
    return Evaluation(
        roots.mean(axis=0),
        roots.std(axis=0, ddof=1) / sqrt(len(parts)),
        gains,
        (min(max(low - TWO_SIDED_95 * low_error, 0.0), float(gains.sum())), high),
        np.divide(values, met[:, :, None], out=np.zeros(game.shape), where=met[:, :, None] > 0),
        met / rotations,
    )


def _regrets(game: SampledGame, strategy: FloatArray, values: FloatArray) -> FloatArray:
    gained = values - (strategy * values).sum(axis=2, keepdims=True)
    return np.where(game.legal[:, None, :], gained, -np.inf)


def _picked(regrets: FloatArray, choice: Int64Array) -> FloatArray:
    """float64[parts]: what a choice of actions gains in each part."""
    found = np.take_along_axis(regrets, choice[None, :, :, None], axis=3)
    sums: FloatArray = found.sum(axis=(1, 2, 3))
    return sums


def _cross_fitted(regrets: FloatArray, halves: Int64Array, each: float) -> tuple[float, float]:
    """The mean gain of choices made on the one half and measured on the other, and its error."""
    gains = np.zeros(len(regrets))
    for half in (0, 1):
        choice = regrets[halves != half].sum(axis=0).argmax(axis=2)
        gains[halves == half] = _picked(regrets[halves == half], choice) / each
    return float(gains.mean()), _error(gains)


def _error(figures: FloatArray) -> float:
    return float(figures.std(ddof=1)) / sqrt(len(figures))
