"""Whether a row of a payoff matrix is dominated by others, and by which mixture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray, Int64Array

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)
"""Leads up to this share of the payoff range are taken for zero: rounding in sums of payoffs."""
_NOISE = ROUNDING / 8.0
"""Single differences of payoffs up to this share of the range are rounding."""
PROVEN = 1e-12
"""Linear programmes are solved up to this share of the largest lead that counts."""
_MET = 1e-9
"""A mixture is behind or ahead in a column by more than this share of the leads that it mixes."""
_SPAN = 1e4
"""Columns are scaled where their largest leads differ by more than this factor."""
_BATCH = 16
"""Columns added to a linear programme at a time."""


def clear_lead(lead: float, off: float) -> float:
    """A lead, or 0 where it is no larger than what it may be off."""
    return lead if abs(lead) > off else 0.0


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
        scale: The range of payoffs, above 0, of which `ROUNDING` is a share.
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
    lead[np.abs(lead) <= _NOISE] = 0.0
    if pure:
        return _by_one(lead, scale, weak=weak)
    # A best reply to some column is not strictly dominated; one to all columns alike not even
    # weakly.
    if lead.max(axis=0).min() > ROUNDING:
        found = _best_mixture(lead)
        if found is not None:
            margin, mixture = found
            return Dominance(True, margin * scale, mixture)
    if weak:
        ahead = _never_behind(lead)
        if ahead is not None:
            return Dominance(False, 0.0, ahead)
    return None


def _by_one(lead: FloatArray, scale: float, *, weak: bool) -> Dominance | None:
    least = lead.min(axis=1)
    best = int(np.argmax(least))
    if least[best] > ROUNDING:
        return Dominance(True, float(least[best]) * scale, {best: 1.0})
    if weak:
        never = (least >= -ROUNDING) & (lead.max(axis=1) > ROUNDING)
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
        best, off, weights = _solved(cost, some, free=True)
        if -best <= off + ROUNDING:
            return None
        ahead = weights @ lead
        more = _more(columns, ahead)
        if ahead.min() >= -best - off - ROUNDING or len(more) == len(columns):
            margin = float(ahead.min())
            return (margin, _mixture(weights)) if margin > ROUNDING else None
        columns = more


def _never_behind(lead: FloatArray) -> dict[int, float] | None:
    """A mixture that is nowhere behind and somewhere ahead, if there is one."""
    largest = np.abs(lead).max(axis=0)
    apart = largest > ROUNDING  # elsewhere all are alike
    if not apart.any():
        return None
    lead, largest = lead[:, apart], largest[apart]
    if largest.max() > _SPAN * largest.min():
        lead = lead / largest
        rounding = ROUNDING * float(largest.max()) / largest
    else:
        rounding = np.full(lead.shape[1], ROUNDING)
    total = lead.sum(axis=1)
    if total.max() <= 0.0:
        return None
    cost = -total / max(float(np.abs(total).max()), 1.0)
    columns = np.argsort(lead.max(axis=0), kind="stable")[:_BATCH]
    while True:
        _, _, weights = _solved(cost, -lead[:, columns].T, free=False)
        ahead = weights @ lead
        short = ahead < -np.maximum(rounding, _MET * (weights @ np.abs(lead)))
        if not short.any():
            clear = ahead > np.maximum(rounding, _MET * (weights @ np.abs(lead)))
            return _mixture(weights) if clear.any() else None
        more = np.union1d(columns, _more(columns, np.where(short, ahead, np.inf)))
        if len(more) == len(columns):
            return None
        columns = more


def _more(columns: Int64Array, ahead: FloatArray) -> Int64Array:
    return np.union1d(columns, np.argsort(ahead, kind="stable")[:_BATCH])


def _solved(cost: FloatArray, rows: FloatArray, *, free: bool) -> tuple[float, float, FloatArray]:
    """Minimise over mixtures (and one more unknown if `free`), with `rows` at most 0.

    Returns:
        The minimum, by how much it may be off, and the mixture.
    """
    count = len(cost) - free
    found = minimise(
        cost,
        rows,
        np.zeros(len(rows)),
        np.append(np.ones(count), np.zeros(int(free)))[None, :],
        [1.0],
        [(0.0, None)] * count + [(None, None)] * free,
        proven=PROVEN,
    )
    if found.status != 0:
        raise EquilibristError(
            f"a linear programme of dominance did not come to an end: {found.message}",
            option="plans",
            given=count,
        )
    weights = np.where(found.x[:count] > found.negligible, found.x[:count], 0.0)
    return float(found.fun), found.worst, weights / weights.sum()


def _mixture(weights: FloatArray) -> dict[int, float]:
    drawn = np.flatnonzero(weights > 0.0)
    total = float(weights[drawn].sum())
    return {int(k): float(weights[k]) / total for k in drawn[np.argsort(-weights[drawn])]}
