"""Linear programmes by HiGHS (SciPy), all with the same tolerances."""

from __future__ import annotations

from typing import Any, Final, Literal

from equilibrist.solvers.matrix.interruptible import interruptible
from equilibrist.typing import FloatArray

TOLERANCE: Final = 1e-10
"""The feasibility tolerance of primal and dual, with payoffs scaled to a range of 1."""
NEGLIGIBLE: Final = 1e-11
"""Realization weights up to this are taken for zero: rounding, not a plan."""

Method = Literal["highs", "highs-ds", "highs-ipm"]


def minimise(
    cost: FloatArray,
    below: Any,
    limit: FloatArray,
    equal: Any,
    right: Any,
    bounds: Any,
    method: Method = "highs-ds",
) -> Any:
    """Minimise cost @ z subject to below @ z <= limit, equal @ z = right, and bounds.

    Args:
        cost: float64[Z].
        below: [A, Z], dense or sparse.
        limit: float64[A].
        equal: [B, Z], dense or sparse.
        right: float64[B].
        bounds: The least and the greatest value of each variable; None or an infinity for none.
        method: `highs-ds` is the dual simplex method, `highs-ipm` the interior point method,
            `highs` the choice of HiGHS.

    Returns:
        What `scipy.optimize.linprog` returns. Its `status` is 0 where the programme was solved;
        callers refuse others in words of their own.
    """
    from scipy.optimize import linprog

    return interruptible(
        linprog,
        cost,
        A_ub=below,
        b_ub=limit,
        A_eq=equal,
        b_eq=right,
        bounds=bounds,
        method=method,
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
