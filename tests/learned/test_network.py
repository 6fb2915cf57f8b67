"""Networks: their shape, their first weights, what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.learned.network import Network, new_network, num_weights, zero_sum
from tests.refusals import refuses, unchecked


def test_weights_stand_by_layer_output_and_input_then_the_bias():
    network = Network((2, 3, 1), np.arange(13, dtype=np.float32))
    first, last = network.layers
    assert first.weights.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert first.bias.tolist() == [6, 7, 8]
    assert last.weights.tolist() == [[9, 10, 11]]
    assert last.bias.tolist() == [12]
    # Hidden units are 0 + 2 + 6 = 8 and so on for the inputs (0, 2).
    x = np.array([[0.0, 2.0]])
    assert network.predict(x).tolist() == [[9 * 8 + 10 * 13 + 11 * 18 + 12]]


def test_a_new_network_says_zero_unless_its_last_layer_is_drawn_too():
    x = np.ones((1, 6), dtype=np.float32)
    assert new_network((6, 8, 2), 3).predict(x).tolist() == [[0.0, 0.0]]
    drawn = new_network((6, 8, 2), 3, zero_output=False)
    assert np.all(drawn.predict(x) != 0.0)
    assert np.array_equal(drawn.weights, new_network((6, 8, 2), 3, zero_output=False).weights)
    assert not np.array_equal(drawn.weights, new_network((6, 8, 2), 4, zero_output=False).weights)


def test_weights_cannot_be_written_to():
    given = np.zeros(num_weights((1, 1)), dtype=np.float32)
    network = Network((1, 1), given)
    given[0] = 5.0
    assert network.weights[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        network.weights[0] = 1.0


def test_what_fits_no_network_is_refused():
    with refuses(MismatchError, option="weights", given=(3,), expected=(2,)):
        Network((1, 1), np.zeros(3, dtype=np.float32))
    with refuses(ConfigError, option="weights"):
        Network((1, 1), np.array([np.nan, 0.0], dtype=np.float32))
    with refuses(ConfigError, option="activation", given="tanh"):
        Network((1, 1), np.zeros(2, dtype=np.float32), "tanh")
    for sizes in ((3,), (3, 0), unchecked("34"), (1 << 20, 1 << 20)):
        with refuses(ConfigError, option="sizes"):
            new_network(sizes, 0)
    with refuses(MismatchError, option="x", given=(2, 3), expected=(2, 4)):
        new_network((4, 1), 0).predict(np.zeros((2, 3)))


def test_zero_sum_outputs_add_up_to_nothing_under_the_ranges():
    random = np.random.default_rng(1)
    ranges = random.random((5, 2, 3))
    ranges /= ranges.sum(axis=2, keepdims=True)
    ranges[4, 1] = 0.0  # nothing is left of one range
    inputs = np.concatenate([ranges.reshape(5, 6), random.random((5, 2))], axis=1)
    values = zero_sum(inputs, random.standard_normal((5, 6)).astype(np.float32))
    assert np.abs((inputs[:, :6] * values).sum(axis=1)).max() < 1e-6
