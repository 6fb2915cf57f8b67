"""Linear programmes with far more variables than constraints, solved by sifting.

A programme of few constraints has a solution in which few variables are positive. Some variables
are taken at first; as long as the multipliers of their programme say that others would improve it,
the best of these join them (R. E. Bixby, J. W. Gregory, I. J. Lustig, R. E. Marsten and D. F.
Shanno, Very large-scale linear programming: a case study in combining interior point and simplex
methods, Operations Research 40, 1992). The programmes stay small, so that they are refined at
little cost where their coefficients differ by many orders of magnitude.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.solvers.matrix.highs import PROVEN, TOLERANCE, minimise, refuse_programme
from equilibrist.solvers.matrix.refinement import LARGE, ROUNDING, Point, Programme
from equilibrist.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csc_array

FEWEST_COLUMNS: Final = 10_000
"""Programmes with fewer variables are solved at once."""
_COLUMNS_PER_ROW: Final = 16
"""Programmes with fewer variables per constraint are solved at once."""
_BATCH: Final = 64
"""The fewest variables that join at a time; four per constraint where that is more."""


def minimise_wide(
    cost: FloatArray,
    below: Any,
    limit: FloatArray,
    equal: Any,
    right: FloatArray,
    bounds: Any,
    *,
    proven: float = PROVEN,
    rowwise: bool = False,
) -> Any:
    """Minimise as `highs.minimise` does, by sifting where there are many variables.

    Args:
        cost: float64[Z].
        below: [A, Z], sparse.
        limit: float64[A].
        equal: [B, Z], sparse.
        right: float64[B].
        bounds: The least and the greatest value of each variable; None or an infinity for none.
        proven: A solution farther from the optimum than this share of `size` is refined.
        rowwise: Whether each constraint is to hold up to a share of its own terms.

    Returns:
        What `highs.minimise` returns.

    Raises:
        UnsupportedError: The coefficients differ too much for double precision.
    """

    def at_once() -> Any:
        return minimise(
            cost, below, limit, equal, right, bounds, "highs", proven=proven, rowwise=rowwise
        )

    rows = below.shape[0] + equal.shape[0]
    if len(cost) < max(FEWEST_COLUMNS, _COLUMNS_PER_ROW * rows):
        return at_once()
    sifting = _Sifting(
        Programme.of(cost, below, limit, equal, right, bounds, rowwise=rowwise), proven
    )
    if not sifting.reach_constraints():  # or no solver gets there
        return at_once()
    return sifting.solve()


class _Sifting:
    """The variables of a programme that were taken so far.

    Args:
        programme: The programme.
        proven: As `minimise_wide` is told.
    """

    def __init__(self, programme: Programme, proven: float) -> None:
        """Take all variables but those that are at least 0 and have no other bound."""
        from scipy.sparse import csc_array

        self._programme, self._proven = programme, proven
        self._below, self._equal = csc_array(programme.below), csc_array(programme.equal)
        waiting = (programme.lower == 0.0) & np.isinf(programme.upper)
        self._taken = np.flatnonzero(~waiting)
        self._waiting = waiting
        sizes = [_largest(self._below), _largest(self._equal), np.abs(programme.cost)]
        self._size = np.maximum.reduce(sizes)
        """float64[Z]: the largest coefficient of each variable, the unit of its reduced cost."""
        self._size[self._size == 0.0] = 1.0
        rows = programme.below.shape[0] + programme.equal.shape[0]
        self._batch = max(_BATCH, 4 * rows)

    def reach_constraints(self) -> bool:
        """Take variables until all constraints can be met, ordinary ones before enormous ones."""
        from scipy.sparse import csr_array, eye_array, hstack

        rows, equations = self._below.shape[0], self._equal.shape[0]
        short = rows + 2 * equations
        missed = hstack([-eye_array(rows), csr_array((rows, 2 * equations))])
        off = hstack([csr_array((equations, rows)), eye_array(equations), -eye_array(equations)])
        nothing = np.zeros(len(self._size))
        for candidates in (self._size <= LARGE, np.ones(len(self._size), dtype=np.bool_)):
            while True:
                part = self._part()
                solution = minimise(
                    np.append(np.zeros(len(part.cost)), np.ones(short)),
                    hstack([part.below, missed], format="csr"),
                    part.limit,
                    hstack([part.equal, off], format="csr"),
                    part.right,
                    np.column_stack(
                        [
                            np.append(part.lower, np.zeros(short)),
                            np.append(part.upper, np.full(short, np.inf)),
                        ]
                    ),
                )
                if solution.status != 0:
                    return False
                if solution.fun <= TOLERANCE:
                    return True
                if not self._take(nothing, solution, candidates, TOLERANCE):
                    break
        return False

    def solve(self) -> Any:
        """Take variables until no other one improves the objective."""
        whole = self._programme
        everything = np.ones(len(whole.cost), dtype=np.bool_)
        least = TOLERANCE if self._proven > 0.0 else 0.0
        while True:
            part = self._part()
            solution = minimise(
                part.cost,
                part.below,
                part.limit,
                part.equal,
                part.right,
                np.column_stack([part.lower, part.upper]),
                "highs",
                proven=self._proven,
                rowwise=whole.rowwise,
            )
            if solution.status != 0:
                return solution
            if not self._take(whole.cost, solution, everything, least):
                break
        x = np.zeros(len(whole.cost))
        x[self._taken] = solution.x
        solution.x = x
        shortfall = whole.shortfall(Point(x, solution.ineqlin.marginals, solution.eqlin.marginals))
        if shortfall.share > PROVEN:
            refuse_programme(whole, shortfall)
        solution.size, solution.worst = shortfall
        return solution

    def _part(self) -> Programme:
        """The programme of the variables that were taken."""
        taken, whole = self._taken, self._programme
        return Programme(
            cost=whole.cost[taken],
            below=self._below[:, taken].tocsr(),
            limit=whole.limit,
            equal=self._equal[:, taken].tocsr(),
            right=whole.right,
            lower=whole.lower[taken],
            upper=whole.upper[taken],
            rowwise=whole.rowwise,
        )

    def _take(self, cost: FloatArray, solution: Any, candidates: BoolArray, least: float) -> bool:
        """Take the variables that improve an objective most.

        Args:
            cost: float64[Z], of the objective.
            solution: The minimum over the variables that were taken, with its multipliers.
            candidates: bool[Z], which may be taken.
            least: What the reduced cost of a variable must be below 0, beyond rounding.

        Returns:
            Whether there are any.
        """
        y, w = np.asarray(solution.ineqlin.marginals), np.asarray(solution.eqlin.marginals)
        reduced = cost - self._below.T @ y - self._equal.T @ w
        terms = np.abs(cost) + abs(self._below.T) @ np.abs(y) + abs(self._equal.T) @ np.abs(w)
        better = self._waiting & candidates & (reduced < -np.maximum(least, ROUNDING * terms))
        columns = np.flatnonzero(better)
        order = np.argsort((reduced / self._size)[columns], kind="stable")
        columns = columns[order[: self._batch]]
        self._taken = np.append(self._taken, columns)
        self._waiting[columns] = False
        return bool(len(columns))


def _largest(matrix: csc_array) -> FloatArray:
    """float64[Z]: the largest size of a coefficient in each column, 0 in empty ones."""
    largest: FloatArray = abs(matrix).max(axis=0).toarray().ravel()
    return largest
