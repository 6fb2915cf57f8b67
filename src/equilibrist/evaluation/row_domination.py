"""Whether a row of a payoff matrix is dominated by others, and by which mixture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.tree.payoff_scale import ENORMOUS
from equilibrist.typing import FloatArray, Int64Array

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)
"""Leads up to this share of what is compared are taken for zero: rounding in sums of payoffs."""
PROVEN = 1e-12
"""Linear programmes are solved up to this share of the largest lead that counts."""
_MET = 1e-9
"""A mixture is behind or ahead in a column by more than this share of the leads that it mixes."""
_BATCH = 16
"""Columns added to a linear programme at a time."""


def clear_lead(lead: float, off: float) -> float:
    """A lead, or 0 where it is no larger than what it may be off."""
    return lead if abs(lead) > off else 0.0


class PlanLead(NamedTuple):
    """The own plan that leads most over others, as a linear programme finds it.

    Attributes:
        lead: How far it leads, in the unit of the programme.
        error: What the lead may be off.
        plan: float64[own sequences], the reach of each.
    """

    lead: float
    error: float
    plan: FloatArray


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


class MixedLead(NamedTuple):
    """How far a mixture of rows leads over a row.

    Attributes:
        ahead: float64[columns].
        off: float64[columns], what each lead may be off by rounding.
    """

    ahead: FloatArray
    off: FloatArray


Compare: TypeAlias = Callable[[FloatArray], MixedLead]
"""Gives the lead of a mixture, float64[rows], without what its rows and the row have in common."""


def best_rows(payoffs: FloatArray, rounding: FloatArray) -> Int64Array:
    """The rows that no other row replaces, by paying nowhere less; of equal ones the first.

    Mixtures of them dominate all that mixtures of all rows do, by margins as large: each other row
    may give way to one that pays nowhere less. What forbids an action is mostly not among them.

    Args:
        payoffs: float64[rows, columns].
        rounding: float64[rows, columns], what each payoff may be off.

    Returns:
        Their numbers, ascending.
    """
    kept: list[int] = []
    # A row that pays nowhere less has no smaller a sum, but for rounding.
    for row in np.argsort(-payoffs.sum(axis=1), kind="stable").tolist():
        behind = payoffs[row] - payoffs[kept] > rounding[row] + rounding[kept]
        if behind.any(axis=1).all():
            kept.append(row)
    return np.sort(np.array(kept, dtype=np.int64))


def dominance_of(
    payoffs: FloatArray,
    row: int,
    rounding: FloatArray | None = None,
    *,
    weak: bool = False,
    pure: bool = False,
    among: Int64Array | None = None,
    compare: Compare | None = None,
) -> Dominance | None:
    """Find how one row is dominated.

    Two rows are compared in each column up to the rounding of the two payoffs there, however large
    payoffs are elsewhere. Smaller leads count as 0, but for the smallest ones of a mixture where
    `compare` is given.

    Args:
        payoffs: float64[rows, columns], to the player who picks rows.
        row: The row.
        rounding: float64[rows, columns], what each payoff may be off; None if they are exact.
        weak: Whether weak dominance counts, too.
        pure: Whether only single rows dominate.
        among: The rows that may dominate, as `best_rows` finds them; None for all.
        compare: The leads of a mixture of rows over `row`, in all columns. What payoffs are sums of
            may be enormous and the same for all these rows; then it tells apart what the payoffs
            do not.

    Returns:
        The strict dominance with the largest margin, if there is one, else a weak one if that
        counts; None where the row is not dominated.

    Raises:
        EquilibristError: The solver gave up.
    """
    if len(payoffs) < 2:
        return None
    others = np.arange(len(payoffs)) if among is None else among
    lead = payoffs[others] - payoffs[row]
    noise = np.zeros_like(lead) if rounding is None else rounding[others] + rounding[row]
    lead[np.abs(lead) <= noise] = 0.0
    noise[lead == 0.0] = 0.0

    def compare_others(weights: FloatArray) -> MixedLead:
        assert compare is not None
        mixture = np.zeros(len(payoffs))
        mixture[others] = weights
        return compare(mixture)

    how = _dominance(
        lead, noise, weak=weak, pure=pure, compare=None if compare is None else compare_others
    )
    if how is None:
        return None
    mixture = {int(others[k]): weight for k, weight in how.mixture.items()}
    return replace(how, mixture=mixture)


def _dominance(
    lead: FloatArray, noise: FloatArray, *, weak: bool, pure: bool, compare: Compare | None
) -> Dominance | None:
    """Find how a row is dominated from how far others lead over it."""
    strict, ahead = _by_one(lead)
    if pure and strict is not None:
        return strict
    # A best reply to some column is not strictly dominated; one to all columns alike not even
    # weakly.
    if not pure and lead.size and lead.max(axis=0).min() > 0.0:
        mixed = _best_mixture(lead, noise, compare)
        if mixed is not None and (strict is None or mixed.margin >= strict.margin):
            return mixed
        if strict is not None:
            return strict
    if not weak:
        return None
    if not pure:
        ahead = _never_behind(lead, noise) or ahead
    return Dominance(False, 0.0, ahead) if ahead is not None else None


def _by_one(lead: FloatArray) -> tuple[Dominance | None, dict[int, float] | None]:
    """The single row that dominates strictly, and the one that does weakly; None if none does."""
    if not lead.size:
        return None, None
    least = lead.min(axis=1)
    best = int(np.argmax(least))
    strict = Dominance(True, float(least[best]), {best: 1.0}) if least[best] > 0.0 else None
    never = (least >= 0.0) & (lead.max(axis=1) > 0.0)
    if not never.any():
        return strict, None
    ahead = np.where(never, lead.sum(axis=1), -np.inf)
    return strict, {int(np.argmax(ahead)): 1.0}


def _uncertain(weights: FloatArray, lead: FloatArray, noise: FloatArray) -> FloatArray:
    """float64[columns]: what the lead of a mixture may be off, by rounding alone."""
    uncertainty: FloatArray = weights @ (ROUNDING * np.abs(lead) + noise)
    return uncertainty


def _best_mixture(lead: FloatArray, noise: FloatArray, compare: Compare | None) -> Dominance | None:
    """The mixture whose smallest lead is largest; None if that is not above 0."""
    # No mixture leads by more than the best row does, wherever that is least; columns in which all
    # rows lead by so much limit none.
    unit = float(lead.max(axis=0).min())
    limits = lead.min(axis=0) < unit
    if not limits.any():
        best = int(np.argmax(lead.min(axis=1)))
        return Dominance(True, float(lead[best].min()), {best: 1.0})
    lead, noise = lead[:, limits], noise[:, limits]
    scaled = lead / unit
    # Few columns at first; those in which the mixture falls short are added until there are none.
    columns = np.argsort(lead.max(axis=0), kind="stable")[:_BATCH]
    while True:
        cost = np.append(np.zeros(len(lead)), -1.0)
        some = np.append(-scaled[:, columns].T, np.ones((len(columns), 1)), axis=1)
        minimum = _solved(cost, some, free=True)
        least_lead, weights = -minimum.value, minimum.weights
        if least_lead <= minimum.error:
            return None
        ahead, uncertain = weights @ lead, _uncertain(weights, lead, noise)
        more = _more(columns, ahead)
        short = ahead < unit * (least_lead - minimum.error) - uncertain
        if not short.any() or len(more) == len(columns):
            if compare is not None and not (ahead > uncertain).all():
                ahead, uncertain = compare(weights)
            clear = bool((ahead > uncertain).all())
            margin = min(float(ahead.min()), unit)
            return Dominance(True, margin, _mixture(weights)) if clear else None
        columns = more


def _never_behind(lead: FloatArray, noise: FloatArray) -> dict[int, float] | None:
    """A mixture that is nowhere behind and somewhere ahead, if there is one."""
    largest = np.abs(lead).max(axis=0)
    apart = largest > 0.0  # elsewhere all are alike
    if not apart.any():
        return None
    lead, noise, largest = lead[:, apart], noise[:, apart], largest[apart]
    far = largest.max() > ENORMOUS * largest.min()
    unit = largest if far else np.full(len(largest), largest.max())
    lead, noise = lead / unit, noise / unit
    total = lead.sum(axis=1)
    if total.max() <= 0.0:
        return None
    cost = -total / max(float(np.abs(total).max()), 1.0)
    columns = np.argsort(lead.max(axis=0), kind="stable")[:_BATCH]
    proven = PROVEN
    while True:
        weights = _solved(cost, -lead[:, columns].T, free=False, proven=proven).weights
        ahead, mixed = weights @ lead, weights @ np.abs(lead)
        uncertain = np.maximum(_uncertain(weights, lead, noise), _MET * mixed)
        short = ahead < -uncertain
        if not short.any():
            return _mixture(weights) if (ahead > uncertain).any() else None
        more = np.union1d(columns, _more(columns, np.where(short, ahead, np.inf)))
        if len(more) == len(columns):
            if proven == 0.0:
                return None
            proven = 0.0  # constraints were met beside far larger payoffs only
        columns = more


def _more(columns: Int64Array, ahead: FloatArray) -> Int64Array:
    return np.union1d(columns, np.argsort(ahead, kind="stable")[:_BATCH])


class _Minimum(NamedTuple):
    """The minimum of a linear programme over mixtures of rows.

    Attributes:
        value: What was minimised.
        error: What the value may be off.
        weights: float64[rows], the mixture; they add up to 1.
    """

    value: float
    error: float
    weights: FloatArray


def _solved(cost: FloatArray, rows: FloatArray, *, free: bool, proven: float = PROVEN) -> _Minimum:
    """Minimise over mixtures (and one more unknown if `free`), with `rows` at most 0."""
    count = len(cost) - free
    optimum = minimise(
        cost,
        rows,
        np.zeros(len(rows)),
        np.append(np.ones(count), np.zeros(int(free)))[None, :],
        [1.0],
        [(0.0, None)] * count + [(None, None)] * free,
        proven=proven,
    )
    if optimum.status != 0:
        raise EquilibristError(
            f"a linear programme of dominance did not come to an end: {optimum.message}",
            option="plans",
            given=count,
        )
    weights = np.where(optimum.x[:count] > optimum.negligible, optimum.x[:count], 0.0)
    return _Minimum(float(optimum.fun), optimum.worst, weights / weights.sum())


def _mixture(weights: FloatArray) -> dict[int, float]:
    drawn = np.flatnonzero(weights > 0.0)
    total = float(weights[drawn].sum())
    return {int(k): float(weights[k]) / total for k in drawn[np.argsort(-weights[drawn])]}
