"""Locks from arrays: to a strategy, or to a table of probabilities by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.ranges.dialects import canonical_text
from equilibrist.typing import BoolArray, FloatArray


def strategy_lock(line: str, actions: Sequence[Action], strategy: FloatArray) -> Lock:
    """A lock to a strategy, float64[A, 1326], rounded to six decimals, for all hands not NaN."""
    held = ~np.isnan(strategy[0])
    shares = strategy[:, held].round(6)
    shares[shares.argmax(axis=0), np.arange(held.sum())] += 1 - shares.sum(axis=0)
    rounded = np.full(strategy.shape, np.nan)
    rounded[:, held] = shares.round(6)
    return table_lock(line, actions, rounded, held)


def table_lock(
    line: str,
    actions: Sequence[Action],
    shares: FloatArray,
    named: BoolArray,
    targets: FloatArray | None = None,
) -> Lock:
    """A lock to probabilities, float64[A, 1326], NaN where free, for the hands `named`, bool[1326].

    `targets`, float64[A], are the frequencies of the range, NaN where free.
    """
    alike: dict[tuple[float | None, ...], list[int]] = {}
    for hand in np.flatnonzero(named)[::-1].tolist():
        column = tuple(None if np.isnan(share) else share for share in shares[:, hand].tolist())
        alike.setdefault(column, []).append(hand)
    table = {}
    for column, hands in alike.items():
        text = canonical_text(np.isin(np.arange(NUM_COMBOS), hands).astype(np.float64))
        given = zip(actions, column, strict=True)
        table[text] = {str(action): share for action, share in given if share is not None}
    frequency = {}
    if targets is not None:
        each = zip(actions, targets.tolist(), strict=True)
        frequency = {str(action): target for action, target in each if not np.isnan(target)}
    return Lock(line, table, frequency=frequency or None)
