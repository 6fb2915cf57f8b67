"""Products of matrices, with the same bits whatever rows are beside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.kernels.primitives.products import add_products


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_added_row_by_row(dtype: Any) -> None:
    random = np.random.default_rng(1)
    rows = random.normal(size=(7, 10)).astype(dtype)
    weights = random.normal(size=(10, 5)).astype(dtype)
    begun = random.normal(size=(7, 5)).astype(dtype)
    together = begun.copy()
    add_products(rows, weights, together)
    np.testing.assert_allclose(together, begun + rows @ weights, rtol=0, atol=1e-5)
    for row in (0, 5, 6):
        alone = begun[row : row + 1].copy()
        add_products(rows[row : row + 1], weights, alone)
        assert np.array_equal(alone[0], together[row])
