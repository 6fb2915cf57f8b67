"""The linear programme of optimal correlation, over cells that plans or relevant pairs span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.equilibria.optimal.deviations import Deviations
from equilibrist.equilibria.optimal.objectives import Objective
from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import PROVEN, minimise
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import ENORMOUS, NOISE
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Span:
    """What the probabilities of cells may be: cells = basis @ x with x >= 0, equal @ x = right.

    Attributes:
        basis: [C, X].
        equal: [E, X].
        right: float64[E].
    """

    basis: csr_array
    equal: csr_array
    right: FloatArray


@dataclass(frozen=True)
class Optimum:
    """The solution of a programme.

    Attributes:
        x: float64[X], as the span has them.
        value: What is maximised, in payoff units.
        met: float64[P], the largest payoff of each player times the probability with which play
            meets it.
        met_by_objective: The same in the unit of the objective.
        negligible: Probabilities up to this are zero.
        rows: How many constraints there were.
        columns: How many unknowns.
    """

    x: FloatArray
    value: float
    met: FloatArray
    met_by_objective: float
    negligible: float
    rows: int
    columns: int


def solve(
    deviations: Deviations, objective: Objective, span: Span, proven: float = PROVEN
) -> Optimum:
    """Maximise an objective over all devices that no deviation of the concept improves on.

    Args:
        deviations: The deviations of the concept.
        objective: What is maximised.
        span: What the probabilities of cells may be.
        proven: A solution farther from the optimum than this share of what play meets is refined
            (see `highs.minimise`).

    Returns:
        The optimum.

    Raises:
        EquilibristError: The solver gave up.
    """
    from scipy.sparse import block_array, csr_array, hstack, vstack

    rows, values, payoffs = deviations.rows, deviations.values, deviations.payoffs
    scales = _scales(deviations.sequences.tree)
    weighted = np.asarray(objective.weights or np.ones_like(scales)) != 0.0
    scale = float(scales[weighted].max())
    centre = deviations.sequences.centre / scale
    cells, width = len(deviations.cells), span.basis.shape[1]
    column = np.array(rows.column, dtype=np.int64)
    column[column < 0] = cells - 1 - column[column < 0]
    entries = np.array(rows.value)
    is_payoff = column < cells
    entries[is_payoff] /= scales[np.array(rows.player, dtype=np.int64)[is_payoff]]
    matrix = csr_array((entries, (rows.row, column)), shape=(rows.count, cells + values))
    upper = hstack([matrix[:, :cells] @ span.basis, matrix[:, cells:]], format="csr")
    worth = csr_array(payoffs / scale) @ span.basis
    fair = not objective.weights
    limit = np.zeros(upper.shape[0])
    bounds = [(0.0, None)] * width + [(None, None)] * values
    if fair:  # one more unknown, which is at most every player's payoff
        upper = block_array(
            [[upper, None], [hstack([-worth, csr_array((len(payoffs), values))]), _ones(payoffs)]],
            format="csr",
        )
        cost = np.zeros(width + values + 1)
        cost[-1] = -1.0
        bounds.append((None, None))
        limit = np.append(limit, centre - centre.min())
    else:
        weights = np.asarray(objective.weights)
        total = weights @ worth
        # Where payoffs cancel out, as all do in games of constant sum, rounding is no objective.
        terms = np.abs(weights) @ (abs(csr_array(payoffs / scale)) @ abs(span.basis))
        total[np.abs(total) <= NOISE * terms] = 0.0
        cost = np.concatenate([-total, np.zeros(values)])
    equal = hstack([span.equal, csr_array((span.equal.shape[0], len(cost) - width))], format="csr")
    optimum = minimise(
        cost,
        vstack([upper], format="csr"),
        limit,
        equal,
        span.right,
        bounds,
        "highs",
        proven=proven,
    )
    if optimum.status != 0:
        raise EquilibristError(
            f"the linear programme did not come to an end: {optimum.message}",
            option="objective",
            given=objective.name,
        )
    common = centre.min() if fair else np.asarray(objective.weights) @ centre
    return Optimum(
        optimum.x[:width],
        (float(common) - float(optimum.fun)) * scale,
        optimum.size * scales,
        optimum.size * scale,
        optimum.negligible,
        upper.shape[0] + equal.shape[0],
        len(cost),
    )


def _scales(tree: GameTree) -> FloatArray:
    """float64[P]: by what the payoffs of each player are divided.

    It is the range of all payoffs, but for players who are paid in so small a unit that a solver's
    tolerances, or rounding, would hide what they gain.
    """
    largest, ranges = tree.payoff_range or 1.0, tree.payoff_ranges
    return np.where((ranges > 0.0) & (ranges * ENORMOUS < largest), ranges, largest)


def _ones(payoffs: FloatArray) -> csr_array:
    from scipy.sparse import csr_array

    return csr_array(np.ones((len(payoffs), 1)))
