"""Networks asked for some hands of a board say what they say with all of them."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.learned.holdem_values import HoldemValues
from equilibrist.learned.holdem_values.features import num_inputs, num_outputs
from equilibrist.learned.holdem_values.hand_grid import times
from equilibrist.learned.network import Network
from equilibrist.poker import Range
from equilibrist.poker.cards.cards import parse_cards


@pytest.mark.parametrize("board", ["Ts3s2h5h", "Ts3s2h5h9c"])
def test_fewer_hands_have_the_same_values(board: str) -> None:
    street = {8: "turn", 10: "river"}[len(board)]
    drawn, sizes = np.random.default_rng(2), (num_inputs(street), num_outputs(street))
    weights = drawn.normal(0, 0.05, (sizes[0] + 1) * sizes[1]).astype(np.float32)
    network = HoldemValues(street, Network(sizes, weights), {})
    texts = ("AA,QQ,JTs,76s:0.5", "KK,98s,A5s,AKo:0.3")
    whole = np.stack([Range(text).weights for text in texts])
    ranges = np.stack([whole, whole * drawn.random(whole.shape)])
    held = np.flatnonzero(whole.any(axis=0)).astype(np.int32)
    boards = np.array([parse_cards(board)] * 2, np.int8)
    asked = (boards, np.array([60.0, 80.0]), np.array([90.0, 80.0]), ranges)
    values, few = network(*asked), network(*asked, held)
    assert np.abs(values[:, :, held]).max() > 0.1
    np.testing.assert_allclose(few[:, :, held], values[:, :, held], atol=2e-5)
    assert not np.delete(few, held, axis=2).any()


def test_products_are_the_same_bits_whatever_rows_are_beside() -> None:
    """Those of BLAS are not: it chooses its kernels and threads by how many rows there are."""
    random = np.random.default_rng(1)
    matrix = random.random((1081, 64), np.float32)
    rows = random.random((40, 2, 1081), np.float32)
    together = times(rows, matrix)
    np.testing.assert_allclose(together, rows.astype(np.float64) @ matrix, rtol=1e-5)
    for number in (0, 7, 39):
        assert np.array_equal(times(rows[number], matrix), together[number])
