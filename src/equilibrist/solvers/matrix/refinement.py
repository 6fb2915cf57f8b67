"""Linear programmes whose coefficients differ by many orders of magnitude, solved by refinement.

A solver in double precision meets constraints up to an absolute tolerance, beside which a payoff of
1 vanishes where another one is -1e9. Rows and columns are scaled by powers of two, so that their
coefficients come near 1 (A. R. Curtis and J. K. Reid, On the automatic scaling of matrices for
Gaussian elimination, IMA Journal of Applied Mathematics 10, 1972). What is left of the constraints
and of the reduced costs is then magnified and solved for again, until it is rounding (A. M.
Gleixner, D. E. Steffy and K. Wolter, Iterative refinement for linear programming, INFORMS Journal
on Computing 28, 2016).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ROUNDING: Final = 8.0 * float(np.finfo(np.float64).eps)
"""Sums are free of rounding up to this share of their terms."""
_SCALINGS: Final = 20
LARGE: Final = 2.0**10
"""Coefficients above this are enormous beside the 1 that they are for the ordinary payoffs."""
_ROUNDS: Final = 12
_GROWTH: Final = 2.0**26
"""How much more a round may magnify than the one before: less than the solver's own accuracy."""
_LEAST_SIZE: Final = 1e-12
"""The least `size`, as a share of the largest coefficient."""
_LEAST_REACH: Final = 1e-6
"""Terms of an equation, probabilities mostly, are taken for no less when it is violated."""
_LEAST_TERMS: Final = 1e-9
"""So are those of all constraints of a `rowwise` programme."""
_PER_COEFFICIENT: Final = 1e-4
"""By how much violations weigh more beside enormous coefficients, per unit of the largest."""
_EXACT: Final = 1e-13
"""Shortfalls up to this share of `size` are not refined further."""


class Point(NamedTuple):
    """Variables and multipliers, with signs as `scipy.optimize.linprog` has them.

    Attributes:
        x: float64[Z], the variables.
        below: float64[A], what the minimum grows by per unit of `limit`: at most 0.
        equal: float64[B], what it grows by per unit of `right`.
    """

    x: FloatArray
    below: FloatArray
    equal: FloatArray


class Scaled(NamedTuple):
    """A programme with coefficients near 1, and the powers of two that made it so.

    Attributes:
        programme: The scaled programme.
        below: float64[A], what rows of `below` were multiplied by.
        equal: float64[B], what rows of `equal` were multiplied by.
        columns: float64[Z], what columns were multiplied by.
        cost: What the cost was multiplied by.
    """

    programme: Programme
    below: FloatArray
    equal: FloatArray
    columns: FloatArray
    cost: float

    def unscaled(self, point: Point) -> Point:
        """A point of the scaled programme as one of the programme that was scaled."""
        return Point(
            point.x * self.columns,
            point.below * self.below / self.cost,
            point.equal * self.equal / self.cost,
        )


