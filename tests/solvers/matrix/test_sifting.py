"""Programmes with many variables, solved by sifting and at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from equilibrist.solvers.matrix.highs import minimise
from equilibrist.solvers.matrix.sifting import FEWEST_COLUMNS, minimise_wide
from equilibrist.typing import FloatArray

WIDE = FEWEST_COLUMNS + 2_000


def arranged(seed: int, enormous: float) -> tuple[FloatArray, csr_array, FloatArray]:
    """Costs and rows of mixtures of many columns; every third column has enormous numbers."""
    draw = np.random.default_rng(seed)
    cost = draw.normal(size=WIDE)
    rows = draw.normal(size=(6, WIDE)) * (draw.random((6, WIDE)) < 0.5)
    rows[:, ::3] *= enormous
    limit = draw.random(6)
    return cost, csr_array(rows), limit


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("enormous", [1.0, 1e3])
def test_the_same_minimum(seed: int, enormous: float) -> None:
    cost, rows, limit = arranged(seed, enormous)
    share = csr_array(np.ones((1, WIDE)))
    bounds = [(0.0, None)] * WIDE
    whole = minimise(cost, rows, limit, share, np.ones(1), bounds)
    sifted = minimise_wide(cost, rows, limit, share, np.ones(1), bounds)
    assert sifted.status == 0
    assert sifted.fun == pytest.approx(whole.fun, abs=1e-9)
    assert len(sifted.x) == WIDE
    assert float(sifted.x.sum()) == pytest.approx(1.0, abs=1e-9)
    assert (rows @ sifted.x <= limit + 1e-9).all()
    assert cost @ sifted.x == pytest.approx(sifted.fun, abs=1e-9)
    assert sifted.ineqlin.marginals == pytest.approx(whole.ineqlin.marginals, abs=1e-7)


def test_variables_of_any_sign_are_there_from_the_start() -> None:
    """The least t that is at least each row of a mixture: the value of a matrix game."""
    draw = np.random.default_rng(5)
    table = draw.integers(-5, 6, size=(8, WIDE)).astype(float)
    cost = np.append(np.zeros(WIDE), 1.0)
    below = csr_array(np.append(table, -np.ones((8, 1)), axis=1))
    share = csr_array(np.append(np.ones((1, WIDE)), [[0.0]], axis=1))
    bounds = [(0.0, None)] * WIDE + [(None, None)]
    whole = minimise(cost, below, np.zeros(8), share, np.ones(1), bounds)
    sifted = minimise_wide(cost, below, np.zeros(8), share, np.ones(1), bounds)
    assert sifted.fun == pytest.approx(whole.fun, abs=1e-9)


def test_constraints_that_cannot_be_met_are_called_so() -> None:
    rows = csr_array(np.ones((1, WIDE)))
    bounds = [(0.0, None)] * WIDE
    solution = minimise_wide(np.ones(WIDE), rows, np.array([0.5]), rows, np.ones(1), bounds)
    assert solution.status == 2
