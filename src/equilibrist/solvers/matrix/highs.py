"""Linear and mixed-integer programmes by HiGHS (SciPy), all with the same tolerances."""

from __future__ import annotations

from typing import Any, Final, Literal, NoReturn

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.solvers.matrix.interruptible import interruptible
from equilibrist.solvers.matrix.quiet import quiet
from equilibrist.solvers.matrix.refinement import Point, Programme, Shortfall, refined
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

    Returns:
        What `scipy.optimize.linprog` returns. Its `status` is 0 where the programme was solved;
        callers refuse others in words of their own. Of a solved one, `size` is the largest payoff
        times the probability with which play meets it (`refinement.Shortfall`), `worst` bounds
        what it is off, and variables up to `negligible` are zero.

    Raises:
        UnsupportedError: The coefficients differ too much for double precision.
    """
    programme = Programme.of(cost, below, limit, equal, right, bounds)
    solution = _linprog(programme, method)
    rough: Shortfall | None = None
    if solution.status == 0 and solution.x is not None:
        rough = programme.shortfall(_kept(programme, solution))
        solution.size, solution.worst = rough
        solution.negligible = NEGLIGIBLE
        if rough.share <= proven:
            return solution
    best = refined(programme, lambda scaled: _point(scaled, method))
    if best is None or (rough is not None and rough.share <= best[1].share):
        if rough is not None and rough.share > PROVEN:
            _refuse_span(programme, rough)
        return solution
    point, shortfall = best
    if shortfall.share > PROVEN:
        _refuse_span(programme, shortfall)
    solution.status, solution.message = 0, "Optimization terminated successfully. (refined)"
    solution.x, solution.fun = point.x, float(programme.cost @ point.x)
    solution.ineqlin = type(solution)(marginals=point.below)
    solution.eqlin = type(solution)(marginals=point.equal)
    solution.size, solution.worst = shortfall
    solution.negligible = 0.0
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


def _refuse_span(programme: Programme, shortfall: Shortfall) -> NoReturn:
    """Refuse a programme that double precision cannot solve.

    Args:
        programme: The programme.
        shortfall: How far the best point is from its optimum.

    Raises:
        UnsupportedError: Always.
    """
    low, high = programme.span()
    refuse_span(
        f"payoffs times probabilities in a linear programme range from {low:.3g} to {high:.3g} of "
        f"the payoff range, too far for double precision: its optimum is off by "
        f"{shortfall.share:.1g} of what play meets",
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
        remedy="forbid actions by smaller payoffs",
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


def _kept(programme: Programme, solution: Any) -> Point:
    """The point of a solution without what callers take for zero."""
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