class Shortfall(NamedTuple):
    """How far a point is from the optimum.

    Attributes:
        size: The largest product of a coefficient with its variable and its multiplier: in games,
            the largest payoff times the probability with which play meets it.
        worst: The largest violation of a constraint or of the sign of a reduced cost, beyond
            rounding, and the distance between both objectives, in units of the objective.
    """

    size: float
    worst: float

    @property
    def share(self) -> float:
        """`worst` as a share of `size`; 0 where there is no shortfall."""
        return self.worst / self.size if self.worst > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class Programme:
    """Minimise cost @ x subject to below @ x <= limit, equal @ x = right, lower <= x <= upper.

    Attributes:
        cost: float64[Z].
        below: [A, Z].
        limit: float64[A].
        equal: [B, Z].
        right: float64[B].
        lower: float64[Z], -inf where there is no bound.
        upper: float64[Z], inf where there is none.
        rowwise: Whether violations of `below` count as shares of the row's terms, too. In a row on
            what is rarely met all terms are small, and one that is violated by little beside
            payoffs may be violated by all that is in it. Coefficients are in units of ordinary
            payoffs then.
    """

    cost: FloatArray
    below: csr_array
    limit: FloatArray
    equal: csr_array
    right: FloatArray
    lower: FloatArray
    upper: FloatArray
    rowwise: bool = False

    @classmethod
    def of(
        cls,
        cost: FloatArray,
        below: Any,
        limit: Any,
        equal: Any,
        right: Any,
        bounds: Any,
        *,
        rowwise: bool = False,
    ) -> Programme:
        """The programme that `highs.minimise` is given.

        Args:
            cost: float64[Z].
            below: [A, Z], dense or sparse.
            limit: float64[A].
            equal: [B, Z], dense or sparse.
            right: float64[B].
            bounds: [Z, 2]; None or an infinity for no bound.
            rowwise: As the programme has it.

        Returns:
            The programme.
        """
        from scipy.sparse import csr_array

        pairs = np.array(
            [
                (-np.inf if low is None else low, np.inf if high is None else high)
                for low, high in bounds
            ],
            dtype=np.float64,
        ).reshape(-1, 2)
        rows = [csr_array(matrix, dtype=np.float64) for matrix in (below, equal)]
        for matrix in rows:
            matrix.eliminate_zeros()
        limits = [np.asarray(numbers, dtype=np.float64) for numbers in (limit, right)]
        return cls(
            cost=cost,
            below=rows[0],
            limit=limits[0],
            equal=rows[1],
            right=limits[1],
            lower=pairs[:, 0],
            upper=pairs[:, 1],
            rowwise=rowwise,
        )

    def span(self) -> tuple[float, float]:
        """The least and the largest of the coefficients other than 0, without their signs."""
        sizes = np.abs(np.concatenate([self.below.data, self.equal.data, self.cost]))
        sizes = sizes[sizes > 0.0]
        return float(sizes.min(initial=np.inf)), float(sizes.max(initial=0.0))

    def shortfall(self, point: Point) -> Shortfall:
        """Bound how far a point is from the optimum, free of rounding in the compared sums.

        Args:
            point: The variables and multipliers.

        Returns:
            The shortfall. Violations of equations count by their multipliers and as shares of
            their terms, reduced costs of variables without bounds by the variables.
        """
        x, y, w = point
        left = self.below @ x - self.limit
        off = self.equal @ x - self.right
        reduced = self.cost - self.below.T @ y - self.equal.T @ w
        # Sums of the sizes of their terms, of which rounding is a share.
        left_terms = abs(self.below) @ np.abs(x) + np.abs(self.limit)
        off_terms = abs(self.equal) @ np.abs(x) + np.abs(self.right)
        reduced_terms = (
            np.abs(self.cost) + abs(self.below.T) @ np.abs(y) + abs(self.equal.T) @ np.abs(w)
        )
        bounded_below, bounded_above = np.isfinite(self.lower), np.isfinite(self.upper)
        free = ~bounded_below & ~bounded_above
        rising = np.where(bounded_above, 0.0, np.maximum(-reduced - ROUNDING * reduced_terms, 0.0))
        falling = np.where(bounded_below, 0.0, np.maximum(reduced - ROUNDING * reduced_terms, 0.0))
        weight = np.where(free, np.abs(x), 1.0)
        size = self._size(point)
        missed = np.maximum(np.abs(off) - ROUNDING * off_terms, 0.0)
        exceeded = np.maximum(left - ROUNDING * left_terms, 0.0)
        least, weight_of_share = _LEAST_REACH, size
        if self.rowwise:
            # A payoff of 1e12 that is met with a probability of 1e-12 is worth as much as 1: by a
            # violation of that size another optimum is reached.
            least = _LEAST_TERMS
            weight_of_share = size * max(1.0, _PER_COEFFICIENT * self.span()[1])
        violated = (
            exceeded,
            exceeded / np.maximum(left_terms, least) * (weight_of_share if self.rowwise else 0.0),
            missed * np.abs(w),
            missed / np.maximum(off_terms, least) * weight_of_share,
            np.maximum(y, 0.0),
            rising * weight,
            falling * weight,
        )
        away_low = np.where(bounded_below, x - np.where(bounded_below, self.lower, 0.0), 0.0)
        away_high = np.where(bounded_above, np.where(bounded_above, self.upper, 0.0) - x, 0.0)
        beyond = np.maximum(np.maximum(-away_low, -away_high), 0.0) * np.abs(reduced)
        slack = np.maximum(np.abs(left) - ROUNDING * left_terms, 0.0) * np.abs(y)
        idle = np.maximum(np.abs(reduced) - ROUNDING * reduced_terms, 0.0)
        at_bound = np.where(reduced > 0.0, away_low, away_high) * idle
        worst = max(
            *(float(violation.max(initial=0.0)) for violation in (*violated, beyond)),
            float(slack.sum()) + float(np.abs(at_bound).sum()),
        )
        return Shortfall(size, worst)

    def _size(self, point: Point) -> float:
        x, y, w = (np.abs(values) for values in point)
        largest = [float((np.abs(self.cost) * x).max(initial=0.0))]
        for matrix, multipliers in ((self.below, y), (self.equal, w)):
            terms = abs(matrix.multiply(multipliers[:, None]).multiply(x[None, :]))
            largest.append(float(terms.max()) if terms.nnz else 0.0)
        low, high = self.span()
        return max(*largest, min(low, high), _LEAST_SIZE * high)

    def scaled(self) -> Scaled:
        """Bring the coefficients near 1 by powers of two.

        Returns:
            The scaled programme, with its factors.
        """
        from scipy.sparse import vstack

        whole = vstack([self.below, self.equal], format="coo")
        logs = np.log2(np.abs(whole.data))
        rows, columns = np.zeros(whole.shape[0]), np.zeros(whole.shape[1])
        in_row = np.maximum(np.bincount(whole.row, minlength=len(rows)), 1)
        in_column = np.maximum(np.bincount(whole.col, minlength=len(columns)), 1)
        for _ in range(_SCALINGS):
            left = logs + columns[whole.col]
            rows = -np.bincount(whole.row, left, minlength=len(rows)) / in_row
            left = logs + rows[whole.row]
            columns = -np.bincount(whole.col, left, minlength=len(columns)) / in_column
        return self._multiplied(np.exp2(np.round(rows)), np.exp2(np.round(columns)))

    def with_small_columns(self) -> Scaled | None:
        """Bring the coefficients of each variable down to 1 or less by powers of two.

        Those that are 1 or less stay as they are: what an enormous payoff belongs to is played with
        a probability far below a solver's tolerances, if at all.

        Returns:
            The scaled programme, with its factors; None where no coefficient is large.
        """
        from scipy.sparse import vstack

        whole = vstack([self.below, self.equal, self.cost[None, :]], format="csc")
        largest = abs(whole).max(axis=0).toarray().ravel()
        if largest.max(initial=0.0) <= LARGE:
            return None
        by_column = np.exp2(-np.ceil(np.log2(np.maximum(largest, 1.0))))
        return self._multiplied(np.ones(whole.shape[0] - 1), by_column)

    def _multiplied(self, by_row: FloatArray, by_column: FloatArray) -> Scaled:
        """Multiply rows and columns, and the cost so that it is near 1."""
        top, bottom = by_row[: self.below.shape[0]], by_row[self.below.shape[0] :]
        cost = self.cost * by_column
        largest = float(np.abs(cost).max(initial=0.0))
        unit = float(np.exp2(-np.round(np.log2(largest)))) if largest > 0.0 else 1.0
        programme = Programme(
            cost=cost * unit,
            below=_times(self.below, top, by_column),
            limit=self.limit * top,
            equal=_times(self.equal, bottom, by_column),
            right=self.right * bottom,
            lower=self.lower / by_column,
            upper=self.upper / by_column,
        )
        return Scaled(programme, below=top, equal=bottom, columns=by_column, cost=unit)

    def with_slacks(self) -> Programme:
        """The programme with equations only: what is left of each `limit` is a variable, too."""
        from scipy.sparse import block_array, csr_array, eye_array

        rows = self.below.shape[0]
        pieces = [[self.below, eye_array(rows)], [self.equal, None]]
        return Programme(
            cost=np.append(self.cost, np.zeros(rows)),
            below=csr_array((0, len(self.cost) + rows)),
            limit=np.zeros(0),
            equal=csr_array(block_array(pieces, format="csr")),
            right=np.append(self.limit, self.right),
            lower=np.append(self.lower, np.zeros(rows)),
            upper=np.append(self.upper, np.full(rows, np.inf)),
        )


