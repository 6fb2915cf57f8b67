"""The linear programme of optimal correlation, over cells that plans or relevant pairs span."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.equilibria.optimal.deviations import Deviations
from equilibrist.equilibria.optimal.objectives import Objective
from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.solvers.matrix.highs import PROVEN
from equilibrist.solvers.matrix.payoffs import refuse_payoffs
from equilibrist.solvers.matrix.refinement import LARGE, ROUNDING, Programme
from equilibrist.solvers.matrix.sifting import minimise_wide
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import ENORMOUS, NOISE, hides_some, payoff_spreads
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_HIDDEN: Final = 1e-4
"""How far an optimum may be off by its bound, as a share of it, or of ordinary payoffs: it is off
by a few hundredths of that as a rule."""


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
        UnsupportedError: It did so beside enormous payoffs.
    """
    from scipy.sparse import block_array, csr_array, hstack, vstack

    rows, values, payoffs = deviations.rows, deviations.values, deviations.payoffs
    tree = deviations.sequences.tree
    scales = _scales(tree)
    weighted = np.asarray(objective.weights or np.ones_like(scales)) != 0.0
    scale = float(scales[weighted].max())
    centre = deviations.sequences.centre / scale
    # What forbids actions is not played; where that is certain, it is left out.
    kept = np.flatnonzero(span.basis.T @ deviations.never_met() == 0.0)
    basis, shares = span.basis[:, kept], span.equal[:, kept]
    cells, width = len(deviations.cells), len(kept)
    column = np.array(rows.column, dtype=np.int64)
    column[column < 0] = cells - 1 - column[column < 0]
    entries = np.array(rows.value)
    is_payoff = column < cells
    entries[is_payoff] /= scales[np.array(rows.player, dtype=np.int64)[is_payoff]]
    matrix = csr_array((entries, (rows.row, column)), shape=(rows.count, cells + values))
    paid = _spanned(matrix[:, :cells], basis)
    upper = hstack([paid, matrix[:, cells:]], format="csr")
    worth = _spanned(csr_array(payoffs / scale), basis)
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
        terms = np.abs(weights) @ (abs(csr_array(payoffs / scale)) @ abs(basis))
        total[np.abs(total) <= NOISE * terms] = 0.0
        cost = np.concatenate([-total, np.zeros(values)])
    equal = hstack([shares, csr_array((shares.shape[0], len(cost) - width))], format="csr")
    programme = Programme.of(
        cost, vstack([upper], format="csr"), limit, equal, span.right, bounds, rowwise=True
    )

    def minimum(proven: float) -> Any:
        return minimise_wide(
            cost,
            programme.below,
            limit,
            equal,
            span.right,
            bounds,
            proven=proven,
            rowwise=programme.rowwise,  # deviations at a trigger count however rarely it is met
        )

    optimum = minimum(proven)
    if optimum.status == 0 and proven > 0.0 and _off(programme, optimum) > PROVEN:
        with suppress(EquilibristError):  # what was found first stays
            second = minimum(0.0)
            if second.status == 0:
                optimum = min(optimum, second, key=partial(_off, programme))
    if optimum.status != 0:
        if hides_some(tree.walk.possible_payoffs()):
            refuse_payoffs(tree)
        raise UnsupportedError(
            f"the linear programme did not come to an end: {optimum.message}",
            option="objective",
            given=objective.name,
        )
    if _off(programme, optimum) + _hidden(programme, optimum) > _HIDDEN:
        refuse_payoffs(tree)
    x = np.zeros(span.basis.shape[1])
    x[kept] = optimum.x[:width]
    common = centre.min() if fair else np.asarray(objective.weights) @ centre
    return Optimum(
        x,
        (float(common) - float(optimum.fun)) * scale,
        optimum.size * scales,
        optimum.size * scale,
        optimum.negligible,
        upper.shape[0] + equal.shape[0],
        len(cost) + len(x) - width,
    )


