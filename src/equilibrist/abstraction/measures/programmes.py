"""The linear programmes: the plan with the best guarantee, among all or among equilibria.

Bernhard von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior
14, 1996: what a plan x guarantees is the largest w_0 with F' w <= A' x, where F holds the
constraints of the opponent's plans, and A the payoffs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import block_array, csr_array

from equilibrist.abstraction.measures.plans import Plans
from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray


class Opponent(NamedTuple):
    """Whom a plan is measured against: their plans, and payoffs [own sequences, their sequences].

    `payoff` is what the player with the plan earns.
    """

    plans: Plans
    payoff: csr_array


class Guaranteed(NamedTuple):
    """What a plan guarantees, in the unit of the payoffs.

    `plan` is float64[own sequences], `answer`, float64[the opponent's sequences], what holds it to
    that. `met` is the largest payoff times the probability with which play meets it. Infosets that
    are reached with `least` or less are not.
    """

    value: float
    plan: FloatArray
    answer: FloatArray
    met: float
    least: float


def best_guarantee(
    own: Plans,
    against: Opponent,
    floor: tuple[Opponent, float] | None = None,
    *,
    gain: FloatArray | None = None,
    earned: FloatArray | None = None,
) -> Guaranteed:
    """The plan that guarantees most against an opponent.

    Where part of the play of both is given, `own` and the opponent's plans are what is left to
    choose, and `gain` and `earned` are what the choices of one earn against what is given of the
    other.

    Args:
        own: The plans to choose from.
        against: The opponent.
        floor: A second opponent against whom the plan must guarantee so much; the plans that
            guarantee the value of a game against its other player are those of its equilibria.
        gain: float64[own sequences], what each earns besides; nothing by default.
        earned: float64[the opponent's sequences], what each yields besides; nothing by default.

    Returns:
        The guarantee in the unit of the payoffs, and a plan with it.

    Raises:
        EquilibristError: The solver of linear programmes did not come to an end.
    """
    opponents = [against] if floor is None else [against, floor[0]]
    rows: list[list[csr_array | None]] = []
    for k, (plans, payoff) in enumerate(opponents):
        row: list[csr_array | None] = [None] * len(opponents)
        row[k] = csr_array(plans.constraints().T)
        rows.append([csr_array(-payoff.T), *row])
    widths = [1 + len(plans.parent) for plans, _ in opponents]
    cost = np.zeros(own.size + sum(widths))
    cost[own.size] = -1.0  # the guarantee is the first of the opponent's variables
    if gain is not None:
        cost[: own.size] -= gain
    bounds = [(0.0, None)] * own.size + [(None, None)] * sum(widths)
    if floor is not None:
        bounds[own.size + widths[0]] = (floor[1], None)
    equal = own.constraints()
    right = np.zeros(equal.shape[0])
    right[0] = 1.0
    padded = csr_array((equal.data, equal.indices, equal.indptr), (equal.shape[0], len(cost)))
    matrix = block_array(rows, format="csr")
    limit = np.zeros(matrix.shape[0])
    if earned is not None:
        limit[: len(earned)] = earned
    result = minimise(
        cost,
        matrix,
        limit,
        padded,
        right,
        bounds,
        "highs",
    )
    if result.status != 0:
        raise EquilibristError(
            f"a linear programme over {own.size:,} sequences did not come to an end: "
            f"{result.message}",
            option="abstraction",
            given=own.size,
        )
    # The dual solution of the opponent's rows is the plan that holds `own` to the guarantee.
    plan, answer = result.x[: own.size], -result.ineqlin.marginals[: against.plans.size]
    return Guaranteed(
        -float(result.fun),
        np.where(plan > result.negligible, plan, 0.0),
        np.where(answer > result.negligible, answer, 0.0),
        result.size,
        min(1e-9, 100.0 * result.negligible),
    )
