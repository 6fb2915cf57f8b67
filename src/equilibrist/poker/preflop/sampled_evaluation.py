"""An estimate of how good a strategy of sampled deals is."""

from __future__ import annotations

from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from equilibrist.evaluation.duplicates import student_95
from equilibrist.poker.preflop.sampled_cfr import SampledGame
from equilibrist.typing import FloatArray, Int64Array

_PARTS: Final = 64
_PARTS_OF_LARGE: Final = 16
_LARGE: Final = 500_000
"""From so many numbers of a strategy on there are fewer parts, since each is kept."""


class Evaluation(NamedTuple):
    """The values of a strategy, and what seats could gain, from deals that it has not seen."""

    values: FloatArray
    """float64[n]"""
    errors: FloatArray
    """float64[n]: the standard errors of the values."""
    gains: FloatArray
    """float64[n]: what best responses to these very deals gain: on average a little too much."""
    intervals: FloatArray
    """float64[n, 2]: of each gain, as `interval` of their sum."""
    interval: tuple[float, float]
    """Of NashConv: from what responses chosen on half of the deals gain on the other half."""
    action_values: FloatArray
    """float64[decisions, classes, actions]: the mean value of each action where it can be taken."""
    reached: FloatArray
    """float64[decisions, classes]: how often such a hand comes to each decision."""


def evaluate(game: SampledGame, strategy: FloatArray, deals: int) -> Evaluation:
    """Measure a strategy on deals of their own.

    The best response of a seat picks the best action of each class at each decision, knowing what
    it picks later. Picked and measured on the same deals it gains too much, picked on one half of
    them and measured on the other too little; intervals run from the one to the other, and further
    on both sides by half of a 95 % interval (Student's t over the parts).

    Args:
        game: The game.
        strategy: float64[decisions, classes, actions].
        deals: How many deals are drawn.

    Returns:
        Values and gains in the unit of the game's payoffs.
    """
    wanted = parts_of(strategy.size)
    parts = game.in_parts(strategy, 1, 0, deals, wanted)
    rotations = deals * game.seats
    deals_per_part = rotations / len(parts)
    roots = np.array([part.root for part in parts]) / deals_per_part
    by_part = np.array([part.values for part in parts])
    values = by_part.sum(axis=0)
    gains, choice = _response(game, strategy, values[None])
    gains = gains[0] / rotations
    halves = np.arange(len(parts)) % 2
    crossed = np.zeros((len(parts), game.seats))
    for half in (0, 1):
        other = by_part[halves != half].sum(axis=0)
        _, chosen = _response(game, strategy, other[None])
        crossed[halves == half] = _response(game, strategy, by_part[halves == half], chosen)[0]
    picked = _response(game, strategy, by_part, choice)[0]
    low, low_half = _mean(crossed / deals_per_part)
    _, high_half = _mean(picked / deals_per_part)
    met = np.sum([part.met for part in parts], axis=0)
    ends = _ends(low, low_half, gains, high_half)
    return Evaluation(
        roots.mean(axis=0),
        roots.std(axis=0, ddof=1) / sqrt(len(parts)),
        gains,
        np.stack(ends, axis=1)[: game.seats],
        (float(ends[0][-1]), float(ends[1][-1])),
        np.divide(values, met[:, :, None], out=np.zeros(game.shape), where=met[:, :, None] > 0),
        met * game.own_reach(strategy) / rotations,
    )


def parts_of(numbers: int) -> int:
    """How many parts of the deals are measured, of each of which the values are held.

    Args:
        numbers: The numbers of the strategy.
    """
    return _PARTS if numbers < _LARGE else _PARTS_OF_LARGE


def _response(
    game: SampledGame, strategy: FloatArray, values: FloatArray, choice: Int64Array | None = None
) -> tuple[FloatArray, Int64Array]:
    """Value each seat's actions of its own choice, by default the best ones.

    Args:
        game: The game.
        strategy: What is played.
        values: float64[parts, decisions, classes, actions]: the sums of several parts.
        choice: int64[decisions, classes]: the actions; with None values have one part.

    Returns:
        float64[parts, n], and the choice.
    """
    gains = np.zeros((len(values), game.seats))
    later = np.zeros_like(values)
    chosen = np.zeros(game.shape[:2], np.int64) if choice is None else choice
    for decision in range(game.decisions - 1, -1, -1):
        number = int(game.legal[decision].sum())
        here = values[:, decision, :, :number]
        now = here + later[:, decision, :, :number]
        if choice is None:
            chosen[decision] = now[0].argmax(axis=1)
        taken = np.take_along_axis(now, chosen[decision][None, :, None], axis=2)[:, :, 0]
        gained = taken - (strategy[decision, :, :number] * here).sum(axis=2)
        earlier, action = game.before[decision]
        if earlier >= 0:
            later[:, earlier, :, action] += gained
        else:
            gains[:, game.player[decision]] += gained.sum(axis=1)
    return gains, chosen


def _mean(gains: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means over the parts by seat and at last of the sum, and half of their 95 % intervals."""
    with_sum = np.concatenate([gains, gains.sum(axis=1, keepdims=True)], axis=1)
    half = student_95(len(with_sum)) * with_sum.std(axis=0, ddof=1) / sqrt(len(with_sum))
    return with_sum.mean(axis=0), half


def _ends(
    low: FloatArray, low_half: FloatArray, gains: FloatArray, high_half: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The ends of the intervals, by seat and at last of the sum."""
    with_sum = np.append(gains, gains.sum())
    least = np.minimum(np.maximum(low - low_half, 0.0), with_sum)
    return least, with_sum + high_half