def _off(programme: Programme, optimum: Any) -> float:
    """How far a minimum is from what its multipliers prove, beyond rounding, as a share.

    What multiplies a constraint on a threat is as large as what is threatened with. Then the
    largest product, of which solvers' tolerances are shares, is far beyond the objective.
    """
    x, y, w = np.abs(optimum.x), optimum.ineqlin.marginals, optimum.eqlin.marginals
    left = np.abs(programme.below @ optimum.x - programme.limit)
    left -= ROUNDING * (abs(programme.below) @ x + np.abs(programme.limit))
    reduced = programme.cost - programme.below.T @ y - programme.equal.T @ w
    terms = np.abs(programme.cost)
    terms += abs(programme.below.T) @ np.abs(y) + abs(programme.equal.T) @ np.abs(w)
    beyond = np.maximum(np.abs(reduced) - ROUNDING * terms, 0.0)
    # Variables with bounds are probabilities, at most 1 together.
    lowering = beyond[np.isfinite(programme.lower) & (reduced < 0.0)].max(initial=0.0)
    # A value without bounds may be 0 here, and as large as what it is about in another solution.
    total = np.maximum(left, 0.0) @ np.abs(y) + beyond @ np.maximum(x, _sizes(programme)) + lowering
    return float(total) / _about(optimum)


def _sizes(programme: Programme) -> FloatArray:
    """float64[Z]: the largest coefficient that a variable without bounds is about; else 0.

    It stands in a constraint with the variable, or with another one that stands with it in one.
    """
    whole = programme.below.tocoo()
    free = np.isinf(programme.lower)[whole.col]
    by_row = np.zeros(whole.shape[0])
    np.maximum.at(by_row, whole.row[~free], np.abs(whole.data[~free]))
    by_column = np.zeros(whole.shape[1])
    row, column = whole.row[free], whole.col[free]
    while True:
        np.maximum.at(by_column, column, by_row[row])
        before = by_row.copy()
        np.maximum.at(by_row, row, by_column[column])
        if (by_row == before).all():
            return by_column


def _hidden(programme: Programme, optimum: Any) -> float:
    """What rounding hides of the objective where players earn enormous payoffs, as a share.

    Sums of these are off by more than what a deviation gains that such payoffs have nothing to do
    with. The multiplier of its row says how much of the objective that is.
    """
    terms = abs(programme.below) @ np.abs(optimum.x)
    off = np.where(terms > LARGE, ROUNDING * terms, 0.0)
    return float(off @ np.abs(optimum.ineqlin.marginals)) / _about(optimum)


def _about(optimum: Any) -> float:
    """What a minimum is held against: itself, or ordinary payoffs, which are 1, if it is less."""
    return max(1.0, abs(float(optimum.fun)))


def _scales(tree: GameTree) -> FloatArray:
    """float64[P]: by what the payoffs of each player are divided.

    It is the spread of the ordinary payoffs of all players, as tolerances are shares of it: in
    units of a penalty, ordinary payoffs would vanish beside the tolerances. So would what players
    gain who are paid in a far smaller unit; for them it is their own.
    """
    spreads = payoff_spreads(tree.walk.possible_payoffs())
    largest = float(spreads.max()) or 1.0
    return np.where((spreads > 0.0) & (spreads * ENORMOUS < largest), spreads, largest)


def _spanned(coefficients: csr_array, basis: csr_array) -> csr_array:
    """Coefficients of cells as those of what spans them; sums that cancel out are 0.

    Args:
        coefficients: [A, C].
        basis: [C, X].

    Returns:
        [A, X], without what rounding leaves of 0, which the scaling of rows and columns would
        magnify.
    """
    from scipy.sparse import csr_array

    total = coefficients @ basis
    terms = abs(coefficients) @ abs(basis)
    return csr_array(total.multiply(abs(total) > NOISE * terms))


def _ones(payoffs: FloatArray) -> csr_array:
    from scipy.sparse import csr_array

    return csr_array(np.ones((len(payoffs), 1)))
