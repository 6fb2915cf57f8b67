"""Linear and mixed-integer programmes by HiGHS (SciPy), all with the same tolerances."""

from __future__ import annotations

from typing import Any, Final, Literal, NoReturn

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.solvers.matrix.interruptible import interruptible
from equilibrist.solvers.matrix.quiet import quiet
from equilibrist.solvers.matrix.refinement import Point, Programme, Shortfall, refined
from equilibrist.tree.payoff_scale import ENORMOUS
from equilibrist.typing import FloatArray

TOLERANCE: Final = 1e-10
"""The feasibility tolerance of primal and dual, with payoffs scaled to a range of 1."""
NEGLIGIBLE: Final = 1e-11
"""Realization weights up to this are taken for zero: rounding, not a plan."""
PROVEN: Final = 1e-7
"""The largest distance from the optimum that is accepted, as a share of the largest payoff times
the probability with which play meets it."""
_ITERATIONS: Final = 2_000
"""The least limit of the interior point method, which needs a hundred at most where it ends."""

_IN_DIFFICULTIES: Final = 4
"""The status of a programme on which the numbers defeat a method."""

Method = Literal["highs", "highs-ds", "highs-ipm"]


def minimise(
    cost: FloatArray,
    below: Any,
    limit: FloatArray,
    equal: Any,
    right: Any,
    bounds: Any,
    method: Method = "highs-ds",
    *,
    proven: float = PROVEN,
    rowwise: bool = False,
) -> Any:
    """Minimise cost @ z subject to below @ z <= limit, equal @ z = right, and bounds.

    Every solution is held against the constraints and the multipliers that prove it. One that fails
    is refined (`refinement.refined`), as is needed where coefficients differ by many orders of
    magnitude.

    Args:
        cost: float64[Z].
        below: [A, Z], dense or sparse.
        limit: float64[A].
        equal: [B, Z], dense or sparse.
        right: float64[B].
        bounds: The least and the greatest value of each variable; None or an infinity for none.
        method: `highs-ds` is the dual simplex method, `highs-ipm` the interior point method,
            `highs` the choice of HiGHS.
        proven: A solution farther from the optimum than this share of `size` is refined.
        rowwise: Whether each constraint is to hold up to a share of its own terms
            (`refinement.Programme`).

    Returns:
        What `scipy.optimize.linprog` returns. Its `status` is 0 where the programme was solved;
        callers refuse others in words of their own. Of a solved one, `size` is the largest payoff
        times the probability with which play meets it (`refinement.Shortfall`), `worst` bounds
        what it is off, and variables up to `negligible` are zero.

    Raises:
        UnsupportedError: The coefficients differ too much for double precision.
    """
    programme = Programme.of(cost, below, limit, equal, right, bounds, rowwise=rowwise)
    solution, point = _first(programme, method)
    rough: Shortfall | None = None
    if point is not None:
        rough = programme.shortfall(point)
        solution.size, solution.worst = rough
        if rough.share <= proven:
            return solution
    best = refined(programme, lambda scaled: _point(scaled, method), PROVEN)
    if best is None or (rough is not None and rough.share <= best[1].share):
        low, high = programme.span()
        hopeless = solution.status == _IN_DIFFICULTIES and high > ENORMOUS * low
        if hopeless or (rough is not None and rough.share > PROVEN):
            refuse_programme(programme, rough)
        return solution
    point, shortfall = best
    if shortfall.share > PROVEN:
        refuse_programme(programme, shortfall)
    solution.status, solution.message = 0, "Optimization terminated successfully. (refined)"
    solution.size, solution.worst = shortfall
    _give(solution, programme, point)
    return solution


