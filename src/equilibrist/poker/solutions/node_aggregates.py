"""Sums over the hands at a node: of both players, of each action, of each hand class.

Figures of hands are added up by matchups, weight times the weight of what the hand can face: how
often the hand is there when play comes to the node. By combos, weight alone counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES, without_cards
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.typing import FloatArray


class Totals(NamedTuple):
    """What both players have at a node, (OOP, IP); NaN where play never comes there."""

    equity: tuple[float, float]
    """Shares of the pot if there were no more betting; both add up to 1."""
    ev: tuple[float, float]
    """Chips at the end less chips behind at the node; both add up to the pot less rake."""
    eqr: tuple[float, float]
    """Equity realised: EV divided by equity times the pot."""


class ClassValues(NamedTuple):
    """A player's hands by class, on the 13x13 grid of `equilibrist.poker.ranges.grid`."""

    weight: FloatArray
    """float64[13, 13]: mean over the hands of the class that the board leaves."""
    equity: FloatArray
    """float64[13, 13]: NaN for classes not held."""
    ev: FloatArray
    """float64[13, 13]: chips, NaN for classes not held."""
    strategy: FloatArray
    """float64[A, 13, 13]: NaN for classes not held; A is 0 unless the player acts."""


def shares(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[1326]: how much each hand of a player counts in a sum over them."""
    counts: FloatArray = values.weight[player]
    return counts if by_combos else counts * values.matchups[player]


def totals(values: NodeValues, pot: int) -> Totals:
    """The sums of both players; `pot` is the pot at the node, in chips."""
    counts = [shares(values, player) for player in (0, 1)]
    equity = [_mean(values.equity[player], counts[player]) for player in (0, 1)]
    ev = [_mean(values.ev[player], counts[player]) for player in (0, 1)]
    realised = realisation(np.array(ev), np.array(equity), pot).tolist()
    return Totals((equity[0], equity[1]), (ev[0], ev[1]), (realised[0], realised[1]))


def realisation(ev: FloatArray, equity: FloatArray, pot: int) -> FloatArray:
    """EV divided by equity times the pot; NaN without equity."""
    realised = np.full(np.shape(ev), np.nan)
    np.divide(ev, equity * pot, out=realised, where=equity > 0)
    return realised


def frequencies(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[A]: how often the player takes each action; NaN where he is never there."""
    counts = shares(values, player, by_combos=by_combos)
    return np.array([_mean(row, counts) for row in values.strategy], np.float64)


def class_values(
    values: NodeValues, player: int, board: tuple[int, ...], *, acts: bool, by_combos: bool = False
) -> ClassValues:
    """The hands of a player by class; `acts` says whether the strategy is his."""
    counts = shares(values, player, by_combos=by_combos)
    possible = without_cards(card_mask(board)).astype(np.float64)
    weight = _by_class(values.weight[player]) / np.maximum(_by_class(possible), 1)
    columns = [values.equity[player], values.ev[player], *(values.strategy if acts else ())]
    means = [_class_means(column, counts) for column in columns]
    return ClassValues(
        weight.reshape(13, 13),
        means[0],
        means[1],
        np.array(means[2:], np.float64).reshape(-1, 13, 13),
    )


def _mean(column: FloatArray, counts: FloatArray) -> float:
    """The mean of the hands that count; NaN if none does."""
    there = (counts > 0) & ~np.isnan(column)
    total = counts[there].sum()
    return float((counts[there] * column[there]).sum() / total) if total > 0 else float("nan")


def _class_means(column: FloatArray, counts: FloatArray) -> FloatArray:
    """float64[13, 13]: the same within each class."""
    there = (counts > 0) & ~np.isnan(column)
    total = _by_class(np.where(there, counts, 0.0))
    added = _by_class(np.where(there, counts * np.nan_to_num(column), 0.0))
    means = np.full(NUM_CLASSES, np.nan)
    np.divide(added, total, out=means, where=total > 0)
    return means.reshape(13, 13)


def _by_class(column: FloatArray) -> FloatArray:
    return np.bincount(CLASS_OF_COMBO, column, NUM_CLASSES).astype(np.float64, copy=False)