def _times(matrix: csr_array, rows: FloatArray, columns: FloatArray) -> csr_array:
    from scipy.sparse import csr_array

    return csr_array(matrix.multiply(rows[:, None]).multiply(columns[None, :]))


Solver = Callable[[Programme], Point | None]
"""Solves a programme up to its tolerances; None where it gives up."""


def refined(programme: Programme, solver: Solver, enough: float) -> tuple[Point, Shortfall] | None:
    """Solve a programme by scaling and refinement.

    Args:
        programme: The programme.
        solver: Solves the programmes that it becomes.
        enough: Where a point is farther from the optimum than this share, another scaling is tried.

    Returns:
        The best point found, variables next to a bound moved there, and how far it is from the
        optimum; None where the solver gives up on the scaled programmes.
    """
    best: tuple[Point, Shortfall] | None = None
    for scaling in (Programme.scaled, Programme.with_small_columns):
        scaled = scaling(programme)
        point = None if scaled is None else _refined(programme, scaled, solver)
        if point is not None and (best is None or point[1].share < best[1].share):
            best = point
        if best is not None and best[1].share <= enough:
            break
    return best


def _refined(
    programme: Programme, scaled: Scaled, solver: Solver
) -> tuple[Point, Shortfall] | None:
    whole = scaled.programme.with_slacks()
    point = solver(whole)
    if point is None:
        return None
    variables, rows = len(scaled.columns), len(scaled.below)

    def unscaled(point: Point) -> Point:
        y, w = point.equal[:rows], point.equal[rows:]
        return scaled.unscaled(Point(point.x[:variables], y, w))

    best = _tidied(programme, whole, point, unscaled)
    magnified = 1.0
    for _ in range(_ROUNDS):
        if best[1].share <= _EXACT:
            break
        rest, grown = _remainder(whole, point, magnified)
        step = solver(rest)
        if step is None:
            break
        magnified = grown
        point = Point(*(a + b / grown for a, b in zip(point, step, strict=True)))
        better = _tidied(programme, whole, point, unscaled)
        if better[1].share < best[1].share:
            best = better
    return best


