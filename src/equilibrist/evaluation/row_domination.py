"""Whether a row of a payoff matrix is dominated by others, and by which mixture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray, Int64Array

TOLERANCE = 1e-7
"""Leads up to this share of the payoff range are taken for zero."""
_ROUNDING = 1e-9
_BATCH = 16
"""Columns added to a linear programme at a time."""


@dataclass(frozen=True)
class Dominance:
    """How a row is dominated.

    Attributes:
        strict: Whether strictly.
        margin: The smallest lead of `mixture` over all columns if `strict`, else 0.
        mixture: The weights of the rows that dominate it.
    """

    strict: bool
    margin: float
    mixture: dict[int, float]


def dominance_of(
    payoffs: FloatArray, row: int, scale: float, *, weak: bool = False, pure: bool = False
) -> Dominance | None:
    """How one row is dominated.

    Args:
        payoffs: float64[rows, columns], to the player who picks rows.
        row: The row.
        scale: The unit of tolerances, above 0: the range of payoffs.
        weak: Whether weak dominance counts, too.
        pure: Whether only single rows dominate.

    Returns:
        The strict dominance with the largest margin, if there is one, else a weak one if that
        counts; None where the row is not dominated.

    Raises:
        EquilibristError: The solver gave up.
    """
    if len(payoffs) < 2:
        return None
    lead = (payoffs - payoffs[row]) / scale
    if pure:
        return _by_one(lead, scale, weak=weak)
    # A best reply to some column is not strictly dominated; one to all columns alike not even
    # weakly.
    if lead.max(axis=0).min() > TOLERANCE:
        found = _best_mixture(lead)
        if found is not None:
            margin, mixture = found
            return Dominance(True, margin * scale, mixture)
    if weak and lead.mean(axis=1).max() > _ROUNDING / lead.shape[1]:
        ahead = _never_behind(lead)
        if ahead is not None:
            return Dominance(False, 0.0, ahead)
    return None


def _by_one(lead: FloatArray, scale: float, *, weak: bool) -> Dominance | None:
    least = lead.min(axis=1)
    best = int(np.argmax(least))
    if least[best] > TOLERANCE:
        return Dominance(True, float(least[best]) * scale, {best: 1.0})
    if weak:
        never = (least >= -_ROUNDING) & (lead.max(axis=1) > TOLERANCE)
        if never.any():
            ahead = np.where(never, lead.sum(axis=1), -np.inf)
            return Dominance(False, 0.0, {int(np.argmax(ahead)): 1.0})
    return None


def _best_mixture(lead: FloatArray) -> tuple[float, dict[int, float]] | None:
    """The mixture whose smallest lead is largest, and that; None if it is not above 0."""
    columns = np.argsort(lead.max(axis=0), kind="stable")[:_BATCH]
    while True:
        cost = np.append(np.zeros(len(lead)), -1.0)
        some = np.append(-lead[:, columns].T, np.ones((len(columns), 1)), axis=1)
        best, weights = _solved(cost, some, free=True)
        if -best <= TOLERANCE:
            return None
        ahead = weights @ lead
        if ahead.min() >= -best - _ROUNDING:
            return float(ahead.min()), _mixture(weights)
        columns = _more(columns, ahead)


def _never_behind(lead: FloatArray) -> dict[int, float] | None:
    """A mixture that is nowhere behind and somewhere ahead, if there is one."""
    total = lead.sum(axis=1)
    cost = -total / max(float(np.abs(total).max()), 1.0)
    columns = np.argsort(lead.max(axis=0), kind="stable")[:_BATCH]
    while True:
        _, weights = _solved(cost, -lead[:, columns].T, free=False)
        ahead = weights @ lead
        if ahead.min() >= -_ROUNDING:
            return _mixture(weights) if ahead.max() > TOLERANCE else None
        columns = _more(columns, ahead)


def _more(columns: Int64Array, ahead: FloatArray) -> Int64Array:
    return np.union1d(columns, np.argsort(ahead, kind="stable")[:_BATCH])


def _solved(cost: FloatArray, rows: FloatArray, *, free: bool) -> tuple[float, FloatArray]:
    """Minimise over mixtures (and one more unknown if `free`), with `rows` at most 0."""
    count = len(cost) - free
    found = minimise(
        cost,
        rows,
        np.zeros(len(rows)),
        np.append(np.ones(count), np.zeros(int(free)))[None, :],
        [1.0],
        [(0.0, None)] * count + [(None, None)] * free,
    )
    if found.status != 0:
        raise EquilibristError(
            f"a linear programme of dominance did not come to an end: {found.message}",
            option="plans",
            given=count,
        )
    return float(found.fun), found.x[:count]


def _mixture(weights: FloatArray) -> dict[int, float]:
    drawn = np.flatnonzero(weights > _ROUNDING)
    total = float(weights[drawn].sum())
    return {int(k): float(weights[k]) / total for k in drawn[np.argsort(-weights[drawn])]}
