"""The kernel of dense networks against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.learned.network import new_network


def dense(layers, x):
    """The definition, in float64: W[outputs, inputs] and b[outputs] of each layer."""
    values = x.astype(np.float64)
    for number, (weights, bias) in enumerate(layers, 1):
        values = values @ weights.astype(np.float64).T + bias.astype(np.float64)
        if number < len(layers):
            values = np.maximum(values, 0.0)
    return values


def rows(count, width, seed=0):
    """Rows of which about half the inputs are 0, as one-hot features are."""
    random = np.random.default_rng(seed)
    values = random.standard_normal((count, width)) * random.integers(0, 2, (count, width))
    return values.astype(np.float32)


@pytest.mark.parametrize("sizes", [(3, 2), (1, 1, 1), (5, 7, 3, 4), (30, 64, 64, 64, 3)])
def test_the_kernel_agrees_with_the_definition(sizes):
    network = new_network(sizes, 1, zero_output=False)
    x = rows(9, sizes[0])
    expected = dense(network.layers, x)
    assert np.allclose(network.predict(x), expected, rtol=0, atol=1e-5)


def test_the_bits_of_a_row_do_not_depend_on_the_rows_beside_it():
    network = new_network((20, 33, 17, 5), 2, zero_output=False)
    x = rows(8, 20)
    together = network.predict(x)
    alone = np.concatenate([network.predict(x[k : k + 1]) for k in range(len(x))])
    assert np.array_equal(together, alone)
    assert not np.array_equal(together[0], together[1])


def test_a_network_without_a_row_says_nothing():
    assert new_network((4, 3, 2), 0).predict(np.zeros((0, 4), dtype=np.float32)).shape == (0, 2)
