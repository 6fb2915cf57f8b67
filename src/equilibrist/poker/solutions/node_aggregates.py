"""Aggregates over the hands at a node: by player, by action, by hand class.

By matchups, a hand counts with its weight times its unblocked opponent reach: how often it is held
when the node is reached. By combos, it counts with its weight alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES, without_cards
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.typing import FloatArray


class Totals(NamedTuple):
    """Aggregates of both players at a node, (OOP, IP); NaN if it is never reached.

    Attributes:
        equity: Shares of the pot without further betting; both add up to 1.
        ev: Final chips minus chips behind at the node; both add up to the pot less rake.
        eqr: Equity realisation: EV divided by equity times the pot.
    """

    equity: tuple[float, float]
    ev: tuple[float, float]
    eqr: tuple[float, float]


class ClassValues(NamedTuple):
    """A player's hands by class: rows and columns from A to 2, suited above the diagonal.

    Attributes:
        weight: float64[13, 13], the mean over the hands of the class that the board leaves.
        equity: float64[13, 13], NaN for classes not held.
        ev: float64[13, 13], in chips, NaN for classes not held.
        strategy: float64[A, 13, 13], NaN for classes not held; A is 0 unless the player acts.
        action_ev: float64[A, 13, 13], the EV of each action in chips, NaN for classes not held.
    """

    weight: FloatArray
    equity: FloatArray
    ev: FloatArray
    strategy: FloatArray
    action_ev: FloatArray


def shares(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[1326]: the weight of each hand of a player in aggregates."""
    counts: FloatArray = values.weight[player]
    return counts if by_combos else counts * values.matchups[player]


def totals(values: NodeValues, pot: float) -> Totals:
    """The aggregates of both players; `pot` is the pot at the node, in chips."""
    counts = [shares(values, player) for player in (0, 1)]
    equity = [_mean(values.equity[player], counts[player]) for player in (0, 1)]
    ev = [_mean(values.ev[player], counts[player]) for player in (0, 1)]
    realised = realisation(np.array(ev), np.array(equity), pot).tolist()
    return Totals((equity[0], equity[1]), (ev[0], ev[1]), (realised[0], realised[1]))


def realisation(ev: FloatArray, equity: FloatArray, pot: float) -> FloatArray:
    """EV divided by equity times the pot; NaN without equity."""
    realised = np.full(np.shape(ev), np.nan)
    np.divide(ev, equity * pot, out=realised, where=equity > 0)
    return realised


def frequencies(values: NodeValues, player: int, *, by_combos: bool = False) -> FloatArray:
    """float64[A]: the frequency of each action; NaN if the player never reaches the node."""
    counts = shares(values, player, by_combos=by_combos)
    return np.array([_mean(row, counts) for row in values.strategy], np.float64)


def action_evs(values: NodeValues, player: int) -> FloatArray:
    """float64[A]: the mean EV of the hands that take each action; NaN if none does."""
    counts = shares(values, player)
    taken = zip(values.strategy, values.action_ev, strict=True)
    return np.array([_mean(ev, counts * np.nan_to_num(row)) for row, ev in taken], np.float64)


def class_values(
    values: NodeValues, player: int, board: tuple[int, ...], *, acts: bool, by_combos: bool = False
) -> ClassValues:
    """The hands of a player by class; `acts` says whether the strategy is theirs."""
    counts = shares(values, player, by_combos=by_combos)
    possible = without_cards(card_mask(board)).astype(np.float64)
    weight = _by_class(values.weight[player]) / np.maximum(_by_class(possible), 1)

    def means(columns: Iterable[FloatArray]) -> FloatArray:
        found = [_class_means(column, counts) for column in columns]
        return np.array(found, np.float64).reshape(-1, 13, 13)

    equity, ev = means([values.equity[player], values.ev[player]])
    by_action = (values.strategy, values.action_ev) if acts else ((), ())
    return ClassValues(weight.reshape(13, 13), equity, ev, *map(means, by_action))


def _mean(column: FloatArray, counts: FloatArray) -> float:
    """The weighted mean over hands; NaN if none counts."""
    there = (counts > 0) & ~np.isnan(column)
    total = counts[there].sum()
    return float((counts[there] * column[there]).sum() / total) if total > 0 else float("nan")


def _class_means(column: FloatArray, counts: FloatArray) -> FloatArray:
    """float64[13, 13]: the weighted mean within each class."""
    there = (counts > 0) & ~np.isnan(column)
    total = _by_class(np.where(there, counts, 0.0))
    added = _by_class(np.where(there, counts * np.nan_to_num(column), 0.0))
    means = np.full(NUM_CLASSES, np.nan)
    np.divide(added, total, out=means, where=total > 0)
    return means.reshape(13, 13)


def _by_class(column: FloatArray) -> FloatArray:
    return np.bincount(CLASS_OF_COMBO, column, NUM_CLASSES).astype(np.float64, copy=False)