def _remainder(whole: Programme, point: Point, magnified: float) -> tuple[Programme, float]:
    """The programme that a point leaves of one with equations only, and its magnification."""
    x, _, w = point
    right = whole.right - whole.equal @ x
    cost = whole.cost - whole.equal.T @ w
    lower, upper = whole.lower - x, whole.upper - x
    off = max(
        float(np.abs(right).max(initial=0.0)),
        float(np.max(lower, initial=0.0)),
        float(np.max(-upper, initial=0.0)),
        float(np.max(np.where(np.isinf(whole.upper), -cost, 0.0), initial=0.0)),
        float(np.max(np.where(np.isinf(whole.lower), cost, 0.0), initial=0.0)),
    )
    grown = magnified * _GROWTH
    if off > 0.0:
        grown = min(grown, max(2.0 ** float(np.floor(-np.log2(off))), 1.0))
    return Programme(
        cost=cost * grown,
        below=whole.below,
        limit=whole.limit,
        equal=whole.equal,
        right=right * grown,
        lower=lower * grown,
        upper=upper * grown,
    ), grown


def _tidied(
    programme: Programme, whole: Programme, point: Point, unscaled: Callable[[Point], Point]
) -> tuple[Point, Shortfall]:
    """A point of the given programme, if possible with what is next to a bound moved there."""
    candidates = []
    for near in (0.0, 1e-15, 1e-12, 1e-9):
        x = point.x.copy()
        low, high = x - whole.lower <= near, whole.upper - x <= near
        x[low], x[high] = whole.lower[low], whole.upper[high]
        w = point.equal.copy()
        y = w[: len(programme.limit)]
        y[y >= -near] = 0.0
        tidy = unscaled(Point(x, point.below, w))
        candidates.append((tidy, programme.shortfall(tidy)))
    least = max(min(shortfall.share for _, shortfall in candidates), _EXACT)
    return next(candidate for candidate in reversed(candidates) if candidate[1].share <= least)