def minimise_mixed(
    cost: FloatArray,
    rows: tuple[Any, FloatArray, FloatArray],
    bounds: tuple[FloatArray, FloatArray],
    binary: FloatArray,
) -> Any:
    """Minimise cost @ z where some variables are 0 or 1.

    Args:
        cost: float64[Z]. HiGHS stops within 1e-6 of the minimum.
        rows: A matrix [A, Z], and the least and the greatest value of each row times z.
        bounds: The least and the greatest value of each variable.
        binary: float64[Z], 1 for the variables that are whole numbers.

    Returns:
        What `scipy.optimize.milp` returns. Its `status` is 0 where the programme was solved.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    with quiet():
        return interruptible(
            milp,
            cost,
            integrality=binary,
            bounds=Bounds(*bounds),
            constraints=LinearConstraint(*rows),
            options={"mip_rel_gap": 0.0},
        )


def refuse_programme(programme: Programme, shortfall: Shortfall | None) -> NoReturn:
    """Refuse a programme that double precision cannot solve.

    Args:
        programme: The programme.
        shortfall: How far the best point is from its optimum; None if there is none.

    Raises:
        UnsupportedError: Always.
    """
    low, high = programme.span()
    reason = "no method comes to an end"
    if shortfall is not None:
        reason = f"its optimum is off by {shortfall.share:.1g} of what play meets"
    refuse_span(
        f"payoffs times probabilities in a linear programme range from {low:.3g} to {high:.3g} in "
        f"its unit, too far for double precision: {reason}",
        (low, high),
    )


def refuse_span(message: str, span: tuple[float, float]) -> NoReturn:
    """Refuse payoffs that linear programmes in double precision cannot hold together.

    Args:
        message: What was found.
        span: The least and the largest number.

    Raises:
        UnsupportedError: Always.
    """
    raise UnsupportedError(
        message,
        option="payoffs",
        given=list(span),
        expected="payoffs that differ by fewer orders of magnitude",
        remedy="forbid actions by smaller payoffs, and leave out what chance nearly never does",
    )


def _linprog(programme: Programme, method: Method, *, presolve: bool = True) -> Any:
    from scipy.optimize import linprog

    # On an ill-conditioned programme the interior point method may go on without end.
    size = len(programme.cost) + programme.below.shape[0] + programme.equal.shape[0]
    limit = {"maxiter": _ITERATIONS + 10 * size} if method == "highs-ipm" else {}
    with quiet():
        return interruptible(
            linprog,
            programme.cost,
            A_ub=programme.below,
            b_ub=programme.limit,
            A_eq=programme.equal,
            b_eq=programme.right,
            bounds=np.column_stack([programme.lower, programme.upper]),
            method=method,
            options={
                "presolve": presolve,
                "primal_feasibility_tolerance": TOLERANCE,
                "dual_feasibility_tolerance": TOLERANCE,
                **limit,
            },
        )


def _first(programme: Programme, method: Method) -> tuple[Any, Point | None]:
    """Solve a programme once.

    Args:
        programme: The programme.
        method: As `minimise` is told.

    Returns:
        The solution, and its point without what callers take for zero; None where there is none.
    """
    scaled = programme.with_small_columns()
    solved = programme if scaled is None else scaled.programme
    solution = _linprog(solved, method)
    if solution.status == _IN_DIFFICULTIES:
        solution = _linprog(solved, "highs-ds", presolve=False)
    solution.negligible = NEGLIGIBLE
    point = _kept(solved, solution)
    if scaled is None:
        return solution, point
    if point is not None:
        point = scaled.unscaled(point)
        _give(solution, programme, point)
    return solution, point


def _give(solution: Any, programme: Programme, point: Point) -> None:
    """Let a solution be a point whose variables are zero where they are to be."""
    solution.x, solution.fun = point.x, float(programme.cost @ point.x)
    solution.ineqlin = type(solution)(marginals=point.below)
    solution.eqlin = type(solution)(marginals=point.equal)
    solution.negligible = 0.0


def _kept(programme: Programme, solution: Any) -> Point | None:
    """The point of a solution without what callers take for zero; None where there is none."""
    if solution.status != 0 or solution.x is None:
        return None
    at_zero = (programme.lower == 0.0) & (solution.x <= NEGLIGIBLE)
    below = np.asarray(solution.ineqlin.marginals)
    below = np.where(below >= -NEGLIGIBLE, 0.0, below)
    return Point(np.where(at_zero, 0.0, solution.x), below, np.asarray(solution.eqlin.marginals))


def _point(programme: Programme, method: Method) -> Point | None:
    """The solution of a programme, by whichever method comes to an end."""
    tries: tuple[tuple[Method, bool], ...] = (
        (method, True),
        ("highs-ds", False),
        ("highs-ipm", True),
    )
    for way, presolve in tries:
        solution = _linprog(programme, way, presolve=presolve)
        if solution.status == 0 and solution.x is not None:
            return Point(
                np.asarray(solution.x),
                np.asarray(solution.ineqlin.marginals),
                np.asarray(solution.eqlin.marginals),
            )
    return None
